package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestSchemas: which schemas the types of A2T cover, and what is read of the others.
func TestSchemas(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"type":"string"}`, "1 0 0 0 0 <nil> [] <nil> "}, {`{"type":"string","minLength":1,"maxLength":2,"pattern":"^a","default":"x","description":"D."}`, "1 1 2 0 0 ^a [] x D."},
		{`{"type":"string","pattern":"(?=x)","description":"D."}`, "5 0 0 0 0 <nil> [] <nil> D."}, {`{"type":"string","enum":["a","b"],"default":"b"}`, "4 0 0 0 0 <nil> [a b] b "},
		{`{"type":"string","enum":["a",1]}`, "5 0 0 0 0 <nil> [] <nil> "}, {`{"enum":["a"]}`, "5 0 0 0 0 <nil> [] <nil> "}, {`{"type":"integer","enum":[1]}`, "5 0 0 0 0 <nil> [] <nil> "},
		{`{"type":"boolean","default":true}`, "3 0 0 0 0 <nil> [] true "}, {`{"type":"integer"}`, "2 0 0 -9223372036854775808 9223372036854775807 <nil> [] <nil> "},
		{`{"type":"integer","minimum":-1,"maximum":10,"default":3}`, "2 0 0 -1 10 <nil> [] 3 "}, {`{"type":"integer","minimum":0.5}`, "5 0 0 0 0 <nil> [] <nil> "}, {`{"type":"integer","maximum":1e3}`, "5 0 0 0 0 <nil> [] <nil> "},
		{`{"type":"number"}`, "5 0 0 0 0 <nil> [] <nil> "}, {`{"type":["string"]}`, "5 0 0 0 0 <nil> [] <nil> "}, {`true`, "5 0 0 0 0 <nil> [] <nil> "}, {`{"type":"string","format":"date","description":"D."}`, "5 0 0 0 0 <nil> [] <nil> D."},
		{`{"type":"string","x-own":1,"title":"T","examples":[1],"example":1,"deprecated":true,"$comment":"c"}`, "1 0 0 0 0 <nil> [] <nil> "}, {`{"type":"integer","default":"x"}`, "2 0 0 -9223372036854775808 9223372036854775807 <nil> [] <nil> "},
	} {
		inputs, err := readInputs([]byte(`{"required":["b"],"properties":{"a":` + c.schema + `,"b":{}}}`))
		if err != nil || len(inputs) != 2 || inputs[0].Required || !inputs[1].Required || inputs[0].ID != "a" || inputs[0].Name != "a" || string(inputs[0].Schema) != c.schema {
			t.Fatalf("%s: %+v, %v", c.schema, inputs, err)
		}
		in := inputs[0]
		got := fmt.Sprint(int(in.Type), " ", in.MinLength, " ", in.MaxLength, " ", in.Min, " ", in.Max, " ", in.Pattern, " ", in.Values, " ", in.Default, " ", in.Description)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.schema, got, c.want)
		}
		outputs, err := readOutputs([]byte(`{"required":["b"],"properties":{"a":` + c.schema + `,"b":{}}}`))
		if err != nil || len(outputs) != 2 || !outputs[0].Optional || outputs[1].Optional || outputs[0].Type != in.Type || outputs[0].Description != in.Description || outputs[0].ID != "a" || outputs[0].Name != "a" {
			t.Errorf("%s: %+v, %v", c.schema, outputs, err)
		}
	}
	for schema, want := range map[string]string{
		``: "<nil>", `null`: "<nil>", `{}`: "<nil>", `{"properties":{"a":{},"a":{}}}`: `there are two members "a"`, `{"properties":[]}`: "it is not an object", `[]`: "json: cannot unmarshal array into Go value of type client.objectSchema",
	} {
		inputs, err := readInputs([]byte(schema))
		outputs, again := readOutputs([]byte(schema))
		if inputs != nil || outputs != nil || fmt.Sprint(err) != want || fmt.Sprint(again) != want {
			t.Errorf("%s: %v, %v, %v", schema, inputs, err, again)
		}
	}
}

// TestStatusesOfMCP: what a server of MCP answers beside its messages.
func TestStatusesOfMCP(t *testing.T) {
	const message = `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","tools":[]}}`
	for _, c := range []struct {
		status           int
		media, body, say string
		requests         int
	}{
		{200, "application/json", message, "<nil> bad_request ", 4}, {404, "application/json", message, "<nil> bad_request ", 4}, {401, "application/json", message, "client: The server answered with status 401. (status 401) unauthorized WWW", 1},
		{403, "text/html", "<p>", "client: The server answered with status 403. (status 403) forbidden ", 1}, {500, "text/html", "<p>", "client: The server answered with status 500. (status 500) internal ", 2},
		{200, "text/html", "<p>", "client: The answer is not one of MCP.: invalid character '<' looking for beginning of value (status 200) bad_backend ", 2},
		{404, "application/json", `{"jsonrpc":"2.0","error":{"code":-32601,"message":"No."}}`, "client: No. (status 404) bad_request ", 2}, {0, "", "", "client: The server cannot be reached.: Post \"https://tools.example/mcp\": broken unavailable ", 1},
		{200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\r\n\r\ndata:" + message + "\r\n\r\n", "<nil> bad_request ", 4},
	} {
		n := 0
		server, err := New(ProtocolMCP, "https://tools.example/mcp", WithHTTPClient(&http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if n++; c.status == 0 {
				return nil, errors.New("broken")
			}
			raw, _ := io.ReadAll(r.Body)
			_, id, _ := strings.Cut(string(raw), `"id":`)
			id, _, _ = strings.Cut(id, ",")
			if r.Header.Get("Accept") != "application/json, text/event-stream" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%v", r.Header)
			}
			h := http.Header{"Content-Type": {c.media}, "Www-Authenticate": {"WWW"}}
			return &http.Response{StatusCode: c.status, Header: h, Body: io.NopCloser(strings.NewReader(strings.ReplaceAll(c.body, "%s", id))), Request: r}, nil
		})}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = server.Tools(t.Context())
		kind, challenge := tool.KindBadRequest, ""
		if e, ok := errors.AsType[*Error](err); ok {
			kind, challenge = e.Fault.Kind, e.Challenge
		}
		if got := fmt.Sprint(err, " ", kind, " ", challenge); got != c.say || n != c.requests {
			t.Errorf("%d %s: %s after %d requests, want %s after %d", c.status, c.body, got, n, c.say, c.requests)
		}
	}
}

