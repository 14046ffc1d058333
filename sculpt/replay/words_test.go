package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// TestBrokenExchanges: who writes an exchange by hand reads what is wrong.
func TestBrokenExchanges(t *testing.T) {
	const request = `{"request":{"method":"GET","url":"http://a.example/x"},"response":`
	for text, want := range map[string]string{
		`{`: "a.json: unexpected EOF", `{"other":1}`: `a.json: json: unknown field "other"`, `{"request":{"method":"GET","url":"/x"},"response":{}}`: "a.json: request.url is not an absolute URL",
		`{"request":{"method":"GET","url":"http:x"},"response":{}}`: "a.json: request.url is not an absolute URL", `{"request":{"method":"GET","url":"%zz"}}`: "a.json: request.url is not an absolute URL",
		`{"request":{"url":"http://a.example"},"response":{}}`: "a.json: request.method is missing", request + `null}`: "a.json: response is missing",
		request + `{"status":199}}`: "a.json: response.status is not a final HTTP status", request + `{"status":600}}`: "a.json: response.status is not a final HTTP status",
		request + `{"headers":{"content-type":"text/plain"},"body":{}}}`: "a.json: response.body: must be a string, since the Content-Type is not JSON",
		request + `{"text":true,"body":1}}`:                              "a.json: response.body: must be a string, since the Content-Type is not JSON",
	} {
		if _, err := Open(fstest.MapFS{"a.json": {Data: []byte(text)}}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, status := range []string{"0", "200", "599"} {
		if _, err := Open(fstest.MapFS{"a.json": {Data: []byte(request + `{"status":` + status + `}}`)}}); err != nil {
			t.Error(err)
		}
	}
	if _, err := OpenWith([]json.RawMessage{[]byte(request + `{}}`), []byte(`{`)}, fstest.MapFS{}); err == nil || err.Error() != "exchange 2: unexpected EOF" {
		t.Errorf("%v", err)
	}
}

// TestSameRequests: which requests one exchange answers.
func TestSameRequests(t *testing.T) {
	key := func(method, text, body string) string {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return exchangeKey(method, u, []byte(body))
	}
	base := key("GET", "http://a.example/x%20y/z?a=1&b=2%202", `{"a":[1,2.0],"b":null}`)
	for _, c := range []struct {
		method, url, body string
		same              bool
	}{
		{"get", "HTTP://A.example/x%20y/z?b=2+2&a=1", `{ "b":null, "a":[1,2.0] }`, true}, {"GET", "http://a.example/x%20y/z?&a=1&b=2%202&", `{"a":[1,2.0],"b":null}`, true},
		{"POST", "http://a.example/x%20y/z?a=1&b=2%202", `{"a":[1,2.0],"b":null}`, false}, {"GET", "http://a.example/x%20y%2Fz?a=1&b=2%202", `{"a":[1,2.0],"b":null}`, false},
		{"GET", "http://a.example/x%20y/z?a=1", `{"a":[1,2.0],"b":null}`, false}, {"GET", "http://a.example/x%20y/z?a=1&b=2%202", `{"a":[1,2],"b":null}`, false},
		{"GET", "http://a.example/x%20y/z?a=1&b=2%202", "", false}, {"GET", "http://a.example/x%20y/z?a=1&a=1&b=2%202", `{"a":[1,2.0],"b":null}`, false}, {"GET", "https://a.example/x%20y/z?a=1&b=2%202", `{"a":[1,2.0],"b":null}`, false},
	} {
		if got := key(c.method, c.url, c.body) == base; got != c.same {
			t.Errorf("%s %s %s: %v", c.method, c.url, c.body, got)
		}
	}
	if sameJSON(nil) != "" || sameJSON([]byte("a=1")) != "a=1" || key("GET", "http://a.example/?a=%zz", "") == key("GET", "http://a.example/?a=%zy", "") {
		t.Error("what is not JSON, or not escaped")
	}
	u, _ := url.Parse("http://A.example/a%2fb/c%7E?x")
	if got := nearKey("get", u); got != "GET http://a.example/a%2Fb/c~" {
		t.Errorf("%s", got)
	}
}

// TestNotRecorded: the error names the request, and one that is near.
func TestNotRecorded(t *testing.T) {
	files := fstest.MapFS{"a.json": {Data: []byte(`{"request":{"method":"GET","url":"http://a.example/x?a=1"},"response":{"body":{"n":1}}}`)}}
	first := []json.RawMessage{[]byte(`{"request":{"method":"GET","url":"http://a.example/y"},"response":{"status":201,"headers":{"X-A":"b","Content-Type":"text/plain"},"body":"own"}}`)}
	rt, err := OpenWith(first, files)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, url string) string {
		resp, err := rt.RoundTrip(httptest.NewRequest(method, url, http.NoBody))
		if err != nil {
			if !errors.Is(err, upstream.ErrNotRecorded) {
				t.Errorf("%v is another error", err)
			}
			return err.Error()
		}
		body, _ := io.ReadAll(resp.Body)
		return fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Content-Type"), " ", resp.ContentLength, " ", string(body))
	}
	for _, c := range []struct{ method, url, want string }{
		{"GET", "http://a.example/y", "201 text/plain 3 own"}, {"GET", "http://a.example/x?a=1", `200 application/json 7 {"n":1}`},
		{"GET", "http://a.example/x?a=2", "no exchange is recorded for GET http://a.example/x?a=2; there is one for http://a.example/x?a=1"},
		{"GET", "http://a.example/z", "no exchange is recorded for GET http://a.example/z"}, {"POST", "http://a.example/y", "no exchange is recorded for POST http://a.example/y"},
	} {
		if got := ask(c.method, c.url); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.method, c.url, got, c.want)
		}
	}
}

