package diag_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// spanOf is a piece of a file by its four numbers.
func spanOf(file string, line, col, endLine, endCol int) diag.Span {
	return diag.Span{File: file, Start: diag.Pos{Line: line, Col: col}, End: diag.Pos{Line: endLine, Col: endCol}}
}

// varied has findings of every severity and form.
var varied = diag.List{
	{Rule: diag.ID("known"), Span: spanOf("a.yaml", 3, 5, 3, 9), Message: "wrong % at \"x\": a,b", Fix: "write\r\n \"y\", 100 %", Tool: "find", Place: "inputs.x", Version: 2,
		Related: []diag.Related{{Span: spanOf("b:c d.json", 1, 2, 0, 0), Text: "first\nhere"}, {Span: diag.Span{File: "v0001.json"}, Text: "released"}}},
	{Rule: diag.ID("known"), Severity: diag.Warning, Span: spanOf("a.yaml", 3, 5, 4, 1), Message: "<b>loose</b> & @you #12 www.x.example http://x 10:30 a_b _c d_ a. end:", Tool: "find", Place: "inputs.x", Version: 2},
	{Rule: diag.ID("other"), Severity: diag.Note, Span: spanOf("a.yaml", 3, 5, 3, 5), Message: "a note \u202e\x1b[1m *b* `c` [d](e) |f| \\g ~h~", Fix: "nothing"},
	{Rule: diag.ID("other"), Severity: diag.Note, Span: spanOf("b:c d.json", 2, 1, 1, 9), Message: "turned round", Tool: "order"},
	{Rule: diag.ID("whole"), Span: diag.Span{File: "a.yaml"}, Message: "the file"},
	{Rule: diag.ID("nowhere"), Message: "no place"},
	{Rule: diag.ID("nowhere"), Message: "another"},
	{Rule: diag.ID("nowhere"), Message: "another"},
	{Rule: diag.ID("secret"), Span: spanOf("a.yaml", 1, 1, 1, 4), Message: "a secret", Private: true},
}

var known = []diag.Rule{
	{ID: diag.ID("other"), Severity: diag.Note, Summary: "Another.", Why: "It is.", Fix: "Leave it."},
	{ID: diag.ID("known"), Severity: diag.Warning, Summary: "Known.", Why: "It may fail.", Fix: "Correct it."},
}

// formats are the renderers by name.
var formats = []struct {
	name   string
	render func(io.Writer, diag.List) error
}{
	{"text", func(w io.Writer, l diag.List) error {
		return diag.Text(w, l, func(file string) []byte {
			return map[string][]byte{"a.yaml": []byte("\ufeffkey: value\r\n\r\n    wrong\there\r\n"), "b:c d.json": []byte("{}\n\t{}")}[file]
		})
	}},
	{"painted", func(w io.Writer, l diag.List) error { return diag.Text(diag.Paint(w), l, nil) }},
	{"json", diag.JSON}, {"github", diag.GitHub}, {"markdown", diag.Markdown}, {"junit", diag.JUnit},
	{"sarif", func(w io.Writer, l diag.List) error { return diag.SARIF(w, l, known) }},
}

// TestFormats holds every format of a list as it is written, and of none.
func TestFormats(t *testing.T) {
	var all strings.Builder
	for _, f := range formats {
		for _, list := range []diag.List{varied, varied[4:5], nil} {
			fmt.Fprintf(&all, "== %s of %d\n", f.name, len(list))
			if err := f.render(&all, list); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden.Text(t, "testdata/formats.txt", all.String())
}

// full is a disk with room for a few writes.
type full struct{ room int }

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if f.room--; f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// TestFormatsFail: an error of the writer is not lost, whenever it comes.
func TestFormatsFail(t *testing.T) {
	for _, f := range formats {
		enough := 0
		for ; enough < 100; enough++ {
			err := f.render(&full{room: enough}, varied)
			if err == nil {
				break
			}
			if !errors.Is(err, errFull) {
				t.Errorf("%s: %v", f.name, err)
			}
		}
		if enough == 0 || enough == 100 {
			t.Errorf("%s needs %d writes", f.name, enough)
		}
	}
}
