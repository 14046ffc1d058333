package serve

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestDefaultOptions: what a server has of which nobody said anything, and that
// what was said stays.
func TestDefaultOptions(t *testing.T) {
	var l Limits
	l.fill()
	most := max(2048, 1024*runtime.GOMAXPROCS(0))
	if want := (Limits{Body: 256 << 10, Bodies: 48 << 20, Connections: 8192, Concurrent: most, PerAPI: most / 2, Replay: 262144, ReplayPerPrincipal: 65536, ReplayBytes: 256 << 20, Deadline: 30 * time.Second}); l != want {
		t.Errorf("%+v, want %+v", l, want)
	}
	own := Limits{Body: 1, Bodies: 1, Connections: 1, Concurrent: 1, PerAPI: 1, PerPrincipal: 1, Waiting: 1, Replay: 1, ReplayPerPrincipal: 1, ReplayBytes: 1, Deadline: 1}
	l = own
	if l.fill(); l != own {
		t.Errorf("%+v", l)
	}
	o := RunOptions{}
	o.fill(time.Hour)
	if o.ReadHeaderTimeout != 5*time.Second || o.ReadTimeout != 15*time.Second || o.WriteTimeout != time.Hour+5*time.Second || o.IdleTimeout != time.Minute ||
		o.DrainDelay != 3*time.Second || o.DrainTimeout != 25*time.Second || o.Log != slog.Default() {
		t.Errorf("%+v", o)
	}
	log := slog.New(slog.DiscardHandler)
	o = RunOptions{ReadHeaderTimeout: 1, ReadTimeout: 2, WriteTimeout: 3, IdleTimeout: 4, DrainDelay: -1, DrainTimeout: 6, Log: log}
	o.fill(time.Hour)
	if o.ReadHeaderTimeout != 1 || o.ReadTimeout != 2 || o.WriteTimeout != 3 || o.IdleTimeout != 4 || o.DrainDelay != -1 || o.DrainTimeout != 6 || o.Log != log {
		t.Errorf("%+v", o)
	}
}

// TestSharesOfLimits: one caller gets most of an api and never all of it, an api most
// of the server, and what waits belongs to that.
func TestSharesOfLimits(t *testing.T) {
	for _, c := range []struct {
		given                            Limits
		perAPI, perPrincipal, waits, all int
	}{
		{Limits{Concurrent: 2048}, 1024, 768, 512, 1792},
		{Limits{Concurrent: 512, PerPrincipal: 32}, 256, 32, 128, 448},
		{Limits{Concurrent: 2048, PerAPI: 1}, 1, 1, 16, 1792},
		{Limits{Concurrent: 2048, PerAPI: 10}, 10, 8, 16, 1792},
		{Limits{Concurrent: 2048, PerAPI: 1536}, 1536, 1152, 256, 1792},
		{Limits{Concurrent: 2048, PerAPI: 2048}, 2048, 1536, 0, 1792},
		{Limits{Concurrent: 2048, PerPrincipal: 4096}, 1024, 4096, 512, 4096},
		{Limits{Concurrent: 2048, Waiting: 5}, 1024, 768, 5, 1792},
		{Limits{Concurrent: 2048, Waiting: -1}, 1024, 768, 0, 1792},
		{Limits{Concurrent: 8}, 4, 3, 3, 7},
		{Limits{Concurrent: 2}, 1, 1, 0, 1},
		{Limits{Concurrent: 1}, 1, 1, 0, 1},
	} {
		l := c.given
		l.fill()
		if all := newCaps(l).mostOne; l.PerAPI != c.perAPI || l.perPrincipal() != c.perPrincipal || l.waiting() != c.waits || all != c.all {
			t.Errorf("%+v: %d for an api, %d for a caller of it, %d wait, %d for a caller in all", c.given, l.PerAPI, l.perPrincipal(), l.waiting(), all)
		}
	}
}

