package upstream

import (
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
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// routes is an upstream with neighbouring routes; it tells which one was
// reached and with which value.
func routes(seen *string) http.Handler {
	mux := http.NewServeMux()
	mark := func(pattern string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			*seen = pattern + "=" + r.PathValue("id") + "?" + r.URL.Query().Get("q")
			sendThing(w)
		})
	}
	for _, pattern := range []string{"/", "/v1/points/{id}/forecast", "/v1/points/{id}", "/v1/points/{$}", "/v1/admin", "/v1/forecast"} {
		mark(pattern)
	}
	return mux
}

var hostile = []string{
	"", ".", "..", "../admin", "..%2fadmin", "%2e%2e", "a/b", "a//b", "/", "//evil.example/", "a/../../admin", `..\admin`, `a\..\b`,
	"a?b=c", "a#b", "a&q=2", "a;b", "a%00b", "a\x00b", "a\nb", "a\r\nHost: evil", "\x7f", "\xff", "é", "😀", " ", "+", "%", "%zz",
	":", "@", "a:80@b", "39.7,-97.1", "...", "..a", "\u2028", "~", "*", "'", `"`, "<", "{id}", "a.", "\u202e",
}

func checkPath(t *testing.T, id string) {
	t.Helper()
	seen := ""
	u := newTestUpstream(t, Spec{BaseURL: "http://api.example/v1"}, API{Handler: routes(&seen)})
	c := u.Call("find", "GET", EffectRead)
	c.Path("/points/", id, "/forecast")
	if utf8.ValidString(id) {
		c.Query("q", id)
	}
	_, err := Do(context.Background(), c, scanThing)
	want := "/v1/points/{id}/forecast=" + id + "?" + id
	var e *tool.Error
	switch {
	case err == nil && seen != want:
		t.Fatalf("%q reached %q", id, seen)
	case err != nil && (!errors.As(err, &e) || e.Kind != tool.KindRejected || !strings.Contains(e.Developer, "value 1 of the path")):
		t.Fatalf("%q: %v", id, err)
	case err != nil && seen != "":
		t.Fatalf("%q was refused after it was sent", id)
	case err != nil && id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789,-é😀 ") == "":
		t.Fatalf("%q was refused: %v", id, err)
	}
	if err != nil && id != "" && len(id) > 3 && strings.Contains(e.Message+e.Developer, id) {
		t.Fatalf("the message repeats %q", id)
	}
}

func TestPathValuesKeepTheirRoute(t *testing.T) {
	for _, id := range hostile {
		checkPath(t, id)
	}
	for _, id := range []string{"", ".", "..", "../admin", `..\admin`, "a\nb", "\xff", "a\x7fb", "x/..", "/", "//"} {
		u := newTestUpstream(t, Spec{}, API{Handler: http.NotFoundHandler()})
		c := u.Call("find", "GET", EffectRead)
		if c.Path("/points/", id); c.err == nil {
			t.Errorf("%q was not refused", id)
		}
	}
}

func FuzzPathValue(f *testing.F) {
	for _, id := range hostile {
		f.Add(id)
	}
	f.Fuzz(checkPath)
}

// urlOf returns the request line that a call would send.
func urlOf(t *testing.T, base string, build func(*Call)) (string, error) {
	t.Helper()
	var got string
	u := newTestUpstream(t, Spec{BaseURL: base}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		got = r.URL.String()
		return respond(200, thingJSON), nil
	})})
	c := u.Call("find", "GET", EffectRead)
	build(c)
	_, err := Do(context.Background(), c, scanThing)
	return got, err
}

