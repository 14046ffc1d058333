package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// rounds writes the calls for the pages of a list, or until something is done, as
// a function of one call.
func (w *writer) rounds(r *plan.Rounds, block *lower.Block) []jen.Code {
	name, typ := "Collect", jen.Struct()
	if r.Poll {
		name = "Poll"
	}
	if r.Type.Form != 0 {
		typ = goType(r.Type)
	}
	var body []jen.Code
	w.failing(func(err jen.Code) jen.Code { return jen.Return(jen.Id("none"), err) }, func() { body = w.nested(block) })
	call := jen.Func().
		Params(jen.Id("ctx").Qual("context", "Context"), id(r.Var).Op("*").Qual(upstreamPkg, "Round")).
		Params(jen.Id("none").Add(typ), jen.Err().Error()).Block(body...)
	run := jen.Qual(upstreamPkg, name).Call(jen.Id("ctx"), jen.Op("&").Qual(upstreamPkg, "Round").Values(round(r)...), call)
	if r.Result == "" {
		return []jen.Code{blank, jen.If(jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(run), jen.Err().Op("!=").Nil()).Block(w.fail(jen.Err()))}
	}
	return []jen.Code{blank, jen.List(id(r.Result), jen.Err()).Op(":=").Add(run), ifErr(w.fail(jen.Err()))}
}

// round writes the members of an upstream.Round.
func round(r *plan.Rounds) []jen.Code {
	out := []jen.Code{entry("Step", jen.Lit(r.Step))}
	if r.Poll {
		return append(out, entry("Every", duration(r.Every)), entry("Within", duration(r.Within)))
	}
	switch r.By {
	case "":
	case "Link":
		out = append(out, entry(r.By, jen.True()))
	default:
		out = append(out, entry(r.By, jen.Lit(r.Parameter)))
	}
	out = append(out, entry("Max", jen.Lit(r.Max)))
	if r.Want > 0 {
		out = append(out, entry("Want", jen.Lit(r.Want)))
	}
	if r.Partial {
		out = append(out, entry("Partial", jen.True()))
	}
	return out
}

// more writes the wish for another round.
func (w *writer) more(m *plan.More) []jen.Code {
	if m.Next == nil {
		return []jen.Code{id(m.Round).Dot("More").Op("=").True()}
	}
	return []jen.Code{jen.List(id(m.Round).Dot("More"), id(m.Round).Dot("Next")).Op("=").List(jen.True(), w.value(m.Next))}
}
