package serve_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

func keys() serve.Authenticator {
	return serve.StaticKeys("X-API-Key", map[string]tool.Principal{"secret-1": {ID: "one"}, "secret-2": {ID: "two", UserID: "u2"}})
}

func TestAuthentication(t *testing.T) {
	h, _ := newServer(t, serve.WithAuthenticator(keys()))
	invoke := wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: invocation("city", "x"), status: 200}
	invoke.check(t, invoke.send(h, "X-API-Key: secret-1"))
	for _, header := range []string{"Accept: */*", "X-API-Key: secret-3", "X-API-Key: ", "X-API-Key: secret-1 ", "Authorization: Bearer secret-1"} {
		for _, request := range []string{"GET /a2t/tools", "GET /a2t/tools/unknown", "POST /a2t/tools/unknown:invoke", invoke.request} {
			c := wireCase{request: request, body: invoke.body, status: 401, facts: `code="unauthorized" | WWW-Authenticate: ApiKey realm="tools"`}
			c.check(t, c.send(h, header))
		}
		c := wireCase{request: callPath, body: otcCall("Weather.LookupWeatherByCity", `{"city":"x"}`), status: 400,
			facts: `message="The credentials are missing or wrong." | WWW-Authenticate: ApiKey realm="tools"`}
		c.check(t, c.send(h, header))
	}
	other := wireCase{request: callPath, status: 400, body: otcCall("Weather.ReadMailbox", `{}`, `"context":{"user_id":"somebody else"}`),
		facts: `message="context.user_id is not the user of the credentials."`}
	other.check(t, other.send(h, "X-API-Key: secret-2"))
}

func TestTwoCredentialsAreNone(t *testing.T) {
	h, _ := newServer(t, serve.WithAuthenticator(keys()), serve.WithProtocols(serve.ProtocolA2T))
	r := &http.Request{Method: "GET", Header: http.Header{"X-Api-Key": {"secret-1", "secret-2"}}}
	if _, err := keys().Authenticate(r); err == nil {
		t.Error("two keys in one request are accepted")
	}
	c := wireCase{request: "GET /a2t/tools", status: 401}
	c.check(t, c.send(h))
}

func TestBearer(t *testing.T) {
	h, _ := newServer(t, serve.WithPublicDiscovery(), serve.WithOTCUnauthorized401(),
		serve.WithAuthenticator(serve.BearerTokens(map[string]tool.Principal{"tok": {ID: "one"}})))
	invoke := wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: invocation("city", "x"), status: 200}
	invoke.check(t, invoke.send(h, "Authorization: bearer tok"))
	open := wireCase{request: "GET /a2t/tools", status: 200}
	open.check(t, open.send(h))
	for _, header := range []string{"Authorization: tok", "Authorization: Basic tok", "Authorization: Bearer tokk", "Authorization: Bearer"} {
		refused := wireCase{request: invoke.request, body: invoke.body, status: 401, facts: `WWW-Authenticate: Bearer realm="tools"`}
		refused.check(t, refused.send(h, header))
		otc := wireCase{request: callPath, body: "{}", status: 401}
		otc.check(t, otc.send(h, header))
	}
}

type authFunc func(*http.Request) (*tool.Principal, error)

func (f authFunc) Authenticate(r *http.Request) (*tool.Principal, error) { return f(r) }

func TestAuthenticatorFailsClosed(t *testing.T) {
	for name, c := range map[string]struct {
		auth   authFunc
		status int
	}{
		"nil principal": {func(*http.Request) (*tool.Principal, error) { return nil, nil }, 401},
		"error":         {func(*http.Request) (*tool.Principal, error) { return &tool.Principal{ID: "x"}, errors.New("no") }, 401},
		"forbidden":     {func(*http.Request) (*tool.Principal, error) { return nil, &tool.Error{Kind: tool.KindForbidden} }, 403},
		"unavailable":   {func(*http.Request) (*tool.Principal, error) { return nil, &tool.Error{Kind: tool.KindUnavailable} }, 503},
		"panic":         {func(*http.Request) (*tool.Principal, error) { panic("auth") }, 500},
	} {
		t.Run(name, func(t *testing.T) {
			h, w := newServer(t, serve.WithAuthenticator(c.auth))
			call := wireCase{request: "POST /a2t" + reportPath + ":invoke", body: invocation("place", "Omaha"), status: c.status}
			call.check(t, call.send(h))
			if w.backend.reports.Load() != 0 {
				t.Error("the call ran")
			}
		})
	}
}

