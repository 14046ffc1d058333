package corpus_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// fewOperations are tried of each document in the gate, all by make documents.
const fewOperations = 20

// TestDocumentsOnTheWire makes a tool of operations of every published document,
// with what they require and again with all that they take, and holds the
// requests that the tools send against the document, read by openapi3filter and
// by a reader of its own: origin, path, query, media type, body and credential
// are those that the document names. What cannot be sent is refused with a
// finding; nothing is sent to another place, or in another form.
func TestDocumentsOnTheWire(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t))
	total := newTally("all documents")
	var runs []*documentRun
	for _, file := range golden.Documents(t, fsys) {
		t.Run(path.Base(file), func(t *testing.T) {
			r := openRun(t, fsys, file)
			for i := range r.all {
				r.operation(i)
			}
			t.Log(r.tally)
			total.add(r.tally)
			runs = append(runs, r)
		})
	}
	t.Log(total)
	called := t.Run("generated", func(t *testing.T) { runDocuments(t, fsys, runs) })
	if called && os.Getenv("SCULPT_DOCUMENTS") == "all" {
		writeDocuments(t, runs, total)
	}
	if total.usable*1000 < total.all*995 {
		t.Errorf("only %d of %d operations can be used", total.usable, total.all)
	}
}

// A documentTally counts operations.
type documentTally struct {
	name string
	// all are the operations, usable those whose request a judge accepts; whole
	// says the same of calls with all parameters and members.
	all, usable, beyond, refused, wrong, whole int
	// reasons count refusals by rule, unjudged what the own reader judged alone by
	// the reason; places are the refusals.
	reasons, unjudged map[string]int
	places            []string
}

func newTally(name string) *documentTally {
	return &documentTally{name: name, reasons: map[string]int{}, unjudged: map[string]int{}}
}

func (c *documentTally) add(o *documentTally) {
	c.all, c.usable, c.beyond, c.refused = c.all+o.all, c.usable+o.usable, c.beyond+o.beyond, c.refused+o.refused
	c.places = append(c.places, o.places...)
	c.wrong, c.whole = c.wrong+o.wrong, c.whole+o.whole
	for why, n := range o.unjudged {
		c.unjudged[why] += n
	}
	for rule, n := range o.reasons {
		c.reasons[rule] += n
	}
}

func (c *documentTally) String() string {
	return fmt.Sprintf("%s: %d operations, %d usable, %d with all that they take, refused %d %v, wrong %d, not judged %v", c.name, c.all, c.usable, c.whole, c.refused, c.reasons, c.wrong, c.unjudged)
}

// A documentRun goes through the operations of a document.
type documentRun struct {
	t     *testing.T
	all   []spec.Summary
	set   *spec.Set
	doc   *documentReader
	tally *documentTally
	// apis and tools are what a manifest of all usable operations holds, homes
	// the names of its apis, calls what is expected of its tools.
	apis, tools strings.Builder
	homes       map[string]string
	schemes     int
	calls       []*documentCall
}

func openRun(t *testing.T, fsys fs.FS, file string) *documentRun {
	all, findings := spec.Index(fsys, file)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if os.Getenv("SCULPT_DOCUMENTS") != "all" {
		r := rand.New(rand.NewPCG(14, 40))
		r.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		all = all[:min(len(all), fewOperations)]
	}
	var wants []spec.Want
	for _, s := range all {
		wants = append(wants, spec.Want{Method: s.Method, Path: s.Path})
	}
	set, _ := spec.Load(fsys, []spec.Source{{API: "a", File: file, Wants: wants}})
	return &documentRun{t: t, all: all, set: set, doc: openReader(t, fsys, file), tally: newTally(path.Base(file)), homes: map[string]string{}}
}

