package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func parsed(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestOrigins: which addresses are on the server of another one.
func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		next, from string
		want       bool
	}{
		{"http://a.example/x", "http://a.example/", true}, {"http://A.example:80/", "http://a.example", true}, {"https://a.example", "https://a.example:443/", true},
		{"https://a.example:80", "https://a.example", false}, {"http://a.example:443", "http://a.example", false}, {"https://a.example", "http://a.example", false},
		{"http://b.example", "http://a.example", false}, {"http://u@a.example", "http://a.example", false}, {"http:a.example", "http://a.example", false}, {"http://a.example:8080", "http://a.example:8080", true},
	} {
		if got := sameOrigin(parsed(t, c.next), parsed(t, c.from)); got != c.want {
			t.Errorf("%s from %s: %v", c.next, c.from, got)
		}
	}
}

// TestRedirectTargets: which redirects are followed, and to where: never with an effect,
// never to another server, and always with the credentials of the query.
func TestRedirectTargets(t *testing.T) {
	for _, c := range []struct {
		status                   int
		method, location, secret string
		effect                   Effect
		want                     string
	}{
		{301, "GET", "/b", "", EffectRead, "http://a.example/b"}, {302, "GET", "b?x=1#f", "", EffectRead, "http://a.example/v/b?x=1"}, {303, "HEAD", "/b", "", EffectRead, "http://a.example/b"},
		{307, "GET", "/b", "", EffectRead, "http://a.example/b"}, {308, "GET", "http://A.example:80/b", "", EffectRead, "http://A.example:80/b"},
		{300, "GET", "/b", "", EffectRead, ""}, {304, "GET", "/b", "", EffectRead, ""}, {305, "GET", "/b", "", EffectRead, ""}, {309, "GET", "/b", "", EffectRead, ""}, {200, "GET", "/b", "", EffectRead, ""},
		{302, "POST", "/b", "", EffectRead, ""}, {302, "GET", "/b", "", EffectUnsafe, ""}, {302, "GET", "", "", EffectRead, ""}, {302, "GET", "https://a.example/b", "", EffectRead, ""},
		{302, "GET", "http://b.example/", "", EffectRead, ""}, {302, "GET", "http://%", "", EffectRead, ""},
		{302, "GET", "/b", "key=s", EffectRead, "http://a.example/b?key=s"}, {302, "GET", "/b?x=1", "key=s&o%20k=t", EffectRead, "http://a.example/b?x=1&key=s&o%20k=t"},
		{302, "GET", "/b?key=other", "key=s", EffectRead, "http://a.example/b?key=other"},
	} {
		call := &Call{method: c.method, effect: c.effect, secretQuery: c.secret}
		resp := &http.Response{StatusCode: c.status, Header: http.Header{}}
		if c.location != "" {
			resp.Header.Set("Location", c.location)
		}
		got := ""
		if next, follow := call.redirect(resp, parsed(t, "http://a.example/v/a?y=1")); follow {
			got = next.String()
		}
		if got != c.want {
			t.Errorf("%d to %q by %s: %q, want %q", c.status, c.location, c.method, got, c.want)
		}
	}
}

