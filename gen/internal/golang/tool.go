package golang

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// toolFile holds one tool: its types, its method, its chain and its table.
func toolFile(p *plan.Package, t *plan.Tool, patterns map[string]string) *jen.File {
	f := newFile(p)
	f.Add(faceStruct(t.Input, fmt.Sprintf("%s are the inputs of %s.", t.Input.Name, t.Signature.Name)))
	for _, e := range t.Input.Enums {
		f.Add(enumType(e))
	}
	f.Add(faceStruct(t.Output, fmt.Sprintf("%s are the outputs of %s.", t.Output.Name, t.Signature.Name)))
	for _, e := range t.Output.Enums {
		f.Add(enumType(e))
	}
	f.Add(method(t))
	f.Add(chain(p, t, patterns))
	f.Add(argsMethod(t))
	f.Add(resultMethod(p, t))
	f.Add(descriptor(t))
	f.Add(served(t))
	for _, v := range t.Frozen {
		f.Add(faceStruct(v.Output, fmt.Sprintf("%s are the outputs of version %d of %s, which keeps its own chain.", v.Output.Name, v.Version, t.Signature.Name)))
		for _, e := range v.Output.Enums {
			f.Add(enumType(e))
		}
		f.Add(chain(p, v, patterns))
		f.Add(resultMethod(p, v))
	}
	if t.Promises != nil {
		f.Add(promiseConsts(t.Signature.Name, t.Promises))
	}
	return f
}

func faceStruct(face *plan.Face, text string) jen.Code {
	var members []jen.Code
	for _, f := range face.Fields {
		members = append(members, doc(fieldDoc(f)), id(f.Name).Add(goType(f.Type)))
	}
	return jen.Add(doc(text)).Line().Type().Id(face.Name).Struct(members...).Line()
}

func fieldDoc(f plan.FaceField) string {
	text := f.Doc
	if f.Param != nil && f.Param.Default != nil {
		text += fmt.Sprintf("\nThe default is %v.", f.Param.Default)
	}
	return text
}

func enumType(e *plan.Enum) jen.Code {
	var consts []jen.Code
	for _, v := range e.Values {
		if v.Doc != "" {
			consts = append(consts, doc(v.Doc))
		}
		consts = append(consts, id(v.Name).Id(e.Name).Op("=").Lit(v.Value))
	}
	return jen.Add(doc(e.Name + ": " + e.Doc)).Line().Type().Id(e.Name).String().Line().Line().
		Comment("// The values of " + e.Name + ".").Line().Const().Defs(consts...).Line()
}

var receiver = jen.Id("t").Op("*").Id("Tools")

func method(t *plan.Tool) jen.Code {
	return jen.Add(doc(methodDoc(t))).Line().
		Func().Params(receiver.Clone()).Id(t.Method).Params(jen.Id("ctx").Qual("context", "Context"), jen.Id("in").Id(t.Input.Name)).
		Params(jen.Id(t.Output.Name), jen.Error()).Block(
		jen.Return(jen.Qual(servePkg, "InvokeTyped").Call(
			jen.Id("ctx"), jen.Op("&").Id("t").Dot("window"), jen.Op("&").Id(t.Var), jen.Id("in").Dot("args").Call(), jen.Id("t").Dot(t.Chain))),
	).Line()
}

// methodDoc says what a tool does and what it keeps from its callers.
func methodDoc(t *plan.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is the tool %s in process: %s\n", t.Method, t.Signature.Name, oneLine(t.Signature.Description))
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "\nStep %s, %s:\n", n.Step, oneLine(n.Operation))
		for _, line := range n.Lines {
			fmt.Fprintf(&b, "  - %s\n", oneLine(line))
		}
	}
	return b.String()
}

