package oauth_test

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/oauth"
)

// A shelf keeps tokens in memory; it can be broken, and another process can put
// something there between two looks.
type shelf struct {
	mu        sync.Mutex
	kept      map[string]oauth.Token
	read      error
	written   error
	meanwhile *oauth.Token
}

func (s *shelf) Load(_ context.Context, subject string) (oauth.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.kept[subject]
	if s.meanwhile != nil {
		s.kept[subject], s.meanwhile = *s.meanwhile, nil
	}
	return t, s.read
}

func (s *shelf) Save(_ context.Context, subject string, t oauth.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written != nil {
		return s.written
	}
	if s.kept[subject] = t; t == (oauth.Token{}) {
		delete(s.kept, subject)
	}
	return nil
}

func agreeing(t *testing.T, e *endpoint, s *shelf) *oauth.Source {
	t.Helper()
	return source(t, oauth.Grant{
		Type: oauth.AuthorizationCode, Secret: "s", Scopes: []string{"read", "write"},
		Authorize: "https://id.example/authorize?tenant=7", Redirect: "https://tools.example/agreed", Store: s,
	}, e)
}

// TestAgreed has what is sent for a user who has agreed, or why not.
func TestAgreed(t *testing.T) {
	soon := func(d time.Duration) time.Time { return time.Now().Add(d) }
	for name, c := range map[string]struct {
		kept      oauth.Token
		meanwhile *oauth.Token
		read      error
		written   error
		answers   []string
		want      string // the token, or a part of the error
		consent   bool
		asked     int64
		left      string // the refresh token in the store, "-" for no token
	}{
		"nobody agreed":            {want: "not agreed", consent: true, left: "-"},
		"still good":               {kept: oauth.Token{Access: "a", Refresh: "r"}, want: "a", left: "r"},
		"good, and ends once":      {kept: oauth.Token{Access: "a"}, want: "a"},
		"ended, without a refresh": {kept: oauth.Token{Access: "a", Ends: time.Unix(1, 0)}, want: "not agreed", consent: true},
		"a store that fails":       {kept: oauth.Token{Access: "a"}, read: errors.New("password=hunter2"), want: "cannot be read"},
		"a token that is none":     {kept: oauth.Token{Access: "a\r\nX: y"}, want: "cannot be sent"},
		"refreshed":                {kept: oauth.Token{Access: "a", Refresh: "r", Ends: time.Unix(1, 0)}, answers: []string{`200 {"access_token":"b","refresh_token":"r2"}`}, want: "b", asked: 1, left: "r2"},
		"refreshed, the same one":  {kept: oauth.Token{Access: "a", Refresh: "r", Ends: time.Unix(1, 0)}, answers: []string{`200 {"access_token":"b"}`}, want: "b", asked: 1, left: "r"},
		"refreshed and not kept": {
			kept: oauth.Token{Access: "a", Refresh: "r", Ends: time.Unix(1, 0)}, written: errors.New("password=hunter2"), answers: []string{`200 {"access_token":"b"}`},
			want: "cannot be written", asked: 1, left: "r",
		},
		"refreshed by another process": {
			kept: oauth.Token{Access: "a", Refresh: "r", Ends: time.Unix(1, 0)}, meanwhile: &oauth.Token{Access: "c", Refresh: "r3"},
			answers: []string{`400 {"error":"invalid_grant"}`}, want: "c", asked: 1, left: "r3",
		},
		"taken back":      {kept: oauth.Token{Access: "a", Refresh: "r", Ends: time.Unix(1, 0)}, answers: []string{`400 {"error":"invalid_grant"}`}, want: "not agreed", consent: true, asked: 1, left: "-"},
		"another refusal": {kept: oauth.Token{Access: "a", Refresh: "r", Ends: time.Unix(1, 0)}, answers: []string{`400 {"error":"invalid_client"}`}, want: "invalid_client", asked: 1, left: "r"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &shelf{kept: map[string]oauth.Token{}, meanwhile: c.meanwhile, read: c.read, written: c.written}
				if c.kept != (oauth.Token{}) {
					if c.kept.Ends.IsZero() && c.kept.Refresh != "" {
						c.kept.Ends = soon(time.Hour)
					}
					s.kept["ann"] = c.kept
				}
				e := &endpoint{answers: c.answers}
				got, err := agreeing(t, e, s).Get(t.Context(), "ann")
				if err != nil {
					got = err.Error()
				}
				if !strings.Contains(got, c.want) || (err == nil) != (got == c.want) || errors.Is(err, oauth.ErrConsent) != c.consent || e.n.Load() != c.asked {
					t.Errorf("%q, %v after %d requests", got, err, e.n.Load())
				}
				if strings.Contains(got, "hunter2") {
					t.Error("an error of the vendor's store leaves it:", got)
				}
				left, there := s.kept["ann"]
				if c.left == "-" && there || c.left != "-" && left.Refresh != c.left {
					t.Errorf("the store has %+v", left)
				}
			})
		})
	}
}

// TestAgreement goes the way of a user: the address, the code, the token, which is
// used at once and instead of what was known before.
func TestAgreement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{kept: map[string]oauth.Token{"ann": {Access: "old"}}}
		e := &endpoint{answers: []string{`200 {"access_token":"new","refresh_token":"r","expires_in":3600}`, `400 {"error":"invalid_grant"}`}}
		o := agreeing(t, e, s)
		if got, err := o.Get(t.Context(), "ann"); got != "old" || err != nil {
			t.Fatal(got, err)
		}
		u, err := url.Parse(o.AuthorizationURL("the state", strings.Repeat("v", 43)))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"tenant": "7", "response_type": "code", "client_id": "app", "redirect_uri": "https://tools.example/agreed", "state": "the state", "scope": "read write",
			// SHA-256 of 43 times v, as RFC 7636 4.2 writes it.
			"code_challenge": "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM", "code_challenge_method": "S256",
		}
		got := map[string]string{}
		for name := range u.Query() {
			got[name] = u.Query().Get(name)
		}
		if u.Host+u.Path != "id.example/authorize" || !maps.Equal(got, want) {
			t.Errorf("%s has %v", u, got)
		}
		if err := o.Redeem(t.Context(), "ann", "c0de", strings.Repeat("v", 43)); err != nil {
			t.Fatal(err)
		}
		if f := e.forms[0]; f.Get("grant_type") != "authorization_code" || f.Get("code") != "c0de" || f.Get("redirect_uri") != "https://tools.example/agreed" || f.Get("code_verifier") != strings.Repeat("v", 43) {
			t.Error(f)
		}
		if got, err := o.Get(t.Context(), "ann"); got != "new" || err != nil {
			t.Error(got, err)
		}
		if kept := s.kept["ann"]; kept.Refresh != "r" || !kept.Ends.Equal(time.Now().Add(time.Hour)) {
			t.Errorf("%+v", kept)
		}
		if err := o.Redeem(t.Context(), "ann", "used", "v"); err == nil || !strings.Contains(err.Error(), "invalid_grant") {
			t.Error(err)
		}
	})
}
