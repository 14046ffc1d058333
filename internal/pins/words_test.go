package pins_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// inWords is all of some findings.
func inWords(list diag.List) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "  %s-%d:%d %s[%s] %s %s v%d: %s (%s)\n", f.Span, f.Span.End.Line, f.Span.End.Col, f.Severity, f.Rule, f.Place, f.Tool, f.Version, f.Message, f.Fix)
	}
	return b.String()
}

// TestFilesInWords holds what is said of files that somebody edited.
func TestFilesInWords(t *testing.T) {
	f := pins.NewFile("a.pins.yaml")
	if _, _, err := f.Put("me", &pins.Provider{Name: "own", Protocol: "mcp", URL: "https://own.example/mcp"}, kept(t, "mcp", `{"name":"find","description":"Finds.","inputSchema":{"type":"object"}}`)); err != nil {
		t.Fatal(err)
	}
	text, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.Write(text)
	for _, edit := range [][2]string{
		{"", ""}, {"pins: 1", "pins: 2"}, {"pins: 1\n", ""}, {"policy: confirm", "policy: always"}, {"policy: confirm", "policy: alowed"}, {"policy: confirm", "policy: denied"}, {"wait: 30s", "wait: soon"}, {"wait: 30s", "wait: 0s"}, {"wait: 30s", "wait: 1ms"}, {"wait: 30s", "waits: 30s"}, {"wait: 30s", "text: ''"},
		{"wait: 30s", "wait: 30s\n      wait: 20s"}, {"protocol: mcp", "protocol: mpc"}, {"protocol: mcp", "protocol: a2t"}, {"https://own.example/mcp", "ftp://own.example"}, {"https://own.example/mcp", "https://u:p@own.example"}, {"name: find", "name: found"}, {"name: find\n", "name: find\n        version: 0\n"}, {"name: find\n", "name: find\n        version: one\n"},
		{"name: find\n", "name: find\n        version: 2\n"}, {`"Finds."`, `"Found."`}, {`"Finds."`, `"Finds.`}, {"provider:", "providers:"}, {"agents:", "agent:"}, {"  me:", "  [me]:"}, {"  me:", "  '':"}, {"  me:", "  ? {a: b}\n  :"}, {"digest: sha256", "digest: sha255"}, {"pins: 1", "pins: 1\nx: [y]"}, {"pins: 1", "a: [b"}, {"pins: 1", "\t"}, {"pins: 1", "%"}, {"signature: |", "signature: |x"},
	} {
		edited := strings.Replace(string(text), edit[0], edit[1], 1)
		if edit[0] != "" && edited == string(text) {
			t.Errorf("the file has no %q", edit[0])
		}
		f, list := pins.ReadFile("a.pins.yaml", []byte(edited))
		fmt.Fprintf(&b, "%q -> %q: %d\n%s", edit[0], edit[1], len(f.Pins), inWords(list))
	}
	for _, text := range []string{
		"", "# nothing\n", "a: b\n---\nc: d\n", "providers: {}", "providers: [a]", "providers: &a {}", "providers: {a: {protocol: a2t, url: 'https://a.example'}}", "providers: {A: {url: 'https://a.example'}}", "providers: {a: {protocol: atp, url: a}}", "providers: {a: {}}", "providers: {a: b}", "provider: {}", "providers: {a: {program: clock}}",
		"providers: {a: {program: clock, url: 'https://a.example'}}", "providers: {a: {program: ''}}", "providers: {a: {program: [x]}}", "providers: {a: {url: 'https://a.example', header: X-Key, credential: 'env:KEY'}}", "providers: {a: {url: 'https://a.example', credential: letmein}}", "providers: {a: {url: 'https://a.example', credential: {}}}",
		"providers: {a: {url: 'https://a.example', credential: {client_id: a, client_secret: 'env:S', token_url: 'https://t.example', scopes: [a, b]}}}", "providers: {a: {url: 'https://a.example', credential: {client_id: a, client_secret: s, token_url: t, scopes: a}}}", "providers: {a: {url: 'https://a.example', credential: {scopes: ['']}}}", "providers: {? [a] : {url: b}}", "providers: {a: {url: 'https://a.example'}, a: {url: 'https://b.example'}}",
		"providers: {" + strings.Repeat("a: {", 30) + strings.Repeat("}", 30) + "}", "providers: {abcdefghijklmnopqrstuvwxyz012345: {url: 'https://a.example'}, abcdefghijklmnopqrstuvwxyz0123456: {url: 'https://a.example'}, 1a: {url: 'https://a.example'}}",
	} {
		all, list := pins.ReadProviders("p.yaml", []byte(text))
		fmt.Fprintf(&b, "%q: %d\n%s", text, len(all), inWords(list))
	}
	golden.Text(t, "testdata/files.txt", b.String())
}

// between serves what another server does, edited.
type between struct {
	to    string
	edits atomic.Pointer[[]string]
	// status is answered for paths that hold a text.
	path   atomic.Pointer[string]
	status atomic.Int64
}