func chain(p *plan.Package, t *plan.Tool, patterns map[string]string) jen.Code {
	w := &writer{p: p, patterns: patterns}
	w.fail = w.returns
	eachCall(t.Body, func(c *plan.Call, sure bool) {
		w.changes = w.changes || c.Effect != plan.EffectRead
		w.tracks = w.tracks || c.Effect != plan.EffectRead && (!sure || mayBeMissing(c))
	})
	body := []jen.Code{jen.Var().Id("out").Id(t.Output.Name)}
	if w.tracks {
		body = append(body, jen.Var().Id("done").Index().String())
	}
	for _, l := range t.Locals {
		body = append(body, inputLocal(l)...)
	}
	body = append(body, w.block(t.Body)...)
	body = append(body, jen.Return(jen.Id("out"), jen.Nil()))
	return jen.Add(doc(t.Chain+" runs the chain of "+t.Signature.Name+".")).Line().
		Func().Params(receiver.Clone()).Id(t.Chain).Params(jen.Id("ctx").Qual("context", "Context"), jen.Id("args").Qual(toolPkg, "Args")).
		Params(jen.Id(t.Output.Name), jen.Error()).Block(body...).Line()
}

var argMethods = map[types.Kind]string{types.String: "Text", types.Int: "Int", types.Bool: "Bool"}

func inputLocal(l plan.InputLocal) []jen.Code {
	name := argMethods[l.Type]
	if l.Optional {
		name = "Opt" + name
	}
	out := []jen.Code{id(l.Name).Op(":=").Id("args").Dot(name).Call(jen.Lit(l.Wire))}
	if l.Send == nil {
		return out
	}
	var cases []jen.Code
	for _, v := range l.Send {
		set := jen.Lit(v.Value)
		if l.Optional {
			set = jen.Qual(valuePkg, "Ptr").Call(set)
		}
		cases = append(cases, jen.Case(jen.Lit(v.Name)).Block(id(l.Name).Op("=").Add(set)))
	}
	if l.Optional {
		sw := jen.Switch(jen.Op("*").Add(id(l.Name))).Block(cases...)
		return append(out, jen.If(id(l.Name).Op("!=").Nil()).Block(sw))
	}
	return append(out, jen.Switch(id(l.Name)).Block(cases...))
}

func argsMethod(t *plan.Tool) jen.Code {
	var required []jen.Code
	body := []jen.Code{nil}
	for _, f := range t.Input.Fields {
		v := jen.Id("in").Dot(f.Name)
		if !f.Optional {
			required = append(required, jen.Lit(f.Wire).Op(":").Add(plainArg(f, v)))
			continue
		}
		body = append(body, jen.If(v.Clone().Op("!=").Nil()).Block(
			jen.Id("args").Index(jen.Lit(f.Wire)).Op("=").Add(plainArg(f, jen.Op("*").Add(v))),
		))
	}
	body[0] = jen.Id("args").Op(":=").Qual(toolPkg, "Args").Values(required...)
	body = append(body, jen.Return(jen.Id("args")))
	return jen.Func().Params(jen.Id("in").Op("*").Id(t.Input.Name)).Id("args").Params().Qual(toolPkg, "Args").Block(body...).Line()
}

// plainArg turns an enum into a string.
func plainArg(f plan.FaceField, v *jen.Statement) *jen.Statement {
	if f.Enum {
		return jen.String().Parens(v)
	}
	return v
}

func resultMethod(p *plan.Package, t *plan.Tool) jen.Code {
	body := []jen.Code{jen.Var().Id("w").Qual(toolPkg, "ResultWriter")}
	for i, f := range t.Output.Fields {
		body = append(body, outputWrite(p, f, fmt.Sprintf("j%d", i+1))...)
	}
	body = append(body, jen.Return(jen.Id("w").Dot("Result").Call()))
	return jen.Func().Params(jen.Id("out").Op("*").Id(t.Output.Name)).Id("result").Params().Params(jen.Qual(toolPkg, "Result"), jen.Error()).Block(body...).Line()
}

func outputWrite(p *plan.Package, f plan.FaceField, j string) []jen.Code {
	v := jen.Id("out").Dot(f.Name)
	open := jen.Id("w").Dot("Output").Call(jen.Lit(f.Wire))
	plain := v.Clone()
	pointer := f.Optional && f.Type.Form == plan.Pointer
	if pointer {
		plain = jen.Op("*").Add(v.Clone())
	}
	var write []jen.Code
	switch {
	case f.Enum:
		write = []jen.Code{open.Dot("Text").Call(jen.String().Parens(plain))}
	case f.Of.IsScalar():
		write = []jen.Code{jsonValue(p, jsonWriter{open, open}, plain, f.Of, true)}
	default:
		write = []jen.Code{id(j).Op(":=").Add(open), jsonValue(p, jsonWriter{id(j), id(j)}, unstar(v, plain, f), f.Of, true)}
	}
	if !f.Optional {
		return write
	}
	return []jen.Code{jen.If(v.Clone().Op("!=").Nil()).Block(write...)}
}

