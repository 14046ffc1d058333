package spec

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// spanOf returns the place of a node: its key if it is a member, else its
// first character.
func (r *reader) spanOf(n *node) diag.Span {
	if n == nil {
		return diag.Span{}
	}
	if n.nameAt != 0 {
		return r.textSpan(n.nameAt, n.name)
	}
	return r.valueSpan(n)
}

// valueSpan returns the place of the value, also of members.
func (r *reader) valueSpan(n *node) diag.Span {
	if n.kind == objectNode || n.kind == arrayNode {
		return r.textSpan(n.at, "{")
	}
	return r.textSpan(n.at, n.text)
}

// textSpan returns the span of a piece of text that starts at p. Where the
// source spells it otherwise (escapes, several lines) one character is marked.
func (r *reader) textSpan(p pos, text string) diag.Span {
	doc := r.docs[p.file()]
	span := doc.span(p, doc.isJSON)
	if strings.ContainsAny(text, "\n\r\t\"\\") {
		return span
	}
	offset := int(p & offsetMask)
	if !doc.isJSON {
		offset = doc.offset(span.Start)
	}
	rest := doc.text[min(offset, len(doc.text)):]
	for _, quote := range []string{"", `"`, "'"} {
		if strings.HasPrefix(rest, quote+text+quote) {
			span.End.Col = span.Start.Col + utf8.RuneCountInString(text) + 2*len(quote)
			break
		}
	}
	return span
}

// span marks the character at p.
func (d *document) span(p pos, isJSON bool) diag.Span {
	start := diag.Pos{Line: int(p >> lineBits & lineMax), Col: int(p & lineMax)}
	if isJSON {
		start = d.position(int(p & offsetMask))
	}
	return diag.Span{File: d.file, Start: start, End: diag.Pos{Line: start.Line, Col: start.Col + 1}}
}

// position turns a byte offset into line and column.
func (d *document) position(offset int) diag.Pos {
	d.index()
	offset = min(offset, len(d.text))
	line := sort.SearchInts(d.lines.starts, offset+1)
	return diag.Pos{Line: line, Col: d.characters(offset) - d.characters(d.lines.starts[line-1]) + 1}
}

// offset turns line and column into a byte offset.
func (d *document) offset(p diag.Pos) int {
	d.index()
	if p.Line < 1 || p.Line > len(d.lines.starts) {
		return len(d.text)
	}
	want := d.characters(d.lines.starts[p.Line-1]) + p.Col - 1
	block := sort.SearchInts(d.lines.blocks, want+1) - 1
	i := block * blockSize
	for n := d.lines.blocks[block]; i < len(d.text); i++ {
		if !utf8.RuneStart(d.text[i]) {
			continue
		}
		if n == want {
			break
		}
		n++
	}
	return i
}

// blockSize is how many bytes are counted for one position at most: minified
// documents have lines of megabytes.
const blockSize = 1024

// A lineIndex finds lines and columns; it is made when first needed.
type lineIndex struct {
	// starts holds the byte offset of every line.
	starts []int
	// blocks holds the number of characters before every block of bytes.
	blocks []int
}

// characters counts the characters that start before the offset.
func (d *document) characters(offset int) int {
	block := min(offset/blockSize, len(d.lines.blocks)-1)
	return d.lines.blocks[block] + runeStarts(d.text[block*blockSize:offset])
}

func runeStarts(s string) int {
	n := 0
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			n++
		}
	}
	return n
}

func (d *document) index() {
	if d.lines.starts != nil {
		return
	}
	d.lines.starts = append(make([]int, 0, strings.Count(d.text, "\n")+1), 0)
	d.lines.blocks = make([]int, 0, len(d.text)/blockSize+1)
	for i := 0; ; {
		next := strings.IndexByte(d.text[i:], '\n')
		if next < 0 {
			break
		}
		i += next + 1
		d.lines.starts = append(d.lines.starts, i)
	}
	count := 0
	for i := 0; i == 0 || i < len(d.text); i += blockSize {
		d.lines.blocks = append(d.lines.blocks, count)
		count += runeStarts(d.text[i:min(i+blockSize, len(d.text))])
	}
}
