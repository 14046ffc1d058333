package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

var (
	errStore = errors.New("secret: disk full")
	start    = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

// A memory keeps one token, and fails where it is told to.
type memory struct {
	token      Token
	load, save error
}

func (m *memory) Load(context.Context, string) (Token, error) { return m.token, m.load }

func (m *memory) Save(_ context.Context, _ string, t Token) error {
	m.token = t
	return m.save
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func saying(status int, body io.Reader) transport {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Body: io.NopCloser(body)}, nil
	}
}

func at(t *testing.T, g Grant, over http.RoundTripper) *Source {
	t.Helper()
	g.URL, g.ID, g.Authorize, g.Redirect = "https://id.example/token", "app", "https://id.example/go?prompt=x", "https://me.example/back"
	s, err := New(g, over)
	if err != nil {
		t.Fatal(err)
	}
	s.Now = func() time.Time { return start }
	return s
}

// TestRefusedGrants has the whole text of what is wrong with a grant.
func TestRefusedGrants(t *testing.T) {
	good := Grant{Type: AuthorizationCode, URL: "https://a.example/t", ID: "i", Authorize: "https://a.example/a", Redirect: "http://localhost:1/b", Store: &memory{}}
	with := func(change func(*Grant)) Grant { g := good; change(&g); return g }
	for _, c := range []struct {
		g    Grant
		want string
	}{
		{good, "<nil>"},
		{with(func(g *Grant) { g.Store = nil }), "the store for the tokens of users is missing"},
		{with(func(g *Grant) { g.Authorize = "/a" }), "the authorization URL must be absolute, without user and fragment"},
		{with(func(g *Grant) { g.Redirect = "http://b.example/" }), "the redirect URL must begin with https://"},
		{with(func(g *Grant) { g.URL = "ftp://localhost/" }), "the token URL must begin with https://"},
		{with(func(g *Grant) { g.URL = "http://127.0.0.1/" }), "<nil>"}, {with(func(g *Grant) { g.URL = "http://[::1]/" }), "<nil>"},
		{with(func(g *Grant) { g.URL = "http://10.0.0.1/" }), "the token URL must begin with https://"},
		{with(func(g *Grant) { g.URL = "https://u@a.example/" }), "the token URL must be absolute, without user and fragment"},
		{with(func(g *Grant) { g.URL = "https://a.example/#f" }), "the token URL must be absolute, without user and fragment"},
		{with(func(g *Grant) { g.URL = "https://%/" }), "the token URL must be absolute, without user and fragment"},
		{with(func(g *Grant) { g.ID = "" }), "the id of the client is missing"},
		{with(func(g *Grant) { g.Type = RefreshToken }), "the refresh token is missing"},
		{with(func(g *Grant) { g.Type = "password" }), `there is no grant "password"`},
	} {
		s, err := New(c.g, nil)
		if fmt.Sprint(err) != c.want || (s == nil) != (err != nil) {
			t.Errorf("%+v: %v, want %s", c.g, err, c.want)
		}
	}
}

