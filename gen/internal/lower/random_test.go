package lower_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// wideScope declares names of every type that a value may have, beside those of
// newScope.
func wideScope() *expr.Scope {
	s := newScope()
	nullable := types.ListOf(types.StringType)
	nullable.NullableElem = true
	record := &types.Type{Kind: types.Object, Name: "Row", Record: true, Fields: []*types.Field{
		{Name: "id", Type: types.IntType, Required: true}, {Name: "note", Type: types.OptionalOf(types.StringType), Optional: true}, {Name: "tags", Type: types.ListOf(types.StringType), Required: true},
	}}
	for name, t := range map[string]*types.Type{
		"w_map": types.MapOf(types.StringType, types.IntType), "w_keys": types.MapOf(types.IntType, types.StringType), "w_free": types.MapOf(types.StringType, types.DynOf("")), "w_nulls": nullable,
		"w_opt_int": types.OptionalOf(types.IntType), "w_opt_text": types.OptionalOf(types.StringType), "w_opt_list": types.OptionalOf(types.ListOf(types.StringType)), "w_opt_map": types.OptionalOf(types.MapOf(types.StringType, types.IntType)),
		"w_opt_free": types.OptionalOf(types.DynOf("")), "w_rows": types.ListOf(record), "w_row": record, "w_opt_row": types.OptionalOf(record), "w_times": types.ListOf(types.TimestampType), "w_grid": types.ListOf(types.ListOf(types.IntType)),
		"w_lists": types.MapOf(types.StringType, types.ListOf(types.IntType)), "w_maps": types.ListOf(types.MapOf(types.StringType, types.StringType)), "w_either": {Kind: types.Union, Variants: []*types.Type{types.IntType, types.StringType}},
	} {
		s.Declare(&expr.Decl{Name: name, Role: expr.RoleLet, Type: t})
	}
	return s
}

// wideAtoms are the parts of expressions over wideScope.
var wideAtoms = map[string][]string{
	"int":    {"1", "-7", "0", "v_int", "places.first.population", "int(places.first.size)", "w_map.a", `w_map["b"]`, "w_opt_int.orValue(3)", "w_rows[0].id", "w_grid[1][0]", "w_lists.a[0]", "w_keys.size()", "v_timestamp.getHours()", "v_duration.getMinutes()", "places.results[?1].?population.orValue(2)"},
	"double": {"1.5", "0.0", "v_double", "double(v_int)", "places.first.heat.value", "math.least(v_double, 2.5)"},
	"string": {`"a"`, `""`, "v_string", "places.first.name", "places.results[0].name", "w_keys[2]", "w_opt_text.orValue(v_string)", "w_row.?note.orValue(\"none\")", "w_maps[0].a", "string(v_timestamp)", "v_mode", "places.?first.?name.orValue(v_mode)", "w_nulls[0]", "string(w_either)"},
	"bool": {"true", "false", "v_bool", "has(places.first.name)", "has(w_map.a)", `"a" in w_map`, "w_opt_row.hasValue()", "v_timestamp < v_timestamp", "v_timestamp == timestamp(\"2026-01-02T03:04:05Z\")", "v_duration > duration(\"3s\")", "w_map == w_map", "v_bytes == b\"a\"", "w_nulls[0] == null", "w_rows == []",
		"places.first.size == 1", "w_opt_int == optional.of(3)", "w_either == \"a\"", "v_uint > 3u"},
	"list":   {"places.results", "v_list_string", "v_list_int", "[1]", "w_rows", "w_grid", "w_times", "w_nulls", "w_maps", "w_opt_list.orValue([])", "places.results.map(p, p.name)", "w_map.map(k, k)", "w_rows.filter(r, r.id > 1)", "w_grid.filter(l, size(l) > 0)[0]"},
	"object": {"places.first", "places.results[0]", "w_row", "w_rows[0]", "w_opt_row.orValue(w_row)", "{\"id\": 1, \"list\": w_nulls, \"map\": w_keys}", "places.results.filter(p, p.name == v_string)[0]"},
	"dyn": {"places.first.extra", "places.first.extra.a", "null", "w_free", "w_free.a", "w_opt_free.orValue(null)", "places.first.size", "places.first.heat", "w_opt_list", "w_opt_map", "w_keys", "w_nulls[0]", "[w_opt_int, w_map, w_row, w_opt_text, w_keys, w_nulls]", "{\"a\": w_opt_row, \"b\": w_lists}", "v_uint", "v_bytes",
		"w_opt_list[?0]", "w_opt_map.?a", "math.greatest(w_free.a, v_int)", "places.first.extra.b[0].c"},
}

