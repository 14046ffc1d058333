package conform

import (
	"context"
	"encoding/xml"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestTold: what came back, in short.
func TestTold(t *testing.T) {
	for _, c := range []struct {
		x    *exchange
		want string
		ok   bool
	}{
		{nil, "nothing was asked", false},
		{&exchange{key: "GET /x", err: errors.New("no route")}, "GET /x is not answered: no route", false},
		{&exchange{key: "GET /x", status: 200}, "GET /x is answered with 200 and no JSON", false},
		{&exchange{key: "GET /x", status: 204}, "GET /x is answered with 204", false},
		{&exchange{key: "GET /x", status: 500, doc: doc{}}, "GET /x is answered with 500", false},
		{&exchange{key: "GET /x", status: 200, doc: doc{}}, "GET /x is answered with 200", true},
	} {
		if got := c.x.told(); got != c.want || c.x.ok() != c.ok {
			t.Errorf("%q, %v; want %q, %v", got, c.x.ok(), c.want, c.ok)
		}
	}
}

// TestAsked: what a request carries, and what is kept of the answer.
func TestAsked(t *testing.T) {
	var got *http.Request
	a := &asker{ctx: t.Context(), base: "http://tools.example/v1", options: &Options{Header: map[string]string{"X-Key": "k", "Accept": "text/plain"}}}
	answers := stub{"GET /v1/a?b=c": {Status: 200, Body: doc{"n": 1}}, "POST /v1/a\n{\"n\":1}": {Status: 201, Text: "made"}}
	a.options.Client = &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		got = r
		return answers.RoundTrip(r)
	})}
	x := a.get("/a", map[string][]string{"b": {"c"}})
	if x.key != "GET /a?b=c" || x.status != 200 || string(x.body) != `{"n":1}` || compact(x.doc) != `{"n":1}` || x.header == nil || x.err != nil {
		t.Errorf("%+v", x)
	}
	if got.Header.Get("X-Key") != "k" || got.Header.Get("Accept") != "text/plain" || got.Header.Get("Content-Type") != "" {
		t.Errorf("%v", got.Header)
	}
	a.options.Header = nil
	if x = a.post("/a", doc{"n": 1}); x.key != "POST /a" || x.status != 201 || string(x.body) != "made" || x.doc != nil {
		t.Errorf("%+v", x)
	}
	if got.Header.Get("Accept") != "application/json, application/problem+json" || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v", got.Header)
	}
	if a.answered != 2 || a.first != nil {
		t.Errorf("%d, %v", a.answered, a.first)
	}
}

// TestNotSent: what cannot be sent is told of the exchange, and the first of it
// of the whole.
func TestNotSent(t *testing.T) {
	a := &asker{ctx: t.Context(), base: "http://tools.example:port", options: &Options{}}
	if x := a.post("/a", func() {}); x.err == nil || x.err.Error() != "json: unsupported type: func()" {
		t.Errorf("%v", x.err)
	}
	x := a.get("/a", nil)
	if x.err == nil || !strings.Contains(x.err.Error(), `invalid port ":port"`) {
		t.Errorf("%v", x.err)
	}
	if a.answered != 0 || a.first == nil || a.first.Error() != "json: unsupported type: func()" {
		t.Errorf("%d, %v", a.answered, a.first)
	}
}

