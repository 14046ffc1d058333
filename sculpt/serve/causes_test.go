package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A failure is an api that fails in one way, and what the log says of it.
type failure struct {
	// name says what happens where several failures have one cause.
	name string
	word cause.Word
	// spec and api make the client of the api; a spec without server has one that
	// nobody asks.
	spec upstream.Spec
	api  upstream.API
	set  func(*upstream.Call)
	// limits are those of the server, ctx ends with the caller.
	limits serve.Limits
	ctx    context.Context
	// held is closed when an earlier call has the only place at the api.
	held chan struct{}
	// status and attempts are what the log says; host is "" for that of the server.
	status, attempts int
	host             string
}

// secret stands in the path, the query and the credentials of all requests.
const secret = "s3cr3t-of-a-caller"

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// serving is an api that answers so.
func serving(t *testing.T, h http.HandlerFunc) upstream.Spec {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return upstream.Spec{BaseURL: server.URL, Attempts: 1}
}

func saying(status int, media, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// listening is an api on bare connections.
func listening(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			talk(conn)
		}
	}()
	return l.Addr().String()
}

// naming is a transport whose name server answers with a code of DNS.
func naming(t *testing.T, code byte) http.RoundTripper {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			answer := slices.Clone(buffer[:n])
			answer[2], answer[3] = answer[2]|0x80, 0x80|code // a response, with recursion
			answer[10], answer[11] = 0, 0                    // no additional records
			end := 12 + bytes.IndexByte(answer[12:], 0) + 5
			_, _ = server.WriteTo(answer[:end], from)
		}
	}()
	resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	return &http.Transport{DialContext: (&net.Dialer{Resolver: resolver}).DialContext}
}

// brokenStore is a vendor's store that fails.
type brokenStore struct{}

func (brokenStore) UserToken(context.Context, string) (upstream.UserToken, error) {
	return upstream.UserToken{}, errors.New("the database is gone: " + secret)
}

func (brokenStore) SaveUserToken(context.Context, string, upstream.UserToken) error { return nil }