// TestRounds: where counting begins, and which page comes next.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		r     Round
		query string
		want  int64
	}{
		{Round{Page: "page"}, "a=1&page=10", 10}, {Round{Offset: "o f"}, "o%20f=7", 7}, {Round{Page: "page"}, "pages=3", 0}, {Round{Page: "page"}, "page=x&page=4", 4}, {Round{Token: "page"}, "page=10", 0},
		{Round{Page: "page"}, "page=9223372036854775807", 1<<63 - 1}, {Round{Page: "page"}, "page=9223372036854775808", 0},
	} {
		if got := c.r.firstNumber(&Call{query: []byte(c.query)}); got != c.want {
			t.Errorf("%+v of %s: %d, want %d", c.r, c.query, got, c.want)
		}
	}
	type step struct {
		items int
		next  string
		want  string
	}
	link := http.Header{"Link": {`</l>; rel=next`}}
	for name, c := range map[string]struct {
		r     Round
		steps []step
	}{
		"no more":   {Round{Page: "p"}, []step{{3, "-", "end"}}},
		"pages":     {Round{Page: "p", number: 10}, []step{{3, "", "11"}, {3, "", "12"}, {0, "", "end"}}},
		"offsets":   {Round{Offset: "o", number: 10}, []step{{3, "", "13"}, {2, "", "15"}, {0, "", "end"}}},
		"tokens":    {Round{Token: "t"}, []step{{1, "a", "a"}, {0, "b", "b"}, {1, "", "end"}}},
		"one token": {Round{Token: "t"}, []step{{1, "a", "a"}, {1, "a", "a page leads to an earlier one"}}},
		"addresses": {Round{}, []step{{1, "?c=1&key=s#f", "http://a.example/x?c=1"}, {1, "/y", "http://a.example/y"}, {1, "/x?q=1", "a page leads to an earlier one"}}},
		"abroad":    {Round{}, []step{{1, "//b.example", "a page leads to another origin"}}},
		"links":     {Round{Link: true}, []step{{1, "passed over", "http://a.example/l"}, {1, "", "a page leads to an earlier one"}}},
	} {
		r := c.r
		r.Step = "list"
		r.call = &Call{step: "list", target: *parsed(t, "http://a.example/x?q=1&key=s"), secretQuery: "key=s", answer: link}
		for i, s := range c.steps {
			r.More, r.Next = s.next != "-", s.next
			more, err := r.advance(s.items)
			got := r.text
			if r.jump != nil {
				got = r.jump.String()
			}
			if e := tool.AsError(err); err != nil {
				if got = e.Err.Error(); e.Kind != tool.KindBadBackend || e.Step != "list" {
					t.Errorf("%s: %+v", name, e)
				}
			} else if !more {
				got = "end"
			}
			if got != s.want {
				t.Errorf("%s, step %d: %s, want %s", name, i, got, s.want)
			}
		}
	}
}

// TestTooManyWords has the whole error of a list beyond its bounds, and TestRounds what
// leads there.
func TestTooManyWords(t *testing.T) {
	e := tool.AsError((&Round{Step: "list", Max: 7}).tooMany("7 entries"))
	if e.Kind != tool.KindRejected || e.Code != "too_many" || e.Step != "list" || e.Message != "There are more than 7 entries to look at, which is the most that is looked at in one call." ||
		e.Hint != "Narrow the request down." || e.Developer != "step list: collect: met a bound: max is 7, and at most 20 pages are read" {
		t.Errorf("%+v", e)
	}
}

// TestLogOfAttempts: one record for each attempt, without anything of the call.
func TestLogOfAttempts(t *testing.T) {
	var b bytes.Buffer
	plain := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	log := func(level slog.Level) context.Context {
		return tool.WithCall(t.Context(), &tool.Principal{}, &tool.Invocation{}, slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: level, ReplaceAttr: plain})))
	}
	c := &Call{u: &Client{name: "geo"}, step: "find", method: "GET", status: 503}
	c.log(log(slog.LevelInfo), 1, time.Second, nil)
	c.log(log(slog.LevelDebug), 2, time.Second, &tool.Error{Kind: tool.KindUnavailable, Message: "secret"})
	c.status = 200
	c.log(log(slog.LevelDebug), 3, 2*time.Second, nil)
	const want = "level=DEBUG msg=upstream api=geo step=find method=GET attempt=2 status=503 took=1s kind=unavailable\n" +
		"level=DEBUG msg=upstream api=geo step=find method=GET attempt=3 status=200 took=2s\n"
	if got := b.String(); got != want {
		t.Errorf("%s", got)
	}
}

