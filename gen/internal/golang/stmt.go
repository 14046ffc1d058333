package golang

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// block writes the statements of a block.
func (w *writer) block(b *lower.Block) []jen.Code {
	if b == nil {
		return nil
	}
	var out []jen.Code
	for i, st := range b.Stmts {
		if c, ok := lastCall(b.Stmts[i:]); ok {
			return append(append(out, w.begin(c)...), jen.Return(w.do(c)))
		}
		out = append(out, w.stmt(st)...)
	}
	return out
}

// lastCall returns a call whose answer is all that is left to return, so that
// its error is returned with it.
func lastCall(rest []lower.Stmt) (*plan.Call, bool) {
	if len(rest) != 2 {
		return nil, false
	}
	first, _ := rest[0].(lower.Node)
	last, _ := rest[1].(lower.Node)
	c, isCall := first.Data.(*plan.Call)
	end, isReturn := last.Data.(*plan.Return)
	if !isCall || !isReturn || c.Effect != plan.EffectRead || end.Value == nil {
		return nil, false
	}
	answer, isLocal := end.Value.(lower.Local)
	return c, isLocal && answer.Name == c.Result
}

// blank sets a step off from what is before it.
var blank = jen.Line()

// nested writes the statements of a block of its own, which does not begin with
// a blank line.
func (w *writer) nested(b *lower.Block) []jen.Code {
	out := w.block(b)
	if len(out) > 0 && out[0] == jen.Code(blank) {
		out = out[1:]
	}
	return out
}

func (w *writer) stmt(st lower.Stmt) []jen.Code {
	switch s := st.(type) {
	case lower.Define:
		return []jen.Code{id(s.Name).Op(":=").Add(w.typedConst(s.V, s.Type))}
	case lower.Var:
		return []jen.Code{jen.Var().Id(s.Name).Add(goType(w.p.GoType(s.Type, s.Opt)))}
	case lower.MakeList:
		elem := goType(w.p.GoType(s.Elem, false))
		op := ":="
		if s.There {
			op = "="
		}
		return []jen.Code{id(s.Name).Op(op).Make(jen.Index().Add(elem), jen.Lit(0), jen.Len(w.value(s.Cap)))}
	case lower.Assign:
		return []jen.Code{id(s.Name).Op("=").Add(w.value(s.V))}
	case lower.Append:
		return []jen.Code{id(s.List).Op("=").Append(id(s.List), w.value(s.V))}
	case lower.MakeMap:
		return []jen.Code{id(s.Name).Op(":=").Add(goType(w.p.GoType(s.Type, false))).Values()}
	case lower.Put:
		return []jen.Code{id(s.Map).Index(w.value(s.Key)).Op("=").Add(w.value(s.V))}
	case lower.Incr:
		return []jen.Code{id(s.Name).Op("++")}
	case lower.Break:
		return []jen.Code{jen.Break()}
	case lower.Turns:
		return []jen.Code{jen.Var().Id("turns").Qual(upstreamPkg, "Turns")}
	case lower.Take:
		return []jen.Code{w.take(s)}
	case lower.Try:
		return w.try(s)
	case lower.Lookup:
		return []jen.Code{jen.List(id(s.Name), id(s.Ok)).Op(":=").Add(w.primary(s.Map)).Index(w.value(s.Key))}
	case lower.Guard:
		if s.Cond == nil {
			return []jen.Code{w.fail(w.failure(s.Fail))}
		}
		return []jen.Code{jen.If(w.value(s.Cond)).Block(w.fail(w.failure(s.Fail)))}
	case lower.If:
		return []jen.Code{w.ifElse(s)}
	case lower.Range:
		return []jen.Code{w.loop(s)}
	}
	return w.node(st.(lower.Node))
}

// take writes a look at the context, by the counter where it is known what is
// gone over.
func (w *writer) take(s lower.Take) jen.Code {
	over := jen.Id("ctx").Dot("Err").Call()
	if len(s.Of) > 0 {
		n := jen.Len(w.value(s.Of[0]))
		for _, v := range s.Of[1:] {
			n = n.Op("+").Len(w.value(v))
		}
		over = jen.Id("turns").Dot("Take").Call(jen.Id("ctx"), n)
	}
	return jen.If(jen.Err().Op(":=").Add(over), jen.Err().Op("!=").Nil()).Block(w.fail(jen.Err()))
}

func (w *writer) try(s lower.Try) []jen.Code {
	call := function(s.Fn).Call(w.values(s.Args)...)
	check := jen.Err().Op("!=").Nil()
	fail := w.fail(w.failure(s.Fail))
	if s.Name == "_" {
		return []jen.Code{jen.If(jen.List(jen.Id("_"), jen.Err()).Op(":=").Add(call), check).Block(fail)}
	}
	return []jen.Code{
		jen.List(id(s.Name), jen.Err()).Op(":=").Add(call),
		jen.If(check).Block(fail),
	}
}

// ifElse writes an else that holds nothing but an if as else if, unless the
// inner one becomes a switch, which needs a block.
func (w *writer) ifElse(s lower.If) *jen.Statement {
	if on, arms, rest := choices(s); len(arms) > 1 {
		return w.choose(on, arms, rest)
	}
	out := jen.If(w.value(s.Cond)).Block(w.nested(s.Then)...)
	if s.Else == nil || len(s.Else.Stmts) == 0 {
		return out
	}
	if inner, ok := s.Else.Stmts[0].(lower.If); ok && len(s.Else.Stmts) == 1 {
		if _, arms, _ := choices(inner); len(arms) < 2 {
			return out.Else().Add(w.ifElse(inner))
		}
	}
	return out.Else().Block(w.block(s.Else)...)
}

