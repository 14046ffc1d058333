package tool

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"log/slog"
	"maps"
	"slices"
	"time"
)

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
	// Authorization is the credential that the caller presented, unless
	// [BearerTokens] or an authenticator sets another. It is passed upstream only
	// by an api whose manifest says "auth: caller".
	Authorization string
}

// Digest tells p from all others, by everything that is known of them.
func (p *Principal) Digest() [sha256.Size]byte {
	h := sha256.New()
	for _, text := range []string{p.ID, p.UserID, p.Authorization} {
		addText(h, text)
	}
	for _, texts := range []map[string]string{p.Claims, p.Secrets, p.Tokens} {
		addTexts(h, texts)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func addText(h hash.Hash, text string) { fmt.Fprintf(h, "%d:%s", len(text), text) }

func addTexts(h hash.Hash, texts map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		addText(h, name)
		addText(h, texts[name])
	}
	h.Write([]byte{';'})
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
	// Time is when the call came in.
	Time time.Time
}

// Trace returns the W3C trace context of the call: the caller's, else one that
// is made from the CallID.
func (inv *Invocation) Trace() string {
	if inv.TraceParent != "" {
		return inv.TraceParent
	}
	sum := sha256.Sum256([]byte("trace " + inv.CallID))
	return fmt.Sprintf("00-%x-%x-01", sum[:16], sum[16:24])
}

// UUID returns a UUID (RFC 9562, version 8) for something that the running
// call makes: an idempotency key of the backend, say. Calls that a caller marks
// as the same one, by its Idempotency-Key or call_id, get the same; it differs
// by tool, caller, user of the caller and name.
func UUID(ctx context.Context, name string) string {
	inv := InvocationOf(ctx)
	key := inv.IdempotencyKey
	if key == "" {
		key = inv.CallID
	}
	h, who := sha256.New(), CallerOf(ctx).Who()
	for _, part := range []string{key, inv.Tool, string(who[:]), name} {
		addText(h, part)
	}
	u := h.Sum(nil)[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
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

// Who tells apart the callers whose words for calls have nothing to do with each
// other: principals, and their users where these are named. Tokens and secrets do
// not count, since they are renewed.
func (p *Principal) Who() [sha256.Size]byte {
	h := sha256.New()
	addText(h, p.ID)
	addText(h, p.UserID)
	return [sha256.Size]byte(h.Sum(nil))
}

type loggerKey struct{}

// ContextWithLogger returns a context whose upstream calls are logged to log,
// at debug level and without any value, instead of to [slog.Default].
func ContextWithLogger(ctx context.Context, log *slog.Logger) context.Context {
	return context.WithValue(ctx, loggerKey{}, log)
}

// LoggerOf returns where upstream calls are logged, never nil.
func LoggerOf(ctx context.Context) *slog.Logger {
	if log, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok && log != nil {
		return log
	}
	return slog.Default()
}

// WithCall returns a context that carries a call: its caller, itself and, unless
// nil, where its upstream calls are logged.
func WithCall(ctx context.Context, p *Principal, inv *Invocation, log *slog.Logger) context.Context {
	return &callScope{ctx, p, inv, log}
}

// callScope carries all of a call in one value: three WithValue are three more
// links for every look-up of the chain.
type callScope struct {
	context.Context
	principal *Principal
	inv       *Invocation
	log       *slog.Logger
}

// Value implements context.Context.
func (c *callScope) Value(key any) any {
	switch key.(type) {
	case principalKey:
		return c.principal
	case invocationKey:
		return c.inv
	case loggerKey:
		if c.log != nil {
			return c.log
		}
	}
	return c.Context.Value(key)
}

// PreviewPrincipal returns a caller who has all that the tools of a set want, for
// rehearsals and previews where nothing is sent. Every value is different, so
// that it is hidden wherever it shows up.
func PreviewPrincipal(set Toolset) *Principal {
	p := &Principal{
		ID: "preview", UserID: "preview-user", Authorization: "Bearer preview-credential",
		Claims: map[string]string{}, Secrets: map[string]string{}, Tokens: map[string]string{},
	}
	for _, t := range set.Tools {
		for _, name := range t.Needs.Claims {
			p.Claims[name] = "preview-claim"
		}
		for _, name := range t.Needs.Secrets {
			p.Secrets[name] = "preview-secret"
		}
		for _, name := range t.Needs.Tokens {
			p.Tokens[name] = "preview-token"
		}
	}
	return p
}
