package upstream

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Answers are read as deep as 32 levels, parts that nobody wants too: beyond
// that they are a fault of the service, and not a reason to run out of stack.
func TestAnswerDepth(t *testing.T) {
	depth := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"other":%s1%s,"name":"found"}`, strings.Repeat("[", depth-1), strings.Repeat("]", depth-1))
	}))
	defer server.Close()
	u := newTestUpstream(t, Spec{BaseURL: server.URL}, API{})
	for depth = 1; depth < 40; depth++ {
		if v, err := getThing(u, EffectRead); (err == nil) != (depth <= 32) || err == nil && v.name != "found" {
			t.Errorf("%d levels: %v, %v", depth, v, err)
		}
	}
}
