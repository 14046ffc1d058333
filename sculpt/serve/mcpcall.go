package serve

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// An mcpTurn is one message on its way to its answer, whatever carries it.
type mcpTurn struct {
	p         *mcp
	view      *mcpView
	principal *tool.Principal
	start     time.Time
	// modern says that the message speaks 2026-07-28, opens that the client opens
	// pages for its user.
	// It has tasks where it knows that extension.
	modern, opens, tasks bool
	// parent and key are what headers say of the call, from is where it comes from.
	parent, key, from string
}

// answer appends the answer to a message, nothing for a notification. The
// error is the one that was appended, if any.
func (t *mcpTurn) answer(ctx context.Context, b []byte, m *rpcMessage) ([]byte, *rpcError) {
	var out []byte
	fault := m.fault
	invalid := fault != nil && fault.code == rpcInvalid
	switch {
	case (m.id == nil || m.answer) && !invalid:
		return b, nil // nobody waits for what becomes of a notification
	case fault != nil:
	case m.method == "tools/call":
		out, fault = t.call(ctx, b, m)
	case t.modern && t.p.waits && isTaskMethod(m.method):
		out, fault = t.aboutTask(b, m)
	default:
		out, fault = t.fixed(ctx, b, m)
	}
	if fault != nil {
		if fault.code != rpcElicitURL { // that call has its record
			t.refused(ctx, fault)
		}
		return appendRPCError(b, m.id, fault), fault
	}
	return out, nil
}

func (t *mcpTurn) refused(ctx context.Context, e *rpcError) {
	t.p.s.logRefusal(ctx, ProtocolMCP, t.principal, t.start, &tool.Error{Kind: tool.KindBadRequest, Code: strconv.Itoa(e.code)})
}

// fixed answers what was made ready at start.
func (t *mcpTurn) fixed(ctx context.Context, b []byte, m *rpcMessage) ([]byte, *rpcError) {
	result := t.p.fixed[m.method]
	if m.method == "tools/list" {
		result = t.view.list
	}
	switch {
	case result == nil || !t.modern && !result.legacy || t.modern && result.tail == nil:
		return nil, &rpcError{code: rpcUnknownMethod, message: "There is no method " + tool.Quote(m.method) + "."}
	case m.method == "initialize":
		return t.initialize(b, m, result)
	case m.params.cursor != "":
		// All tools stand on one page: clients are about that read no other.
		return nil, &rpcError{code: rpcInvalidParams, message: "The cursor is not valid."}
	}
	b, err := result.append(append(appendID(b, m.id), `,"result":`...), t.modern)
	if err != nil {
		t.p.s.log.ErrorContext(ctx, "documents", "error", err)
		return nil, &rpcError{code: rpcInternal, message: "The list cannot be read."}
	}
	return append(b, '}'), nil
}

// initialize agrees to the revision of the client, or offers the newest one
// that begins like this.
func (t *mcpTurn) initialize(b []byte, m *rpcMessage, result *fixedResult) ([]byte, *rpcError) {
	if m.params.version == "" {
		return nil, &rpcError{code: rpcInvalidParams, message: "The member protocolVersion of params is missing."}
	}
	b = value.AppendText(append(appendID(b, m.id), `,"result":{"protocolVersion":`...), agreed(m.params.version))
	rest, _ := result.members() // they are at hand
	return append(append(b, rest...), "}}"...), nil
}

// agreed is the revision that follows from the wish of an initialize.
func agreed(wish string) string {
	if wish == mcpFirst || wish != mcpModern && slices.Contains(mcpRevisions, wish) {
		return wish
	}
	return mcpLegacy
}

// call answers tools/call. Whatever becomes of the call is a result that the
// model sees; only what no model can have caused is an error (2025-11-25,
// Tools, Error Handling).
func (t *mcpTurn) call(ctx context.Context, b []byte, m *rpcMessage) ([]byte, *rpcError) {
	called := t.view.byName[m.params.name]
	switch {
	case m.params.name == "":
		return nil, &rpcError{code: rpcInvalidParams, message: "The member name of params is missing."}
	case called == nil:
		return nil, &rpcError{code: rpcInvalidParams, message: "There is no tool " + tool.Quote(m.params.name) + "."}
	}
	key, fault := t.callKey(&m.params.meta)
	if fault != nil {
		return nil, fault
	}
	j := job{tool: called.tool, version: called.version, protocol: ProtocolMCP, inputs: m.params.arguments, principal: t.principal, start: t.start, from: t.from}
	j.inv.CallID, j.inv.IdempotencyKey, j.inv.TraceID = newCallID(), key, m.params.meta.traceParent
	if t.modern && t.tasks && j.tool.Polls {
		return t.task(ctx, b, m, &j)
	}
	out := t.p.s.call(ctx, t.parent, &j)
	return t.concluded(b, m, &j, &out)
}

