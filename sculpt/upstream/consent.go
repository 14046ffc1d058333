package upstream

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/internal/oauth"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A UserToken is what a user has agreed to. All of it is secret.
type UserToken struct {
	Access, Refresh string
	// Ends is zero where nobody knows.
	Ends time.Time
}

// A TokenStore keeps the tokens of users. A key names the api, the scopes and who
// the token belongs to, as API/SCHEME/DIGEST/PRINCIPAL/USER, where each part is
// escaped like a segment of a URL: a token must be given for the very key that it
// was saved under. What is deleted is not used any more a minute later.
type TokenStore interface {
	// UserToken returns the zero UserToken where there is none.
	UserToken(ctx context.Context, key string) (UserToken, error)
	// SaveUserToken keeps a token instead of an earlier one; the zero UserToken
	// says to forget it.
	SaveUserToken(ctx context.Context, key string, token UserToken) error
}

// A Consent asks users whether tools may act for them at an api (OAuth 2.1,
// authorization code with PKCE). A call without their token fails with the URL that
// they have to open, see [tool.Authorization]. It is also the handler to which
// their browser comes back with the code: the program mounts it at the path of
// Redirect. Several apis may use one Consent, see there.
//
// A code is redeemed where its user was asked and nowhere else. A browser that comes
// back from another authorization server is turned away, by the path of the
// placeholders in Redirect and by iss (RFC 9207): where [Credential.Issuer] names it,
// it has to be there and to be the same; elsewhere one that is there has to be of the
// origin of the authorization URL.
//
// Which addresses were handed out is known to this process alone, for ten minutes:
// where several processes answer, the browser has to come back to the same one.
type Consent struct {
	// Redirect is the URL of this handler, as it is registered with the
	// authorization server: https, or http on this machine. Where apis with
	// different authorization servers use this Consent, its path has to end with
	// {api}, or {api}/{scheme}: each api has a redirect URL of its own then, with its
	// name there, and the handler is mounted for all of them (as
	// "/consent/{api}" in an [http.ServeMux]). Without that, each of them needs a
	// [Credential.Issuer], and New refuses anything else.
	Redirect string
	// Store keeps the tokens.
	Store TokenStore
	// User says whose browser it is, as [tool.Principal] has it in UserID: by the
	// session of the program's own pages, say. It is "" for somebody who is not
	// signed in. A code is redeemed only if that is the user who was asked: else
	// whoever sends others the address would get the use of their accounts.
	User func(*http.Request) string

	mu sync.Mutex
	// asked are the addresses that are good, by the digest of their state; latest
	// has the newest one of each key.
	asked  map[[sha256.Size]byte]*consentAsked
	latest map[string]*consentAsked
	// servers are those whose users are asked.
	servers map[consentServer]*consentServer
}

// A consentAsked is one address that was handed out.
type consentAsked struct {
	authorization tool.Authorization
	state         [sha256.Size]byte
	tokens        *oauth.Source
	server        *consentServer
	verifier      string
	key, user     string
	ends          time.Time
}

const (
	// consentLife is how long an address is good.
	consentLife = 10 * time.Minute
	// mostAsked bounds the addresses that are good at once.
	mostAsked = 10_000
	// longestKey bounds the key of a token, in bytes.
	longestKey = 1 << 10
)

func (c *Consent) check() error {
	if c.Store == nil || c.User == nil {
		return errors.New("the Consent of the API needs a Store and a User")
	}
	return nil
}

// ask returns where a user agrees. An address that is good for long enough is
// handed out again.
func (c *Consent) ask(api string, cred *credential, key, user string) (*tool.Authorization, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if old := c.latest[key]; old != nil && now.Add(consentLife/2).Before(old.ends) {
		return &old.authorization, nil
	}
	if len(c.asked) >= mostAsked {
		c.expire(now)
	}
	if len(c.asked) >= mostAsked {
		return nil, &tool.Error{Kind: tool.KindRateLimited, Retryable: true, Message: "Too many people are being asked for their consent at the moment. Try again later."}
	}
	state := rand.Text() + rand.Text()
	a := &consentAsked{state: sha256.Sum256([]byte(state)), tokens: cred.tokens, server: cred.server, verifier: rand.Text() + rand.Text(), key: key, user: user, ends: now.Add(consentLife)}
	a.authorization = tool.Authorization{ID: rand.Text(), Provider: api, URL: cred.tokens.AuthorizationURL(state, a.verifier)}
	if c.asked == nil {
		c.asked, c.latest = map[[sha256.Size]byte]*consentAsked{}, map[string]*consentAsked{}
	}
	c.asked[a.state], c.latest[key] = a, a
	return &a.authorization, nil
}

func (c *Consent) expire(now time.Time) {
	for _, a := range c.asked {
		if !now.Before(a.ends) {
			c.forget(a)
		}
	}
}

func (c *Consent) forget(a *consentAsked) {
	delete(c.asked, a.state)
	if c.latest[a.key] == a {
		delete(c.latest, a.key)
	}
}

// take returns what a state belongs to, once.
func (c *Consent) take(state string) *consentAsked {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.asked[sha256.Sum256([]byte(state))]
	if a == nil {
		return nil
	}
	c.forget(a)
	if !time.Now().Before(a.ends) {
		return nil
	}
	return a
}

