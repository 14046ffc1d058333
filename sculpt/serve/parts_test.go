package serve

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

func TestAcceptsJSON(t *testing.T) {
	for header, want := range map[string]bool{
		"": true, "*/*": true, "application/json": true, "APPLICATION/JSON": true, "application/*": true, "text/html": false,
		"text/html, application/json;q=0.1": true, "application/json;q=0": false, "application/json; q=0.000, */*;q=1": false,
		"*/*;q=0": false, "*/*;q=0, application/json": true, ", ,": true, "application/problem+json": false, "text/*, */*; q=0.5": true,
	} {
		if got := acceptsJSON([]string{header}); got != want {
			t.Errorf("Accept: %s gives %v", header, got)
		}
	}
	if !acceptsJSON(nil) || !acceptsJSON([]string{"text/html", "application/json"}) {
		t.Error("no header, or two, are wrong")
	}
}

func TestSendsJSON(t *testing.T) {
	for header, want := range map[string]bool{
		"application/json": true, "Application/JSON": true, "application/json; charset=utf-8": true, `application/json; charset="UTF-8"`: true,
		"application/json; charset=latin1": false, "text/json": false, "application/ld+json": false, "application/json;;": false, "": false,
	} {
		if got := sendsJSON(http.Header{"Content-Type": {header}}); got != want {
			t.Errorf("Content-Type: %s gives %v", header, got)
		}
	}
	if sendsJSON(http.Header{"Content-Type": {"application/json", "application/json"}}) {
		t.Error("two types are accepted")
	}
}

func TestSplitPath(t *testing.T) {
	for path, want := range map[string]string{
		"": "0", "/": "5", "/tools": "1 tools", "/tools/": "5", "//tools": "5", "/a/b/c/d": "4 a b c d", "/a/b/c/d/e": "5",
		"/a%2Fb/c": "2 a/b c", "/a%3Ainvoke": "1 a:invoke", "/%zz": "5", "/a//b": "5",
	} {
		segments, n := splitPath(path)
		got := strings.TrimRight(fmt.Sprint(n, " ", strings.Join(segments[:], " ")), " ")
		if n == 5 {
			got = "5"
		}
		if got != want {
			t.Errorf("%q gives %q, want %q", path, got, want)
		}
	}
}

func TestCursor(t *testing.T) {
	scope := cursorScope(sha256.Sum256([]byte("catalogue")), "tools")
	for n := 1; n < 300; n++ {
		at, fault := readCursor(scope, writeCursor(scope, n), 300)
		if fault != nil || at != n {
			t.Fatalf("cursor %d reads %d, %v", n, at, fault)
		}
	}
	good := writeCursor(scope, 7)
	for _, cursor := range []string{writeCursor(scope, 0), writeCursor(scope, 300), writeCursor(scope, 1<<32-1), good + "=", good + "A", good[1:], "AAAA", strings.Repeat("A", 22),
		writeCursor(cursorScope(sha256.Sum256([]byte("other")), "tools"), 7), writeCursor(cursorScope(sha256.Sum256([]byte("catalogue")), "tool"), 7), good[:21] + "B"} {
		if _, fault := readCursor(scope, cursor, 300); fault == nil || fault.Code != "invalid_cursor" {
			t.Errorf("cursor %q is accepted", cursor)
		}
	}
}

// A windowed is a window whose clock stands still, and the calls that ran.
type windowed struct {
	window
	at   time.Time
	runs int
}

func newWindowed() *windowed {
	w := &windowed{at: time.Unix(0, 0)}
	w.window.now = func() time.Time { return w.at }
	return w
}

var fewKeys = &Limits{Replay: 10, ReplayPerPrincipal: 4, ReplayBytes: 10 * 2 * entryBytes}

func (w *windowed) call(owner, key string, size int, err *tool.Error) conclusion {
	p := tool.Principal{ID: owner}
	call := namedCall{key: callKey{p.Who(), key}, owner: owner, digest: sha256.Sum256([]byte(key))}
	return runOnce(context.Background(), &w.window, &call, fewKeys, func() conclusion {
		w.runs++
		return conclusion{result: tool.Result{{JSON: make([]byte, size)}}, err: err, started: true}
	})
}

