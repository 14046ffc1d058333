package lower

import "strings"

// decide says whether a condition is known to hold, or not to.
func (f *facts) decide(cond Value) (known, outcome bool) {
	switch c := cond.(type) {
	case Unary:
		known, outcome = f.decide(c.X)
		return known && c.Op == "!", !outcome
	case Local:
		if v := f.means[c.Name]; v != nil {
			return f.decide(v)
		}
	case Binary:
		if junction[c.Op] {
			return f.decideJunction(c)
		}
		if text, turned := comparison(c); text != "" {
			if outcome, known := f.truth[text]; known {
				return true, outcome != turned
			}
		}
		if _, null := c.R.(Nil); null && negated[c.Op] != "" {
			return f.isThere(c.L), c.Op == "!="
		}
		if list, op, n, ok := lengthTest(c); ok {
			return longer(op, n, f.length(list))
		}
	}
	return false, false
}

var junction = map[string]bool{"&&": true, "||": true}

// decideJunction says what && or || gives where one side is known to decide it, or
// both are.
func (f *facts) decideJunction(c Binary) (known, outcome bool) {
	left, l := f.decide(c.L)
	right, r := f.decide(c.R)
	decides := c.Op == "||" // the outcome of one side that is that of both
	switch {
	case left && l == decides, right && r == decides:
		return true, decides
	}
	return left && right, !decides
}

// comparison is the text by which the outcome of a comparison is known, "" for
// one that more than variables and constants decide. That of != is the text of ==,
// with the outcome turned.
func comparison(c Binary) (text string, turned bool) {
	if turned = c.Op == "!="; turned {
		c.Op = "=="
	}
	for _, side := range []Value{c.L, c.R} {
		if _, isConst := side.(Const); path(side) == "" && !isConst {
			return "", false
		}
	}
	return Text(c), turned
}

// isThere reports whether a value is known not to be nil, by itself or as an
// element of a list.
func (f *facts) isThere(v Value) bool {
	text := path(v)
	if text == "" {
		return false
	}
	if f.there[text] || f.least[text] > 0 {
		return true
	}
	list, rest, ok := strings.Cut(text, "[")
	_, rest, end := strings.Cut(rest, "]")
	return ok && end && f.each[list][rest]
}

// lengthTest takes len(list) op n apart.
func lengthTest(c Binary) (list Value, op string, n int, ok bool) {
	call, isCall := c.L.(Call)
	if isCall && call.Fn == (Func{"", "int64"}) {
		call, isCall = call.Args[0].(Call)
	}
	k, isConst := c.R.(Const)
	if !isCall || !isConst || call.Fn != (Func{"", "len"}) {
		return nil, "", 0, false
	}
	switch v := k.V.(type) {
	case int:
		return call.Args[0], c.Op, v, true
	case int64:
		return call.Args[0], c.Op, int(v), v >= 0 && v < 1<<30
	}
	return nil, "", 0, false
}

// longer decides a comparison of a length with n, where the length is known to
// be least or more.
func longer(op string, n, least int) (known, outcome bool) {
	switch op {
	case ">":
		return least > n, true
	case ">=":
		return least > 0 && least >= n, true
	case "<=":
		return least > n, false
	case "<":
		return least > 0 && least >= n, false
	case "==":
		return least > n, false
	case "!=":
		return least > n, true
	}
	return false, false
}

// assume notes that a condition holds, or that it does not.
func (f *facts) assume(cond Value, outcome bool) {
	switch c := cond.(type) {
	case Unary:
		if c.Op == "!" {
			f.assume(c.X, !outcome)
		}
	case Local:
		if v := f.means[c.Name]; v != nil {
			f.assume(v, outcome)
		}
	case Call:
		if sep, isConst := argument(c, 1).(Const); outcome && isConst && sep.V != "" && c.Fn == (Func{"strings", "Contains"}) {
			f.atLeast(Call{Func{"strings", "Split"}, c.Args}, 2)
		}
	case Binary:
		f.assumeBinary(c, outcome)
	}
}

func argument(c Call, i int) Value {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return nil
}

func (f *facts) assumeBinary(c Binary, outcome bool) {
	switch _, null := c.R.(Nil); {
	case c.Op == "&&" && outcome, c.Op == "||" && !outcome:
		f.assume(c.L, outcome)
		f.assume(c.R, outcome)
	case null:
		if text := path(c.L); text != "" && outcome == (c.Op == "!=") {
			f.there[text] = true
		}
	default:
		if list, op, n, ok := lengthTest(c); ok {
			f.atLeast(list, shortest(op, n, outcome))
		}
		if text, turned := comparison(c); text != "" {
			f.truth[text] = outcome != turned
		}
	}
}

// shortest is the length that a list has at least if len(list) op n has an
// outcome.
func shortest(op string, n int, outcome bool) int {
	switch {
	case op == ">" && outcome, op == "<=" && !outcome:
		return n + 1
	case op == ">=" && outcome, op == "<" && !outcome, op == "==" && outcome:
		return n
	case n == 0 && (op == "!=" && outcome || op == "==" && !outcome):
		return 1
	}
	return 0
}

func (f *facts) atLeast(list Value, n int) {
	text := path(list)
	if c, ok := list.(Call); ok {
		text = callText(c)
		if by := f.made[text]; by != "" {
			f.least[by] = max(n, f.least[by])
		}
	}
	if text != "" && n > f.least[text] {
		f.least[text] = n
	}
}
