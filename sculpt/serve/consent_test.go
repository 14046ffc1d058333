package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

const agreeURL = "https://id.example/agree?state=secret-state"

// unagreed is a set whose tools want the consent of their user; after says that one
// of their effects has happened before.
func unagreed(t *testing.T, after bool) (tool.Toolset, *atomic.Int32) {
	set, calls := newWeather(t).toolset(), new(atomic.Int32)
	for i := range set.Tools {
		set.Tools[i].Call = func(context.Context, tool.Args) (tool.Result, error) {
			calls.Add(1)
			err := error(&tool.Error{
				Kind: tool.KindForbidden, Code: "consent_required", Retryable: true, Message: "The person has to allow it.",
				Authorization: &tool.Authorization{ID: "e-1", Provider: "mail", URL: agreeURL},
			})
			if after {
				err = tool.AfterEffects(err, "order")
			}
			return nil, err
		}
	}
	return set, calls
}

// TestConsentOnTheWire: each protocol gives the address in its own way, and none
// where a client would make a call again that has had an effect.
func TestConsentOnTheWire(t *testing.T) {
	set, calls := unagreed(t, false)
	var log bytes.Buffer
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(slog.New(slog.NewTextHandler(&log, nil))), serve.WithOTCUnauthorized401())
	if err != nil {
		t.Fatal(err)
	}
	const sentence = `"The person has to allow it. Give them this address, and call again when they have agreed: ` + agreeURL + `"`
	const storm = `{"place":"Omaha"}`
	opens := strings.Replace(modernCall("report_storm", storm), `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{"url":{}}}`, 1)
	runCases(t, h, []wireCase{
		{"A2T", "POST /a2t" + reportPath + ":invoke", invocation("place", "Omaha"), 403, `code="forbidden" | reason="consent_required" | retryable=true | detail=` + sentence},
		{"N-ACT", "POST /nact" + reportPath + ":invoke", invocation("place", "Omaha"), 403, `detail=` + sentence},
		{"OTC", callPath, otcCall("Weather.ReportStorm", storm), 400, `missing_requirements={"authorization":[{"id":"mail","url":"` + agreeURL + `"}]} | message=` + sentence},
		{"MCP of a client of which nothing is known", mcpPost, legacyCall("report_storm", storm), 200, `result.isError=true | result.content.0.text=` + sentence},
		{"the same capability where nobody keeps it", mcpPost, rpc("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"url":{}}}}`), 200, `result.protocolVersion="2025-11-25"`},
	})
	runCases(t, h, []wireCase{
		{"MCP of a client that opens pages", mcpPost, opens, 200, `result.resultType="input_required" | result.content? | ` +
			`result.inputRequests.consent={"method":"elicitation/create","params":{"message":"The person has to allow it.","mode":"url","url":"` + agreeURL + `"}}`},
		{"MCP of a client that has forms", mcpPost, strings.Replace(opens, `{"url":{}}`, `{}`, 1), 200, `result.isError=true | result.resultType="complete" | result.content.0.text=` + sentence},
		{"MCP of a client that says something else", mcpPost, strings.Replace(opens, `{"url":{}}`, `{"url":true}`, 1), 200, `result.isError=true`},
	}, modernHeaders("tools/call", "report_storm")...)
	if calls.Load() != 7 || strings.Contains(log.String(), "secret-state") {
		t.Errorf("%d calls, and the log says %s", calls.Load(), log.String())
	}

	set, _ = unagreed(t, true)
	after := stdioHandler(t, set)
	runCases(t, after, []wireCase{
		{"OTC after an effect", callPath, otcCall("Weather.ReportStorm", storm), 200, `missing_requirements? | result.success=false | result.error.can_retry=false | result.error.effects_done=["order"] | result.error.message=` + sentence},
	})
	runCases(t, after, []wireCase{
		{"MCP after an effect", mcpPost, opens, 200, `result.isError=true | result.inputRequests?`},
	}, modernHeaders("tools/call", "report_storm")...)
}

// TestConsentOverStdio: the capabilities of initialize hold for what comes after it.
func TestConsentOverStdio(t *testing.T) {
	set, _ := unagreed(t, false)
	h := stdioHandler(t, set)
	for name, c := range map[string]struct{ initialize, want string }{
		"opens pages":   {`{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}}}`, `-32042`},
		"has forms":     {`{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}`, `true`},
		"is older":      {`{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"url":{}}}}`, `true`},
		"says nothing":  {`{"protocolVersion":"2025-11-25"}`, `true`},
		"says nonsense": {`{"protocolVersion":"2025-11-25","capabilities":[{"elicitation":{"url":{}}}]}`, `true`},
	} {
		answers, _ := talk(t, h, strings.NewReader(id("i", rpc("initialize", c.initialize))+"\n"+id("c", legacyCall("report_storm", `{"place":"Omaha"}`))+"\n"))
		got, found := look(answers["c"], "error.code")
		if !found {
			got, _ = look(answers["c"], "result.isError")
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("a client that %s gets %v", name, answers["c"])
		}
		if page, _ := look(answers["c"], "error.data.elicitations.0.url"); c.want == "-32042" && page != agreeURL {
			t.Errorf("the page is %v", page)
		}
	}
}

// TestConsentOverModernStdio: each request says what its client can do.
func TestConsentOverModernStdio(t *testing.T) {
	set, _ := unagreed(t, false)
	opens := strings.Replace(modernCall("report_storm", `{"place":"Omaha"}`), `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{"url":{}}}`, 1)
	answers, _ := talk(t, stdioHandler(t, set), strings.NewReader(id("a", opens)+"\n"+id("b", modernCall("report_storm", `{"place":"Omaha"}`))+"\n"))
	if page, _ := look(answers["a"], "result.inputRequests.consent.params.url"); page != agreeURL {
		t.Errorf("%v", answers["a"])
	}
	if fails, _ := look(answers["b"], "result.isError"); fails != true {
		t.Errorf("%v", answers["b"])
	}
}

// TestConsentAgain: a call that has a name runs again under it when its user has
// agreed.
func TestConsentAgain(t *testing.T) {
	set, calls := unagreed(t, false)
	h := stdioHandler(t, set)
	c := wireCase{request: callPath, body: otcCall("Weather.ReportStorm", `{"place":"Omaha"}`, `"call_id":"once"`), status: 400}
	for range 2 {
		c.check(t, c.send(h))
	}
	if calls.Load() != 2 {
		t.Errorf("%d calls, want 2: the first refusal was kept", calls.Load())
	}
}

// TestConsentEndToEnd goes all the way over loopback: a call, a browser that signs in
// at an authorization server and comes back, and the call again.
func TestConsentEndToEnd(t *testing.T) {
	var mu sync.Mutex
	var sent []string
	id := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/authorize":
			q := r.URL.Query()
			http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {"c1"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
		case "/token":
			fmt.Fprint(w, `{"access_token":"t-of-ada","token_type":"Bearer","expires_in":600,"refresh_token":"r"}`)
		default:
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, r.Header.Get("Authorization"))
			fmt.Fprint(w, `{}`)
		}
	}))
	defer id.Close()
	mux := http.NewServeMux()
	front := httptest.NewServer(mux)
	defer front.Close()
	consent := &upstream.Consent{Redirect: front.URL + "/consent", Store: &upstream.MemoryTokens{}, User: func(r *http.Request) string {
		if c, err := r.Cookie("session"); err == nil {
			return c.Value
		}
		return ""
	}}
	api, err := upstream.New(upstream.Spec{Name: "mail", BaseURL: id.URL, Credentials: []upstream.Credential{{
		Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "authorization_code", TokenURL: id.URL + "/token",
		AuthorizationURL: id.URL + "/authorize", ClientID: "app",
	}}}, upstream.API{Consent: consent})
	if err != nil {
		t.Fatal(err)
	}
	set := newWeather(t).toolset()
	set.Tools[1].Needs = tool.Needs{UserID: true}
	set.Tools[1].Call = func(ctx context.Context, _ tool.Args) (tool.Result, error) {
		c := api.Call("mails", http.MethodGet, upstream.EffectRead)
		c.Credentials("login")
		c.Path("/mails")
		_, err := upstream.Do[struct{}](ctx, c, nil)
		return tool.Result{{Name: "owner", JSON: []byte(`"ada"`)}}, err
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet), serve.WithAuthenticator(keys()))
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("/consent", consent)
	mux.Handle("/", h)

	invoke := func(user string) any {
		t.Helper()
		body := otcCall("Weather.ReadMailbox", `{}`, `"context":{"user_id":"`+user+`"}`)
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, front.URL+"/otc/tools/call", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Api-Key", "secret-1")
		return answerOf(t, r)
	}
	page, ok := look(invoke("ada"), "missing_requirements.authorization.0.url")
	if !ok {
		t.Fatal("the first call gives no address")
	}
	visit := func(user string) string {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, page.(string), http.NoBody)
		client := &http.Client{CheckRedirect: func(next *http.Request, _ []*http.Request) error {
			next.AddCookie(&http.Cookie{Name: "session", Value: user})
			return nil
		}}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return string(text)
	}
	if text := visit("ada"); !strings.Contains(text, "allowed now") {
		t.Fatal(text)
	}
	if owner, _ := look(invoke("ada"), "result.value.owner"); owner != "ada" || strings.Join(sent, " ") != "Bearer t-of-ada" {
		t.Errorf("%v, with %q sent", owner, sent)
	}
	if _, ok := look(invoke("bob"), "missing_requirements.authorization.0.url"); !ok || len(sent) != 1 {
		t.Errorf("bob is not asked; %q sent", sent)
	}
	if _, ok := look(invoke(""), "missing_requirements.user_id"); !ok {
		t.Error("a call for nobody")
	}
}

func answerOf(t *testing.T, r *http.Request) any {
	t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var doc any
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return doc
}
