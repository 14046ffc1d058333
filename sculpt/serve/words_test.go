package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// TestProblems pins the document of each kind: callers branch on its code and
// status, and on nothing else.
func TestProblems(t *testing.T) {
	want := []string{
		`internal 500 Internal error`, `malformed_request 400 Malformed request`, `unauthorized 401 Credentials are missing or wrong`, `forbidden 403 Not allowed`,
		`unknown_tool 404 Unknown tool`, `unknown_version 404 Unknown version`, `invalid_parameters 422 Invalid parameters`, `no_result 422 No result`,
		`backend_rejected 422 The values were rejected`, `rate_limited 429 Too many calls`, `backend_unavailable 503 The backend is unavailable`,
		`backend_timeout 504 The backend did not answer in time`, `backend_invalid_response 502 The backend's answer is not usable`, `outcome_unknown 409 The outcome is unknown`,
		`internal 500 Internal error`,
	}
	for kind, w := range want {
		words := strings.SplitN(w, " ", 3)
		start := `{"type":"/problems/` + words[0] + `","title":"` + words[2] + `","status":` + words[1] + `,"code":"` + words[0] + `","retryable":true`
		if got := string(Problem(&tool.Error{Kind: tool.Kind(kind), Retryable: true})); !strings.HasPrefix(got, start+",") && got != start+"}" {
			t.Errorf("kind %d: %s, want %s", kind, got, start)
		}
	}
	// What would pass with time, and is not to be repeated, is no 5xx: executors
	// would repeat it all the same.
	for _, kind := range []tool.Kind{tool.KindUnavailable, tool.KindTimeout} {
		if got := string(Problem(&tool.Error{Kind: kind, Code: "no_forecast"})); !strings.Contains(got, `"status":422,"code":"no_result","retryable":false`) || !strings.Contains(got, `"reason":"no_forecast"`) {
			t.Errorf("%v that is final: %s", kind, got)
		}
	}
	for code, w := range map[string]string{
		"name_mismatch": "400 The name is not the name of the tool", "duplicate_parameter": "400 A parameter is given twice", "invalid_cursor": "400 The page cursor is not valid",
		"invalid_page_limit": "400 The page limit is not valid", "method_not_allowed": "405 Method not allowed", "not_acceptable": "406 Not acceptable",
		"payload_too_large": "413 The request is too large", "unsupported_media_type": "415 Unsupported media type",
	} {
		status, title, _ := strings.Cut(w, " ")
		want := `{"type":"/problems/` + code + `","title":"` + title + `","status":` + status + `,"code":"` + code + `","retryable":false,"detail":"The request is malformed."}`
		if got := string(Problem(&tool.Error{Kind: tool.KindBadRequest, Code: code})); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if c := classOf(&tool.Error{Kind: tool.KindBadRequest, Code: code}); c.http != (c.status > 400) {
			t.Errorf("%s is a fault of HTTP: %v", code, c.http)
		}
		if c := classOf(&tool.Error{Kind: tool.KindRejected, Code: code}); c.code != "backend_rejected" {
			t.Errorf("a manifest that says %s makes it %s", code, c.code)
		}
	}
}

