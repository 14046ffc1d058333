// Package stub is the other side of the recipes: a server on loopback that
// answers what a test has written down, one answer after the other, and keeps
// what it was asked.
//
//	api := stub.Serve(t, stub.Answer{Body: `{"id": 7}`})
//	tools, err := refunds.New(refunds.Config{Mollie: upstream.API{BaseURL: api.URL}})
//	...
//	api.Sent(t, "POST /v2/payments\nContent-Type: application/json\n\n{\"amount\":1}")
//
// It imports the standard library and package tool.
package stub

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// An Answer is what the stub says to one request. A status of 0 is 200, and a
// body without a Content-Type is JSON. URL in a header or a body is the address
// of the stub.
type Answer struct {
	Status int
	Header map[string]string
	Body   string
}

// A Server is an API that answers by its script.
type Server struct {
	URL string

	mu      sync.Mutex
	answers []Answer
	asked   []*http.Request
	bodies  []string
}

// New is a server without an address, for tests that call it as a handler. A
// request beyond the last answer gets 501, and [Server.Sent] says that it came.
func New(answers ...Answer) *Server { return &Server{answers: answers} }

// Serve starts a server for the time of the test.
func Serve(t testing.TB, answers ...Answer) *Server {
	t.Helper()
	s := New(answers...)
	listener := httptest.NewServer(s)
	t.Cleanup(listener.Close)
	s.URL = listener.URL
	return s
}

// ServeHTTP keeps the request and gives the next answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.asked, s.bodies = append(s.asked, r), append(s.bodies, string(body))
	answer := Answer{Status: http.StatusNotImplemented}
	if len(s.answers) > 0 {
		answer, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	for name, value := range answer.Header {
		w.Header().Set(name, strings.ReplaceAll(value, "URL", s.URL))
	}
	if answer.Status != 0 {
		w.WriteHeader(answer.Status)
	}
	_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body, "URL", s.URL)) // a caller who has gone is found by the test
}

// Wire is the nth request as it came, from 0: its line, those of its headers
// that are asked for, in that order, and its body after an empty line.
func (s *Server) Wire(t testing.TB, n int, headers ...string) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n >= len(s.asked) {
		t.Fatalf("there were %d requests", len(s.asked))
	}
	r := s.asked[n]
	lines := []string{r.Method + " " + r.RequestURI}
	for _, name := range headers {
		if value := r.Header.Get(name); value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	if s.bodies[n] != "" {
		lines = append(lines, "", s.bodies[n])
	}
	return strings.Join(lines, "\n")
}

// Sent fails the test unless exactly these requests came, in this order, as
// [Server.Wire] writes them. Of their headers those count that the wanted text has.
func (s *Server) Sent(t testing.TB, want ...string) {
	t.Helper()
	s.mu.Lock()
	asked := len(s.asked)
	s.mu.Unlock()
	for n := range max(asked, len(want)) {
		if n >= len(want) {
			t.Errorf("request %d came too: %s", n, s.Wire(t, n))
			continue
		}
		if n >= asked {
			t.Errorf("request %d never came: %s", n, want[n])
			continue
		}
		if got := s.Wire(t, n, named(want[n])...); got != want[n] {
			t.Errorf("request %d was\n%s\n\nand should have been\n%s", n, got, want[n])
		}
	}
}

// named are the headers that a wanted request has.
func named(want string) []string {
	head, _, _ := strings.Cut(want, "\n\n")
	var out []string
	for _, line := range strings.Split(head, "\n")[1:] {
		name, _, _ := strings.Cut(line, ": ")
		out = append(out, name)
	}
	return out
}

// Refused fails the test unless the call ended with this code, or its kind where it has
// none, and this sentence for the model.
func Refused(t testing.TB, err error, code, sentence string) {
	t.Helper()
	if err == nil {
		t.Fatalf("there was an answer, and not the error %s", code)
	}
	e := tool.AsError(err)
	got := e.Code
	if got == "" {
		got = e.Kind.String()
	}
	if got != code || e.Sentence() != sentence {
		t.Errorf("the error was %q: %s", got, e.Sentence())
	}
}
