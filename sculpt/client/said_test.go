package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// told is all of an outcome: what was read, or all that is known of what was not.
func told(v any, err error) string {
	e, failed := errors.AsType[*Error](err)
	if !failed {
		raw, _ := json.Marshal(v)
		return fmt.Sprintf("%s %v", raw, err)
	}
	f := *e.Fault
	text := fmt.Sprintf("%v\n  status %d local %v said %d attempts %d, kind %v code %q retryable %v after %v", err, e.Status, e.Local, e.said, e.Attempts, f.Kind, f.Code, f.Retryable, f.RetryAfter)
	text += fmt.Sprintf("\n  message %q hint %q developer %q done %q cause %v", f.Message, f.Hint, f.Developer, f.EffectsDone, f.Err)
	text += fmt.Sprintf("\n  issues %+v challenge %q metadata %q", f.Issues, e.Challenge, e.Metadata)
	if e.Missing != nil {
		text += fmt.Sprintf(" missing %+v", *e.Missing)
	}
	return text
}

// seen is what was read of a tool.
func seen(tools ...*Tool) string {
	var b strings.Builder
	for _, t := range tools {
		if t == nil {
			continue
		}
		one := *t
		one.Document = nil
		for i := range one.Inputs {
			if p := one.Inputs[i].Pattern; p != nil {
				fmt.Fprintf(&b, "pattern %s ", p)
			}
		}
		raw, err := json.Marshal(&one)
		fmt.Fprintf(&b, "%s %v effects %+v needs %+v broken %v; ", raw, err, t.Effects, t.Needs, t.Broken)
	}
	return b.String()
}

// An asking is one question to a server that answers in one way.
type asking struct {
	p            Protocol
	what         string
	status       int
	header, body string
}

const signature1 = `"toolId":"T","name":"look","description":"Looks.","version":2,"currentVersion":3`