// TestRecordedNames: the names of files, and what is kept of a body.
func TestRecordedNames(t *testing.T) {
	for text, want := range map[string]string{
		"GET/a/B-c": "get_a_b_c", "--a--": "a", "": "", "é": "", "aéb": "a_b", "a\xffb": "ab", "az09": "az09", strings.Repeat("a", 60): strings.Repeat("a", 48), strings.Repeat("a", 47) + "/b": strings.Repeat("a", 47),
	} {
		if got := slug(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for media, want := range map[string]bool{"application/json": true, "TEXT/JSON ; x=y": true, "a/b+json": true, "": false, "text/plain": false, "application/jsonx": false} {
		if sendsJSONText(media) != want {
			t.Errorf("%s: %v", media, !want)
		}
	}
	for _, c := range []struct{ body, media, want string }{
		{`{"a":1}`, "application/json", `{"a":1} false`}, {`{`, "application/json", `"{" true`}, {`{"a":1}`, "text/plain", `"{\"a\":1}" false`}, {"", "application/json", " false"},
	} {
		if body, text := exchangeBody([]byte(c.body), c.media); fmt.Sprintf("%s %v", body, text) != c.want {
			t.Errorf("%s of %s: %s %v", c.body, c.media, body, text)
		}
	}
}

// TestTapHides: headers that are secret or change with every answer are in no
// recording, and what the caller gets is whole.
func TestTapHides(t *testing.T) {
	var seen *Exchange
	full := make([]string, 0, len(volatileHeaders))
	rt := Tap(handled{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range append([]string{"X-Secret", "X-Kept"}, volatileHeaders...) {
			if name != "Content-Encoding" {
				w.Header().Add(name, "v")
				full = append(full, name)
			}
		}
		w.Header().Add("X-Kept", "w")
		_, _ = io.WriteString(w, "hello")
	})}, func(x *Exchange) error { seen = x; return nil }, "x-secret")
	resp, err := rt.RoundTrip(httptest.NewRequest(http.MethodGet, "http://a.example/x", http.NoBody))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	delete(seen.Response.Headers, "Content-Type")
	if len(seen.Response.Headers) != 1 || seen.Response.Headers["X-Kept"] != "v, w" {
		t.Errorf("recorded: %v", seen.Response.Headers)
	}
	for _, name := range full {
		if resp.Header.Get(name) != "v" {
			t.Errorf("the caller did not get %s", name)
		}
	}
	if body, _ := io.ReadAll(resp.Body); string(body) != "hello" || resp.ContentLength != 5 || string(seen.Response.Body) != `"hello"` {
		t.Errorf("%s, %s", body, seen.Response.Body)
	}
	fails := errors.New("full")
	for _, next := range []http.RoundTripper{nil, handled{http.NotFoundHandler()}} {
		_, err := Tap(next, func(*Exchange) error { return fails }).RoundTrip(httptest.NewRequest(http.MethodGet, "http://a.example", http.NoBody))
		if !errors.Is(err, fails) {
			t.Errorf("%v", err)
		}
	}
	once := httptest.NewRequest(http.MethodPost, "http://a.example", strings.NewReader("x"))
	if _, err := rt.RoundTrip(once); err == nil || err.Error() != "the body of this request can be read only once" {
		t.Errorf("%v", err)
	}
}
