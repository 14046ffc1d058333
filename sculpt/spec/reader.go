package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/diag"
)

// Limits against hostile documents. Real ones stay far below: the largest
// known have 8 MB, depth 40 and 1,500 schemas.
const (
	maxBytes      = 64 << 20
	maxDepth      = 200
	maxAliased    = 1_000_000
	maxFiles      = 10_000
	maxComponents = 20_000
)

// A document is a file that was read.
type document struct {
	file   string
	root   *node
	digest string
	text   string
	isJSON bool
	// lines holds the byte offset of every line, made when first needed.
	lines []int
	// anchors maps $anchor names to their schemas, made when first needed.
	anchors map[string]*node
	err     *fault
}

// A fault is the reason why something cannot be read.
type fault struct {
	rule, message, fix string
	at                 diag.Span
}

// A reader holds the documents of one api, each read once.
type reader struct {
	fsys  fs.FS
	docs  []*document
	files map[string]int
	bytes int
}

func newReader(fsys fs.FS) *reader { return &reader{fsys: fsys, files: map[string]int{}} }

// open reads a file of the file system, or returns what it read before.
func (r *reader) open(file string) (int, *document) {
	if i, ok := r.files[file]; ok {
		return i, r.docs[i]
	}
	doc := &document{file: file}
	i := len(r.docs)
	r.docs = append(r.docs, doc)
	r.files[file] = i
	r.read(i, doc)
	return i, doc
}

func (r *reader) read(i int, doc *document) {
	whole := diag.Span{File: doc.file}
	data, err := r.load(doc.file)
	switch {
	case errors.Is(err, errTooLarge):
		doc.err = &fault{ruleTooLarge, `the documents of this api have more than 64 MB`, "take the operations you need into a document of their own", whole}
		return
	case err != nil:
		doc.err = &fault{ruleNotFound, `"` + doc.file + `" cannot be read: ` + reason(err), "correct the path", diag.Span{}}
		return
	}
	sum := sha256.Sum256(data)
	doc.digest = hex.EncodeToString(sum[:])
	// Unescaped texts share this string's memory.
	doc.text = strings.TrimPrefix(string(data), "\ufeff")
	if !utf8.ValidString(doc.text) {
		doc.err = &fault{ruleEncoding, "the document is not UTF-8", "save the file as UTF-8", r.span(offsetPos(i, invalidAt(doc.text)), 1, doc, true)}
		return
	}
	doc.isJSON = looksLikeJSON(doc.file, doc.text)
	var fail *syntaxError
	if doc.isJSON {
		doc.root, fail = jsonTree(i, doc.text)
		if fail != nil && fail.rule == ruleSyntax && path.Ext(doc.file) != ".json" {
			// Flow style YAML starts like JSON.
			if root, yamlFail := yamlTree(i, doc.text); yamlFail == nil {
				doc.isJSON, doc.root, fail = false, root, nil
			}
		}
	} else {
		doc.root, fail = yamlTree(i, doc.text)
	}
	if fail != nil {
		doc.err = &fault{fail.rule, fail.message, fail.fix, r.span(fail.at, 1, doc, doc.isJSON)}
	}
}

var errTooLarge = errors.New("too large")

// load reads the bytes of a file and counts them against the limit, which
// holds for all files of an api together.
func (r *reader) load(file string) ([]byte, error) {
	if len(r.docs) > maxFiles {
		return nil, errTooLarge
	}
	f, err := r.fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(maxBytes-r.bytes+1)))
	if err != nil {
		return nil, err
	}
	if r.bytes += len(data); r.bytes > maxBytes {
		return nil, errTooLarge
	}
	return data, nil
}

// reason leaves the path out of the error of a file system: the message names
// it already.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	return err.Error()
}

func invalidAt(text string) int {
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		if c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

func looksLikeJSON(file, text string) bool {
	if path.Ext(file) == ".json" {
		return true
	}
	t := strings.TrimLeft(text, " \t\r\n")
	return strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[")
}

// spanOf returns the place of a node: its key if it is a member, else its
// first character.
func (r *reader) spanOf(n *node) diag.Span {
	if n == nil {
		return diag.Span{}
	}
	if n.nameAt != 0 {
		return r.at(n.nameAt, n.name)
	}
	return r.valueSpan(n)
}

// valueSpan returns the place of the value, also of members.
func (r *reader) valueSpan(n *node) diag.Span {
	if n.kind == objectNode || n.kind == arrayNode {
		return r.at(n.at, "{")
	}
	return r.at(n.at, n.text)
}

// at returns the span of a piece of text that starts at p. Where the source
// spells it otherwise (escapes, several lines) one character is marked.
func (r *reader) at(p pos, text string) diag.Span {
	if len(r.docs) <= p.file() {
		return diag.Span{}
	}
	doc := r.docs[p.file()]
	span := r.span(p, 1, doc, doc.isJSON)
	if p == 0 && doc.isJSON && text != "{" {
		return diag.Span{File: doc.file}
	}
	if strings.ContainsAny(text, "\n\r\t\"\\") {
		return span
	}
	offset := doc.offset(span.Start)
	rest := doc.text[min(offset, len(doc.text)):]
	for _, quote := range []string{"", `"`, "'"} {
		if strings.HasPrefix(rest, quote+text+quote) {
			span.End.Col = span.Start.Col + utf8.RuneCountInString(text) + 2*len(quote)
			break
		}
	}
	return span
}

func (r *reader) span(p pos, length int, doc *document, isJSON bool) diag.Span {
	start := diag.Pos{Line: int(p >> lineBits & lineMax), Col: int(p & lineMax)}
	if isJSON {
		start = doc.position(int(p & (1<<posBits - 1)))
	}
	return diag.Span{File: doc.file, Start: start, End: diag.Pos{Line: start.Line, Col: start.Col + length}}
}

// position turns a byte offset into line and column.
func (d *document) position(offset int) diag.Pos {
	d.index()
	line := sort.SearchInts(d.lines, offset+1)
	start := d.lines[line-1]
	return diag.Pos{Line: line, Col: utf8.RuneCountInString(d.text[start:min(offset, len(d.text))]) + 1}
}

// offset turns line and column into a byte offset.
func (d *document) offset(p diag.Pos) int {
	d.index()
	if p.Line < 1 || p.Line > len(d.lines) {
		return len(d.text)
	}
	i := d.lines[p.Line-1]
	for range p.Col - 1 {
		if i >= len(d.text) {
			break
		}
		_, size := utf8.DecodeRuneInString(d.text[i:])
		i += size
	}
	return i
}

func (d *document) index() {
	if d.lines != nil {
		return
	}
	d.lines = []int{0}
	for i := 0; ; {
		next := strings.IndexByte(d.text[i:], '\n')
		if next < 0 {
			return
		}
		i += next + 1
		d.lines = append(d.lines, i)
	}
}