var askings = func() []asking {
	var all []asking
	add := func(p Protocol, what, body string) { all = append(all, asking{p, what, 200, "", body}) }
	for _, body := range []string{`[`, `{"items":7}`, `{"items":[{` + signature1 + `,"tags":["a"]}],"paging":{}}`, `{"items":[{` + signature1 + `,"tags":["a","b"]},{"name":"x"},{"toolId":"U","name":"u","version":"1"}],"paging":{"next":""}}`} {
		add(ProtocolA2T, "tools", body)
		add(ProtocolA2T, "tagged", body)
	}
	for _, more := range []string{
		``, `,"toolId":"U"`, `,"toolId":"","toolID":"T"`, `,"toolId":""`, `,"name":""`, `,"version":0`, `,"version":2147483648`, `,"version":"2"`, `,"version":"x"`, `,"currentVersion":-1`, `,"currentVersion":2147483648`,
		`,"deprecated":{"since":"2026-01-01","sunset":"2027-01-01","use":"V"}`, `,"deprecated":true`, `,"img":"i","effects":{"read_only":true,"irreversible":true}`, `,"effects":{"idempotent":true,"destructive":true,"billable":true}`,
		`,"input_parameters":[{"id":"i","name":"a"},{"name":"a"}]`, `,"input_parameters":[{"id":"i"}]`, `,"input_parameters":[{"name":"a","type":"enum"}]`, `,"input_parameters":[{"name":"a","type":"NUMBER","required":false,"default":1}]`,
		`,"input_parameters":[{"name":"a","type":"Int","min":1,"max":"9","default":3},{"name":"b","type":"integer","default":"x"},{"name":"c","type":"bool","default":true},{"name":"d","type":"boolean","default":1.5}]`,
		`,"input_parameters":[{"name":"a","minLength":1,"maxLength":2,"pattern":"^a$","default":"x"},{"name":"b","pattern":"(?=x)","default":null},{"name":"c","type":"json","default":{}}]`,
		`,"input_parameters":[{"name":"a","type":"enum","allowed-values":[{"name":"X","description":"Ex."},{"name":"Y"}],"default":"X"},{"name":"b","type":"enum","allowed_values":["P","Q"]},{"name":"c","type":"enum","allowed-values":{"B":"Bee.","A":""}},{"name":"d","type":"enum","allowed-values":{"values":["R"]}}]`,
		`,"input_parameters":[{"name":"a","type":"enum","allowed-values":7}]`, `,"output_parameters":[{"id":"o","name":"out","type":"enum","description":"O.","required":false,"allowed-values":["A"],"allowed_values":["B"]},{"name":"p","type":"float"},{"name":"q"}]`,
	} {
		add(ProtocolA2T, "tool", `{`+signature1+more+`}`)
	}
	add(ProtocolA2T, "version", `{`+signature1+`}`)
	add(ProtocolA2T, "version 3", `{`+signature1+`}`)
	add(ProtocolA2T, "versions", `{"items":[{`+signature1+`}]}`)
	for _, body := range []string{`{"output_parameters":[{"name":"a","value":1},{"name":"b","value":null},{"name":"c"}]}`, `{"output_parameters":[]}`, `{"output_parameters":{}}`, `{}`, `[`} {
		add(ProtocolA2T, "invoke", body)
	}
	for _, body := range []string{`{}`, `{"items":{}}`, `[]`, `{"tools":[]}`, `7`} {
		add(ProtocolOTC, "tools", body)
	}
	definition := func(more string) string {
		return `[{"id":"Kit.Look@2.0.0","name":"look","description":"Looks.","version":"2.0.0"` + more + `},{"id":"Kit.Look@10.1.0","name":"look"},{"id":"Kit.Other"},{"id":"Kit.None","name":"none","version":"x"}]`
	}
	for _, more := range []string{``, `,"input_schema":{"parameters":{"type":"object","properties":{"a":{"type":"string"}}}}`, `,"input_schema":[]`, `,"output_schema":[]`, `,"tags":["a","b"],"effects":{"read_only":true}`,
		`,"requirements":{"user_id":true,"authorization":[{"id":"hub"}],"secrets":[{"id":"PIN"}]}`} {
		for _, what := range []string{"tools", "tagged", "tool", "version", "version 10", "version 7", "versions"} {
			if more == `` || what == "tools" || what == "tagged" {
				add(ProtocolOTC, what, definition(more))
			}
		}
	}
	add(ProtocolOXP, "tool", `{"items":[]}`)
	for _, body := range []string{`{"result":{"call_id":"c","success":true,"value":{"a":1}}}`, `{"call_id":"c","success":true,"value":null}`, `{"success":true,"value":7}`, `{"result":{}}`, `{"result":{"success":false}}`, `[`, `7`,
		`{"result":{"success":true,"value":{"a":1,"a":2}}}`, `{"result":{"success":false,"error":{"message":"M.","developer_message":"D.","additional_prompt_content":"H.","code":"c","effects_done":["e"],"can_retry":true}}}`,
		`{"result":{"success":false,"error":{"message":"M.","retry_after_ms":-1}}}`} {
		add(ProtocolOTC, "invoke", body)
	}
	for _, status := range []int{400, 401, 403, 422, 500, 503} {
		for _, body := range []string{`{"message":"M.","developer_message":"D.","parameter_errors":{"b":"B.","a":"A."},"missing_requirements":{"user_id":true,"authorization":[{"id":"hub","url":"https://hub.example"}],"secrets":[{"id":"PIN"}]}}`, `<html>`} {
			all = append(all, asking{ProtocolOTC, "once", status, `WWW-Authenticate: Bearer realm="x", resource_metadata="https://r.example"`, body})
		}
	}
	for _, status := range []int{302, 400, 401, 403, 404, 409, 410, 418, 422, 429, 500, 502, 503, 504, 599} {
		for _, body := range []string{`{}`, `{"title":"T.","detail":"D.","code":"no_result","reason":"r","hint":"H.","retryable":false,"effects_done":["e"],"errors":[{"parameter":"a","id":"i","code":"type","detail":"X.","allowed":["A"]}]}`, `{"title":"T.","code":"c","retryable":true,"retry_after_ms":7}`, `x`} {
			all = append(all, asking{ProtocolA2T, "once", status, "Retry-After: 2", body})
		}
	}
	for _, header := range []string{"Content-Type: text/html", "Content-Type: application/problem+json", "Retry-After: -1", "Retry-After: 1048577", "Retry-After: 1048576"} {
		all = append(all, asking{ProtocolA2T, "once", 503, header, `{}`}, asking{ProtocolA2T, "tool", 200, header, `{` + signature1 + `}`})
	}
	all = append(all, asking{ProtocolA2T, "tool", 200, "Sunset: Wed, 01 Sep 2027 00:00:00 GMT", `{` + signature1 + `}`}, asking{ProtocolA2T, "tool", 200, "Deprecation: @1803859200", `{` + signature1 + `}`})
	return all
}()

