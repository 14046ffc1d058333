package manifest

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// stride is how many bytes lie between two known character counts. Files may
// be one long line, so counting from the line start each time would be
// quadratic.
const stride = 256

// A source translates between byte offsets and positions in characters.
type source struct {
	file, text string
	// lines holds the offset of each line, runes the number of characters
	// that start before each multiple of stride.
	lines, runes []int
}

func newSource(file, text string) *source {
	s := &source{file: file, text: text, lines: []int{0}}
	count := 0
	for i := range len(text) {
		if i%stride == 0 {
			s.runes = append(s.runes, count)
		}
		if utf8.RuneStart(text[i]) {
			count++
		}
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	if len(text)%stride == 0 {
		s.runes = append(s.runes, count)
	}
	return s
}

// marks counts the characters that can begin a key or a value.
func (s *source) marks() (n int) {
	for i := range len(s.text) {
		switch s.text[i] {
		case ',', '[', '{', '\n':
			n++
		}
	}
	return n
}

// before counts the characters that start before the offset.
func (s *source) before(off int) int {
	i := off / stride
	count := s.runes[i]
	for ; i*stride < off && off > 0; off-- {
		if utf8.RuneStart(s.text[off-1]) {
			count++
		}
	}
	return count
}

// pos returns the position of a byte.
func (s *source) pos(off int) diag.Pos {
	off = max(0, min(off, len(s.text)))
	line := sort.SearchInts(s.lines, off+1)
	start := s.lines[line-1]
	return diag.Pos{Line: line, Col: s.before(off) - s.before(start) + 1}
}

// offset returns the byte at a position, or the nearest one of the file.
func (s *source) offset(line, col int) int {
	if line < 1 || len(s.text) == 0 {
		return 0
	}
	if line > len(s.lines) {
		return len(s.text)
	}
	target := s.before(s.lines[line-1]) + col - 1
	i := sort.SearchInts(s.runes, target+1) - 1
	n := s.runes[max(i, 0)]
	for off := max(i, 0) * stride; off < len(s.text); off++ {
		if !utf8.RuneStart(s.text[off]) {
			continue
		}
		if n == target {
			return off
		}
		n++
	}
	return len(s.text)
}

// span returns the span of the bytes from start up to end.
func (s *source) span(start, end int) diag.Span {
	return diag.Span{File: s.file, Start: s.pos(start), End: s.pos(end)}
}

// positions returns the positions of offsets that mostly ascend.
func (s *source) positions(offs []int) []diag.Pos {
	out := make([]diag.Pos, len(offs))
	last, at, lineEnd := -1, diag.Pos{}, -1
	for i, off := range offs {
		switch {
		case off == last:
		case off > last && off <= lineEnd:
			at.Col += utf8.RuneCountInString(s.text[last:off])
		default:
			at = s.pos(off)
			lineEnd = s.lineEnd(off)
		}
		last, out[i] = off, at
	}
	return out
}

// lineEnd returns the offset of the line break that ends the line of off, or
// the length of the text.
func (s *source) lineEnd(off int) int {
	if line := sort.SearchInts(s.lines, off+1); line < len(s.lines) {
		return s.lines[line] - 1
	}
	return len(s.text)
}

// line returns a line without its break, and its offset; lines start at 1.
func (s *source) line(n int) (string, int) {
	if n < 1 || n > len(s.lines) {
		return "", len(s.text)
	}
	start := s.lines[n-1]
	return strings.TrimSuffix(s.text[start:s.lineEnd(start)], "\r"), start
}
