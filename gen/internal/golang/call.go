package golang

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// call writes a backend call and the check of its error.
func (w *writer) call(c *plan.Call) []jen.Code {
	out := w.begin(c)
	if c.Result == "" {
		do := jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(w.do(c))
		out = append(out, jen.If(do, jen.Err().Op("!=").Nil()).Block(w.fail(jen.Err())))
	} else {
		out = append(out, jen.List(id(c.Result), jen.Err()).Op(":=").Add(w.do(c)), ifErr(w.fail(jen.Err())))
	}
	w.begun = w.begun || c.Effect != plan.EffectRead
	switch done := jen.Id("done").Op("=").Append(jen.Id("done"), jen.Lit(c.Step)); {
	case c.Effect == plan.EffectRead:
	case mayBeMissing(c):
		out = append(out, jen.If(id(c.Var).Dot("Done").Call()).Block(done))
	case w.tracks:
		out = append(out, done)
	default:
		w.effects = append(w.effects, c.Step)
	}
	return out
}

// begin writes the request of a call below its comment.
func (w *writer) begin(c *plan.Call) []jen.Code {
	return append([]jen.Code{blank, doc(c.Comment)}, w.request(c)...)
}

// mayBeMissing reports whether a call may end well without an answer, and
// without an effect. An element of a list without one ends its function.
func mayBeMissing(c *plan.Call) bool {
	return slices.ContainsFunc(c.Cases, func(k plan.Case) bool { return k.Missing && !k.Skip })
}

// consent writes the question whether the user has agreed.
func (w *writer) consent(c *plan.Consent) []jen.Code {
	ask := jen.Id("t").Dot(c.Upstream).Dot("Agreed").Call(append([]jen.Code{jen.Id("ctx"), jen.Lit(c.Step)}, literals(c.Schemes)...)...)
	return []jen.Code{
		blank, doc("Nothing is sent before the user has agreed to what step " + c.Step + " needs."),
		jen.If(jen.Err().Op(":=").Add(ask), jen.Err().Op("!=").Nil()).Block(w.fail(jen.Err())),
	}
}

func (w *writer) do(c *plan.Call) *jen.Statement {
	if c.Result == "" {
		return jen.Qual(upstreamPkg, "Do").Types(jen.Struct()).Call(jen.Id("ctx"), id(c.Var), jen.Nil())
	}
	return jen.Qual(upstreamPkg, "Do").Call(jen.Id("ctx"), id(c.Var), readFunc(*c.Read))
}

// request writes the building of the request.
func (w *writer) request(c *plan.Call) []jen.Code {
	v := func() *jen.Statement { return id(c.Var) }
	out := []jen.Code{v().Op(":=").Id("t").Dot(c.Upstream).Dot("Call").Call(jen.Lit(c.Step), jen.Lit(c.Method), jen.Qual(upstreamPkg, string(c.Effect)))}
	if c.Server != "" {
		out = append(out, v().Dot("Server").Call(jen.Lit(c.Server)))
	}
	if len(c.Schemes) > 0 {
		out = append(out, v().Dot("Credentials").Call(literals(c.Schemes)...))
	}
	out = append(out, v().Dot("Path").Call(w.values(c.Parts)...))
	for _, then := range c.Then {
		out = append(out, w.param(c, &then.Param)...)
		if len(then.Parts) > 0 {
			out = append(out, v().Dot("Path").Call(w.values(then.Parts)...))
		}
	}
	if c.Query != "" {
		out = append(out, v().Dot("FixedQuery").Call(jen.Lit(c.Query)))
	}
	for _, p := range c.Params {
		out = append(out, w.param(c, &p)...)
	}
	out = append(out, wanted(c)...)
	if c.Timeout > 0 {
		out = append(out, v().Dot("Timeout").Call(duration(c.Timeout)))
	}
	if c.Attempts > 0 {
		out = append(out, v().Dot("Attempts").Call(jen.Lit(c.Attempts)))
	}
	if c.Cache > 0 {
		out = append(out, v().Dot("Cache").Call(duration(c.Cache)))
	}
	if c.Strict {
		out = append(out, v().Dot("Strict").Call())
	}
	if c.Keep != "" {
		out = append(out, v().Dot("Keep").Call(id(c.Keep)))
	}
	if c.MayBeEmpty {
		none := jen.Nil()
		if c.Skip {
			none = jen.Qual(upstreamPkg, "ErrSkip")
		}
		out = append(out, v().Dot("MayBeEmpty").Call(none))
	}
	if c.Round != "" {
		out = append(out, id(c.Round).Dot("Send").Call(v()))
	}
	for _, f := range c.Form {
		out = append(out, w.guarded(f.If, append(w.document(f.JSON), w.field(c, &f))...)...)
	}
	out = append(out, w.body(c)...)
	for _, k := range c.Cases {
		out = append(out, w.errorCase(c.Var, k))
	}
	return out
}

