// Package oauth gets access tokens from token endpoints and keeps them until
// shortly before they end: client credentials (RFC 6749 4.4), refresh tokens
// (RFC 6749 6), the exchange of a caller's token (RFC 8693), and the consent of a
// user (RFC 6749 4.1 with PKCE, RFC 7636).
//
//	tokens, err := oauth.New(oauth.Grant{Type: oauth.ClientCredentials, URL: "https://id.example/token", ID: "app", Secret: secret}, transport)
//	token, err := tokens.Get(ctx, "")
//
// For one subject at most one request is under way, whoever waits for it, and
// nobody who gives up ends it for the others. Errors never hold a secret. The
// package imports the standard library alone; the run time imports it.
package oauth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The types of grants.
const (
	ClientCredentials = "client_credentials"
	RefreshToken      = "refresh_token"
	TokenExchange     = "token_exchange"
	AuthorizationCode = "authorization_code"
)

// A Grant is what a token endpoint is given.
type Grant struct {
	// Type is one of the constants.
	Type string
	// URL is the token endpoint: https, or http on this machine.
	URL string
	// ID and Secret are those of the client; they go into the header
	// Authorization (RFC 6749 2.3.1) or, with InBody, into the form.
	ID, Secret string
	InBody     bool
	// Refresh is the refresh token to begin with; where the endpoint answers
	// with another one, that is used from then on.
	Refresh string
	// Scopes and Audience limit what the token may do.
	Scopes   []string
	Audience string
	// Authorize is where a person agrees, Redirect where their browser goes
	// then; Store keeps what came of it. For [AuthorizationCode] alone.
	Authorize, Redirect string
	Store               Store
}

// How long things may take.
const (
	requestTime = 10 * time.Second
	// earliest is how long before its end a token is renewed: a minute, or a
	// tenth of its life where that is less.
	earliest = time.Minute
	// unstated is the life of a token whose endpoint does not say it (RFC 6749
	// 5.1 only recommends that). One that ends before is refused with 401 by the
	// service, see [Source.Refused].
	unstated = 10 * time.Minute
	// pause is how long a failure is the answer to everybody, so that a token
	// endpoint that is down is not asked by every call.
	pause = time.Second
)

const (
	maxAnswer = 64 << 10
	maxToken  = 16 << 10
	// mostSubjects bounds the tokens that are kept for callers.
	mostSubjects = 10_000
)

// A Source gives tokens. It is safe for concurrent use.
type Source struct {
	grant     Grant
	transport http.RoundTripper
	// Now is the clock.
	Now func() time.Time

	mu     sync.Mutex
	tokens map[string]*entry
}

// An entry is what is known of the token of one subject.
type entry struct {
	token string
	// renew is when to ask for the next one, ends when this one is no use.
	renew, ends time.Time
	// pending is closed when the request that is under way has ended, nil
	// without one.
	pending chan struct{}
	err     error
	failed  time.Time
	// refused is the token that a service did not take.
	refused string
}

// New returns the source of a grant.
func New(g Grant, transport http.RoundTripper) (*Source, error) {
	if err := checked("token", g.URL); err != nil {
		return nil, err
	}
	if g.Type == AuthorizationCode {
		if err := g.checkConsent(); err != nil {
			return nil, err
		}
	}
	switch {
	case g.ID == "":
		return nil, errors.New("the id of the client is missing")
	case g.Type == RefreshToken && g.Refresh == "":
		return nil, errors.New("the refresh token is missing")
	case g.Type != ClientCredentials && g.Type != RefreshToken && g.Type != TokenExchange && g.Type != AuthorizationCode:
		return nil, fmt.Errorf("there is no grant %q", g.Type)
	}
	return &Source{grant: g, transport: transport, Now: time.Now, tokens: map[string]*entry{}}, nil
}

// checked refuses a URL to which nothing secret may go. The texts do not quote it.
func checked(what, text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Fragment != "" || u.User != nil:
		return errors.New("the " + what + " URL must be absolute, without user and fragment")
	case u.Scheme != "https" && (u.Scheme != "http" || !local(u.Hostname())):
		return errors.New("the " + what + " URL must begin with https://")
	}
	return nil
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// An Error is why there is no token. It names no secret.
type Error struct {
	// Status is that of the answer, 0 where there was none.
	Status int
	// Code is the error code of RFC 6749 5.2, "" for none.
	Code string
	// Err is what went wrong where there is no answer of use.
	Err error
}

