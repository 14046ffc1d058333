package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// placesFile holds all positions in the manifest, nil for none: a line that moves
// there changes this file alone.
func placesFile(p *plan.Package) *jen.File {
	f := newFile(p)
	some := false
	table := func(name, what, lines string) {
		if lines != "" {
			some = true
			f.Add(doc(name + " has the lines and columns of " + what)).Line().Const().Add(id(name)).Op("=").Add(text(lines)).Line()
		}
	}
	for _, t := range p.Tools {
		table(t.PlacesVar, "the parts of the manifest that errors of "+t.Signature.Name+" name.", t.PlaceTable())
		table(t.PartsVar, "the parts of "+t.Signature.Name+" that callers see, for the test.", t.Parts)
	}
	if !some {
		return nil
	}
	return f
}
