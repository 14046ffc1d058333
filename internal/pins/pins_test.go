package pins_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/pins"
	"github.com/sculpt-tools/sculpt/sculpt/client"
)

// noSecrets has none.
func noSecrets(reference string) (string, error) { return "", errors.New("no " + reference) }

func opener() *pins.Opener { return &pins.Opener{HTTP: &http.Client{}, Secret: noSecrets} }

// What is wrong in a file of providers is said where it is, with what to type, and
// no text that may be a secret is shown.
func TestProviderFindings(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "the file is empty",
		"- a":                      "the file is not a mapping",
		"providers: {a: {url: x}}": "1:22: this is not the address of a server",
		"providers: {A: {url: 'https://x.example'}}":                                                       `1:13: "A" is not a name of a provider`,
		"providers: {a: {url: 'https://u:hunter2@x.example'}}":                                             "this is not the address of a server",
		"providers: {a: {protocol: soap, url: 'https://x.example'}}":                                       `there is no protocol "soap"`,
		"providers: {a: {url: 'https://x.example', credential: hunter2}}":                                  "a credential is a reference to a secret",
		"providers: {a: {url: 'https://x.example', credential: {client_credentials: {id: a, secret: b}}}}": `client_credentials lacks the key "token_url"`,
		"providers: {a: {url: 'https://x.example'}, a: {url: 'https://y.example'}}":                        `providers has two keys "a"`,
		"providers: {a: &x {url: 'https://x.example'}, b: *x}":                                             "is not a mapping",
		"providers: {}\n---\nproviders: {}":                                                                "something follows the document",
		"providers: [":                                                                                     "this is not YAML",
		"providers: " + strings.Repeat("[", 100):                                                           "this is not YAML",
	} {
		_, list := pins.ReadProviders("p.yaml", []byte(text))
		said := ""
		for _, f := range list {
			said += fmt.Sprintf("%d:%d: %s (%s)\n", f.Span.Start.Line, f.Span.Start.Col, f.Message, f.Fix)
		}
		if !strings.Contains(said, want) || strings.Contains(said, "hunter2") {
			t.Errorf("%s:\n%swant %s", text, said, want)
		}
	}
}

func kept(t *testing.T, p client.Protocol, document string) *client.Tool {
	t.Helper()
	one, err := client.ReadTool(p, []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return one
}

// Whatever a server writes, the file of pins gives it back byte for byte, and
// cannot be steered by it.
func TestHostileDescriptions(t *testing.T) {
	p := &pins.Provider{Name: "x", Protocol: client.ProtocolMCP, URL: "https://x.example/mcp"}
	for _, text := range []string{
		"plain", "a: b # no comment", "tabs\t and \u0085 \u2028 \u202e \ufeff \x00 ends ", "---\n...\n- x", "\n\n  indented\n", "*alias &anchor !!tag", strings.Repeat("long ", 5000), "emoji 🦊 \"quoted\" \\",
	} {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		one := kept(t, client.ProtocolMCP, `{"name":`+string(quoted)+`,"description":`+string(quoted)+`,"inputSchema":{"type":"object"}}`)
		f := pins.NewFile("a.pins.yaml")
		if _, _, err := f.Put("me", p, one); err != nil {
			t.Fatal(err)
		}
		data, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		again, list := pins.ReadFile("a.pins.yaml", data)
		if len(list) > 0 || len(again.Pins) != 1 || again.Pins[0].Tool.Description != text || again.Pins[0].Tool.Name != text {
			t.Errorf("%q: %v %s", text, list, data)
		}
	}
}

// Names that the model sees are unique in an agent, whatever they are made of.
func TestNamesOfPins(t *testing.T) {
	f := pins.NewFile("a.pins.yaml")
	var names []string
	for i, c := range []struct{ provider, id, name string }{{"b", "1", "find"}, {"c", "2", "a_find"}, {"a", "3", "find"}, {"a", "4", "find"}, {"a", "3", "find"}} {
		p := &pins.Provider{Name: c.provider, Protocol: client.ProtocolA2T, URL: "https://x.example"}
		name, again, err := f.Put("me", p, kept(t, client.ProtocolA2T, `{"toolId":"`+c.id+`","name":"`+c.name+`","version":1}`))
		if err != nil || again != (i == 4) {
			t.Fatal(name, again, err)
		}
		names = append(names, name)
	}
	if got := strings.Join(names, " "); got != "find a_find a_find_2 a_find_3 a_find_2" {
		t.Error(got)
	}
	data, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if again, list := pins.ReadFile("a.pins.yaml", data); len(list) > 0 || len(again.Pins) != 4 {
		t.Errorf("%v\n%s", list, data)
	}
}

// Client credentials are exchanged for a token once, whatever is asked then, and
// no secret gets into a finding.
func TestClientCredentials(t *testing.T) {
	var tokens atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		tokens.Add(1)
		if id, secret, _ := r.BasicAuth(); id != "app" || secret != "s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"access_token":"tok","token_type":"Bearer","expires_in":3600}`)
	})
	mux.HandleFunc("GET /a2t/tools", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer tok" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"items":[{"toolId":"i","name":"n","version":1}]}`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	text := `providers: {a: {protocol: a2t, url: "URL/a2t", credential: {client_credentials: {token_url: "URL/token", id: app, secret: "env:S"}}}}`
	providers, list := pins.ReadProviders("p.yaml", []byte(strings.ReplaceAll(text, "URL", server.URL)))
	if len(list) > 0 {
		t.Fatal(list)
	}
	o := &pins.Opener{HTTP: &http.Client{}, Secret: func(reference string) (string, error) {
		return map[string]string{"env:S": "s3cret"}[reference], nil
	}}
	offers, failures := o.List(t.Context(), providers)
	if len(failures) > 0 || len(offers) != 1 || tokens.Load() != 1 {
		t.Errorf("%v %v, %d tokens", offers, failures, tokens.Load())
	}
	if _, failures = opener().List(t.Context(), providers); len(failures) != 1 || !strings.Contains(failures[0].Err.Error(), "no env:S") {
		t.Errorf("%v", failures)
	}
}

// Metadata of another origin are not fetched: a server would choose whom we ask.
func TestForeignMetadata(t *testing.T) {
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, `{"authorization_servers":["https://evil.example"]}`)
	}))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+other.URL+`"`)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	o, p := opener(), &pins.Provider{Name: "x", URL: server.URL}
	_, err := o.Open(context.Background(), p)
	if text, _ := o.Explain(context.Background(), p, err); text != "it wants a sign-in" || asked.Load() != 0 {
		t.Errorf("%s, asked %d times", text, asked.Load())
	}
}
