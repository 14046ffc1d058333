package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/oauth"
)

// An endpoint answers from a script and keeps what it was asked.
type endpoint struct {
	mu      sync.Mutex
	answers []string
	forms   []url.Values
	users   []string
	// hold, unless nil, keeps every request waiting until it is closed.
	hold chan struct{}
	n    atomic.Int64
}

func (e *endpoint) RoundTrip(r *http.Request) (*http.Response, error) {
	e.n.Add(1)
	if e.hold != nil {
		select {
		case <-e.hold:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	user, password, _ := r.BasicAuth()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forms, e.users = append(e.forms, form), append(e.users, user+":"+password)
	text := e.answers[min(len(e.forms), len(e.answers))-1]
	rec := httptest.NewRecorder()
	status, rest, _ := strings.Cut(text, " ")
	if status == "broken" {
		return nil, errors.New("connection reset")
	}
	rec.Code = map[string]int{"200": 200, "400": 400, "401": 401, "429": 429, "500": 500, "302": 302}[status]
	rec.Body.WriteString(rest)
	return rec.Result(), nil
}

func source(t *testing.T, g oauth.Grant, e *endpoint) *oauth.Source {
	t.Helper()
	if g.Type == "" {
		g.Type = oauth.ClientCredentials
	}
	g.URL, g.ID = "https://id.example/token", "app"
	s, err := oauth.New(g, e)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is sent for each grant (RFC 6749 4.4.2 and 6, RFC 8693 2.1).
func TestRequest(t *testing.T) {
	for name, c := range map[string]struct {
		grant      oauth.Grant
		subject    string
		user, form string
	}{
		"client credentials": {oauth.Grant{Secret: "s:1", Scopes: []string{"a", "b"}}, "", "app:s%3A1", "grant_type=client_credentials&scope=a+b"},
		"in the form":        {oauth.Grant{Secret: "s", InBody: true, Audience: "api"}, "", ":", "audience=api&client_id=app&client_secret=s&grant_type=client_credentials"},
		"a public client":    {oauth.Grant{Type: oauth.RefreshToken, Refresh: "r1"}, "", ":", "client_id=app&grant_type=refresh_token&refresh_token=r1"},
		"an exchange": {oauth.Grant{Type: oauth.TokenExchange, Secret: "s"}, "theirs", "app:s",
			"grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token&subject_token=theirs&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"},
	} {
		e := &endpoint{answers: []string{`200 {"access_token":"t1","token_type":"Bearer","expires_in":60}`}}
		token, err := source(t, c.grant, e).Get(t.Context(), c.subject)
		if err != nil || token != "t1" || e.forms[0].Encode() != c.form || e.users[0] != c.user {
			t.Errorf("%s: %q %v, sent %s as %s", name, token, err, e.forms[0].Encode(), e.users[0])
		}
	}
}

// A token is used until shortly before its end, and then renewed while it is
// still good, so that nobody waits.
func TestLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{answers: []string{`200 {"access_token":"t1","expires_in":1000}`, `200 {"access_token":"t2","expires_in":"100"}`, `200 {"access_token":"t3"}`}}
		s := source(t, oauth.Grant{Secret: "s"}, e)
		get := func(after time.Duration, want string, asked int64) {
			t.Helper()
			time.Sleep(after)
			token, err := s.Get(t.Context(), "")
			synctest.Wait()
			if err != nil || token != want || e.n.Load() != asked {
				t.Errorf("%q, %v after %d requests, want %s after %d", token, err, e.n.Load(), want, asked)
			}
		}
		get(0, "t1", 1)
		get(939*time.Second, "t1", 1)
		get(2*time.Second, "t1", 2) // renewed beside the call
		get(0, "t2", 2)
		get(80*time.Second, "t2", 2)
		get(30*time.Second, "t3", 3) // it had ended: the call waited
		get(500*time.Second, "t3", 3)
	})
}

// Whoever needs a token shares one request, and who gives up ends it for nobody.
func TestOneRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{hold: make(chan struct{}), answers: []string{`200 {"access_token":"t1","expires_in":60}`}}
		s := source(t, oauth.Grant{Secret: "s"}, e)
		gaveUp, giveUp := context.WithCancel(t.Context())
		var first error
		var all sync.WaitGroup
		all.Go(func() { _, first = s.Get(gaveUp, "") })
		for range 99 {
			all.Go(func() {
				if token, err := s.Get(t.Context(), ""); token != "t1" || err != nil {
					t.Errorf("%q, %v", token, err)
				}
			})
		}
		synctest.Wait()
		giveUp()
		synctest.Wait()
		close(e.hold)
		all.Wait()
		if e.n.Load() != 1 || !errors.Is(first, context.Canceled) {
			t.Errorf("%d requests, %v", e.n.Load(), first)
		}
	})
}

// An endpoint that does not answer costs its time once, and is not asked again at
// once; later it is.
func TestFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{hold: make(chan struct{}), answers: []string{`200 {"access_token":"t1"}`}}
		s := source(t, oauth.Grant{Secret: "s"}, e)
		begin := time.Now()
		if _, err := s.Get(t.Context(), ""); err == nil || time.Since(begin) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		if _, err := s.Get(t.Context(), ""); err == nil || e.n.Load() != 1 {
			t.Errorf("%v after %d requests", err, e.n.Load())
		}
		close(e.hold)
		time.Sleep(time.Second)
		if token, err := s.Get(t.Context(), ""); token != "t1" || err != nil {
			t.Errorf("%q, %v", token, err)
		}
	})
}

