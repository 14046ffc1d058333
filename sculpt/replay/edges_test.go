package replay

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// TestVolatileHeaders: none of what changes with every answer, or may be a
// credential, is shown, and everything else is.
func TestVolatileHeaders(t *testing.T) {
	hidden := strings.Fields(`Authorization Proxy-Authorization Cookie Set-Cookie Set-Cookie2 WWW-Authenticate Proxy-Authenticate Authentication-Info Date Age Server
		Via Alt-Svc NEL Report-To Content-Length Content-Encoding Transfer-Encoding Connection Keep-Alive Trailer Vary X-Request-ID X-Correlation-ID X-Server-Id
		X-Edge-Request-Id X-Powered-By CF-Ray Strict-Transport-Security Accept-Ranges Expires X-Cache X-Own`)
	header := http.Header{}
	for _, name := range hidden {
		header.Set(name, "x")
	}
	header["X-Shown"] = []string{"a", "b"}
	var got *Exchange
	tap := Tap(answering(&http.Response{StatusCode: 200, Header: header, Body: http.NoBody}), func(x *Exchange) error { got = x; return nil }, "x-own")
	if _, err := tap.RoundTrip(httptest.NewRequest("GET", "http://a.example/", nil)); err != nil {
		t.Fatal(err)
	}
	if len(got.Response.Headers) != 1 || got.Response.Headers["X-Shown"] != "a, b" || got.Response.Body != nil {
		t.Errorf("%+v", got.Response)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answering(resp *http.Response) transport {
	return func(*http.Request) (*http.Response, error) { return resp, nil }
}

var errBroken = errors.New("broken")

// broken cannot be read, or only once.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errBroken }

// TestTapFails: what fails on the way fails the call, and there is no answer then.
func TestTapFails(t *testing.T) {
	fine := func(*Exchange) error { return nil }
	refuse := func(*Exchange) error { return errBroken }
	answer := func(body io.Reader, encoding string) http.RoundTripper {
		return answering(&http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {encoding}}, Body: io.NopCloser(body)})
	}
	plain := func() *http.Request { return httptest.NewRequest("GET", "http://a.example/", nil) }
	with := func(body func() (io.ReadCloser, error)) *http.Request {
		r := httptest.NewRequest("POST", "http://a.example/", strings.NewReader("x"))
		r.GetBody = body
		return r
	}
	for name, c := range map[string]struct {
		tap  http.RoundTripper
		r    *http.Request
		want string
	}{
		"body that is read once":  {Tap(nil, fine), with(nil), "the body of this request can be read only once"},
		"body that is not there":  {Tap(nil, fine), with(func() (io.ReadCloser, error) { return nil, errBroken }), "broken"},
		"body that breaks off":    {Tap(nil, fine), with(func() (io.ReadCloser, error) { return io.NopCloser(broken{}), nil }), "broken"},
		"nothing is sent":         {Tap(nil, fine), plain(), upstream.ErrDryRun.Error()},
		"nothing is sent or seen": {Tap(nil, refuse), plain(), "broken"},
		"no answer":               {Tap(transport(func(*http.Request) (*http.Response, error) { return nil, errBroken }), fine), plain(), "broken"},
		"answer that breaks off":  {Tap(answer(broken{}, ""), fine), plain(), "broken"},
		"answer that is no gzip":  {Tap(answer(strings.NewReader("0123456789"), "gzip"), fine), plain(), "gzip: invalid header"},
		"gzip that breaks off":    {Tap(answer(strings.NewReader(string(zip("text")[:20])), "x-GZIP"), fine), plain(), "unexpected EOF"},
		"answer that is not seen": {Tap(answer(strings.NewReader("x"), ""), refuse), plain(), "broken"},
		"name that is not taken":  {Record(answer(strings.NewReader("x"), ""), func(string, []byte) error { return errBroken }), plain(), "broken"},
	} {
		resp, err := c.tap.RoundTrip(c.r)
		if resp != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v", name, resp, err)
		}
	}
}