// choices takes a chain of else-ifs apart that compares one variable with
// constants, each of them once: a switch has no case twice.
func choices(s lower.If) (on lower.Local, arms []lower.If, rest *lower.Block) {
	for {
		c, _ := s.Cond.(lower.Binary)
		l, isLocal := c.L.(lower.Local)
		k, isConst := c.R.(lower.Const)
		twice := slices.ContainsFunc(arms, func(arm lower.If) bool { return arm.Cond.(lower.Binary).R == lower.Value(k) })
		if c.Op != "==" || !isLocal || !isConst || twice || len(arms) > 0 && l != on || leaves(s.Then) {
			return on, nil, nil
		}
		on, arms, rest = l, append(arms, s), s.Else
		if rest == nil || len(rest.Stmts) != 1 {
			break
		}
		next, ok := rest.Stmts[0].(lower.If)
		if !ok {
			break
		}
		s = next
	}
	if leaves(rest) {
		return on, nil, nil
	}
	return on, arms, rest
}

// leaves reports whether a block leaves a loop around it, which it could not
// from inside a switch.
func leaves(b *lower.Block) bool {
	if b == nil {
		return false
	}
	return slices.ContainsFunc(b.Stmts, func(st lower.Stmt) bool {
		switch s := st.(type) {
		case lower.Break:
			return true
		case lower.If:
			return leaves(s.Then) || leaves(s.Else)
		}
		return false
	})
}

// choose writes a chain of comparisons of one variable as a switch.
func (w *writer) choose(on lower.Local, arms []lower.If, rest *lower.Block) *jen.Statement {
	var cases []jen.Code
	for _, arm := range arms {
		cases = append(cases, jen.Case(w.value(arm.Cond.(lower.Binary).R)).Block(w.nested(arm.Then)...))
	}
	if rest != nil && len(rest.Stmts) > 0 {
		cases = append(cases, jen.Default().Block(w.nested(rest)...))
	}
	return jen.Switch(id(on.Name)).Block(cases...)
}

func (w *writer) loop(s lower.Range) *jen.Statement {
	index := jen.Id("_")
	if s.Index != "" {
		index = id(s.Index)
	}
	switch {
	case s.Elem == "" && s.Index != "":
		return jen.For(index.Op(":=").Range().Add(w.value(s.Over))).Block(w.block(s.Body)...)
	case s.Elem == "":
		return jen.For(jen.Range().Add(w.value(s.Over))).Block(w.block(s.Body)...)
	}
	return jen.For(jen.List(index, id(s.Elem)).Op(":=").Range().Add(w.value(s.Over))).Block(w.block(s.Body)...)
}

// failure writes the error of a check.
func (w *writer) failure(f lower.Fail) jen.Code {
	args := []jen.Code{jen.Lit(f.Step), jen.Lit(f.Path), jen.Lit(f.At)}
	name := ""
	switch f.Kind {
	case lower.FailMissing:
		name = "ErrMissing"
	case lower.FailNoElement:
		name, args = "ErrNoElement", append(args, jen.Lit(f.Text))
	case lower.FailIndex:
		name, args = "ErrIndex", append(args, w.value(f.Index), jen.Len(w.value(f.List)))
	case lower.FailKindOf:
		name, args = "ErrKind", append(args, jen.Lit(f.Text))
	case lower.FailValue:
		name, args = "ErrValue", append(args, jen.Err())
	}
	return jen.Qual(valuePkg, name).Call(args...)
}

// node writes the statements that a chain has beyond expressions.
func (w *writer) node(n lower.Node) []jen.Code {
	switch d := n.Data.(type) {
	case *plan.Call:
		return w.call(d)
	case *plan.Consent:
		return w.consent(d)
	case *plan.Parallel:
		return w.parallel(d, n.Blocks)
	case *plan.Each:
		return w.each(d, n.Blocks[0])
	case *plan.Rounds:
		return w.rounds(d, n.Blocks[0])
	case *plan.More:
		return w.more(d)
	case *plan.Return:
		return []jen.Code{w.answer(d)}
	case *plan.Expect:
		return w.expect(d, n.Blocks[0])
	case *plan.Emit:
		return w.emit(d, n.Blocks)
	}
	panic(fmt.Sprintf("golang: no Go for %T", n.Data))
}

// returns is the return statement of a chain: what it has so far, and the
// error with the effects that have happened.
func (w *writer) returns(err jen.Code) jen.Code {
	return jen.Return(jen.Id("out"), w.afterEffects(err))
}

func (w *writer) afterEffects(err jen.Code) jen.Code {
	switch {
	case w.tracks && w.begun:
		return jen.Qual(toolPkg, "AfterEffects").Call(err, jen.Id("done").Op("..."))
	case len(w.effects) == 0 && w.changes:
		return jen.Qual(toolPkg, "BeforeEffects").Call(err)
	case len(w.effects) == 0:
		return err
	}
	args := []jen.Code{err}
	for _, s := range w.effects {
		args = append(args, jen.Lit(s))
	}
	return jen.Qual(toolPkg, "AfterEffects").Call(args...)
}

// failing runs f with another way to return an error.
func (w *writer) failing(fail func(jen.Code) jen.Code, f func()) {
	old, inner := w.fail, w.inner
	w.fail, w.inner = fail, true
	f()
	w.fail, w.inner = old, inner
}

func returnError(err jen.Code) jen.Code { return jen.Return(err) }

func ifErr(fail jen.Code) jen.Code { return jen.If(jen.Err().Op("!=").Nil()).Block(fail) }
