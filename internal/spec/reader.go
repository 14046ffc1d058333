package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Limits against hostile documents. Real ones stay far below: the largest
// known have 8 MB, depth 40 and 1,500 schemas.
const (
	// MaxBytes bounds the documents of an api with its overlays.
	MaxBytes      = 64 << 20
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
	// inline says that the text is in the manifest or an overlay: references in
	// it lead into the document of the api.
	inline bool
	lines  lineIndex
	// anchors maps $anchor names to their schemas, made when first needed.
	anchors map[string]*node
	err     *fault
}

// A fault is the reason why something cannot be read.
type fault struct {
	rule         diag.RuleID
	message, fix string
	at           diag.Span
}

// A reader holds the documents of one api, each read once.
type reader struct {
	fsys  fs.FS
	docs  []*document
	files map[string]int
	bytes int
	// buffer is for copying: an api may have thousands of files.
	buffer []byte
}

func newReader(fsys fs.FS) *reader {
	return &reader{fsys: fsys, files: map[string]int{}, buffer: make([]byte, 1<<15)}
}

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
	text, err := r.load(doc.file)
	switch {
	case errors.Is(err, errTooLarge):
		doc.err = &fault{ruleTooLarge, `the documents of this api have more than 64 MB`, "take the operations you need into a document of their own", whole}
		return
	case err != nil:
		doc.err = &fault{RuleNotFound, `"` + doc.file + `" cannot be read: ` + reason(err), "correct the path", diag.Span{}}
		return
	}
	r.parse(i, doc, text)
}

// parse makes a tree of the text of a file. Unescaped texts share its memory.
func (r *reader) parse(i int, doc *document, text string) {
	doc.digest = r.digestOf(text)
	doc.text = strings.TrimPrefix(text, "\ufeff")
	if !utf8.ValidString(doc.text) {
		doc.err = &fault{ruleEncoding, "the document is not UTF-8", "save the file as UTF-8", doc.span(offsetPos(i, invalidAt(doc.text)), true)}
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
		doc.err = &fault{fail.rule, fail.message, fail.fix, doc.span(fail.at, doc.isJSON)}
	}
}

var errTooLarge = errors.New("too large")

// load reads the text of a file and counts it against the limit, which
// holds for all files of an api together.
func (r *reader) load(file string) (string, error) {
	if len(r.docs) > maxFiles {
		return "", errTooLarge
	}
	f, err := r.fsys.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var text strings.Builder
	if info, err := f.Stat(); err == nil { // what grows is copied again and again
		text.Grow(int(min(max(info.Size(), 0), MaxBytes)))
	}
	if _, err := io.CopyBuffer(&text, io.LimitReader(f, int64(MaxBytes-r.bytes+1)), r.buffer); err != nil {
		return "", err
	}
	if r.bytes += text.Len(); r.bytes > MaxBytes {
		return "", errTooLarge
	}
	return text.String(), nil
}

// digestOf is the SHA-256 of a text, without a copy of it.
func (r *reader) digestOf(text string) string {
	sum := sha256.New()
	_, _ = io.CopyBuffer(sum, struct{ io.Reader }{strings.NewReader(text)}, r.buffer) // neither of them fails
	return hex.EncodeToString(sum.Sum(nil))
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
