package expr

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// scalar is the value that a name always stands for, nil if it is a list, a map
// or not known before anything runs. It is checked as if it had been written
// there, so that what is wrong with it is found.
func (d *Decl) scalar() *Term {
	if d.Literal == nil || d.Literal.Op != OpConst {
		return nil
	}
	return d.Literal
}

// literalOf returns the literal that t is or stands for: a scalar, or a list or
// map of scalars.
func literalOf(t *Term) *Term {
	variable := func(t *Term) bool { return t.Op != OpConst || t.Lit == nil }
	switch {
	case t.Op == OpRef:
		return t.Decl.Literal
	case t.Op == OpList && !slices.Contains(t.Opts, true), t.Op == OpMap:
		if !slices.ContainsFunc(t.Args, variable) {
			return t
		}
	case !variable(t):
		return t
	}
	return nil
}

// noElement reports a constant index or key that a list or map does not have,
// and why it is known: nil if it may have it.
func noElement(x, i *Term, kind types.Kind) *Problem {
	if i.Op != OpConst {
		return nil
	}
	m, p := literalOf(x), &Problem{Rule: RuleWrongType, Start: i.Start, End: i.End}
	switch k, number := i.Lit.(int64); {
	case kind == types.List && number && k < 0:
		p.Message, p.Fix = fmt.Sprintf("a list has no element %d", k), "count from 0, or write .last()"
	case m == nil:
		return nil
	case m.Op == OpList && number && k >= int64(len(m.Args)):
		p.Message, p.Fix = fmt.Sprintf("the list has no element %d: it has %d, and they count from 0", k, len(m.Args)), "use a smaller index"
	case m.Op == OpMap && !m.hasKey(i.Lit):
		p.Message, p.Fix = fmt.Sprintf("the map has no key %#v", i.Lit), "use one of its keys, or write [?...]"
	default:
		return nil
	}
	return p
}

// hasKey reports whether k is a key of a map of literals.
func (t *Term) hasKey(k any) bool {
	for i := 0; i < len(t.Args); i += 2 {
		if t.Args[i].Lit == k {
			return true
		}
	}
	return false
}

// fold computes an operation on number literals now: Go would refuse to
// compile 0.0 / 0.0 and would lose the sign of -0.0, and an overflow that is
// certain is better reported than generated.
func (c *checker) fold(t *Term) *Term {
	for _, a := range t.Args {
		if a.Op != OpConst || !a.Type.IsNumber() {
			return t
		}
	}
	switch t.Type.Kind {
	case types.Double:
		return c.foldDouble(t)
	case types.Int, types.Uint:
		return c.foldInt(t)
	}
	return t
}

func (c *checker) constant(t *Term, v any) *Term {
	return &Term{Op: OpConst, Type: t.Type, Lit: v, Start: t.Start, End: t.End}
}

func (c *checker) foldDouble(t *Term) *Term {
	x := t.Args[0].Lit.(float64)
	if t.Op == OpNeg {
		return c.constant(t, -x)
	}
	y := t.Args[1].Lit.(float64)
	switch t.Name {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "/":
		x /= y
	}
	return c.constant(t, x)
}

func (c *checker) foldInt(t *Term) *Term {
	x := wholeNumber(t.Args[0].Lit)
	if t.Op == OpNeg {
		return c.intResult(t, x.Neg(x))
	}
	y := wholeNumber(t.Args[1].Lit)
	if y.Sign() == 0 && (t.Name == "/" || t.Name == "%") {
		return c.fail(t, RuleWrongType, "divide by another number", "this divides by zero")
	}
	switch t.Name {
	case "+":
		x.Add(x, y)
	case "-":
		x.Sub(x, y)
	case "*":
		x.Mul(x, y)
	case "/":
		x.Quo(x, y)
	case "%":
		if x.IsInt64() && x.Int64() == math.MinInt64 && y.Int64() == -1 {
			return c.fail(t, RuleWrongType, "use smaller numbers", "the result does not fit a 64-bit integer")
		}
		x.Rem(x, y)
	}
	return c.intResult(t, x)
}

// wholeNumber returns an int64 or uint64 literal.
func wholeNumber(lit any) *big.Int {
	if u, ok := lit.(uint64); ok {
		return new(big.Int).SetUint64(u)
	}
	return big.NewInt(lit.(int64))
}

func (c *checker) intResult(t *Term, v *big.Int) *Term {
	if t.Type.Kind == types.Uint && v.IsUint64() {
		return c.constant(t, v.Uint64())
	}
	if !v.IsInt64() || t.Type.Kind == types.Uint {
		return c.fail(t, RuleWrongType, "use smaller numbers", "the result does not fit a 64-bit integer")
	}
	return c.constant(t, v.Int64())
}
