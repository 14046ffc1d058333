// Package diag holds findings: what is wrong, where, why and how to fix it,
// and renders them: [Text] for people, [JSON] for programs, [GitHub], [SARIF],
// [Markdown] and [JUnit] for the services that show them. Every stage of sculpt returns what it could build and a
// [List]; no stage stops at its first error.
//
// # Style of messages
//
// Sentence case without a capital, no full stop, no first person, no "failed
// to". Name the thing of the user's text in double quotes. Mark the shortest
// span that is wrong. One mistake is one finding. The fix is what to type.
//
// The package imports the standard library only and nothing of this module.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// A Pos is a place in a text file. Line and Col start at 1; Col counts
// characters (code points), as editors show it. The zero Pos means the file
// as a whole.
type Pos struct {
	Line, Col int
}

// A Span is a piece of a file: from Start up to, not including, End. An End
// that is zero or not after Start marks a single character.
type Span struct {
	// File is the name the user knows the file by, with forward slashes.
	File       string
	Start, End Pos
}

// String returns file:line:col, the form that editors make clickable.
func (s Span) String() string {
	if s.Start.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Start.Line, s.Start.Col)
}

// IsZero reports whether the span names no file.
func (s Span) IsZero() bool { return s.File == "" }

// Contains reports whether the other span begins inside this one.
func (s Span) Contains(other Span) bool {
	before := func(a, b Pos) bool { return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col }
	return s.File == other.File && !before(other.Start, s.Start) && before(other.Start, s.End)
}

// Cause leaves the path out of an error of a file system, for messages that name
// it already.
func Cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Severity says what a finding means for the exit code.
type Severity uint8

const (
	// Error findings stop the pipeline and make commands exit with 1.
	Error Severity = iota
	// Warning findings are shown and change nothing.
	Warning
	// Note findings explain what was done.
	Note
)

// String returns error, warning or note.
func (s Severity) String() string {
	return [...]string{"error", "warning", "note"}[s]
}

// A Related place belongs to a finding, such as the first of two declarations.
type Related struct {
	Span Span
	Text string
}

// A Finding is one thing that is wrong.
type Finding struct {
	Rule     RuleID
	Severity Severity
	Message  string
	Span     Span
	// Fix says what to do, in words to follow or text to paste.
	Fix     string
	Related []Related
	// Tool names the tool concerned, where there is one.
	Tool string
	// Place is the part of the tool in the words of the manifest, such as
	// "inputs.days", and Version the oldest release concerned, where the
	// finding is about a release.
	Place   string
	Version int
	// Private says that the marked text is a secret: no renderer may show it.
	Private bool
}

// A RuleID is the stable name of a rule, in words: unknown-field. It is a
// struct, so that a literal text is not one: a reporter takes the variable that
// the table of its package documents, and a slip in either does not compile.
type RuleID struct{ words string }

// ID names a rule. It is called where ids are declared, in variables and rows
// of tables; a test of internal/arch refuses any other place.
func ID(words string) RuleID { return RuleID{words} }

// String returns the words, which is what people filter by.
func (id RuleID) String() string { return id.words }

// A Rule documents one rule id; packages export their rules as tables, and
// the command line renders docs and explanations from them.
type Rule struct {
	ID       RuleID
	Severity Severity
	// Summary is one line: what the rule says.
	Summary string
	// Why gives the reason, Fix the way out.
	Why, Fix string
}

// A List collects findings in any order.
type List []Finding

// Add appends a finding.
func (l *List) Add(f Finding) { *l = append(*l, f) }

// Errorf appends an error finding.
func (l *List) Errorf(rule RuleID, at Span, fix, format string, args ...any) {
	l.Add(Finding{Rule: rule, Span: at, Fix: fix, Message: fmt.Sprintf(format, args...)})
}

// Warnf appends a warning.
func (l *List) Warnf(rule RuleID, at Span, fix, format string, args ...any) {
	l.Add(Finding{Rule: rule, Severity: Warning, Span: at, Fix: fix, Message: fmt.Sprintf(format, args...)})
}

// HasErrors reports whether any finding is an error.
func (l List) HasErrors() bool {
	return slices.ContainsFunc(l, func(f Finding) bool { return f.Severity == Error })
}

// Sorted returns the findings in order of place, each once: findings with the
// same rule, place and message are one.
func (l List) Sorted() List {
	out := slices.Clone(l)
	slices.SortStableFunc(out, compare)
	return slices.CompactFunc(out, func(a, b Finding) bool {
		return a.Rule == b.Rule && a.Span == b.Span && a.Message == b.Message
	})
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Span.File, b.Span.File),
		cmp.Compare(a.Span.Start.Line, b.Span.Start.Line),
		cmp.Compare(a.Span.Start.Col, b.Span.Start.Col),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Rule.words, b.Rule.words),
		cmp.Compare(a.Message, b.Message),
	)
}