// Error implements error.
func (e *Error) Error() string {
	text := "no token"
	if e.Status != 0 {
		text += ": the token endpoint answered " + strconv.Itoa(e.Status)
	}
	if e.Code != "" {
		text += " " + e.Code
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same request may do better later.
func (e *Error) Temporary() bool {
	return e.Status == 0 || e.Status == http.StatusTooManyRequests || e.Status >= 500
}

// Get returns a token that is good for a while. subject is the token of the
// caller that is exchanged, "" for other grants. The error is an [*Error], or
// that of ctx.
func (s *Source) Get(ctx context.Context, subject string) (string, error) {
	s.mu.Lock()
	e := s.entry(subject)
	now := s.Now()
	switch {
	case now.Before(e.renew):
		defer s.mu.Unlock()
		return e.token, nil
	case now.Before(e.ends):
		// Still good: whoever comes now need not wait for the next one.
		defer s.mu.Unlock()
		if e.pending == nil && now.Sub(e.failed) >= pause {
			s.begin(e, subject)
		}
		return e.token, nil
	case e.err != nil && now.Sub(e.failed) < pause:
		defer s.mu.Unlock()
		return "", e.err
	case e.pending == nil:
		s.begin(e, subject)
	}
	pending := e.pending
	s.mu.Unlock()
	select {
	case <-pending:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return e.token, e.err
}

// entry is that of a subject. Where there are too many, those that are no use
// any more are forgotten, and all of them if that does not help.
func (s *Source) entry(subject string) *entry {
	e := s.tokens[subject]
	if e != nil {
		return e
	}
	if len(s.tokens) >= mostSubjects {
		now := s.Now()
		for name, old := range s.tokens {
			if old.pending == nil && !now.Before(old.ends) {
				delete(s.tokens, name)
			}
		}
		if len(s.tokens) >= mostSubjects {
			clear(s.tokens)
		}
	}
	e = &entry{}
	s.tokens[subject] = e
	return e
}

// begin asks for a token, in a goroutine of its own: who waits may give up. The
// lock is held.
func (s *Source) begin(e *entry, subject string) {
	e.pending = make(chan struct{})
	refresh, refused := s.grant.Refresh, e.refused
	go func() {
		ctx, stop := context.WithTimeout(context.Background(), requestTime)
		defer stop()
		token, err := s.obtain(ctx, refresh, subject, refused)
		s.mu.Lock()
		defer s.mu.Unlock()
		defer func() { close(e.pending); e.pending = nil }()
		if err != nil {
			s.fail(e, err)
			return
		}
		if s.grant.Type == RefreshToken {
			s.grant.Refresh = token.Refresh
		}
		s.keep(e, token)
	}()
}

// fail notes why there is no token, and forgets one that is of no use any more.
func (s *Source) fail(e *entry, err error) {
	now := s.Now()
	if !now.Before(e.ends) || errors.Is(err, ErrConsent) {
		e.token, e.renew, e.ends = "", time.Time{}, time.Time{}
	}
	e.err, e.failed = err, now
}

// keep notes a token.
func (s *Source) keep(e *entry, token Token) {
	now := s.Now()
	life := token.Ends.Sub(now)
	if token.Ends.IsZero() {
		life = unstated
	}
	e.token, e.err, e.ends = token.Access, nil, now.Add(life)
	e.renew = e.ends.Add(-min(earliest, life/10))
	if s.grant.Type == AuthorizationCode {
		e.renew = now.Add(min(recheck, life-life/10))
	}
}

// obtain gets the next token of a subject.
func (s *Source) obtain(ctx context.Context, refresh, subject, refused string) (Token, error) {
	if s.grant.Type == AuthorizationCode {
		return s.agreed(ctx, subject, refused)
	}
	a, err := s.ask(ctx, s.form(refresh, subject))
	if err != nil {
		return Token{}, err
	}
	return a.token(s.Now(), refresh), nil
}

// Refused says that a service did not take a token: it is not given again.
func (s *Source) Refused(subject, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.tokens[subject]; e != nil && e.token == token {
		e.renew, e.ends, e.token, e.refused = time.Time{}, time.Time{}, "", token
	}
}

// An answer is that of a token endpoint (RFC 6749 5.1).
type answer struct {
	AccessToken  string          `json:"access_token"`
	TokenType    string          `json:"token_type"`
	ExpiresIn    json.RawMessage `json:"expires_in"`
	RefreshToken string          `json:"refresh_token"`
	Code         string          `json:"error"`
}

// token is what the answer gives; the old refresh token goes on where it has no
// other. Some endpoints write expires_in as a text.
func (a *answer) token(now time.Time, refresh string) Token {
	t := Token{Access: a.AccessToken, Refresh: cmp.Or(a.RefreshToken, refresh)}
	seconds, err := strconv.ParseInt(strings.Trim(string(a.ExpiresIn), `"`), 10, 32)
	if err == nil && seconds > 0 {
		t.Ends = now.Add(time.Duration(seconds) * time.Second)
	}
	return t
}

func (s *Source) ask(ctx context.Context, form url.Values) (*answer, error) {
	resp, err := s.transport.RoundTrip(s.request(ctx, form))
	if err != nil {
		return nil, &Error{Err: err}
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, &Error{Err: errors.New("its answer cannot be read")}
	}
	var a answer
	broken := len(raw) > maxAnswer || json.Unmarshal(raw, &a) != nil
	if resp.StatusCode != http.StatusOK || a.Code != "" {
		return nil, &Error{Status: resp.StatusCode, Code: known(a.Code)}
	}
	switch {
	case broken:
		return nil, &Error{Status: resp.StatusCode, Err: errors.New("its answer is not JSON")}
	case a.TokenType != "" && !strings.EqualFold(a.TokenType, "bearer") && !strings.EqualFold(a.TokenType, "n_a"):
		return nil, &Error{Status: resp.StatusCode, Err: errors.New("its token is not a bearer token")}
	case !tokenForm.MatchString(a.AccessToken) || len(a.AccessToken) > maxToken:
		return nil, &Error{Status: resp.StatusCode, Err: errors.New("its answer has no token that can be sent")}
	}
	return &a, nil
}

// tokenForm is that of RFC 6750 2.1, and whatever else a header can hold.
var tokenForm = regexp.MustCompile(`^[!-~]+$`)

var codeForm = regexp.MustCompile(`^[a-z_]{1,40}$`)

// known is an error code; what is none may be anything, and stays out of logs.
func known(code string) string {
	if codeForm.MatchString(code) {
		return code
	}
	return ""
}

// The parameters of RFC 8693 2.1.
const (
	exchangeType = "urn:ietf:params:oauth:grant-type:token-exchange"
	accessToken  = "urn:ietf:params:oauth:token-type:access_token" //nolint:gosec // the name of a type
)

// form is what is asked of the endpoint.
func (s *Source) form(refresh, subject string) url.Values {
	g := &s.grant
	form := url.Values{"grant_type": {g.Type}}
	switch g.Type {
	case RefreshToken:
		form.Set("refresh_token", refresh)
	case TokenExchange:
		form.Set("grant_type", exchangeType)
		form.Set("subject_token", subject)
		form.Set("subject_token_type", accessToken)
		form.Set("requested_token_type", accessToken)
	}
	if len(g.Scopes) > 0 {
		form.Set("scope", strings.Join(g.Scopes, " "))
	}
	if g.Audience != "" {
		form.Set("audience", g.Audience)
	}
	return form
}

// request adds who asks.
func (s *Source) request(ctx context.Context, form url.Values) *http.Request {
	g := &s.grant
	header := http.Header{"Accept": {"application/json"}, "Content-Type": {"application/x-www-form-urlencoded"}, "User-Agent": {"sculpt"}}
	if g.InBody || g.Secret == "" {
		form.Set("client_id", g.ID)
		if g.Secret != "" {
			form.Set("client_secret", g.Secret)
		}
	}
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, strings.NewReader(form.Encode())) // New has parsed the URL
	r.Header = header
	if !g.InBody && g.Secret != "" {
		r.SetBasicAuth(url.QueryEscape(g.ID), url.QueryEscape(g.Secret))
	}
	return r
}
