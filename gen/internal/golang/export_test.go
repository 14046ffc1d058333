package golang

import (
	"bytes"
	"go/format"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// EmitChains writes what the conformance test runs: the output types and the
// chains, without methods, tables and documents.
func EmitChains(p *plan.Package) ([]File, error) {
	patterns := collectPatterns(p)
	tools := newFile(p)
	tools.Type().Id("Tools").Struct()
	packageVars(tools, p, patterns)
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

// EmitRows writes what the benchmark measures: the structs of answers, and a
// function for each chain with the answer of its only call as parameter, so
// that the expression alone is left.
func EmitRows(p *plan.Package) ([]byte, error) {
	f := newFile(p)
	for _, s := range p.Answers {
		f.Add(answerStruct(s))
	}
	for _, r := range p.Records {
		f.Add(recordStruct(r))
	}
	for _, t := range p.Tools {
		call := t.Body.Stmts[0].(lower.Node).Data.(*plan.Call)
		body := &lower.Block{Stmts: t.Body.Stmts[1:]}
		w := &writer{p: p}
		w.fail = func(err jen.Code) jen.Code { return jen.Return(jen.Id("out"), err) }
		f.Add(faceStruct(t.Output, t.Output.Name+"."))
		f.Func().Id(t.Chain).Params(jen.Id(call.Result).Add(goType(call.Type))).Params(jen.Id("out").Id(t.Output.Name), jen.Err().Error()).
			Block(append(w.block(body), jen.Return(jen.Id("out"), jen.Nil()))...)
	}
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, err
	}
	return format.Source(groupImports(b.Bytes()))
}
