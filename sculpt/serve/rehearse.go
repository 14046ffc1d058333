package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"time"
)

// StandIn returns a caller who has all that the tools of a set want, for
// rehearsals and previews where nothing is sent. Every value is different, so
// that it is hidden wherever it shows up.
func StandIn(set Toolset) *Principal {
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

// rehearsal is the same call every time: requests may hold its id and time.
var rehearsal = Invocation{
	CallID: "00000000-0000-4000-8000-000000000000", IdempotencyKey: "rehearsal", Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
}

// Rehearse calls one version of a tool for a [StandIn] and returns what came of
// it as JSON: {"outputs":{...}} with the outputs of that version in their
// order, or {"error":{...}} with kind, code and message. The inputs are a JSON
// object. An error means that there is no answer to compare with others: a
// request without a recorded answer, a fault of the server itself.
func Rehearse(ctx context.Context, set Toolset, tool string, version int, inputs []byte) ([]byte, error) {
	args, err := rehearsedArgs(inputs)
	if err != nil {
		return nil, err
	}
	set.Window = &Window{} // what was rehearsed before is another call
	ctx = WithInvocation(WithPrincipal(ctx, StandIn(set)), &rehearsal)
	result, err := Invoke(ctx, set, tool, version, args)
	if none := (*NoExchangeError)(nil); errors.As(err, &none) {
		return nil, none
	}
	fault := (*Error)(nil)
	switch {
	case err == nil:
		return append(result.AppendJSON([]byte(`{"outputs":`)), '}'), nil
	case !errors.As(err, &fault), fault.Kind == Internal, fault.Kind == UnknownVersion, fault.Kind == UnknownTool:
		return nil, err
	}
	return json.Marshal(map[string]any{"error": struct {
		Kind    string `json:"kind"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}{fault.Kind.String(), fault.Code, fault.Message}})
}

func rehearsedArgs(inputs []byte) (Args, error) {
	d := json.NewDecoder(bytes.NewReader(inputs))
	d.UseNumber()
	args := Args{}
	if err := d.Decode(&args); err != nil {
		return nil, fmt.Errorf("the inputs are no JSON object: %w", err)
	}
	for name, v := range args {
		n, isNumber := v.(json.Number)
		if !isNumber {
			continue
		}
		i, err := n.Int64()
		if err != nil {
			return nil, fmt.Errorf("input %s: %s is no integer", name, n)
		}
		args[name] = i
	}
	return args, nil
}

// ReplayFirst is [Replay] over some exchanges; requests that none of them
// answers are answered from fsys.
func ReplayFirst(exchanges []json.RawMessage, fsys fs.FS) (http.RoundTripper, error) {
	otherwise, err := Replay(fsys)
	if err != nil {
		return nil, err
	}
	r := &replayer{answers: map[string][]*ExchangeResponse{}, near: map[string]string{}}
	for i, data := range exchanges {
		if err := r.add(data); err != nil {
			return nil, fmt.Errorf("exchange %d: %w", i+1, err)
		}
	}
	return &replayFirst{r, otherwise}, nil
}

type replayFirst struct {
	first     *replayer
	otherwise http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r *replayFirst) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.first.RoundTrip(req)
	if none := (*NoExchangeError)(nil); errors.As(err, &none) {
		return r.otherwise.RoundTrip(req)
	}
	return resp, err
}
