package serve

import "context"

// Direct runs a typed chain in process with the validation, defaults, deadline,
// idempotency key and error mapping of [Invoke]. Generated methods are one call of
// it.
func Direct[T any](ctx context.Context, window *Window, tool Tool, args Args, chain func(context.Context, Args) (T, error)) (T, error) {
	var out, none T
	tool.Call = func(ctx context.Context, args Args) (_ Result, err error) {
		out, err = chain(ctx, args)
		return nil, err
	}
	j, fault := inside(ctx, &Toolset{Tools: []Tool{tool}, Window: window}, tool.Name, 0)
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
