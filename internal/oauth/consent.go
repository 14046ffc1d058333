package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// ErrConsent says that the user has not agreed, or does not agree any more.
var ErrConsent = errors.New("the user has not agreed")

// ErrStore says that the store for the tokens of users failed.
var ErrStore = errors.New("the store of tokens")

// recheck is how long the token of a user is used before the store is asked
// again: other processes refresh it, and users take back what they agreed to.
const recheck = time.Minute

// A Token is what a user has agreed to.
type Token struct {
	Access, Refresh string
	// Ends is zero where the endpoint does not say it.
	Ends time.Time
}

// A Store keeps the tokens of users, by subject.
type Store interface {
	// Load returns the zero Token where there is none.
	Load(ctx context.Context, subject string) (Token, error)
	// Save keeps a token instead of an earlier one; the zero Token forgets it.
	Save(ctx context.Context, subject string, t Token) error
}

func (g *Grant) checkConsent() error {
	if g.Store == nil {
		return errors.New("the store for the tokens of users is missing")
	}
	if err := checked("authorization", g.Authorize); err != nil {
		return err
	}
	return checked("redirect", g.Redirect)
}

// AuthorizationURL is what a person opens to agree (RFC 6749 4.1.1). What the
// address of the endpoint has in its query stays.
func (s *Source) AuthorizationURL(state, verifier string) string {
	g := &s.grant
	u, _ := url.Parse(g.Authorize) // New has parsed it
	q := u.Query()
	challenge := sha256.Sum256([]byte(verifier))
	for name, value := range map[string]string{
		"response_type": "code", "client_id": g.ID, "redirect_uri": g.Redirect, "state": state,
		"code_challenge": base64.RawURLEncoding.EncodeToString(challenge[:]), "code_challenge_method": "S256",
		"scope": strings.Join(g.Scopes, " "), "audience": g.Audience,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Redeem gets the token of a subject for a code (RFC 6749 4.1.3) and saves it.
func (s *Source) Redeem(ctx context.Context, subject, code, verifier string) error {
	ctx, stop := context.WithTimeout(ctx, requestTime)
	defer stop()
	a, err := s.ask(ctx, url.Values{"grant_type": {AuthorizationCode}, "code": {code}, "redirect_uri": {s.grant.Redirect}, "code_verifier": {verifier}})
	if err != nil {
		return err
	}
	if err := s.save(ctx, subject, a.token(s.Now(), "")); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tokens, subject) // what is known is older
	return nil
}

// agreed is the token that a user has agreed to, refreshed where that is due.
func (s *Source) agreed(ctx context.Context, subject, refused string) (Token, error) {
	kept, err := s.load(ctx, subject)
	switch {
	case err != nil:
		return Token{}, err
	case s.good(kept, refused):
		return kept, nil
	case kept.Refresh == "":
		return Token{}, ErrConsent
	}
	a, err := s.ask(ctx, url.Values{"grant_type": {RefreshToken}, "refresh_token": {kept.Refresh}})
	if e, ok := errors.AsType[*Error](err); ok && e.Code == "invalid_grant" {
		return s.revoked(ctx, subject, kept)
	}
	if err != nil {
		return Token{}, err
	}
	next := a.token(s.Now(), kept.Refresh)
	return next, s.save(ctx, subject, next)
}

// good reports whether a token can be sent. One that can be refreshed is, before
// its last minute.
func (s *Source) good(t Token, refused string) bool {
	if t.Access == "" || t.Access == refused {
		return false
	}
	early := earliest
	if t.Refresh == "" {
		early = 0
	}
	return t.Ends.IsZero() || s.Now().Before(t.Ends.Add(-early))
}

// revoked is what is left where a refresh token is of no use: another process may
// have used it, and has saved what it got; otherwise the user is asked again.
func (s *Source) revoked(ctx context.Context, subject string, used Token) (Token, error) {
	now, err := s.load(ctx, subject)
	switch {
	case err != nil:
		return Token{}, err
	case now.Refresh != used.Refresh && s.good(now, used.Access):
		return now, nil
	case now.Refresh == used.Refresh:
		if err := s.save(ctx, subject, Token{}); err != nil {
			return Token{}, err
		}
	}
	return Token{}, ErrConsent
}

// load and save keep the texts of a vendor's errors out of ours: they may hold
// anything.
func (s *Source) load(ctx context.Context, subject string) (Token, error) {
	t, err := s.grant.Store.Load(ctx, subject)
	if err != nil {
		return Token{}, &Error{Err: fmt.Errorf("%w cannot be read", ErrStore)}
	}
	if t.Access != "" && !tokenForm.MatchString(t.Access) {
		return Token{}, &Error{Err: fmt.Errorf("%w has one that cannot be sent", ErrStore)}
	}
	return t, nil
}

func (s *Source) save(ctx context.Context, subject string, t Token) error {
	if err := s.grant.Store.Save(ctx, subject, t); err != nil {
		return &Error{Err: fmt.Errorf("%w cannot be written", ErrStore)}
	}
	return nil
}
