// Package docs writes the pages that people read about tools: Markdown, one
// page for each tool and one that lists them.
//
// It sees signatures only, so it cannot show what a vendor hides. Texts of
// manifests and upstream documents are escaped wherever they stand: they
// cannot break a table, start a heading or bring HTML along.
//
// The package imports pattern, signature and templates.
package docs

import (
	"bytes"
	"cmp"
	"slices"
	"text/template"

	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/templates"
)

// A File is one page. Its name is relative to the exports folder.
type File struct {
	Name string
	Data []byte
}

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"text": text, "paragraphs": paragraphs, "code": code, "bounds": bounds, "headers": headers, "default": defaultValue,
	"outputType": outputType, "effects": effects, "ends": ends, "needs": needs, "curl": curl, "call": call, "line": line, "useWhen": signature.UseWhen,
}).ParseFS(templates.FS, "docs/*.tmpl"))

// Sheets writes docs/<tool>.md for the newest version of every tool, and
// README.md, which links them. It stands above the pages because there a tool
// may be called readme.
func Sheets(sigs []*signature.Signature) []File {
	tools := newest(sigs)
	var sheets []sheet
	for _, s := range tools {
		sheets = append(sheets, sheet{s, cmp.Or(s.Title, s.Name)})
	}
	files := []File{{"README.md", execute("index.md.tmpl", sheets)}}
	for _, s := range sheets {
		files = append(files, File{"docs/" + s.Name + ".md", execute("tool.md.tmpl", s)})
	}
	return files
}

// A sheet is what templates see of a tool: its signature, always with a title.
type sheet struct {
	*signature.Signature
	Title string
}

// newest keeps the last version of every tool, sorted by name.
func newest(sigs []*signature.Signature) []*signature.Signature {
	sorted := slices.Clone(sigs)
	slices.SortStableFunc(sorted, func(a, b *signature.Signature) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(b.Version, a.Version))
	})
	return slices.CompactFunc(sorted, func(a, b *signature.Signature) bool { return a.Name == b.Name })
}

func execute(name string, data any) []byte {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		panic("docs: " + err.Error()) // the templates are our own, and signatures always fit
	}
	return b.Bytes()
}