// unstar lets Go follow the pointer to a record for its write method.
func unstar(v, plain *jen.Statement, f plan.FaceField) *jen.Statement {
	if f.Of.Kind == types.Object {
		return v.Clone()
	}
	return plain
}

// recordsFile holds the structs that expressions make, nil for none.
func recordsFile(p *plan.Package, written map[recordUse]bool) *jen.File {
	if len(p.Records) == 0 {
		return nil
	}
	f := newFile(p)
	for _, s := range p.Records {
		f.Add(recordStruct(s))
		for _, clean := range []bool{true, false} {
			if use := (recordUse{s, clean}); written[use] {
				f.Add(recordWrite(p, use))
			}
		}
	}
	return f
}

func recordStruct(s *plan.Struct) jen.Code {
	var members []jen.Code
	for _, field := range s.Fields {
		members = append(members, id(field.Name).Add(goType(field.Type)))
	}
	return jen.Add(doc(s.Name + " is a value that the expressions of the manifest make.")).Line().Type().Id(s.Name).Struct(members...).Line()
}

// writeMethods are the names of the methods that encode a record, by whether
// its texts are cleaned.
var writeMethods = map[bool]string{true: "write", false: "send"}

func recordWrite(p *plan.Package, use recordUse) jen.Code {
	j, s := jen.Id("j"), use.record
	body := []jen.Code{j.Clone().Dot("Open").Call()}
	for _, f := range s.Fields {
		v := jen.Id("v").Dot(f.Name)
		plain := v.Clone()
		if f.Optional && f.Type.Form == plan.Pointer && f.Of.Kind != types.Object {
			plain = jen.Op("*").Add(v.Clone())
		}
		member := []jen.Code{j.Clone().Dot("Name").Call(jen.Lit(f.Wire)), jsonValue(p, jsonWriter{j, j}, plain, f.Of, use.clean)}
		if f.Optional {
			member = []jen.Code{jen.If(v.Clone().Op("!=").Nil()).Block(member...)}
		}
		body = append(body, member...)
	}
	body = append(body, j.Clone().Dot("Close").Call())
	return jen.Func().Params(jen.Id("v").Id(s.Name)).Id(writeMethods[use.clean]).Params(jen.Id("j").Op("*").Qual(valuePkg, "JSON")).Block(body...).Line()
}

func served(t *plan.Tool) jen.Code {
	return jen.Func().Params(receiver.Clone()).Id(t.Chain+"Served").Params().Qual(toolPkg, "Tool").Block(
		jen.Id("served").Op(":=").Id(t.Var),
		jen.Id("served").Dot("Call").Op("=").Func().
			Params(jen.Id("ctx").Qual("context", "Context"), jen.Id("args").Qual(toolPkg, "Args")).
			Params(jen.Qual(toolPkg, "Result"), jen.Error()).Block(append(frozenCases(t), run(t)...)...),
		jen.Return(jen.Id("served")),
	).Line()
}

// run runs a chain and writes its outputs.
func run(t *plan.Tool) []jen.Code {
	return []jen.Code{
		jen.List(jen.Id("out"), jen.Err()).Op(":=").Id("t").Dot(t.Chain).Call(jen.Id("ctx"), jen.Id("args")),
		jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
		jen.Return(jen.Id("out").Dot("result").Call()),
	}
}

// frozenCases runs the chains of releases that keep their own.
func frozenCases(t *plan.Tool) []jen.Code {
	if len(t.Frozen) == 0 {
		return nil
	}
	var cases []jen.Code
	for _, v := range t.Frozen {
		cases = append(cases, jen.Case(jen.Lit(v.Version)).Block(run(v)...))
	}
	return []jen.Code{jen.Switch(jen.Qual(toolPkg, "InvocationOf").Call(jen.Id("ctx")).Dot("Version")).Block(cases...)}
}