func TestAddresses(t *testing.T) {
	tests := []struct {
		name, base, want string
		build            func(*Call)
	}{
		{"literals stay", "https://a.example", "https://a.example/points/39.7392,-104.9847", func(c *Call) { c.Path("/points/", "39.7392", ",", "-104.9847") }},
		{"more literals", "https://a.example/", "https://a.example/@x:run;v=1/(a)!*'$&+=%2F%20y", func(c *Call) { c.Path("/@x:run;v=1/(a)!*'$&+=%2F y") }},
		{"dots in a mixed segment", "https://a.example", "https://a.example/v..", func(c *Call) { c.Path("/v", "..") }},
		{"prefix", "https://a.example:8443/a%20b/v1/", "https://a.example:8443/a%20b/v1/x%2Fy", func(c *Call) { c.Path("/", "x/y") }},
		{"no path", "https://a.example/v1", "https://a.example/v1/", func(*Call) {}},
		{"two values", "https://a.example", "https://a.example/r/a%2Cb/c%3Fd", func(c *Call) { c.Path("/r/", "a,b", "/", "c?d") }},
		{"query", "https://a.example", "https://a.example/?a=1%202&b%5Bc%5D=%C3%BC%26%3D%2B%23", func(c *Call) { c.Path("/"); c.Query("a", "1 2"); c.Query("b[c]", "ü&=+#") }},
		{"explode", "https://a.example", "https://a.example/?a=1&a=2%2C3", func(c *Call) { c.QueryList("a", []string{"1", "2,3"}, ListExplode) }},
		{"comma", "https://a.example", "https://a.example/?a=1,2%2C3,", func(c *Call) { c.QueryList("a", []string{"1", "2,3", ""}, ListComma) }},
		{"space", "https://a.example", "https://a.example/?a=1%202", func(c *Call) { c.QueryList("a", []string{"1", "2"}, ListSpace) }},
		{"pipe", "https://a.example", "https://a.example/?a=1%7C2", func(c *Call) { c.QueryList("a", []string{"1", "2"}, ListPipe) }},
		{"empty lists", "https://a.example", "https://a.example/", func(c *Call) {
			c.QueryList("a", nil, ListComma)
			c.QueryList("a", nil, ListExplode)
			c.HeaderList("X-A", nil)
		}},
	}
	for _, test := range tests {
		if got, err := urlOf(t, test.base, test.build); err != nil || got != test.want {
			t.Errorf("%s: got %s, %v\nwant %s", test.name, got, err, test.want)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	tests := map[string]struct {
		kind  tool.Kind
		build func(*Call)
	}{
		"header with a line break":  {tool.KindRejected, func(c *Call) { c.Header("X-A", "x\r\nX-B: y") }},
		"header with NUL":           {tool.KindRejected, func(c *Call) { c.Header("X-A", "x\x00") }},
		"header with DEL":           {tool.KindRejected, func(c *Call) { c.Header("X-A", "x\x7f") }},
		"header outside ASCII":      {tool.KindRejected, func(c *Call) { c.Header("X-A", "é") }},
		"header with a space ahead": {tool.KindRejected, func(c *Call) { c.Header("X-A", " x") }},
		"hop-by-hop header":         {tool.KindInternal, func(c *Call) { c.Header("transfer-encoding", "chunked") }},
		"host header":               {tool.KindInternal, func(c *Call) { c.Header("host", "evil.example") }},
		"length header":             {tool.KindInternal, func(c *Call) { c.Header("Content-Length", "1") }},
		"header name":               {tool.KindInternal, func(c *Call) { c.Header("X A", "1") }},
		"credential header":         {tool.KindInternal, func(c *Call) { c.Header("x-api-key", "1") }},
		"comma in a header list":    {tool.KindRejected, func(c *Call) { c.HeaderList("X-A", []string{"a,b"}) }},
		"cookie name":               {tool.KindInternal, func(c *Call) { c.Cookie("a=b", "1") }},
		"query UTF-8":               {tool.KindRejected, func(c *Call) { c.Query("a", "\xff") }},
		"tab in a tab list":         {tool.KindRejected, func(c *Call) { c.QueryList("a", []string{"a\tb"}, ListTab) }},
		"reserved UTF-8":            {tool.KindRejected, func(c *Call) { c.QueryReserved("a", "\xff") }},
		"space in a space list":     {tool.KindRejected, func(c *Call) { c.QueryList("a", []string{"a b"}, ListSpace) }},
		"bar in a pipe list":        {tool.KindRejected, func(c *Call) { c.QueryList("a", []string{"x", "a|b"}, ListPipe) }},
		"form UTF-8":                {tool.KindRejected, func(c *Call) { c.Form("a", "\xff") }},
		"content type":              {tool.KindRejected, func(c *Call) { c.Body("a\nb", nil) }},
		"relative path":             {tool.KindInternal, func(c *Call) { c.Path("x") }},
		"first error stays":         {tool.KindRejected, func(c *Call) { c.Path("/", ".."); c.Path("x") }},
	}
	for name, test := range tests {
		u := newTestUpstream(t, Spec{Credentials: []Credential{{In: "header", Name: "X-Api-Key", Value: "s"}}},
			API{Transport: tripper(func(*http.Request) (*http.Response, error) { t.Error(name, "was sent"); return nil, io.EOF })})
		c := authorized(u, "GET")
		test.build(c)
		if _, err := Do(context.Background(), c, scanThing); tool.KindOf(err) != test.kind || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHeadersAndCookies(t *testing.T) {
	var got http.Header
	u := newTestUpstream(t, Spec{
		Headers:     []Header{{"accept", "application/geo+json"}, {"User-Agent", "app (me@example.com)"}},
		Credentials: []Credential{{In: "cookie", Name: "sid", Value: "s3cret"}, {In: "header", Name: "X-Empty"}},
	}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) { got = r.Header; return respond(200, thingJSON), nil })})
	c := authorized(u, "GET")
	c.HeaderList("x-list", []string{"a", "b"})
	c.Cookie("a", "1; b=2")
	if _, err := Do(context.Background(), c, scanThing); err != nil {
		t.Fatal(err)
	}
	want := http.Header{"Accept": {"application/geo+json"}, "User-Agent": {"app (me@example.com)"}, "Accept-Encoding": {"gzip"},
		"X-List": {"a,b"}, "Cookie": {"a=1%3B%20b%3D2; sid=s3cret"}}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if u.header.Get("X-List") != "" || u.header.Get("Cookie") != "" {
		t.Error("a call changed the shared header:", u.header)
	}
}

func TestRedirects(t *testing.T) {
	canary := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Error("the other host was asked:", r.Header) }))
	defer canary.Close()
	var paths []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.RequestURI())
		if r.Header.Get("X-Api-Key") != "s3cret" || r.Header.Get("X-Call") != "1" || r.URL.Query().Get("key") != "k3y" {
			t.Error("credentials are lost:", r.URL, r.Header)
		}
		switch r.URL.Path {
		case "/points/39.73921,-97.0": // as api.weather.gov does for too many decimals
			answer(301, "", "", "Location", "/points/39.7392,-97?x=1")(w, r)
		case "/relative":
			answer(307, "", "", "Location", "points/39.7392,-97")(w, r)
		case "/elsewhere":
			answer(302, "", "", "Location", canary.URL+"/steal")(w, r)
		case "/mapped":
			answer(302, "", "", "Location", "/points/39.7392,-97")(w, r)
		default:
			sendThing(w)
		}
	}))
	defer server.Close()
	u := newTestUpstream(t, Spec{BaseURL: server.URL, Credentials: []Credential{
		{In: "header", Name: "X-Api-Key", Value: "s3cret"}, {In: "query", Name: "key", Value: "k3y"}}}, API{})
	try := func(method string, parts ...string) error {
		paths = nil
		c := authorized(u, method)
		c.Path(parts...)
		c.Header("X-Call", "1")
		c.On(Case{Status: 302, Retry: RetryNever, Fail: func() error { return &tool.Error{Kind: tool.KindNoResult, Code: "moved"} }})
		if parts[0] == "/elsewhere" {
			c.cases = nil
		}
		_, err := Do(context.Background(), c, scanThing)
		return err
	}
	if err := try("GET", "/points/", "39.73921", ",", "-97.0"); err != nil || !slices.Equal(paths, []string{"/points/39.73921,-97.0?key=k3y", "/points/39.7392,-97?x=1&key=k3y"}) {
		t.Error(err, paths)
	}
	if err := try("GET", "/relative"); err != nil || len(paths) != 2 {
		t.Error(err, paths)
	}
	if err := try("POST", "/relative"); tool.KindOf(err) != tool.KindBadBackend || len(paths) != 1 {
		t.Error("a POST was repeated:", err, paths)
	}
	if err := try("GET", "/elsewhere"); tool.KindOf(err) != tool.KindBadBackend || len(paths) != 1 {
		t.Error(err, paths)
	}
	if err := try("GET", "/mapped"); tool.KindOf(err) != tool.KindNoResult || len(paths) != 1 {
		t.Error("a case of the manifest wins over following:", err, paths)
	}
}

