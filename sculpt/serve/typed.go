package serve

import (
	"context"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// InvokeTyped runs a typed chain in process with the validation, defaults, deadline,
// idempotency key and error mapping of [Invoke]. Generated methods are one call of
// it.
func InvokeTyped[T any](ctx context.Context, window *tool.Window, table *tool.Tool, args tool.Args, chain func(context.Context, tool.Args) (T, error)) (T, error) {
	// There is one of this function for each tool of a package, so it is short.
	answer, err := invokeTyped(ctx, window, table, args, func(ctx context.Context, args tool.Args) (any, error) { return chain(ctx, args) })
	out, _ := answer.(T)
	return out, err
}

// invokeTyped is InvokeTyped without the type; with an error there is no answer.
func invokeTyped(ctx context.Context, window *tool.Window, table *tool.Tool, args tool.Args, chain func(context.Context, tool.Args) (any, error)) (any, error) {
	var out any
	t := *table
	t.Call = func(ctx context.Context, args tool.Args) (_ tool.Result, err error) {
		out, err = chain(ctx, args)
		return nil, err
	}
	j, fault := inside(ctx, &tool.Toolset{Tools: []tool.Tool{t}, Window: window}, t.Name, 0)
	if fault != nil {
		return nil, fault
	}
	j.typed = true
	ended := j.invoke(ctx, args, func() any { return out })
	if ended.err != nil {
		return nil, ended.err
	}
	return ended.typed, nil
}
