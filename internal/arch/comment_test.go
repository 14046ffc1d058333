package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// importSentence is where a package comment says what the package imports.
var importSentence = regexp.MustCompile(`(?s)\bimports ([^.]*?)\.(?:\s|$)`)

var word = regexp.MustCompile(`[a-z]+(?:/[a-z]+)*`)

// TestImportSentences: what package comments say of their imports is true.
func TestImportSentences(t *testing.T) {
	packages := list(t)
	ours := map[string]bool{}
	for _, p := range packages {
		ours[path.Base(p.name())] = true
	}
	found := 0
	for _, p := range packages {
		if p.isExample() || len(p.GoFiles) == 0 {
			continue
		}
		m := importSentence.FindStringSubmatch(commentOf(t, p.name()))
		if m == nil {
			continue
		}
		found++
		said, is := map[string]bool{}, map[string]bool{}
		for _, w := range word.FindAllString(m[1], -1) {
			if ours[path.Base(w)] && !strings.HasPrefix(w, "urfave/") {
				said[path.Base(w)] = true
			}
		}
		for _, i := range p.Imports {
			if isOwn(i) {
				is[path.Base(i)] = true
			}
		}
		if !maps.Equal(said, is) {
			t.Errorf("the comment of %s says that it imports %v of this module; it imports %v", p.name(), slices.Sorted(maps.Keys(said)), slices.Sorted(maps.Keys(is)))
		}
	}
	if found < 10 {
		t.Errorf("only %d package comments speak of imports: the pattern does not fit any more", found)
	}
}

func commentOf(t *testing.T, pkg string) string {
	doc := ""
	publicFiles(t, pkg, func(f *ast.File) {
		if f.Doc != nil {
			doc += f.Doc.Text()
		}
	})
	return doc
}

// TestCommentExamples: the code in package comments is Go.
func TestCommentExamples(t *testing.T) {
	found := 0
	for _, p := range list(t) {
		if p.isExample() || len(p.GoFiles) == 0 {
			continue
		}
		for _, code := range codeIn(commentOf(t, p.name())) {
			found++
			_, whole := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code, parser.SkipObjectResolution)
			_, inner := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+code+"\n}", parser.SkipObjectResolution)
			if whole != nil && inner != nil {
				t.Errorf("the example in the comment of %s is not Go: %v\n%s", p.name(), inner, code)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d examples were found", found)
	}
}

// codeIn returns the indented blocks of a comment that look like Go.
func codeIn(doc string) []string {
	var out []string
	for block := range strings.SplitSeq(doc, "\n\n") {
		lines := strings.Split(strings.TrimRight(block, "\n"), "\n")
		indented := !slices.ContainsFunc(lines, func(l string) bool { return !strings.HasPrefix(l, "\t") && l != "" })
		if indented && strings.ContainsAny(block, "({:") && strings.Contains(block, "=") || indented && strings.HasPrefix(block, "\tfunc ") {
			out = append(out, block)
		}
	}
	return out
}
