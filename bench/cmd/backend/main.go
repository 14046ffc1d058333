// Command backend stands in for three public services in bench/firstanswer.sh: it
// answers their searches with one invented result each, and everything else with
// 404. It prints its address and ends with its input.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// answers are what the services say, by method, path and query.
var answers = map[string]string{
	"GET /search/repositories?q=sculpted%20tools": `{"total_count":1,"incomplete_results":false,"items":[{"name":"sculpt","full_name":"sculpt-tools/sculpt",` +
		`"owner":{"login":"sculpt-tools"},"description":"Tools for agents","size":7,"license":{"name":"Apache License 2.0"}}]}`,
	"GET /search.php?q=1600%20Amphitheatre%20Parkway&format=json&normalizecity=1&key=a-key": `[{"distance":1,"lat":"37.422","lon":"-122.084","display_name":"1600 Amphitheatre Parkway, Mountain View"}]`,
	"GET /special-events?startDate=2026-12-01": `[{"eventId":"6744a0da-4121-49cd-8479-f8cc20526495","name":"Pirate Coding Workshop","location":"Computer Room","eventDescription":"Captain Blackbeard shares his love of C.",` +
		`"dates":["2026-12-05"],"price":25}]`,
}

func main() {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, "http://"+listener.Addr().String())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	server := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[r.Method+" "+r.URL.RequestURI()]
		if !ok {
			http.Error(w, "nothing is known of "+r.URL.RequestURI(), http.StatusNotFound)
			fmt.Fprintln(os.Stderr, "backend: nothing is known of", r.Method, r.URL.RequestURI())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	})}
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
