package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const knowsTasks = `clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}`

// slowWeather is a set whose tools wait: the reading one for as long as its input
// says, the other one for a minute, and it counts what it has done.
func slowWeather(t *testing.T, options ...serve.Option) (http.Handler, *atomic.Int32) {
	set, done := newWeather(t).toolset(), new(atomic.Int32)
	for i := range set.Tools {
		reads := set.Tools[i].Effects.ReadOnly
		set.Tools[i].Polls = true
		set.Tools[i].Call = func(ctx context.Context, args tool.Args) (tool.Result, error) {
			wait := time.Minute
			if args["city"] == "soon" {
				wait = time.Second
			}
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil, &tool.Error{Kind: tool.KindTimeout, Message: "Cut off.", Err: context.Cause(ctx)}
			}
			done.Add(1)
			if args["city"] == "none" || !reads {
				return nil, &tool.Error{Kind: tool.KindNoResult, Message: "Nothing there."}
			}
			return tool.Result{{Name: "short_forecast", JSON: []byte(`"Sunny"`)}}, nil
		}
		set.Tools[i].Deadline = 5 * time.Minute
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, append([]serve.Option{serve.WithLogger(quiet), serve.WithAuthenticator(keys())}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return h, done
}

// A taskClient speaks 2026-07-28 as one caller.
type taskClient struct {
	t   *testing.T
	h   http.Handler
	key string
	// without leaves the extension out.
	without bool
	ctx     context.Context
}

func (c *taskClient) ask(method, name, body string) any {
	c.t.Helper()
	if !c.without {
		body = strings.Replace(body, `clientCapabilities":{}`, knowsTasks, 1)
	}
	r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(body))
	if c.ctx != nil {
		r = r.WithContext(c.ctx)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Api-Key", c.key)
	for _, line := range modernHeaders(method, name) {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	var doc any
	if err := json.Unmarshal(w.Body.Bytes(), &doc); err != nil {
		c.t.Fatal(err)
	}
	golden.JudgeMCP(c.t, method, doc)
	return doc
}

func (c *taskClient) call(tool, arguments string) any {
	c.t.Helper()
	return c.ask("tools/call", tool, modernCall(tool, arguments))
}

func (c *taskClient) about(method, id string) any {
	c.t.Helper()
	return c.ask("tasks/"+method, id, rpc("tasks/"+method, `{"taskId":"`+id+`",`+meta+`}`))
}

// status is that of a task, or the code of an error.
func (c *taskClient) status(id string) any {
	c.t.Helper()
	doc := c.about("get", id)
	if code, ok := look(doc, "error.code"); ok {
		return code
	}
	status, _ := look(doc, "result.status")
	return status
}

// TestTasks: a call that takes long gives a handle to who knows tasks, and its
// result by it.
func TestTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, done := slowWeather(t)
		ada := &taskClient{t: t, h: h, key: "secret-1"}
		start := time.Now()
		if got, _ := look(ada.call(lookup, city("soon")), "result.structuredContent.short_forecast"); got != "Sunny" || time.Since(start) != time.Second {
			t.Error("a short call:", got, time.Since(start))
		}
		if got, _ := look(ada.call(lookup, `{"town":"x"}`), "result.isError"); got != true {
			t.Error("wrong arguments wait for nothing:", got)
		}
		start = time.Now()
		doc := ada.call(lookup, city("Omaha"))
		kind, _ := look(doc, "result.resultType")
		id, _ := look(doc, "result.taskId")
		name, _ := id.(string)
		if ttl, _ := look(doc, "result.ttlMs"); kind != "task" || len(name) < 26 || ttl != 15*60*1000.0 || time.Since(start) != 3*time.Second {
			t.Fatal(doc, time.Since(start))
		}
		if ada.status(name) != "working" {
			t.Error("it does not work")
		}
		bob := &taskClient{t: t, h: h, key: "secret-2"}
		stranger := &taskClient{t: t, h: h, key: "secret-1", without: true}
		if bob.status(name) != -32602.0 || ada.status("unknown") != -32602.0 || stranger.status(name) != -32021.0 {
			t.Error("somebody else:", bob.status(name), ada.status("unknown"), stranger.status(name))
		}
		if code, _ := look(bob.about("cancel", name), "error.code"); code != -32602.0 {
			t.Error("bob ends the task of ada:", code)
		}
		if kind, _ := look(ada.about("update", name), "result.resultType"); kind != "complete" {
			t.Error("an update:", kind)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if doc := ada.about("get", name); ada.status(name) != "completed" || done.Load() != 2 {
			t.Error(doc, done.Load())
		} else if got, _ := look(doc, "result.result.structuredContent.short_forecast"); got != "Sunny" {
			t.Error(doc)
		}
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		if ada.status(name) != -32602.0 {
			t.Error("it does not expire")
		}

		start = time.Now()
		if got, _ := look(stranger.call(lookup, city("Omaha")), "result.structuredContent.short_forecast"); got != "Sunny" || time.Since(start) != time.Minute {
			t.Error("a client without tasks:", got, time.Since(start))
		}
	})
}