// TestRequestsAreWhole: what a request is made of.
func TestRequestsAreWhole(t *testing.T) {
	target, header := parsed(t, "http://a.example/x"), http.Header{"A": {"b"}}
	for _, body := range []string{"-", "", "text"} {
		c := &Call{method: "PUT", to: origin{host: "a.example"}, hasBody: body != "-", body: []byte(strings.TrimPrefix(body, "-"))}
		r := c.request(t.Context(), target, header)
		if r.Method != "PUT" || r.URL != target || r.Host != "a.example" || r.Header.Get("A") != "b" || r.Proto != "HTTP/1.1" || r.ProtoMajor != 1 || r.ProtoMinor != 1 || r.ContentLength != int64(len(c.body)) {
			t.Errorf("%+v", r)
		}
		if (r.Body == nil) != (body == "-") || (r.GetBody == nil) != (body == "-") || (r.Body == http.NoBody) != (body == "") {
			t.Errorf("%q: body %v", body, r.Body)
		}
		if r.Body == nil {
			continue
		}
		again, err := r.GetBody()
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range []io.Reader{r.Body, again} {
			if sent, err := io.ReadAll(one); err != nil || string(sent) != body {
				t.Errorf("%q: %q, %v", body, sent, err)
			}
		}
	}
}

// TestBodyOfParts: the whole body of a form of parts, which is the same each time.
func TestBodyOfParts(t *testing.T) {
	c := newTestUpstream(t, Spec{}, API{}).Call("find", "POST", EffectRead)
	c.Part("a\"\r\n", "", "", []byte("1"))
	c.Part("b", "text/csv", "f\".csv", []byte("x,y\r\n"))
	c.joinParts()
	media := c.header.Get("Content-Type")
	boundary, is := strings.CutPrefix(media, "multipart/form-data; boundary=")
	want := strings.ReplaceAll("--B\r\nContent-Disposition: form-data; name=\"a%22%0D%0A\"\r\n\r\n1\r\n"+
		"--B\r\nContent-Disposition: form-data; name=\"b\"; filename=\"f%22.csv\"\r\nContent-Type: text/csv\r\n\r\nx,y\r\n\r\n--B--\r\n", "B", boundary)
	if !is || len(boundary) != 32 || string(c.body) != want || c.err != nil {
		t.Errorf("%s\n%q\n%q", media, c.body, want)
	}
	c = newTestUpstream(t, Spec{}, API{}).Call("find", "POST", EffectRead)
	c.Part("a", "text/plain\nX: y", "", nil)
	if c.err == nil || tool.AsError(c.err).Developer != "part a has no media type" || c.parts != nil {
		t.Errorf("%v", c.err)
	}
}

// TestCSV: rows become objects by the names in the first one.
func TestCSV(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", "a,b\n": "[]", "a,b\n1,2\n\"3\"\"\n\",\n": "[map[a:1 b:2] map[a:3\"\n b:]]", "\ufeffa\nx": "[map[a:x]]", "a,a\n1,2\n": "error", "a,b\n1\n": "error", "a\n\"": "error",
	} {
		got, err := as(t, "text/csv", Spec{}, sends("text/csv; charset=UTF-8", text))
		said := fmt.Sprint(got)
		if err != nil {
			said = "error"
		}
		if said != want {
			t.Errorf("%q: %s, want %s", text, said, want)
		}
	}
}

