package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/bench/fixture"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// An oxpClient sends what the Go client of OXP 1.0 sends, and reads what it
// reads: a body {} with GET /tools, no $schema, tools from "items" alone, two
// more tries after a broken connection, 408, 409, 429 and 5xx.
type oxpClient struct {
	url, token string
	http       http.Client
	sent       int
}

// What the client reads of the documents of OXP 1.0; values stay raw.
type (
	oxpTool struct {
		ID, Name, Description, Version string
		InputSchema                    map[string]any  `json:"input_schema"`
		OutputSchema                   json.RawMessage `json:"output_schema"`
		Requirements                   struct {
			Authorization, Secrets []struct{ ID string }
			UserID                 bool `json:"user_id"`
		}
	}
	oxpCall struct {
		CallID  string         `json:"call_id,omitempty"`
		TraceID string         `json:"trace_id,omitempty"`
		ToolID  string         `json:"tool_id"`
		Input   map[string]any `json:"input,omitempty"`
		Context *oxpContext    `json:"context,omitempty"`
	}
	oxpContext struct {
		Authorization []oxpToken  `json:"authorization,omitempty"`
		Secrets       []oxpSecret `json:"secrets,omitempty"`
		UserID        string      `json:"user_id,omitempty"`
	}
	oxpToken struct {
		ID    string `json:"id"`
		Token string `json:"token"`
	}
	oxpSecret struct {
		ID    string `json:"id"`
		Value string `json:"value"`
	}
	oxpResult struct {
		CallID   string   `json:"call_id"`
		Duration *float64 `json:"duration"`
		Success  *bool    `json:"success"`
		Value    json.RawMessage
		Error    *struct {
			Message  string
			CanRetry bool `json:"can_retry"`
		}
	}
)

// An oxpError is any answer that is not one of success.
type oxpError struct {
	status          int
	Message         string
	ParameterErrors map[string]string `json:"parameter_errors"`
	Missing         struct {
		Authorization []struct{ ID, URL string }
		UserID        bool `json:"user_id"`
	} `json:"missing_requirements"`
}

// Error says all that callers are told.
func (e *oxpError) Error() string {
	return fmt.Sprint(e.status, " ", e.Message, " ", e.ParameterErrors, " ", e.Missing)
}

func (c *oxpClient) do(ctx context.Context, method, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		r, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(data))
		if err != nil {
			return err
		}
		r.Header.Set("Accept", "application/json")
		r.Header.Set("X-Stainless-Retry-Count", fmt.Sprint(try))
		if body == nil {
			r.Body, r.ContentLength = nil, 0
		} else {
			r.Header.Set("Content-Type", "application/json")
		}
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		c.sent++
		answer, err := c.http.Do(r)
		if again := err != nil || slices.Contains([]int{408, 409, 429}, answer.StatusCode) || answer.StatusCode >= 500; again && try < 2 {
			continue // at once: how long it waits is of no interest here
		}
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		return read(answer, into)
	}
}