// TestLimited: an operator's limits, one by one, over those of the program.
func TestLimited(t *testing.T) {
	written := Limits{Body: 9, Bodies: 9, Connections: 9, Concurrent: 9, PerAPI: 5, PerPrincipal: 9, Waiting: 9, Replay: 9, ReplayPerPrincipal: 9, ReplayBytes: 9, Deadline: 9}
	for _, c := range []struct {
		asked Limits
		want  func(*Limits)
	}{
		{Limits{}, func(*Limits) {}},
		{Limits{Concurrent: 1}, func(l *Limits) { l.Concurrent, l.PerAPI = 1, 1 }},
		{Limits{Concurrent: 8}, func(l *Limits) { l.Concurrent, l.PerAPI = 8, 4 }},
		{Limits{Concurrent: 8, PerAPI: 1}, func(l *Limits) { l.Concurrent, l.PerAPI = 8, 1 }},
		{Limits{PerAPI: 1, PerPrincipal: 1, Replay: 1, ReplayPerPrincipal: 1, ReplayBytes: 1, Body: 1, Bodies: 1, Connections: 1}, func(l *Limits) {
			l.PerAPI, l.PerPrincipal, l.Replay, l.ReplayPerPrincipal, l.ReplayBytes, l.Body, l.Bodies, l.Connections = 1, 1, 1, 1, 1, 1, 1, 1
		}},
		{Limits{Waiting: 2}, func(l *Limits) { l.Waiting = 2 }},
		{Limits{Waiting: -1}, func(l *Limits) { l.Waiting = -1 }},
		{Limits{Deadline: 1}, func(l *Limits) { l.Deadline = 1 }},
	} {
		stated, silent := &servedTool{Tool: tool.Tool{Deadline: 3}, deadline: 3}, &servedTool{deadline: 9}
		s := &Handler{tools: &catalogue{tools: []*servedTool{stated, silent}, longest: 9}, settings: &settings{limits: written}}
		s.limit(c.asked)
		want, silently := written, time.Duration(9)
		if c.want(&want); c.asked.Deadline > 0 {
			silently = c.asked.Deadline
		}
		if s.limits != want || stated.deadline != 3 || silent.deadline != silently || s.tools.longest != max(3, silently) {
			t.Errorf("%+v: %+v, want %+v; deadlines %d and %d, %d", c.asked, s.limits, want, stated.deadline, silent.deadline, s.tools.longest)
		}
	}
}

// TestUnmet: the first thing that a caller lacks is named.
func TestUnmet(t *testing.T) {
	needs := &tool.Needs{UserID: true, Secrets: []string{"PIN", "PUK"}, Tokens: []string{"mail"}, Claims: []string{"team"}}
	p := &tool.Principal{Secrets: map[string]string{}, Tokens: map[string]string{}, Claims: map[string]string{}}
	for _, c := range []struct {
		want string
		give func()
	}{
		{"a user id", func() { p.UserID = "u" }}, {"the secret PIN", func() { p.Secrets["PIN"] = "1" }}, {"the secret PUK", func() { p.Secrets["PUK"] = "2" }},
		{"a token of mail", func() { p.Tokens["mail"] = "t" }}, {"the claim team", func() { p.Claims["team"] = "c" }}, {"", func() {}},
	} {
		if got := unmet(needs, p); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		c.give()
	}
}

// TestWithCall: what the authenticator vouched for wins over what the call brings,
// name by name.
func TestWithCall(t *testing.T) {
	p := &tool.Principal{ID: "p", Secrets: map[string]string{"a": "ours"}}
	if got := withCall(p, "", nil, nil); got != p {
		t.Error("nothing was brought, and there is another principal")
	}
	got := withCall(p, "u", map[string]string{"a": "theirs", "b": "theirs"}, map[string]string{"mail": "t"})
	if got.ID != "p" || got.UserID != "u" || !maps.Equal(got.Secrets, map[string]string{"a": "ours", "b": "theirs"}) || !maps.Equal(got.Tokens, map[string]string{"mail": "t"}) {
		t.Errorf("%+v", got)
	}
	if p.UserID != "" || len(p.Secrets) != 1 || p.Tokens != nil {
		t.Errorf("the principal was changed: %+v", p)
	}
	if got := withCall(&tool.Principal{UserID: "ours"}, "theirs", nil, nil); got.UserID != "ours" {
		t.Errorf("%+v", got)
	}
}

// TestAccepts: which answers a client takes, by its headers.
func TestAccepts(t *testing.T) {
	for header, want := range map[string]bool{
		"": true, " , ": true, "application/json": true, "APPLICATION/JSON": true, "Application/*": true, "*/*": true, "text/html": false,
		"application/json;q=0": false, "application/json; Q=0.0": false, "application/json;q=0.1": true, "application/json;q=x": true, "application/json;v=1;q=0": false,
		"*/*;q=0, application/*": true, "application/*, */*;q=0": true, "application/*;q=0, */*": false, "application/json, application/*;q=0": true,
		"application/*;q=0, application/json": true, "text/html, */*;q=0": false, "application/json, application/json;q=0": true,
	} {
		if got := acceptsJSON([]string{header}); got != want {
			t.Errorf("Accept: %s: %v, want %v", header, got, want)
		}
	}
	if !acceptsJSON(nil) || !acceptsJSON([]string{"text/html", "application/json"}) {
		t.Error("no header, or two of them")
	}
	for header, want := range map[string]bool{
		"": false, "gzip": true, "x-GZIP": true, "br": false, "*": true, "gzip;q=0": false, "gzip;q=0, *": false, "*;q=0": false, "gzip;q=0.5": true,
		"gzip;q=0.5, identity": false, "gzip, identity": true, "gzip;q=0.5, Identity;q=0.4": true, "*;q=0.5, identity;q=0.6": false,
	} {
		if got := acceptsGzip([]string{header}); got != want {
			t.Errorf("Accept-Encoding: %s: %v, want %v", header, got, want)
		}
	}
	if acceptsGzip(nil) {
		t.Error("packed though nobody asked")
	}
}

