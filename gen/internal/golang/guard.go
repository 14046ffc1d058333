package golang

import (
	"bytes"
	"fmt"
	"go/format"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// GuardFile is the name of the generated test.
const GuardFile = "compat_gen_test.go"

const testPkg = module + "sculpttest"

// EmitGuard writes the test that holds the package against its history.
func EmitGuard(p *plan.Package, guard *plan.Guard) (File, error) {
	f := newFile(p)
	f.ImportName(testPkg, "sculpttest")
	var tools, heads []jen.Code
	for i := range guard.Tools {
		tools = append(tools, current(&guard.Tools[i]))
	}
	for _, h := range guard.Heads {
		heads = append(heads, jen.Lit(h.Tool).Op(":").Values(entry("Version", jen.Lit(h.Version)), entry("Digest", jen.Lit(h.Digest))))
	}
	call := jen.Nil()
	if guard.Rehearsed {
		call = jen.Id("sculptRunExample")
	}
	f.Add(doc("TestSculptCompat holds the package against every released version, and against what it was generated from. It speaks as \"sculpt lint\" does.")).Line().
		Func().Id("TestSculptCompat").Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Qual(testPkg, "Test").Call(jen.Id("t"), jen.Op("&").Qual(testPkg, "Package").Add(fields(
			entry("Manifest", jen.Lit(guard.Manifest)),
			entry("Inputs", jen.Map(jen.String()).String().Add(sums(guard.Inputs))),
			entry("Code", jen.Map(jen.String()).String().Add(sums(guard.Code))),
			entry("Heads", jen.Map(jen.String()).Qual(testPkg, "Anchor").Add(fields(heads...))),
			leveled(guard.Levels),
			entry("Tools", jen.Index().Qual(testPkg, "Current").Add(fields(tools...))),
			entry("Files", jen.Qual("os", "DirFS").Call(jen.Lit("."))),
			entry("Read", jen.Qual("os", "ReadFile")),
			entry("Call", call),
		))),
	)
	if guard.Rehearsed {
		f.Add(rehearse(guard))
	}
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return File{}, fmt.Errorf("%s: %w", GuardFile, err)
	}
	data, err := format.Source(groupImports(b.Bytes()))
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", GuardFile, err)
	}
	return File{GuardFile, data}, nil
}

// rehearse writes the function that answers an example from its own recorded
// answers, or from those in replay.
func rehearse(guard *plan.Guard) jen.Code {
	var config []jen.Code
	for _, field := range guard.APIs {
		config = append(config, entry(field, jen.Qual(upstreamPkg, "API").Values(entry("Transport", jen.Id("transport")))))
	}
	for _, s := range guard.Secrets {
		config = append(config, entry(s.Field, jen.Lit(s.Value)))
	}
	failed := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err()))
	return jen.Line().Add(doc("sculptRunExample calls an example of a release; what it asks the apis is answered from the record.")).Line().
		Func().Id("sculptRunExample").Params(jen.Id("e").Op("*").Qual(testPkg, "Example")).Params(jen.Index().Byte(), jen.Error()).Block(
		jen.List(jen.Id("transport"), jen.Err()).Op(":=").Qual(replayPkg, "OpenWith").
			Call(jen.Id("e").Dot("Exchanges"), jen.Qual("os", "DirFS").Call(jen.Lit("replay"))),
		failed,
		jen.List(jen.Id("tools"), jen.Err()).Op(":=").Id("New").Call(jen.Id("Config").Add(fields(config...))),
		failed,
		jen.Return(jen.Qual(servePkg, "RunExample").Call(
			jen.Qual("context", "Background").Call(), jen.Id("tools").Dot("Toolset").Call(), jen.Id("e").Dot("Tool"), jen.Id("e").Dot("Version"), jen.Id("e").Dot("Inputs"),
		)),
	)
}

// leveled writes the levels of rules, where the manifest has some.
func leveled(levels []plan.Level) jen.Code {
	var entries []jen.Code
	for _, l := range levels {
		entries = append(entries, jen.Lit(l.Rule).Op(":").Lit(l.Level))
	}
	if len(entries) == 0 {
		return jen.Null()
	}
	return entry("Levels", jen.Map(jen.String()).String().Add(fields(entries...)))
}

func current(t *plan.Served) jen.Code {
	var entries []jen.Code
	for _, e := range []struct{ name, text string }{
		{"Signature", t.Signature}, {"Contract", t.Contract}, {"Policy", t.Policy}, {"Accept", t.Accept},
	} {
		if e.text != "" {
			entries = append(entries, entry(e.name, text(e.text)))
		}
	}
	if t.Places != "" {
		entries = append(entries, entry("Places", id(t.PartsVar)))
	}
	return fields(entries...)
}

func sums(list []plan.Digest) jen.Code {
	var entries []jen.Code
	for _, d := range list {
		entries = append(entries, jen.Lit(d.Name).Op(":").Lit(d.Sum))
	}
	return fields(entries...)
}

// text writes a text without escapes where it needs none: JSON would be hard
// to read with them. What does not show keeps its escape.
func text(s string) jen.Code {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) && r != '\n' && r != '\t' }
	if s != "" && strconv.CanBackquote(strings.ReplaceAll(s, "\n", "")) && !strings.ContainsFunc(s, hidden) {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}
