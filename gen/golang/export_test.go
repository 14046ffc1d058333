package golang

import (
	"bytes"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/plan"
)

// EmitChains writes what the conformance test runs: the output types and the
// chains, without methods, tables and documents.
func EmitChains(p *plan.Package) ([]File, error) {
	patterns := collectPatterns(p)
	tools := newFile(p)
	tools.Type().Id("Tools").Struct()
	for _, r := range p.Patterns {
		tools.Var().Id(r.Name).Op("=").Qual("regexp", "MustCompile").Call(jen.Lit(r.Text))
	}
	chains := newFile(p)
	for _, t := range p.Tools {
		chains.Add(faceStruct(t.Output, t.Output.Name+"."))
		chains.Add(chain(p, t, patterns))
	}
	var out []File
	for name, f := range map[string]*jen.File{"tools_gen.go": tools, "chains_gen.go": chains, "records_gen.go": recordsFile(p, nil)} {
		var b bytes.Buffer
		if err := f.Render(&b); err != nil {
			return nil, err
		}
		out = append(out, File{name, b.Bytes()})
	}
	return out, nil
}
