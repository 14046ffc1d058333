// Package export renders the wire documents of tools. It is the only renderer:
// the run time composes lists and envelopes from these bytes and never writes
// a document of its own. A protocol is one entry of the table formats and one
// small file that turns a signature into an ordered JSON value.
//
//	files, findings := export.Documents(signatures)
//
// The same signatures give the same bytes. The package knows nothing of plans,
// so it cannot leak what a vendor hides. It imports diag, types and signature.
package export

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A File is one document. Its name is relative to the exports folder.
type File struct {
	Name string
	Data []byte
}

// A format renders one version of one tool.
type format struct {
	// folder holds the documents of the format, one for each version.
	folder string
	render func(tool) value
	column *column
}

// formats lists what is rendered, in the order of the files.
var formats = []format{
	{"a2t", a2tSignature, a2tColumn},
	{"otc", otcDefinition, otcColumn},
	{"mcp", mcpTool, mcpColumn},
}

// descriptors lists the formats that know no versions, or no others: they have a
// document of the newest one, <folder>/<tool>.<kind>.json.
var descriptors = []struct {
	folder, kind string
	render       func(tool) value
	column       *column
}{
	{"atdf", "basic", atdfBasic, basicColumn},
	{"atdf", "enhanced", atdfEnhanced, fullColumn},
	{"mcp", "lean", mcpLean, leanColumn},
}

// A tool is one version of a tool on its way into a document.
type tool struct {
	*signature.Signature
	// current is the newest version of the tool.
	current int
}

// Documents renders every version of every tool in every format, one compact
// document in each file: <format>/<tool>.v<N>.json, descriptors of the newest
// versions, and these as the requests of each provider of models want them:
// <provider>/<form>.json.
// Findings name the tool but no place: signatures have none. With errors there
// are not files.
func Documents(sigs []*signature.Signature) ([]File, diag.List) {
	tools := sorted(sigs)
	findings := check(tools)
	if findings.HasErrors() {
		return nil, findings
	}
	var files []File
	for _, f := range formats {
		for _, t := range tools {
			data := append(appendJSON(nil, f.render(f.column.told(t))), '\n')
			files = append(files, File{fmt.Sprintf("%s/%s.v%d.json", f.folder, t.Name, t.Version), data})
		}
	}
	for _, d := range descriptors {
		for _, t := range tools {
			if t.Version == t.current {
				files = append(files, File{fmt.Sprintf("%s/%s.%s.json", d.folder, t.Name, d.kind), append(appendJSON(nil, d.render(d.column.told(t))), '\n')})
			}
		}
	}
	if len(tools) == 0 {
		return files, findings
	}
	for i := range collections {
		file, more := collections[i].document(tools)
		files, findings = append(files, file), append(findings, more...)
	}
	return files, findings
}

// sorted orders by name and version, whatever the order of the program.
func sorted(sigs []*signature.Signature) []tool {
	newest := map[string]int{}
	for _, s := range sigs {
		newest[s.Name] = max(newest[s.Name], s.Version)
	}
	var tools []tool
	for _, s := range sigs {
		tools = append(tools, tool{s, newest[s.Name]})
	}
	slices.SortStableFunc(tools, func(a, b tool) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return tools
}