// TestMirroredHeaders: what a header says of the body, and why it says nothing.
func TestMirroredHeaders(t *testing.T) {
	for _, c := range []struct {
		values     []string
		value, why string
	}{
		{nil, "", ""}, {[]string{" \ta b\t "}, "a b", ""}, {[]string{"a\tb"}, "a\tb", ""}, {[]string{"~ !"}, "~ !", ""}, {[]string{"a", "b"}, "", "is there more than once"},
		{[]string{"é"}, "", "has characters that come in Base64 only"}, {[]string{"a\x1fb"}, "", "has characters that come in Base64 only"},
		{[]string{"a\x7f"}, "", "has characters that come in Base64 only"},
		{[]string{"=?base64?w6k=?="}, "é", ""}, {[]string{"=?base64?w6l?="}, "", "is not valid Base64"}, {[]string{"=?base64?w6k="}, "=?base64?w6k=", ""}, {[]string{"w6k=?="}, "w6k=?=", ""},
	} {
		h := http.Header{}
		if c.values != nil {
			h["Mcp-Name"] = c.values
		}
		value, given, why := mirror(h, "Mcp-Name")
		if value != c.value || why != c.why || given != (c.values != nil) {
			t.Errorf("%q: %q, %v, %q", c.values, value, given, why)
		}
	}
}

// TestLines: a line may be as long as its limit, without its end.
func TestLines(t *testing.T) {
	const limit = 40
	long := strings.Repeat("x", limit)
	r := bufio.NewReaderSize(strings.NewReader("\n a \r\n"+long+"\n"+long+"x\n"+strings.Repeat("x", 3*limit)+"\nlast"), 16)
	for i, want := range []string{"", "a", long, "-", "-", "last"} {
		line, err := readLine(r, limit)
		text := string(line.text)
		if line.tooLong {
			text += "-"
		}
		if text != want || (err == nil) != (i < 5) || err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("line %d: %q, %v; want %q", i, text, err, want)
		}
	}
}

// TestRecordsHaveAPlace: records of calls say where they were made.
func TestRecordsHaveAPlace(t *testing.T) {
	var b strings.Builder
	s := &Handler{settings: &settings{log: slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{AddSource: true}))}}
	s.record(context.Background(), slog.LevelWarn, time.Unix(0, 0).UTC(), []slog.Attr{slog.Int("n", 1)})
	if got := b.String(); !strings.HasPrefix(got, "time=1970-01-01T00:00:00.000Z level=WARN source=") || !strings.Contains(got, "calllog.go:") || !strings.HasSuffix(got, " msg=call n=1\n") {
		t.Error(got)
	}
}

// TestTaskText: the members of a task, and to whom they are told.
func TestTaskText(t *testing.T) {
	owner := taskOwner{"p", "u"}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	ts := &mcpTasks{byID: map[string]*mcpTask{"t": {id: "t", owner: owner, created: at, updated: at.Add(time.Second), kept: time.Minute, status: "working"}}}
	const begin = `x{"resultType":"task","taskId":"t","status":"`
	const times = `","createdAt":"2026-01-02T03:04:05.000000006Z","lastUpdatedAt":"2026-01-02T03:04:06.000000006Z","ttlMs":60000,"pollIntervalMs":2000`
	if b, ok := ts.append([]byte("x"), "t", owner, "task"); !ok || string(b) != begin+"working"+times {
		t.Errorf("%s", b)
	}
	ts.byID["t"].status, ts.byID["t"].result = "completed", []byte("{}")
	if b, ok := ts.append([]byte("x"), "t", owner, "task"); !ok || string(b) != begin+"completed"+times+`,"result":{}` {
		t.Errorf("%s", b)
	}
	for id, other := range map[string]taskOwner{"t": {"p", "v"}, "none": owner} {
		if b, ok := ts.append([]byte("x"), id, other, "task"); ok || string(b) != "x" || ts.stop(id, other) {
			t.Errorf("%s of %v: %s", id, other, b)
		}
	}
}