// param writes a parameter.
func (w *writer) param(c *plan.Call, p *plan.Param) []jen.Code {
	args := []jen.Code{jen.Lit(p.Name)}
	switch p.Method {
	case "Structured":
		args = []jen.Code{jen.Lit(string(p.In)), jen.Lit(p.Name), jen.Lit(p.Style), written(c.Var, p.JSON)}
	case "Path": // nothing, and then the value
		args = []jen.Code{jen.Lit(""), w.text(c.Var, p.JSON, nil)}
	default:
		args = append(args, w.text(c.Var, p.JSON, p.Value))
		if p.Style != "" {
			args = append(args, jen.Qual(upstreamPkg, p.Style))
		}
	}
	return w.guarded(p.If, append(w.document(p.JSON), id(c.Var).Dot(p.Method).Call(args...))...)
}

// field writes a field of a form, or a part.
func (w *writer) field(c *plan.Call, f *plan.FormField) jen.Code {
	in := "form"
	if f.Multipart {
		in = "multipart"
	}
	switch {
	case f.Style != "":
		return id(c.Var).Dot("Structured").Call(jen.Lit(in), jen.Lit(f.Name), jen.Lit(f.Style), written(c.Var, f.JSON))
	case !f.Multipart:
		return id(c.Var).Dot("Form").Call(jen.Lit(f.Name), w.text(c.Var, f.JSON, f.Value))
	}
	file, data := "", w.bytes(f.Value, f.Bytes)
	if f.File {
		file = f.Name
	}
	if f.JSON != nil {
		data = written(c.Var, f.JSON)
	}
	return id(c.Var).Dot("Part").Call(jen.Lit(f.Name), jen.Lit(f.Type), jen.Lit(file), data)
}

// bytes are those of a text, or of what is bytes already.
func (w *writer) bytes(v lower.Value, already bool) jen.Code {
	switch {
	case v == nil:
		return nil
	case already:
		return w.value(v)
	}
	return jen.Index().Byte().Parens(w.value(v))
}

func (w *writer) guarded(cond lower.Value, code ...jen.Code) []jen.Code {
	if cond == nil {
		return code
	}
	return []jen.Code{jen.If(w.value(cond)).Block(code...)}
}

// text is the text that a parameter or field of a call gets: a document, or a
// value.
func (w *writer) text(call string, b *plan.Body, v lower.Value) jen.Code {
	if b != nil {
		return jen.String().Parens(written(call, b))
	}
	return w.value(v)
}

// written is a document as the bytes that a call sends.
func written(call string, b *plan.Body) jen.Code {
	return id(call).Dot("Document").Call(jen.Op("&").Id(b.Var))
}

func (w *writer) errorCase(call string, k plan.Case) jen.Code {
	var body []jen.Code
	switch {
	case k.Skip && k.Missing:
		body = []jen.Code{jen.Return(jen.Qual(upstreamPkg, "ErrSkip"))}
	case k.Missing:
		body = []jen.Code{jen.Return(jen.Nil())}
	default:
		w.failing(returnError, func() {
			body = append(w.block(k.Block), jen.Return(w.serveError(k.Failure)))
		})
	}
	var entries []jen.Code
	if k.Status != 0 {
		entries = append(entries, entry("Status", jen.Lit(k.Status)))
	}
	if k.Class {
		entries = append(entries, entry("Class", jen.True()))
	}
	if k.Problem != "" {
		entries = append(entries, entry("Problem", jen.Lit(k.Problem)))
	}
	if k.Retry != "" {
		entries = append(entries, entry("Retry", jen.Qual(upstreamPkg, k.Retry)))
	}
	entries = append(entries, entry("Fail", jen.Func().Params().Error().Block(body...)))
	return id(call).Dot("On").Call(jen.Qual(upstreamPkg, "Case").Values(entries...))
}