// TestErrorWords: what is said of a request without a token.
func TestErrorWords(t *testing.T) {
	cause := errors.New("cause")
	for _, c := range []struct {
		e         Error
		want      string
		temporary bool
	}{
		{Error{}, "no token", true}, {Error{Err: cause}, "no token: cause", true}, {Error{Status: 400, Code: "invalid_grant"}, "no token: the token endpoint answered 400 invalid_grant", false},
		{Error{Status: 429}, "no token: the token endpoint answered 429", true}, {Error{Status: 499}, "no token: the token endpoint answered 499", false},
		{Error{Status: 500, Err: cause}, "no token: the token endpoint answered 500: cause", true},
	} {
		if c.e.Error() != c.want || c.e.Temporary() != c.temporary || !errors.Is(c.e.Unwrap(), c.e.Err) {
			t.Errorf("%s, %v; want %s", &c.e, c.e.Temporary(), c.want)
		}
	}
	if !errors.Is(&Error{Err: cause}, cause) {
		t.Error("the cause is lost")
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("secret: reset") }

// TestAnswersAtTheirEdges: what an endpoint may answer, and why it gives no token.
func TestAnswersAtTheirEdges(t *testing.T) {
	long := func(n int) string { return `{"access_token":"` + strings.Repeat("t", n) + `"}` }
	padded := func(n int) string { return `{"access_token":"t"}` + strings.Repeat(" ", n-20) }
	for _, c := range []struct {
		status int
		body   io.Reader
		want   string
	}{
		{200, strings.NewReader(long(maxToken)), "<nil>"}, {200, strings.NewReader(long(maxToken + 1)), "no token: the token endpoint answered 200: its answer has no token that can be sent"},
		{200, strings.NewReader(padded(maxAnswer)), "<nil>"}, {200, strings.NewReader(padded(maxAnswer + 1)), "no token: the token endpoint answered 200: its answer is not JSON"},
		{200, strings.NewReader(`{"access_token":"a b"}`), "no token: the token endpoint answered 200: its answer has no token that can be sent"},
		{200, strings.NewReader(`{"access_token":"t","token_type":"BEARER"}`), "<nil>"}, {200, strings.NewReader(`{"access_token":"t","token_type":"N_A"}`), "<nil>"},
		{200, strings.NewReader(`{"access_token":"t","token_type":"mac"}`), "no token: the token endpoint answered 200: its token is not a bearer token"},
		{200, strings.NewReader(`{"access_token":"t","error":"slow_down"}`), "no token: the token endpoint answered 200 slow_down"},
		{201, strings.NewReader(`{"access_token":"t"}`), "no token: the token endpoint answered 201"},
		{400, strings.NewReader(`{"error":"Secret Text"}`), "no token: the token endpoint answered 400"},
		{400, strings.NewReader(`{"error":"` + strings.Repeat("x", 40) + `"}`), "no token: the token endpoint answered 400 " + strings.Repeat("x", 40)},
		{400, strings.NewReader(`{"error":"` + strings.Repeat("x", 41) + `"}`), "no token: the token endpoint answered 400"},
		{200, broken{}, "no token: its answer cannot be read"},
	} {
		a, err := at(t, Grant{Type: ClientCredentials}, saying(c.status, c.body)).ask(t.Context(), url.Values{})
		if fmt.Sprint(err) != c.want || (a == nil) != (err != nil) {
			t.Errorf("%d: %v, want %s", c.status, err, c.want)
		}
	}
}

// TestLives: how long a token is used, by what the endpoint says of it.
func TestLives(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`1`: time.Second, `"10"`: 10 * time.Second, `3600`: time.Hour, `0`: 0, `-1`: 0, `1.5`: 0, `null`: 0, `2147483647`: 2147483647 * time.Second, `2147483648`: 0, ``: 0,
	} {
		got := (&answer{AccessToken: "t", ExpiresIn: json.RawMessage(text)}).token(start, "old")
		ends := start.Add(want)
		if want == 0 {
			ends = time.Time{}
		}
		if got != (Token{Access: "t", Refresh: "old", Ends: ends}) {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if got := (&answer{RefreshToken: "new"}).token(start, "old"); got.Refresh != "new" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		kind              string
		life, renew, ends time.Duration
	}{
		{ClientCredentials, 0, 9 * time.Minute, 10 * time.Minute}, {ClientCredentials, time.Hour, 59 * time.Minute, time.Hour}, {ClientCredentials, 100 * time.Second, 90 * time.Second, 100 * time.Second},
		{AuthorizationCode, 0, time.Minute, 10 * time.Minute}, {AuthorizationCode, time.Hour, time.Minute, time.Hour}, {AuthorizationCode, 50 * time.Second, 45 * time.Second, 50 * time.Second},
	} {
		s, e, token := at(t, Grant{Type: c.kind, Store: &memory{}}, nil), &entry{err: errStore}, Token{Access: "t"}
		if c.life != 0 {
			token.Ends = start.Add(c.life)
		}
		if s.keep(e, token); e.token != "t" || e.err != nil || e.renew.Sub(start) != c.renew || e.ends.Sub(start) != c.ends {
			t.Errorf("%s of %v: renewed after %v, over after %v", c.kind, c.life, e.renew.Sub(start), e.ends.Sub(start))
		}
	}
}

// TestFailed: a failure leaves a token that is still good, unless the user does
// not agree any more.
func TestFailed(t *testing.T) {
	s := at(t, Grant{Type: ClientCredentials}, nil)
	for _, c := range []struct {
		ends time.Duration
		err  error
		keep bool
	}{{time.Second, errStore, true}, {0, errStore, false}, {-time.Second, errStore, false}, {time.Hour, ErrConsent, false}} {
		e := &entry{token: "t", renew: start, ends: start.Add(c.ends)}
		s.fail(e, c.err)
		if (e.token == "t") != c.keep || e.ends.IsZero() == c.keep || e.renew.IsZero() == c.keep || !errors.Is(e.err, c.err) || !e.failed.Equal(start) {
			t.Errorf("%v, %v: %+v", c.ends, c.err, e)
		}
	}
}

// TestRoom: of many subjects those whose tokens are over are forgotten first, but
// nobody who waits for one; and all where that is not enough.
func TestRoom(t *testing.T) {
	s := at(t, Grant{Type: TokenExchange}, nil)
	fill := func(n int, ends time.Time) {
		for i := range n {
			s.tokens[fmt.Sprint(ends, i)] = &entry{ends: ends}
		}
	}
	fill(mostSubjects-1, start)
	good, waits := s.entry("good"), &entry{pending: make(chan struct{})}
	good.ends = start.Add(1)
	if s.entry("good") != good || len(s.tokens) != mostSubjects {
		t.Fatalf("%d subjects", len(s.tokens))
	}
	s.tokens["waits"] = waits
	if s.entry("one"); len(s.tokens) != 3 || s.tokens["good"] != good || s.tokens["waits"] != waits || s.tokens["one"] == nil {
		t.Errorf("%d subjects are left", len(s.tokens))
	}
	s.tokens["one"].ends = start.Add(time.Hour)
	fill(mostSubjects-3, start.Add(time.Hour))
	if s.entry("last"); len(s.tokens) != 1 {
		t.Errorf("%d subjects", len(s.tokens))
	}
}

// TestStores: what a store does not do is told without its words, and a token of
// it that no header can hold is not sent.
func TestStores(t *testing.T) {
	refreshed := `{"access_token":"new","refresh_token":"r2"}`
	revoked := `{"error":"invalid_grant"}`
	for name, c := range map[string]struct {
		store  memory
		status int
		body   string
		token  Token
		want   string
	}{
		"unread":            {memory{load: errStore}, 200, refreshed, Token{}, "no token: the store of tokens cannot be read"},
		"odd":               {memory{token: Token{Access: "a b"}}, 200, refreshed, Token{}, "no token: the store of tokens has one that cannot be sent"},
		"nothing":           {memory{}, 200, refreshed, Token{}, "the user has not agreed"},
		"refused":           {memory{token: Token{Access: "refused"}}, 200, refreshed, Token{}, "the user has not agreed"},
		"good to its end":   {memory{token: Token{Access: "t", Ends: start.Add(1)}}, 200, refreshed, Token{Access: "t", Ends: start.Add(1)}, "<nil>"},
		"over":              {memory{token: Token{Access: "t", Ends: start}}, 200, refreshed, Token{}, "the user has not agreed"},
		"before its minute": {memory{token: Token{Access: "t", Refresh: "r", Ends: start.Add(time.Minute + 1)}}, 200, refreshed, Token{Access: "t", Refresh: "r", Ends: start.Add(time.Minute + 1)}, "<nil>"},
		"in its minute":     {memory{token: Token{Access: "t", Refresh: "r", Ends: start.Add(time.Minute)}}, 200, refreshed, Token{Access: "new", Refresh: "r2"}, "<nil>"},
		"unwritten":         {memory{token: Token{Refresh: "r"}, save: errStore}, 200, refreshed, Token{Access: "new", Refresh: "r2"}, "no token: the store of tokens cannot be written"},
		"revoked":           {memory{token: Token{Access: "refused", Refresh: "r"}}, 400, revoked, Token{}, "the user has not agreed"},
		"revoked, kept":     {memory{token: Token{Refresh: "r"}, save: errStore}, 400, revoked, Token{}, "no token: the store of tokens cannot be written"},
		"another error":     {memory{token: Token{Refresh: "r"}}, 400, `{"error":"slow_down"}`, Token{}, "no token: the token endpoint answered 400 slow_down"},
	} {
		s := at(t, Grant{Type: AuthorizationCode, Store: &c.store}, saying(c.status, strings.NewReader(c.body)))
		got, err := s.agreed(t.Context(), "u", "refused")
		if got != c.token || fmt.Sprint(err) != c.want {
			t.Errorf("%s: %+v, %v; want %+v, %s", name, got, err, c.token, c.want)
		}
	}
	s := at(t, Grant{Type: AuthorizationCode, Store: &memory{save: errStore}}, saying(200, strings.NewReader(refreshed)))
	if err := s.Redeem(t.Context(), "u", "c", "v"); err == nil || err.Error() != "no token: the store of tokens cannot be written" {
		t.Error(err)
	}
	s = at(t, Grant{Type: AuthorizationCode, Store: &memory{}}, saying(400, strings.NewReader(revoked)))
	if err := s.Redeem(t.Context(), "u", "c", "v"); err == nil || err.Error() != "no token: the token endpoint answered 400 invalid_grant" {
		t.Error(err)
	}
}

// TestWhoAsks: headers and form of a request, by where the credentials go.
func TestWhoAsks(t *testing.T) {
	for _, c := range []struct {
		g           Grant
		form, basic string
	}{
		{Grant{}, "client_id=app", ""}, {Grant{InBody: true, Secret: "s"}, "client_id=app&client_secret=s", ""}, {Grant{Secret: "s"}, "", "Basic YXBwOnM="},
	} {
		c.g.Type = ClientCredentials
		r := at(t, c.g, nil).request(t.Context(), url.Values{})
		body, err := io.ReadAll(r.Body)
		want := map[string][]string{"Accept": {"application/json"}, "Content-Type": {"application/x-www-form-urlencoded"}, "User-Agent": {"sculpt"}}
		if c.basic != "" {
			want["Authorization"] = []string{c.basic}
		}
		same := maps.EqualFunc(r.Header, want, func(a, b []string) bool { return len(a) == 1 && a[0] == b[0] })
		if err != nil || !same || string(body) != c.form || r.Method != "POST" || r.URL.String() != "https://id.example/token" {
			t.Errorf("%+v: %v %s %v", c.g, r.Header, body, err)
		}
	}
	got := at(t, Grant{Type: AuthorizationCode, Store: &memory{}, Scopes: []string{"a", "b"}, Audience: "api"}, nil).AuthorizationURL("st", "verifier")
	if want := "https://id.example/go?audience=api&client_id=app&code_challenge=iMnq5o6zALKXGivsnlom_0F5_WYda32GHkxlV7mq7hQ&code_challenge_method=S256&prompt=x&redirect_uri=https%3A%2F%2Fme.example%2Fback&response_type=code&scope=a+b&state=st"; got != want {
		t.Error(got)
	}
}