// TestKeysOfAnswers: requests that differ in one thing do not share an answer.
func TestKeysOfAnswers(t *testing.T) {
	seen := map[cacheKey]int{}
	ann := tool.WithPrincipal(t.Context(), &tool.Principal{ID: "ann"})
	for i, r := range []struct {
		ctx       context.Context
		personal  bool
		method    string
		target    string
		header    http.Header
		body      string
		sameAsOne bool
	}{
		{t.Context(), false, "GET", "http://a.example/", http.Header{"A": {"1"}, "B": {"2"}}, "", false}, {ann, false, "GET", "http://a.example/", http.Header{"B": {"2"}, "A": {"1"}}, "", true},
		{ann, true, "GET", "http://a.example/", http.Header{"A": {"1"}, "B": {"2"}}, "", false}, {t.Context(), true, "GET", "http://a.example/", http.Header{"A": {"1"}, "B": {"2"}}, "", false},
		{t.Context(), false, "HEAD", "http://a.example/", http.Header{"A": {"1"}, "B": {"2"}}, "", false}, {t.Context(), false, "GET", "http://a.example/x", http.Header{"A": {"1"}, "B": {"2"}}, "", false},
		{t.Context(), false, "GET", "http://a.example/", http.Header{"A": {"1", "B"}, "": {"2"}}, "", false}, {t.Context(), false, "GET", "http://a.example/", http.Header{"A": {"1"}, "B": {"2", ""}}, "", false},
		{t.Context(), false, "GET", "http://a.example/", http.Header{"A": {"1"}, "B": {"2"}}, "x", false}, {t.Context(), false, "GET", "http://a.example/", nil, "", false},
	} {
		c := &Call{u: &Client{personal: r.personal}, method: r.method, body: []byte(r.body)}
		key := c.requestKey(r.ctx, parsed(t, r.target), r.header)
		if before, is := seen[key]; is != r.sameAsOne || is && before != 0 {
			t.Errorf("request %d: %v, %d", i, is, before)
		}
		seen[key] = i
	}
}

// TestCachedAnswer: what is given again is the whole answer, and where it broke
// off it breaks off again.
func TestCachedAnswer(t *testing.T) {
	a := &rawAnswer{status: 203, header: http.Header{"Ab": {"c", "de"}}, body: []byte("text")}
	if got := a.size(); got != 4+512+2+3 {
		t.Errorf("it counts as %d bytes", got)
	}
	resp, err := a.response()
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "text" || resp.StatusCode != 203 || resp.ContentLength != 4 || resp.Header.Get("Ab") != "c" || resp.Proto != "HTTP/1.1" || resp.ProtoMajor != 1 || resp.ProtoMinor != 1 {
		t.Errorf("%+v: %q, %v", resp, body, err)
	}
	cut := errors.New("cut off")
	a.cut = cut
	resp, err = a.response()
	if err != nil || resp.ContentLength != -1 {
		t.Fatalf("%+v, %v", resp, err)
	}
	if body, err = io.ReadAll(resp.Body); !errors.Is(err, cut) || string(body) != "text" {
		t.Errorf("%q, %v", body, err)
	}
	if resp, err = (&rawAnswer{err: cut}).response(); resp != nil || !errors.Is(err, cut) {
		t.Errorf("%+v, %v", resp, err)
	}
}

// TestStillUnknown: the words of an error case do not make sure what is not.
func TestStillUnknown(t *testing.T) {
	unknown, known := &tool.Error{Kind: tool.KindUnknownOutcome}, &tool.Error{Kind: tool.KindUnavailable}
	said := &tool.Error{Kind: tool.KindRateLimited, Message: "Wait.", Retryable: true, RetryAfter: time.Second}
	if got := stillUnknown(known, said); !errors.Is(got, said) {
		t.Errorf("%+v", got)
	}
	got := tool.AsError(stillUnknown(unknown, said))
	if got.Kind != tool.KindUnknownOutcome || got.Message != "Wait." || got.Retryable || got.RetryAfter != 0 || !said.Retryable {
		t.Errorf("%+v, %+v", got, said)
	}
	if got := stillUnknown(unknown, nil); got != nil {
		t.Errorf("%+v", got)
	}
}

// TestKept: the first value of each header, in lower case.
func TestKept(t *testing.T) {
	c := &Call{kept: &Answer{}, status: 201, answer: http.Header{"X-A": {"1", "2"}, "X-B": nil}}
	if c.keep(); c.kept.Status != 201 || len(c.kept.Header) != 1 || c.kept.Header["x-a"] != "1" {
		t.Errorf("%+v", c.kept)
	}
	(&Call{}).keep()
}