// serveError writes the error that the caller of the tool is told.
func (w *writer) serveError(f plan.Failure) *jen.Statement {
	facts := []jen.Code{entry("Kind", jen.Qual(toolPkg, f.Kind)), entry("Code", jen.Lit(f.Code)), entry("Step", jen.Lit(f.Step))}
	if f.Retryable {
		facts = append(facts, entry("Retryable", jen.True()))
	}
	if f.RetryAfter > 0 {
		facts = append(facts, entry("RetryAfter", duration(f.RetryAfter)))
	}
	length := len(f.Code) + len(f.Step)
	var words []jen.Code
	add := func(name string, v lower.Value) {
		if v != nil {
			words = append(words, entry(name, w.value(v)))
			length += textLength(v)
		}
	}
	add("Message", f.Message)
	add("Hint", f.Hint)
	add("Developer", f.Developer)
	literal := jen.Op("&").Qual(toolPkg, "Error")
	if length <= shortWords {
		return literal.Values(append(facts, words...)...)
	}
	return literal.Add(fields(append([]jen.Code{jen.List(facts...)}, words...)...))
}

// shortWords is how much text an error may have that is written on one line.
const shortWords = 60

// textLength is how long a text of the manifest is, beyond any line for one that
// is put together.
func textLength(v lower.Value) int {
	if k, ok := v.(lower.Const); ok {
		if s, ok := k.V.(string); ok {
			return len(s)
		}
	}
	return shortWords + 1
}

func (w *writer) expect(e *plan.Expect, texts *lower.Block) []jen.Code {
	// An error of the manifest says by itself that nothing has happened.
	fail := w.fail(w.serveError(e.Failure))
	if len(w.effects) == 0 && !(w.tracks && w.begun) && !w.inner {
		fail = jen.Return(jen.Id("out"), w.serveError(e.Failure))
	}
	body := append(w.block(texts), fail)
	return []jen.Code{jen.If(jen.Add(w.value(negate(e.Cond)))).Block(body...)}
}

