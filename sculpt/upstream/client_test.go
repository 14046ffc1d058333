package upstream

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

type thing struct{ name string }

var thingKeys = scan.NewKeys("name")

func scanThing(s *scan.Scanner) (v thing) {
	for s.Open(); s.Next(thingKeys); {
		v.name = s.Text()
	}
	return v
}

const thingJSON = `{"name":"found"}`

func sendThing(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, thingJSON)
}

func newTestUpstream(t *testing.T, spec Spec, api API) *Client {
	t.Helper()
	if spec.BaseURL == "" {
		spec.BaseURL = "http://api.example"
	}
	u, err := New(spec, api)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func getThing(u *Client, effect Effect) (thing, error) {
	method := map[Effect]string{EffectRead: "GET", EffectIdempotent: "PUT", EffectUnsafe: "POST"}[effect]
	c := u.Call("find", method, effect)
	c.Path("/things")
	c.Strict()
	if effect != EffectRead {
		c.Body("application/json", []byte(`{}`))
	}
	return Do(context.Background(), c, scanThing)
}

// hijack takes the connection of a request and lets do write raw bytes.
func hijack(w http.ResponseWriter, do func(*net.TCPConn)) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	do(conn.(*net.TCPConn))
	_ = conn.Close()
}

func zip(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.Bytes()
}

func answer(status int, contentType, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		} else {
			w.Header()["Content-Type"] = nil
		}
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const fine = tool.Kind(255)

