package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// An answer is what the stub gives to a request.
type answer struct {
	Status int `json:"status"`
	Body   any `json:"body,omitempty"`
	// Text is a body that is not JSON.
	Text string `json:"text,omitempty"`
}

// A stub answers from a table, by method, path and body.
type stub map[string]answer

// get and post are keys of a stub.
func get(path string) string { return "GET " + path }

func post(path string, body any) string { return "POST " + path + "\n" + compact(body) }

func compact(v any) string {
	if s, is := v.(string); is {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// RoundTrip implements http.RoundTripper.
func (s stub) RoundTrip(r *http.Request) (*http.Response, error) {
	key := r.Method + " " + r.URL.RequestURI()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		key += "\n" + string(body)
	}
	a, known := s[key]
	if !known {
		a = answer{Status: 404, Body: map[string]any{"message": "unknown: " + key}}
	}
	out := []byte(a.Text)
	if a.Body != nil {
		out = []byte(compact(a.Body))
	}
	return &http.Response{StatusCode: a.Status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(out)), Request: r}, nil
}

// A fault breaks a good server in one place: in what it knows (model) or in what
// it answers (wire).
type fault[M any] struct {
	clause string
	// also are clauses that fail with it, because they look at the same.
	also  []string
	model func(*M)
	wire  func(stub)
}

// A suite is a good server of one protocol and its faults.
type suite[M any] struct {
	protocol string
	build    func() *M
	render   func(*M) stub
	invoke   []Invocation
	faults   []fault[M]
}

// broken renders the server with a fault.
func (s *suite[M]) broken(f *fault[M]) stub {
	m := s.build()
	if f != nil && f.model != nil {
		f.model(m)
	}
	answers := s.render(m)
	if f != nil && f.wire != nil {
		f.wire(answers)
	}
	return answers
}

func (s *suite[M]) judge(t *testing.T, answers stub) *Report {
	t.Helper()
	report, err := s.run(t.Context(), answers)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (s *suite[M]) run(ctx context.Context, answers http.RoundTripper) (*Report, error) {
	return Server(ctx, s.protocol, &url.URL{Scheme: "http", Host: "tools.example"}, Options{
		Client: &http.Client{Transport: answers}, Invoke: s.invoke, callID: func() string { return callID },
	})
}

// callID is that of all calls to a stub.
const callID = "7f3d3a54-5f0c-4a37-9d53-0a2ff1c0b6d2"

// failing are the clauses of a report that fail.
func failing(r *Report) []string {
	var ids []string
	for _, x := range r.Results {
		if x.Verdict == Fail {
			ids = append(ids, x.ID)
		}
	}
	return ids
}

// bites: a good server passes every clause that has a check, and each fault
// makes its clause fail, and no other than those listed beside it.
func (s *suite[M]) bites(t *testing.T) {
	t.Helper()
	checked := map[string]bool{}
	for _, x := range s.judge(t, s.broken(nil)).Results {
		if x.check == nil {
			continue
		}
		checked[x.ID] = false
		if x.Verdict != Pass {
			t.Errorf("%s: %s on a good server: %s", x.ID, x.Verdict, x.Saw)
		}
	}
	for i, f := range s.faults {
		want := append([]string{f.clause}, f.also...)
		slices.Sort(want)
		report := s.judge(t, s.broken(&f))
		got := failing(report)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("fault %d of %s: %v fail, want %v\n%s", i, f.clause, got, want, sawOf(report))
		}
		checked[f.clause] = true
	}
	for id, bitten := range checked {
		if !bitten {
			t.Errorf("%s: no fault makes it fail", id)
		}
	}
	t.Logf("%s: %d faults, %d clauses with a check", s.protocol, len(s.faults), len(checked))
}

// sawOf lists what failed.
func sawOf(r *Report) string {
	var b strings.Builder
	for _, x := range r.Results {
		if x.Verdict == Fail {
			b.WriteString("  " + x.ID + ": " + x.Saw + "\n")
		}
	}
	return b.String()
}

// clone copies JSON.
func clone[T any](v T) T {
	var out T
	if err := json.Unmarshal([]byte(compact(v)), &out); err != nil {
		panic(err)
	}
	return out
}

// renamed are the faults of one protocol for another whose clauses have another
// prefix, less those of clauses that it does not have.
func renamed[M any](faults []fault[M], from, to string, rows []Clause) []fault[M] {
	has := func(id string) bool { return slices.ContainsFunc(rows, func(c Clause) bool { return c.ID == id }) }
	var out []fault[M]
	for _, f := range faults {
		f.clause = to + strings.TrimPrefix(f.clause, from)
		also := f.also
		f.also = nil
		for _, id := range also {
			if id = to + strings.TrimPrefix(id, from); has(id) {
				f.also = append(f.also, id)
			}
		}
		if has(f.clause) {
			out = append(out, f)
		}
	}
	return out
}