func (r *documentRun) operation(i int) {
	s := r.all[i]
	r.tally.all++
	op := r.set.Operation("a", spec.Want{Method: s.Method, Path: s.Path})
	if op == nil {
		r.refuse(&operation.Operation{}, "not loaded")
		return
	}
	sample := newSample(r.doc.file, r.set.APIs["a"], op, r.doc.judged(s))
	needed := r.call(s, sample, false)
	switch {
	case needed.refused != nil:
		r.refuse(op, needed.refused.Rule.String())
	case needed.wrong != "", needed.judge != "" && needed.limit == "":
		r.tally.wrong++
	default:
		r.read(s, sample, needed)
	}
	if needed.limit != "" {
		r.tally.unjudged[needed.limit]++
	}
	wide := r.call(s, sample, true)
	// All members of a body together are often more than one variant of it: that
	// they arrive is what counts.
	if wide.refused == nil && wide.wrong == "" {
		r.tally.whole++
	}
	r.log(s, "needed", needed)
	r.log(s, "wide", wide)
}

// refuse counts a refusal, with the place of the operation in its document.
func (r *documentRun) refuse(op *operation.Operation, rule string) {
	r.tally.refused++
	r.tally.reasons[rule]++
	r.tally.places = append(r.tally.places, fmt.Sprintf("| %s | %s:%d | %s |", r.tally.name, path.Base(op.Span.File), op.Span.Start.Line, rule))
}

func (r *documentRun) log(s spec.Summary, what string, o outcome) {
	one := func(text string, n int) string {
		return strings.NewReplacer("\r\n", " ", "\n", " ").Replace(text[:min(len(text), n)])
	}
	switch {
	case o.refused != nil:
		r.t.Logf("REFUSED %s %s %s: %s: %s", what, s.Method, s.Path, o.refused.Rule.String(), one(o.refused.Message, 300))
	case o.wrong != "":
		r.t.Errorf("WRONG %s %s %s: %s <<%s>>", what, s.Method, s.Path, one(o.wrong, 900), one(o.request.text(), 700))
	case o.limit != "":
		r.t.Logf("LIMIT %s %s %s: %s: %s <<%s>>", what, s.Method, s.Path, o.limit, one(o.judge, 500), one(o.request.text(), 700))
	case o.judge != "" && what == "needed":
		r.t.Errorf("JUDGE %s %s: %s <<%s>>", s.Method, s.Path, one(o.judge, 900), one(o.request.text(), 700))
	case o.judge != "":
		r.t.Logf("JUDGE %s %s %s: %s <<%s>>", what, s.Method, s.Path, one(o.judge, 900), one(o.request.text(), 700))
	}
}

// An outcome is what became of a call: refused by sculpt, or sent, and then wrong
// if a judge does not accept it.
type outcome struct {
	refused *diag.Finding
	wrong   string
	// judge is what openapi3filter has against the request, limit why it cannot
	// read it, where that is known.
	judge, limit string
	request      *wireRequest
	step         *ir.Step
}

func (o *outcome) fine() bool { return o.refused == nil && o.wrong == "" && o.judge == "" }

// call sends an operation values, others where these are not accepted.
func (r *documentRun) call(s spec.Summary, sample *sample, wide bool) (first outcome) {
	chosen := 0
	defer func() { sample.fill(chosen, wide) }()
	for pick := range 8 {
		sample.fill(pick, wide)
		o := r.try(s, sample)
		if o.fine() {
			chosen = pick
			return o
		}
		if pick == 0 || first.limit == "" && o.limit != "" {
			first, chosen = o, pick
		}
	}
	return first
}

func (r *documentRun) try(s spec.Summary, sample *sample) outcome {
	text := callsManifest(len(sample.auth), sample.home("a"), sample.tool("t", "a", "true"))
	p, program, findings := planned(text, r.set)
	for _, f := range findings {
		if f.Severity == diag.Error {
			return outcome{refused: &f}
		}
	}
	requests := sent(r.t, p)
	if len(requests) != 1 {
		r.t.Fatalf("%s %s: %d requests\n%s", s.Method, s.Path, len(requests), text)
	}
	o := outcome{request: requests[0], step: program.Tools[0].Plan.Steps[0]}
	if o.wrong = r.doc.compare(s, sample, o.request); o.wrong != "" {
		return o
	}
	if err := sample.doc.accepts(r.t.Context(), sample.values, o.request); err != nil {
		o.judge = err.Error()
		o.limit = limitOf(o.judge, o.request)
	}
	return o
}

