package golang_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// atConstants are expressions of which Go knows a part while it compiles, or
// would if it was written down as it stands: an index, a divisor, a number
// beyond a type, a case that stands twice, a comparison that vet refuses.
var atConstants = []string{
	`v_texts[last]`, `v_texts[?last]`, `v_texts[far]`, `v_texts[-last]`, `cel.bind(i, -1, v_texts[i])`, `cel.bind(i, last, v_texts[i])`, `cel.bind(i, -1, v_texts[?i])`,
	`cel.bind(i, 4294967296, v_texts[i])`, `cel.bind(i, -1, [1, 2][i])`, `["a", "b"][last]`, `["a", "b"][2]`, `words[last]`, `words[2]`, `words[?2]`, `words[?last]`,
	`v_texts.take(last)`, `v_texts.slice(last, 2)`, `v_string.substring(last)`, `[last, zero][v_int]`, `v_texts.map(x, v_texts[last])`, `lists.range(last)`,
	`1 / zero`, `1 % zero`, `v_int / zero`, `v_int % zero`, `cel.bind(z, 0, v_int / z)`, `cel.bind(z, zero, 1 / z)`, `most + 1`, `-least`, `least - 1`, `least / last`, `most * most`,
	`least % last`, `cel.bind(m, 9223372036854775807, m + 1)`, `cel.bind(m, most, m * 2)`, `-last`, `- -last`, `v_int - last`, `v_int + last`, `v_int * least`,
	`1.5 / nothing`, `half / nothing`, `v_double / nothing`, `-half`, `-nothing`, `-less`, `v_double - less`, `huge * 10.0`, `huge * huge`, `v_double * huge`, `zero / 2.0`, `1.0 / zero`,
	`cel.bind(z, 0.0, 1.5 / z)`, `cel.bind(z, nothing, half / z)`, `cel.bind(z, 0.0, -z)`, `double(zero) / nothing`, `double(most)`, `1.0 / double(zero)`, `half < last`, `double(last) < half`,
	`int(huge)`, `uint(last)`, `uint(1) - uint(2)`, `uint(zero)`, `math.abs(least)`, `math.round(huge)`, `math.greatest(last, half)`, `math.greatest(last, most)`, `math.least(least, huge)`,
	`v_string == "a" ? 1 : v_string == "a" ? 2 : 3`, `v_int == 1 ? 1 : v_int == 1 ? 2 : 3`, `v_int == last ? 1 : v_int == -1 ? 2 : 3`, `v_bool == true ? 1 : v_bool == true ? 2 : 3`,
	`v_double == 0.0 ? 1 : v_double == -0.0 ? 2 : 3`, `v_string == "a" ? 1 : v_string == word ? 2 : v_string == "b" ? 3 : 4`,
	`v_string != "a" || v_string != "b"`, `v_string == "a" && v_string == "b"`, `v_string == "a" || v_string == "a"`, `v_bool && v_bool`, `v_bool || !v_bool || v_bool`, `v_int < 1 && v_int < 1`,
	`v_int != last || v_int != 2`, `(v_int == 1 || v_bool) || v_int == 1`, `v_string == v_string`, `v_int != v_int`, `v_double == v_double`, `last == -1`, `yes == true`, `word == "a" && yes`,
	`yes`, `!yes`, `yes ? 1 : 2`, `yes && v_bool`, `v_bool || yes`, `!yes || v_bool`, `yes ? v_texts[0] : v_texts[1]`, `v_texts.filter(x, yes)`, `v_texts.exists(x, !yes)`, `v_bool ? last : zero`,
	`word + "b"`, `word in ["a", "b"]`, `word in words`, `word[0]`, `word.substring(5)`, `word == "a"`, `"a" < word`, `word.matches(word)`, `v_string.matches(word)`, `string(last)`, `string(huge)`, `"%d".format([last])`,
	`{last: 1, -1: 2}[v_int]`, `{1: "a", zero: "b"}`, `{word: 1, "a": 2}`, `{"k": 1, word: 2}["k"]`, `{word: 1}.a`, `{yes: 1, true: 2}`, `map[word]`, `map["a"]`, `map[?word]`, `map["z"]`, `map[v_string]`, `v_ints == [last]`,
	`timestamp("2026-01-01T00:00:00Z") + duration("1h")`, `duration("1s") - duration("2s")`, `timestamp(most)`, `duration("9223372036s") + duration("9223372036s")`,
	`optional.of(last).orValue(zero)`, `optional.ofNonZeroValue(zero).orValue(last)`, `[last, half]`, `v_mixed[last]`, `v_mixed[word]`, `cel.bind(i, -1, v_mixed[i])`, `cel.bind(x, null, x)`, `cel.bind(x, [1, 2], x[5])`, `words.map(w, words[last])`,
}

// constantScope declares constants at the edges of their types, and variables.
func constantScope(c *celRun) (*expr.Scope, *ir.Plan) {
	scope, plan := expr.NewScope(nil), &ir.Plan{}
	for _, k := range c.program.Constants {
		scope.Declare(k.Decl)
	}
	c.vars(scope, plan)
	return scope, plan
}

func edgeConstants() []*ir.Constant {
	var out []*ir.Constant
	add := func(name string, v any, t *types.Type) {
		k := &ir.Constant{Name: name, Type: t, Value: v}
		k.Decl = &expr.Decl{Name: name, Role: expr.RoleConst, Type: t, Value: k}
		k.Decl.Literal = k.Literal()
		out = append(out, k)
	}
	add("last", int64(-1), types.IntType)
	add("zero", int64(0), types.IntType)
	add("far", int64(1)<<40, types.IntType)
	add("most", int64(math.MaxInt64), types.IntType)
	add("least", int64(math.MinInt64), types.IntType)
	add("half", 0.5, types.DoubleType)
	add("less", -0.5, types.DoubleType)
	add("nothing", 0.0, types.DoubleType)
	add("huge", 1e308, types.DoubleType)
	add("yes", true, types.BoolType)
	add("word", "a", types.StringType)
	add("words", []any{"a", "b"}, types.ListOf(types.StringType))
	add("map", ir.Map{Keys: []string{"a", "b"}, Values: []any{int64(1), int64(2)}}, types.MapOf(types.StringType, types.IntType))
	return out
}

// TestConstantsCompile: what the checker accepts is Go that compiles and vets
// and does not panic, whatever a constant in it is; and what is known to be
// wrong is said while it is generated.
func TestConstantsCompile(t *testing.T) {
	c := &celRun{t: t, program: &ir.Program{Package: "tools", Manifest: "cel.yaml", Constants: edgeConstants()}, tools: map[string]*celCase{}, refusals: map[string]int{}}
	texts := atConstants
	source := golden.NewExprSource(5, constantAtoms())
	for len(texts) < 400 {
		texts = append(texts, source.Next())
	}
	for i, text := range texts {
		node, problems := expr.Parse(text)
		if problems != nil {
			continue
		}
		scope, plan := constantScope(c)
		if term, problems := expr.Check(node, scope, nil); problems == nil && term.Type.Kind != types.Invalid {
			c.addTool(fmt.Sprintf("t%d", i), term, plan)
		}
	}
	c.noPanic(c.run())
}

// constantAtoms are the atoms of random expressions, with constants among them.
func constantAtoms() map[string][]string {
	out := maps.Clone(atoms)
	for kind, more := range map[string][]string{"int": {"last", "zero", "most", "least"}, "double": {"half", "less", "nothing", "huge"}, "string": {"word"}, "bool": {"yes"}, "list": {"words"}} {
		out[kind] = slices.Concat(out[kind], more)
	}
	return out
}
