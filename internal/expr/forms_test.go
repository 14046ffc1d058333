package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// operands are values of every type, some of them known before anything runs.
var operands = strings.Fields(`1 0 -9223372036854775808 7u 1.5 1e300 "a" "" b"a" true null [] [1,2] [1,"a"] [null] {} {"a":1} {1:"a"} {"a":null} optional.none() optional.of(1) ` +
	`place place.name place.kind place.temperature place.?name place.extra place.extra.?a place.tags places places[0] words answer bad input.limit input.city last ` +
	`timestamp("2026-01-02T03:04:05Z") duration("1h") sorts united counts.?a kinds size`)

// ofOne and ofTwo are what expressions do with operands a and b.
var (
	ofOne = strings.Split(`a; -a; !a; a[0]; a["a"]; a[?0]; a[-1]; a[true]; a.name; a.?name; a.nope; a.?a; has(a.name); has(a.tags); size(a); a.size(); int(a); uint(a); double(a); string(a); bool(a); `+
		`bytes(a); type(a); dyn(a); a == null; null != a; a.hasValue(); a.value(); a.first(); a.last(); a.distinct(); a.sort(); a.reverse(); a.flatten(); a.flatten(2); a.take(1); a.take(-1); `+
		`a.slice(0, 1); a.join(); a.join(","); a.trim(); a.split(","); a.charAt(0); a.getFullYear(); a.getHours("UTC"); a.map(x, x); a.map(x, x != null, x); a.filter(x, x == 1); a.all(x, true); `+
		`a.all(i, x, i == 0); a.exists(x, x); a.exists_one(x, x == "a"); a.existsOne(i, x, true); a.sortBy(x, x); a.transformList(i, x, x); a.transformList(i, x, i == 0, x); a.transformMap(k, x, x); `+
		`a.transformMap(k, x, k != "a", x); a.transformMapEntry(k, x, {k: x}); a.optMap(x, x); a.optFlatMap(x, optional.of(x)); a.optFlatMap(x, x); a.all(x, x, x); optional.of(a); `+
		`optional.ofNonZeroValue(a); optional.nope(a); math.abs(a); math.greatest(a); math.least([1, a]); math.round(a); math.sign(a); math.sqrt(a); math.isNaN(a); math.bitAnd(a, 1); `+
		`lists.range(a); strings.quote(a); base64.encode(a); urlencode(a); timestamp(a); duration(a); extra(a); extra(a).b; a.matches("^a"); a.format([1]); "%s %d".format([a, a]); "%.2f%%".format([a]); `+
		`[a, ?a]; {"k": a}.k; {"k": a, ?"l": a}; {a: 1}; {a: 1, "b": 2}["b"]; {"k": a}[?"k"].orValue(1); cel.bind(x, a, x); cel.bind(x, a, x + x); a ? 1 : 2; [a][0]; [a][1]; a.unknown(); nope(a); `+
		`a.map(size, size); (a); -(-a); !!a; a.tags[0].name; a{x: 1}; a."b"; [a].all(x, x == a); caller.user(a); a.map(1, 2); a.transformList(x, x, x)`, "; ")
	ofTwo = strings.Split(`a + b; a - b; a * b; a / b; a % b; a == b; a != b; a < b; a <= b; a > b; a >= b; a in b; a && b; a || b; true ? a : b; a[b]; a[?b]; [a, b]; {"x": a, "y": b}; {a: b}; `+
		`{"x": a}["x"] == b; a.orValue(b); a.or(b); math.greatest(a, b); math.least([a, b]); a.contains(b); a.indexOf(b); a.replace(b, "x"); a.substring(0, b); a.take(b); a.slice(b, 2); `+
		`cel.bind(x, a, x == b); a.map(x, b); a.filter(x, x in b); a.exists(x, x == b); a == null ? b : a; a != null && b == a; has(a.name) ? a.name == b : true; a.sortBy(x, b)`, "; ")
)

// wide is scope, with what only some documents have.
func wide() *expr.Scope {
	s := scope()
	union := &types.Type{Kind: types.Union, Variants: []*types.Type{types.ListOf(types.StringType), types.MapOf(types.StringType, types.IntType), types.StringType}}
	s.Declare(&expr.Decl{Name: "sorts", Role: expr.RoleStep, Type: union})
	s.Declare(&expr.Decl{Name: "united", Role: expr.RoleStep, Type: &types.Type{Kind: types.Union, Variants: []*types.Type{
		{Kind: types.Object, Name: "A", Fields: []*types.Field{{Name: "name", Type: types.StringType, Required: true}}}, types.BoolType}}})
	s.Declare(&expr.Decl{Name: "counts", Role: expr.RoleStep, Type: types.MapOf(types.StringType, types.UintType)})
	s.Declare(&expr.Decl{Name: "kinds", Role: expr.RoleInput, Type: types.EnumOf("City", "Town")})
	s.Declare(&expr.Decl{Name: "size", Role: expr.RoleStep, Type: types.OptionalOf(types.IntType), When: known(s)})
	s.Declare(&expr.Decl{Name: "secret", Role: expr.RoleCaller, Type: types.StringType, Func: true})
	return s
}

