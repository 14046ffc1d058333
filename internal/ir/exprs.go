package ir

import "reflect"

// Exprs returns all expressions of a plan: those of its steps, then the others
// in the order of its members.
func (p *Plan) Exprs() []*Expr {
	var out []*Expr
	for _, s := range p.Steps {
		out = append(out, s.Exprs()...)
	}
	return append(out, exprsIn(p)...)
}

// Exprs returns all expressions of a step, wherever its members hold them: who
// orders the steps, follows what they read and what must not leave, or emits
// code for them, sees those of a new member too.
func (s *Step) Exprs() []*Expr { return exprsIn(s) }

// Sent returns the expressions of what a step sends.
func (s *Step) Sent() []*Expr {
	out := append(exprsIn(s.Bindings), exprsIn(s.Body)...)
	if s.Collect != nil && s.Collect.Next != nil {
		out = append(out, s.Collect.Next)
	}
	return out
}

// Exprs returns the condition and the texts of the failure.
func (e *Expect) Exprs() []*Expr { return exprsIn(e) }

// exprsIn collects the expressions in the members of a value, in their order.
// Steps inside of it, such as those that a step waits for, are left out.
func exprsIn(value any) []*Expr {
	var out []*Expr
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if e, ok := reflect.TypeAssert[*Expr](v); ok && e != nil {
				out = append(out, e)
			} else if !v.IsNil() && ours(v.Type().Elem()) {
				visit(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Struct:
			for _, of := range v.Fields() {
				if ours(of.Type()) {
					visit(of)
				}
			}
		}
	}
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer {
		visit(v.Elem())
	} else {
		visit(v)
	}
	return out
}

// ours reports whether a member of a type is looked at: types of other packages
// hold no expressions, only what expressions are made of.
func ours(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t == reflect.TypeFor[StepIDs]() || t == reflect.TypeFor[*Step]() || t == reflect.TypeFor[*Branch]() {
			return false
		}
		t = t.Elem()
	}
	return t.PkgPath() == reflect.TypeFor[Expr]().PkgPath()
}