func TestWindowForgets(t *testing.T) {
	w := newWindowed()
	w.call("ann", "a", 1, nil)
	w.call("ann", "a", 1, nil)
	w.at = w.at.Add(windowAge - time.Second)
	w.call("ann", "a", 1, nil)
	if w.runs != 1 {
		t.Errorf("%d runs within the time, want 1", w.runs)
	}
	w.at = w.at.Add(2 * time.Second)
	w.call("ann", "a", 1, nil)
	if w.runs != 2 {
		t.Errorf("%d runs after the time, want 2", w.runs)
	}
	w.runs = 0
	w.call("ann", "b", 1, &tool.Error{Kind: tool.KindUnavailable, Retryable: true})
	w.call("ann", "b", 1, &tool.Error{Kind: tool.KindUnknownOutcome})
	w.call("ann", "b", 1, nil)
	if w.runs != 2 {
		t.Errorf("%d runs, want 2: only what did nothing may run again", w.runs)
	}
	// What may have had an effect and may be made again is made again, and is
	// remembered all the same, until it is certain.
	w.runs = 0
	lost := &tool.Error{Kind: tool.KindUnavailable, OutcomeUnknown: true, Retryable: true}
	w.call("ann", "again", 1, lost)
	w.call("ann", "again", 1, &tool.Error{Kind: tool.KindRateLimited, Retryable: true})
	if len(w.entries) != 3 || w.all.calls != 3 || w.all.kept.Len() != 3 {
		t.Errorf("what may have happened is forgotten: %+v", &w.window)
	}
	w.call("ann", "again", 1, nil)
	w.call("ann", "again", 1, nil)
	if w.runs != 3 {
		t.Errorf("%d runs, want 3", w.runs)
	}
	w.call("ann", "c", 1, &tool.Error{Kind: tool.KindRejected})
	w.call("ann", "running", 1, &tool.Error{Kind: tool.KindRateLimited, Retryable: true})
	w.at = w.at.Add(time.Hour)
	w.call("bob", "z", 0, &tool.Error{Kind: tool.KindNoResult})
	if len(w.entries) != 1 || len(w.by) != 0 || w.all.calls != 0 || w.all.bytes != 0 || w.all.kept.Len() != 0 || w.idle.Len() != 1 {
		t.Errorf("after an hour there is %+v", &w.window)
	}
}

// TestWindowIsFull: what may not be forgotten keeps new keys out, and calls without
// an effect do not.
func TestWindowIsFull(t *testing.T) {
	w := newWindowed()
	refused := func(owner, key string) *tool.Error {
		t.Helper()
		before := w.runs
		out := w.call(owner, key, 0, nil)
		if out.err == nil || w.runs != before {
			return nil
		}
		if !out.err.Retryable || out.started || out.err.Code != "replay_window_full" {
			t.Errorf("%+v", out)
		}
		return out.err
	}
	for i := range 3 * windowIdle {
		w.call("eve", fmt.Sprint("idle", i), 0, &tool.Error{Kind: tool.KindRejected})
	}
	if w.idle.Len() != windowIdle || len(w.entries) != windowIdle || len(w.by) != 0 {
		t.Errorf("%d calls without effect are remembered, %d in all", w.idle.Len(), len(w.entries))
	}
	for i := range 4 {
		w.at = w.at.Add(time.Minute)
		if e := refused("eve", fmt.Sprint(i)); e != nil {
			t.Fatal(i, e)
		}
	}
	if e := refused("eve", "more"); e == nil || e.Kind != tool.KindRateLimited || e.RetryAfter != windowAge-3*time.Minute {
		t.Errorf("a full share gives %+v", e)
	}
	w.runs = 0
	if w.call("eve", "0", 0, nil); w.runs != 0 {
		t.Error("an effect was forgotten")
	}
	w.call("ann", "large", 4*2*entryBytes, nil)
	if e := refused("ann", "more"); e == nil || e.Kind != tool.KindRateLimited {
		t.Errorf("a share full of bytes gives %+v", e)
	}
	for i := range 4 {
		refused("bob", fmt.Sprint(i))
	}
	if e := refused("cid", "first"); e != nil {
		t.Error(e)
	}
	if e := refused("cid", "second"); e == nil || e.Kind != tool.KindUnavailable || e.RetryAfter != windowAge-3*time.Minute {
		t.Errorf("a full window gives %+v", e)
	}
	w.at = w.at.Add(windowAge - 3*time.Minute)
	if e := refused("cid", "second"); e != nil {
		t.Error("the oldest has gone:", e)
	}
}

