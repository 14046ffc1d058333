package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// answersCommand starts a service on loopback that gives written answers, and puts
// its address into $UPSTREAM: answers FILE. A line of the file is the path and query
// of a request and the JSON of its answer; anything else is not found.
func answersCommand(ts *testscript.TestScript, neg bool, args []string) {
	written := map[string]string{}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		uri, answer, _ := strings.Cut(strings.TrimSpace(line), " ")
		written[uri] = answer
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer, ok := written[r.RequestURI]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"message": "not found"}`
		}
		fmt.Fprint(w, answer)
	}))
	ts.Defer(service.Close)
	ts.Setenv("UPSTREAM", service.URL)
}