// known is a condition.
func known(s *expr.Scope) *expr.Term {
	n, _ := expr.Parse(`places.size() > 0`)
	t, _ := expr.Check(n, s, nil)
	return t
}

// singles are expressions that need no operands.
var singles = strings.Split(`size; places.size() > 0 ? size : 0; places.size() == 0 ? 0 : size; places.size() >= 1 && size > 1; !(places.size() > 0) || size == 1; size(places) != 0 && size > 1; `+
	`secret("a"); secret(1); secret("a" + "b"); secret; secret("a", "b"); secret(input.city); "\u00e9\U0001F600\x41\101\n\t\\\"\'\`+"`"+`\a\b\f\r\v\?"; "\U00110000"; "\ud800"; b"\u0041"; '''a'b'''; `+
	`"""a`+"\n"+`"b"""; r'\n'; R"\q"; b'\xff'; 0x7FFFFFFFFFFFFFFF; 0x8000000000000000; 9223372036854775808; -9223372036854775808; 18446744073709551615u; 18446744073709551616u; 1e309; 1.e1; .5; 1..2; 1u.size(); `+
	`9223372036854775807 + 1; -9223372036854775808 - 1; 9223372036854775807 * 2; -9223372036854775808 / -1; 5 % 0; -9223372036854775808 % -1; 7u - 8u; 7u + 18446744073709551615u; 7u / 0u; 1.0 / 0.0; 0.0 / 0.0; `+
	`1 < 1.5; 1 == 1.0; "a" < "b"; 1u < 2u; true < false; b"a" < b"b"; [1] == [1.0]; {"a": 1, "a": 2}; {1: 1, 1u: 2}; {1: 2, 1.0: 3}; {true: 1, false: 2}; {"a": 1, ?"b": place.?name}; {?1: place.?name}; `+
	`place.kind == "Cty"; place.kind in ["City", "Hamlet"]; place.kind + "x"; {"City": 1, "Town": 2}[place.kind]; {"City": 1, "Town": 2, "Village": 3}[place.kind]; {"City": 1, "Town": 2}[kinds]; {"City": 1}[?kinds]; `+
	`places.size() >= 0; places.size() < 0; place.name.size() < 0; size(place.tags) > -1; input.city.size() >= 0 && true; !has(place.nope); has(place); has(places[0]); has(words.a); has(words["a"]); `+
	`place.name.matches(place.name); place.name.matches("(?=a)"); place.name.matches("["); a.b.c; _; in; for; import; true.x; null.x; "a".b; 1.b; place.(a); place..a; place.1; place.`+"`x y`"+`; place.`+"``"+`; `+
	`[1, 2; {"a": 1; (1; f(1; [1,]; {"a": 1,}; f(1,); [,1]; {,}; 1 ? 2; 1 ? 2 : ; a ? b : c ? d : e; 1 +; * 2; 1 2; "a" "b"; !; -; //c; 1 // c; $; @a; #; a; &; |; =; a = b; a === b; a <> b; a and b; not a; a ?? b; a?.b`, "; ")

// TestFrontForms holds every form of expression over every kind of operand:
// the checked term, or what is wrong, where, and what to write.
func TestFrontForms(t *testing.T) {
	golden.NotRaced(t)
	var sections []front.Section
	s := wide()
	for _, text := range singles {
		sections = append(sections, front.Section{Name: fmt.Sprintf("%q", text), Text: judgedIn(text, s)})
	}
	for _, form := range ofOne {
		var all strings.Builder
		for _, a := range operands {
			all.WriteString(judgedIn(with(form, a, ""), s))
		}
		sections = append(sections, front.Section{Name: form, Text: all.String()})
	}
	for _, form := range ofTwo {
		for _, a := range operands {
			var all strings.Builder
			for _, b := range operands {
				all.WriteString(judgedIn(with(form, a, b), s))
			}
			sections = append(sections, front.Section{Name: form + " of " + a, Text: all.String()})
		}
	}
	front.Hold(t, "testdata/forms.txt", sections)
}

// with puts operands in the places of the words a and b.
func with(form, a, b string) string {
	var out strings.Builder
	for i, c := range form {
		alone := (i == 0 || strings.ContainsRune(" ([{!-?:", rune(form[i-1]))) && (i+1 == len(form) || strings.ContainsRune(" )]},.:[{", rune(form[i+1])))
		switch {
		case c == 'a' && alone:
			out.WriteString(a)
		case c == 'b' && alone:
			out.WriteString(b)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}
