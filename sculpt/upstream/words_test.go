package upstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// charsOf lists the characters of one byte that fit.
func charsOf(fits func(c string) bool) string {
	var b strings.Builder
	for c := range 256 {
		if fits(string([]byte{byte(c)})) {
			fmt.Fprintf(&b, "%c", c)
		}
	}
	return b.String()
}

// TestCharacters pins what may be where: one character more could end a path, a
// value or a header early.
func TestCharacters(t *testing.T) {
	const alnum = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	const lower = "abcdefghijklmnopqrstuvwxyz"
	kept := func(appended func(string) string) string {
		return charsOf(func(c string) bool { return appended(c) == c })
	}
	for name, c := range map[string]struct{ got, want string }{
		"values":   {kept(func(c string) string { return string(appendEscaped(nil, c)) }), "-." + alnum + "_" + lower + "~"},
		"reserved": {kept(func(c string) string { return string(appendKept(nil, c, &inReserved)) }), "!$'()*,-./0123456789:?@" + alnum[10:] + "_" + lower + "~"},
		"literals": {kept(func(c string) string { b, _ := appendLiteral(nil, nil, c); return string(b) }), "!$&'()*+,-./0123456789:;=@" + alnum[10:] + "_" + lower + "~"},
		"tokens":   {charsOf(isToken), "!#$%&'*+-." + alnum + "^_`" + lower + "|~"},
		"cookies":  {charsOf(cookieSafe), "!#$%&'()*+-./0123456789:<=>?@" + alnum[10:] + "[]^_`" + lower + "{|}~"},
		"headers":  {charsOf(headerSafe), "!\"#$%&'()*+,-./0123456789:;<=>?@" + alnum[10:] + "[\\]^_`" + lower + "{|}~"},
		"inner":    {charsOf(func(c string) bool { return headerSafe("a"+c+"b") && !headerSafe(c) }), "\t "},
		"digits":   {charsOf(func(c string) bool { return unhex(c[0]) >= 0 }), "0123456789ABCDEFabcdef"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
	if got := string(appendEscaped(nil, "\x00 /\xaf\xff")); got != "%00%20%2F%AF%FF" {
		t.Errorf("escaped: %s", got)
	}
	for text, want := range map[string]string{"%2f%C3%BC": "%2f%C3%BC|/ü", "%2": "%252|%2", "%": "%25|%", "%zz%2x": "%25zz%252x|%zz%2x", "a%41": "a%41|aA", "%fF%aA%09": "%fF%aA%09|\xff\xaa\t"} {
		if escaped, plain := appendLiteral(nil, nil, text); string(escaped)+"|"+string(plain) != want {
			t.Errorf("%s: %s|%q, want %s", text, escaped, plain, want)
		}
	}
	if isToken("") || !headerSafe("") || headerSafe("a ") || headerSafe("\ta") {
		t.Error("the ends of names and values")
	}
}

// TestSegments: which values of a path would mean another route.
func TestSegments(t *testing.T) {
	for segment, want := range map[string]string{
		"": "is empty", "/": "is empty", "//": "is empty", "\xff": "is not valid UTF-8", ".": "is a dot segment", "..": "is a dot segment", "...": "", "a": "", "a..": "",
		"a/..": "is a dot segment", `a\.`: "is a dot segment", "./b": "is a dot segment", "../b": "is a dot segment", "a/./b": "is a dot segment", "a/b": "", "/a": "", "a/": "",
		"\x1f": "holds a control character", "a\x7f": "holds a control character", " ": "", "é": "", "..\n": "holds a control character",
	} {
		if got := segmentFault(segment); got != want {
			t.Errorf("%q %s, want %q", segment, got, want)
		}
	}
	for path, want := range map[string]string{"": "is empty", "a/b": "", "a//b": "is empty", "a/../b": "is a dot segment"} {
		if got := pathFault(path, false); got != want {
			t.Errorf("%q %s, want %q", path, got, want)
		}
	}
	if pathFault("", true) != "" || pathFault("a//b", true) == "" {
		t.Error("an empty path")
	}
}

// TestFaultWords: what a header, a base URL or a credential is refused with.
func TestFaultWords(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"X A", "x", "has a name that is not a header name"}, {"", "x", "has a name that is not a header name"}, {"X-A", "\n", "has a value with characters that a header cannot hold"},
		{"X-A", "x", ""}, {"accept", "x", ""},
	} {
		if got := headerFault(c.name, c.value); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.name, c.value, got, c.want)
		}
	}
	for _, name := range []string{"host", "content-length", "Transfer-Encoding", "te", "Trailer", "connection", "Proxy-Connection", "keep-alive", "Upgrade", "expect",
		"Proxy-Authenticate", "proxy-authorization", "Accept-Encoding", "cookie"} {
		if got := headerFault(name, "x"); got != "is not for an api to set" {
			t.Errorf("%s: %q", name, got)
		}
	}
	const query, absolute, path = "must not hold a query or fragment", "must be absolute, http or https", "has a path that cannot be sent"
	for text, want := range map[string]string{
		"http://a b": "is not a URL", "": absolute, "a.example": absolute, "ftp://a.example": absolute, "http://": absolute, "http://:80": absolute, "https:///x": absolute,
		"http://u@a.example": "must not hold a user or password", "http://a.example?": query, "http://a.example?x": query, "http://a.example#": query, "http://a.example#x": query,
		"http://a.example/../x": path, "http://a.example/a//b": path, "http://a.example/%0A": path,
	} {
		if _, err := originOf(text); err == nil || err.Error() != "the base URL "+want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]origin{
		"http://a.example": {"http", "a.example", "", ""}, "https://a.example:8/": {"https", "a.example:8", "", ""}, "http://a.example/v%201/": {"http", "a.example", "/v%201", "/v 1"},
	} {
		if got, err := originOf(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, c := range []struct {
		cred Credential
		want string
	}{
		{Credential{Name: "K", In: "header", Value: "\n"}, "has a value with characters that a header cannot hold"},
		{Credential{Name: "", In: "query", Value: "x"}, "a caller's credential goes into a header, others need a name"},
		{Credential{Name: "k", In: "query", Caller: true}, "a caller's credential goes into a header, others need a name"},
		{Credential{Name: "k", In: "cookie", Caller: true}, "cannot be sent as a cookie"}, {Credential{Name: "k k", In: "cookie", Value: "x"}, "cannot be sent as a cookie"},
		{Credential{Name: "k", In: "cookie", Value: ";"}, "cannot be sent as a cookie"}, {Credential{Name: "k", In: "path", Value: "x"}, `there is no place "path"`},
	} {
		_, err := New(Spec{Name: "shop", BaseURL: "http://a.example", Credentials: []Credential{c.cred}}, API{})
		if want := fmt.Sprintf("api shop: credential %q: %s", c.cred.Name, c.want); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	_, err := New(Spec{Name: "shop", BaseURL: "http://a.example", Headers: []Header{{"Host", "x"}}}, API{})
	if err == nil || err.Error() != `api shop: header "Host" is not for an api to set` {
		t.Errorf("a header: %v", err)
	}
	if _, err = New(Spec{Name: "shop", BaseURL: "x"}, API{}); err == nil || err.Error() != "api shop: the base URL must be absolute, http or https" {
		t.Errorf("a base URL: %v", err)
	}
}

// TestRefusalWords: the message is for the model and holds no value, the other
// text is for the vendor.
func TestRefusalWords(t *testing.T) {
	for _, c := range []struct {
		build              func(*Call)
		message, developer string
	}{
		{func(c *Call) { c.Path("/a", "b", "/", "..") }, "A value for the path of the request is a dot segment.", "step find: value 2 of the path is a dot segment"},
		{func(c *Call) { c.Path("/", "", "/x") }, "A value for the path of the request is empty.", "step find: value 1 of the path is empty"},
		{func(c *Call) { c.Query("q", "\xff") }, "A value for the query of the request is not valid UTF-8.", "step find: query parameter q is not valid UTF-8"},
		{func(c *Call) { c.QueryList("q", []string{"a|b"}, ListPipe) }, "A value for the query of the request holds the character that separates the items.", "step find: query parameter q holds the character that separates the items"},
		{func(c *Call) { c.Header("x-a", "\n") }, "A value for a header of the request holds characters that a header cannot hold.", "step find: header X-A holds characters that a header cannot hold"},
		{func(c *Call) { c.HeaderList("X-A", []string{"a,b"}) }, "A value for a header of the request holds the character that separates the items.", "step find: header X-A holds the character that separates the items"},
		{func(c *Call) { c.Form("f", "\xff") }, "A value for the form of the request is not valid UTF-8.", "step find: form field f is not valid UTF-8"},
		{func(c *Call) { c.Path("x") }, "", "the path does not begin with a slash"}, {func(c *Call) { c.Path() }, "", "the path does not begin with a slash"},
		{func(c *Call) { c.QueryList("q", []string{"a"}, 9) }, "", "unknown list style"}, {func(c *Call) { c.Header("host", "x") }, "", "header Host is not for a call to set"},
		{func(c *Call) { c.Cookie("a b", "x") }, "", "cookie a b has no cookie name"}, {func(c *Call) { c.Server("https://x.example") }, "", "the api has no server https://x.example"},
	} {
		call := newTestUpstream(t, Spec{}, API{}).Call("find", "GET", EffectRead)
		c.build(call)
		_, err := Do(t.Context(), call, scanThing)
		var e *tool.Error
		if !errors.As(err, &e) || e.Message != c.message || e.Developer != c.developer || e.Step != "find" {
			t.Errorf("%+v, want %s", err, c.developer)
		}
	}
}

// TestStatuses: what each status comes to, for calls of each effect.
func TestStatuses(t *testing.T) {
	of := func(effect Effect, status int, headers ...string) string {
		u := newTestUpstream(t, Spec{Attempts: 2}, API{Transport: tripper(func(*http.Request) (*http.Response, error) { return respond(status, "", headers...), nil })})
		c := u.Call("find", "GET", effect)
		o := c.statusEnding(respond(status, "", headers...))
		e := tool.AsError(o.err)
		return fmt.Sprint(e.Kind, " ", e.Retryable, " ", o.again, " ", e.RetryAfter)
	}
	const unknown = "unknown_outcome false false 0s"
	for status, want := range map[int][3]string{
		429: {"rate_limited true true 0s", "rate_limited true true 0s", "rate_limited true false 0s"}, 408: {"unavailable true true 0s", "unavailable true true 0s", "unavailable true false 0s"},
		500: {"unavailable true true 0s", "unavailable true true 0s", unknown}, 501: {"unavailable true false 0s", "unavailable true false 0s", unknown},
		502: {"unavailable true true 0s", "unavailable true true 0s", unknown}, 504: {"unavailable true true 0s", "unavailable true true 0s", unknown}, 505: {"unavailable true false 0s", "unavailable true false 0s", unknown},
		401: {"bad_backend false false 0s", "bad_backend false false 0s", "bad_backend false false 0s"}, 403: {"bad_backend false false 0s", "bad_backend false false 0s", "bad_backend false false 0s"},
		404: {"no_result false false 0s", "no_result false false 0s", "no_result false false 0s"}, 410: {"no_result false false 0s", "no_result false false 0s", "no_result false false 0s"},
		400: {"rejected false false 0s", "rejected false false 0s", "rejected false false 0s"}, 499: {"rejected false false 0s", "rejected false false 0s", "rejected false false 0s"},
		399: {"bad_backend false false 0s", unknown, unknown}, 302: {"bad_backend false false 0s", unknown, unknown}, 199: {"bad_backend false false 0s", unknown, unknown},
	} {
		for effect, w := range want {
			if got := of(Effect(effect), status); got != w {
				t.Errorf("%d for effect %d: %s, want %s", status, effect, got, w)
			}
		}
	}
	for got, want := range map[string]string{
		of(EffectRead, 429, "Retry-After", "7"): "rate_limited true true 7s", of(EffectUnsafe, 503, "Retry-After", "0"): "unavailable true false 0s",
		of(EffectUnsafe, 503): unknown, of(EffectRead, 404, "Retry-After", "7"): "no_result false false 0s", of(EffectUnsafe, 503, "Retry-After", "2"): "unavailable true false 2s",
	} {
		if got != want {
			t.Errorf("with Retry-After: %s, want %s", got, want)
		}
	}
	for status, want := range map[int]string{200: "", 404: "the upstream answered Not Found", 799: "the upstream answered with an unknown status"} {
		if got := (&StatusError{status}).Error(); want != "" && got != want {
			t.Errorf("%d: %s", status, got)
		}
	}
}

// TestCauseWords: what a log says of a fault, without address or credential.
func TestCauseWords(t *testing.T) {
	taken, dialed := func(err error) error { return &tracedError{error: err, taken: true} }, func(err error) error { return &tracedError{error: err} }
	dns := &net.OpError{Op: "dial", Err: &net.DNSError{}}
	for _, c := range []struct {
		err        error
		kind       tool.Kind
		code, want string
	}{
		{fmt.Errorf("x: %w", ErrNotRecorded), tool.KindBadBackend, "", "x: no answer is recorded"}, {fmt.Errorf("x: %w", ErrDryRun), tool.KindInternal, "", "dry run: nothing was sent"},
		{taken(io.EOF), tool.KindUnavailable, "", "the connection broke"}, {dialed(io.EOF), tool.KindUnavailable, "", "cannot connect"}, {io.EOF, tool.KindUnavailable, "", "the connection broke"},
		{dns, tool.KindUnavailable, "", "cannot connect"}, {&net.OpError{Op: "read", Err: io.EOF}, tool.KindUnavailable, "", "the connection broke"}, {&net.DNSError{}, tool.KindUnavailable, "", "cannot connect"},
		{taken(context.DeadlineExceeded), tool.KindTimeout, "", "no answer in time"},
		{x509.UnknownAuthorityError{}, tool.KindBadBackend, "upstream_tls", "no trusted connection"}, {x509.HostnameError{Certificate: &x509.Certificate{}}, tool.KindBadBackend, "upstream_tls", "no trusted connection"},
		{dialed(x509.CertificateInvalidError{}), tool.KindBadBackend, "upstream_tls", "no trusted connection"}, {dialed(tls.RecordHeaderError{}), tool.KindBadBackend, "upstream_tls", "no trusted connection"},
		{dialed(tls.AlertError(0)), tool.KindBadBackend, "upstream_tls", "no trusted connection"}, {taken(tls.AlertError(0)), tool.KindUnavailable, "", "the connection broke"},
		{&tls.CertificateVerificationError{Err: io.EOF}, tool.KindBadBackend, "upstream_tls", "no trusted connection"}, {tls.RecordHeaderError{}, tool.KindUnavailable, "", "the connection broke"},
	} {
		call := newTestUpstream(t, Spec{}, API{}).Call("find", "GET", EffectRead)
		call.until = time.Now().Add(time.Minute)
		var e *tool.Error
		o := call.transportFault(t.Context(), c.err)
		if !errors.As(o.err, &e) || e.Kind != c.kind || e.Code != c.code || e.Err.Error() != c.want || e.Step != "find" {
			t.Errorf("%T: %v %s %v, want %v %s", c.err, e.Kind, e.Code, e.Err, c.kind, c.want)
		}
		if passes := c.kind == tool.KindUnavailable || c.kind == tool.KindTimeout; o.again != passes || e.Retryable != passes {
			t.Errorf("%v: again is %v", c.err, o.again)
		}
	}
	call := newTestUpstream(t, Spec{}, API{}).Call("find", "POST", EffectUnsafe)
	call.until = time.Now().Add(time.Minute)
	for err, want := range map[error]tool.Kind{taken(io.EOF): tool.KindUnknownOutcome, dialed(io.EOF): tool.KindUnavailable} {
		if o := call.transportFault(t.Context(), err); tool.KindOf(o.err) != want {
			t.Errorf("of what may have been done: %v, want %v", o.err, want)
		}
	}
	if e := tool.AsError(call.unknown(io.EOF).err); e.Hint != "Do not repeat the call. Find out first whether it took effect." || e.Step != "find" || !errors.Is(e, io.EOF) {
		t.Errorf("%+v", e)
	}
}

// TestCredentialWords: whose credentials were refused is all that a caller can
// do something about.
func TestCredentialWords(t *testing.T) {
	for _, c := range []struct {
		caller bool
		status int
		want   string
	}{
		{false, 401, "bad_backend upstream_auth The service behind this tool did not accept the credentials of this server."},
		{false, 403, "bad_backend upstream_auth The service behind this tool did not accept the credentials of this server."},
		{true, 401, "unauthorized  The service behind this tool did not accept the caller's credentials."},
		{true, 403, "forbidden  The service behind this tool does not allow the caller to do this."},
	} {
		u := newTestUpstream(t, Spec{Credentials: []Credential{{Scheme: "s", In: "header", Name: "Authorization", Value: "x", Caller: c.caller}, {Scheme: "other", In: "query", Name: "k", Value: "y"}}}, API{})
		call := u.Call("find", "GET", EffectRead)
		if call.Credentials("s", "none"); len(call.asked) != 1 {
			t.Errorf("%d credentials", len(call.asked))
		}
		e := tool.AsError(call.statusEnding(respond(c.status, "")).err)
		if got := fmt.Sprint(e.Kind, " ", e.Code, " ", e.Message); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	u := newTestUpstream(t, Spec{Credentials: []Credential{{In: "header", Name: "Authorization", Caller: true}}}, API{})
	for _, presented := range []string{"", "a\nb"} {
		_, err := Do(tool.WithPrincipal(t.Context(), &tool.Principal{Authorization: presented}), authorized(u, "GET"), scanThing)
		if e := tool.AsError(err); e.Kind != tool.KindUnauthorized || e.Message != "The service behind this tool needs the caller's credentials." || e.Step != "find" {
			t.Errorf("%q: %+v", presented, e)
		}
	}
}

// TestWaits: how long an upstream may let us wait.
func TestWaits(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": noRetryAfter, " 7 ": 7 * time.Second, "0": 0, "86400": 24 * time.Hour, "86401": 24 * time.Hour, "4294967295": 24 * time.Hour, "4294967296": noRetryAfter, "-1": noRetryAfter, "soon": noRetryAfter,
		"Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second, "Fri, 02 Jan 2026 03:04:00 GMT": 0, "Sun, 04 Jan 2026 03:04:05 GMT": 24 * time.Hour,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	for n, most := range []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 800 * time.Millisecond, 1600 * time.Millisecond, 2 * time.Second, 2 * time.Second} {
		var longest time.Duration
		for range 2000 {
			longest = max(longest, backoff(n))
		}
		if longest >= most || longest < most*9/10 {
			t.Errorf("before retry %d: up to %v, want %v", n, longest, most)
		}
	}
	soon := time.Now().Add(time.Hour)
	for after, want := range map[time.Duration]bool{0: true, 5 * time.Second: true, 5*time.Second + 1: false} {
		if wait, fits := retryWait(soon, 0, after); fits != want || fits && wait != after {
			t.Errorf("to wait %v: %v %v", after, wait, fits)
		}
	}
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	if _, fits := retryWait(time.Now(), 0, time.Second); fits || pause(late, time.Hour) || !pause(t.Context(), 0) {
		t.Error("waiting beyond a deadline")
	}
}

// TestBudget: retries are a tenth of the requests, and three a second.
func TestBudget(t *testing.T) {
	now := time.Unix(1000, 0)
	spend := func(b *retryBudget, at time.Time) (n int) {
		for b.take(at) {
			n++
		}
		return n
	}
	b := &retryBudget{}
	for _, c := range []struct {
		requests int
		later    time.Duration
		want     int
	}{{0, 0, 3}, {0, 0, 0}, {21, 0, 2}, {0, time.Second, 3}, {0, 2 * time.Second, 3}, {0, time.Hour, 10}, {1000, 0, 10}, {0, -time.Second, 0}} {
		for range c.requests {
			b.request()
		}
		if got := spend(b, now.Add(c.later)); got != c.want {
			t.Errorf("after %d requests and %v: %d retries, want %d", c.requests, c.later, got, c.want)
		}
	}
}

func TestMediaTypes(t *testing.T) {
	for media, want := range map[string]bool{
		"application/json": true, "APPLICATION/JSON; charset=utf-8": true, " text/json ": true, "application/problem+json": true, "a+JSON;x=y": true,
		"": false, "+json": false, "text/html": false, "application/jsonp": false, "application/json+xml": false,
	} {
		if isJSON(media) != want {
			t.Errorf("%s is JSON: %v", media, !want)
		}
	}
}

// TestInfo: what a transport learns of a call, and what it must not show.
func TestInfo(t *testing.T) {
	if _, ok := InfoOf(t.Context()); ok {
		t.Error("there is a call without one")
	}
	var seen Info
	var shown string
	u := newTestUpstream(t, Spec{Name: "shop", Credentials: []Credential{
		{In: "query", Name: "k[]", Value: "long/ secret"}, {In: "header", Name: "X-K", Value: "1234567"}, {In: "header", Name: "Authorization", Caller: true},
	}}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		seen, _ = InfoOf(r.Context())
		u := *r.URL
		u.User = url.UserPassword("a", "b")
		shown = seen.WithoutCredentials(&u).String()
		return respond(200, thingJSON), nil
	})})
	c := authorized(u, "GET")
	c.Path("/x")
	c.Query("a", "1")
	if _, err := Do(tool.WithPrincipal(t.Context(), &tool.Principal{Authorization: "Bearer tokenoftheirs"}), c, scanThing); err != nil {
		t.Fatal(err)
	}
	if seen.API != "shop" || shown != "http://api.example/x?a=1" {
		t.Errorf("api %s, url %s", seen.API, shown)
	}
	got := seen.Redact("long/ secret long%2F+secret long%2F%20secret 1234567 Bearer tokenoftheirs, tokenoftheirs Bearer")
	if want := "REDACTED REDACTED REDACTED 1234567 REDACTED, REDACTED Bearer"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	exact := &Info{}
	exact.hide("12345678")
	if exact.Redact("12345678") != "REDACTED" || withoutParams("a=1&b=2&b=3&c", "b=9&d=1") != "a=1&c" || withoutParams("a=1", "") != "a=1" || withoutParams("a=1", "a=2") != "" {
		t.Error("what is left out")
	}
}

