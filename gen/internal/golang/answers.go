package golang

import (
	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// answersFile holds the structs of upstream answers and their decoders, nil for
// none.
func answersFile(p *plan.Package) *jen.File {
	if len(p.Answers)+len(p.Unions) == 0 {
		return nil
	}
	f := newFile(p)
	for _, s := range p.Answers {
		f.Add(answerStruct(s))
		if s.Keys != "" {
			f.Add(keySet(s))
		}
		f.Add(scanStruct(s))
	}
	for _, u := range p.Unions {
		f.Add(unionStruct(u))
		f.Add(scanUnion(u))
	}
	for _, w := range p.Wholes {
		f.Add(readWhole(w))
	}
	return f
}

func readWhole(w *plan.Whole) jen.Code {
	var null jen.Code = jen.Null()
	if w.Nullable {
		null = jen.If(jen.Id("s").Dot("Null").Call()).Block(jen.Return(jen.Nil()))
	}
	return jen.Func().Id(w.Name).Params(scannerParam.Clone()).Op("*").Id(w.Of).Block(
		null,
		jen.Id("v").Op(":=").Id(w.Scan).Call(jen.Id("s")),
		jen.Return(jen.Op("&").Id("v")),
	).Line()
}

// wanted writes which media type the answer of a call should have.
func wanted(c *plan.Call) []jen.Code {
	var out []jen.Code
	if c.Accept != "" {
		out = append(out, id(c.Var).Dot("Accept").Call(jen.Lit(c.Accept)))
	}
	if c.As != "" {
		out = append(out, id(c.Var).Dot("As").Call(jen.Lit(c.As)))
	}
	return out
}

func answerStruct(s *plan.Struct) jen.Code {
	var members []jen.Code
	for _, f := range s.Fields {
		members = append(members, id(f.Name).Add(goType(f.Type)))
	}
	if s.Extra != nil {
		members = append(members, id(s.Extra.Name).Add(goType(s.Extra.Type)))
	}
	text := s.Name + " holds what is read of " + described(s.Doc) + "."
	return jen.Add(doc(text)).Line().Type().Id(s.Name).Struct(members...).Line()
}

func described(name string) string {
	if name == "" {
		return "an object of an answer"
	}
	return oneLine(name)
}

func keySet(s *plan.Struct) jen.Code {
	var names []jen.Code
	for _, f := range s.Fields {
		names = append(names, jen.Lit(f.Wire))
	}
	return jen.Var().Id(s.Keys).Op("=").Qual(scanPkg, "NewKeys").Call(names...).Line()
}

var scannerParam = jen.Id("s").Op("*").Qual(scanPkg, "Scanner")

// decoder writes the head of a function that decodes a type.
func decoder(name, of string) *jen.Statement {
	return jen.Func().Id(name).Params(scannerParam.Clone()).Params(jen.Id("v").Id(of))
}

func scanStruct(s *plan.Struct) jen.Code {
	head := decoder(s.Scan, s.Name)
	if s.Extra != nil {
		return scanWithExtra(head, s)
	}
	if len(s.Fields) == 0 {
		return head.Block(jen.Id("s").Dot("Skip").Call(), jen.Return(jen.Id("v"))).Line()
	}
	return head.Block(
		jen.For(jen.Id("s").Dot("Open").Call(), jen.Id("s").Dot("Next").Call(jen.Id(s.Keys)), jen.Empty()).Block(
			jen.Switch(jen.Id("s").Dot("Key").Call()).Block(fieldCases(s)...),
		),
		jen.Return(jen.Id("v")),
	).Line()
}

func fieldCases(s *plan.Struct) []jen.Code {
	var cases []jen.Code
	for _, f := range s.Fields {
		cases = append(cases, jen.Case(jen.Lit(f.Wire)).Block(jen.Id("v").Dot(f.Name).Op("=").Add(read(f.Read))))
	}
	return cases
}

// scanWithExtra decodes an object together with the members that its schema
// does not list.
func scanWithExtra(head *jen.Statement, s *plan.Struct) jen.Code {
	cases := fieldCases(s)
	if len(s.Listed) > 0 {
		var listed []jen.Code
		for _, name := range s.Listed {
			listed = append(listed, jen.Lit(name))
		}
		cases = append(cases, jen.Case(listed...).Block(jen.Id("s").Dot("Skip").Call()))
	}
	cases = append(cases, jen.Default().Block(jen.Id("v").Dot(s.Extra.Name).Index(jen.Id("key")).Op("=").Add(read(s.Extra.Read))))
	return head.Block(
		jen.Id("v").Dot(s.Extra.Name).Op("=").Add(goType(s.Extra.Type)).Values(),
		jen.For(jen.Id("s").Dot("Open").Call(), jen.Id("s").Dot("NextAny").Call(), jen.Empty()).Block(
			jen.Id("key").Op(":=").Id("s").Dot("Key").Call(),
			jen.Switch(jen.Id("key")).Block(cases...),
		),
		jen.Return(jen.Id("v")),
	).Line()
}

// read writes the expression that decodes a value.
func read(r plan.Reader) *jen.Statement {
	switch r.Form {
	case plan.Around:
		args := []jen.Code{jen.Id("s")}
		switch r.Name {
		case "Pointer", "Nullable":
			return readFunc(r).Call(args...)
		case "Pointers":
			return jen.Qual(scanPkg, r.Name).Call(append(args, read(*r.Elem))...)
		case "First":
			args = append(args, jen.Lit(r.Most))
		}
		return jen.Qual(scanPkg, r.Name).Call(append(args, readFunc(*r.Elem))...)
	case plan.ByDecoder:
		return id(r.Name).Call(jen.Id("s"))
	}
	return jen.Id("s").Dot(r.Name).Call()
}

// readFunc writes the function that decodes a value.
func readFunc(r plan.Reader) *jen.Statement {
	switch r.Form {
	case plan.Around:
		if r.Name == "Pointer" || r.Name == "Nullable" {
			return jen.Qual(scanPkg, r.Name).Call(readFunc(*r.Elem))
		}
		return jen.Func().Params(scannerParam.Clone()).Add(goType(r.Type)).Block(jen.Return(read(r)))
	case plan.ByDecoder:
		return id(r.Name)
	}
	return jen.Parens(jen.Op("*").Qual(scanPkg, "Scanner")).Dot(r.Name)
}

func unionStruct(u *plan.Union) jen.Code {
	var members []jen.Code
	for _, f := range u.Fields {
		members = append(members, id(f.Name).Add(goType(f.Type)))
	}
	return jen.Add(doc(u.Name + " is a value that can be " + oneLine(u.Doc) + "; the member of its kind is set.")).Line().
		Type().Id(u.Name).Struct(members...).Line()
}

// scanUnion decodes by the kind that the text announces; kinds that nothing
// reads are skipped.
func scanUnion(u *plan.Union) jen.Code {
	var cases []jen.Code
	for _, f := range u.Fields {
		var kinds []jen.Code
		for _, k := range f.Kinds {
			kinds = append(kinds, jen.Qual(scanPkg, k))
		}
		cases = append(cases, jen.Case(kinds...).Block(jen.Id("v").Dot(f.Name).Op("=").Add(read(f.Read))))
	}
	cases = append(cases, jen.Default().Block(jen.Id("s").Dot("Skip").Call()))
	return decoder(u.Scan, u.Name).Block(
		jen.Switch(jen.Id("s").Dot("Kind").Call()).Block(cases...),
		jen.Return(jen.Id("v")),
	).Line()
}