// authorized begins a call with all credentials of its api.
func authorized(u *Client, method string) *Call {
	c := u.Call("find", method, EffectRead)
	for i := range u.credentials {
		c.asked = append(c.asked, &u.credentials[i])
	}
	return c
}

func TestCredentialsByCall(t *testing.T) {
	var got []string
	u := newTestUpstream(t, Spec{
		BaseURL: "https://api.example/v1", Servers: []string{"https://files.example/up%20load/"},
		Credentials: []Credential{
			{Scheme: "key", In: "query", Name: "key", Value: "k"}, {Scheme: "sid", In: "cookie", Name: "sid", Value: "c"},
			{Scheme: "basic", In: "header", Name: "Authorization", Prefix: "Basic ", Value: "b"},
			{Scheme: "bearer", In: "header", Name: "Authorization", Prefix: "Bearer ", Value: "t"},
			{Scheme: "unset", In: "header", Name: "X-Unset"},
		},
	}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		got = append(got, r.URL.String()+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Cookie"))
		return respond(200, thingJSON), nil
	})})
	for _, build := range []func(*Call){
		func(*Call) {},
		func(c *Call) { c.Credentials("bearer") },
		func(c *Call) { c.Credentials("basic", "unset") },
		func(c *Call) { c.Query("q", "1"); c.Credentials("key", "sid") },
		func(c *Call) { c.Server("https://files.example/up%20load/"); c.Credentials("bearer") },
	} {
		c := u.Call("find", "GET", EffectRead)
		build(c)
		c.Path("/a/", "b c")
		if _, err := Do(t.Context(), c, scanThing); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"https://api.example/v1/a/b%20c  ",
		"https://api.example/v1/a/b%20c Bearer t ",
		"https://api.example/v1/a/b%20c Basic b ",
		"https://api.example/v1/a/b%20c?q=1&key=k  sid=c",
		"https://files.example/up%20load/a/b%20c Bearer t ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	c := u.Call("find", "GET", EffectRead)
	c.Server("https://evil.example")
	if _, err := Do(t.Context(), c, scanThing); tool.KindOf(err) != tool.KindInternal || len(got) != len(want) {
		t.Error("a server that the api does not have:", err)
	}
}

