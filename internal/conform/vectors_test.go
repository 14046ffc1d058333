package conform

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// Vectors are the rows, the good server and its faults as a document that
// programs in any language read: docs/conformance/*.json.
type vectors struct {
	Protocol string   `json:"protocol"`
	Clauses  []Clause `json:"clauses"`
	// Invoke are the calls that the exchanges come from.
	Invoke []vectorCall `json:"invoke,omitempty"`
	// Good are the exchanges with a server that misses nothing.
	Good   []vector      `json:"good"`
	Faults []vectorFault `json:"faults"`
}

type vectorCall struct {
	Tool   string         `json:"tool"`
	Inputs map[string]any `json:"inputs"`
}

// A vector is one exchange: a request and its answer, or the arguments of a
// program and how it ends.
type vector struct {
	Request *vectorRequest `json:"request,omitempty"`
	Answer  *answer        `json:"answer,omitempty"`
	Args    []string       `json:"args,omitempty"`
	Run     *vectorRun     `json:"run,omitempty"`
}

type vectorRequest struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   any    `json:"body,omitempty"`
	// Text is a body that is not JSON.
	Text string `json:"text,omitempty"`
}

// A vectorRun has what is not UTF-8 in base64.
type vectorRun struct {
	atipRun

	Base64 string `json:"stdout_base64,omitempty"`
}

// A vectorFault is what a server with one fault answers otherwise, and the
// clauses that fail then. What is gone is answered with 404.
type vectorFault struct {
	Fails   []string        `json:"fails"`
	Changed []vector        `json:"changed,omitempty"`
	Gone    []vectorRequest `json:"gone,omitempty"`
}

// requestOf reads the key of a stub, key writes it.
func requestOf(key string) vectorRequest {
	line, body, _ := strings.Cut(key, "\n")
	method, path, _ := strings.Cut(line, " ")
	r := vectorRequest{Method: method, Path: path}
	if r.Body = parse([]byte(body)); r.Body == nil {
		r.Text = body
	}
	return r
}

func (r *vectorRequest) key() string {
	key := r.Method + " " + r.Path
	switch {
	case r.Body != nil:
		key += "\n" + compact(r.Body)
	case r.Text != "":
		key += "\n" + r.Text
	}
	return key
}

// exchanges lists what a stub answers otherwise than another.
func (s stub) exchanges(other stub) []vector {
	var list []vector
	for _, key := range slices.Sorted(maps.Keys(s)) {
		was, is := other[key], s[key]
		if was.Status == is.Status && was.Text == is.Text && reflect.DeepEqual(parse([]byte(compact(was.Body))), parse([]byte(compact(is.Body)))) {
			continue
		}
		r := requestOf(key)
		list = append(list, vector{Request: &r, Answer: &is})
	}
	return list
}

// failsOf are the clauses that fail with a fault, sorted.
func (f *fault[M]) failsOf() []string {
	return slices.Sorted(slices.Values(append([]string{f.clause}, f.also...)))
}

func (s *suite[M]) vectors() *vectors {
	good := s.broken(nil)
	v := &vectors{Protocol: s.protocol, Good: good.exchanges(nil), Clauses: rowsOf(s.protocol)}
	for _, i := range s.invoke {
		v.Invoke = append(v.Invoke, vectorCall(i))
	}
	for _, f := range s.faults {
		broken := s.broken(&f)
		one := vectorFault{Fails: f.failsOf(), Changed: broken.exchanges(good)}
		for _, key := range slices.Sorted(maps.Keys(good)) {
			if _, there := broken[key]; !there {
				one.Gone = append(one.Gone, requestOf(key))
			}
		}
		v.Faults = append(v.Faults, one)
	}
	return v
}

// rowsOf are the clauses of a protocol, with its name.
func rowsOf(protocol string) []Clause {
	at := slices.IndexFunc(protocols, func(p spoken) bool { return p.word == protocol })
	rows := slices.Clone(protocols[at].rows)
	for i := range rows {
		rows[i].Protocol = protocol
	}
	return rows
}

