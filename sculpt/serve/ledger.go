package serve

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"net"
	"net/netip"
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A ledger remembers the calls of a toolset that name themselves (OTC call_id,
// Idempotency-Key), so that a repeated call gets the first answer instead of a
// second effect.
type ledger interface {
	// begin enters a call, which runs then and is ended or forgotten. It returns
	// the conclusion of the same call that ran before, after waiting for one that
	// still runs. The error refuses the call: nothing may be sent.
	begin(ctx context.Context, call *namedCall, l *Limits) (*conclusion, *tool.Error)
	// end keeps what became of a call.
	end(key callKey, out conclusion)
	// forget frees the key of a call that did nothing and may be made again. Calls
	// that wait for it get its conclusion.
	forget(key callKey, out conclusion)
}

// A callKey is the caller and its word for the call: callers cannot see, or
// block, each other's calls.
type callKey struct {
	who [sha256.Size]byte
	key string
}

// A namedCall is a call that names itself.
type namedCall struct {
	key callKey
	// owner is whose room it takes.
	owner string
	// digest is what the call does, credentials are what it brings to prove for
	// whom. Both are the same in a repeated call.
	digest, credentials [sha256.Size]byte
}

// differs is the error of a call under the key of e that is not the same call.
func (e *namedCall) differs(call *namedCall) *tool.Error {
	switch {
	case e.digest != call.digest:
		return &tool.Error{Kind: tool.KindBadRequest, Code: keyReused, Message: "This call id or idempotency key was used for another call."}
	case e.credentials != call.credentials:
		return &tool.Error{Kind: tool.KindBadRequest, Code: keyReused,
			Message: "This call was made before with other credentials, and is not made again.",
			Hint:    "Tokens and secrets may be renewed between repeats where an authenticated caller names its user (user_id)."}
	}
	return nil
}

// keyReused is the code of a call whose key belongs to another call.
const keyReused = "idempotency_key_reused"

// once runs a job that has a name, or returns what became of it the first time.
func (j *job) once(ctx context.Context, args tool.Args, l *Limits, run func() conclusion) conclusion {
	kept := j.tool.window
	if kept == nil {
		return conclusion{err: &tool.Error{Kind: tool.KindInternal, Developer: "the Toolset has no Window, so it cannot keep an idempotency key"}}
	}
	call := namedCall{
		key: callKey{j.principal.Who(), j.inv.IdempotencyKey}, owner: j.owner(),
		digest: digestOf(j, args), credentials: credentialsOf(j.principal),
	}
	return runOnce(ctx, kept, &call, l, run)
}

func runOnce(ctx context.Context, kept ledger, call *namedCall, l *Limits, run func() conclusion) conclusion {
	before, fault := kept.begin(ctx, call, l)
	if fault != nil {
		return conclusion{err: fault}
	}
	if before != nil {
		return *before
	}
	// Should run panic in spite of everything, nobody may wait for ever.
	out := conclusion{err: &tool.Error{Kind: tool.KindUnknownOutcome}, started: true}
	defer func() {
		if out.again() && !out.changed() {
			kept.forget(call.key, out)
			return
		}
		kept.end(call.key, out)
	}()
	out = run()
	return out
}

// changed reports whether the call had an effect, or may have had one.
func (c *conclusion) changed() bool {
	return c.err == nil || c.err.Kind == tool.KindUnknownOutcome || c.err.OutcomeUnknown || len(c.err.EffectsDone) > 0
}

// again reports whether the same call may be made again.
func (c *conclusion) again() bool { return c.err != nil && c.err.Retryable }

// size is about how many bytes a conclusion holds.
func (c *conclusion) size() int {
	n := 0
	for i := range c.result {
		n += len(c.result[i].JSON)
	}
	if c.typed != nil {
		n += 4 << 10 // a Go value of unknown size
	}
	return n
}

// owner is whose room a call takes: that of its principal, or of the address that
// an anonymous one comes from.
func (j *job) owner() string {
	if j.principal.ID != "" {
		return j.principal.ID
	}
	return anonymous(j.from)
}

// anonymous is the name of a caller of whom nothing but the address is known; no
// principal has it.
func anonymous(address string) string { return "\x00" + address }

// addressOf is the network that a request comes from: an IPv4 address, or the /64
// of an IPv6 address, since a host has as many of those as it likes.
func addressOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if addr = addr.Unmap().WithZone(""); addr.Is6() {
		if network, err := addr.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr.String()
}

// A hashed text is made of fields that cannot run into each other.
type hashed []byte

func (b *hashed) add(s string) {
	*b = binary.AppendUvarint(*b, uint64(len(s)))
	*b = append(*b, s...)
}

// digestOf names a call by what it would do: the same call in another spelling
// of JSON is the same call.
func digestOf(j *job, args tool.Args) [sha256.Size]byte {
	b := make(hashed, 0, 256)
	b.add(j.tool.ID)
	b = binary.AppendUvarint(b, uint64(j.version.N))
	if j.typed {
		b.add("typed") // such an answer cannot be written to the wire
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		b.add(name)
		switch v := args[name].(type) {
		case string:
			b.add("s" + v)
		case int64:
			b = binary.AppendVarint(append(b, 'i'), v)
		case bool:
			b.add(map[bool]string{true: "t", false: "f"}[v])
		}
	}
	return sha256.Sum256(b)
}

// credentialsOf is what a repeated call has to bring again, so that the answer of
// one user does not reach another who uses the same word. Where an authenticated
// caller names its user, that is enough: tokens are renewed.
func credentialsOf(p *tool.Principal) [sha256.Size]byte {
	if p.ID != "" && p.UserID != "" {
		return [sha256.Size]byte{}
	}
	b := make(hashed, 0, 256)
	if p.ID == "" {
		b.add(p.Authorization)
	}
	for _, brought := range []map[string]string{p.Tokens, p.Secrets} {
		b = binary.AppendUvarint(b, uint64(len(brought)))
		for _, id := range slices.Sorted(maps.Keys(brought)) {
			b.add(id)
			b.add(brought[id])
		}
	}
	return sha256.Sum256(b)
}