// TestFaults is the fault matrix: what each caller sees of each fault, and
// how often the upstream is asked.
func TestFaults(t *testing.T) {
	reset := func(w http.ResponseWriter, _ *http.Request) {
		hijack(w, func(c *net.TCPConn) { _ = c.SetLinger(0) })
	}
	raw := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(c *net.TCPConn) { _, _ = io.WriteString(c, text) })
		}
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	tests := []struct {
		name         string
		handler      http.HandlerFunc
		read         tool.Kind
		asked        int
		unsafe       tool.Kind
		code, header string
	}{
		{"fine", answer(200, "application/json; charset=utf-8", thingJSON), fine, 1, fine, "", ""},
		{"geo+json", answer(200, "application/geo+json", thingJSON), fine, 1, fine, "", ""},
		{"problem+json success", answer(201, "Application/LD+JSON", thingJSON), fine, 1, fine, "", ""},
		{"gzip", answer(200, "application/json", string(zip(thingJSON)), "Content-Encoding", "gzip"), fine, 1, fine, "", ""},
		{"chunked", raw(head + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"name\":\r\n8\r\n\"found\"}\r\n0\r\n\r\n"), fine, 1, fine, "", ""},
		{"reset before any byte", reset, tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"empty reply", raw(""), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"no HTTP", raw("SSH-2.0-x\r\n\r\n"), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"cut body", raw(head + "Content-Length: 100\r\n\r\n{\"na"), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"cut JSON", answer(200, "application/json", `{"name":"fo`), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"cut gzip", answer(200, "application/json", string(zip(thingJSON)[:20]), "Content-Encoding", "gzip"), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"cut chunks", raw(head + "Transfer-Encoding: chunked\r\n\r\n8\r\n{\"name\":\r\n"), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"html", answer(200, "text/html", "<html>"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"html called JSON", answer(200, "application/json", "<html>"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"no content type", answer(200, "", thingJSON), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"text", answer(200, "text/json+x", thingJSON), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"brotli", answer(200, "application/json", "x", "Content-Encoding", "br"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"gzip lie", answer(200, "application/json", thingJSON, "Content-Encoding", "gzip"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"204", answer(204, "application/json", ""), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"empty body", answer(200, "application/json", ""), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"trailing data", answer(200, "application/json", thingJSON+"{}"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"invalid UTF-8", answer(200, "application/json", "{\"name\":\"\xff\"}"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"duplicate", answer(200, "application/json", `{"name":"a","name":"b"}`), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"wrong kind", answer(200, "application/json", `{"name":1}`), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"null", answer(200, "application/json", `{"name":null}`), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"too deep", answer(200, "application/json", `{"x":`+strings.Repeat("[", 5000)), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"too large", answer(200, "application/json", `{"x":"`+strings.Repeat("x", 2<<20)+`"}`), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "upstream_too_large", ""},
		{"gzip bomb", answer(200, "application/json", string(zip(`{"x":"`+strings.Repeat("x", 20<<20)+`"}`)), "Content-Encoding", "gzip"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "upstream_too_large", ""},
		{"300", answer(300, "", ""), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"304", answer(304, "", ""), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"redirect without target", answer(302, "", ""), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"redirect to another host", answer(302, "", "", "Location", "http://other.example/"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"redirect to no scheme", answer(302, "", "", "Location", "//other.example/x"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"redirect with user", answer(302, "", "", "Location", "http://a@b/x"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"redirect to a file", answer(302, "", "", "Location", "file:///etc/passwd"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"redirect loop", answer(302, "", "", "Location", "/things"), tool.KindBadBackend, 4, tool.KindUnknownOutcome, "", ""},
		{"301", answer(301, "", "", "Location", "http://other.example/"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"303", answer(303, "", "", "Location", "http://other.example/"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"307", answer(307, "", "", "Location", "http://other.example/"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"308", answer(308, "", "", "Location", "http://other.example/"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"101", raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"), tool.KindBadBackend, 1, tool.KindUnknownOutcome, "", ""},
		{"400", answer(400, "application/json", "{}"), tool.KindRejected, 1, tool.KindRejected, "", ""},
		{"401", answer(401, "", ""), tool.KindBadBackend, 1, tool.KindBadBackend, "upstream_auth", ""},
		{"403", answer(403, "", ""), tool.KindBadBackend, 1, tool.KindBadBackend, "upstream_auth", ""},
		{"404", answer(404, "text/html", "<html>"), tool.KindNoResult, 1, tool.KindNoResult, "", ""},
		{"409", answer(409, "", ""), tool.KindRejected, 1, tool.KindRejected, "", ""},
		{"422", answer(422, "", ""), tool.KindRejected, 1, tool.KindRejected, "", ""},
		{"408", answer(408, "", ""), tool.KindUnavailable, 3, tool.KindUnavailable, "", ""},
		{"429", answer(429, "", ""), tool.KindRateLimited, 3, tool.KindRateLimited, "", ""},
		{"429, come back now", answer(429, "", "", "Retry-After", "0"), tool.KindRateLimited, 3, tool.KindRateLimited, "", ""},
		{"429, come back later", answer(429, "", "", "Retry-After", "30"), tool.KindRateLimited, 1, tool.KindRateLimited, "", "30s"},
		{"500", answer(500, "", ""), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"501", answer(501, "", ""), tool.KindUnavailable, 1, tool.KindUnknownOutcome, "", ""},
		{"502", answer(502, "text/html", "x"), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"503", answer(503, "", ""), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
		{"503 later", answer(503, "", "", "Retry-After", "60"), tool.KindUnavailable, 1, tool.KindUnavailable, "", "1m0s"},
		{"504", answer(504, "", ""), tool.KindUnavailable, 3, tool.KindUnknownOutcome, "", ""},
	}
	for _, test := range tests {
		for _, effect := range []Effect{EffectRead, EffectIdempotent, EffectUnsafe} {
			t.Run(fmt.Sprintf("%s/%d", test.name, effect), func(t *testing.T) {
				t.Parallel()
				var asked atomic.Int32
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					asked.Add(1)
					test.handler(w, r)
				}))
				server.Config.ErrorLog = log.New(io.Discard, "", 0)
				server.Start()
				defer server.Close()
				u := newTestUpstream(t, Spec{Name: "geo", BaseURL: server.URL, MaxBody: 1 << 20}, API{})
				got, err := getThing(u, effect)
				want, times := test.read, test.asked
				if effect == EffectUnsafe {
					want, times = test.unsafe, 1
				}
				if status, _ := strconv.Atoi(test.name); effect == EffectIdempotent && (status > 0 && status < 400 && status/100 != 2 || strings.HasPrefix(test.name, "redirect")) {
					want, times = tool.KindUnknownOutcome, 1 // where a change went elsewhere, nobody knows what became of it
				}
				checkFault(t, got, err, want, test.code, test.header)
				if n := int(asked.Load()); n != times {
					t.Errorf("asked %d times, want %d", n, times)
				}
			})
		}
	}
}

func checkFault(t *testing.T, got thing, err error, want tool.Kind, code, after string) {
	t.Helper()
	if want == fine {
		if err != nil || got.name != "found" {
			t.Fatalf("got %+v, %v", got, err)
		}
		return
	}
	var e *tool.Error
	if !errors.As(err, &e) || e.Kind != want || e.Step != "find" || got != (thing{}) {
		t.Fatalf("got %+v, %v (kind %v), want kind %v", got, err, tool.KindOf(err), want)
	}
	transient := want == tool.KindUnavailable || want == tool.KindRateLimited || want == tool.KindTimeout
	if e.Retryable != transient {
		t.Errorf("retryable is %v", e.Retryable)
	}
	if want != tool.KindUnknownOutcome && e.Code != code {
		t.Errorf("code is %q, want %q", e.Code, code)
	}
	if after != "" && e.RetryAfter.String() != after {
		t.Errorf("retry after %v, want %s", e.RetryAfter, after)
	}
	for _, secret := range []string{"127.0.0.1", "http:", "/things"} {
		if strings.Contains(e.Message+e.Hint, secret) {
			t.Errorf("the message gives away %q: %s", secret, e.Message)
		}
	}
}

func TestConnectionRefused(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	u := newTestUpstream(t, Spec{BaseURL: server.URL}, API{})
	for _, effect := range []Effect{EffectRead, EffectUnsafe} {
		_, err := getThing(u, effect)
		checkFault(t, thing{}, err, tool.KindUnavailable, "", "")
		if strings.Contains(err.Error(), "127.0.0.1") {
			t.Error("the text gives away the address:", err)
		}
		if _, ok := errors.AsType[*net.OpError](err); !ok {
			t.Error("the cause is lost")
		}
	}
}

func TestTLSIsNotRetried(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { asked.Add(1); return nil, nil }}
	server.StartTLS()
	defer server.Close()
	u := newTestUpstream(t, Spec{BaseURL: server.URL}, API{})
	for _, effect := range []Effect{EffectRead, EffectUnsafe} {
		_, err := getThing(u, effect)
		checkFault(t, thing{}, err, tool.KindBadBackend, "upstream_tls", "")
	}
	if asked.Load() != 2 {
		t.Error("handshakes:", asked.Load())
	}
}

// tripper is a transport in the process.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(status int, body string, headers ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}
}

func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := tripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		slowBody := tripper(func(r *http.Request) (*http.Response, error) {
			resp := respond(200, "")
			resp.Body = io.NopCloser(readerFunc(func([]byte) (int, error) { <-r.Context().Done(); return 0, r.Context().Err() }))
			return resp, nil
		})
		for _, transport := range []http.RoundTripper{slow, slowBody, inProcess{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })}} {
			u := newTestUpstream(t, Spec{}, API{Transport: transport})
			begin := time.Now()
			_, err := getThing(u, EffectRead)
			checkFault(t, thing{}, err, tool.KindTimeout, "", "")
			if took := time.Since(begin); took != 10*time.Second {
				t.Error("took", took)
			}
			_, err = getThing(u, EffectUnsafe)
			checkFault(t, thing{}, err, tool.KindUnknownOutcome, "", "")
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			begin = time.Now()
			c := u.Call("find", "GET", EffectRead)
			c.Timeout(time.Minute)
			_, err = Do(ctx, c, scanThing)
			cancel()
			if checkFault(t, thing{}, err, tool.KindTimeout, "", ""); time.Since(begin) != time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Error(time.Since(begin), err)
			}
			ctx, cancel = context.WithCancel(context.Background())
			cancel()
			if _, err = Do(ctx, u.Call("find", "POST", EffectUnsafe), scanThing); !errors.Is(err, context.Canceled) || tool.KindOf(err) == tool.KindUnknownOutcome {
				t.Error("nothing was sent:", err)
			}
			synctest.Wait()
		}
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var script []*http.Response
		u := newTestUpstream(t, Spec{}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			if r.Body != nil {
				if b, _ := io.ReadAll(r.Body); string(b) != "{}" {
					t.Errorf("body of attempt %d: %q", asked+1, b)
				}
			}
			asked++
			return script[asked-1], nil
		})})
		try := func(effect Effect, s ...*http.Response) (time.Duration, error) {
			time.Sleep(10 * time.Second) // fills the budget
			asked, script = 0, s
			begin := time.Now()
			_, err := getThing(u, effect)
			return time.Since(begin), err
		}
		if took, err := try(EffectIdempotent, respond(503, ""), respond(500, ""), respond(200, thingJSON)); err != nil || asked != 3 || took > 300*time.Millisecond {
			t.Error(took, err, asked)
		}
		if took, err := try(EffectRead, respond(503, "", "Retry-After", "4"), respond(200, thingJSON)); err != nil || took != 4*time.Second {
			t.Error("seconds:", took, err)
		}
		at := time.Now().Add(13 * time.Second).UTC().Format(http.TimeFormat)
		if took, err := try(EffectRead, respond(429, "", "Retry-After", at), respond(200, thingJSON)); err != nil || took < 2*time.Second || took > 3*time.Second {
			t.Error("a date:", took, err)
		}
		if _, err := try(EffectRead, respond(503, "", "Retry-After", "6")); tool.KindOf(err) != tool.KindUnavailable || asked != 1 {
			t.Error("too long to wait:", err)
		}
		if _, err := try(EffectRead, respond(503, "", "Retry-After", "5"), respond(503, "", "Retry-After", "5")); tool.KindOf(err) != tool.KindUnavailable || asked != 2 {
			t.Error("the second wait does not fit the deadline:", err, asked)
		}
	})
}

func TestRetryBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		u := newTestUpstream(t, Spec{}, API{Transport: tripper(func(*http.Request) (*http.Response, error) {
			asked++
			return respond(503, "", "Retry-After", "0"), nil
		})})
		for range 100 {
			_, _ = getThing(u, EffectRead)
		}
		if asked < 103 || asked > 120 {
			t.Errorf("100 failing calls asked %d times", asked)
		}
		time.Sleep(time.Second)
		asked = 0
		for range 10 {
			_, _ = getThing(u, EffectRead)
		}
		if asked < 13 || asked > 15 {
			t.Errorf("a second later 10 calls asked %d times", asked)
		}
	})
}