func (m *between) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if part := m.path.Load(); part != nil && strings.Contains(r.URL.Path, *part) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(int(m.status.Load()))
		fmt.Fprint(w, `{"error":{"code":"gone","message":"It is not here."}}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	next, err := http.NewRequestWithContext(r.Context(), r.Method, m.to+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	next.Header = r.Header.Clone()
	next.Header.Del("Accept-Encoding")
	answer, err := http.DefaultClient.Do(next)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if edits := m.edits.Load(); edits != nil {
		text = []byte(strings.NewReplacer(*edits...).Replace(string(text)))
	}
	for name, values := range answer.Header {
		if name != "Content-Length" && name != "Etag" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(text)
}

// TestChecksInWords holds what is said of servers that do not keep to what was
// pinned of them.
func TestChecksInWords(t *testing.T) {
	m := &between{to: example(t)}
	server := httptest.NewServer(m)
	defer server.Close()
	var b strings.Builder
	tell := func(v pins.Verdict, format string, args ...any) {
		fmt.Fprintf(&b, format+": broken %v, silent %v\n", append(args, v.Broken, v.Silent)...)
		for _, f := range v.Findings {
			if f.Tool == "get_current_weather" {
				fmt.Fprintf(&b, "  %s[%s] %s v%d: %s (%s)\n", f.Severity, f.Rule, f.Place, f.Version, f.Message, f.Fix)
			}
		}
	}
	for _, protocol := range []string{"a2t", "otc", "mcp"} {
		provider := &pins.Provider{Name: "own", Protocol: client.Protocol(protocol), URL: server.URL + "/" + protocol}
		m.edits.Store(nil)
		f := pinAll(t, provider)
		for _, edits := range [][]string{
			nil, {"Get the", "Fetch the"}, {`"get_forecast"`, `"fetch_forecast"`}, {`"state"`, `"region"`}, {`"required":true`, `"required":false`}, {`"required":false`, `"required":true`}, {`"maxLength":`, `"maxLength":1`}, {`"type":"string"`, `"type":"int"`}, {`"description":"`, `"description":"Now: `}, {`"version":1`, `"version":2`}, {`"read_only":true`, `"read_only":false`},
			{`"readOnlyHint":true`, `"readOnlyHint":false`}, {`"destructiveHint":false`, `"destructiveHint":true`}, {`"inputSchema":{`, `"inputSchema":{"minProperties":1,`}, {`"outputSchema":{`, `"outputSchema":{"maxProperties":1,`}, {`"input_schema":{`, `"input_schema":[{`}, {"{", "["},
		} {
			m.edits.Store(&edits)
			v := pins.Check(t.Context(), f, opener(), nil)
			tell(v, "%s %q", protocol, edits)
		}
		m.edits.Store(nil)
		for _, status := range []int{404, 410, 500, 401, 200} {
			for _, part := range []string{"/" + protocol, "versions"} {
				m.path.Store(&part)
				m.status.Store(int64(status))
				v := pins.Check(t.Context(), f, opener(), nil)
				tell(v, "%s %d at %s", protocol, status, part)
			}
		}
		m.path.Store(nil)
		moved := *provider
		moved.URL = strings.Replace(moved.URL, "127.0.0.1", "localhost", 1)
		v := pins.Check(t.Context(), f, opener(), []*pins.Provider{{Name: "other", URL: "https://other.example"}, &moved})
		tell(v, "%s moved", protocol)
		moved.Protocol = "mcp"
		v = pins.Check(t.Context(), f, opener(), []*pins.Provider{&moved})
		tell(v, "%s of another protocol", protocol)
	}
	golden.Text(t, "testdata/checks.txt", strings.NewReplacer(server.URL, "SERVER", strings.Replace(server.URL, "127.0.0.1", "localhost", 1), "MOVED").Replace(b.String()))
}

// TestSelect: words are looked for in all texts of a tool, and tags are tags.
func TestSelect(t *testing.T) {
	one := &client.Tool{Name: "find_place", Title: "Places", Description: "Finds a town.", Tags: []string{"maps", "free"}, Inputs: []client.Input{{Param: tool.Param{Name: "postcode"}, Description: "Where it is."}}, Effects: &tool.Effects{ReadOnly: true}}
	two := &client.Tool{Name: "order", Description: "Orders a thing.", Effects: &tool.Effects{}}
	offers := []pins.Offer{{Name: "a", Tool: one}, {Name: "b", Tool: two}, {Name: "c", Tool: &client.Tool{Name: "silent"}}}
	for _, c := range []struct {
		q    pins.Query
		want string
	}{
		{pins.Query{}, "a b c"}, {pins.Query{Words: []string{"TOWN"}}, "a"}, {pins.Query{Words: []string{"places", "postcode"}}, "a"}, {pins.Query{Words: []string{"places", "thing"}}, ""}, {pins.Query{Words: []string{"where"}}, "a"}, {pins.Query{Words: []string{"maps"}}, "a"},
		{pins.Query{Words: []string{"order"}}, "b"}, {pins.Query{Tags: []string{"maps"}}, "a"}, {pins.Query{Tags: []string{"maps", "free"}}, "a"}, {pins.Query{Tags: []string{"maps", "dear"}}, ""}, {pins.Query{Tags: []string{"map"}}, ""}, {pins.Query{ReadOnly: true}, "a"},
	} {
		var got []string
		for _, o := range c.q.Select(offers) {
			got = append(got, o.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, want %s", c.q, got, c.want)
		}
	}
	if len(offers) != 3 || offers[2].Name != "c" {
		t.Error("the offers changed")
	}
}