// ask asks a server and tells all that comes of it, and what was sent.
func (a *asking) ask(t *testing.T) string {
	s := &stub{status: a.status, header: a.header, body: a.body}
	server := s.server(t, a.p, WithAttempts(1))
	id := "Kit.Look"
	if a.p == ProtocolA2T {
		id = "T"
	}
	outcome := of(t, server, id, a.what)
	for i, r := range s.sent {
		outcome = fmt.Sprintf("%s %s %s\n", r.Method, r.URL, s.bodies[i]) + outcome
	}
	return outcome
}

// of tells all that comes of one question.
func of(t *testing.T, server *Server, id, what string) string {
	t.Helper()
	look := &Tool{ID: "Kit.Look", Name: "look", Version: 2, Document: []byte(`{}`)}
	var outcome string
	one := func(t *Tool, err error) { outcome = seen(t) + told(nil, err) }
	list := func(tools []*Tool, err error) { outcome = seen(tools...) + told(nil, err) }
	switch word, n, _ := strings.Cut(what, " "); word {
	case "tools":
		list(server.Tools(t.Context()))
	case "tagged":
		list(server.Tools(t.Context(), "b", "a"))
	case "tool":
		one(server.Tool(t.Context(), id))
	case "version":
		number := map[string]int{"": 2, "3": 3, "7": 7, "10": 10}[n]
		one(server.Version(t.Context(), id, number))
	case "versions":
		list(server.Versions(t.Context(), id))
	default:
		r, err := server.Invoke(t.Context(), look, Call{Key: "k", Traceparent: "00-t", Caller: Caller{UserID: "u", Tokens: map[string]string{"hub": "t"}, Secrets: map[string]string{"PIN": "1"}}})
		outcome = told(r, err)
	}
	return outcome
}

// TestSaid holds the whole of what becomes of each answer of a server.
func TestSaid(t *testing.T) {
	var b strings.Builder
	for _, a := range askings {
		fmt.Fprintf(&b, "== %s %s: %d %s %s\n%s\n", a.p, a.what, a.status, a.header, a.body, a.ask(t))
	}
	golden.Text(t, "testdata/said.txt", b.String())
}

// An mcpAsking is a question to a server of MCP that answers each method with the
// members of one message.
type mcpAsking struct{ what, discover, answer string }

const discovered = `"result":{"supportedVersions":["2026-07-28"]}`

var mcpAskings = []mcpAsking{
	{"tools", discovered, `"result":{"tools":[{"name":"a","title":"T","description":"D.","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}},"outputSchema":{"type":"object","properties":{"y":{"type":"integer"}}},"annotations":{"readOnlyHint":true,"idempotentHint":true}},{"title":"x"},{"name":"b","annotations":{}},{"name":"c","annotations":{"destructiveHint":false}},{"name":"d","inputSchema":[]},{"name":"e","outputSchema":[]},7]}`},
	{"tagged", discovered, ``}, {"tools", discovered, `"result":{"tools":[],"nextCursor":"again"}`}, {"tools", discovered, `"result":7`}, {"tools", discovered, `"error":{"code":-32602,"message":"Bad."}`}, {"tools", discovered, `"error":{"code":-32601,"message":"No."}`}, {"tools", discovered, `"x":1`},
	{"tool", discovered, `"result":{"tools":[{"name":"look"},{"name":"other"}]}`}, {"tool", discovered, `"result":{"tools":[{"name":"other"}]}`}, {"versions", discovered, `"result":{"tools":[{"name":"look"}]}`}, {"versions", discovered, `"result":{"tools":[]}`}, {"version", discovered, ``},
	{"invoke", discovered, `"result":{"content":[{"type":"text","text":"A"},{"type":"image","text":"x"},{"type":"text","text":"B"}],"structuredContent":{"a":1}}`}, {"invoke", discovered, `"result":{"isError":true,"content":[{"type":"text","text":"No."}]}`},
	{"invoke", discovered, `"result":{"structuredContent":{"a":1,"a":2}}`}, {"invoke", discovered, `"result":{}`}, {"tools", `"error":{"code":-32601,"message":"No."}`, `"result":{"protocolVersion":"2025-06-18","tools":[{"name":"a"}]}`},
	{"tools", `"result":{"supportedVersions":["2027-01-01"]}`, `"result":{"protocolVersion":""}`}, {"tools", `"result":7`, `"error":{"code":1,"message":"Not here."}`},
}

