package serve

import (
	"context"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// InvokeTyped runs a typed chain in process with the validation, defaults, deadline,
// idempotency key and error mapping of [Invoke]. Generated methods are one call of
// it.
func InvokeTyped[T any](ctx context.Context, window *tool.Window, table tool.Tool, args tool.Args, chain func(context.Context, tool.Args) (T, error)) (T, error) {
	var out, none T
	table.Call = func(ctx context.Context, args tool.Args) (_ tool.Result, err error) {
		out, err = chain(ctx, args)
		return nil, err
	}
	j, fault := inside(ctx, &tool.Toolset{Tools: []tool.Tool{table}, Window: window}, table.Name, 0)
	if fault != nil {
		return none, fault
	}
	j.typed = true
	ended := j.invoke(ctx, args, func() any { return out })
	if ended.err != nil {
		return none, ended.err
	}
	v, _ := ended.typed.(T)
	return v, nil
}
