package serve

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// console is the word for a command line in the call log.
const console Protocol = "cli"

// InvokeHandler calls the newest version of a tool of handler, which is one of
// [NewHandler] or wraps one ([Wrap]), as a command line does: the tools, limits and log are those of
// the handler, and what it refuses to serve cannot be called. Who starts the
// program is its caller, so the authenticator of the handler is not asked;
// [tool.WithPrincipal] puts into ctx who that is, [tool.WithInvocation] an idempotency key.
// The result holds the outputs of
// the version; nil JSON means null. The error is an *Error, unless there is no such
// handler.
func InvokeHandler(ctx context.Context, handler http.Handler, name string, args tool.Args) (tool.Result, error) {
	s, err := unwrap(handler)
	if err != nil {
		return nil, err
	}
	at, ok := slices.BinarySearchFunc(s.tools.tools, name, func(t *servedTool, wanted string) int { return strings.Compare(t.Name, wanted) })
	if !ok {
		return nil, &tool.Error{Kind: tool.KindUnknownTool, Message: "There is no tool " + tool.Quote(name) + "."}
	}
	t := s.tools.tools[at]
	j := job{tool: t, version: t.current(), protocol: console, principal: tool.CallerOf(ctx), start: time.Now()}
	j.inputs = tool.InputsOf(j.version.Inputs, args)
	j.inv.CallID, j.inv.IdempotencyKey = newCallID(), tool.InvocationOf(ctx).IdempotencyKey
	out := s.call(ctx, "", &j)
	if out.err != nil {
		return nil, out.err
	}
	return project(j.version.Outputs, out.result), nil
}
