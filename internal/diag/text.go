package diag

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxFindings is how many findings Text shows: nobody reads more, and a log
// has to end.
const maxFindings = 50

// Text writes the findings for people, sorted and each once, with the line of
// the source where sources knows the file (nil is no file). What comes from
// files is escaped: it cannot steer a terminal or speak to a build service.
func Text(w io.Writer, list List, sources func(file string) []byte) error {
	sorted := list.Sorted()
	if len(sorted) == 0 {
		return nil
	}
	p := &printer{w: bufio.NewWriter(w), sources: sources, lines: map[string][]string{}}
	for _, f := range sorted[:min(len(sorted), maxFindings)] {
		p.finding(f)
	}
	if more := len(sorted) - maxFindings; more > 0 {
		fmt.Fprintf(p.w, "... and %d more\n", more)
	}
	fmt.Fprintln(p.w, sorted.count())
	return p.w.Flush()
}

// count says how many findings there are, such as "2 errors, 1 warning".
func (l List) count() string {
	var parts []string
	for s := Error; s <= Note; s++ {
		switch n := l.number(s); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+s.String())
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", n, s))
		}
	}
	return strings.Join(parts, ", ")
}

func (l List) number(s Severity) int {
	n := 0
	for _, f := range l {
		if f.Severity == s {
			n++
		}
	}
	return n
}

type printer struct {
	w       *bufio.Writer
	sources func(string) []byte
	// lines holds the files read so far.
	lines map[string][]string
}

func (p *printer) finding(f Finding) {
	if f.Span.File != "" {
		fmt.Fprintf(p.w, "%s: ", Escape(f.Span.String()))
	}
	fmt.Fprintf(p.w, "%s[%s]: %s\n", f.Severity, Escape(f.Rule.String()), Escape(f.Message))
	if !f.Private {
		p.excerpt(f.Span)
	}
	if f.Fix != "" {
		fmt.Fprintf(p.w, "   = fix: %s\n", Escape(f.Fix))
	}
	for _, r := range f.Related {
		fmt.Fprintf(p.w, "   = see: %s: %s\n", Escape(r.Span.String()), Escape(r.Text))
	}
}

// excerpt writes the line that a span starts in, and carets under the span.
func (p *printer) excerpt(s Span) {
	line, ok := p.line(s.File, s.Start.Line)
	if !ok {
		return
	}
	text, before, width := mark(line, s)
	number := fmt.Sprintf("%5d", s.Start.Line)
	fmt.Fprintf(p.w, "%s | %s\n", number, text)
	fmt.Fprintf(p.w, "%s | %s%s\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", before), strings.Repeat("^", width))
}

func (p *printer) line(file string, n int) (string, bool) {
	if p.sources == nil || n < 1 {
		return "", false
	}
	lines, known := p.lines[file]
	if !known {
		if src := p.sources(file); src != nil {
			lines = strings.Split(strings.TrimPrefix(string(src), "\ufeff"), "\n")
		}
		p.lines[file] = lines
	}
	if n > len(lines) {
		return "", false
	}
	return strings.TrimSuffix(lines[n-1], "\r"), true
}

const (
	tabWidth = 4
	// Of a long line, the part around the span is shown.
	maxWidth  = 160
	leadWidth = 60
)

// mark returns a line as it can be shown, and the columns of its span: how
// many come before and how wide it is.
func mark(line string, s Span) (text string, before, width int) {
	var cells []string
	var widths []int
	column := 0
	for _, r := range line {
		cell, w := escapeRune(r), 0
		switch {
		case r == '\t':
			w = tabWidth - column%tabWidth
			cell = strings.Repeat(" ", w)
		case cell == "":
			cell, w = string(r), runeWidth(r)
		default:
			w = len(cell)
		}
		cells, widths, column = append(cells, cell), append(widths, w), column+w
	}
	start := min(max(s.Start.Col-1, 0), len(cells))
	end := start + 1
	switch {
	case s.End.Line == s.Start.Line && s.End.Col > s.Start.Col:
		end = s.End.Col - 1
	case s.End.Line > s.Start.Line:
		end = len(cells)
	}
	end = min(max(end, start), len(cells))
	from, to, lead, trail := window(widths, start)
	before = len(lead) + sum(widths[from:start])
	width = max(1, sum(widths[start:max(start, min(end, to))]))
	return lead + strings.TrimRight(strings.Join(cells[from:to], ""), " ") + trail, before, width
}

// window chooses the cells of a long line that are shown.
func window(widths []int, start int) (from, to int, lead, trail string) {
	if sum(widths) <= maxWidth {
		return 0, len(widths), "", ""
	}
	from = start
	for w := 0; from > 0 && w < leadWidth; from-- {
		w += widths[from-1]
	}
	to = from
	for w := 0; to < len(widths) && w < maxWidth; to++ {
		w += widths[to]
	}
	if from > 0 {
		lead = "..."
	}
	if to < len(widths) {
		trail = "..."
	}
	return from, to, lead, trail
}

func sum(widths []int) int {
	n := 0
	for _, w := range widths {
		n += w
	}
	return n
}

// Escape makes a text safe to show on one line: control characters and those
// that hide or reorder text are written as \n, \x1b or \u202e.
func Escape(text string) string {
	clean := true
	for _, r := range text {
		clean = clean && escapeRune(r) == ""
	}
	if clean && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if e := escapeRune(r); e != "" {
			b.WriteString(e)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