func TestProblemMembers(t *testing.T) {
	about := &subject{&servedTool{Tool: tool.Tool{ID: "id-1", Name: "look"}}, 3}
	full := &tool.Error{
		Kind: tool.KindRateLimited, Code: "busy", Message: "Wait.", Hint: "Ask less.", Retryable: true, RetryAfter: time.Second + 1, EffectsDone: []string{"a", "b"},
		Issues: []tool.Issue{{Param: "x", ID: "p1", Code: "not_allowed", Detail: "No.", Allowed: []string{"A", "B"}}, {Param: "y", Code: "unknown", Detail: "Which?"}},
	}
	for _, c := range []struct {
		err    *tool.Error
		about  *subject
		callID string
		want   string
	}{
		{full, about, "c", `"retryable":true,"detail":"Wait.","reason":"busy","hint":"Ask less.","retry_after_ms":1001,"effects_done":["a","b"],"toolId":"id-1","version":3,` +
			`"errors":[{"parameter":"x","id":"p1","code":"not_allowed","detail":"No.","allowed":["A","B"]},{"parameter":"y","code":"unknown","detail":"Which?"}]}`},
		{&tool.Error{}, nil, "c", `"retryable":false,"detail":"The server failed. It is not the fault of the inputs.","instance":"urn:uuid:c"}`},
		{&tool.Error{}, nil, "", `"retryable":false,"detail":"The server failed. It is not the fault of the inputs."}`},
		{&tool.Error{Kind: tool.KindUnknownTool}, nil, "c", `"retryable":false}`},
		{&tool.Error{Kind: tool.KindNoResult, Code: "no_result"}, nil, "", `"retryable":false,"detail":"Nothing was found for these inputs."}`},
		{&tool.Error{Kind: tool.KindInvalidInput, Issues: full.Issues[1:]}, about, "", `"retryable":false,"detail":"1 input parameter is not valid for look version 3.","toolId":"id-1","version":3,"errors":[{"parameter":"y","code":"unknown","detail":"Which?"}]}`},
		{&tool.Error{Kind: tool.KindInvalidInput, Message: "Look."}, about, "", `"retryable":false,"detail":"Look.","toolId":"id-1","version":3}`},
		{&tool.Error{Kind: tool.KindInvalidInput}, nil, "", `"retryable":false,"detail":"Some input parameters are invalid"}`},
	} {
		if got := string(appendProblem(nil, c.err, c.about, c.callID)); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	two := appendProblem(nil, &tool.Error{Kind: tool.KindInvalidInput, Issues: full.Issues}, about, "")
	if !bytes.Contains(two, []byte(`"detail":"2 input parameters are not valid for look version 3."`)) {
		t.Errorf("%s", two)
	}
}

func TestRetryTimes(t *testing.T) {
	for _, c := range []struct {
		err     tool.Error
		ms      int64
		seconds string
	}{
		{tool.Error{}, 0, ""}, {tool.Error{RetryAfter: -1}, 0, ""}, {tool.Error{RetryAfter: 1}, 1, "1"}, {tool.Error{RetryAfter: time.Millisecond}, 1, "1"}, {tool.Error{RetryAfter: time.Second}, 1000, "1"},
		{tool.Error{RetryAfter: time.Second + 1}, 1001, "2"}, {tool.Error{Kind: tool.KindRateLimited}, 0, "1"}, {tool.Error{Kind: tool.KindUnavailable, Retryable: true}, 0, "1"},
		{tool.Error{Kind: tool.KindUnavailable}, 0, ""}, {tool.Error{Kind: tool.KindTimeout, Retryable: true}, 0, ""},
	} {
		if ms, s := retryMillis(&c.err), retrySeconds(&c.err); ms != c.ms || s != c.seconds {
			t.Errorf("%+v: %d ms, %q s; want %d, %q", c.err, ms, s, c.ms, c.seconds)
		}
	}
}

// TestOTCErrors: OTC has one text for each parameter, and says with the error
// of a tool whether it may be called again.
func TestOTCErrors(t *testing.T) {
	for _, c := range []struct {
		got  []byte
		want string
	}{
		{appendToolError(nil, &tool.Error{Kind: tool.KindRejected, Code: "c", Message: "No.", Hint: "Ask.", Developer: "dev", RetryAfter: time.Second}),
			`{"message":"No.","developer_message":"dev","can_retry":true,"additional_prompt_content":"Ask.","retry_after_ms":1000,"code":"c"}`},
		{appendToolError(nil, &tool.Error{Kind: tool.KindNoResult, Hint: "Ask.", EffectsDone: []string{"pay"}}),
			`{"message":"Nothing was found for these inputs.","can_retry":false,"additional_prompt_content":"Ask.","effects_done":["pay"]}`},
		{appendToolError(nil, &tool.Error{Kind: tool.KindNoResult, Hint: "Ask."}), `{"message":"Nothing was found for these inputs.","can_retry":true,"additional_prompt_content":"Ask."}`},
		{appendToolError(nil, &tool.Error{Kind: tool.KindRejected}), `{"message":"The backend refused these inputs.","can_retry":false}`},
		{appendToolError(nil, &tool.Error{Kind: tool.KindBadBackend, Hint: "x"}), `{"message":"The backend gave an answer that this tool cannot use.","can_retry":false,"additional_prompt_content":"x"}`},
		{appendToolError(nil, &tool.Error{Kind: tool.KindTimeout, Retryable: true}), `{"message":"The backend did not answer in time. Try again later.","can_retry":true}`},
		{appendServerError(nil, "s", &tool.Error{Kind: tool.KindUnknownTool}), `{"$schema":"s","message":"Unknown tool"}`},
		{appendServerError(nil, "s", &tool.Error{Kind: tool.KindInvalidInput, Developer: "dev", Issues: []tool.Issue{
			{Param: "a", Detail: "A.", Code: "type"}, {Param: "a", Detail: "again"}, {Param: "b", Code: "not_allowed", Detail: "B.", Allowed: []string{"X", "Y"}, Nearest: "X"},
			{Param: "c", Code: "not_allowed", Detail: "C."},
		}}), `{"$schema":"s","message":"Some input parameters are invalid","developer_message":"dev","parameter_errors":{"a":"A.","b":"B. Allowed: X, Y.","c":"C."}}`},
		{appendOTCHead(nil, "s", "c", &conclusion{took: 1500*time.Microsecond + 400}), `{"$schema":"s","result":{"call_id":"c","duration":1.5,`},
	} {
		if string(c.got) != c.want {
			t.Errorf("%s\nwant\n%s", c.got, c.want)
		}
	}
	p := &otc{s: &Handler{settings: &settings{challenges: map[string]string{"t2": "https://a.example"}}}}
	needs := &tool.Needs{UserID: true, Tokens: []string{"t1", "t2", "t3"}, Secrets: []string{"s1", "s2", "s3"}}
	for _, c := range []struct {
		who  tool.Principal
		want string
	}{
		{tool.Principal{}, `{"user_id":true,"authorization":[{"id":"t1","url":""},{"id":"t2","url":"https://a.example"},{"id":"t3","url":""}],"secrets":[{"id":"s1"},{"id":"s2"},{"id":"s3"}]}}`},
		{tool.Principal{UserID: "u", Tokens: map[string]string{"t1": "x", "t3": "x"}, Secrets: map[string]string{"s1": "x", "s2": "x", "s3": "x"}}, `{"authorization":[{"id":"t2","url":"https://a.example"}]}}`},
		{tool.Principal{UserID: "u", Tokens: map[string]string{"t1": "x", "t2": "x", "t3": "x"}, Secrets: map[string]string{"s2": "x"}}, `{"secrets":[{"id":"s1"},{"id":"s3"}]}}`},
	} {
		if got := string(p.appendMissing([]byte("{"), needs, &c.who)); got != `{,"missing_requirements":`+c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestFaultsInTheLog: the place of a fault is there, and nothing that a caller or
// a backend said.
func TestFaultsInTheLog(t *testing.T) {
	line := func(e *tool.Error) string {
		var b bytes.Buffer
		drop := func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == "time" || a.Key == "duration" {
				return slog.Attr{}
			}
			return a
		}
		s := &Handler{settings: &settings{log: slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: drop}))}}
		j := &job{tool: &servedTool{Tool: tool.Tool{Name: "look"}}, version: &servedVersion{Version: tool.Version{N: 2}, label: "look@2"}, protocol: ProtocolA2T, principal: &tool.Principal{ID: "ann"}}
		j.inv.CallID, j.inv.TraceID = "c", "t"
		s.logCall(context.Background(), j, &conclusion{err: e})
		return strings.TrimSpace(b.String())
	}
	const head = "msg=call tool=look@2 protocol=a2t outcome="
	for _, c := range []struct {
		err  *tool.Error
		want string
	}{
		{nil, "level=INFO " + head + "ok call_id=c principal=ann trace_id=t"},
		{&tool.Error{Kind: tool.KindRejected, Code: "c1", Step: "s1", EffectsDone: []string{"pay"}, Message: "hidden"}, "level=INFO " + head + "rejected call_id=c principal=ann trace_id=t code=c1 step=s1 effects_done=[pay]"},
		{&tool.Error{Kind: tool.KindInvalidInput, Issues: []tool.Issue{{Param: "a", Code: "type"}, {Param: "theirs", Code: "unknown"}}}, "level=INFO " + head + `invalid_input call_id=c principal=ann trace_id=t issue="a: type" issue="?: unknown"`},
		{&tool.Error{Kind: tool.KindBadBackend, Err: value.ErrMissing("s", "a.b", "x:1:2")}, "level=WARN " + head + "bad_backend call_id=c principal=ann trace_id=t cause=bad_answer path=a.b at=x:1:2 why=1"},
		{&tool.Error{Kind: tool.KindUnavailable, Err: errors.New("hidden")}, "level=WARN " + head + "unavailable call_id=c principal=ann trace_id=t"},
		{&tool.Error{Kind: tool.KindTimeout}, "level=WARN " + head + "timeout call_id=c principal=ann trace_id=t cause=timeout"},
		{&tool.Error{Kind: tool.KindUnknownOutcome}, "level=WARN " + head + "unknown_outcome call_id=c principal=ann trace_id=t"},
		{&tool.Error{Err: errors.New("boom")}, "level=ERROR " + head + "internal call_id=c principal=ann trace_id=t error=boom"},
		{&tool.Error{Err: &tool.PanicError{Value: "boom", Stack: []byte("here")}}, "level=ERROR " + head + `internal call_id=c principal=ann trace_id=t error="panic: boom" stack=here`},
		{&tool.Error{Developer: "the call has no server"}, "level=ERROR " + head + `internal call_id=c principal=ann trace_id=t error="the call has no server"`},
		{&tool.Error{Kind: tool.KindUnknownOutcome, Err: context.Canceled}, "level=WARN " + head + "unknown_outcome call_id=c principal=ann trace_id=t cause=canceled"},
	} {
		if got := line(c.err); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
	var b bytes.Buffer
	s := &Handler{settings: &settings{log: slog.New(slog.NewTextHandler(&b, nil))}}
	s.logRefusal(context.Background(), ProtocolMCP, nil, time.Now(), &tool.Error{Kind: tool.KindUnauthorized, Code: "x", Err: errors.New("late")})
	s.logRefusal(context.Background(), ProtocolMCP, &tool.Principal{ID: "ann"}, time.Now(), &tool.Error{Kind: tool.KindForbidden, Err: errors.New("late")})
	s.logRefusal(context.Background(), ProtocolMCP, nil, time.Now(), &tool.Error{Kind: tool.KindUnavailable, Err: errors.New("who is that")})
	want := "level=INFO msg=call protocol=mcp outcome=unauthorized principal=\"\" code=x error=late\nlevel=INFO msg=call protocol=mcp outcome=forbidden principal=ann\n" +
		"level=WARN msg=call protocol=mcp outcome=unavailable principal=\"\" error=\"who is that\"\n"
	if got := regexp.MustCompile(`(time|duration)=\S+ `).ReplaceAllString(b.String(), ""); got != want {
		t.Errorf("%s", got)
	}
}