// A sample is a call of an operation with constant values.
type sample struct {
	file string
	op   *operation.Operation
	api  *spec.API
	doc  *judgedOperation
	auth []string
	// values are what parameters get, as JSON values, by place and name.
	values map[string]any
	body   any
}

func newSample(file string, api *spec.API, op *operation.Operation, doc *judgedOperation) *sample {
	s := &sample{file: file, op: op, api: api, doc: doc}
	for _, name := range slices.Sorted(maps.Keys(api.Schemes)) {
		scheme := api.Schemes[name]
		if scheme.Type != "mutualTLS" && (scheme.Type != "http" || scheme.HTTP == "basic" || scheme.HTTP == "bearer") {
			s.auth = append(s.auth, name)
		}
	}
	if op.Security == nil && len(s.auth) > 1 {
		s.auth = nil
	}
	return s
}

// fill makes values for what an operation requires, or for all that it takes.
func (s *sample) fill(pick int, wide bool) {
	m := &valueMaker{schemas: s.doc.schemas, pick: pick, wide: wide}
	s.values, s.body = map[string]any{}, nil
	for _, v := range s.doc.parameters {
		p, _ := v.(tree)
		in, name := fmt.Sprint(p["in"]), fmt.Sprint(p["name"])
		if in == "body" || in == "formData" || !wide && p["required"] != true || s.isCredential(in, name) {
			continue
		}
		s.values[in+"."+name] = m.value(schemaOfParameter(p), 0)
	}
	for _, part := range s.op.Parts { // some documents declare no parameter for what the path has in braces
		if key := "path." + part.Param; part.Param != "" && s.values[key] == nil {
			s.values[key] = "some-value"
		}
	}
	if s.doc.body != nil && (wide || s.doc.body["required"] == true) {
		s.body = m.body(s.doc.body)
	}
	if fields, ok := s.body.(tree); ok && len(fields) == 0 && s.doc.body["required"] != true {
		s.body = nil
	}
}

func (s *sample) isCredential(in, name string) bool {
	return slices.ContainsFunc(s.auth, func(scheme string) bool {
		return string(s.api.Schemes[scheme].In) == in && strings.EqualFold(s.api.Schemes[scheme].Param, name)
	})
}

func schemaOfParameter(p tree) any {
	content, _ := p["content"].(tree)
	for _, media := range content {
		m, _ := media.(tree)
		return m["schema"]
	}
	if p["schema"] != nil {
		return p["schema"]
	}
	return p
}

// home is the api of a manifest that the call belongs to: a server where the
// document names none, and credentials where it is known which one goes along.
func (s *sample) home(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s:\n    openapi: %s\n", name, jsonText(s.file))
	if s.op.Server.BaseURL() == "" {
		b.WriteString("    base_url: https://own.example/base\n")
	}
	if len(s.auth) > 0 {
		b.WriteString("    auth:\n")
		for i, scheme := range s.auth {
			fmt.Fprintf(&b, "      %s: env:K%d\n", jsonText(scheme), i)
		}
	}
	return b.String()
}

// tool is the call as a tool with an output.
func (s *sample) tool(name, api, output string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %s:\n    version: 1\n    description: d\n    steps:\n      s:\n        call: %s\n", name, jsonText(api+" "+s.op.Method+" "+s.op.Path))
	if len(s.values) > 0 {
		b.WriteString("        with:\n")
		for _, key := range slices.Sorted(maps.Keys(s.values)) {
			fmt.Fprintf(&b, "          %s: %s\n", jsonText(key), jsonText(s.values[key]))
		}
	}
	if s.body != nil {
		fmt.Fprintf(&b, "        body: %s\n", jsonText(s.body))
	}
	fmt.Fprintf(&b, "    outputs: {o: {value: %s, description: d, optional: true}}\n", jsonText("${"+output+"}"))
	return b.String()
}

// callsManifest is a manifest with some apis and tools.
func callsManifest(schemes int, apis, tools string) string {
	text := "sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\n"
	if schemes > 0 {
		text += "env:\n"
		for i := range schemes {
			text += fmt.Sprintf("  K%d: {description: k, default: k}\n", i)
		}
	}
	return text + "apis:\n" + apis + "tools:\n" + tools
}

func jsonText(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // what is given has a JSON form
	}
	return string(out)
}
