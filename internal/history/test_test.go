package history_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// heard is a test that only keeps what it is told.
type heard struct{ strings.Builder }

func (*heard) Helper() {}

func (h *heard) Errorf(format string, args ...any) { fmt.Fprintf(h, format, args...) }

// packaged is what code that was generated from the world would know.
func packaged(w *world) *history.Package {
	h, _ := history.Read(w.files, dir)
	p := &history.Package{
		Manifest: "sculpt.yaml", Inputs: map[string]string{}, Code: map[string]string{}, Heads: map[string]history.Anchor{}, Files: w.files,
		Read: func(name string) ([]byte, error) { return fs.ReadFile(w.files, name) },
	}
	for _, t := range h.Tools {
		p.Heads[t.Name] = t.Head()
	}
	for _, side := range w.tools {
		p.Tools = append(p.Tools, history.Current{
			Signature: string(side.Signature.Canonical()), Contract: string(side.Signature.Contract(&side.Details)),
			Accept: history.EncodeAccept(side.Accept), Places: history.EncodePlaces(side.Places),
		})
	}
	return p
}

func textSum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// TestTest breaks what a generated package relies on, one thing at a time.
func TestTest(t *testing.T) {
	for _, c := range []struct {
		name string
		// before happens before the code is generated, after behind it.
		before, after func(w *world, p *history.Package)
		want          string
	}{
		{"untouched", nil, nil, ""},
		{"line ends of a checkout", nil, func(w *world, p *history.Package) {
			w.files["sculpt.yaml"].Data = []byte("sculpt: 1\r\ntools:\r\n")
		}, ""},
		{"manifest", nil, func(w *world, p *history.Package) { w.files["sculpt.yaml"].Data = []byte("sculpt: 1\ntool:\n") },
			"sculpt.yaml: error[stale-file]: the file changed since the code was generated from it\n   = fix: run \"sculpt generate\", or go generate where a file has the directive\n1 error"},
		{"manifest is gone", nil, func(w *world, p *history.Package) { delete(w.files, "sculpt.yaml") },
			"sculpt.yaml: error[stale-file]: the file cannot be read: file does not exist"},
		{"code", nil, func(w *world, p *history.Package) { p.Code["sculpt.yaml"] = textSum("other") }, "sculpt.yaml: error[stale-file]: the generated file was edited"},
		{"a file of the index", nil, func(w *world, p *history.Package) {
			index := `{"files":[{"path":"a.json","sha256":"` + textSum("{}") + `"}]}`
			w.files["exports/index.json"] = &fstest.MapFile{Data: []byte(index)}
			w.files["exports/a.json"] = &fstest.MapFile{Data: []byte("{ }")}
			p.Code["exports/index.json"] = textSum(index)
		}, "exports/a.json: error[stale-file]: the generated file was edited"},
		{"edited record", nil, func(w *world, p *history.Package) { w.edit(1, "Get the forecast.", "Get a forecast.") },
			"history/get_forecast/v0001.json: error[history-tampered]: this record was edited after release"},
		{"newest record, and the chain made to fit", nil, func(w *world, p *history.Package) {
			w.edit(3, "Get the forecast.", "Get a forecast.")
		}, "history/get_forecast/v0003.json: error[history-tampered]: this record was edited after release"},
		{"cut tail", nil, func(w *world, p *history.Package) { delete(w.files, name(3)) },
			"history/get_forecast/v0003.json: error[history-truncated]: v3 of \"get_forecast\" was released and its record is gone"},
		{"newer release", nil, func(w *world, p *history.Package) {
			w.files[name(4)] = &fstest.MapFile{Data: w.fourth("d")}
		}, "v4 of \"get_forecast\" is released, and the code was generated before that"},
		{"removed input, past the check", func(w *world, p *history.Package) {
			w.tools[0] = draft(4, "a", "c")
			w.tools[0].Places = map[string]diag.Span{"name": {Start: diag.Pos{Line: 2, Col: 1}, End: diag.Pos{Line: 2, Col: 6}}}
		}, nil, "sculpt.yaml:2:1: error[input-removed]: input \"b\" (v2) is gone, was it renamed to \"c\"?; callers of v2..v3 that send it are rejected\n    2 | tools:\n      | ^^^^^\n   = fix: "},
		{"accepted", func(w *world, p *history.Package) {
			w.tools[0] = draft(4, "a", "c")
			w.tools[0].Accept = []compat.Accept{{Rule: "input-removed", At: "inputs.b", Since: 2, Reason: "nobody sends it"}}
		}, nil, ""},
		{"promises that cannot be read", nil, func(w *world, p *history.Package) { p.Tools[0].Contract = "{" },
			"sculpt.yaml: error[stale-file]: the promises in compat_gen_test.go cannot be read"},
	} {
		w := newWorld(t)
		w.files["sculpt.yaml"] = &fstest.MapFile{Data: []byte("sculpt: 1\ntools:\n")}
		if c.before != nil {
			c.before(w, nil)
		}
		p := packaged(w)
		p.Inputs["sculpt.yaml"] = textSum("sculpt: 1\ntools:\n")
		if c.after != nil {
			c.after(w, p)
		}
		got := &heard{}
		history.Test(got, p)
		if c.want == "" && got.Len() > 0 || !strings.Contains(got.String(), c.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}