// failures are at least one for each word.
func failures(t *testing.T) []failure {
	t.Helper()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	nobody := closed.Addr().String()
	resetting := listening(t, func(c net.Conn) {
		_, _ = http.ReadRequest(bufio.NewReader(c))
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close()
	})
	halves := listening(t, func(c net.Conn) {
		_, _ = http.ReadRequest(bufio.NewReader(c))
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"name\":")
		_ = c.Close()
	})
	silent := listening(t, func(net.Conn) {})
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	t.Cleanup(secure.Close)
	held := make(chan struct{})
	gone, hangUp := context.WithCancel(t.Context())
	signing := func(h http.HandlerFunc) (upstream.Spec, string) {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return upstream.Spec{BaseURL: "http://api.invalid", Credentials: []upstream.Credential{{
			Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "client_credentials", TokenURL: server.URL + "/" + secret, ClientID: "c", Value: secret,
		}}}, strings.TrimPrefix(server.URL, "http://")
	}
	login := func(c *upstream.Call) { c.Credentials("login") }
	refusing, refusingHost := signing(saying(401, "application/json", `{"error":"invalid_client"}`))
	babbling, babblingHost := signing(saying(200, "application/json", `<html>`))
	asking := upstream.Spec{BaseURL: "http://api.invalid", Credentials: []upstream.Credential{{
		Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "authorization_code", TokenURL: "https://sign.invalid/token",
		AuthorizationURL: "https://sign.invalid/authorize", ClientID: "app",
	}}}
	consent := &upstream.Consent{Redirect: "https://front.invalid/consent", Store: brokenStore{}, User: func(*http.Request) string { return "" }}
	over := func(err error) upstream.API {
		return upstream.API{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, err })}
	}
	at := func(addr string) upstream.Spec { return upstream.Spec{BaseURL: "http://" + addr, Attempts: 1} }
	return []failure{
		{word: cause.Refused, spec: upstream.Spec{BaseURL: "http://" + nobody, Attempts: 2}, attempts: 2},
		{word: cause.NoSuchHost, spec: at("nowhere.invalid:8080"), api: upstream.API{Transport: naming(t, 3)}, attempts: 1},
		{word: cause.Resolver, spec: at("nowhere.invalid"), api: upstream.API{Transport: naming(t, 2)}, attempts: 1},
		{word: cause.Unreachable, spec: at("far.invalid"), attempts: 1, api: upstream.API{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ENETUNREACH)}
		}}}},
		{name: "strange certificate", word: cause.TLS, spec: upstream.Spec{BaseURL: secure.URL}, attempts: 1},
		{name: "no TLS", word: cause.TLS, spec: upstream.Spec{BaseURL: strings.Replace(serving(t, saying(200, "", "")).BaseURL, "http:", "https:", 1)}, attempts: 1},
		{name: "reset", word: cause.Reset, spec: at(resetting), attempts: 1},
		{name: "handshake that ends", word: cause.Reset, spec: upstream.Spec{BaseURL: "https://" + resetting, Attempts: 1}, attempts: 1},
		{name: "half an answer", word: cause.Reset, spec: at(halves), attempts: 1, status: 200},
		{word: cause.Timeout, spec: upstream.Spec{BaseURL: "http://" + silent, Timeout: 30 * time.Millisecond}, attempts: 1},
		{name: "500", word: cause.Status, spec: serving(t, saying(500, "text/html", secret)), status: 500, attempts: 1},
		{name: "503", word: cause.Status, spec: serving(t, saying(503, "", "", "Retry-After", "99")), status: 503, attempts: 1},
		{name: "429", word: cause.Status, spec: serving(t, saying(429, "", "")), status: 429, attempts: 1},
		{name: "401", word: cause.Status, spec: serving(t, saying(401, "", "")), status: 401, attempts: 1},
		{name: "an error case", word: cause.Status, spec: serving(t, saying(404, "", "")), status: 404, attempts: 1, set: func(c *upstream.Call) {
			c.On(upstream.Case{Status: 404, Fail: func() error { return &tool.Error{Kind: tool.KindNoResult, Code: "no_such_thing", Step: "find"} }})
		}},
		{name: "token refused", word: cause.Status, spec: refusing, set: login, status: 401, host: refusingHost},
		{word: cause.Redirect, spec: serving(t, saying(302, "", "", "Location", "https://elsewhere.invalid/"+secret)), status: 302, attempts: 1},
		{name: "HTML", word: cause.BadAnswer, spec: serving(t, saying(200, "text/html", "<html>")), status: 200, attempts: 1},
		{name: "another type", word: cause.BadAnswer, spec: serving(t, saying(200, "application/json", `{"name":{}}`)), status: 200, attempts: 1},
		{name: "nothing", word: cause.BadAnswer, spec: serving(t, saying(200, "application/json", "")), status: 200, attempts: 1},
		{name: "token of garbage", word: cause.BadAnswer, spec: babbling, set: login, status: 200, host: babblingHost},
		{word: cause.TooLarge, spec: func() upstream.Spec {
			s := serving(t, saying(200, "application/json", `{"name":"a long name"}`))
			s.MaxBody = 8
			return s
		}(), status: 200, attempts: 1},
		{word: cause.Busy, spec: at("api.invalid"), limits: serve.Limits{PerAPI: 1, Waiting: -1}, held: held, api: upstream.API{Transport: transport(func(r *http.Request) (*http.Response, error) {
			close(held)
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}},
		{word: cause.Canceled, spec: at("api.invalid"), attempts: 1, ctx: gone, api: upstream.API{Transport: transport(func(r *http.Request) (*http.Response, error) {
			hangUp()
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}},
		{word: cause.TokenStore, spec: asking, api: upstream.API{Consent: consent}, set: login, host: "sign.invalid"},
		{word: cause.NotRecorded, spec: at("api.invalid"), api: over(fmt.Errorf("GET /%s: %w", secret, upstream.ErrNotRecorded)), attempts: 1},
		{word: cause.DryRun, spec: at("api.invalid"), api: over(upstream.ErrDryRun), attempts: 1},
	}
}

// lines is a log that many write.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) last(t *testing.T) (record map[string]any, line string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	all := strings.Split(strings.TrimSpace(l.text.String()), "\n")
	line = all[len(all)-1]
	if err := json.Unmarshal([]byte(line), &record); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return record, line
}

var nameKeys = scan.NewKeys("name")

// handler serves one tool that fails, and logs to log.
func (f *failure) handler(t *testing.T, log *lines) http.Handler {
	t.Helper()
	u, err := upstream.New(f.spec, f.api)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context) error {
		c := u.Call("find", "GET", upstream.EffectRead)
		c.Path("/things/", secret)
		c.Query("q", secret)
		if f.set != nil {
			f.set(c)
		}
		_, err := upstream.Do(ctx, c, func(s *scan.Scanner) string {
			name := ""
			for s.Open(); s.Next(nameKeys); {
				name = s.Text()
			}
			return name
		})
		return err
	}
	if f.held != nil {
		first, end := upstream.Within(t.Context(), time.Minute, 1, 1, 0)
		t.Cleanup(end)
		go func() { _ = ask(first) }()
		<-f.held
	}
	set := handmade(map[string]func(context.Context) error{"find": ask})
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(slog.New(slog.NewJSONHandler(log, nil))), serve.WithLimits(f.limits))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// check compares the last line of a log with what a failure is.
func (f *failure) check(t *testing.T, log *lines) {
	t.Helper()
	record, line := log.last(t)
	host := f.host
	if host == "" {
		_, host, _ = strings.Cut(f.spec.BaseURL, "://")
	}
	number := func(n int) any {
		if n == 0 {
			return nil
		}
		return float64(n)
	}
	if record["cause"] != string(f.word) || record["status"] != number(f.status) || record["attempts"] != number(f.attempts) || record["host"] != host || record["step"] != "find" {
		t.Errorf("want cause=%s status=%d attempts=%d host=%s: %s", f.word, f.status, f.attempts, host, line)
	}
	for _, hidden := range []string{secret, "/things", "q="} {
		if strings.Contains(line, hidden) {
			t.Errorf("the log has %s: %s", hidden, line)
		}
	}
}