func TestGivenBaseURLHoldsForAllServers(t *testing.T) {
	var got string
	u := newTestUpstream(t, Spec{BaseURL: "https://api.example", Servers: []string{"https://files.example"}},
		API{BaseURL: "http://localhost:1/stub", Transport: tripper(func(r *http.Request) (*http.Response, error) {
			got = r.URL.String()
			return respond(200, thingJSON), nil
		})})
	c := u.Call("find", "GET", EffectRead)
	c.Server("https://files.example")
	c.Path("/a")
	if _, err := Do(t.Context(), c, scanThing); err != nil || got != "http://localhost:1/stub/a" {
		t.Error(got, err)
	}
}

func TestQueryForms(t *testing.T) {
	for want, build := range map[string]func(*Call){
		"beta=true&x=1":                        func(c *Call) { c.FixedQuery("beta=true"); c.Query("x", "1") },
		"wsdl":                                 func(c *Call) { c.FixedQuery("wsdl") },
		"a=%41&b=%3Cc%3E":                      func(c *Call) { c.FixedQuery("a=%41&b=<c>") },
		"u=https://a.example/b?c(d),e":         func(c *Call) { c.QueryReserved("u", "https://a.example/b?c(d),e") },
		"u=a%26b%3Dc%2Bd%3Be%23f%5Bg%5D%20%25": func(c *Call) { c.QueryReserved("u", "a&b=c+d;e#f[g] %") },
		"t=a%09b%20c":                          func(c *Call) { c.QueryList("t", []string{"a", "b c"}, ListTab) },
	} {
		got := ""
		u := newTestUpstream(t, Spec{}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			got = r.URL.RawQuery
			return respond(200, thingJSON), nil
		})})
		c := u.Call("find", "GET", EffectRead)
		build(c)
		if _, err := Do(t.Context(), c, scanThing); err != nil || got != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}

