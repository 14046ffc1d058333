package upstream_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// An agreeing is an authorization server, the service that takes its tokens, and
// the program that asks users.
type agreeing struct {
	t       *testing.T
	client  *upstream.Client
	consent *upstream.Consent
	store   *upstream.MemoryTokens
	// browser is the user who is signed in at the program.
	browser string
	// noRefresh: it gives no refresh tokens. life is expires_in, 0 for none.
	noRefresh bool
	life      int

	mu sync.Mutex
	// codes are those that were not redeemed yet, with their challenges; dead are
	// tokens that nobody takes any more.
	codes map[string]string
	dead  map[string]bool
	n     int
	forms []url.Values
	sent  []string
}

const consentRedirect = "https://tools.example/consent"

func newAgreeing(t *testing.T) *agreeing {
	a := &agreeing{t: t, store: &upstream.MemoryTokens{}, browser: "ada", life: 3600, codes: map[string]string{}, dead: map[string]bool{}}
	a.consent = &upstream.Consent{Redirect: consentRedirect, Store: a.store, User: func(*http.Request) string { return a.browser }}
	a.client = a.newClient(nil)
	return a
}

func (a *agreeing) newClient(change func(*upstream.Credential)) *upstream.Client {
	c := upstream.Credential{
		Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "authorization_code", ClientID: "app", Value: "s3cret-of-app",
		TokenURL: "https://id.example/token", AuthorizationURL: "https://id.example/authorize?prompt=consent", Scopes: []string{"mail.read", "mail.send"},
	}
	if change != nil {
		change(&c)
	}
	u, err := upstream.New(upstream.Spec{Name: "mail", BaseURL: "https://mail.example", Credentials: []upstream.Credential{c}}, upstream.API{Handler: a, Consent: a.consent})
	if err != nil {
		a.t.Fatal(err)
	}
	return u
}