// TestTasksEnd: reads end when that is wanted, effects do not.
func TestTasksEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, done := slowWeather(t)
		ada := &taskClient{t: t, h: h, key: "secret-1"}
		begin := func(tool, arguments string) string {
			id, _ := look(ada.call(tool, arguments), "result.taskId")
			text, ok := id.(string)
			if !ok {
				t.Fatal("no handle")
			}
			return text
		}
		read, effect, none := begin(lookup, city("Omaha")), begin("report_storm", `{"place":"Omaha"}`), begin(lookup, city("none"))
		for _, id := range []string{read, effect} {
			if kind, _ := look(ada.about("cancel", id), "result.resultType"); kind != "complete" {
				t.Error(kind)
			}
		}
		synctest.Wait()
		if ada.status(read) != "cancelled" || ada.status(effect) != "working" || done.Load() != 0 {
			t.Error(ada.status(read), ada.status(effect), done.Load())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if doc := ada.about("get", effect); ada.status(effect) != "completed" || done.Load() != 2 {
			t.Error(doc, done.Load())
		}
		if fails, _ := look(ada.about("get", none), "result.result.isError"); fails != true {
			t.Error("a failure of the tool is its result:", fails)
		}
	})
}

// TestTasksAreBounded: beyond the most, a call is answered when it ends; and who
// hangs up before there is a handle ends the call.
func TestTasksAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, done := slowWeather(t, serve.WithLimits(serve.Limits{Concurrent: 200, PerPrincipal: 200}))
		ada := &taskClient{t: t, h: h, key: "secret-1"}
		for range 32 {
			if kind, _ := look(ada.call(lookup, city("Omaha")), "result.resultType"); kind != "task" {
				t.Fatal(kind)
			}
		}
		if kind, _ := look(ada.call(lookup, city("Omaha")), "result.resultType"); kind != "complete" {
			t.Error("the 33rd:", kind)
		}
		bob := &taskClient{t: t, h: h, key: "secret-2"}
		if kind, _ := look(bob.call(lookup, city("Omaha")), "result.resultType"); kind != "task" {
			t.Error("another caller:", kind)
		}
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		before := done.Load()
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("gone"))
		defer cancel()
		gone := &taskClient{t: t, h: h, key: "secret-1", ctx: ctx}
		start := time.Now()
		if kind, _ := look(gone.call(lookup, city("Omaha")), "result.isError"); kind != true || time.Since(start) != time.Second {
			t.Error("who hangs up:", kind, time.Since(start))
		}
		time.Sleep(2 * time.Minute)
		if synctest.Wait(); done.Load() != before {
			t.Error("the call went on")
		}
	})
}

// TestTasksAreOffered where a tool waits, and unknown elsewhere.
func TestTasksAreOffered(t *testing.T) {
	h, _ := slowWeather(t)
	ada := &taskClient{t: t, h: h, key: "secret-1"}
	discover := rpc("server/discover", `{`+meta+`}`)
	slow := ada.ask("server/discover", "", discover)
	if !hasTasks(slow) {
		t.Error(slow)
	}
	plain, _ := newServer(t)
	ada.h = plain
	quick := ada.ask("server/discover", "", discover)
	if hasTasks(quick) {
		t.Error(quick)
	}
	said, _ := look(quick, "result.instructions")
	if too, _ := look(slow, "result.instructions"); said == nil || too != said {
		t.Errorf("instructions are %v, and %v where a tool waits", said, too)
	}
	if code, _ := look(ada.about("get", "x"), "error.code"); code != -32601.0 {
		t.Error(code)
	}
}

func hasTasks(doc any) bool {
	all, _ := look(doc, "result.capabilities.extensions")
	extensions, _ := all.(map[string]any)
	return extensions["io.modelcontextprotocol/tasks"] != nil
}

// TestTasksOverStdio: the same over two pipes, which do not end before an effect.
func TestTasksOverStdio(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, done := slowWeather(t)
		in, client := io.Pipe()
		go func() {
			body := strings.Replace(modernCall("report_storm", `{"place":"Omaha"}`), `clientCapabilities":{}`, knowsTasks, 1)
			_, _ = io.WriteString(client, id("a", body)+"\n")
			time.Sleep(10 * time.Second)
			client.Close()
		}()
		answers, _ := talk(t, h, in)
		if kind, _ := look(answers["a"], "result.resultType"); kind != "task" || done.Load() != 1 {
			t.Errorf("%v, %d effects", answers["a"], done.Load())
		}
	})
}
