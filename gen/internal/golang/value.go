package golang

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// writer writes the values and statements of one function.
type writer struct {
	p *plan.Package
	// patterns are the names of compiled patterns by text.
	patterns map[string]string
	// fail makes the return statement of an error, inner says that it is not
	// that of the chain itself.
	fail  func(err jen.Code) jen.Code
	inner bool
	// changes says that the chain has effects; effects are the steps whose
	// effects have happened so far.
	changes bool
	effects []string
	// tracks says that some effects depend on a condition or a list: the
	// variable done lists those that have happened.
	tracks bool
	// begun: an effect may have happened where the writer is.
	begun bool
}

var precedence = map[string]int{
	"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "*": 5, "/": 5, "%": 5,
}

// value writes a value.
func (w *writer) value(v lower.Value) *jen.Statement {
	switch v := v.(type) {
	case lower.Local:
		return id(v.Name)
	case lower.Const:
		return jen.Add(lit(v.V))
	case lower.Nil:
		return jen.Nil()
	case lower.Global:
		return jen.Qual(v.Pkg, v.Name)
	case lower.Pattern:
		return id(w.patterns[v.Text])
	case lower.Field:
		if field, ok := w.optional(v); ok {
			return field.Dot("Pointer").Call()
		}
		return w.selected(v)
	case lower.Member:
		return w.operand(v.X).Dot(v.Name)
	case lower.Index:
		return w.primary(v.X).Index(w.value(v.I))
	case lower.Deref:
		if field, ok := w.optional(v.X); ok {
			return field.Dot("Value")
		}
		return jen.Op("*").Add(w.primary(v.X))
	case lower.Addr:
		return jen.Op("&").Add(w.primary(v.X))
	case lower.Unary:
		if _, ok := v.X.(lower.Deref); ok {
			return jen.Op(v.Op).Add(w.value(v.X))
		}
		return jen.Op(v.Op).Add(w.primary(v.X))
	case lower.Binary:
		return w.binary(v)
	case lower.Call:
		if v.Fn == (lower.Func{Pkg: valuePkg, Name: "Or"}) {
			if field, ok := w.optional(v.Args[0]); ok {
				return field.Dot("Or").Call(w.value(v.Args[1]))
			}
		}
		return function(v.Fn).Call(w.values(v.Args)...)
	case lower.Method:
		return w.primary(v.X).Dot(v.Name).Call(w.values(v.Args)...)
	case lower.Convert:
		return goType(w.p.GoType(v.To, false)).Parens(w.value(v.X))
	}
	return w.composite(v)
}

func (w *writer) composite(v lower.Value) *jen.Statement {
	switch v := v.(type) {
	case lower.Record:
		s := w.p.RecordFields(v.Type)
		entries := make([]jen.Code, len(v.Values))
		for i, x := range v.Values {
			entries[i] = entry(s.Fields[i].Name, w.value(x))
		}
		return id(s.Name).Values(entries...)
	case lower.List:
		return jen.Index().Add(goType(w.p.GoType(v.Elem, false))).Values(w.values(v.Values)...)
	case lower.Map:
		entries := make([]jen.Code, 0, len(v.Entries)/2)
		for i := 0; i < len(v.Entries); i += 2 {
			entries = append(entries, w.value(v.Entries[i]).Op(":").Add(w.value(v.Entries[i+1])))
		}
		m := goType(w.p.GoType(v.Type, false))
		if len(entries) > 3 {
			return m.Add(fields(entries...))
		}
		return m.Values(entries...)
	}
	panic(fmt.Sprintf("golang: no Go for %T", v))
}

func (w *writer) values(vs []lower.Value) []jen.Code {
	out := make([]jen.Code, len(vs))
	for i, v := range vs {
		out[i] = w.value(v)
	}
	return out
}

func function(f lower.Func) *jen.Statement {
	if f.Pkg != "" {
		return jen.Qual(f.Pkg, f.Name)
	}
	if f.Name == "[]byte" {
		return jen.Index().Byte()
	}
	return id(f.Name)
}

func (w *writer) selected(f lower.Field) *jen.Statement {
	name, _ := w.p.GoField(f)
	return w.operand(f.X).Dot(name)
}

// optional writes a field whose Go form is a scan.Optional and not a pointer, as the lowering has it.
// It reports whether v is one.
func (w *writer) optional(v lower.Value) (*jen.Statement, bool) {
	f, ok := v.(lower.Field)
	if !ok {
		return nil, false
	}
	if _, t := w.p.GoField(f); t.Form != plan.Optional {
		return nil, false
	}
	return w.selected(f), true
}

// primary puts parentheses around what would otherwise bind looser.
func (w *writer) primary(v lower.Value) *jen.Statement {
	switch v := v.(type) {
	case lower.Deref:
		if _, ok := w.optional(v.X); !ok {
			return jen.Parens(w.value(v))
		}
	case lower.Binary, lower.Addr, lower.Unary, lower.Record:
		return jen.Parens(w.value(v))
	}
	return w.value(v)
}

// operand is what a selector follows: Go follows pointers by itself, and what the lowering follows
// is there.
func (w *writer) operand(v lower.Value) *jen.Statement {
	if d, ok := v.(lower.Deref); ok {
		return w.operand(d.X)
	}
	if field, ok := w.optional(v); ok {
		return field.Dot("Value")
	}
	return w.primary(v)
}

func (w *writer) binary(v lower.Binary) *jen.Statement {
	if field, ok := w.optional(v.L); ok && v.R == (lower.Nil{}) {
		if v.Op == "==" {
			return jen.Op("!").Add(field.Dot("Present"))
		}
		return field.Dot("Present")
	}
	side := func(x lower.Value, least int) *jen.Statement {
		if b, ok := x.(lower.Binary); ok && precedence[b.Op] < least {
			return jen.Parens(w.value(x))
		}
		return w.value(x)
	}
	level := precedence[v.Op]
	left := level
	if level == 3 {
		left++ // comparisons do not chain
	}
	return side(v.L, left).Op(v.Op).Add(side(v.R, level+1))
}

// typedConst gives a number in a := its type.
func (w *writer) typedConst(v lower.Value, t *types.Type) *jen.Statement {
	if c, ok := v.(lower.Const); ok && t != nil {
		switch c.V.(type) {
		case nil, int64, uint64:
			return goType(w.p.GoType(t, false)).Parens(w.value(v))
		}
	}
	return w.value(v)
}