func TestStartRefusals(t *testing.T) {
	mutate := func(change func(*tool.Toolset)) []tool.Toolset {
		set := newWeather(t).toolset()
		change(&set)
		return []tool.Toolset{set}
	}
	drop := func(name string) func(*tool.Toolset) {
		return func(s *tool.Toolset) {
			docs := documentsOf(s)
			delete(docs, name)
			s.Docs = docs
		}
	}
	good := mutate(func(*tool.Toolset) {})
	said := map[string]error{}
	for name, c := range map[string]struct {
		sets    []tool.Toolset
		options []serve.Option
		want    string
	}{
		"handshake":      {mutate(func(s *tool.Toolset) { s.Handshake++ }), nil, `run "sculpt generate" again`},
		"same set twice": {append(good, good...), nil, "two tools are named lookup_weather_by_city"},
		"same id":        {mutate(func(s *tool.Toolset) { s.Tools[1].ID = lookupID }), nil, "have the same id"},
		"same otc id":    {mutate(func(s *tool.Toolset) { s.Tools[1].ToolName = "ReportStorm" }), nil, "have the same OTC id Weather.ReportStorm"},
		"upper case id":  {mutate(func(s *tool.Toolset) { s.Tools[1].ID = strings.ToUpper(lookupID) }), nil, "not a lower-case UUID"},
		"no call":        {mutate(func(s *tool.Toolset) { s.Tools[1].Call = nil }), nil, "Call is nil"},
		"no version":     {mutate(func(s *tool.Toolset) { s.Tools[1].Versions = nil }), nil, "it has no version"},
		"gap":            {mutate(func(s *tool.Toolset) { s.Tools[0].Versions[1].N = 3 }), nil, "version 2 is expected here"},
		"unreleased":     {mutate(func(s *tool.Toolset) { s.Tools[0].Versions[1].Released = false }), nil, "WithUnreleased"},
		"no documents":   {mutate(func(s *tool.Toolset) { s.Docs = nil }), nil, "no documents"},
		"a2t missing":    {mutate(drop("a2t/lookup_weather_by_city.v1.json")), nil, "a2t/lookup_weather_by_city.v1.json"},
		"otc missing":    {mutate(drop("otc/report_storm.v1.json")), nil, "otc/report_storm.v1.json"},
		"atdf missing":   {mutate(drop("atdf/report_storm.enhanced.json")), nil, "atdf/report_storm.enhanced.json"},
		"stale descriptor": {mutate(func(s *tool.Toolset) {
			s.Docs.(fstest.MapFS)["atdf/report_storm.basic.json"] = s.Docs.(fstest.MapFS)["atdf/lookup_weather_by_city.basic.json"]
		}), nil, "atdf/report_storm.basic.json does not describe this version"},
		"lean missing": {good, []serve.Option{serve.WithLeanMCP()}, "mcp/lookup_weather_by_city.lean.json"},
		"stale lean": {mutate(func(s *tool.Toolset) {
			for _, t := range s.Tools {
				s.Docs.(fstest.MapFS)["mcp/"+t.Name+".lean.json"] = &fstest.MapFile{Data: []byte(`{"name": "other"}`)}
			}
		}), []serve.Option{serve.WithLeanMCP()}, "lean.json does not describe this tool"},
		"stale document":  {mutate(func(s *tool.Toolset) { s.Tools[0].Versions[1].Inputs = s.Tools[0].Versions[0].Inputs }), nil, "does not describe this version"},
		"nil auth":        {good, []serve.Option{serve.WithAuthenticator(nil)}, "WithAuthenticator(nil)"},
		"no keys":         {good, []serve.Option{serve.WithAuthenticator(serve.BearerTokens(nil))}, "lets nobody in"},
		"no principal id": {good, []serve.Option{serve.WithAuthenticator(serve.BearerTokens(map[string]tool.Principal{"k": {}}))}, "without ID"},
		"both at root":    {good, []serve.Option{serve.WithPrefix(serve.ProtocolA2T, ""), serve.WithPrefix(serve.ProtocolOTC, "/")}, "both claim GET /tools"},
		"bad prefix":      {good, []serve.Option{serve.WithPrefix(serve.ProtocolA2T, "agents/")}, "not a prefix"},
		"bad protocol":    {good, []serve.Option{serve.WithProtocols("soap")}, `no protocol "soap"`},
		"nil logger":      {good, []serve.Option{serve.WithLogger(nil)}, "WithLogger(nil)"},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := serve.NewHandler(c.sets, c.options...)
			said[name] = err
			if err == nil || h != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	compareSaid(t, "refusals.txt", said)
	if _, err := serve.NewHandler(mutate(func(s *tool.Toolset) { s.Tools[0].Versions[1].Released = false }), serve.WithUnreleased()); err != nil {
		t.Errorf("WithUnreleased: %v", err)
	}
	if _, err := serve.NewHandler(mutate(drop("otc/report_storm.v1.json")), serve.WithProtocols(serve.ProtocolA2T)); err != nil {
		t.Errorf("A2T alone needs no OTC document: %v", err)
	}
}

func TestMountsAndSubsets(t *testing.T) {
	list := func(path string, status int, facts string) wireCase {
		return wireCase{request: "GET " + path, status: status, facts: facts}
	}
	for name, c := range map[string]struct {
		options []serve.Option
		cases   []wireCase
	}{
		"root": {[]serve.Option{serve.WithRootA2T()}, []wireCase{
			list("/tools", 200, "items.#=3"), list("/a2t/tools", 200, "items.#=3"), list("/otc/tools", 200, "tools.#=3"), list("/tools/x", 404, "")}},
		"only": {[]serve.Option{serve.WithProtocols(serve.ProtocolA2T)}, []wireCase{list("/a2t/tools", 200, ""), list("/nact/tools", 404, ""), list("/otc/tools", 404, "")}},
		"at": {[]serve.Option{serve.WithPrefix(serve.ProtocolA2T, "/v1/agents")}, []wireCase{
			list("/v1/agents/tools", 200, "items.#=3"), list("/a2t/tools", 404, ""), list("/v1/agentss/tools", 404, ""), list("/v1/agents", 404, "")}},
		"tags":    {[]serve.Option{serve.WithTags("weather")}, []wireCase{list("/a2t/tools", 200, "items.#=2"), list("/a2t/tools/"+mailboxID, 404, `code="unknown_tool" | detail?`)}},
		"effects": {[]serve.Option{serve.WithEffects(func(e tool.Effects) bool { return e.ReadOnly })}, []wireCase{list("/otc/tools", 200, "tools.#=2"), list("/a2t/tools/"+reportID, 404, "")}},
		"none":    {[]serve.Option{serve.WithTags("nothing")}, []wireCase{list("/a2t/tools", 200, "items=[]"), list("/otc/tools", 200, "tools=[] | items=[]")}},
	} {
		t.Run(name, func(t *testing.T) {
			h, _ := newServer(t, c.options...)
			for _, one := range c.cases {
				one.check(t, one.send(h))
			}
		})
	}
}

// TestInsideAnotherServer mounts A2T at the root of a vendor's own server: its
// middleware decides who calls, its handler is the backend, and the caller's
// token goes along.
func TestInsideAnotherServer(t *testing.T) {
	w := newWeather(t)
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet), serve.WithProtocols(serve.ProtocolA2T), serve.WithPrefix(serve.ProtocolA2T, ""))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/tools", h)
	mux.Handle("/tools/", h)
	mux.HandleFunc("GET /orders", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	outer := golden.Judged(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer mine" {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		who := &tool.Principal{ID: "me", UserID: "u", Secrets: map[string]string{"PIN": "1"}, Tokens: map[string]string{"mail": "t"}}
		mux.ServeHTTP(w, r.WithContext(tool.WithPrincipal(r.Context(), who)))
	}))
	mailbox := wireCase{request: "POST /tools/" + mailboxID + ":invoke", body: `{"input_parameters":[]}`, status: 200, facts: `output_parameters.0.value="u/t"`}
	mailbox.check(t, mailbox.send(outer, "Authorization: Bearer mine"))
	if got := w.backend.seen["/forecast"]; got != "Bearer mine" {
		t.Errorf("the backend saw the credentials %q", got)
	}
	list := wireCase{request: "GET /tools", status: 200, facts: "items.#=3"}
	list.check(t, list.send(outer, "Authorization: Bearer mine"))
	stopped := wireCase{request: "GET /tools", status: 204}
	stopped.check(t, stopped.send(outer))
}

// TestPanicBehindAnAnswer: half an answer is cut, never followed by another.
func TestPanicBehindAnAnswer(t *testing.T) {
	h, _ := plainServer(t)
	defer func() {
		if p := recover(); p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it like this
			t.Errorf("the panic became %v", p)
		}
	}()
	h.ServeHTTP(brokenWriter{discard{http.Header{}}}, httptest.NewRequest("GET", "/a2t/tools", nil))
}

type brokenWriter struct{ discard }

func (brokenWriter) Write([]byte) (int, error) { panic("the writer is broken") }
