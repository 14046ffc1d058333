package conform

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestEndlessServers: a server whose pages do not end is given up, whatever is long
// about them.
func TestEndlessServers(t *testing.T) {
	for _, c := range []struct {
		name, beside, want string
		most               int
	}{
		{"long pages", strings.Repeat("x", 2<<20), "more than 16 MB", 10},
		{"many values", strings.Repeat(",", 50_000), "more than 300000 values", 8},
	} {
		for _, protocol := range ServerProtocols() {
			t.Run(c.name+" of "+protocol, func(t *testing.T) {
				n := 0
				s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					n++
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"items":[{"toolId":"t%d","name":"a"}],"tools":[],"paging":{"next":"%d"},"beside":%q}`, n, n, c.beside)
				}))
				defer s.Close()
				at, _ := url.Parse(s.URL)
				_, err := Server(t.Context(), protocol, at, Options{})
				if (protocol == "a2t" || protocol == "nact") && (err == nil || !strings.Contains(err.Error(), c.want)) || n > c.most {
					t.Errorf("%v after %d requests", err, n)
				}
			})
		}
	}
}