// What is wrong with an answer is said, without what is secret in it.
func TestAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		`400 {"error":"invalid_client","error_description":"SECRET"}`: "no token: the token endpoint answered 400 invalid_client",
		`400 {"error":"SECRET now"}`:                                  "no token: the token endpoint answered 400",
		`200 {"error":"invalid_scope","access_token":"t"}`:            "no token: the token endpoint answered 200 invalid_scope",
		`500 SECRET`:                            "temporary no token: the token endpoint answered 500",
		`429 {}`:                                "temporary no token: the token endpoint answered 429",
		`302 `:                                  "no token: the token endpoint answered 302",
		`200 SECRET`:                            "no token: the token endpoint answered 200: its answer is not JSON",
		`200 {}`:                                "no token: the token endpoint answered 200: its answer has no token that can be sent",
		`200 {"access_token":7}`:                "no token: the token endpoint answered 200: its answer is not JSON",
		`200 {"access_token":"SECRET\r\nX: y"}`: "no token: the token endpoint answered 200: its answer has no token that can be sent",
		`200 {"access_token":"SECRET","token_type":"mac"}`: "no token: the token endpoint answered 200: its token is not a bearer token",
		`broken`: "temporary no token: connection reset",
		`200 {"access_token":"` + strings.Repeat("x", 70<<10) + `"}`: "no token: the token endpoint answered 200: its answer is not JSON",
	} {
		_, err := source(t, oauth.Grant{Secret: "SECRET"}, &endpoint{answers: []string{answer}}).Get(t.Context(), "")
		var e *oauth.Error
		if !errors.As(err, &e) {
			t.Fatalf("%.60s: %v", answer, err)
		}
		got := e.Error()
		if e.Temporary() {
			got = "temporary " + got
		}
		if got != want {
			t.Errorf("%.60s: %s, want %s", answer, got, want)
		}
	}
}

// A refresh token that was replaced is not used again.
func TestRotation(t *testing.T) {
	e := &endpoint{answers: []string{`200 {"access_token":"t1","refresh_token":"r2"}`, `200 {"access_token":"t2"}`, `200 {"access_token":"t3"}`}}
	s := source(t, oauth.Grant{Type: oauth.RefreshToken, Refresh: "r1"}, e)
	for i, want := range []string{"t1", "t2", "t3"} {
		token, err := s.Get(t.Context(), "")
		if err != nil || token != want || e.forms[i].Get("refresh_token") != []string{"r1", "r2", "r2"}[i] {
			t.Errorf("%q, %v with %v", token, err, e.forms[i])
		}
		s.Refused("", "another")
		if again, _ := s.Get(t.Context(), ""); again != want {
			t.Errorf("refusing another token gave %s", again)
		}
		s.Refused("", token)
	}
}

// Callers never get each other's tokens, and many of them cost bounded memory.
func TestSubjects(t *testing.T) {
	e := &endpoint{}
	for i := range 10_200 {
		e.answers = append(e.answers, fmt.Sprintf(`200 {"access_token":"t%d"}`, i))
	}
	s := source(t, oauth.Grant{Type: oauth.TokenExchange, Secret: "s"}, e)
	for i := range 10_100 {
		if token, err := s.Get(t.Context(), fmt.Sprint("caller", i)); err != nil || token != fmt.Sprint("t", i) {
			t.Fatalf("caller %d: %q, %v", i, token, err)
		}
	}
	if token, _ := s.Get(t.Context(), "caller10099"); token != "t10099" {
		t.Errorf("the last caller has %s", token)
	}
}

// What could not be sent, or not safely, is refused at start.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		grant oauth.Grant
		want  string
	}{
		{oauth.Grant{Type: oauth.ClientCredentials, URL: "http://id.example/t", ID: "a"}, "the token URL must begin with https://"},
		{oauth.Grant{Type: oauth.ClientCredentials, URL: "/t", ID: "a"}, "the token URL must be absolute, without user and fragment"},
		{oauth.Grant{Type: oauth.ClientCredentials, URL: "https://u:p@id.example/t", ID: "a"}, "the token URL must be absolute, without user and fragment"},
		{oauth.Grant{Type: oauth.ClientCredentials, URL: "https://id.example/t"}, "the id of the client is missing"},
		{oauth.Grant{Type: oauth.RefreshToken, URL: "https://id.example/t", ID: "a"}, "the refresh token is missing"},
		{oauth.Grant{Type: "password", URL: "https://id.example/t", ID: "a"}, `there is no grant "password"`},
		{oauth.Grant{Type: oauth.ClientCredentials, URL: "http://127.0.0.1:8080/t", ID: "a"}, ""},
		{oauth.Grant{Type: oauth.ClientCredentials, URL: "http://localhost/t", ID: "a"}, ""},
	} {
		_, err := oauth.New(c.grant, http.DefaultTransport)
		if err == nil != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.grant, err, c.want)
		}
	}
}