func TestTooMany(t *testing.T) {
	if err := tooMany("s", 3, 3); err != nil {
		t.Error(err)
	}
	e := tool.AsError(tooMany("s", 4, 3))
	got := fmt.Sprint(e.Kind, " ", e.Code, " ", e.Step, " ", e.Message, " ", e.Hint, " ", e.Developer)
	if want := "rejected too_many s There are 4 entries to look at, and at most 3 are looked at in one call. Narrow the request down. step s: for_each has 4 elements, max is 3"; got != want {
		t.Errorf("%s", got)
	}
}

// TestLifetimes: how long an answer may be used, at the ends.
func TestLifetimes(t *testing.T) {
	for _, c := range []struct {
		status  int
		length  int
		headers []string
		want    time.Duration
	}{
		{200, cacheEntryBytes, nil, 24 * time.Hour}, {200, cacheEntryBytes + 1, nil, 0}, {203, 0, nil, 24 * time.Hour}, {204, 0, nil, 24 * time.Hour}, {201, 0, nil, 0}, {404, 0, nil, 0},
		{200, 0, []string{"Cache-Control", "max-age=99999999"}, 24 * time.Hour}, {200, 0, []string{"Cache-Control", "max-age=99999999999"}, 24 * time.Hour}, {200, 0, []string{"Cache-Control", `max-age="5"`}, 5 * time.Second},
		{200, 0, []string{"Cache-Control", "max-age=5,s-maxage=9"}, 9 * time.Second}, {200, 0, []string{"Cache-Control", "s-maxage=9,MAX-AGE=5"}, 9 * time.Second}, {200, 0, []string{"Cache-Control", "max-age=0"}, 0},
		{200, 0, []string{"Cache-Control", "s-maxage=x"}, 0}, {200, 0, []string{"Cache-Control", "max-age=5", "Age", "7"}, 0}, {200, 0, []string{"Age", "x"}, 24 * time.Hour}, {200, 0, []string{"Vary", "Accept"}, 24 * time.Hour},
	} {
		a := &rawAnswer{status: c.status, body: make([]byte, c.length), header: respond(200, "", c.headers...).Header}
		if got := a.lifetime(); got != c.want {
			t.Errorf("%d %d %v: %v, want %v", c.status, c.length, c.headers, got, c.want)
		}
	}
	if (&rawAnswer{status: 200, err: io.EOF}).lifetime() != 0 || (&rawAnswer{status: 200, cut: io.EOF}).lifetime() != 0 {
		t.Error("what failed is kept")
	}
	cut, err := (&rawAnswer{status: 200, body: []byte("ab"), cut: io.ErrUnexpectedEOF}).response()
	if err != nil || cut.ContentLength != -1 {
		t.Fatal(cut, err)
	}
	if text, err := io.ReadAll(cut.Body); string(text) != "ab" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestMostSpecificCase: which error case speaks for a status, whatever their
// order.
func TestMostSpecificCase(t *testing.T) {
	cases := []Case{{}, {Status: 4, Class: true}, {Status: 404}, {Problem: "p"}, {Status: 4, Class: true, Problem: "p"}, {Status: 404, Problem: "p"}, {Status: 2, Class: true}, {Status: 201}}
	for _, c := range []struct {
		of      []int
		status  int
		problem string
		exact   bool
		want    int
	}{
		{[]int{0, 1, 2, 3, 4, 5}, 404, "p", false, 5}, {[]int{0, 1, 2, 3, 4, 5}, 404, "q", false, 2}, {[]int{0, 1, 2, 3, 4, 5}, 404, "p", true, 2}, {[]int{0, 1, 3, 4}, 404, "p", false, 4}, {[]int{0, 1, 3}, 404, "p", false, 1},
		{[]int{0, 3}, 404, "p", false, 3}, {[]int{0, 3}, 500, "", false, 0}, {[]int{0, 1, 2}, 400, "", false, 1}, {[]int{0, 1, 2}, 500, "", false, 0}, {[]int{0, 1, 2}, 399, "", false, -1},
		{[]int{1, 2, 7}, 500, "", false, -1}, {[]int{2}, 405, "", false, -1}, {[]int{5}, 404, "p", true, -1}, {[]int{0, 6}, 201, "", false, -1}, {[]int{0, 1, 6, 7}, 201, "", true, 7}, {[]int{0, 1}, 404, "", true, -1},
	} {
		for range 2 {
			call := newTestUpstream(t, Spec{}, API{}).Call("find", "GET", EffectRead)
			for _, i := range c.of {
				call.On(cases[i])
			}
			got := call.caseOf(c.status, c.problem, c.exact)
			if (got == nil) != (c.want < 0) || got != nil && !reflect.DeepEqual(*got, cases[c.want]) {
				t.Errorf("%v for %d %s: %+v, want case %d", c.of, c.status, c.problem, got, c.want)
			}
			slices.Reverse(c.of)
		}
	}
}