// forms are expressions that random ones seldom are.
var forms = []string{
	"[w_map, 1]", "[w_keys, \"a\"]", "{\"a\": w_map, \"b\": 1}", "[w_opt_int.orValue(1), w_maps]", "[w_lists, w_grid]", "[w_nulls, 1]", "[w_times, v_duration]", "[v_uint, 1, 1.5]", "[w_row, 1]", "[w_rows, w_map]", "[v_mode, 1]", "[w_either, null]", "{1: w_map, \"a\": 2}", "{v_int: v_string}", "{v_string: 1, ?\"b\": w_opt_int}",
	"[1, ?w_opt_int]", "[?w_opt_text, \"a\"]", "[?w_opt_map, w_map]", "w_opt_list[?0]", "w_opt_list[?v_int].orValue(\"x\")", "w_opt_map.?a.orValue(1)", "w_opt_map[?\"a\"]", "w_opt_row.?note", "w_opt_row.?id.orValue(2)", "w_opt_row.?tags[?0]", "w_row.?note.hasValue()", "has(w_row.note)", "w_row.?id", "w_rows[?0].?note.orValue(\"a\")", "w_maps[?0].?b", "w_maps[?0][?\"b\"]", "w_grid[?0][?1]",
	"w_lists[?\"a\"][?0]", "w_lists.?b.orValue([])", "w_free.?a.?b[?0].?c", "w_opt_free.?a", "w_opt_free[?0]", "has(places.first.extra.a)", "has(places.first.extra.a.b)", "places.?first.?extra.?a.hasValue()", "!has(places.first.name)", "!places.?first.?name.hasValue()", "places.?results[?0].?name", "has(places.results)", "has(places.first)", "places.first == null", "places.first.name != null", "null == places.first.name",
	"places.results.filter(p, p.name == \"a\").take(2)", "places.results.map(p, p.name).take(3)", "places.results.filter(p, p.population > 1).map(p, p.name).take(1)", "places.results.take(v_int)", "(v_bool ? v_list_int : [1]).take(2)", "v_list_int.filter(i, i > 1).size()", "size(places.results.filter(p, p.population > 2)) > 0", "size(places.results.filter(p, p.population > 2)) >= 3", "places.results.filter(p, p.population > 2).size() == 0",
	"places.results.filter(p, p.population > 2)[?0].?name.orValue(\"a\")", "places.results.filter(p, p.population > 2)[1].name", "places.results.exists_one(p, p.population > 2)", "places.results.sortBy(p, p.population)", "places.results.sortBy(p, p.name)[0].name", "v_list_string.map(s, s.size() > 1, s + \"!\")", "w_map.map(k, k.size() > 0, w_map[k])", "w_map.filter(k, w_map[k] > 1)", "w_map.exists(k, v, v > 1)", "w_map.all(k, v, k != \"\" && v > 0)", "w_map.transformList(k, v, v)", "w_map.transformMap(k, v, v + 1)", "v_list_int.transformMap(i, v, v)",
	"v_list_int.transformList(i, v, i + v)", "v_list_int.exists(i, v, i == v)", "cel.bind(a, places.first, a.name + a.name)", "cel.bind(a, v_list_int.map(i, i), a[0] + a[1])", "size(v_list_int) > 2 && v_list_int[2] == 1", "size(v_list_int) >= 3 ? v_list_int[2] : 0", "size(v_list_int) != 0 && v_list_int[0] > 1", "0 < size(v_list_int) && v_list_int[0] > 1", "size(v_list_int) == 2 ? v_list_int[1] : v_list_int[0]", "v_list_int != [] && v_list_int[0] == 1", "!(size(v_list_int) < 3) && v_list_int[2] == 0", "size(v_list_int) <= 1 || v_list_int[1] == 0",
	"has(w_map.a) && has(w_map.b) ? w_map.a + w_map.b : 0", "has(places.first.name) || has(places.first.population)", "(has(places.first.name) && v_bool) || places.first.population == 1", "v_bool && (has(places.first.name) ? places.first.name == \"a\" : false)", "\"a\" in w_map && w_map.a > 1", "2 in w_keys ? w_keys[2] : \"none\"", "v_int in v_list_int", "v_string in [\"a\", \"b\"]", "1 in [1, \"a\", null]", "places.first.name in v_list_string",
	"v_timestamp == v_timestamp", "v_timestamp != timestamp(\"2026-01-02T03:04:05Z\")", "w_times == w_times", "v_bytes == v_bytes", "w_map != w_map", "w_row == w_row", "w_rows != w_rows", "w_opt_int == w_opt_int", "v_mode == \"a\"", "v_double == v_int", "w_free == w_free", "w_either == 1", "w_nulls == [null]", "places.first == places.first", "v_timestamp + v_duration", "v_timestamp - v_timestamp", "v_duration + v_duration > duration(\"1h\")", "v_int / 2 + v_int % 3 - -v_int", "v_uint + 1u", "v_double / 2.0",
	"math.greatest(1, v_int, 3)", "math.least(v_double, 1)", "math.greatest(w_free.a, 1)", "math.least([1, 2])", "math.greatest(v_list_int)", "string(places.first.size)", "int(places.first.extra.a)", "double(w_free.a)", "bool(w_free.a)", "string(null)", "type(v_int)", "places.first.heat.value", "has(places.first.heat.value)", "places.first.?heat.?value", "\"%s %d %.2f\".format([v_string, v_int, v_double])", "v_list_string.join(\",\")", "v_string.split(\",\")[?0].orValue(\"\")", "v_string.matches(\"^[a-z]+$\") && v_string.matches(\"b\")",
	"v_bool ? null : v_int", "v_bool ? w_opt_int : optional.of(1)", "v_bool ? w_row : w_rows[0]", "v_bool ? [] : w_nulls", "v_bool ? {} : w_map", "v_bool ? places.first : places.results[0]", "(v_bool ? places.first : places.results[0]).name", "optional.none().orValue(1)", "optional.of(v_int).hasValue()", "w_opt_int.or(optional.of(2)).orValue(1)", "w_opt_int.value()", "w_opt_text.optMap(t, t + \"!\")",
}