// callKey is the name of a call: the header Idempotency-Key, or the member of _meta
// that also clients on stdin can send.
func (t *mcpTurn) callKey(meta *mcpMeta) (string, *rpcError) {
	switch key := cmp.Or(t.key, meta.key); {
	case len(key) > longestKey:
		return "", &rpcError{code: rpcInvalidParams, message: "The idempotency key is too long."}
	case meta.key != "" && meta.key != key:
		return "", mismatch("Idempotency-Key", key, meta.key)
	default:
		return key, nil
	}
}

// concluded answers a call that has ended.
func (t *mcpTurn) concluded(b []byte, m *rpcMessage, j *job, out *conclusion) ([]byte, *rpcError) {
	if a := agreement(out); a != nil && t.opens {
		return t.elicit(b, m, a, out.err.Message)
	}
	b = t.appendResult(append(appendID(b, m.id), `,"result":`...), j, out)
	if t.modern {
		return append(append(b, t.p.tail...), '}'), nil
	}
	return append(b, "}}"...), nil
}

// appendResult appends what became of a call, without the end of the result.
func (t *mcpTurn) appendResult(b []byte, j *job, out *conclusion) []byte {
	b = append(b, '{')
	if t.modern {
		b = append(b, `"resultType":"complete",`...)
	}
	b = append(b, `"content":[{"type":"text","text":`...)
	if out.err != nil {
		b = value.AppendText(b, out.err.Explain())
		b = append(b, `}],"isError":true`...)
	} else {
		buffer := bodies.Get().(*[]byte)
		value := appendOTCValue((*buffer)[:0], j.version.Outputs, out.result)
		b = append(appendQuotedJSON(b, value), `}],"structuredContent":`...)
		b = append(append(b, value...), `,"isError":false`...)
		*buffer = value
		bodies.Put(buffer)
	}
	return b
}

// agreement is where a person has to agree before the call can be made, nil where
// that is not the case. A client makes such a call again by itself, so it must not
// have had an effect.
func agreement(out *conclusion) *tool.Authorization {
	if out.err == nil || len(out.err.EffectsDone) > 0 {
		return nil
	}
	return out.err.Authorization
}

// elicit asks the client to open a page for its user: with a result that wants
// input, or before 2026-07-28 with an error of its own.
func (t *mcpTurn) elicit(b []byte, m *rpcMessage, a *tool.Authorization, message string) ([]byte, *rpcError) {
	params := value.AppendText([]byte(`{"mode":"url","message":`), message)
	params = value.AppendText(append(params, `,"url":`...), a.URL)
	if !t.modern {
		params = append(value.AppendText(append(params, `,"elicitationId":`...), a.ID), '}')
		return nil, &rpcError{code: rpcElicitURL, message: message, data: fmt.Appendf(nil, `{"elicitations":[%s]}`, params)}
	}
	b = append(appendID(b, m.id), `,"result":{"resultType":"input_required","inputRequests":{"consent":{"method":"elicitation/create","params":`...)
	b = append(append(b, params...), "}}}"...)
	return append(append(b, t.p.tail...), '}'), nil
}

// guarded answers a message in a goroutine of its own, where nothing else
// would catch a panic.
func (p *mcp) guarded(m *rpcMessage, one func(*rpcMessage) []byte) (b []byte) {
	defer func() {
		if v := recover(); v != nil {
			p.s.log.Error("panic", slog.String("value", fmt.Sprint(v)), slog.String("stack", string(debug.Stack())))
			b = appendRPCError(nil, m.id, &rpcError{code: rpcInternal, message: (&tool.Error{}).Sentence()})
		}
	}()
	return one(m)
}