// TestLimitsAreFilled pins what a server bears where nothing is said.
func TestLimitsAreFilled(t *testing.T) {
	most := max(2048, 1024*runtime.GOMAXPROCS(0))
	usual := Limits{Body: 262144, Bodies: 48 << 20, Connections: 8192, Concurrent: most, PerAPI: most / 2, Replay: 262144, ReplayPerPrincipal: 65536, ReplayBytes: 256 << 20, Deadline: 30 * time.Second}
	own := Limits{Body: 1, Bodies: 1, Connections: 1, Concurrent: 1, PerAPI: 1, PerPrincipal: 1, Replay: 1, ReplayPerPrincipal: 1, ReplayBytes: 1, Deadline: 1}
	for _, c := range []struct{ given, want Limits }{
		{Limits{}, usual}, {own, own}, {Limits{Body: -1, Bodies: -1, Connections: -1, Concurrent: -1, PerAPI: -1, PerPrincipal: -1, Replay: -1, ReplayPerPrincipal: -1, ReplayBytes: -1, Deadline: -1}, usual},
	} {
		if c.given.fill(); c.given != c.want {
			t.Errorf("%+v, want %+v", c.given, c.want)
		}
	}
	if windowAge != 600*time.Second || entryBytes != 512 || windowIdle != 2048 {
		t.Error("what is remembered of calls has changed")
	}
}