func TestErrorCases(t *testing.T) {
	specific := errors.New("specific")
	problem := func(kind string) *http.Response {
		return respond(404, `{"title":"x","type":"`+kind+`"}`, "Content-Type", "application/problem+json")
	}
	tests := []struct {
		name   string
		answer *http.Response
		want   string
		asked  int
	}{
		{"status and problem", problem("https://api.example/problems/InvalidPoint"), "InvalidPoint", 1},
		{"with a slash and query", problem("https://api.example/problems/InvalidPoint/?x#y"), "InvalidPoint", 1},
		{"urn", problem("urn:problem:InvalidPoint"), "InvalidPoint", 1},
		{"another problem", problem("https://api.example/problems/Other"), "404", 1},
		{"problem in bad JSON", respond(404, `{"type":"InvalidPoint",`), "404", 1},
		{"problem in html", respond(404, `{"type":"InvalidPoint"}`, "Content-Type", "text/html"), "404", 1},
		{"class", respond(410, ""), "4xx", 1},
		{"default", respond(500, ""), "default", 3},
		{"never", respond(503, ""), "503", 1},
		{"same", respond(409, ""), "409", 3},
		{"a success that is none", respond(202, thingJSON), "202", 1},
		{"nil error", respond(418, ""), "<nil>", 1},
		{"success", respond(200, thingJSON), "<nil>", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			asked := 0
			body, _ := io.ReadAll(test.answer.Body)
			u := newTestUpstream(t, Spec{}, API{Transport: tripper(func(*http.Request) (*http.Response, error) {
				asked++
				r := *test.answer
				r.Body = io.NopCloser(bytes.NewReader(body))
				return &r, nil
			})})
			c := u.Call("find", "GET", EffectRead)
			c.Path("/x")
			fail := func(text string) func() error {
				return func() error { return fmt.Errorf("%s%w", text, specific) }
			}
			c.On(Case{Status: 0, Fail: fail("default")})
			c.On(Case{Status: 4, Class: true, Fail: fail("4xx")})
			c.On(Case{Status: 404, Fail: fail("404")})
			c.On(Case{Status: 404, Problem: "InvalidPoint", Fail: fail("InvalidPoint")})
			c.On(Case{Status: 503, Retry: RetryNever, Fail: fail("503")})
			c.On(Case{Status: 409, Retry: RetrySame, Fail: fail("409")})
			c.On(Case{Status: 202, Fail: fail("202")})
			c.On(Case{Status: 418, Fail: func() error { return nil }})
			var heard Answer
			c.Keep(&heard)
			_, err := Do(context.Background(), c, scanThing)
			if got := strings.TrimSuffix(fmt.Sprint(err), "specific"); got != test.want || asked != test.asked {
				t.Errorf("got %q after %d attempts, want %q after %d", got, asked, test.want, test.asked)
			}
			if heard.Status != int64(test.answer.StatusCode) || heard.Header["content-type"] == "" {
				t.Errorf("heard %+v", heard)
			}
		})
	}
}

