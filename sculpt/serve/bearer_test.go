package serve_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// TestCallerBearer: the credential of a bearer scheme that is the caller's own
// has a prefix and no value until there is a call.
func TestCallerBearer(t *testing.T) {
	var seen string
	backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	})
	for name, c := range map[string]struct {
		credential upstream.Credential
		authorized string
		want       string
		kind       tool.Kind
	}{
		"as it came": {upstream.Credential{Scheme: "s", In: "header", Name: "Authorization", Prefix: "Bearer ", Caller: true}, "Bearer mine", "Bearer mine", 0},
		"nothing":    {upstream.Credential{Scheme: "s", In: "header", Name: "Authorization", Prefix: "Bearer ", Caller: true}, "", "", tool.KindUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			seen = ""
			u, err := upstream.New(upstream.Spec{Name: "a", BaseURL: "https://a.example", Credentials: []upstream.Credential{c.credential}}, upstream.API{Handler: backend})
			if err != nil {
				t.Fatal(err)
			}
			ctx := tool.WithPrincipal(context.Background(), &tool.Principal{ID: "me", Authorization: c.authorized})
			call := u.Call("s", "GET", upstream.EffectRead)
			call.Path("/x")
			call.Credentials("s")
			_, err = upstream.Do[struct{}](ctx, call, nil)
			if seen != c.want || (err != nil) != (c.kind != 0) || err != nil && tool.KindOf(err) != c.kind {
				t.Errorf("the backend saw %q, error %v", seen, err)
			}
		})
	}
}

// TestOwnKeyStaysHere: what lets a caller in here is not what lets it in at the
// service behind a tool.
func TestOwnKeyStaysHere(t *testing.T) {
	w := newWeather(t)
	set := w.toolset()
	for i := range set.Tools {
		set.Tools[i].CallerAuth = set.Tools[i].Name == "read_mailbox"
	}
	ann := map[string]tool.Principal{"secret": {ID: "ann"}}
	for name, c := range map[string]struct {
		auth    serve.Authenticator
		more    []serve.Option
		refused bool
	}{
		"bearer tokens":            {serve.BearerTokens(ann), nil, true},
		"keys in the same header":  {serve.StaticKeys("authorization", ann), nil, true},
		"keys in another":          {serve.StaticKeys("X-API-Key", ann), nil, false},
		"tools that pass nothing":  {serve.BearerTokens(ann), []serve.Option{serve.WithTags("weather")}, false},
		"one more for the service": {serve.BearerTokens(map[string]tool.Principal{"secret": {ID: "ann", Authorization: "Bearer ann's"}}), nil, false},
		"not for all": {serve.BearerTokens(map[string]tool.Principal{
			"secret": {ID: "ann", Authorization: "Bearer ann's"}, "other": {ID: "bob"}}), nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := serve.NewHandler([]tool.Toolset{set}, append(c.more, serve.WithAuthenticator(c.auth))...)
			if (err != nil) != c.refused {
				t.Fatal(err)
			}
			if err != nil && (!strings.Contains(err.Error(), "read_mailbox") || !strings.Contains(err.Error(), "StaticKeys") || strings.Contains(err.Error(), "secret")) {
				t.Error(err)
			}
		})
	}
	// A table that was written by hand may not say what its tools pass on.
	for i := range set.Tools {
		set.Tools[i].CallerAuth = false
		set.Tools[i].Call = func(ctx context.Context, _ tool.Args) (tool.Result, error) {
			if got := tool.CallerOf(ctx).Authorization; got != "" {
				t.Errorf("the tool gets %q", got)
			}
			return nil, nil
		}
	}
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithAuthenticator(serve.BearerTokens(ann)), serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	call := wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: invocation("city", "Omaha"), status: 200}
	call.check(t, call.send(h, "Authorization: Bearer secret"))
}