// TestOptionFaults: who starts a server reads which option is wrong.
func TestOptionFaults(t *testing.T) {
	for want, option := range map[string]Option{
		"serve: WithProtocols needs a protocol":                                    WithProtocols(),
		`serve: WithProtocols: there is no protocol "x"`:                           WithProtocols(ProtocolA2T, "x"),
		`serve: WithPrefix: there is no protocol "x"`:                              WithPrefix("x", "/a"),
		`serve: WithPrefix: "a" is not a prefix such as /agents`:                   WithPrefix(ProtocolA2T, "a"),
		`serve: WithPrefix: "/a/" is not a prefix such as /agents`:                 WithPrefix(ProtocolA2T, "/a/"),
		`serve: WithPrefix: "/a//b" is not a prefix such as /agents`:               WithPrefix(ProtocolA2T, "/a//b"),
		`serve: WithPrefix: "/a?" is not a prefix such as /agents`:                 WithPrefix(ProtocolA2T, "/a?"),
		`serve: WithPrefix: "/%20" is not a prefix such as /agents`:                WithPrefix(ProtocolA2T, "/%20"),
		"serve: WithEffects(nil)":                                                  WithEffects(nil),
		"serve: WithAuthenticator(nil): leave the option out for an open server":   WithAuthenticator(nil),
		"serve: WithLogger(nil): slog.DiscardHandler makes a silent logger":        WithLogger(nil),
		"serve: WithOTCShape: there is no shape 9":                                 WithOTCShape(9),
		"serve: StaticKeys needs the name of a header":                             WithAuthenticator(StaticKeys("", map[string]tool.Principal{"k": {ID: "a"}})),
		"serve: an authenticator without keys lets nobody in":                      WithAuthenticator(BearerTokens(nil)),
		`serve: an authenticator has an empty key or a principal without ID ("a")`: WithAuthenticator(BearerTokens(map[string]tool.Principal{"": {ID: "a"}})),
		`serve: an authenticator has an empty key or a principal without ID ("")`:  WithAuthenticator(BearerTokens(map[string]tool.Principal{"k": {}})),
	} {
		if _, err := newSettings([]Option{option}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, fine := range []Option{WithPrefix(ProtocolMCP, "/"), WithPrefix(ProtocolMCP, ""), WithPrefix(ProtocolMCP, "/a/b"), WithOTCShape(OTCShapeOXP10), WithProtocols(protocols...)} {
		if _, err := newSettings([]Option{fine}); err != nil {
			t.Error(err)
		}
	}
	both, err := newSettings([]Option{
		WithEffects(func(e tool.Effects) bool { return e.ReadOnly }), WithEffects(func(e tool.Effects) bool { return !e.Billable }), WithTags("a"), WithTags("b"), WithPrefix(ProtocolMCP, "/"),
	})
	if err != nil || !both.keep(tool.Effects{ReadOnly: true}) || both.keep(tool.Effects{}) || both.keep(tool.Effects{ReadOnly: true, Billable: true}) || both.mounts[ProtocolMCP] != "" ||
		!reflect.DeepEqual(both.tags, []string{"a", "b"}) {
		t.Errorf("options that come twice: %+v, %v", both, err)
	}
}

// TestStaticKeys: what is taken for a credential.
func TestStaticKeys(t *testing.T) {
	bearer := BearerTokens(map[string]tool.Principal{"good": {ID: "ann"}, "other": {ID: "bob"}})
	key := StaticKeys("x-key", map[string]tool.Principal{"good": {ID: "ann"}})
	for _, c := range []struct {
		by     Authenticator
		header string
		values []string
		want   string
	}{
		{bearer, "Authorization", []string{"Bearer good"}, "ann"}, {bearer, "Authorization", []string{"bearer   other"}, "bob"}, {bearer, "Authorization", []string{"Bearer bad"}, ""},
		{bearer, "Authorization", []string{"good"}, ""}, {bearer, "Authorization", []string{"Basic good"}, ""}, {bearer, "Authorization", nil, ""}, {bearer, "Authorization", []string{"Bearer good", "Bearer good"}, ""},
		{bearer, "X-Key", []string{"Bearer good"}, ""}, {key, "X-Key", []string{"good"}, "ann"}, {key, "X-Key", []string{"Bearer good"}, ""}, {key, "X-Key", []string{""}, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for _, v := range c.values {
			r.Header.Add(c.header, v)
		}
		got := ""
		p, err := c.by.Authenticate(r)
		if p != nil {
			got = p.ID
		}
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %q: %q, %v; want %q", c.header, c.values, got, err, c.want)
		}
	}
	for by, want := range map[Authenticator]string{bearer: `Bearer realm="tools"`, key: `ApiKey realm="tools"`} {
		if got := (&Handler{settings: &settings{auth: by}}).challenge(); got != want {
			t.Errorf("the challenge is %s", got)
		}
	}
	if got := (&Handler{settings: &settings{}}).challenge(); got != "Bearer" {
		t.Errorf("the challenge is %s", got)
	}
}

func TestCaps(t *testing.T) {
	c := newCaps(Limits{Concurrent: 3})
	say := func(e *tool.Error) string {
		if e == nil {
			return ""
		}
		return e.Kind.String() + " " + e.Message
	}
	const busy, own = "unavailable The server is busy. Try again in a moment.", "rate_limited Too many of your calls run at once. Wait for one to end."
	for i, step := range []struct{ who, want string }{{"ann", ""}, {"ann", ""}, {"ann", own}, {"", ""}, {"bob", busy}, {"", busy}} {
		if got := say(c.enter(step.who)); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	for _, who := range []string{"ann", "", "ann"} {
		c.leave(who)
	}
	if len(c.by) != 0 || c.all != 0 {
		t.Errorf("%d calls of %v are left", c.all, c.by)
	}
}

func TestHealthAnswers(t *testing.T) {
	for _, c := range []struct {
		method  string
		leaving bool
		want    string
	}{
		{"GET", false, "200 text/plain; charset=utf-8 no-store  ok\n"}, {"HEAD", false, "200 text/plain; charset=utf-8 no-store  "},
		{"GET", true, "503 text/plain; charset=utf-8 no-store  shutting down\n"}, {"POST", false, "405  no-store GET, HEAD "},
	} {
		rec := httptest.NewRecorder()
		new(Handler).health(rec, httptest.NewRequest(c.method, "/healthz", nil), c.leaving)
		h := rec.Header()
		got := strings.Join([]string{http.StatusText(rec.Code), h.Get("Content-Type"), h.Get("Cache-Control"), h.Get("Allow"), rec.Body.String()}, " ")
		code, rest, _ := strings.Cut(c.want, " ")
		want := map[string]string{"200": "OK", "405": "Method Not Allowed", "503": "Service Unavailable"}[code] + " " + rest
		if got != want {
			t.Errorf("%s: %q, want %q", c.method, got, want)
		}
	}
}

func TestCallIDs(t *testing.T) {
	seen := map[string]bool{}
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for range 200 {
		id := newCallID()
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("%s is not a new UUID", id)
		}
		seen[id] = true
	}
}

// TestInvokeHandlerRefuses: a command line learns that there is no such tool.
func TestInvokeHandlerRefuses(t *testing.T) {
	if _, err := InvokeHandler(t.Context(), http.NotFoundHandler(), "x", nil); err == nil || !strings.Contains(err.Error(), "no handler of NewHandler in a http.HandlerFunc") {
		t.Errorf("%v", err)
	}
	s := &Handler{tools: &catalogue{tools: []*servedTool{{Tool: tool.Tool{Name: "look"}}}}}
	_, err := InvokeHandler(t.Context(), s, "nothing", nil)
	if e := tool.AsError(err); e.Kind != tool.KindUnknownTool || e.Message != `There is no tool "nothing".` {
		t.Errorf("%v", err)
	}
}

func TestRehearsedInputs(t *testing.T) {
	args, err := rehearsedArgs([]byte(`{"a":1,"b":"x","c":true,"d":null,"e":9223372036854775807}`))
	if want := (tool.Args{"a": int64(1), "b": "x", "c": true, "d": nil, "e": int64(9223372036854775807)}); err != nil || !reflect.DeepEqual(args, want) {
		t.Errorf("%v, %v", args, err)
	}
	for text, want := range map[string]string{`[`: "the inputs are not a JSON object: unexpected EOF", `{"a":1.5}`: "input a: 1.5 is not an integer"} {
		if _, err := rehearsedArgs([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestMCPFixed pins the answers that are the same for everybody; the first of a
// pair is for the older revisions.
func TestMCPFixed(t *testing.T) {
	docs := fstest.MapFS{"a": {Data: []byte(`{"name":"a"}`)}, "b": {Data: []byte(` {"name": "b"}`)}}
	document := func(name string) *stored {
		kept, _, err := store(docs, name)
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	of := func(v settings) map[string][2]string {
		c := &catalogue{name: "Kit", description: "What for.", byID: map[string]*servedTool{}, byOTC: map[string]*servedTool{}, tools: []*servedTool{
			{Tool: tool.Tool{Name: "a"}, versions: []servedVersion{{Version: tool.Version{N: 3}, mcpTool: document("a")}}},
			{Tool: tool.Tool{Name: "b"}, versions: []servedVersion{{Version: tool.Version{N: 2}, mcpTool: document("b")}}},
		}}
		c.finish()
		p := newMCP(&Handler{settings: &v, tools: c})
		out := map[string][2]string{}
		p.fixed["tools/list"] = p.whole.list
		for method, result := range p.fixed {
			var texts [2]string
			for era, has := range []bool{result.legacy, result.tail != nil} {
				if b, err := result.append(nil, era == 1); err != nil {
					t.Fatal(err)
				} else if has {
					texts[era] = string(b)
				}
			}
			out[method] = texts
		}
		return out
	}
	const tail = `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"Kit","version":"3.0.0"}}}`
	const face = `"capabilities":{"tools":{}},"instructions":"What for."`
	pair := func(members string) [2]string {
		return [2]string{"{" + members + "}", `{"resultType":"complete",` + members + `,"ttlMs":300000,"cacheScope":"public"` + tail}
	}
	versions := string(appendTexts(nil, mcpRevisions))
	want := map[string][2]string{
		"tools/list": pair(`"tools":[{"name":"a"},{"name":"b"}]`), "prompts/list": pair(`"prompts":[]`), "resources/list": pair(`"resources":[]`),
		"resources/templates/list": pair(`"resourceTemplates":[]`), "ping": {"{}", ""}, "initialize": {`{,"serverInfo":{"name":"Kit","version":"3.0.0"},` + face + "}", ""},
		"server/discover": {"", `{"resultType":"complete","supportedVersions":` + versions + "," + face + `,"ttlMs":3600000,"cacheScope":"public"` + tail},
	}
	if got := of(settings{}); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	for scope, v := range map[string]settings{"private": {auth: BearerTokens(nil)}, "public": {auth: BearerTokens(nil), publicDiscovery: true}} {
		if got := of(v)["tools/list"][1]; !strings.Contains(got, `"cacheScope":"`+scope+`"`) {
			t.Errorf("%s, want %s", got, scope)
		}
	}
}

// TestHeaders: what is read of a header, and why not.
func TestHeaders(t *testing.T) {
	const twice, odd = "is there more than once", "has characters that come in Base64 only"
	for _, c := range []struct {
		values []string
		want   string
	}{
		{nil, " false "}, {[]string{""}, " true "}, {[]string{" \ta b\t "}, "a b true "}, {[]string{"~ !"}, "~ ! true "}, {[]string{"a\tb"}, "a\tb true "}, {[]string{"a", "a"}, " true " + twice},
		{[]string{"a\x1fb"}, " true " + odd}, {[]string{"a\x7f"}, " true " + odd}, {[]string{"é"}, " true " + odd},
	} {
		value, given, why := header(http.Header{"X": c.values}, "X")
		if got := fmt.Sprintf("%s %v %s", value, given, why); got != c.want {
			t.Errorf("%q: %q, want %q", c.values, got, c.want)
		}
	}
}

func TestQuotedJSON(t *testing.T) {
	text := "{\"a b\": \"\\\\!\",\n\t\"é\":1}\x1f"
	want := `="{\"a b\": \"\\\\!\",\u000a\u0009\"é\":1}\u001f"`
	if got := string(appendQuotedJSON([]byte("="), []byte(text))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