func (a *agreeing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Host == "id.example" {
		a.token(w, r.PostForm)
		return
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	a.sent = append(a.sent, token)
	if a.dead[token] || !strings.HasPrefix(token, "access-") {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	fmt.Fprint(w, `{}`)
}

func (a *agreeing) token(w http.ResponseWriter, form url.Values) {
	a.forms = append(a.forms, form)
	ok := false
	switch form.Get("grant_type") {
	case "authorization_code":
		challenge := sha256.Sum256([]byte(form.Get("code_verifier")))
		ok = a.codes[form.Get("code")] == base64.RawURLEncoding.EncodeToString(challenge[:]) && form.Get("redirect_uri") == consentRedirect
		delete(a.codes, form.Get("code"))
	case "refresh_token":
		old := form.Get("refresh_token")
		ok = strings.HasPrefix(old, "refresh-") && !a.dead[old]
		a.dead[old] = true
	}
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"invalid_grant"}`)
		return
	}
	a.n++
	answer := fmt.Sprintf(`{"access_token":"access-secret-%d"`, a.n)
	if !a.noRefresh {
		answer += fmt.Sprintf(`,"refresh_token":"refresh-secret-%d"`, a.n)
	}
	if a.life > 0 {
		answer += fmt.Sprintf(`,"expires_in":%d`, a.life)
	}
	fmt.Fprint(w, answer+"}")
}

// call makes a call for a user.
func (a *agreeing) call(user string) error {
	return a.callWith(a.client, &tool.Principal{ID: "desk", UserID: user}, upstream.EffectRead)
}

func (a *agreeing) callWith(u *upstream.Client, p *tool.Principal, effect upstream.Effect) error {
	method := http.MethodGet
	if effect == upstream.EffectUnsafe {
		method = http.MethodPost
	}
	c := u.Call("mails", method, effect)
	c.Credentials("login")
	c.Path("/mails")
	_, err := upstream.Do[struct{}](tool.WithPrincipal(a.t.Context(), p), c, nil)
	return err
}

// asked is the URL that a call fails with.
func (a *agreeing) asked(err error) *url.URL {
	a.t.Helper()
	e, ok := errors.AsType[*tool.Error](err)
	if !ok || e.Authorization == nil || e.Code != "consent_required" || e.Kind != tool.KindForbidden || !e.Retryable {
		a.t.Fatalf("the call gives %v, and not the address for its user", err)
	}
	if strings.Contains(e.Error(), "id.example") || !strings.Contains(e.Explain(), e.Authorization.URL) {
		a.t.Errorf("the log would get %q, the model %q", e.Error(), e.Explain())
	}
	u, err := url.Parse(e.Authorization.URL)
	if err != nil {
		a.t.Fatal(err)
	}
	return u
}

// agree is the person who says yes: the address that their browser is sent to.
func (a *agreeing) agree(at *url.URL) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := at.Query()
	code := fmt.Sprintf("code-secret-%d", len(a.codes)+len(a.forms))
	a.codes[code] = q.Get("code_challenge")
	return q.Get("redirect_uri") + "?" + url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
}

// visit opens an address of the program.
func (a *agreeing) visit(method, address string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	a.consent.ServeHTTP(w, httptest.NewRequestWithContext(a.t.Context(), method, address, http.NoBody))
	return w
}

// allow goes all the way for a user.
func (a *agreeing) allow(user string) {
	a.t.Helper()
	a.browser = user
	if w := a.visit(http.MethodGet, a.agree(a.asked(a.call(user)))); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "allowed now") {
		a.t.Fatalf("%d %s", w.Code, w.Body)
	}
}

func TestConsent(t *testing.T) {
	a := newAgreeing(t)
	at := a.asked(a.call("ada"))
	q := at.Query()
	for name, want := range map[string]string{
		"prompt": "consent", "response_type": "code", "client_id": "app", "redirect_uri": consentRedirect, "scope": "mail.read mail.send", "code_challenge_method": "S256",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if at.Host != "id.example" || len(q.Get("state")) < 43 || len(q.Get("code_challenge")) != 43 || strings.Contains(at.String(), "s3cret") {
		t.Error(at)
	}
	if again := a.asked(a.call("ada")); again.String() != at.String() {
		t.Error("one user is given two addresses at once")
	}
	w := a.visit(http.MethodGet, a.agree(at))
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("Referrer-Policy") != "no-referrer" || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if err := a.call("ada"); err != nil {
		t.Fatal(err)
	}
	if len(a.forms) != 1 || len(a.forms[0].Get("code_verifier")) < 43 || strings.Join(a.sent, " ") != "access-secret-1" {
		t.Errorf("%v %v", a.forms, a.sent)
	}
	// Nobody else has agreed: another user, another key of the server, other scopes.
	a.asked(a.call("bob"))
	a.asked(a.callWith(a.client, &tool.Principal{ID: "other", UserID: "ada"}, upstream.EffectRead))
	a.asked(a.callWith(a.client, &tool.Principal{ID: "desk/ada", UserID: "ada"}, upstream.EffectRead))
	wider := a.newClient(func(c *upstream.Credential) { c.Scopes = []string{"mail.read", "mail.delete"} })
	a.asked(a.callWith(wider, &tool.Principal{ID: "desk", UserID: "ada"}, upstream.EffectRead))
	if len(a.sent) != 1 {
		t.Errorf("the service was sent %v", a.sent)
	}
	// Another process with the same store needs no consent.
	if err := a.callWith(a.newClient(nil), &tool.Principal{ID: "desk", UserID: "ada"}, upstream.EffectUnsafe); err != nil {
		t.Error(err)
	}
}

// TestConsentKeys: what parts of a key hold cannot make it that of somebody else.
func TestConsentKeys(t *testing.T) {
	a := newAgreeing(t)
	a.allow("ada")
	for _, p := range []*tool.Principal{{ID: "desk/ada"}, {ID: "desk", UserID: "ada/"}, {ID: "desk%2Fada", UserID: "x"}, {UserID: "ada"}, {ID: "desk", UserID: strings.Repeat("a", 2000)}, {}} {
		if err := a.callWith(a.client, p, upstream.EffectRead); err == nil {
			t.Errorf("%+v is taken for ada of desk", p)
		} else if p.UserID == "" || p.ID == "" || len(p.UserID) > 99 {
			if tool.KindOf(err) != tool.KindUnauthorized {
				t.Errorf("%+v: %v", p, err)
			}
		}
	}
}

// cut is what precedes a mark.
func cut(text, mark string) string {
	before, _, _ := strings.Cut(text, mark)
	return before
}

// TestConsentAttacks: whatever comes to the handler instead of the browser of the
// person who was asked gives nothing, and nothing is asked of the token endpoint.
func TestConsentAttacks(t *testing.T) {
	for name, attack := range map[string]func(a *agreeing, good string) string{
		"another state": func(_ *agreeing, good string) string { return cut(good, "state=") + "state=AAAA" },
		"no state":      func(_ *agreeing, good string) string { return cut(good, "&state=") },
		"two states":    func(_ *agreeing, good string) string { return good + "&state=x" },
		"two codes":     func(_ *agreeing, good string) string { return good + "&code=x" },
		"no code": func(_ *agreeing, good string) string {
			return strings.Replace(good, "code=", "error=access_denied&c=", 1)
		},
		"another user":   func(a *agreeing, good string) string { a.browser = "eve"; return good },
		"nobody":         func(a *agreeing, good string) string { a.browser = ""; return good },
		"a guessed code": func(_ *agreeing, good string) string { return strings.Replace(good, "code-secret", "code-guessed", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgreeing(t)
			bad := attack(a, a.agree(a.asked(a.call("ada"))))
			if w := a.visit(http.MethodGet, bad); strings.Contains(w.Body.String(), "allowed now") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			a.browser = "ada"
			a.asked(a.call("ada"))
			if asked := len(a.forms); asked > 0 && name != "a guessed code" || len(a.sent) > 0 {
				t.Errorf("%d requests for a token, %v sent", asked, a.sent)
			}
		})
	}
	t.Run("replayed", func(t *testing.T) {
		a := newAgreeing(t)
		good := a.agree(a.asked(a.call("ada")))
		a.visit(http.MethodGet, good)
		if w := a.visit(http.MethodGet, good); w.Code != http.StatusBadRequest || len(a.forms) != 1 {
			t.Errorf("%d, %d requests for a token", w.Code, len(a.forms))
		}
	})
	t.Run("posted", func(t *testing.T) {
		a := newAgreeing(t)
		good := a.agree(a.asked(a.call("ada")))
		if w := a.visit(http.MethodPost, good); w.Code != http.StatusMethodNotAllowed {
			t.Error(w.Code)
		}
		if w := a.visit(http.MethodGet, good); w.Code != http.StatusOK {
			t.Error("a POST has used up the address")
		}
	})
	t.Run("the state of another user", func(t *testing.T) {
		a := newAgreeing(t)
		evil, ada := a.asked(a.call("eve")), a.asked(a.call("ada"))
		if evil.Query().Get("state") == ada.Query().Get("state") {
			t.Fatal("one state for two users")
		}
		a.visit(http.MethodGet, a.agree(evil)) // in the browser of ada
		a.asked(a.call("eve"))
		if len(a.forms) != 0 {
			t.Error("what ada allowed was given to eve")
		}
	})
}

func TestConsentEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAgreeing(t)
		first := a.asked(a.call("ada"))
		time.Sleep(6 * time.Minute)
		second := a.asked(a.call("ada"))
		if first.String() == second.String() {
			t.Error("an address is handed out that ends before anybody reads the page")
		}
		time.Sleep(5 * time.Minute)
		if w := a.visit(http.MethodGet, a.agree(first)); w.Code != http.StatusBadRequest || len(a.forms) != 0 {
			t.Errorf("after 11 minutes: %d", w.Code)
		}
		if w := a.visit(http.MethodGet, a.agree(second)); w.Code != http.StatusOK {
			t.Errorf("after 5 minutes: %d", w.Code)
		}
		if err := a.call("ada"); err != nil {
			t.Error(err)
		}
	})
}

// TestConsentIsBounded: callers who invent users fill no memory, and what they took
// is free again.
func TestConsentIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAgreeing(t)
		for i := range 10_000 {
			if err := a.call(fmt.Sprint("user ", i)); tool.KindOf(err) != tool.KindForbidden {
				t.Fatal(i, err)
			}
		}
		if err := a.call("one more"); tool.KindOf(err) != tool.KindRateLimited {
			t.Error(err)
		}
		time.Sleep(11 * time.Minute)
		a.asked(a.call("one more"))
	})
}

// TestConsentRefresh: one refresh for a hundred calls, and what it gives is saved.
func TestConsentRefresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAgreeing(t)
		a.allow("ada")
		time.Sleep(time.Hour)
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				if err := a.call("ada"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(a.forms) != 2 || a.forms[1].Get("refresh_token") != "refresh-secret-1" {
			t.Errorf("%d requests for tokens: %v", len(a.forms), a.forms)
		}
		for _, token := range a.sent {
			if token != "access-secret-2" {
				t.Errorf("sent %s", token)
			}
		}
		// Another process goes on where this one has got to.
		time.Sleep(time.Hour)
		if err := a.callWith(a.newClient(nil), &tool.Principal{ID: "desk", UserID: "ada"}, upstream.EffectRead); err != nil {
			t.Error(err)
		}
		// This one finds what the other has saved, and does not use an old refresh token.
		if err := a.call("ada"); err != nil || len(a.forms) != 3 {
			t.Errorf("%v after %d requests", err, len(a.forms))
		}
	})
}

// TestConsentTakenBack: a user who does not agree any more is asked again, also
// where the service says so first and the call would change something.
func TestConsentTakenBack(t *testing.T) {
	ada := &tool.Principal{ID: "desk", UserID: "ada"}
	t.Run("the service refuses, and there is another token", func(t *testing.T) {
		a := newAgreeing(t)
		a.allow("ada")
		a.dead["access-secret-1"] = true
		if err := a.callWith(a.client, ada, upstream.EffectUnsafe); err != nil {
			t.Error(err)
		}
		if got := strings.Join(a.sent, " "); got != "access-secret-1 access-secret-2" {
			t.Error(got)
		}
	})
	t.Run("the service refuses, and there is none", func(t *testing.T) {
		a := newAgreeing(t)
		a.noRefresh, a.life = true, 0
		a.allow("ada")
		a.dead["access-secret-1"] = true
		a.asked(a.callWith(a.client, ada, upstream.EffectUnsafe))
		a.allow("ada")
		if err := a.callWith(a.client, ada, upstream.EffectUnsafe); err != nil {
			t.Error(err)
		}
	})
	t.Run("the refresh token is no use", func(t *testing.T) {
		a := newAgreeing(t)
		a.allow("ada")
		a.dead["access-secret-1"], a.dead["refresh-secret-1"] = true, true
		a.asked(a.call("ada"))
		a.asked(a.callWith(a.newClient(nil), ada, upstream.EffectRead))
		if len(a.forms) != 2 {
			t.Errorf("a refresh token that is no use was sent %d times", len(a.forms)-1)
		}
	})
	t.Run("the store has forgotten", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a := newAgreeing(t)
			a.allow("ada")
			if err := a.call("ada"); err != nil {
				t.Fatal(err)
			}
			a.consent.Store.(*upstream.MemoryTokens).SaveUserToken(t.Context(), a.key(), upstream.UserToken{})
			time.Sleep(2 * time.Minute)
			_ = a.call("ada") // finds out meanwhile
			synctest.Wait()
			a.asked(a.call("ada"))
		})
	})
}

// key is that of the only token in the store: it is told to the vendor's store alone.
func (a *agreeing) key() string {
	spy := &spyStore{TokenStore: a.store}
	a.consent.Store = spy
	_ = a.callWith(a.newClient(nil), &tool.Principal{ID: "desk", UserID: "ada"}, upstream.EffectRead)
	a.consent.Store = a.store
	return spy.key
}

type spyStore struct {
	upstream.TokenStore
	key string
	err error
}

func (s *spyStore) UserToken(ctx context.Context, key string) (upstream.UserToken, error) {
	if s.key = key; s.err != nil {
		return upstream.UserToken{}, s.err
	}
	return s.TokenStore.UserToken(ctx, key)
}

// TestConsentIsSilent: no secret gets into errors and logs, not even where all goes
// wrong; and a store that fails is a failure and not a missing consent.
func TestConsentIsSilent(t *testing.T) {
	a := newAgreeing(t)
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	good := a.agree(a.asked(a.call("ada")))
	_, state, _ := strings.Cut(good, "state=")
	a.visit(http.MethodGet, strings.Replace(good, "code-secret", "other-secret", 1))
	a.allow("ada")
	a.dead["access-secret-1"], a.dead["refresh-secret-1"] = true, true
	err := a.call("ada")
	a.consent.Store = &spyStore{err: errors.New("cannot reach db-secret")}
	broken := a.callWith(a.newClient(nil), &tool.Principal{ID: "desk", UserID: "ada"}, upstream.EffectRead)
	if e, ok := errors.AsType[*tool.Error](broken); !ok || e.Kind != tool.KindUnavailable || e.Authorization != nil {
		t.Error(broken)
	}
	for _, text := range []string{log.String(), fmt.Sprint(err), fmt.Sprint(broken)} {
		for _, secret := range []string{"secret", "s3cret", state} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %s", text, secret)
			}
		}
	}
	if !strings.Contains(log.String(), "code=invalid_grant") {
		t.Errorf("the log does not say what went wrong: %s", log.String())
	}
}

func TestConsentAtStart(t *testing.T) {
	whole := func() (upstream.Credential, *upstream.Consent) {
		return upstream.Credential{Scheme: "login", In: "header", Name: "Authorization", Grant: "authorization_code", ClientID: "app", TokenURL: "https://id.example/t", AuthorizationURL: "https://id.example/a"},
			&upstream.Consent{Redirect: consentRedirect, Store: &upstream.MemoryTokens{}, User: func(*http.Request) string { return "" }}
	}
	for name, c := range map[string]struct {
		change func(*upstream.Credential, *upstream.Consent) *upstream.Consent
		want   string
	}{
		"all is there": {func(_ *upstream.Credential, c *upstream.Consent) *upstream.Consent { return c }, ""},
		"on this machine": {func(_ *upstream.Credential, c *upstream.Consent) *upstream.Consent {
			c.Redirect = "http://127.0.0.1:8080/c"
			return c
		}, ""},
		"no consent":       {func(*upstream.Credential, *upstream.Consent) *upstream.Consent { return nil }, "set Consent"},
		"no store":         {func(_ *upstream.Credential, c *upstream.Consent) *upstream.Consent { c.Store = nil; return c }, "Store"},
		"nobody knows who": {func(_ *upstream.Credential, c *upstream.Consent) *upstream.Consent { c.User = nil; return c }, "User"},
		"a redirect in clear": {func(_ *upstream.Credential, c *upstream.Consent) *upstream.Consent {
			c.Redirect = "http://tools.example/c"
			return c
		}, "redirect URL"},
		"no redirect":      {func(_ *upstream.Credential, c *upstream.Consent) *upstream.Consent { c.Redirect = ""; return c }, "redirect URL"},
		"nowhere to agree": {func(k *upstream.Credential, c *upstream.Consent) *upstream.Consent { k.AuthorizationURL = ""; return c }, "authorization URL"},
	} {
		k, consent := whole()
		consent = c.change(&k, consent)
		_, err := upstream.New(upstream.Spec{Name: "mail", BaseURL: "https://mail.example", Credentials: []upstream.Credential{k}}, upstream.API{Consent: consent})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// An own transport may add what is the caller's.
	k, _ := whole()
	if _, err := upstream.New(upstream.Spec{Name: "mail", BaseURL: "https://mail.example", Credentials: []upstream.Credential{k}}, upstream.API{Transport: http.DefaultTransport}); err != nil {
		t.Error(err)
	}
}