// TestDefaultWindow: one caller has room for 65,536 calls, all callers for four
// times that, and what they take stays within what is said of it.
func TestDefaultWindow(t *testing.T) {
	w := newWindowed()
	l := Limits{}
	l.fill()
	call := func(owner, key string) *tool.Error {
		p := tool.Principal{ID: owner}
		c := namedCall{key: callKey{p.Who(), key}, owner: owner, digest: sha256.Sum256([]byte(key))}
		return runOnce(context.Background(), &w.window, &c, &l, func() conclusion {
			return conclusion{result: tool.Result{{Name: "id", JSON: []byte(`"a short result"`)}}, started: true}
		}).err
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, owner := range []string{"ann", "bob", "cid", "dan"} {
		for i := range 65536 {
			if e := call(owner, fmt.Sprint("key ", i)); e != nil {
				t.Fatalf("call %d of %s: %v", i, owner, e)
			}
		}
		if e := call(owner, "more"); e == nil || e.Kind != tool.KindRateLimited {
			t.Errorf("a call too many of %s: %v", owner, e)
		}
	}
	if e := call("eve", "more"); e == nil || e.Kind != tool.KindUnavailable {
		t.Errorf("a call too many: %v", e)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took := int(after.HeapAlloc) - int(before.HeapAlloc); took > l.ReplayBytes || w.all.bytes > l.ReplayBytes {
		t.Errorf("the calls take %d bytes and count as %d, of %d", took, w.all.bytes, l.ReplayBytes)
	}
}

// TestWindowCountsWhatRuns: calls that have not ended take room as well.
func TestWindowCountsWhatRuns(t *testing.T) {
	w := newWindowed()
	var deeper func(n int)
	deeper = func(n int) {
		call := namedCall{key: callKey{key: fmt.Sprint(n)}, owner: "ann"}
		out := runOnce(context.Background(), &w.window, &call, fewKeys, func() conclusion { deeper(n + 1); return conclusion{err: &tool.Error{Kind: tool.KindNoResult}} })
		if (out.err.Kind == tool.KindRateLimited) != (n == 4) || n == 4 && out.err.RetryAfter != time.Second {
			t.Errorf("call %d: %+v", n, out.err)
		}
	}
	deeper(0)
	if len(w.by) != 0 || w.all.calls != 0 {
		t.Errorf("%+v", &w.window)
	}
}

func TestWindowWaitEnds(t *testing.T) {
	var w window
	ctx, cancel := context.WithCancel(context.Background())
	runOnce(ctx, &w, &namedCall{}, fewKeys, func() conclusion {
		cancel()
		second := runOnce(ctx, &w, &namedCall{}, fewKeys, func() conclusion { t.Error("it ran twice"); return conclusion{} })
		if second.err == nil || second.err.Kind != tool.KindTimeout || second.started {
			t.Errorf("a waiter whose caller has gone gets %+v", second)
		}
		return conclusion{}
	})
}

// TestDirectOnce: a typed answer is given again too, but not to the wire.
func TestDirectOnce(t *testing.T) {
	var w tool.Window
	made := 0
	paid := tool.Tool{ID: "t", Name: "pay", Versions: []tool.Version{{N: 1}}}
	pay := func(w *tool.Window, key string) (int, error) {
		ctx := tool.WithInvocation(context.Background(), &tool.Invocation{IdempotencyKey: key})
		return InvokeTyped(ctx, w, &paid, nil, func(context.Context, tool.Args) (int, error) { made++; return made, nil })
	}
	for i, want := range []struct {
		key string
		n   int
	}{{"a", 1}, {"a", 1}, {"", 2}, {"", 3}, {"b", 4}, {"a", 1}} {
		if n, err := pay(&w, want.key); n != want.n || err != nil {
			t.Errorf("%d: %d, %v", i, n, err)
		}
	}
	paid.Call = func(context.Context, tool.Args) (tool.Result, error) { made++; return nil, nil }
	ctx := tool.WithInvocation(context.Background(), &tool.Invocation{IdempotencyKey: "a"})
	if _, err := Invoke(ctx, tool.Toolset{Tools: []tool.Tool{paid}, Window: &w}, "pay", 0, nil); tool.KindOf(err) != tool.KindBadRequest || made != 4 {
		t.Error(err, made)
	}
	if _, err := pay(nil, "c"); tool.KindOf(err) != tool.KindInternal || made != 4 {
		t.Error("a key that cannot be kept:", err, made)
	}
	if _, err := pay(nil, ""); err != nil {
		t.Error(err)
	}
}

func TestSettle(t *testing.T) {
	read, effect := &tool.Tool{Effects: tool.Effects{ReadOnly: true}}, &tool.Tool{}
	for _, c := range []struct {
		err  error
		tool *tool.Tool
		kind tool.Kind
	}{
		{context.DeadlineExceeded, read, tool.KindTimeout},
		{context.DeadlineExceeded, effect, tool.KindUnknownOutcome},
		{context.DeadlineExceeded, &tool.Tool{Effects: tool.Effects{Idempotent: true}}, tool.KindTimeout},
		{context.Canceled, read, tool.KindUnavailable},
		{context.Canceled, effect, tool.KindUnknownOutcome},
		{&tool.Error{Kind: tool.KindUnavailable, Retryable: true}, effect, tool.KindUnavailable},
		{&tool.Error{Kind: tool.KindUnavailable, Retryable: true, EffectsDone: []string{"pay"}}, effect, tool.KindUnknownOutcome},
		{&tool.Error{Kind: tool.KindRateLimited, EffectsDone: []string{"pay"}}, effect, tool.KindUnknownOutcome},
		{&tool.Error{Kind: tool.KindNoResult, EffectsDone: []string{"pay"}}, effect, tool.KindNoResult},
		{&tool.Error{Kind: tool.KindInternal}, effect, tool.KindUnknownOutcome},
		{tool.AfterEffects(value.ErrMissing("pay", "id", ""), "pay"), effect, tool.KindUnknownOutcome},
		{tool.AfterEffects(value.ErrIndex("pay", "ids", "", 0, 0), "pay"), effect, tool.KindNoResult},
		{tool.AfterEffects(context.DeadlineExceeded, "pay"), effect, tool.KindUnknownOutcome},
		{value.ErrMissing("pay", "id", ""), effect, tool.KindUnknownOutcome},
		{context.DeadlineExceeded, &tool.Tool{Effects: tool.Effects{ReadOnly: true, Idempotent: true, Billable: true}}, tool.KindUnknownOutcome},
		{fmt.Errorf("wrapped: %w", &tool.Error{Kind: tool.KindRejected}), effect, tool.KindRejected},
	} {
		j := job{tool: &servedTool{Tool: *c.tool}}
		e := j.settle(c.err)
		if e.Kind != c.kind {
			t.Errorf("%v becomes %v, want %v", c.err, e.Kind, c.kind)
		}
		if e.Retryable && (e.Kind == tool.KindUnknownOutcome || len(e.EffectsDone) > 0) {
			t.Errorf("%v becomes retryable", c.err)
		}
	}
}

func TestTraceParent(t *testing.T) {
	good := "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	if !isTraceParent(good) {
		t.Error("a good one is refused")
	}
	for _, bad := range []string{"", good + "x", strings.ToUpper(good), "ff" + good[2:], strings.ReplaceAll(good, "-", "0"),
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", good[:54] + "\n"} {
		if isTraceParent(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestKindWords(t *testing.T) {
	for k := tool.KindInternal; k <= tool.KindUnknownOutcome; k++ {
		if k.String() == "" || kindClasses[k].status < 400 || classOf(&tool.Error{Kind: k}).code == "" {
			t.Errorf("kind %d is incomplete", k)
		}
	}
	if tool.Kind(99).String() != "internal" || classOf(&tool.Error{Kind: 99}).status != 500 || (&tool.Error{Kind: 99}).Sentence() == "" {
		t.Error("an unknown kind is not internal")
	}
}
