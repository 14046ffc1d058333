package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// rehearsal is the same call every time: requests may hold its id and time.
var rehearsal = tool.Invocation{
	CallID: "00000000-0000-4000-8000-000000000000", IdempotencyKey: "rehearsal", Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
}

// RunExample calls one version of a tool for a [tool.PreviewPrincipal] and returns what came of
// it as JSON: {"outputs":{...}} with the outputs of that version in their
// order, or {"error":{...}} with kind, code and message. The inputs are a JSON
// object. An error means that there is no answer to compare with others: a
// request without a recorded answer, a fault of the server itself.
func RunExample(ctx context.Context, set tool.Toolset, name string, version int, inputs []byte) ([]byte, error) {
	args, err := rehearsedArgs(inputs)
	if err != nil {
		return nil, err
	}
	set.Window = &tool.Window{} // what was rehearsed before is another call
	ctx = tool.WithInvocation(tool.WithPrincipal(ctx, tool.PreviewPrincipal(set)), &rehearsal)
	result, err := Invoke(ctx, set, name, version, args)
	if errors.Is(err, upstream.ErrNotRecorded) {
		for inner := errors.Unwrap(err); errors.Is(inner, upstream.ErrNotRecorded); inner = errors.Unwrap(inner) {
			err = inner // the request itself
		}
		return nil, err
	}
	fault := (*tool.Error)(nil)
	switch {
	case err == nil:
		return append(result.AppendJSON([]byte(`{"outputs":`)), '}'), nil
	case !errors.As(err, &fault), fault.Kind == tool.KindInternal, fault.Kind == tool.KindUnknownVersion, fault.Kind == tool.KindUnknownTool:
		return nil, err
	}
	return json.Marshal(map[string]any{"error": struct {
		Kind    string `json:"kind"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}{fault.Kind.String(), fault.Code, fault.Message}})
}

func rehearsedArgs(inputs []byte) (tool.Args, error) {
	d := json.NewDecoder(bytes.NewReader(inputs))
	d.UseNumber()
	args := tool.Args{}
	if err := d.Decode(&args); err != nil {
		return nil, fmt.Errorf("the inputs are not a JSON object: %w", err)
	}
	for name, v := range args {
		n, isNumber := v.(json.Number)
		if !isNumber {
			continue
		}
		i, err := n.Int64()
		if err != nil {
			return nil, fmt.Errorf("input %s: %s is not an integer", name, n)
		}
		args[name] = i
	}
	return args, nil
}
