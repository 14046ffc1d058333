package expr_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// limited is scope with inputs of which the bounds are known.
func limited() *expr.Scope {
	s := scope()
	least, most := 1.0, 9.0
	count := types.IntType
	bounded := *count
	bounded.Limits = &types.Limits{Minimum: &least, Maximum: &most}
	s.Declare(&expr.Decl{Name: "given", Role: expr.RoleInput, Type: &types.Type{Kind: types.Object, Record: true, Name: "In", Fields: []*types.Field{
		{Name: "count", Type: &bounded, Required: true}, {Name: "other", Type: types.IntType, Required: true}, {Name: "ratio", Type: types.DoubleType, Required: true}, {Name: "list", Type: types.ListOf(types.IntType), Required: true},
	}}})
	return s
}

func checked(t *testing.T, text string) *expr.Term {
	t.Helper()
	n, problems := expr.Parse(text)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	term, problems := expr.Check(n, limited(), nil)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	return term
}

// Conditions that say the same are known by one key, and their opposites by the
// opposite outcome of it; a comparison with NaN has no opposite.
func TestConditionsThatSayTheSame(t *testing.T) {
	outcome := func(text string, of bool) string {
		facts := expr.Facts(checked(t, text), of)
		return address.ReplaceAllString(facts[len(facts)-1], "@")
	}
	for _, c := range []struct{ a, b, want string }{
		{"given.other == 3", "given.other == 3", "same"}, {"given.other != 3", "given.other == 3", "opposite"}, {"given.other > 3", "3 < given.other", "same"}, {"given.other > given.count", "given.count < given.other", "same"},
		{"given.other >= given.count", "given.other < given.count", "opposite"}, {"given.other <= given.count", "given.count < given.other", "opposite"}, {"given.other <= given.count", "given.other < given.count", ""}, {"given.other > given.count", "given.other < given.count", ""},
		{"given.ratio != 1.5", "given.ratio == 1.5", "opposite"}, {"given.ratio > 1.5", "given.ratio < 1.5", ""}, {"given.ratio >= 1.5", "given.ratio < 1.5", ""}, {"given.ratio <= 1.5", "1.5 < given.ratio", ""}, {"given.ratio >= 1.5", "given.ratio >= 1.5", "same"},
		{"!(given.other == 3)", "given.other == 3", "opposite"}, {"!(given.other != 3)", "given.other == 3", "same"}, {"given.other == 3", "given.count == 3", ""}, {"given.other == 3", "given.other == 4", ""},
		{"size(given.list) > 0", "size(given.list) == 0", "opposite"}, {"size(given.list) >= 1", "size(given.list) == 0", "opposite"}, {"size(given.list) != 0", "size(given.list) == 0", "opposite"}, {"size(given.list) < 1", "size(given.list) == 0", "same"},
		{"size(given.list) <= 0", "size(given.list) == 0", "same"}, {"0 == size(given.list)", "size(given.list) == 0", "same"}, {"0 < size(given.list)", "size(given.list) == 0", "opposite"}, {"1 > size(given.list)", "size(given.list) == 0", "same"}, {"1 <= size(given.list)", "given.list.size() == 0", "opposite"},
		{"0 != size(given.list)", "size(given.list) == 0", "opposite"}, {"0 >= size(given.list)", "size(given.list) == 0", "same"}, {"size(given.list) > 1", "size(given.list) == 0", ""}, {"size(given.list) == 1", "size(given.list) == 0", ""}, {"size(given.list) < 2", "size(given.list) == 0", ""}, {"size(given.list) >= 2", "size(given.list) == 0", ""}, {"size(given.list) <= 1", "size(given.list) == 0", ""}, {"size(given.list) != 1", "size(given.list) == 0", ""},
		{"given.list.exists(x, x > 1)", "size(given.list.filter(y, y > 1)) > 0", "same"}, {"given.list.exists(x, x > 1)", "size(given.list.filter(y, y > 2)) > 0", ""}, {"given.list.exists(x, x > 1)", "given.list.filter(x, x > 1) == []", ""},
		{"given.list.all(x, x > 1)", "given.list.all(y, y > 1)", "same"}, {"given.list.all(x, x > 1)", "given.list.exists(x, x > 1)", ""},
	} {
		got := ""
		switch outcome(c.a, true) {
		case outcome(c.b, true):
			got = "same"
		case outcome(c.b, false):
			got = "opposite"
		}
		if got != c.want {
			t.Errorf("%s and %s: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// A comparison that has one outcome whatever is sent is known, with the reason, at
// the edges of the bounds too.
func TestOutcome(t *testing.T) {
	const bounds, size, same = "the input count is from 1 to 9", "a size is never negative", "both sides are the same"
	for text, want := range map[string]string{
		"given.count > 0": "true " + bounds, "given.count >= 1": "true " + bounds, "given.count > 1": "", "given.count < 1": "false " + bounds, "given.count <= 1": "", "given.count <= 0": "false " + bounds, "given.count == 0": "false " + bounds, "given.count != 0": "true " + bounds, "given.count == 1": "",
		"given.count < 10": "true " + bounds, "given.count <= 9": "true " + bounds, "given.count < 9": "", "given.count > 9": "false " + bounds, "given.count >= 9": "", "given.count >= 10": "false " + bounds, "given.count == 10": "false " + bounds, "given.count != 10": "true " + bounds, "given.count != 9": "", "given.count == 9": "",
		"10 > given.count": "true " + bounds, "9 < given.count": "false " + bounds, "0 != given.count": "true " + bounds, "1 <= given.count": "true " + bounds, "9 >= given.count": "true " + bounds,
		"size(given.list) >= 0": "true " + size, "size(given.list) < 0": "false " + size, "size(given.list) > -1": "true " + size, "size(given.list) == -1": "false " + size, "size(given.list) > 0": "", "size(given.list) <= 0": "",
		"given.other > 0": "", "given.other == given.other": "true " + same, "given.other != given.other": "false " + same, "given.other <= given.other": "true " + same, "given.other >= given.other": "true " + same, "given.other < given.other": "false " + same, "given.other > given.other": "false " + same,
		"given.ratio == given.ratio": "", "given.other == given.count": "", "given.count in [0]": "", "given.count > 0 && true": "",
	} {
		outcome, why := expr.Outcome(checked(t, text))
		got := ""
		if why != "" {
			got = fmt.Sprint(outcome, " ", why)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
