package consent

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A program is what a vendor writes around the tools: it knows its users and
// where Google sends their browsers back to.
type program struct {
	tools   *Tools
	consent *upstream.Consent
}

func start(t *testing.T, api *stub.Server) *program {
	t.Helper()
	p := &program{consent: &upstream.Consent{
		Redirect: "https://shop.example/agreed",
		Store:    &upstream.MemoryTokens{},
		User:     func(r *http.Request) string { return r.Header.Get("X-Session") }, // who is signed in there
	}}
	tools, err := New(Config{
		Calendar: upstream.API{BaseURL: api.URL, TokenURL: api.URL + "/token", Consent: p.consent},
		GoogleID: "shop", GoogleSecret: "s3cret",
	})
	if err != nil {
		t.Fatal(err)
	}
	p.tools = tools
	return p
}

// call is a call of Ann, who is signed in.
func (p *program) call() (NextAppointmentsOutput, error) {
	ctx := tool.WithPrincipal(context.Background(), &tool.Principal{ID: "desk", UserID: "ann"})
	return p.tools.NextAppointments(ctx, NextAppointmentsInput{})
}

// asks is where the tool sends Ann, as the parts of the address.
func (p *program) asks(t *testing.T) url.Values {
	t.Helper()
	_, err := p.call()
	e := tool.AsError(err)
	if e.Code != "consent_required" || e.Authorization == nil {
		t.Fatalf("%v", err)
	}
	page, err := url.Parse(e.Authorization.URL)
	if err != nil {
		t.Fatal(err)
	}
	if at := page.Scheme + "://" + page.Host + page.Path; at != "https://accounts.google.com/o/oauth2/v2/auth" {
		t.Errorf("she is sent to %s", at)
	}
	return page.Query()
}

// returns is the browser that comes back from Google.
func (p *program) returns(session string, query url.Values) string {
	r := httptest.NewRequest("GET", "/agreed?"+query.Encode(), http.NoBody)
	r.Header.Set("X-Session", session)
	w := httptest.NewRecorder()
	p.consent.ServeHTTP(w, r)
	return w.Body.String()
}

func TestAUserAgrees(t *testing.T) {
	api := stub.Serve(t,
		stub.Answer{Body: `{"access_token": "A1", "token_type": "Bearer", "refresh_token": "R1", "expires_in": 3600}`},
		stub.Answer{Body: `{"items": [{"summary": "Dentist", "start": {"dateTime": "2026-12-01T09:00:00Z"}}, {"start": {"date": "2026-12-24"}}]}`})
	p := start(t, api)
	asked := p.asks(t)
	for name, want := range map[string]string{
		"client_id": "shop", "response_type": "code", "access_type": "offline", "redirect_uri": "https://shop.example/agreed",
		"scope": "https://www.googleapis.com/auth/calendar.events.readonly", "code_challenge_method": "S256",
	} {
		if got := asked.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if page := p.returns("ann", url.Values{"state": asked["state"], "code": {"C1"}}); !strings.Contains(page, "allowed now") {
		t.Fatal(page)
	}
	got, err := p.call()
	if err != nil {
		t.Fatal(err)
	}
	want := []NextAppointmentsAppointmentsItem{{What: "Dentist", When: "2026-12-01T09:00:00Z"}, {What: "(no title)", When: "2026-12-24"}}
	if d := cmp.Diff(want, got.Appointments); d != "" {
		t.Error(d)
	}
	// The verifier of the code is the secret whose digest went with the browser, so
	// that a code is good for nobody else.
	redeemed, err := url.ParseQuery(strings.TrimPrefix(api.Wire(t, 0), "POST /token\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(redeemed.Get("code_verifier")))
	if redeemed.Get("code") != "C1" || redeemed.Get("client_secret") != "s3cret" || base64.RawURLEncoding.EncodeToString(digest[:]) != asked.Get("code_challenge") {
		t.Errorf("sent for a token: %v", redeemed)
	}
	if sent := api.Wire(t, 1, "Authorization"); !events.MatchString(sent) {
		t.Errorf("sent: %s", sent)
	}
}

// events is the request that reads the calendar, from now on.
var events = regexp.MustCompile(`^GET /calendars/primary/events\?timeMin=20[-0-9.T]+%3A[0-9]+%3A[0-9.]+Z&maxResults=3&singleEvents=true&orderBy=startTime\nAuthorization: Bearer A1$`)

func TestAUserRefuses(t *testing.T) {
	api := stub.Serve(t)
	p := start(t, api)
	if page := p.returns("ann", url.Values{"state": p.asks(t)["state"], "error": {"access_denied"}}); !strings.Contains(page, "Nothing was allowed") {
		t.Error(page)
	}
	p.asks(t)
	api.Sent(t)
}

// Who sends Ann's address to Bob does not get Bob's calendar, nor he hers.
func TestAnotherUserReturns(t *testing.T) {
	api := stub.Serve(t)
	p := start(t, api)
	if page := p.returns("bob", url.Values{"state": p.asks(t)["state"], "code": {"C1"}}); !strings.Contains(page, "Somebody else was asked") {
		t.Error(page)
	}
	api.Sent(t)
}