// TestQuoted: a value is shown whole up to 60 bytes.
func TestQuoted(t *testing.T) {
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "null"}, {"a", `"a"`}, {doc{"b": 1, "a": []any{true}}, `{"a":[true],"b":1}`},
		{strings.Repeat("x", 58), `"` + strings.Repeat("x", 58) + `"`},
		{strings.Repeat("x", 59), `"` + strings.Repeat("x", 29) + "…"},
		{strings.Repeat("é", 30), `"` + strings.Repeat("é", 29) + "…"},
		{1i, "(0+1i)"},
	} {
		if got := quoted(c.v); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestKinds: the kind of each value, and what is read as a version.
func TestKinds(t *testing.T) {
	for value, want := range map[string]struct {
		kind    string
		n       int64
		version bool
	}{
		`null`: {kind: "null"}, `"a"`: {kind: "string"}, `true`: {kind: "boolean"}, `{}`: {kind: "object"}, `[]`: {kind: "array"},
		`10`: {"integer", 10, true}, `"10"`: {"string", 10, true}, `-9223372036854775808`: {"integer", -1 << 63, true},
		`9223372036854775808`: {kind: "number", n: 1<<63 - 1}, `1.5`: {kind: "number"}, `""`: {kind: "string"},
	} {
		v := parse([]byte(value))
		n, ok := version(v)
		if kindOf(v) != want.kind || n != want.n || ok != want.version {
			t.Errorf("%s: %s, version %d, %v; want %+v", value, kindOf(v), n, ok, want)
		}
	}
}

// TestDiffers: the first member that differs is named, also one that is missing.
func TestDiffers(t *testing.T) {
	for _, c := range []struct {
		a, b doc
		want string
	}{
		{doc{"a": 1}, doc{"a": 1}, ""}, {doc{"b": 1, "a": 1}, doc{"b": 2, "a": 2}, "a"}, {doc{}, doc{"c": 1}, "c"}, {doc{"c": 1, "d": 1}, doc{"d": 2}, "c"},
	} {
		if got := differsIn(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// TestJUnit: the whole of a report.
func TestJUnit(t *testing.T) {
	r := &Report{Protocol: "a2t", Target: "http://x", Results: []Result{
		{Clause{ID: "a", Level: Must, Gist: "A"}, Pass, "1 page"}, {Clause{ID: "b", Level: Should, Gist: "B"}, Fail, "<b>"},
		{Clause{ID: "c", Level: Must, Gist: "C"}, NotChecked, "no"}, {Clause{ID: "d", Level: May, Gist: "D"}, Fail, "d"}, {Clause{ID: "e", Level: Must, Gist: "E"}, Fail, "e"},
	}}
	const want = xml.Header + `<testsuite name="a2t http://x" tests="5" failures="1" skipped="1">
  <testcase classname="a2t.MUST" name="a: A">
    <system-out>pass: 1 page</system-out>
  </testcase>
  <testcase classname="a2t.SHOULD" name="b: B">
    <system-out>fail: &lt;b&gt;</system-out>
  </testcase>
  <testcase classname="a2t.MUST" name="c: C">
    <skipped message="no"></skipped>
  </testcase>
  <testcase classname="a2t.MAY" name="d: D">
    <system-out>fail: d</system-out>
  </testcase>
  <testcase classname="a2t.MUST" name="e: E">
    <failure message="e"></failure>
  </testcase>
</testsuite>
`
	var b strings.Builder
	if err := r.JUnit(&b, false); err != nil || b.String() != want {
		t.Errorf("%v:\n%s", err, &b)
	}
	b.Reset()
	strict := strings.Replace(want, `failures="1"`, `failures="2"`, 1)
	strict = strings.Replace(strict, "<system-out>fail: &lt;b&gt;</system-out>", `<failure message="&lt;b&gt;"></failure>`, 1)
	if err := r.JUnit(&b, true); err != nil || b.String() != strict {
		t.Errorf("strict: %v:\n%s", err, &b)
	}
	for _, most := range []int{0, len(xml.Header), len(want) - 1} {
		if err := r.JUnit(&narrow{most}, false); !errors.Is(err, errNarrow) {
			t.Errorf("a writer that takes %d bytes: %v", most, err)
		}
	}
}

var errNarrow = errors.New("full")

// narrow takes a few bytes.
type narrow struct{ left int }

func (n *narrow) Write(p []byte) (int, error) {
	if n.left -= len(p); n.left < 0 {
		return 0, errNarrow
	}
	return len(p), nil
}

// TestBounded: only the beginning of a long output is kept, and all is taken.
func TestBounded(t *testing.T) {
	var b bounded
	for _, n := range []int{largestAnswer - 1, 1, 1, 7} {
		if took, err := b.Write(make([]byte, n)); took != n || err != nil {
			t.Errorf("%d of %d, %v", took, n, err)
		}
	}
	if b.Len() != largestAnswer {
		t.Errorf("%d bytes are kept", b.Len())
	}
}

// TestRun: what a program is given, and what is seen of how it ends.
func TestRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script for a shell, which this system does not run")
	}
	program := filepath.Join(t.TempDir(), "odd")
	script := `#!/bin/sh
for d in "$HOME" "$TMPDIR" "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$XDG_STATE_HOME" "$XDG_DATA_HOME"; do test "$d" = "$PWD" || echo "{}"; done
mkdir b; touch b/c a; echo said >&2; echo "[\"$1\", \"$2\"]"; exit 3
`
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	x := run(t.Context(), program, []string{"--agent", "--depth=1"})
	if x.key != "--agent --depth=1" || x.status != 3 || compact(x.doc) != `["--agent","--depth=1"]` || x.talk != "said\n" || x.err != nil {
		t.Errorf("%+v: %s", x, x.body)
	}
	if want := []string{"a", "b", filepath.Join("b", "c")}; !slices.Equal(x.left, want) {
		t.Errorf("%q, want %q", x.left, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Program(ctx, program); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was stopped: %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nothing"))
	if x := run(t.Context(), program, nil); x.err == nil || x.body != nil {
		t.Errorf("without a folder: %+v", x)
	}
}

// TestProgramThatHangs: a program that does not end is judged by what it said.
func TestProgramThatHangs(t *testing.T) {
	var r recording
	recordATIP(func(args ...string) *exchange {
		return &exchange{key: strings.Join(args, " "), err: context.DeadlineExceeded}
	}, "weather.exe", &r)
	report := judge("atip", "weather", atipRows, &r)
	if got := failing(report); !slices.Equal(got, []string{"atip-3.1-agent"}) || r.atip.file != "weather" {
		t.Errorf("%v, %s", got, r.atip.file)
	}
	if saw := report.Results[0].Saw; saw != "--agent is not answered: context deadline exceeded" {
		t.Error(saw)
	}
}