func TestDecodeErrorIsAPathError(t *testing.T) {
	u := newTestUpstream(t, Spec{}, API{Handler: answer(200, "application/json", `{"name":{}}`)})
	_, err := getThing(u, EffectRead)
	var p *value.PathError
	if !errors.As(err, &p) || p.Step != "find" || p.Path != "name" || p.Why != value.WrongKind || p.Text != "want a string, got an object" {
		t.Errorf("%#v", p)
	}
	if e, ok := errors.AsType[*tool.Error](err); !ok || e.Message != "" {
		t.Errorf("the model sees %#v", err)
	}
}

func TestEmptyAndUnread(t *testing.T) {
	for _, h := range []http.HandlerFunc{answer(204, "", ""), answer(200, "application/json", ""), answer(200, "application/json", " \n")} {
		u := newTestUpstream(t, Spec{}, API{Handler: h})
		c := u.Call("find", "GET", EffectRead)
		c.MayBeEmpty(nil)
		if got, err := Do(context.Background(), c, scanThing); err != nil || got != (thing{}) {
			t.Error(got, err)
		}
	}
	u := newTestUpstream(t, Spec{Attempts: 1}, API{Transport: tripper(func(*http.Request) (*http.Response, error) {
		r := respond(200, "")
		r.Body, r.ContentLength = io.NopCloser(failingReader{io.ErrUnexpectedEOF}), -1
		return r, nil
	})})
	c := u.Call("find", "GET", EffectRead)
	c.MayBeEmpty(nil)
	if _, err := Do(context.Background(), c, scanThing); tool.KindOf(err) != tool.KindUnavailable || err == nil {
		t.Error("a connection that broke before the answer is not an answer without body:", err)
	}
	u = newTestUpstream(t, Spec{}, API{Handler: answer(200, "application/json", thingJSON)})
	c = u.Call("find", "GET", EffectRead)
	c.MayBeEmpty(nil)
	if got, err := Do(context.Background(), c, scanThing); err != nil || got.name != "found" {
		t.Error(got, err)
	}
	u = newTestUpstream(t, Spec{}, API{Handler: answer(200, "text/html", "<html>")})
	if _, err := Do[thing](context.Background(), u.Call("find", "POST", EffectUnsafe), nil); err != nil {
		t.Error("an answer that nobody reads:", err)
	}
	u = newTestUpstream(t, Spec{}, API{Handler: answer(200, "application/json", `{"name":"early", broken`)})
	got, err := Do(context.Background(), u.Call("find", "GET", EffectRead), func(s *scan.Scanner) (v thing) {
		if s.Open(); s.Next(thingKeys) {
			v.name = s.Text()
		}
		return v
	})
	if err != nil || got.name != "early" {
		t.Error("a decoder that stops early:", got, err)
	}
}