func read(answer *http.Response, into any) error {
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode >= 400 {
		e := &oxpError{status: answer.StatusCode}
		return errors.Join(e, json.Unmarshal(text, e))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

func (c *oxpClient) list(ctx context.Context) ([]oxpTool, error) {
	var out struct{ Items []oxpTool }
	err := c.do(ctx, "GET", "/tools", struct{}{}, &out)
	return out.Items, err
}

func (c *oxpClient) call(ctx context.Context, call oxpCall) (*oxpResult, error) {
	var out struct{ Result oxpResult }
	err := c.do(ctx, "POST", "/tools/call", map[string]any{"request": call}, &out)
	return &out.Result, err
}

// served starts a server on the loopback and returns a client of it.
func served(t *testing.T, sets []tool.Toolset, options ...serve.Option) *oxpClient {
	t.Helper()
	h, err := serve.NewHandler(sets, append(options, serve.WithUnreleased(), serve.WithProtocols(serve.ProtocolOTC))...)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &oxpClient{url: server.URL + "/otc"}
}

func fixtures(t *testing.T) []tool.Toolset {
	t.Helper()
	tools, err := fixture.New(fixture.Config{Backend: upstream.API{Handler: fixture.Backend()}})
	if err != nil {
		t.Fatal(err)
	}
	return []tool.Toolset{tools.Toolset()}
}

var (
	oxpID      = regexp.MustCompile(`^[A-Za-z0-9_]+\.[A-Za-z0-9_]+@[0-9]+\.[0-9]+\.[0-9]+$`)
	oxpName    = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	oxpVersion = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
)

// TestOXPClientLists: the client finds the tools in both shapes that have
// items, and none in that of OTC 1.0, which is why the dual one is the default.
func TestOXPClientLists(t *testing.T) {
	for shape, want := range map[serve.OTCShape]int{serve.OTCShapeDual: 3, serve.OTCShapeOXP10: 3, serve.OTCShape10: 0} {
		c := served(t, fixtures(t), serve.WithOTCShape(shape))
		if err := c.do(t.Context(), "GET", "/health", nil, nil); err != nil {
			t.Errorf("shape %d: %v", shape, err)
		}
		tools, err := c.list(t.Context())
		if err != nil || len(tools) != want || c.sent != 2 {
			t.Errorf("shape %d: %d tools, %d requests, %v", shape, len(tools), c.sent, err)
		}
		for _, one := range tools {
			if !oxpID.MatchString(one.ID) || !oxpName.MatchString(one.Name) || !oxpVersion.MatchString(one.Version) || one.Description == "" ||
				one.InputSchema["type"] != "object" || len(one.OutputSchema) == 0 || !strings.HasSuffix(one.ID, "@"+one.Version) {
				t.Errorf("shape %d: %+v", shape, one)
			}
			if one.Name == "test_custom_headers" {
				region, _ := one.InputSchema["properties"].(map[string]any)["region"].(map[string]any)
				if region["type"] != "string" || region["maxLength"] != 100.0 {
					t.Errorf("shape %d: region is %v", shape, region)
				}
			}
		}
	}
}

// TestOXPClientCalls: answers are read whole, what is wrong with a call is an
// error that names it, and nothing of that is asked twice.
func TestOXPClientCalls(t *testing.T) {
	c := served(t, fixtures(t))
	const echo = "Fixture.TestCustomHeaders"
	for _, k := range []struct {
		name string
		call oxpCall
		want string
	}{
		{"newest", oxpCall{ToolID: echo, Input: map[string]any{"region": "us", "priority": 4}}, `{"text":"priority=4&region=us"}`},
		{"major version", oxpCall{ToolID: echo + "@1", CallID: "mine", TraceID: "t", Input: map[string]any{"region": "ü", "priority": 4, "verbose": true}}, `{"text":"priority=4&region=%C3%BC&verbose=true"}`},
		{"version", oxpCall{ToolID: "Fixture.TestSimpleText@1.0.0"}, `{"text":"This is a simple text response for testing."}`},
		{"failed", oxpCall{ToolID: "Fixture.TestErrorHandling"}, "error: This tool intentionally returns an error for testing. false"},
		{"wrong inputs", oxpCall{ToolID: echo, Input: map[string]any{"region": 7}}, "422 Some input parameters are invalid map[priority:This parameter is required. region:Must be a string, but is a whole number.]"},
		{"no such tool", oxpCall{ToolID: "Fixture.Nothing"}, "400 There is no tool 'Fixture.Nothing'"},
		{"no such version", oxpCall{ToolID: echo + "@2.0.0", Input: map[string]any{}}, "400 Tool 'Fixture.TestCustomHeaders' has no version 2.0.0"},
		{"nonsense", oxpCall{ToolID: "not a tool"}, "400 T"},
	} {
		c.sent = 0
		got, err := c.call(t.Context(), k.call)
		said := told(got, err)
		if !strings.HasPrefix(said, k.want) || c.sent != 1 {
			t.Errorf("%s: %d requests: %s\nwant %s", k.name, c.sent, said, k.want)
		}
		if err == nil && (got.CallID == "" || k.call.CallID != "" && got.CallID != k.call.CallID || got.Duration == nil || *got.Duration < 0) {
			t.Errorf("%s: %+v", k.name, got)
		}
	}
}

// told is what the client knows of the end of a call.
func told(r *oxpResult, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case r.Success == nil, *r.Success == (r.Error != nil), *r.Success != (r.Value != nil):
		return fmt.Sprintf("neither success nor failure: %+v", r)
	case r.Error != nil:
		return fmt.Sprint("error: ", r.Error.Message, " ", r.Error.CanRetry)
	}
	return string(r.Value)
}

const orderDocument = `{"id":"Shop.Order@1.0.0","name":"order","description":"Orders a thing. This costs money.","version":"1.0.0",
"input_schema":{"type":"object","properties":{"thing":{"type":"string","description":"The thing.","minLength":1,"maxLength":9}},"required":["thing"],"additionalProperties":false,
"parameters":{"type":"object","properties":{"thing":{"type":"string","description":"The thing.","minLength":1,"maxLength":9}},"required":["thing"],"additionalProperties":false}},
"output_schema":{"type":"object","properties":{}},
"requirements":{"authorization":[{"id":"shop"}],"secrets":[{"id":"card"}],"user_id":true}}`

// TestOXPClientContext: what a tool needs of its caller arrives, what is missing
// is named, and an order whose answer got lost is not made again by the client
// that tries again.
func TestOXPClientContext(t *testing.T) {
	var orders atomic.Int32
	order := tool.Tool{
		ID: "0b8c8b2e-35a5-4c1c-a4ed-9a9cc8d0c3d1", Name: "order", ToolName: "Order", Effects: tool.Effects{Billable: true},
		Needs:    tool.Needs{UserID: true, Secrets: []string{"card"}, Tokens: []string{"shop"}},
		Versions: []tool.Version{{N: 1, Inputs: []tool.Param{{ID: "thing", Name: "thing", Type: tool.TypeString, Required: true, MinLength: 1, MaxLength: 9}}}},
		Call: func(ctx context.Context, _ tool.Args) (tool.Result, error) {
			orders.Add(1)
			if who := tool.CallerOf(ctx); who.UserID != "ada" || who.Tokens["shop"] != "of shop" || who.Secrets["card"] != "of card" {
				t.Errorf("the caller is %+v", who)
			}
			return nil, nil
		},
	}
	set := tool.Toolset{Handshake: tool.Handshake, Name: "Shop", Docs: fstest.MapFS{"otc/order.v1.json": {Data: []byte(orderDocument)}}, Tools: []tool.Tool{order}}
	c := served(t, []tool.Toolset{set}, serve.WithAuthenticator(serve.BearerTokens(map[string]tool.Principal{"key": {ID: "agent"}})))
	if _, err := c.list(t.Context()); err == nil || c.sent != 1 {
		t.Errorf("a list for anybody: %v after %d requests", err, c.sent)
	}
	c.token = "key"
	tools, err := c.list(t.Context())
	if err != nil || len(tools) != 1 || len(tools[0].Requirements.Authorization) != 1 || len(tools[0].Requirements.Secrets) != 1 || !tools[0].Requirements.UserID {
		t.Fatalf("%+v %v", tools, err)
	}
	call := oxpCall{ToolID: tools[0].ID, CallID: "one", Input: map[string]any{"thing": "cup"}}
	var refused *oxpError
	if _, err = c.call(t.Context(), call); !errors.As(err, &refused) || refused.status != 400 || !refused.Missing.UserID || len(refused.Missing.Authorization) != 1 {
		t.Errorf("without a context: %v", err)
	}
	call.Context = &oxpContext{[]oxpToken{{"shop", "of shop"}}, []oxpSecret{{"card", "of card"}}, "ada"}
	empty := call
	empty.CallID, empty.Input = "empty", map[string]any{"thing": ""}
	if _, err = c.call(t.Context(), empty); !errors.As(err, &refused) || refused.status != 422 || refused.ParameterErrors["thing"] != "Must have at least 1 character, but has 0." {
		t.Errorf("an empty text: %v", err)
	}
	c.sent, c.http.Transport = 0, &loser{}
	got, err := c.call(t.Context(), call)
	if told(got, err) != "{}" || got.CallID != "one" || c.sent != 2 || orders.Load() != 1 {
		t.Errorf("%s after %d requests and %d orders", told(got, err), c.sent, orders.Load())
	}
}

// A loser loses the first answer.
type loser struct{ lost bool }

// RoundTrip implements http.RoundTripper.
func (l *loser) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if l.lost || err != nil {
		return answer, err
	}
	l.lost = true
	return nil, errors.Join(answer.Body.Close(), errors.New("the connection is broken"))
}