type full struct{ took []byte }

func (f *full) Write(p []byte) (int, error) {
	f.took = append(f.took, p...)
	return 0, io.ErrShortWrite
}

// TestGuardedMessages: a message is cut before the bytes of an upstream, and
// counts as written whole, or not at all.
func TestGuardedMessages(t *testing.T) {
	var b bytes.Buffer
	message := []byte("at: " + string(unsolicited) + " starting with secret\n")
	for _, m := range [][]byte{message, []byte("another\n"), message[len("at: "):]} {
		if n, err := (&logGuard{&b}).Write(m); n != len(m) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if want := "at: " + string(unsolicited) + "\nanother\n" + string(unsolicited) + "\n"; b.String() != want || !strings.Contains(string(message), "secret") {
		t.Errorf("%q", &b)
	}
	f := &full{}
	if n, err := (&logGuard{f}).Write(message); n != 0 || !errors.Is(err, io.ErrShortWrite) || bytes.Contains(f.took, []byte("secret")) {
		t.Errorf("%d, %v: %s", n, err, f.took)
	}
}

// TestUserKeys: who has a token of their own.
func TestUserKeys(t *testing.T) {
	c := &Call{step: "find"}
	cred := &credential{scope: "geo"}
	for _, u := range []struct{ id, user, want string }{
		{"", "u", "This tool acts for one person, and needs a caller who has signed in."}, {"p", "", "This tool acts for one person, and needs the user id of its caller."},
		{"p", strings.Repeat("u", longestKey-len("geo/p/")), "geo/p/" + strings.Repeat("u", longestKey-len("geo/p/"))}, {"p", strings.Repeat("u", longestKey-len("geo/p/")+1), "The user id of the caller is too long."},
		{"p/q", "u r", "geo/p%2Fq/u%20r"},
	} {
		key, err := c.userKey(cred, &tool.Principal{ID: u.id, UserID: u.user})
		if e := tool.AsError(err); err != nil {
			if key != "" || e.Kind != tool.KindUnauthorized || e.Step != "find" {
				t.Errorf("%q, %+v", key, e)
			}
			key = e.Message
		}
		if key != u.want {
			t.Errorf("%s: %s, want %s", u.id, key, u.want)
		}
	}
	for _, bad := range []*Consent{{}, {Store: &MemoryTokens{}}, {User: func(*http.Request) string { return "" }}} {
		if err := bad.check(); err == nil || err.Error() != "the Consent of the API needs a Store and a User" {
			t.Errorf("%v", err)
		}
	}
}

// TestPagesForPeople hold nothing of the request, and nobody keeps them.
func TestPagesForPeople(t *testing.T) {
	w := httptest.NewRecorder()
	sayPlain(w, 403, "No.")
	want := http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Cache-Control": {"no-store"}, "Referrer-Policy": {"no-referrer"}, "X-Content-Type-Options": {"nosniff"}}
	if w.Code != 403 || w.Body.String() != "No.\n" || fmt.Sprint(w.Header()) != fmt.Sprint(want) {
		t.Errorf("%d %v %q", w.Code, w.Header(), w.Body)
	}
}

// TestTwoForOneHeader: what the chain says for a header and a credential cannot
// both go there.
func TestTwoForOneHeader(t *testing.T) {
	u := newTestUpstream(t, Spec{Name: "geo", Credentials: []Credential{{Scheme: "key", In: "header", Name: "X-Key", Value: "s3cret"}}}, API{})
	c := u.Call("find", "GET", EffectRead)
	c.Path("/")
	c.Header("X-Key", "mine")
	c.Credentials("key")
	if _, err := Do(t.Context(), c, scanThing); tool.KindOf(err) != tool.KindInternal || tool.AsError(err).Developer != "header X-Key is both a value and a credential of the call" {
		t.Errorf("%+v", tool.AsError(err))
	}
}
