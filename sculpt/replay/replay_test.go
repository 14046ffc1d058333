package replay

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

type thing struct{ name string }

var thingKeys = scan.NewKeys("name")

func scanThing(s *scan.Scanner) (v thing) {
	for s.Open(); s.Next(thingKeys); {
		v.name = s.Text()
	}
	return v
}

func newClient(t *testing.T, spec upstream.Spec, api upstream.API) *upstream.Client {
	t.Helper()
	spec.BaseURL = "http://api.example"
	u, err := upstream.New(spec, api)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// authorized begins a call with all credentials that the tests have.
func authorized(u *upstream.Client, method string) *upstream.Call {
	c := u.Call("find", method, upstream.EffectRead)
	c.Credentials("key", "token")
	return c
}

// handled answers requests with a handler.
type handled struct{ http.Handler }

func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	h.ServeHTTP(w, in)
	return w.Result(), nil
}

func zip(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.Bytes()
}

func TestReplay(t *testing.T) {
	files := fstest.MapFS{
		"a-1.json": {Data: []byte(`{"request":{"api":"geo","method":"GET","url":"http://api.example/find?b=2&a=x%20y"},"response":{"status":200,"headers":{"Content-Type":"application/json"},"body":{"name":"first"}}}`)},
		"a-2.json": {Data: []byte(`{"request":{"method":"GET","url":"http://api.example/find?a=x+y&b=2"},"response":{"status":200,"body":{"name":"second"}}}`)},
		"b.json":   {Data: []byte(`{"request":{"method":"POST","url":"http://api.example/find","body":{"b":[1,2.0],"a":"x"}},"response":{"status":404,"headers":{"Content-Type":"text/plain"},"body":"no such <thing>"}}`)},
		"c.json":   {Data: []byte(`{"request":{"method":"GET","url":"http://api.example/broken"},"response":{"status":200,"headers":{"Content-Type":"application/json"},"text":true,"body":"{\"name\":<"}}`)},
		"note.txt": {Data: []byte(`not an exchange`)},
	}
	transport, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	u := newClient(t, upstream.Spec{Name: "geo", Credentials: []upstream.Credential{{Scheme: "key", In: "query", Name: "key", Value: "s3cret"}}}, upstream.API{Transport: transport})
	find := func(method string, build func(*upstream.Call)) (thing, error) {
		c := authorized(u, method)
		c.Path("/find")
		build(c)
		return upstream.Do(context.Background(), c, scanThing)
	}
	for _, want := range []string{"first", "second", "second"} {
		got, err := find("GET", func(c *upstream.Call) { c.Query("b", "2"); c.Query("a", "x y") })
		if err != nil || got.name != want {
			t.Error(got, err, "want", want)
		}
	}
	if _, err := find("POST", func(c *upstream.Call) {
		c.Body("application/json", []byte(`{"a":"x", "b":[1,2.0]}`))
	}); tool.KindOf(err) != tool.KindNoResult {
		t.Error(err)
	}
	_, err = find("GET", func(c *upstream.Call) { c.Query("b", "3") })
	var missing *NotRecordedError
	if !errors.As(err, &missing) || missing.URL != "http://api.example/find?b=3" || missing.Near == "" || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
	c := u.Call("find", "GET", upstream.EffectRead)
	c.Path("/broken")
	if _, err := upstream.Do(context.Background(), c, scanThing); tool.KindOf(err) != tool.KindBadBackend {
		t.Error(err)
	}
	for name, bad := range map[string]string{
		"no JSON": `{`, "relative": `{"request":{"method":"GET","url":"/x"},"response":{}}`, "no method": `{"request":{"url":"http://a/"},"response":{}}`,
		"no answer": `{"request":{"method":"GET","url":"http://a/"}}`, "unknown member": `{"request":{"method":"GET","url":"http://a/"},"response":{},"x":1}`,
		"object as text": `{"request":{"method":"GET","url":"http://a/"},"response":{"headers":{"Content-Type":"text/html"},"body":{}}}`,
		"odd status":     `{"request":{"method":"GET","url":"http://a/"},"response":{"status":99}}`,
	} {
		if _, err := Open(fstest.MapFS{"x.json": {Data: []byte(bad)}}); err == nil || !strings.HasPrefix(err.Error(), "x.json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRecordAndReplay(t *testing.T) {
	backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Date", "now")
		w.Header().Set("Set-Cookie", "sid=1")
		w.Header().Set("X-Tenant", "acme")
		w.Header().Set("Link", "<next>")
		if r.URL.Path == "/html" {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(500)
			_, _ = io.WriteString(w, "<b>key-s3cret-value</b>")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(zip(fmt.Sprintf(`{"name":"<%s&%d>","echo":%q,"n":1.50}`, r.URL.Path, len(body), r.URL.Query().Get("key"))))
	})
	spec := upstream.Spec{Name: "geo", Attempts: 1, Credentials: []upstream.Credential{
		{Scheme: "key", In: "query", Name: "key", Value: "key-s3cret-value"}, {Scheme: "token", In: "header", Name: "Authorization", Prefix: "Bearer ", Value: "token-s3cret"}}}
	steps := func(u *upstream.Client) (out []string) {
		for _, path := range []string{"a b", "html"} {
			c := authorized(u, "POST")
			c.Path("/", path)
			c.Query("q", "1")
			c.Body("application/json", []byte(`{"x": 1.0}`))
			got, err := upstream.Do(context.Background(), c, scanThing)
			out = append(out, fmt.Sprint(got, tool.KindOf(err), err != nil))
		}
		return out
	}
	run := func() (fstest.MapFS, []string) {
		files := fstest.MapFS{}
		write := func(name string, data []byte) error { files[name] = &fstest.MapFile{Data: data}; return nil }
		u := newClient(t, spec, upstream.API{Transport: Record(handled{backend}, write, "x-tenant")})
		return files, steps(u)
	}
	files, live := run()
	again, _ := run()
	const want = `{
  "request": {
    "api": "geo",
    "method": "POST",
    "url": "http://api.example/a%20b?q=1",
    "body": {
      "x": 1.0
    }
  },
  "response": {
    "status": 200,
    "headers": {
      "Content-Type": "application/json",
      "Link": "<next>"
    },
    "body": {
      "name": "</a b&10>",
      "echo": "REDACTED",
      "n": 1.50
    }
  }
}
`
	if got := string(files["geo-001-post_a_b.json"].Data); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if len(files) != 2 || files["geo-002-post_html.json"] == nil {
		t.Error("files:", len(files))
	}
	for name, file := range files {
		if strings.Contains(string(file.Data), "s3cret") || string(again[name].Data) != string(file.Data) {
			t.Error(name, "holds a secret or differs in a second run")
		}
	}
	transport, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	if replayed := steps(newClient(t, spec, upstream.API{Transport: transport})); !slices.Equal(replayed, live) {
		t.Errorf("replayed %v, live %v", replayed, live)
	}
}

func TestDryRun(t *testing.T) {
	var seen *Exchange
	u := newClient(t, upstream.Spec{Name: "geo"}, upstream.API{Transport: Tap(nil, func(x *Exchange) error { seen = x; return nil })})
	c := u.Call("find", "POST", upstream.EffectUnsafe)
	c.Path("/x")
	c.Form("a", "b c")
	_, err := upstream.Do(context.Background(), c, scanThing)
	if !errors.Is(err, upstream.ErrDryRun) || seen == nil || seen.Response != nil || string(seen.Request.Body) != `"a=b+c"` || seen.Request.URL != "http://api.example/x" {
		t.Error(err, seen)
	}
	if _, err := url.Parse(seen.Request.URL); err != nil {
		t.Error(err)
	}
}

// What asks for an access token is not recorded: the answer is a secret as a whole.
func TestRecordNoTokens(t *testing.T) {
	backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			_, _ = io.WriteString(w, `{"access_token":"very-secret-token"}`)
			return
		}
		_, _ = io.WriteString(w, `{"said":"`+r.Header.Get("Authorization")+`"}`)
	})
	server := httptest.NewServer(backend)
	defer server.Close()
	var recorded []string
	spec := upstream.Spec{Name: "geo", Credentials: []upstream.Credential{{Scheme: "o", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "client_credentials", ClientID: "app", Value: "very-secret"}}}
	call := func(transport http.RoundTripper) error {
		c := newClient(t, spec, upstream.API{BaseURL: server.URL, TokenURL: server.URL + "/token", Transport: transport}).Call("a", "GET", upstream.EffectRead)
		c.Path("/a")
		c.Credentials("o")
		_, err := upstream.Do[struct{}](t.Context(), c, nil)
		return err
	}
	err := call(Record(upstream.NewTransport(), func(name string, exchange []byte) error {
		recorded = append(recorded, string(exchange))
		return nil
	}))
	if err != nil || len(recorded) != 1 || strings.Contains(recorded[0], "secret") || !strings.Contains(recorded[0], "Bearer REDACTED") {
		t.Errorf("%v: %q", err, recorded)
	}
	if err := call(Tap(nil, func(*Exchange) error { return nil })); !errors.Is(err, upstream.ErrDryRun) {
		t.Errorf("a dry run: %v", err)
	}
}
