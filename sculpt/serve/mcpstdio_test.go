package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func stdioHandler(t testing.TB, set tool.Toolset, options ...serve.Option) http.Handler {
	t.Helper()
	h, err := serve.NewHandler([]tool.Toolset{set}, append([]serve.Option{serve.WithLogger(quiet)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// talk sends lines and returns the answers, by id; those without are under "".
func talk(t *testing.T, h http.Handler, in io.Reader) (map[string]any, []string) {
	t.Helper()
	var out bytes.Buffer
	if err := serve.Stdio(context.Background(), h, nil, in, &out); err != nil {
		t.Fatal(err)
	}
	answers, order := map[string]any{}, []string{}
	for line := range strings.Lines(out.String()) {
		var doc any
		if err := json.Unmarshal([]byte(line), &doc); err != nil || !strings.HasSuffix(line, "\n") {
			t.Errorf("%q is no line of JSON: %v", line, err)
			continue
		}
		golden.JudgeMCP(t, "stdio", doc)
		id := ""
		if found, ok := look(doc, "id"); ok {
			id = fmt.Sprint(found)
		}
		answers[id] = doc
		order = append(order, id)
	}
	return answers, order
}

// id gives a message another id.
func id(n any, message string) string {
	text, _ := json.Marshal(n)
	return strings.Replace(message, `"id":7`, `"id":`+string(text), 1)
}

// TestStdio sends one line each; facts are about its answer, none means none.
func TestStdio(t *testing.T) {
	h := stdioHandler(t, newWeather(t).toolset())
	list := rpc("tools/list", `{`+meta+`}`)
	for _, c := range []struct{ name, line, facts string }{
		{"ping", rpc("ping", ""), `id=7 | result={}`},
		{"carriage return", rpc("ping", "") + "\r", `id=7`},
		{"blanks", "  \t" + rpc("ping", "") + " ", `id=7`},
		{"initialize", rpc("initialize", `{"protocolVersion":"2024-11-05"}`), `result.protocolVersion="2024-11-05"`},
		{"list", rpc("tools/list", ""), `result.tools.#=3 | result.resultType?`},
		{"modern list", list, `result.tools.#=3 | result.resultType="complete"`},
		{"discover", rpc("server/discover", `{`+meta+`}`), `result.supportedVersions.0="2026-07-28"`},
		{"call", legacyCall(lookup, city("Omaha")), `result.isError=false | result._meta?`},
		{"modern call", modernCall(lookup, city("Omaha")), `result.isError=false | result.resultType="complete"`},
		{"bad arguments", legacyCall(lookup, `{}`), `result.isError=true`},
		{"empty line", "", ``},
		{"blank line", "   ", ``},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``},
		{"notification with bad params", `{"jsonrpc":"2.0","method":"notifications/initialized","params":3}`, ``},
		{"cancels nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}`, ``},
		{"answer", `{"jsonrpc":"2.0","id":3,"result":{}}`, ``},
		{"garbage", `Content-Length: 12`, `error.code=-32700 | id?`},
		{"half a message", `{"jsonrpc":"2.0","id":3,"meth`, `error.code=-32700`},
		{"no object", `[1,2`, `error.code=-32700`},
		{"batch before initialize", `[` + rpc("ping", "") + `]`, `error.code=-32600`},
		{"unknown tool", legacyCall("nothing", `{}`), `error.code=-32602`},
		{"unknown method", rpc("x", ""), `error.code=-32601`},
		{"removed method", rpc("ping", `{`+meta+`}`), `error.code=-32601`},
		{"unknown version", strings.Replace(list, modernTag, "1900-01-01", 1), `error.code=-32022 | error.data.requested="1900-01-01"`},
		{"no capabilities", strings.Replace(list, `,"io.modelcontextprotocol/clientCapabilities":{}`, "", 1), `error.code=-32602`},
		{"discover without _meta", rpc("server/discover", ""), `error.code=-32602`},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `error.code=-32600 | id?`},
		{"deep", rpc("ping", strings.Repeat(`{"a":`, 40)+"1"+strings.Repeat("}", 40)), `error.code=-32600`},
		{"NUL", "\x00" + rpc("ping", ""), `error.code=-32700`},
	} {
		t.Run(c.name, func(t *testing.T) {
			// What comes after it is answered all the same.
			answers, order := talk(t, h, strings.NewReader(c.line+"\n"+id("end", rpc("ping", ""))+"\n"))
			delete(answers, "end")
			if c.facts == "" {
				if len(order) != 1 {
					t.Errorf("answers: %v", answers)
				}
				return
			}
			for _, doc := range answers {
				for fact := range strings.SplitSeq(c.facts, " | ") {
					if path, none := strings.CutSuffix(fact, "?"); none {
						if got, found := look(doc, path); found {
							t.Errorf("%s is %v", path, got)
						}
						continue
					}
					path, want, _ := strings.Cut(fact, "=")
					got, _ := look(doc, path)
					if text, _ := json.Marshal(got); string(text) != want {
						t.Errorf("%s is %s, want %s", path, text, want)
					}
				}
			}
			if len(answers) != 1 || len(order) != 2 {
				t.Errorf("answers: %v", answers)
			}
		})
	}
}

// dribble gives one byte at a time.
type dribble struct{ r io.Reader }

func (d dribble) Read(p []byte) (int, error) { return d.r.Read(p[:1]) }

// TestStdioFraming cuts the stream in every way there is.
func TestStdioFraming(t *testing.T) {
	h := stdioHandler(t, newWeather(t).toolset(), serve.WithLimits(serve.Limits{Body: 4096}))
	ping := func(n int) string { return id(n, rpc("ping", "")) }
	long := strings.Repeat("x", 5000)
	answers, order := talk(t, h, dribble{strings.NewReader(ping(1) + "\n\n" + ping(2) + "\r\n" + ping(3))})
	if len(order) != 3 || answers["3"] == nil {
		t.Errorf("a last line without end: %v", order)
	}
	for name, in := range map[string]string{
		"in a message":      id(1, rpc("ping", `{"x":"`+long+`"}`)),
		"without quotes":    long + long + long,
		"of white space":    strings.Repeat(" ", 9000),
		"just beyond":       strings.Repeat("y", 4098),
		"at the end of all": ping(8) + "\n" + long,
	} {
		answers, order = talk(t, h, strings.NewReader(in+"\n"+ping(9)+"\n"))
		if len(order) < 2 || answers["9"] == nil {
			t.Errorf("a long line %s: %v", name, order)
		}
		if code, _ := look(answers[""], "error.code"); code != float64(-32600) {
			t.Errorf("a long line %s: %v", name, answers[""])
		}
	}
	fits := id(1, rpc("ping", `{"x":"`+strings.Repeat("x", 4000)+`"}`))
	if answers, _ = talk(t, h, strings.NewReader(fits)); answers["1"] == nil {
		t.Errorf("a line of %d bytes: %v", len(fits), answers)
	}
	if _, order = talk(t, h, strings.NewReader("")); len(order) != 0 {
		t.Errorf("no input gives %v", order)
	}
}

// TestStdioBatches belong to the one revision that has them.
func TestStdioBatches(t *testing.T) {
	h := stdioHandler(t, newWeather(t).toolset())
	batch := `[` + id(1, rpc("ping", "")) + `,` + id(2, legacyCall(lookup, city("Omaha"))) + `,` + id(2, rpc("ping", "")) + `]`
	for version, want := range map[string]string{"2025-03-26": "list", "2025-06-18": "-32600"} {
		var out bytes.Buffer
		in := rpc("initialize", `{"protocolVersion":"`+version+`"}`) + "\n" + batch + "\n[]\n"
		if err := serve.Stdio(context.Background(), h, nil, strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); strings.Contains(got, `[{"jsonrpc"`) != (want == "list") || !strings.Contains(got, "-32600") {
			t.Errorf("%s: %s", version, got)
		}
	}
}

// A pipe is a client that sends lines while it reads answers.
type pipe struct {
	io.Writer
	answers *bufio.Scanner
	done    chan error
}

func dial(ctx context.Context, t *testing.T, h http.Handler) (*pipe, io.Closer) {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &pipe{inW, bufio.NewScanner(outR), make(chan error, 1)}
	go func() {
		err := serve.Stdio(ctx, h, nil, inR, outW)
		outW.Close()
		p.done <- err
	}()
	t.Cleanup(func() { inW.Close(); outR.Close() })
	return p, inW
}

func (p *pipe) send(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *pipe) next(t *testing.T) any {
	t.Helper()
	if !p.answers.Scan() {
		t.Fatal("the server has gone")
	}
	var doc any
	if err := json.Unmarshal(p.answers.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// waiting makes the first tool wait until its call is canceled or released.
// Canceled calls are told to canceled.
func waiting(set *tool.Toolset) (started chan string, release chan struct{}, canceled chan string) {
	started, release, canceled = make(chan string, 16), make(chan struct{}), make(chan string, 16)
	set.Tools[0].Deadline = time.Minute
	set.Tools[0].Call = func(ctx context.Context, args tool.Args) (tool.Result, error) {
		started <- args.Text("city")
		select {
		case <-ctx.Done():
			canceled <- args.Text("city")
			return nil, ctx.Err()
		case <-release:
			return echo(ctx, args)
		}
	}
	return started, release, canceled
}

// TestStdioCancel: a canceled call ends and is not answered; others go on.
func TestStdioCancel(t *testing.T) {
	set := newWeather(t).toolset()
	started, release, canceled := waiting(&set)
	p, in := dial(context.Background(), t, stdioHandler(t, set))
	p.send(t, id("a", legacyCall(lookup, city("A"))), id("b", legacyCall(lookup, city("B"))))
	<-started
	<-started
	p.send(t, id("a", rpc("ping", "")))
	if code, _ := look(p.next(t), "error.code"); code != float64(-32600) {
		t.Errorf("an id that is in use: %v", code)
	}
	p.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"no more"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, id("c", rpc("ping", "")))
	if got, _ := look(p.next(t), "id"); got != "c" {
		t.Errorf("the answer to a ping among calls is %v", got)
	}
	select { // before the release: a call that is both canceled and released may take either end
	case got := <-canceled:
		if got != "A" {
			t.Errorf("the call of %q was canceled", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the canceled call ran on")
	}
	close(release)
	doc := p.next(t)
	if got, _ := look(doc, "id"); got != "b" {
		t.Errorf("the call that was not canceled: %v", doc)
	}
	p.send(t, id("a", rpc("ping", "")))
	doc = p.next(t)
	for range 20 { // the canceled call may need a moment to end
		if _, free := look(doc, "result"); free {
			break
		}
		p.send(t, id("a", rpc("ping", "")))
		doc = p.next(t)
	}
	in.Close()
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	if p.answers.Scan() {
		t.Errorf("there is an answer left: %s", p.answers.Bytes())
	}
}

// TestStdioEnd: at the end of the input the calls that run are answered; at
// the end of the context reads stop.
func TestStdioEnd(t *testing.T) {
	set := newWeather(t).toolset()
	started, release, _ := waiting(&set)
	h := stdioHandler(t, set)
	p, in := dial(context.Background(), t, h)
	p.send(t, legacyCall(lookup, city("A")))
	<-started
	in.Close()
	close(release)
	if isError, _ := look(p.next(t), "result.isError"); isError != false {
		t.Error("the call was not answered well")
	}
	if err := <-p.done; err != nil {
		t.Error(err)
	}

	set = newWeather(t).toolset()
	started, _, canceled := waiting(&set)
	ctx, stop := context.WithCancel(context.Background())
	p, _ = dial(ctx, t, stdioHandler(t, set))
	p.send(t, legacyCall(lookup, city("B")))
	<-started
	stop()
	go func() { _, _ = io.Copy(io.Discard, readerOf(p.answers)) }()
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	select {
	case <-canceled:
	default:
		t.Error("the call ran on after the end of the context")
	}
}

// readerOf drains a scanner as a reader.
func readerOf(s *bufio.Scanner) io.Reader {
	r, w := io.Pipe()
	go func() {
		for s.Scan() {
		}
		w.Close()
	}()
	return r
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("nobody reads") }

func TestStdioRefuses(t *testing.T) {
	set := newWeather(t).toolset()
	ctx := context.Background()
	if err := serve.Stdio(ctx, http.NotFoundHandler(), nil, strings.NewReader(""), io.Discard); err == nil {
		t.Error("a handler of somebody else is accepted")
	}
	if err := serve.Stdio(ctx, stdioHandler(t, set, serve.WithProtocols(serve.ProtocolA2T)), nil, strings.NewReader(""), io.Discard); err == nil {
		t.Error("a handler without MCP is accepted")
	}
	reader, writer := io.Pipe()
	defer writer.Close()
	go func() { _, _ = io.WriteString(writer, rpc("ping", "")+"\n") }()
	if err := serve.Stdio(ctx, stdioHandler(t, set), nil, reader, broken{}); err == nil || !strings.Contains(err.Error(), "nobody reads") {
		t.Errorf("an output that is closed: %v", err)
	}
}

// TestStdioPrincipal: who starts the program is the caller, whatever the
// authenticator wants of callers over HTTP.
func TestStdioPrincipal(t *testing.T) {
	set := newWeather(t).toolset()
	h := stdioHandler(t, set, serve.WithAuthenticator(keys()))
	ctx := tool.WithPrincipal(context.Background(), &tool.Principal{ID: "me", UserID: "me", Authorization: "Bearer t",
		Tokens: map[string]string{"mail": "t"}, Secrets: map[string]string{"PIN": "1"}})
	for want, ctx := range map[string]context.Context{`"isError":false`: ctx, "needs a user id": context.Background()} {
		var out bytes.Buffer
		if err := serve.Stdio(ctx, h, nil, strings.NewReader(legacyCall("read_mailbox", "{}")), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %s: %s", want, &out)
		}
	}
}

// TestStdioManyCalls is for the race detector: answers never mix.
func TestStdioManyCalls(t *testing.T) {
	h := stdioHandler(t, newWeather(t).toolset())
	var in strings.Builder
	for i := range 200 {
		in.WriteString(id(i, legacyCall(lookup, city(fmt.Sprint("City ", i)))) + "\n")
	}
	if answers, order := talk(t, h, strings.NewReader(in.String())); len(answers) != 200 || len(order) != 200 {
		t.Errorf("%d answers of %d lines", len(answers), len(order))
	}
}