// TestEndlessLists: a list ends, whatever the server does.
func TestEndlessLists(t *testing.T) {
	for _, c := range []struct {
		p       Protocol
		cursors int
		want    string
		pages   int
	}{
		{ProtocolA2T, 1, "The list goes in a circle: a page names a cursor that was read before.", 2}, {ProtocolMCP, 2, "The list goes in a circle: a page names a cursor that was read before.", 4},
		{ProtocolA2T, mostPages, "The list does not end: 10 pages in a row have no tool.", mostEmpty}, {ProtocolMCP, mostPages, "The list does not end: 10 pages in a row have no tool.", mostEmpty + 1},
	} {
		n := 0
		server, err := New(c.p, "https://tools.example", WithHTTPClient(&http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			n++
			body := fmt.Sprintf(`{"items":[],"paging":{"next":"%d"}}`, n%c.cursors)
			if c.p == ProtocolMCP {
				body = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"supportedVersions":["2026-07-28"],"tools":[],"nextCursor":"%d"}}`, n, n%c.cursors)
			}
			return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})}))
		if err != nil {
			t.Fatal(err)
		}
		tools, err := server.Tools(t.Context())
		e, ok := errors.AsType[*Error](err)
		if !ok || tools != nil || e.Fault.Kind != tool.KindBadBackend || e.Status != 200 || e.Fault.Message != c.want || n != c.pages {
			t.Errorf("%s: %v after %d requests, want %s after %d", c.p, err, n, c.want, c.pages)
		}
	}
}
