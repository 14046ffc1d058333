package diag

import (
	"bytes"
	"encoding/json"
	"io"
)

// jsonPlace is a span in the members that editors and build services expect.
type jsonPlace struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

type jsonRelated struct {
	Message string `json:"message"`
	jsonPlace
}

type jsonFinding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	jsonPlace
	Tool        string        `json:"tool,omitempty"`
	Place       string        `json:"place,omitempty"`
	Version     int           `json:"version,omitempty"`
	Fix         string        `json:"fix,omitempty"`
	Fingerprint string        `json:"fingerprint"`
	Related     []jsonRelated `json:"related"`
}

// A Report is what programs are told of findings: a value that encoding/json
// writes in the form of docs/findings.schema.json. Who has more to tell embeds
// it. The form is stable: members are only ever added.
type Report struct {
	Findings []jsonFinding `json:"findings"`
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
}

// JSON writes the report of findings.
func JSON(w io.Writer, list List) error { return writeJSON(w, NewReport(list)) }

// NewReport reports findings, sorted and each once.
func NewReport(list List) *Report {
	sorted := list.Sorted()
	report := &Report{Findings: []jsonFinding{}, Errors: sorted.number(Error), Warnings: sorted.number(Warning)}
	prints := sorted.fingerprints()
	for i, f := range sorted {
		out := jsonFinding{
			Rule: f.Rule.String(), Severity: f.Severity.String(), Message: f.Message, jsonPlace: placeOf(f.Span),
			Tool: f.Tool, Place: f.Place, Version: f.Version, Fix: f.Fix, Fingerprint: prints[i], Related: []jsonRelated{},
		}
		for _, r := range f.Related {
			out.Related = append(out.Related, jsonRelated{Message: r.Text, jsonPlace: placeOf(r.Span)})
		}
		report.Findings = append(report.Findings, out)
	}
	return report
}

// AppendText appends a text as JSON has it, with no HTML escapes: people and
// models read \u003c badly, and nothing of ours is put into HTML as it is.
func AppendText(b []byte, text string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("diag: " + err.Error()) // a text always encodes
	}
	return append(b, bytes.TrimSuffix(out.Bytes(), []byte("\n"))...)
}

func writeJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// placeOf spells a single character out, so that nobody has to know the rule.
func placeOf(s Span) jsonPlace {
	end := s.End
	if s.Start.Line > 0 && (end.Line < s.Start.Line || end.Line == s.Start.Line && end.Col <= s.Start.Col) {
		end = Pos{Line: s.Start.Line, Col: s.Start.Col + 1}
	}
	return jsonPlace{File: s.File, Line: s.Start.Line, Column: s.Start.Col, EndLine: end.Line, EndColumn: end.Col}
}