// TestCausesInTheLog: an operator reads from the one line of a call why it failed,
// in a word of a closed list, and where; every word has a failure that is real.
func TestCausesInTheLog(t *testing.T) {
	seen := map[cause.Word]bool{}
	for _, f := range failures(t) {
		seen[f.word] = true
		t.Run(string(f.word)+"/"+f.name, func(t *testing.T) {
			var log lines
			h := f.handler(t, &log)
			ctx := f.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			ctx = tool.WithPrincipal(ctx, &tool.Principal{ID: "ann", UserID: "ann"})
			if _, err := serve.InvokeHandler(ctx, h, "find", nil); err == nil {
				t.Fatal("the call did not fail")
			}
			f.check(t, &log)
		})
	}
	for _, word := range cause.Words {
		if !seen[word] {
			t.Errorf("no failure has the cause %s", word)
		}
	}
}

// TestCausesAtTheDoors: the line is the same for a server that listens and for one on
// stdin and stdout.
func TestCausesAtTheDoors(t *testing.T) {
	for _, f := range failures(t) {
		if f.word != cause.Refused && f.word != cause.Status && f.word != cause.BadAnswer || f.host != "" {
			continue
		}
		t.Run(string(f.word)+"/"+f.name, func(t *testing.T) {
			var log lines
			f.spec.Attempts, f.attempts = 1, 1 // the budget has few repeats for so many calls
			h := f.handler(t, &log)
			addr, stop := start(t, h, serve.RunOptions{DrainDelay: -1})
			for path, body := range map[string]string{
				"/a2t/tools/00000000-2222-5333-8444-555555555555:invoke": invocation(),
				"/otc/tools/call": otcCall("Handmade.Toolfind", `{}`),
				"/mcp":            modernCall("find", `{}`),
			} {
				before := log.text.Len()
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+path, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
				r.Header.Set("MCP-Protocol-Version", "2026-07-28")
				r.Header.Set("Mcp-Method", "tools/call")
				r.Header.Set("Mcp-Name", "find")
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				if log.text.Len() == before {
					t.Errorf("%s: %d, and no line", path, resp.StatusCode)
				}
				f.check(t, &log)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			_, _ = talk(t, h, strings.NewReader(legacyCall("find", `{}`)+"\n"))
			f.check(t, &log)
		})
	}
}

// TestCausesAreDocumented: docs/production.md lists the words, and no other.
func TestCausesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "| cause | meaning |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var words []cause.Word
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(table, -1) {
		words = append(words, cause.Word(row[1]))
	}
	if !found || !slices.Equal(words, cause.Words) {
		t.Errorf("the page has %v, the code %v", words, cause.Words)
	}
}

// TestUpstreamTextInTheLog: what a backend sends gets into no attribute as it came,
// whatever the handler of the log makes of it.
func TestUpstreamTextInTheLog(t *testing.T) {
	const hostile = "\x1b[2J\r\nlevel=ERROR msg=fake\u202e"
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]failure{
		"member": {spec: serving(t, saying(200, "application/json", `{`+string(quoted)+`:{"x":1}}`))},
		"panic":  {spec: serving(t, saying(200, "application/json", `{"name":`+string(quoted)+`}`))},
		"error":  {spec: serving(t, saying(200, "application/json", `{"name":`+string(quoted)+`}`))},
		"garbage": {spec: upstream.Spec{Attempts: 1, BaseURL: "http://" + listening(t, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, hostile+"\r\n\r\n")
			_ = c.Close()
		})}},
	} {
		t.Run(name, func(t *testing.T) {
			u, err := upstream.New(f.spec, upstream.API{})
			if err != nil {
				t.Fatal(err)
			}
			set := handmade(map[string]func(context.Context) error{"find": func(ctx context.Context) error {
				got, err := upstream.Do(ctx, u.Call("find", "GET", upstream.EffectRead), func(s *scan.Scanner) string {
					text := ""
					for s.Open(); s.NextAny(); {
						text = s.Text()
					}
					return text
				})
				switch {
				case err != nil:
					return err
				case name == "panic":
					panic("cannot use " + got)
				}
				return errors.New("cannot use " + got)
			}})
			seen := &attributes{}
			h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(slog.New(seen)))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := serve.InvokeHandler(t.Context(), h, "find", nil); err == nil {
				t.Fatal("the call did not fail")
			}
			if len(seen.all) == 0 {
				t.Fatal("there is no record")
			}
			for _, a := range seen.all {
				if a.Key != "stack" && strings.ContainsAny(a.Value.String(), "\x1b\r\n\u202e") {
					t.Errorf("%s is %q", a.Key, a.Value)
				}
			}
		})
	}
}

// attributes is a handler that keeps the attributes of records.
type attributes struct{ all []slog.Attr }

func (*attributes) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }
func (a *attributes) WithAttrs([]slog.Attr) slog.Handler             { return a }
func (a *attributes) WithGroup(string) slog.Handler                  { return a }
func (a *attributes) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(attr slog.Attr) bool { a.all = append(a.all, attr); return true })
	return nil
}