// TestRandomDumps holds what becomes of expressions that are made of every form and
// every type, as it is lowered and once it is tidied.
func TestRandomDumps(t *testing.T) {
	golden.NotRaced(t) // one thing after the other, and a lot of it
	source, scope := golden.NewExprSource(7, wideAtoms), wideScope()
	texts := slices.Clone(forms)
	for _, kind := range []string{"int", "double", "string", "bool", "list", "object", "dyn"} {
		texts = append(texts, wideAtoms[kind]...)
		for _, atom := range wideAtoms[kind] {
			texts = append(texts, "string("+atom+")", "["+atom+", "+atom+"]", "{\"a\": "+atom+"}", atom+" == "+atom, "v_bool ? "+atom+" : "+atom, "[1, 2].map(i, "+atom+")", atom+" == null", "[null, "+atom+"]", "v_list_int.exists(i, "+atom+" == i)", "["+atom+"][?0]")
		}
	}
	for range 6000 {
		texts = append(texts, source.Next())
	}
	var sections []front.Section
	var text strings.Builder
	sound := 0
	for _, e := range texts {
		if got := lowered(scope, e); got != "" {
			sound++
			text.WriteString("### " + e + "\n" + got)
			if sound%50 == 0 {
				sections = append(sections, front.Section{Name: fmt.Sprint(sound / 50), Text: text.String()})
				text.Reset()
			}
		}
	}
	if sound < 2000 {
		t.Errorf("only %d expressions are sound", sound)
	}
	front.Hold(t, "testdata/random.txt", sections)
}

// lowered is what becomes of an expression, "" if it is wrong.
func lowered(scope *expr.Scope, text string) string {
	n, problems := expr.Parse(text)
	if problems != nil {
		return ""
	}
	term, problems := expr.Check(n, scope, nil)
	if problems != nil {
		return ""
	}
	b := newBuilder()
	v := b.Lower(term, "x").V
	out := lower.Dump(b.Block()) + "-> " + lower.Text(v) + "\n"
	lower.Tidy(b.Block())
	reads := lower.Reads(b.Block())
	var names []string
	for name := range reads {
		names = append(names, name)
	}
	slices.Sort(names)
	return out + "tidied\n" + lower.Dump(b.Block()) + fmt.Sprintln(lower.CannotFail(b.Block()), lower.OnlyMissing(b.Block()), names)
}