// ServeHTTP takes the browser of a person who was asked.
func (c *Consent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		sayPlain(w, http.StatusMethodNotAllowed, "This address is for browsers that come back from signing in.")
		return
	}
	q := r.URL.Query()
	state, code := q["state"], q["code"]
	var asked *consentAsked
	if len(state) == 1 {
		asked = c.take(state[0])
	}
	switch {
	case asked == nil:
		sayPlain(w, http.StatusBadRequest, "This address is not good any more. Ask for what you wanted once more, and open the new one.")
	case c.User(r) != asked.user:
		sayPlain(w, http.StatusForbidden, "Somebody else was asked. Sign in here as the one who was, ask once more, and open the new address.")
	case !asked.server.answers(r, q["iss"]):
		c.refuse(r, asked, q["iss"])
		sayPlain(w, http.StatusBadRequest, "This answer is not from the service that was asked. Ask for what you wanted once more.")
	case len(code) != 1 || code[0] == "":
		sayPlain(w, http.StatusOK, "Nothing was allowed. You can close this page.")
	default:
		c.redeem(w, r, asked, code[0])
	}
}

// refuse logs why a browser was turned away: an attack, or an issuer that the
// manifest should name.
func (c *Consent) refuse(r *http.Request, asked *consentAsked, iss []string) {
	tool.LoggerOf(r.Context()).WarnContext(r.Context(), "consent", "api", asked.authorization.Provider, "why", "answer of another issuer or at another redirect URL",
		"iss", tool.Clip(strings.Join(iss, " ")), "expected", cmp.Or(asked.server.issuer, "of the origin of the authorization URL"))
}

func (c *Consent) redeem(w http.ResponseWriter, r *http.Request, asked *consentAsked, code string) {
	if err := asked.tokens.Redeem(r.Context(), asked.key, code, asked.verifier); err != nil {
		attrs := []any{"api", asked.authorization.Provider}
		if e, ok := errors.AsType[*oauth.Error](err); ok {
			attrs = append(attrs, "status", e.Status, "code", e.Code)
		}
		tool.LoggerOf(r.Context()).WarnContext(r.Context(), "consent", attrs...)
		sayPlain(w, http.StatusBadGateway, "The service did not confirm this. Ask for what you wanted once more.")
		return
	}
	sayPlain(w, http.StatusOK, "It is allowed now. You can close this page, and ask for what you wanted once more.")
}

// sayPlain answers a person with a page that holds nothing of the request, and that
// nobody keeps: the address has a code in it.
func sayPlain(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// A MemoryTokens is a [TokenStore] for development: it forgets all with the process,
// and has no bound. The zero value is empty.
type MemoryTokens struct {
	mu     sync.Mutex
	tokens map[string]UserToken
}

// UserToken implements [TokenStore].
func (m *MemoryTokens) UserToken(_ context.Context, key string) (UserToken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tokens[key], nil
}

// SaveUserToken implements [TokenStore].
func (m *MemoryTokens) SaveUserToken(_ context.Context, key string, token UserToken) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tokens == nil {
		m.tokens = map[string]UserToken{}
	}
	if m.tokens[key] = token; token == (UserToken{}) {
		delete(m.tokens, key)
	}
	return nil
}

// userTokens is the store of a vendor as package oauth wants it.
type userTokens struct{ TokenStore }

// Load implements oauth.Store.
func (u userTokens) Load(ctx context.Context, key string) (oauth.Token, error) {
	t, err := u.UserToken(ctx, key)
	return oauth.Token(t), err
}

// Save implements oauth.Store.
func (u userTokens) Save(ctx context.Context, key string, t oauth.Token) error {
	return u.SaveUserToken(ctx, key, UserToken(t))
}

// consentScope tells apart what users of one api may have agreed to.
func consentScope(api string, c *Credential, tokenURL string) string {
	h := sha256.New()
	for _, text := range append([]string{tokenURL, c.ClientID, c.Audience}, c.Scopes...) {
		h.Write([]byte(url.QueryEscape(text) + " "))
	}
	return url.PathEscape(api) + "/" + url.PathEscape(c.Scheme) + "/" + hex.EncodeToString(h.Sum(nil)[:8])
}

// userKey is the key of the caller's token. A caller without a name of their own
// has none: they would share it with everybody.
func (c *Call) userKey(cred *credential, p *tool.Principal) (string, error) {
	e := &tool.Error{Kind: tool.KindUnauthorized, Step: c.step}
	switch key := strings.Join([]string{cred.scope, url.PathEscape(p.ID), url.PathEscape(p.UserID)}, "/"); {
	case p.ID == "":
		e.Message = "This tool acts for one person, and needs a caller who has signed in."
	case p.UserID == "":
		e.Message = "This tool acts for one person, and needs the user id of its caller."
	case len(key) > longestKey:
		e.Message = "The user id of the caller is too long."
	default:
		return key, nil
	}
	return "", e
}

// Agreed asks for the consent of the caller's user to what a call of the step with
// these security schemes needs, which would ask later: a chain asks before its
// first request, so that nothing happens for somebody who does not agree. It is nil
// where the user has agreed.
func (u *Client) Agreed(ctx context.Context, step string, schemes ...string) error {
	c := u.Call(step, http.MethodGet, EffectRead)
	c.Credentials(schemes...)
	for _, cred := range c.asked {
		if cred.consent == nil {
			continue
		}
		if _, err := c.token(ctx, cred); err != nil {
			return err
		}
	}
	return nil
}

// unagreed is the error of a call whose user has not agreed. Nothing was sent.
func (c *Call) unagreed(ctx context.Context, cred *credential, key string) error {
	authorization, err := cred.consent.ask(c.u.name, cred, key, tool.CallerOf(ctx).UserID)
	if err != nil {
		return err
	}
	return &tool.Error{
		Kind: tool.KindForbidden, Code: "consent_required", Step: c.step, Retryable: true, Authorization: authorization,
		Message: "The person behind this call has to allow this tool first to act for them at " + c.u.name + ".",
	}
}