// TestSlug: names of files have letters, digits and single underscores, and an end.
func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "GET/v1/Users": "get_v1_users", "//a--b//": "a_b", "é": "", "aéb": "a_b", "a\xffb": "ab", strings.Repeat("a", 50): strings.Repeat("a", 48),
		strings.Repeat("a", 47) + "-b": strings.Repeat("a", 47), strings.Repeat("a", 46) + "-b": strings.Repeat("a", 46) + "_b", "azAZ09": "azaz09",
	} {
		if got := slug(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var names []string
	tap := Record(transport(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	}), func(name string, _ []byte) error { names = append(names, name); return nil })
	for _, at := range []string{"http://a.example/x", "http://a.example/", "http://b.example:80/x"} {
		if _, err := tap.RoundTrip(httptest.NewRequest("GET", at, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a_example-001-get_x.json", "a_example-002-get.json", "b_example-001-get_x.json"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// backwards lists files in another order.
type backwards struct{ fstest.MapFS }

func (b backwards) Glob(pattern string) ([]string, error) {
	names, err := fs.Glob(b.MapFS, pattern)
	slices.Reverse(names)
	return names, err
}

// unlisted cannot be listed.
type unlisted struct{ fstest.MapFS }

func (unlisted) Glob(string) ([]string, error) { return nil, errBroken }

// TestOpen: answers come in the order of their files, and what cannot be read is
// an error.
func TestOpen(t *testing.T) {
	exchange := func(status string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"request":{"method":"GET","url":"http://a.example/"},"response":{"status":` + status + `}}`)}
	}
	r, err := Open(backwards{fstest.MapFS{"a.json": exchange("201"), "b.json": exchange("202"), "c.json": exchange("0")}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{201, 202, 200, 200} {
		resp, err := r.RoundTrip(httptest.NewRequest("GET", "http://a.example/", nil))
		if err != nil || resp.StatusCode != want {
			t.Errorf("%v, %v; want %d", resp, err, want)
		}
	}
	for name, c := range map[string]struct {
		files fs.FS
		want  string
	}{
		"not listed": {unlisted{}, "broken"}, "a folder": {fstest.MapFS{"a.json/b": exchange("1")}, "read a.json: invalid argument"},
		"one that is wrong": {fstest.MapFS{"a.json": exchange("600")}, "a.json: response.status is not a final HTTP status"},
		"one more":          {fstest.MapFS{"a.json": exchange("199")}, "a.json: response.status is not a final HTTP status"},
	} {
		if r, err := Open(c.files); r != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		if r, err := OpenWith(nil, c.files); r != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	if r, err := OpenWith(nil, fstest.MapFS{"a.json": exchange("599")}); r == nil || err != nil {
		t.Error(err)
	}
}

// TestAnswers: the whole of an answer that was recorded.
func TestAnswers(t *testing.T) {
	answer := &Response{Status: 203, Headers: map[string]string{"x-own": "1"}, Body: []byte(`{"a":1}`)}
	req := httptest.NewRequest("GET", "http://a.example/", nil)
	resp, err := answer.response(req)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 203 || resp.Proto != "HTTP/1.1" || resp.ProtoMajor != 1 || resp.ProtoMinor != 1 || resp.Request != req || resp.ContentLength != 7 || string(body) != `{"a":1}` ||
		len(resp.Header) != 2 || resp.Header.Get("X-Own") != "1" || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%+v: %s", resp, body)
	}
	resp, err = answer.response(httptest.NewRequest("HEAD", "http://a.example/", nil))
	if body, _ := io.ReadAll(resp.Body); err != nil || len(body) != 0 || resp.ContentLength != 0 || resp.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%+v: %s, %v", resp, body, err)
	}
	if resp, err = (&Response{Body: []byte("1")}).response(req); err != nil || resp.StatusCode != 200 || resp.ContentLength != 1 || resp.Header.Get("Content-Type") == "" {
		t.Errorf("%+v, %v", resp, err)
	}
	if resp, err = (&Response{}).response(req); err != nil || len(resp.Header) != 0 {
		t.Errorf("%+v, %v", resp, err)
	}
	if resp, err = (&Response{Headers: map[string]string{"Content-Type": "text/plain"}, Body: []byte("1")}).response(req); err == nil || resp != nil {
		t.Errorf("%+v, %v", resp, err)
	}
}

// TestKeysOfRequests: which requests are the same one.
func TestKeysOfRequests(t *testing.T) {
	key := func(method, at, body string) string {
		u, err := url.Parse(at)
		if err != nil {
			t.Fatal(err)
		}
		return exchangeKey(method, u, []byte(body))
	}
	const at = "http://a.example/x%2Fy/z?b=1&a=2"
	one := key("GET", at, "")
	for _, same := range []string{key("get", at, ""), key("GET", "HTTP://A.example/x%2fy/%7A?a=2&b=%31", ""), key("GET", "http://a.example/x%2Fy/z?a=2&&b=1", "")} {
		if same != one {
			t.Errorf("%q is another request than %q", same, one)
		}
	}
	for _, other := range []string{key("PUT", at, ""), key("GET", "http://a.example/x/y/z?b=1&a=2", ""), key("GET", "https://a.example/x%2Fy/z?b=1&a=2", ""), key("GET", at+"&a=2", ""),
		key("GET", at, "1"), key("GET", "http://a.example/x%2Fy/z", "")} {
		if other == one {
			t.Errorf("%q is the same request", other)
		}
	}
	for _, c := range [][2]string{{`{"a":1,"b":[2.50]}`, ` {"b":[2.50],"a":1}`}, {"", ""}, {"x=1", "x=1"}} {
		if sameJSON([]byte(c[0])) != sameJSON([]byte(c[1])) {
			t.Errorf("%s is not %s", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{`{"a":1}`, `{"a":1.0}`}, {`[1]`, `1`}, {"x=1", "x=2"}, {"", "null"}, {"1", ""}} {
		if sameJSON([]byte(c[0])) == sameJSON([]byte(c[1])) {
			t.Errorf("%s is %s", c[0], c[1])
		}
	}
}
