package upstream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// A guarded service takes the newest token of its endpoint, and no other.
type guarded struct {
	tokens, calls atomic.Int64
	// answer is the status of the token endpoint, 0 for 200.
	answer int
	// dead is the number of tokens that the service takes for expired.
	dead int64
	mu   sync.Mutex
	seen []string
}

func (g *guarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	g.seen = append(g.seen, r.Host+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
	g.mu.Unlock()
	if r.Host == "id.example" {
		n := g.tokens.Add(1)
		if g.answer != 0 {
			w.WriteHeader(g.answer)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
			return
		}
		time.Sleep(10 * time.Millisecond)
		fmt.Fprintf(w, `{"access_token":"secret-token-%d","expires_in":600}`, n)
		return
	}
	g.calls.Add(1)
	if n := g.tokens.Load(); r.Header.Get("Authorization") != fmt.Sprintf("Bearer secret-token-%d", n) || n <= g.dead {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	fmt.Fprint(w, `{}`)
}

func tokenClient(t *testing.T, g http.Handler, change func(*upstream.Credential, *upstream.API)) *upstream.Client {
	t.Helper()
	c := upstream.Credential{Scheme: "oauth", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "client_credentials", TokenURL: "https://id.example/token", ClientID: "app", Value: "s3cret-of-app"}
	api := upstream.API{Handler: g}
	if change != nil {
		change(&c, &api)
	}
	u, err := upstream.New(upstream.Spec{Name: "shop", BaseURL: "https://shop.example", Credentials: []upstream.Credential{c}}, api)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func order(ctx context.Context, u *upstream.Client) error {
	c := u.Call("order", http.MethodPost, upstream.EffectUnsafe)
	c.Path("/orders")
	c.Credentials("oauth")
	_, err := upstream.Do[struct{}](ctx, c, nil)
	return err
}

// A hundred calls share one token, which the service alone gets.
func TestGrant(t *testing.T) {
	g := &guarded{}
	u := tokenClient(t, g, nil)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if err := order(t.Context(), u); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if g.tokens.Load() != 1 || g.calls.Load() != 100 {
		t.Errorf("%d tokens for %d calls", g.tokens.Load(), g.calls.Load())
	}
	if want := "id.example/token Basic YXBwOnMzY3JldC1vZi1hcHA= grant_type=client_credentials"; g.seen[0] != want {
		t.Errorf("%s, want %s", g.seen[0], want)
	}
	for _, line := range g.seen[1:] {
		if line != "shop.example/orders Bearer secret-token-1 " {
			t.Errorf("the service got %s", line)
		}
	}
}

// A token that the service does not take is replaced once, also for an effect: one
// that was refused did not happen. A second refusal is the answer.
func TestGrantRenewed(t *testing.T) {
	for dead, want := range map[int64]string{1: "", 9: "upstream_auth"} {
		g := &guarded{dead: dead}
		err := order(t.Context(), tokenClient(t, g, nil))
		code := ""
		if e, ok := errors.AsType[*tool.Error](err); ok {
			code = e.Code
		}
		if code != want || g.tokens.Load() != 2 || g.calls.Load() != 2 {
			t.Errorf("%v after %d tokens and %d calls", err, g.tokens.Load(), g.calls.Load())
		}
	}
}

// Without a token nothing is sent, and the caller learns whose fault it is.
func TestGrantRefused(t *testing.T) {
	for status, want := range map[int]tool.Error{
		401: {Kind: tool.KindBadBackend, Code: "upstream_auth"},
		500: {Kind: tool.KindUnavailable, Code: "upstream_auth", Retryable: true},
	} {
		g := &guarded{answer: status}
		e, ok := errors.AsType[*tool.Error](order(t.Context(), tokenClient(t, g, nil)))
		if !ok || e.Kind != want.Kind || e.Code != want.Code || e.Retryable != want.Retryable || g.calls.Load() != 0 {
			t.Errorf("%d: %+v after %d calls", status, e, g.calls.Load())
		}
		if strings.Contains(e.Error()+e.Sentence(), "s3cret") {
			t.Errorf("%d: %v", status, e)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := order(ctx, tokenClient(t, &guarded{}, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that nobody waits for: %v", err)
	}
}

// The token of a caller is exchanged for that caller alone.
func TestGrantExchange(t *testing.T) {
	g := &guarded{}
	u := tokenClient(t, g, func(c *upstream.Credential, _ *upstream.API) { c.Grant = "token_exchange" })
	for _, who := range []string{"Bearer ann", "Bearer bob"} {
		if err := order(tool.WithPrincipal(t.Context(), &tool.Principal{ID: who, Authorization: who}), u); err != nil {
			t.Error(err)
		}
	}
	if g.tokens.Load() != 2 || !strings.Contains(g.seen[0], "subject_token=ann&") || !strings.Contains(g.seen[2], "subject_token=bob&") {
		t.Errorf("%q", g.seen)
	}
	for _, who := range []string{"", "Basic YTpi", "Bearer "} {
		if err := order(tool.WithPrincipal(t.Context(), &tool.Principal{ID: "x", Authorization: who}), u); tool.KindOf(err) != tool.KindUnauthorized {
			t.Errorf("%q: %v", who, err)
		}
	}
}

// What is tested against a stand-in does not ask the real endpoint.
func TestGrantStandIn(t *testing.T) {
	c := upstream.Credential{Scheme: "oauth", In: "header", Name: "Authorization", Grant: "client_credentials", TokenURL: "https://id.example/token", ClientID: "app", Value: "s"}
	spec := upstream.Spec{Name: "shop", BaseURL: "https://shop.example", Credentials: []upstream.Credential{c}}
	if _, err := upstream.New(spec, upstream.API{BaseURL: "http://127.0.0.1:1"}); err == nil || !strings.Contains(err.Error(), "both or none") {
		t.Errorf("half of a stand-in: %v", err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			fmt.Fprint(w, `{"access_token":"t"}`)
		} else if r.Header.Get("Authorization") != "Bearer t" {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	defer server.Close()
	spec.Credentials[0].Prefix = "Bearer "
	u, err := upstream.New(spec, upstream.API{BaseURL: server.URL, TokenURL: server.URL + "/token"})
	if err != nil {
		t.Fatal(err)
	}
	if err := order(t.Context(), u); err != nil {
		t.Error(err)
	}
	spec.Credentials[0].TokenURL = "http://id.example/token"
	if _, err := upstream.New(spec, upstream.API{}); err == nil || !strings.Contains(err.Error(), "https://") {
		t.Errorf("a token over http: %v", err)
	}
}