func atipVectors() *vectors {
	runs := func(m *atipModel, other map[string]*atipRun) []vector {
		var list []vector
		is := m.render()
		for _, args := range atipArgs {
			if reflect.DeepEqual(is[args], other[args]) {
				continue
			}
			run := &vectorRun{atipRun: *is[args]}
			if !utf8.ValidString(run.Stdout) {
				run.Base64, run.Stdout = base64.StdEncoding.EncodeToString([]byte(run.Stdout)), ""
			}
			list = append(list, vector{Args: strings.Fields(args), Run: run})
		}
		return list
	}
	v := &vectors{Protocol: "atip", Clauses: rowsOf("atip"), Good: runs(goodATIP(), nil)}
	for _, f := range atipFaults {
		m := goodATIP()
		f.model(m)
		v.Faults = append(v.Faults, vectorFault{Fails: f.failsOf(), Changed: runs(m, goodATIP().render())})
	}
	return v
}

// lines writes the document with one clause, exchange or fault a line, so that
// differences can be read.
func (v *vectors) lines() string {
	var b strings.Builder
	b.WriteString("{\n \"protocol\": \"" + v.Protocol + "\"")
	for _, part := range []struct {
		name string
		list []any
	}{{"clauses", anys(v.Clauses)}, {"invoke", anys(v.Invoke)}, {"good", anys(v.Good)}, {"faults", anys(v.Faults)}} {
		b.WriteString(",\n \"" + part.name + "\": [")
		for i, e := range part.list {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n  " + compact(e))
		}
		b.WriteString("\n ]")
	}
	return b.String() + "\n}\n"
}

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}

// TestVectorsAreFresh: N-ACT has no document, because all but its name is in
// that of A2T.
func TestVectorsAreFresh(t *testing.T) {
	for _, v := range []*vectors{a2tSuite.vectors(), otcSuite("otc").vectors(), otcSuite("oxp").vectors(), atdfSuite.vectors(), atipVectors()} {
		golden.Text(t, vectorFile(t, v.Protocol), v.lines())
	}
}

func vectorFile(t *testing.T, protocol string) string {
	return filepath.Join(golden.Root(t), "docs", "conformance", protocol+".json")
}

// TestVectorsSuffice: a server that is made of a published document alone gets
// the verdicts that the document says.
func TestVectorsSuffice(t *testing.T) {
	for _, p := range protocols {
		if p.word == "nact" {
			continue
		}
		raw, err := os.ReadFile(vectorFile(t, p.word))
		if err != nil {
			t.Fatal(err)
		}
		var v vectors
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		for i, f := range append(v.Faults, vectorFault{}) {
			report := v.judge(t, p, &f)
			got := failing(report)
			if slices.Sort(got); !slices.Equal(got, f.Fails) {
				t.Errorf("%s, fault %d: %v fail, want %v\n%s", p.word, i, got, f.Fails, sawOf(report))
			}
		}
	}
}

// judge judges the server that the document describes, with a fault.
func (v *vectors) judge(t *testing.T, p spoken, f *vectorFault) *Report {
	t.Helper()
	all := slices.Concat(v.Good, f.Changed)
	if p.speak == nil {
		m := &atipModel{doc: doc{}, runs: map[string]func(*atipRun){}}
		for _, x := range all {
			run := x.Run.atipRun
			if raw, err := base64.StdEncoding.DecodeString(x.Run.Base64); err == nil && len(raw) > 0 {
				run.Stdout = string(raw)
			}
			m.runs[strings.Join(x.Args, " ")] = func(r *atipRun) { *r = run }
		}
		return judgeATIP(m)
	}
	answers := stub{}
	for _, x := range all {
		answers[x.Request.key()] = *x.Answer
	}
	for _, r := range f.Gone {
		delete(answers, r.key())
	}
	s := suite[struct{}]{protocol: p.word}
	for _, i := range v.Invoke {
		s.invoke = append(s.invoke, Invocation(i))
	}
	return s.judge(t, answers)
}