func TestInProcessHandler(t *testing.T) {
	u := newTestUpstream(t, Spec{BaseURL: "https://api.example/v1"}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Host != "api.example" || r.URL.Path != "/v1/a b" || r.URL.RawQuery != "q=1" || string(body) != "x=1+2&y=%26" || r.Method != "POST" {
			t.Error(r.Method, r.Host, r.URL, string(body))
		}
		r.Header.Set("User-Agent", "changed by the handler")
		sendThing(w)
	})})
	for range 2 {
		c := u.Call("find", "POST", EffectUnsafe)
		c.Path("/", "a b")
		c.Query("q", "1")
		c.Form("x", "1 2")
		c.Form("y", "&")
		if got, err := Do(context.Background(), c, scanThing); err != nil || got.name != "found" {
			t.Fatal(got, err)
		}
		if u.header.Get("User-Agent") != "sculpt" {
			t.Fatal("a handler changed the shared header")
		}
	}
	panics := newTestUpstream(t, Spec{Attempts: 1}, API{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("no") })})
	if _, err := getThing(panics, EffectRead); tool.KindOf(err) != tool.KindUnavailable {
		t.Error(err)
	}
}

func TestNewUpstreamRefuses(t *testing.T) {
	fineURL := "https://api.example/v1/"
	tests := map[string]Spec{
		"relative":              {BaseURL: "/v1"},
		"empty":                 {},
		"ftp":                   {BaseURL: "ftp://a/"},
		"user":                  {BaseURL: "https://u:p@a/"},
		"query":                 {BaseURL: "https://a/?x=1"},
		"empty query":           {BaseURL: "https://a/?"},
		"fragment":              {BaseURL: "https://a/#"},
		"no host":               {BaseURL: "https:///x"},
		"port only":             {BaseURL: "https://:80/x"},
		"dot segments":          {BaseURL: "https://a/../b"},
		"escaped dots":          {BaseURL: "https://a/%2e%2e/b"},
		"garbage":               {BaseURL: "https://a b/"},
		"header name":           {BaseURL: fineURL, Headers: []Header{{"a b", "x"}}},
		"header break":          {BaseURL: fineURL, Headers: []Header{{"A", "x\r\nB: y"}}},
		"hop by hop":            {BaseURL: fineURL, Headers: []Header{{"connection", "close"}}},
		"host":                  {BaseURL: fineURL, Headers: []Header{{"Host", "x"}}},
		"accept-encoding":       {BaseURL: fineURL, Headers: []Header{{"Accept-Encoding", "br"}}},
		"credential place":      {BaseURL: fineURL, Credentials: []Credential{{In: "body", Name: "a", Value: "b"}}},
		"credential break":      {BaseURL: fineURL, Credentials: []Credential{{In: "header", Name: "a", Value: "b\n"}}},
		"cookie break":          {BaseURL: fineURL, Credentials: []Credential{{In: "cookie", Name: "a", Value: "b; c=d"}}},
		"caller in the query":   {BaseURL: fineURL, Credentials: []Credential{{In: "query", Name: "a", Caller: true}}},
		"credential without ia": {BaseURL: fineURL, Credentials: []Credential{{In: "query", Value: "x"}}},
	}
	for name, spec := range tests {
		if _, err := New(spec, API{}); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%s: %v", name, err)
		}
	}
	u, err := New(Spec{BaseURL: fineURL}, API{BaseURL: "http://localhost:1/x"})
	if err != nil || u.base.host != "localhost:1" || u.base.prefix != "/x" {
		t.Error(u, err)
	}
}

