package gen

import (
	"slices"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/gen/internal/typed"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// clientName is the file with callers of a package's own tools.
const clientName = "client_gen.go"

// callers writes the file with callers of the tools, over the structs of the plan.
func callers(p *plan.Package) (File, error) {
	own := typed.Own{Package: p.Name, Manifest: p.Manifest}
	for _, t := range p.Tools {
		one := typed.OwnTool{Name: t.Signature.Name, Version: t.Signature.Version, Method: t.Method, Input: t.Input.Name, Output: typed.OwnStruct{Name: t.Output.Name}}
		for _, f := range t.Output.Fields {
			one.Output.Members = append(one.Output.Members, typed.OwnMember{Wire: f.Wire, Field: f.Name, Optional: f.Optional})
			recordsOf(p, &own, f.Of)
		}
		own.Tools = append(own.Tools, one)
	}
	data, err := own.Go()
	return File{clientName, data}, err
}

// recordsOf adds the structs inside of an output.
func recordsOf(p *plan.Package, own *typed.Own, t *types.Type) {
	switch t.Kind {
	case types.List, types.Map, types.Optional:
		recordsOf(p, own, t.Elem)
	case types.Object:
		record := p.RecordFields(t)
		if slices.ContainsFunc(own.Records, func(s typed.OwnStruct) bool { return s.Name == record.Name }) {
			return
		}
		at := len(own.Records)
		own.Records = append(own.Records, typed.OwnStruct{Name: record.Name})
		for _, f := range record.Fields {
			own.Records[at].Members = append(own.Records[at].Members, typed.OwnMember{Wire: f.Wire, Field: f.Name, Optional: f.Optional})
			recordsOf(p, own, f.Of)
		}
	}
}