var opposite = map[string]string{"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

// negate turns a condition around; comparisons of numbers may be NaN, so only
// equality and lengths are rewritten.
func negate(v lower.Value) lower.Value {
	switch x := v.(type) {
	case lower.Unary:
		if x.Op == "!" {
			return x.X
		}
	case lower.Binary:
		if x.Op == "==" || x.Op == "!=" || isLength(x.L) && opposite[x.Op] != "" {
			return lower.Binary{Op: opposite[x.Op], L: x.L, R: x.R}
		}
	}
	return lower.Unary{Op: "!", X: v}
}

func isLength(v lower.Value) bool {
	c, ok := v.(lower.Call)
	return ok && c.Fn.Pkg == "" && (c.Fn.Name == "len" || c.Fn.Name == "int64")
}

// parallel writes the branches of a region as functions of a group.
func (w *writer) parallel(p *plan.Parallel, blocks []*lower.Block) []jen.Code {
	out := []jen.Code{blank, id(p.Group).Op(":=").Qual(upstreamPkg, "NewGroup").Call(jen.Id("ctx"))}
	for i, b := range blocks {
		var body []jen.Code
		w.failing(returnError, func() { body = append(w.nested(b), jen.Return(jen.Nil())) })
		args := []jen.Code{jen.Func().Params(jen.Id("ctx").Qual("context", "Context")).Error().Block(body...)}
		for _, earlier := range p.Branches[i].After {
			args = append(args, id(earlier))
		}
		start := id(p.Group).Dot("Go").Call(args...)
		if task := p.Branches[i].Task; task != "" {
			start = id(task).Op(":=").Add(start)
		}
		out = append(out, start)
	}
	wait := jen.Err().Op(":=").Add(id(p.Group)).Dot("Wait").Call()
	return append(out, jen.If(wait, jen.Err().Op("!=").Nil()).Block(w.fail(jen.Err())))
}

// each writes the calls for the elements of a list as a function of one
// element.
func (w *writer) each(e *plan.Each, block *lower.Block) []jen.Code {
	typ := jen.Struct()
	if e.Type.Form != 0 {
		typ = goType(e.Type)
	}
	var body []jen.Code
	w.failing(func(err jen.Code) jen.Code { return jen.Return(jen.Id("none"), err) }, func() { body = w.nested(block) })
	call := jen.Func().
		Params(jen.Id("ctx").Qual("context", "Context"), id(e.Index).Int64(), id(e.Item).Add(goType(e.ItemType))).
		Params(jen.Id("none").Add(typ), jen.Err().Error()).Block(body...)
	name := "Each"
	if e.InTurn {
		name = "EachInTurn"
	}
	run := jen.Qual(upstreamPkg, name).Call(jen.Id("ctx"), jen.Lit(e.Step), w.value(e.Over), jen.Lit(e.Max), call)
	if e.Result == "" {
		return []jen.Code{blank, jen.If(jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(run), jen.Err().Op("!=").Nil()).Block(w.fail(jen.Err()))}
	}
	return []jen.Code{blank, jen.List(id(e.Result), jen.Err()).Op(":=").Add(run), ifErr(w.fail(jen.Err()))}
}

func (w *writer) answer(r *plan.Return) jen.Code {
	if r.Value == nil {
		return jen.Return(jen.Id("none"), jen.Nil())
	}
	return jen.Return(w.value(r.Value), jen.Nil())
}

// body writes a body that is no form.
func (w *writer) body(c *plan.Call) []jen.Code {
	if c.Body == nil {
		return nil
	}
	if c.Body.Raw != nil {
		return []jen.Code{id(c.Var).Dot("Body").Call(jen.Lit(c.Body.Media), w.bytes(c.Body.Raw, c.Body.Bytes))}
	}
	return append(w.document(c.Body), id(c.Var).Dot("Body").Call(jen.Lit(c.Body.Media), written(c.Var, c.Body)))
}

// document writes a JSON document into its variable, nothing for none.
func (w *writer) document(b *plan.Body) []jen.Code {
	if b == nil {
		return nil
	}
	return append([]jen.Code{jen.Var().Add(id(b.Var)).Qual(valuePkg, "JSON")}, w.bodyNode(b.Var, b.Root)...)
}

func (w *writer) bodyNode(j string, n *plan.BodyNode) []jen.Code {
	switch {
	case n.Null:
		return []jen.Code{id(j).Dot("Null").Call()}
	case n.Object:
		out := []jen.Code{id(j).Dot("Open").Call()}
		for _, m := range n.Members {
			member := append([]jen.Code{id(j).Dot("Name").Call(jen.Lit(m.Name))}, w.bodyNode(j, m.Value)...)
			if m.If != nil {
				member = []jen.Code{jen.If(w.value(m.If)).Block(member...)}
			}
			out = append(out, member...)
		}
		return append(out, id(j).Dot("Close").Call())
	case n.List:
		out := []jen.Code{id(j).Dot("OpenList").Call()}
		for _, i := range n.Items {
			out = append(out, w.bodyNode(j, i)...)
		}
		return append(out, id(j).Dot("CloseList").Call())
	}
	return []jen.Code{jsonValue(w.p, jsonWriter{jen.Op("&").Id(j), id(j)}, w.value(n.Value), n.Type, false)}
}

var jsonMethods = map[types.Kind]string{
	types.String: "Text", types.Int: "Int", types.Double: "Float", types.Bool: "Bool",
	types.Bytes: "Text", types.Timestamp: "Text", types.Duration: "Text",
	types.Dyn: "Any", types.Null: "Any",
}

// A jsonWriter is a value.JSON of the generated code: as an argument and as a
// receiver.
type jsonWriter struct{ arg, recv *jen.Statement }

// jsonValue writes the statement that encodes a value of type t. Texts that
// leave the tool are cleaned.
func jsonValue(p *plan.Package, to jsonWriter, v *jen.Statement, t *types.Type, clean bool) jen.Code {
	inner := func(elem *types.Type, nullable bool) jen.Code {
		body := jsonValue(p, to, jen.Id("v"), elem, clean)
		if nullable {
			plain := jen.Id("v")
			if g := p.GoType(elem, true); g.Form == plan.Pointer && elem.Kind != types.Object {
				plain = jen.Op("*").Id("v")
			}
			body = jen.If(jen.Id("v").Op("==").Nil()).Block(to.recv.Clone().Dot("Null").Call(), jen.Return()).Line().Add(jsonValue(p, to, plain, elem, clean))
		}
		return jen.Func().Params(jen.Id("v").Add(goType(p.GoType(elem, nullable)))).Block(body)
	}
	switch t.Kind {
	case types.List:
		return jen.Qual(valuePkg, "Each").Call(to.arg.Clone(), v, inner(t.Elem, t.NullableElem))
	case types.Map:
		return jen.Qual(valuePkg, "Entries").Call(to.arg.Clone(), v, inner(t.Elem, t.NullableElem))
	case types.Object:
		return v.Dot(writeMethods[clean]).Call(to.arg.Clone())
	case types.String:
		if clean {
			v = jen.Qual(valuePkg, "Clean").Call(v)
		}
	case types.Bytes:
		v = jen.Qual(valuePkg, "Base64Encode").Call(v)
	case types.Timestamp:
		v = jen.Qual(valuePkg, "TextOfTime").Call(v)
	case types.Duration:
		v = jen.Qual(valuePkg, "TextOfDuration").Call(v)
	}
	return to.recv.Clone().Dot(jsonMethods[t.Kind]).Call(v)
}

// emit writes the assignment of one output.
func (w *writer) emit(e *plan.Emit, blocks []*lower.Block) []jen.Code {
	target := func() *jen.Statement { return jen.Id("out").Dot(e.Field) }
	if len(blocks) == 0 && e.Type.Form == plan.Pointer && (e.Enum != nil || e.Max > 0) {
		there := jen.If(jen.Id("v").Op(":=").Add(w.value(e.Value)), jen.Id("v").Op("!=").Nil())
		return []jen.Code{there.Block(w.assign(e, target(), jen.Op("*").Id("v"), pointerTo)...)}
	}
	if len(blocks) == 0 {
		return w.assign(e, target(), w.value(e.Value), plainly)
	}
	elem := e.Type
	if elem.Form == plan.Pointer {
		elem = *elem.Elem
	}
	var body []jen.Code
	w.failing(func(err jen.Code) jen.Code { return jen.Return(jen.Id("v"), err) }, func() {
		body = append([]jen.Code{}, w.block(blocks[0])...)
		body = append(body, w.assign(e, jen.Id("v"), w.value(e.Value), plainly)...)
	})
	body = append(body, jen.Return(jen.Id("v"), jen.Nil()))
	set := jen.Id("v")
	if e.Type.Form == plan.Pointer {
		set = jen.Op("&").Id("v")
	}
	run := jen.List(jen.Id("v"), jen.Err()).Op(":=").Func().Params().Params(jen.Id("v").Add(goType(elem)), jen.Err().Error()).Block(body...).Call()
	there := jen.If(run, jen.Err().Op("==").Nil()).Block(target().Op("=").Add(set))
	if lower.OnlyMissing(blocks[0]) && e.Enum == nil {
		return []jen.Code{there}
	}
	return []jen.Code{there.Else().If(jen.Op("!").Qual(valuePkg, "IsMissing").Call(jen.Err())).Block(w.fail(jen.Err()))}
}

// plainly and pointerTo are how an output gets its value.
func plainly(v *jen.Statement) *jen.Statement   { return v }
func pointerTo(v *jen.Statement) *jen.Statement { return jen.New(v) }

func (w *writer) assign(e *plan.Emit, target, v *jen.Statement, as func(*jen.Statement) *jen.Statement) []jen.Code {
	if e.Enum != nil {
		return w.assignEnum(e, target, v, as)
	}
	if e.Max > 0 {
		v = jen.Qual(valuePkg, "CleanRunes").Call(v, jen.Lit(e.Max))
	}
	return []jen.Code{target.Op("=").Add(as(v))}
}

func (w *writer) assignEnum(e *plan.Emit, target, v *jen.Statement, as func(*jen.Statement) *jen.Statement) []jen.Code {
	var cases []jen.Code
	for _, k := range e.Wires {
		cases = append(cases, jen.Case(jen.Lit(k.Value)).Block(target.Clone().Op("=").Add(as(jen.Id(k.Name)))))
	}
	fallback := w.fail(jen.Qual(valuePkg, "ErrKind").Call(jen.Lit(e.Step), jen.Lit("output "+e.Name), jen.Lit(e.At), jen.Lit("one of the listed values")))
	if e.Fallback != "" {
		fallback = target.Clone().Op("=").Add(as(jen.Id(e.Fallback)))
	}
	cases = append(cases, jen.Default().Block(fallback))
	return []jen.Code{jen.Switch(v).Block(cases...)}
}