func TestDebugLogHoldsNoValues(t *testing.T) {
	var b bytes.Buffer
	ctx := tool.ContextWithLogger(context.Background(), slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})))
	u := newTestUpstream(t, Spec{Name: "geo", Credentials: []Credential{{In: "query", Name: "key", Value: "topsecret"}}},
		API{Handler: answer(404, "", "topsecret")})
	c := authorized(u, "GET")
	c.Path("/", "private")
	_, _ = Do(ctx, c, scanThing)
	text := b.String()
	if !strings.Contains(text, "api=geo step=find method=GET attempt=1 status=404") || strings.Contains(text, "secret") || strings.Contains(text, "private") {
		t.Error(text)
	}
}

// TestNothingIsLeftBehind counts goroutines after faults that close
// connections at awkward moments.
func TestNothingIsLeftBehind(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n++; n % 4 {
		case 0:
			answer(200, "application/json", `{"x":"`+strings.Repeat("x", 2<<20))(w, r)
		case 1:
			answer(503, "text/html", strings.Repeat("x", 1<<20), "Retry-After", "9")(w, r)
		case 2:
			answer(200, "text/html", "<html>")(w, r)
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"name":"early",`)
			w.(http.Flusher).Flush()
			<-r.Context().Done() // an endless answer
		}
	}))
	transport := NewTransport().(*http.Transport)
	u := newTestUpstream(t, Spec{BaseURL: server.URL, MaxBody: 1 << 20}, API{Transport: transport})
	before := runtime.NumGoroutine()
	for range 40 {
		_, _ = Do(context.Background(), u.Call("find", "GET", EffectRead), func(s *scan.Scanner) (v thing) {
			if s.Open(); s.Next(thingKeys) {
				v.name = s.Text()
			}
			return v
		})
	}
	transport.CloseIdleConnections()
	server.Close()
	for wait := time.Now().Add(3 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(wait); {
		time.Sleep(10 * time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}