// TestDigestOfACall: calls that differ in one thing are not taken for each other.
func TestDigestOfACall(t *testing.T) {
	id := func(id string) *servedTool { return &servedTool{Tool: tool.Tool{ID: id}} }
	n := func(n int) *servedVersion { return &servedVersion{Version: tool.Version{N: n}} }
	none := &tool.Principal{}
	seen := map[[sha256.Size]byte]int{}
	for i, c := range []struct {
		j    *job
		args tool.Args
	}{
		{&job{tool: id("t"), version: n(1), principal: none}, nil}, {&job{tool: id("u"), version: n(1), principal: none}, nil},
		{&job{tool: id("t"), version: n(2), principal: none}, nil}, {&job{tool: id("t"), version: n(1), principal: none, typed: true}, nil},
		{&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": "1"}}, {&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": int64(1)}},
		{&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": int64(2)}}, {&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": true}},
		{&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": false}}, {&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": "true"}},
		{&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"b": "1"}}, {&job{tool: id("t"), version: n(1), principal: none}, tool.Args{"a": nil}},
	} {
		sum := digestOf(c.j, c.args)
		if before, is := seen[sum]; is {
			t.Errorf("%d and %d are one call", before, i)
		}
		seen[sum] = i
	}
}

// TestCredentialsOfACall: which credentials a repeated call has to bring again.
func TestCredentialsOfACall(t *testing.T) {
	token, secret := map[string]string{"a": "b"}, map[string]string{"a": "c"}
	for name, c := range map[string]struct {
		a, b tool.Principal
		same bool
	}{
		"nobody with another authorization":   {tool.Principal{}, tool.Principal{Authorization: "a"}, false},
		"nobody with a token":                 {tool.Principal{}, tool.Principal{Tokens: token}, false},
		"nobody with a secret of that name":   {tool.Principal{Tokens: token}, tool.Principal{Secrets: token}, false},
		"nobody who claims to be a user":      {tool.Principal{UserID: "u", Tokens: token}, tool.Principal{UserID: "u"}, false},
		"a caller with another authorization": {tool.Principal{ID: "p"}, tool.Principal{ID: "p", Authorization: "a"}, true},
		"a caller with another token":         {tool.Principal{ID: "p", Tokens: token}, tool.Principal{ID: "p", Tokens: secret}, false},
		"a caller with another secret":        {tool.Principal{ID: "p", Secrets: token}, tool.Principal{ID: "p", Secrets: secret}, false},
		"a user with another token":           {tool.Principal{ID: "p", UserID: "u", Tokens: token}, tool.Principal{ID: "p", UserID: "u", Tokens: secret}, true},
	} {
		if same := credentialsOf(&c.a) == credentialsOf(&c.b); same != c.same {
			t.Errorf("%s: %v", name, same)
		}
	}
}

// TestAddresses: which anonymous callers share the room for keys.
func TestAddresses(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7", "[::ffff:192.0.2.7]:80": "192.0.2.7", "[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64", "[fe80::1%eth0]:80": "fe80::/64",
		"": "", "@": "@", "pipe:1": "pipe",
	} {
		if got := addressOf(remote); got != want {
			t.Errorf("%q: %q, want %q", remote, got, want)
		}
	}
	a, b := &job{principal: &tool.Principal{}, from: "1.2.3.4"}, &job{principal: &tool.Principal{ID: "1.2.3.4"}}
	if a.owner() == b.owner() || b.owner() != "1.2.3.4" {
		t.Error("an address is taken for a principal")
	}
}

// TestEndings: a tool that is only deprecated does not end.
func TestEndings(t *testing.T) {
	for _, c := range []struct{ deprecated, sunset, want string }{
		{"", "", "[] [] true"}, {"2026-01-01", "", "[@1767225600] [] true"}, {"", "2027-09-01", "[] [Wed, 01 Sep 2027 00:00:00 GMT] false"},
		{"2026-01-01", "2027-09-01", "[@1767225600] [Wed, 01 Sep 2027 00:00:00 GMT] false"},
	} {
		e, err := endingOf(&tool.Tool{Deprecated: c.deprecated, Sunset: c.sunset})
		if got := fmt.Sprint(e.deprecation, " ", e.sunset, " ", e.at.IsZero()); err != nil || got != c.want {
			t.Errorf("%+v: %s, %v", c, got, err)
		}
	}
}
