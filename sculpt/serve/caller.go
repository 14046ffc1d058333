package serve

import "context"

// A Principal is the authenticated caller of a request.
type Principal struct {
	// ID names the caller in logs.
	ID     string
	UserID string
	Claims map[string]string
	// Secrets and Tokens come with the call (OTC context) or from the
	// authenticator; a tool sees only those its plan binds.
	Secrets map[string]string
	Tokens  map[string]string
	// Authorization is the credential that the caller presented. It is passed
	// upstream only by an api whose manifest says "auth: caller".
	Authorization string
}

// An Invocation describes the call that is running.
type Invocation struct {
	// CallID is unique: the caller's call_id or a random UUID.
	CallID string
	// TraceParent is the W3C trace context of the caller, if it sent one.
	TraceParent string
	// TraceID is the caller's own word for the trace (OTC trace_id).
	TraceID string
	// IdempotencyKey names the effect that the caller wants at most once: the
	// Idempotency-Key header, or the call_id of an OTC call. It is empty where
	// the caller gave none.
	IdempotencyKey string
	Tool           string
	Version        int
	Protocol       string
}

type principalKey struct{}
type invocationKey struct{}

// WithPrincipal returns a context that carries the authenticated caller.
func WithPrincipal(ctx context.Context, p *Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// CallerOf returns the authenticated caller, never nil.
func CallerOf(ctx context.Context) *Principal {
	if p, ok := ctx.Value(principalKey{}).(*Principal); ok && p != nil {
		return p
	}
	return &Principal{}
}

// WithInvocation returns a context that carries the running call.
func WithInvocation(ctx context.Context, inv *Invocation) context.Context {
	return context.WithValue(ctx, invocationKey{}, inv)
}

// InvocationOf returns the running call, never nil.
func InvocationOf(ctx context.Context) *Invocation {
	if inv, ok := ctx.Value(invocationKey{}).(*Invocation); ok && inv != nil {
		return inv
	}
	return &Invocation{}
}
