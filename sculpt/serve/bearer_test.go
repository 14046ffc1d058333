package serve_test

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
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
		credential serve.Credential
		authorized string
		want       string
		kind       serve.Kind
	}{
		"as it came": {serve.Credential{Scheme: "s", In: "header", Name: "Authorization", Prefix: "Bearer ", Caller: true}, "Bearer mine", "Bearer mine", 0},
		"nothing":    {serve.Credential{Scheme: "s", In: "header", Name: "Authorization", Prefix: "Bearer ", Caller: true}, "", "", serve.Unauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			seen = ""
			u, err := serve.NewUpstream(serve.UpstreamSpec{Name: "a", BaseURL: "https://a.example", Credentials: []serve.Credential{c.credential}}, serve.API{Handler: backend})
			if err != nil {
				t.Fatal(err)
			}
			ctx := serve.WithPrincipal(context.Background(), &serve.Principal{ID: "me", Authorization: c.authorized})
			call := u.Call("s", "GET", serve.Read)
			call.Path("/x")
			call.Credentials("s")
			_, err = serve.Do[struct{}](ctx, call, nil)
			if seen != c.want || (err != nil) != (c.kind != 0) || err != nil && serve.KindOf(err) != c.kind {
				t.Errorf("the backend saw %q, error %v", seen, err)
			}
		})
	}
}