func TestCredentialsStayWithTheirAPI(t *testing.T) {
	var got [2]http.Header
	var query [2]string
	servers := [2]*httptest.Server{}
	for i := range servers {
		servers[i] = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got[i], query[i] = r.Header, r.URL.RawQuery
			w.Header().Set("Set-Cookie", "tracked=1")
			sendThing(w)
		}))
		defer servers[i].Close()
	}
	first := newTestUpstream(t, Spec{BaseURL: servers[0].URL, Credentials: []Credential{
		{In: "header", Name: "authorization", Prefix: "Bearer ", Value: "first-secret"}, {In: "cookie", Name: "sid", Value: "first-cookie"}}}, API{})
	second := newTestUpstream(t, Spec{BaseURL: servers[1].URL, Credentials: []Credential{{In: "query", Name: "key", Value: "second-secret"}}}, API{})
	for range 2 {
		ctx := tool.WithPrincipal(context.Background(), &tool.Principal{Authorization: "Bearer caller-secret"})
		for _, u := range []*Client{first, second} {
			if _, err := Do(ctx, authorized(u, "GET"), scanThing); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got[0].Get("Authorization") != "Bearer first-secret" || got[0].Get("Cookie") != "sid=first-cookie" || query[0] != "" {
		t.Error(got[0], query[0])
	}
	if text := fmt.Sprint(got[1]); strings.Contains(text, "secret") || strings.Contains(text, "Cookie") || query[1] != "key=second-secret" {
		t.Error(text, query[1])
	}
}

func TestCallerCredential(t *testing.T) {
	status := 200
	var got http.Header
	api := API{Transport: tripper(func(r *http.Request) (*http.Response, error) { got = r.Header; return respond(status, thingJSON), nil })}
	plain := newTestUpstream(t, Spec{Credentials: []Credential{{In: "header", Name: "authorization", Caller: true}}}, api)
	other := newTestUpstream(t, Spec{Credentials: []Credential{{In: "header", Name: "X-User", Prefix: "t=", Caller: true}}}, api)
	call := func(u *Client, authorization string) error {
		got = nil
		ctx := tool.WithPrincipal(context.Background(), &tool.Principal{Authorization: authorization})
		_, err := Do(ctx, authorized(u, "GET"), scanThing)
		return err
	}
	if err := call(plain, "Bearer x"); err != nil || got.Get("Authorization") != "Bearer x" {
		t.Error(err, got)
	}
	if err := call(other, "abc"); err != nil || got.Get("X-User") != "t=abc" || got.Get("Authorization") != "" {
		t.Error(err, got)
	}
	for _, bad := range []string{"", "Bearer x\r\nX: y"} {
		if err := call(plain, bad); tool.KindOf(err) != tool.KindUnauthorized || got != nil {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if plain.header.Get("Authorization") != "" {
		t.Error("the caller's credential was kept")
	}
	for code, want := range map[int]tool.Kind{401: tool.KindUnauthorized, 403: tool.KindForbidden} {
		status = code
		if err := call(plain, "Bearer x"); tool.KindOf(err) != want {
			t.Error(code, err)
		}
	}
}

// canned answers without sockets: what is measured is this package.
func canned() *Client {
	body := []byte(`{"name":"found","other":[1,2,3]}`)
	header := http.Header{"Content-Type": {"application/json"}}
	u, err := New(Spec{Name: "geo", BaseURL: "https://api.example/v1"}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: header, Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: int64(len(body)), Request: r}, nil
	})})
	if err != nil {
		panic(err)
	}
	return u
}

