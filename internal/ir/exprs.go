package ir

// Exprs returns all expressions of a step: a new member that holds one has its
// place here, and those who order the steps, follow what they read and what
// must not leave, or emit code for them, see it.
func (s *Step) Exprs() []*Expr {
	out := written(s.When)
	if s.Each != nil {
		out = append(out, written(s.Each.Over)...)
	}
	out = append(out, s.Sent()...)
	for _, e := range s.Expect {
		out = append(out, e.Exprs()...)
	}
	for _, e := range s.Errors {
		out = append(out, e.Exprs()...)
	}
	return out
}

// Sent returns the expressions of what a step sends.
func (s *Step) Sent() []*Expr {
	var out []*Expr
	for _, b := range s.Bindings {
		out = append(out, written(b.Value)...)
	}
	return append(out, s.Body.Exprs()...)
}

// Exprs returns the condition and the texts of the failure.
func (e *Expect) Exprs() []*Expr { return append(written(e.Check), e.Failure.Exprs()...) }

// Exprs returns the texts of a failure.
func (f *Failure) Exprs() []*Expr { return written(f.Message, f.Developer, f.Hint) }

// Exprs returns the expressions of a body, which may be nil.
func (b *Body) Exprs() []*Expr {
	if b == nil {
		return nil
	}
	out := written(b.Expr)
	for _, m := range b.Members {
		out = append(out, m.Value.Exprs()...)
	}
	for _, i := range b.Items {
		out = append(out, i.Exprs()...)
	}
	return out
}

// written leaves out those that are not there.
func written(exprs ...*Expr) []*Expr {
	var out []*Expr
	for _, e := range exprs {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}
