package doors

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// post sends JSON as the caller does, and reads the JSON of the answer.
func (s *Served) post(t testing.TB, path string, body, into any, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), "POST", path, bytes.NewReader(data))
	r.Header.Set("Content-Type", "application/json")
	for _, line := range slices.Concat(s.Caller.Headers, headers) {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.Judged.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return w
}

// A problem is the document of an error in A2T (RFC 9457).
type problem struct {
	Code, Reason, Detail, Hint string
	Retryable                  bool
	Wait                       int64    `json:"retry_after_ms"`
	Done                       []string `json:"effects_done"`
	Errors                     []struct {
		Parameter, Code, Detail string
		Allowed                 []string
	}
}

func (p *problem) outcome() Outcome {
	o := Outcome{Kind: p.Code, Reason: p.Reason, Message: p.Detail, Hint: p.Hint,
		Retry: p.Retryable, Wait: time.Duration(p.Wait) * time.Millisecond, Done: p.Done}
	for _, e := range p.Errors {
		o.Issues = append(o.Issues, Issue{Param: e.Parameter, Code: e.Code, Detail: e.Detail, Allowed: e.Allowed})
	}
	return o
}

// AskA2T invokes a tool below a prefix; the colon before the verb may be escaped.
func AskA2T(prefix, colon string) func(testing.TB, *Served, *Question) Outcome {
	return func(t testing.TB, s *Served, q *Question) Outcome {
		var got struct {
			problem
			Outputs []struct {
				Name  string
				Value any
			} `json:"output_parameters"`
		}
		params := []map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(q.Inputs)) {
			params = append(params, map[string]any{"name": name, "value": q.Inputs[name]})
		}
		path := prefix + "/tools/" + s.Tool(t, q.Tool).ID
		if q.Version != 0 {
			path += fmt.Sprintf("/versions/%d", q.Version)
		}
		w := s.post(t, path+colon+"invoke", map[string]any{"name": q.Tool, "input_parameters": params}, &got)
		if w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
		o := got.outcome()
		o.Status = w.Code
		for _, v := range got.Outputs {
			if o.Outputs == nil {
				o.Outputs = map[string]any{}
			}
			o.Outputs[v.Name] = v.Value
		}
		return o
	}
}

// a2tKinds has the status and the word of each kind in A2T.
var a2tKinds = map[string]struct {
	status int
	code   string
}{
	"":                {200, ""},
	"unknown_version": {404, "unknown_version"},
	"invalid_input":   {422, "invalid_parameters"},
	"no_result":       {422, "no_result"},
	"rejected":        {422, "backend_rejected"},
	"bad_backend":     {502, "backend_invalid_response"},
	"unavailable":     {503, "backend_unavailable"},
	"timeout":         {504, "backend_timeout"},
	"unknown_outcome": {409, "outcome_unknown"},
}

func tellA2T(t testing.TB, s *Served, q *Question) Outcome {
	o := q.Want
	kind, known := a2tKinds[o.Kind]
	if !known {
		t.Fatalf("what is %q in A2T?", o.Kind)
	}
	o.Message = o.sentence()
	if n := len(o.Issues); n > 0 {
		version, are := q.Version, "parameters are"
		if version == 0 {
			versions := s.Tool(t, q.Tool).Versions
			version = versions[len(versions)-1].N
		}
		if n == 1 {
			are = "parameter is"
		}
		o.Message = fmt.Sprintf("%d input %s not valid for %s version %d.", n, are, q.Tool, version)
		o.Issues = slices.Clone(o.Issues)
		for i := range o.Issues {
			o.Issues[i].Nearest = "" // the detail has it
		}
	}
	o.Status, o.Kind = kind.status, kind.code
	return o
}