func callOnce(u *Client) (thing, error) {
	c := u.Call("find", "GET", EffectRead)
	c.Path("/points/", "39.7392", ",", "-104.9847")
	c.Query("units", "us")
	return Do(context.Background(), c, scanThing)
}

func TestCallAllocations(t *testing.T) {
	u := canned()
	n := testing.AllocsPerRun(200, func() {
		if _, err := callOnce(u); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%.0f allocations", n)
	if n > 27 {
		t.Errorf("a call needs %.0f allocations", n)
	}
}

func BenchmarkCall(b *testing.B) {
	u := canned()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := callOnce(u); err != nil {
			b.Fatal(err)
		}
	}
}

// TestServerVariables: values lead a call to the server that they name, over a
// connection, with the credential; what does not fit keeps the program from
// starting, without a word of the value.
func TestServerVariables(t *testing.T) {
	var got []string
	stub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Host+r.RequestURI+" "+r.Header.Get("X-Key"))
		answer(200, "application/json", thingJSON)(w, r)
	}))
	defer stub.Close()
	at, err := url.Parse(stub.URL)
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{
		Name: "shop", BaseURL: "http://{host}:{port}/{base}", Servers: []string{"http://localhost:{port}/files"},
		Credentials: []Credential{{Scheme: "key", In: "header", Name: "X-Key", Value: "k"}},
		Variables: []ServerVariable{
			{Name: "host", Value: at.Hostname()}, {Name: "port", Value: at.Port(), From: "${env.PORT}"}, {Name: "base", Value: "rest/v2", Enum: []string{"v1", "rest/v2"}},
		},
	}
	u := newTestUpstream(t, spec, API{})
	for _, server := range []string{"", "http://localhost:{port}/files"} {
		c := u.Call("find", "GET", EffectRead)
		if server != "" {
			c.Server(server)
		}
		c.Credentials("key")
		c.Path("/a")
		if _, err := Do(t.Context(), c, scanThing); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{at.Host + "/rest/v2/a k", "localhost:" + at.Port() + "/files/a k"}; !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, c := range []struct {
		i           int
		value, want string
	}{
		{0, "evil.example@", `api shop: the server variable "host" must be a host: labels of letters, digits and - with dots between`},
		{1, "80/secret", `api shop: the server variable "port", which is ${env.PORT}, must be a port`},
		{2, "secret", `api shop: the server variable "base" must be one of v1, rest/v2`},
		{2, "", `api shop: the server variable "base" must be one of v1, rest/v2`},
	} {
		bad := spec
		bad.Variables = slices.Clone(spec.Variables)
		bad.Variables[c.i].Value = c.value
		if _, err := New(bad, API{}); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v", c.value, err)
		}
	}
	spec.Variables = nil
	if _, err := New(spec, API{}); err == nil {
		t.Error("an address with an open variable was accepted")
	}
}
