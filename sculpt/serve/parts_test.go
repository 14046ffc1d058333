package serve

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

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

func TestDedupForgets(t *testing.T) {
	d := newDedup()
	now := time.Unix(0, 0)
	d.now = func() time.Time { return now }
	runs := 0
	call := func(key string, size int, err *Error) conclusion {
		return d.do(context.Background(), dedupKey{"", key}, sha256.Sum256([]byte(key)), func() conclusion {
			runs++
			return conclusion{result: Result{{JSON: make([]byte, size)}}, err: err, started: true}
		})
	}
	call("a", 1, nil)
	call("a", 1, nil)
	now = now.Add(dedupAge - time.Second)
	call("a", 1, nil)
	if runs != 1 {
		t.Errorf("%d runs within the time, want 1", runs)
	}
	now = now.Add(2 * time.Second)
	call("a", 1, nil)
	if runs != 2 {
		t.Errorf("%d runs after the time, want 2", runs)
	}
	runs = 0
	call("b", 1, &Error{Kind: Unavailable, Retryable: true})
	call("b", 1, &Error{Kind: UnknownOutcome})
	call("b", 1, nil)
	if runs != 2 {
		t.Errorf("%d runs, want 2: only what did nothing may run again", runs)
	}
	for i := range dedupEntries + 10 {
		call(fmt.Sprint("n", i), 0, nil)
	}
	if len(d.entries) != dedupEntries || d.finished.Len() != dedupEntries {
		t.Errorf("%d entries", len(d.entries))
	}
	for i := range 10 {
		call(fmt.Sprint("big", i), dedupBytes/4, nil)
	}
	if d.bytes > dedupBytes {
		t.Errorf("%d bytes kept", d.bytes)
	}
	now = now.Add(time.Hour)
	call("z", 0, nil)
	if len(d.entries) != 1 || d.bytes != 0 {
		t.Errorf("%d entries, %d bytes after an hour", len(d.entries), d.bytes)
	}
}

func TestDedupWaitEnds(t *testing.T) {
	d := newDedup()
	ctx, cancel := context.WithCancel(context.Background())
	d.do(ctx, dedupKey{"", "k"}, [32]byte{}, func() conclusion {
		cancel()
		second := d.do(ctx, dedupKey{"", "k"}, [32]byte{}, func() conclusion { t.Error("it ran twice"); return conclusion{} })
		if second.err == nil || second.err.Kind != Timeout || second.started {
			t.Errorf("a waiter whose caller has gone gets %+v", second)
		}
		return conclusion{}
	})
}

func TestSettle(t *testing.T) {
	read, effect := &Tool{Effects: Effects{ReadOnly: true}}, &Tool{}
	for _, c := range []struct {
		err  error
		tool *Tool
		kind Kind
	}{
		{context.DeadlineExceeded, read, Timeout},
		{context.DeadlineExceeded, effect, UnknownOutcome},
		{context.DeadlineExceeded, &Tool{Effects: Effects{Idempotent: true}}, Timeout},
		{context.Canceled, read, Unavailable},
		{context.Canceled, effect, UnknownOutcome},
		{&Error{Kind: Unavailable, Retryable: true}, effect, Unavailable},
		{&Error{Kind: Unavailable, Retryable: true, EffectsDone: []string{"pay"}}, effect, UnknownOutcome},
		{&Error{Kind: RateLimited, EffectsDone: []string{"pay"}}, effect, UnknownOutcome},
		{&Error{Kind: NoResult, EffectsDone: []string{"pay"}}, effect, NoResult},
		{&Error{Kind: Internal}, effect, UnknownOutcome},
		{AfterEffects(value.ErrMissing("pay", "id", ""), "pay"), effect, UnknownOutcome},
		{AfterEffects(value.ErrIndex("pay", "ids", "", 0, 0), "pay"), effect, NoResult},
		{AfterEffects(context.DeadlineExceeded, "pay"), effect, UnknownOutcome},
		{value.ErrMissing("pay", "id", ""), effect, UnknownOutcome},
		{context.DeadlineExceeded, &Tool{Effects: Effects{ReadOnly: true, Idempotent: true, Billable: true}}, UnknownOutcome},
		{fmt.Errorf("wrapped: %w", &Error{Kind: Rejected}), effect, Rejected},
	} {
		e := settle(c.err, c.tool, 1)
		if e.Kind != c.kind {
			t.Errorf("%v becomes %v, want %v", c.err, e.Kind, c.kind)
		}
		if e.Retryable && (e.Kind == UnknownOutcome || len(e.EffectsDone) > 0) {
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
	for k := Internal; k <= UnknownOutcome; k++ {
		if k.String() == "" || kindClasses[k].status < 400 || classOf(&Error{Kind: k}).code == "" {
			t.Errorf("kind %d is incomplete", k)
		}
	}
	if Kind(99).String() != "internal" || classOf(&Error{Kind: 99}).status != 500 || sentenceOf(&Error{Kind: 99}) == "" {
		t.Error("an unknown kind is not internal")
	}
}