// TestSaidOfMCP does the same for MCP, with what was sent.
func TestSaidOfMCP(t *testing.T) {
	var b strings.Builder
	for _, a := range mcpAskings {
		fmt.Fprintf(&b, "== %s: %s, %s\n", a.what, a.discover, a.answer)
		answers := roundTripper(func(r *http.Request) (*http.Response, error) {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			raw, err := io.ReadAll(r.Body)
			if err == nil {
				err = json.Unmarshal(raw, &m)
			}
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%s %s %q %q\n", r.Method, raw, r.Header["Mcp-Method"], r.Header["Mcp-Name"])
			members := a.answer
			if m.Method == "server/discover" {
				members = a.discover
			}
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, members)
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})
		server, err := New(ProtocolMCP, "https://tools.example/mcp", WithAttempts(1), WithHTTPClient(&http.Client{Transport: answers}))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", of(t, server, "look", a.what))
	}
	golden.Text(t, "testdata/mcp.txt", b.String())
}

// TestOptions has the whole text of each option and address that is refused.
func TestOptions(t *testing.T) {
	for _, c := range []struct {
		p       Protocol
		address string
		option  Option
		want    string
	}{
		{ProtocolA2T, "https://a.example/x/", WithAttempts(1), "<nil> https://a.example/x"}, {ProtocolMCP, "http://a.example/?q", WithAttempts(10), "<nil> http://a.example?q"}, {ProtocolA2T, "https://a.example", WithLimit(1), "<nil> https://a.example"},
		{ProtocolA2T, "https://a.example", WithAttempts(0), "client: 0 attempts are not from 1 to 10"}, {ProtocolA2T, "https://a.example", WithAttempts(11), "client: 11 attempts are not from 1 to 10"},
		{ProtocolA2T, "https://a.example", WithLimit(0), "client: a limit of 0 bytes reads nothing"}, {ProtocolA2T, "https://a.example", WithHTTPClient(nil), "client: WithHTTPClient wants a client"},
		{"soap", "https://a.example", nil, `client: there is no protocol "soap"`}, {ProtocolOTC, "https://a.example?q", nil, `client: the address of otc has no query, but "https://a.example?q" has`},
		{ProtocolA2T, "ftp://a.example", nil, `client: "ftp://a.example" is not the address of a server: write https://host/path`}, {ProtocolA2T, "https://u@a.example", nil, `client: "https://u@a.example" is not the address of a server: write https://host/path`},
		{ProtocolA2T, "https://a.example#f", nil, `client: "https://a.example#f" is not the address of a server: write https://host/path`}, {ProtocolA2T, "https:///x", nil, `client: "https:///x" is not the address of a server: write https://host/path`},
		{ProtocolA2T, "https://%", nil, `client: "https://%" is not the address of a server: write https://host/path`},
	} {
		options := slices.DeleteFunc([]Option{c.option}, func(o Option) bool { return o == nil })
		s, err := New(c.p, c.address, options...)
		got := fmt.Sprint(err)
		if err == nil {
			got += " " + s.Address()
			if s.Protocol() != c.p {
				t.Errorf("it speaks %s", s.Protocol())
			}
		} else if s != nil {
			t.Errorf("%s: a server beside %v", c.address, err)
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestHeaders: what goes along with each request, and what cannot be had.
func TestHeaders(t *testing.T) {
	s := &stub{status: 200, body: `{"items":[]}`}
	if _, err := s.server(t, ProtocolA2T, WithBearer("t0k")).Tools(t.Context(), "a b"); err != nil {
		t.Fatal(err)
	}
	if r := s.sent[0]; r.Header.Get("Authorization") != "Bearer t0k" || r.Header.Get("Accept") != "application/json" || r.Header.Get("Content-Type") != "" || r.URL.String() != "https://tools.example/root/tools?tag=a+b" {
		t.Errorf("%s %v", r.URL, r.Header)
	}
	_, err := s.server(t, ProtocolA2T, WithHeader(func(_ context.Context, _ http.Header) error { return errors.New("locked") })).Tools(t.Context())
	if e, ok := errors.AsType[*Error](err); !ok || !e.Local || e.Fault.Kind != tool.KindUnauthorized || e.Fault.Message != "The credentials cannot be had." || e.Fault.Err.Error() != "locked" {
		t.Errorf("%+v", err)
	}
	if _, err = s.server(t, ProtocolA2T, WithLimit(11)).Tools(t.Context()); err == nil || !strings.Contains(err.Error(), "The list has more than 11 bytes.") {
		t.Errorf("%v", err)
	}
	if _, err = s.server(t, ProtocolA2T, WithLimit(12)).Tools(t.Context()); err != nil {
		t.Errorf("%v", err)
	}
}
