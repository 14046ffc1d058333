package expr

import (
	"math"
	"math/big"

	"github.com/sculpt-tools/sculpt/sculpt/types"
)

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
		return c.fail(t, "wrong-type", "divide by another number", "this divides by zero")
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
			return c.fail(t, "wrong-type", "use smaller numbers", "the result does not fit a 64-bit integer")
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
		return c.fail(t, "wrong-type", "use smaller numbers", "the result does not fit a 64-bit integer")
	}
	return c.constant(t, v.Int64())
}
