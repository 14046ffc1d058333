package upstream_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A mixServer is an authorization server and the api that takes its tokens, on
// loopback. With evil set it sends everybody on to the server there, as if they
// were asked for that one (RFC 9700 4.4.1).
type mixServer struct {
	*httptest.Server
	name       string
	evil       *mixServer
	sendIss    string
	registered []string
	challenges map[string]string // of the codes that it gave
	forms      []url.Values      // at its token endpoint
	called     int
}

func newMixServer(t *testing.T, name string) *mixServer {
	m := &mixServer{name: name, challenges: map[string]string{}}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

func (m *mixServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	switch r.URL.Path {
	case "/authorize":
		m.authorize(w, r)
	case "/token":
		m.forms = append(m.forms, r.PostForm)
		digest := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if m.challenges[r.PostForm.Get("code")] != base64.RawURLEncoding.EncodeToString(digest[:]) {
			http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `{"access_token":"access-%s","expires_in":3600}`, m.name)
	default:
		if r.Header.Get("Authorization") == "Bearer access-"+m.name {
			m.called++
		}
		fmt.Fprint(w, `{}`)
	}
}

func (m *mixServer) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if m.evil != nil {
		q.Set("client_id", "app-"+m.evil.name)
		q.Set("redirect_uri", m.evil.registered[0])
		http.Redirect(w, r, m.evil.URL+"/authorize?"+q.Encode(), http.StatusFound)
		return
	}
	if q.Get("client_id") != "app-"+m.name || !slices.Contains(m.registered, q.Get("redirect_uri")) {
		http.Error(w, "not a client of ours", http.StatusBadRequest)
		return
	}
	code := "code-" + m.name + "-" + rand.Text()
	m.challenges[code] = q.Get("code_challenge")
	back, _ := url.Parse(q.Get("redirect_uri"))
	answer := back.Query()
	answer.Set("code", code)
	answer.Set("state", q.Get("state"))
	if m.sendIss != "" {
		answer.Set("iss", m.sendIss)
	}
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// learned lists what the server was given that belongs to another one.
func (m *mixServer) learned(of *mixServer) []string {
	var all []string
	for _, f := range m.forms {
		if code := f.Get("code"); strings.HasPrefix(code, "code-"+of.name) {
			all = append(all, code, f.Get("code_verifier"))
		}
	}
	return all
}

// A mixProgram is a program with tools over both apis, and its only user.
type mixProgram struct {
	t       *testing.T
	consent *upstream.Consent
	page    *httptest.Server
	clients map[string]*upstream.Client
}

func newMixProgram(t *testing.T, redirect string) *mixProgram {
	p := &mixProgram{t: t, clients: map[string]*upstream.Client{}}
	mux := http.NewServeMux()
	p.page = httptest.NewServer(mux)
	t.Cleanup(p.page.Close)
	p.consent = &upstream.Consent{Redirect: p.page.URL + redirect, Store: &upstream.MemoryTokens{}, User: func(*http.Request) string { return "ada" }}
	mux.Handle(redirect, p.consent)
	return p
}

func (p *mixProgram) use(m *mixServer, change func(*upstream.Credential)) error {
	c := upstream.Credential{
		Scheme: "login", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "authorization_code",
		ClientID: "app-" + m.name, TokenURL: m.URL + "/token", AuthorizationURL: m.URL + "/authorize",
	}
	if change != nil {
		change(&c)
	}
	u, err := upstream.New(upstream.Spec{Name: m.name, BaseURL: m.URL, Credentials: []upstream.Credential{c}}, upstream.API{Consent: p.consent})
	p.clients[m.name] = u
	return err
}

func (p *mixProgram) call(m *mixServer) error {
	c := p.clients[m.name].Call("read", http.MethodGet, upstream.EffectRead)
	c.Credentials("login")
	c.Path("/read")
	_, err := upstream.Do[struct{}](tool.WithPrincipal(p.t.Context(), &tool.Principal{ID: "desk", UserID: "ada"}), c, nil)
	return err
}

// open is the browser of the user, who agrees to everything. It returns where the
// browser came to.
func (p *mixProgram) open(m *mixServer) (status int, at *url.URL) {
	p.t.Helper()
	e := tool.AsError(p.call(m))
	if e == nil || e.Authorization == nil {
		p.t.Fatalf("the tool of %s does not ask: %v", m.name, e)
	}
	r, err := http.Get(e.Authorization.URL)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Body.Close()
	return r.StatusCode, r.Request.URL
}

// A mixCase is a way to keep two authorization servers apart, or not to.
type mixCase struct {
	redirect string
	// iss says what the honest server sends, and what is known of both.
	iss                      bool
	honestIssuer, evilIssuer string
	// evilAuthorizes: the document of the malicious api names the honest server as
	// the place where users agree, and the id of the client there.
	evilAuthorizes bool
	refused        string
}

// TestMixUp: a malicious authorization server that sends users on to an honest one
// gets neither its code nor the verifier, whichever of the two was configured first.
// Where nothing would tell the two apart, the program does not start.
func TestMixUp(t *testing.T) {
	for name, c := range map[string]mixCase{
		"one redirect URL":                        {redirect: "/consent", refused: "{api}"},
		"one redirect URL, one issuer":            {redirect: "/consent", iss: true, honestIssuer: "own", refused: "{api}"},
		"one redirect URL, the issuer of another": {redirect: "/consent", iss: true, honestIssuer: "own", evilIssuer: "honest", evilAuthorizes: true, refused: "same issuer"},
		"two issuers":                             {redirect: "/consent", iss: true, honestIssuer: "own", evilIssuer: "own"},
		"two issuers, the address of another":     {redirect: "/consent", iss: true, honestIssuer: "own", evilIssuer: "own", evilAuthorizes: true},
		"two redirect URLs":                       {redirect: "/consent/{api}"},
		"two redirect URLs, and iss":              {redirect: "/consent/{api}", iss: true},
		"two redirect URLs, one issuer":           {redirect: "/consent/{api}", iss: true, honestIssuer: "own"},
		"two redirect URLs, the address":          {redirect: "/consent/{api}/{scheme}", evilAuthorizes: true},
	} {
		for _, order := range []string{"honest first", "malicious first"} {
			t.Run(name+", "+order, func(t *testing.T) { c.try(t, order == "malicious first") })
		}
	}
}

func (c mixCase) try(t *testing.T, reverse bool) {
	p := newMixProgram(t, c.redirect)
	honest, evil := newMixServer(t, "honest"), newMixServer(t, "evil")
	if c.iss {
		honest.sendIss = honest.URL
	}
	changes := map[*mixServer]func(*upstream.Credential){
		honest: func(k *upstream.Credential) {
			if c.honestIssuer != "" {
				k.Issuer = honest.URL
			}
		},
		evil: func(k *upstream.Credential) {
			if k.Issuer = ""; c.evilIssuer != "" {
				k.Issuer = map[string]string{"own": evil.URL, "honest": honest.URL}[c.evilIssuer]
			}
			if c.evilAuthorizes {
				k.AuthorizationURL, k.ClientID = honest.URL+"/authorize", "app-honest"
			}
		},
	}
	both := []*mixServer{honest, evil}
	if reverse {
		slices.Reverse(both)
	}
	for _, m := range both {
		m.registered = []string{p.redirectOf(m)}
		if err := p.use(m, changes[m]); err != nil {
			if c.refused == "" || m != both[1] || !strings.Contains(err.Error(), c.refused) {
				t.Error(err)
			}
			return
		}
	}
	if c.refused != "" {
		t.Error("the program starts")
	}
	evil.evil = honest
	p.open(evil)
	p.open(evil) // another state
	if got := slices.Concat(evil.learned(honest), honest.learned(evil)); got != nil || len(evil.forms)+len(honest.forms) > 0 {
		t.Errorf("the token endpoints were asked: %v %v", evil.forms, honest.forms)
	}
	// After all that, the honest one works, and the other one if it behaves.
	if status, at := p.open(honest); status != http.StatusOK || p.call(honest) != nil || honest.called != 1 {
		t.Errorf("%d at %s, %d calls", status, at, honest.called)
	}
	if evil.evil = nil; c.evilAuthorizes {
		return
	}
	if c.evilIssuer != "" {
		evil.sendIss = evil.URL
	}
	if status, at := p.open(evil); status != http.StatusOK || p.call(evil) != nil || evil.called != 1 {
		t.Errorf("%d at %s, %d calls", status, at, evil.called)
	}
	if got := slices.Concat(evil.learned(honest), honest.learned(evil)); got != nil {
		t.Errorf("codes at the wrong server: %q", got)
	}
}

// redirectOf is what a vendor registers with a server.
func (p *mixProgram) redirectOf(m *mixServer) string {
	return strings.NewReplacer("{api}", m.name, "{scheme}", "login").Replace(p.consent.Redirect)
}

// TestIssuerOfAnAnswer has what a browser may bring back as iss, with a promise of
// the server and without one.
func TestIssuerOfAnAnswer(t *testing.T) {
	const page = "https://id.example"
	for name, c := range map[string]struct {
		issuer string
		iss    []string
		good   bool
	}{
		"nothing promised, nothing sent": {good: true},
		"of the origin that was asked":   {iss: []string{page + "/tenant"}, good: true},
		"of another origin":              {iss: []string{"https://evil.example"}},
		"of another scheme":              {iss: []string{"http://id.example"}},
		"of another port":                {iss: []string{page + ":444"}},
		"of a longer name":               {iss: []string{page + ".evil.example"}},
		"no address":                     {iss: []string{"%"}},
		"empty":                          {iss: []string{""}},
		"two, the first is good":         {iss: []string{page, "https://evil.example"}},
		"promised and sent":              {issuer: page, iss: []string{page}, good: true},
		"promised and missing":           {issuer: page},
		"promised, another path":         {issuer: page, iss: []string{page + "/"}},
		"promised, twice":                {issuer: page, iss: []string{page, page}},
		"promised, of another origin":    {issuer: "https://login.example/7", iss: []string{"https://login.example/7"}, good: true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAgreeing(t)
			a.client = a.newClient(func(k *upstream.Credential) { k.Issuer = c.issuer })
			good := a.agree(a.asked(a.call("ada")))
			if c.iss != nil {
				good += "&" + url.Values{"iss": c.iss}.Encode()
			}
			want, forms := http.StatusBadRequest, 0
			if c.good {
				want, forms = http.StatusOK, 1
			}
			if w := a.visit(http.MethodGet, good); w.Code != want || len(a.forms) != forms {
				t.Errorf("%d %s, %d requests for a token", w.Code, w.Body, len(a.forms))
			}
			// The state is used up either way, and a new one is handed out.
			if w := a.visit(http.MethodGet, good); w.Code != http.StatusBadRequest || len(a.forms) != forms {
				t.Errorf("once more: %d, %d requests for a token", w.Code, len(a.forms))
			}
			if !c.good {
				a.asked(a.call("ada"))
			}
		})
	}
	t.Run("a refusal of another issuer", func(t *testing.T) {
		a := newAgreeing(t)
		a.client = a.newClient(func(k *upstream.Credential) { k.Issuer = page })
		at := a.asked(a.call("ada"))
		w := a.visit(http.MethodGet, consentRedirect+"?"+url.Values{"error": {"access_denied"}, "state": {at.Query().Get("state")}, "iss": {"https://evil.example"}}.Encode())
		if w.Code != http.StatusBadRequest {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

// TestRedirectOfAnAPI has which redirect URLs can be given away, and at which paths
// an answer is taken.
func TestRedirectOfAnAPI(t *testing.T) {
	for redirect, want := range map[string]string{
		"https://tools.example/consent/{api}":          "https://tools.example/consent/mail",
		"https://tools.example/{api}/back":             "https://tools.example/mail/back",
		"https://tools.example/c/{api}-{scheme}":       "https://tools.example/c/mail-login",
		"https://tools.example/c/{scheme}/{api}":       "https://tools.example/c/login/mail",
		"https://{api}.example/consent":                "",
		"https://tools.example/consent?api={api}":      "",
		"https://tools.example/consent?tenant=7/{api}": "",
		"https://tools.example/{api}?tenant=7":         "",
		"https://tools.example/{name}":                 "",
		"https://tools.example/{api":                   "",
		"{api}":                                        "",
	} {
		a := newAgreeing(t)
		a.consent = &upstream.Consent{Redirect: redirect, Store: a.store, User: func(*http.Request) string { return "ada" }}
		u, err := upstream.New(upstream.Spec{Name: "mail", BaseURL: "https://mail.example", Credentials: []upstream.Credential{{
			Scheme: "login", In: "header", Name: "Authorization", Grant: "authorization_code", ClientID: "app", TokenURL: "https://id.example/token", AuthorizationURL: "https://id.example/authorize",
		}}}, upstream.API{Handler: a, Consent: a.consent})
		if want == "" {
			if err == nil || !strings.Contains(err.Error(), "Redirect") {
				t.Errorf("%s: %v", redirect, err)
			}
			continue
		}
		if a.client = u; err != nil {
			t.Errorf("%s: %v", redirect, err)
			continue
		}
		at := a.asked(a.call("ada"))
		if got := at.Query().Get("redirect_uri"); got != want {
			t.Errorf("%s gives %s, want %s", redirect, got, want)
		}
		path := strings.TrimPrefix(want, "https://tools.example")
		for _, wrong := range []string{"/", "/other/pages", path + "/", strings.Replace(path, "mail", "mail2", 1), strings.Replace(path, "mail", "gmail", 1)} {
			if w := a.visit(http.MethodGet, wrong+"?"+url.Values{"code": {"code-x"}, "state": {at.Query().Get("state")}}.Encode()); w.Code != http.StatusBadRequest || len(a.forms) > 0 {
				t.Errorf("%s: taken at %s: %d %s", redirect, wrong, w.Code, w.Body)
			}
			at = a.asked(a.call("ada"))
		}
		// What precedes may be taken away by a proxy, or added.
		w := a.visit(http.MethodGet, "/behind"+path+"?"+url.Values{"code": {"code-x"}, "state": {at.Query().Get("state")}}.Encode())
		if w.Code != http.StatusBadGateway || len(a.forms) != 1 {
			t.Errorf("%s: %d %s", redirect, w.Code, w.Body)
		}
	}
}

// TestSeveralApisOfOneServer need no redirect URL of their own: they redeem codes at
// the same endpoint.
func TestSeveralApisOfOneServer(t *testing.T) {
	p := newMixProgram(t, "/consent")
	m := newMixServer(t, "one")
	m.registered = []string{p.consent.Redirect}
	for _, scheme := range []string{"login", "login"} {
		if err := p.use(m, func(k *upstream.Credential) { k.Scheme = scheme }); err != nil {
			t.Fatal(err)
		}
	}
	if status, at := p.open(m); status != http.StatusOK || p.call(m) != nil {
		t.Errorf("%d at %s", status, at)
	}
}
