package expr_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// plain returns a copy of a tree without positions.
func plain(n *expr.Node) *expr.Node {
	out := &expr.Node{Kind: n.Kind, Name: n.Name, Member: n.Member, Opt: n.Opt, Lit: n.Lit}
	for _, a := range n.Args {
		out.Args = append(out.Args, plain(a))
	}
	out.Opts = append(out.Opts, n.Opts...) // none and empty are the same
	return out
}

// roundTrip reports what is wrong with printing a tree and reading it again.
func roundTrip(n *expr.Node) string {
	text := expr.Print(n)
	again, problems := expr.Parse(text)
	if problems != nil {
		return "cannot be read again: " + text + ": " + problems[0].Message
	}
	if !reflect.DeepEqual(plain(n), plain(again)) {
		return "reads as another tree: " + text + " gives " + expr.Print(again)
	}
	return ""
}

var nodeNames = rapid.SampledFrom([]string{"a", "b_1", "input", "places", "_"})

// nodes generates trees as the parser makes them.
func nodes(depth int) *rapid.Generator[*expr.Node] {
	return rapid.Custom(func(t *rapid.T) *expr.Node {
		kinds := []expr.NodeKind{expr.NLit, expr.NName}
		if depth > 0 {
			kinds = append(kinds, expr.NSelect, expr.NIndex, expr.NCall, expr.NList, expr.NMap, expr.NUnary, expr.NBinary, expr.NCond)
		}
		n := &expr.Node{Kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
		arg := func() { n.Args = append(n.Args, nodes(depth-1).Draw(t, "arg")) }
		switch n.Kind {
		case expr.NLit:
			n.Lit = literal(t)
		case expr.NName:
			n.Name = nodeNames.Draw(t, "name")
		case expr.NSelect:
			n.Name, n.Opt = rapid.SampledFrom([]string{"f", "radar-station", "in", "@id", "true", "for", "ü", "\n"}).Draw(t, "field"), rapid.Bool().Draw(t, "opt")
			arg()
		case expr.NIndex:
			n.Opt = rapid.Bool().Draw(t, "opt")
			arg()
			arg()
		case expr.NCall:
			n.Name, n.Member = rapid.SampledFrom([]string{"f", "size", "map"}).Draw(t, "call"), rapid.Bool().Draw(t, "member")
			for range rapid.IntRange(map[bool]int{true: 1}[n.Member], 3).Draw(t, "args") {
				arg()
			}
		case expr.NList, expr.NMap:
			for range rapid.IntRange(0, 3).Draw(t, "items") {
				n.Opts = append(n.Opts, rapid.Bool().Draw(t, "opt"))
				arg()
				if n.Kind == expr.NMap {
					arg()
				}
			}
		case expr.NUnary:
			n.Name = rapid.SampledFrom([]string{"!", "-"}).Draw(t, "op")
			arg()
		case expr.NBinary:
			n.Name = rapid.SampledFrom([]string{"||", "&&", "<", "<=", ">", ">=", "==", "!=", "in", "+", "-", "*", "/", "%"}).Draw(t, "op")
			arg()
			arg()
		case expr.NCond:
			arg()
			arg()
			arg()
		}
		return n
	})
}

func literal(t *rapid.T) any {
	return rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any](false),
		rapid.Map(rapid.Int64(), func(i int64) any { return i }),
		rapid.Map(rapid.Uint64(), func(u uint64) any { return u }),
		rapid.Map(rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }), func(f float64) any { return f }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return append([]byte{}, b...) }),
	).Draw(t, "lit")
}

// TestRoundTrip prints trees and reads them again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if why := roundTrip(nodes(4).Draw(t, "tree")); why != "" {
			t.Fatal(why)
		}
	})
}

// FuzzParse reads any text as expression and as template: no panic, places
// inside of the text, and what can be read is printed as the same.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`places.results.filter(r, r.?admin1.orValue("") == "x")[0]`, `a ? b : c ? d : e`, `-1 - -x`, `--x`, `!(!x)`, "-(-1)", `"a\u00e9\n" + r'\' + b'\xff' + """x"""`,
		`{"a": 1, ?"b": [?x, 1u], 2: .5e-3}`, `0x1F + 010`, "x.`a-b`.?`in`[?0]", `f(1)(2)`, `a.b.c(d, e)`, `${a} text $${b} ${"}"}`, `${`, `a /* b`, "a // b\n+ c", `9223372036854775808`,
		`-9223372036854775808`, `1.e3`, `'`, "`", `"\`, `"\u12`, `a..b`, `a.?b(c)`, `[?`, `{?`, `((((`, `in`, `a in b in c`, `x{`, "\xff", `"` + "\xff" + `"`, "a\u2028b", `-9223372036854775808.f`, `- 1`, `!-x`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, problems := expr.Parse(text)
		check := func(problems []expr.Problem) {
			for _, p := range problems {
				if p.Start < 0 || p.End < p.Start || p.End > len(text) || p.Message == "" || p.Rule.String() == "" {
					t.Errorf("problem %+v does not stand in %q", p, text)
				}
			}
		}
		check(problems)
		if problems == nil {
			if why := roundTrip(n); why != "" {
				t.Error(why)
			}
			_, problems = expr.Check(n, scope(), nil)
			check(problems)
		}
		tmpl, problems := expr.ParseTemplate(text)
		check(problems)
		if problems == nil {
			_, problems = expr.CheckTemplate(tmpl, scope(), nil)
			check(problems)
		}
	})
}

// atoms are the parts that random expressions are built of, over scope.
var atoms = map[string][]string{
	"int": {"1", "0", "-7", "9223372036854775807", "place.population", "0x1F", "words.a", "input.limit"}, "double": {"1.5", "0.0", ".5e-3", "place.latitude", "1e300"},
	"string": {`"a"`, `'é'`, `r"\d"`, "place.name", "place.kind", "input.city", "place.`radar-station`"}, "bool": {"true", "false", "has(place.name)"},
	"list": {"places", "place.tags", "[1]", "place.extra.items"}, "object": {"place", "places[0]", "input"}, "dyn": {"place.extra", "place.extra.a", "null", "bad"},
}

// TestRandomExpressions reads, checks and prints expressions at random: no
// panic, places inside of the text, and what can be read is printed as the
// same. SCULPT_FUZZ says how many, make fuzz takes a million.
func TestRandomExpressions(t *testing.T) {
	source := golden.NewExprSource(1, atoms)
	scope := scope()
	read, sound := 0, 0
	count := golden.FuzzCount(t)
	for range count {
		canBeRead, isSound := tryText(t, source.Next(), scope)
		if canBeRead {
			read++
		}
		if isSound {
			sound++
		}
	}
	t.Logf("%d expressions, %d can be read, %d are sound", count, read, sound)
	if read < count/2 || sound < count/5 {
		t.Errorf("of %d expressions %d can be read and %d are sound: too few to say anything", count, read, sound)
	}
}

// tryText reads, prints and checks a text.
func tryText(t *testing.T, text string, scope *expr.Scope) (read, sound bool) {
	n, problems := expr.Parse(text)
	if problems == nil {
		read = true
		if why := roundTrip(n); why != "" {
			t.Fatalf("%q: %s", text, why)
		}
		_, problems = expr.Check(n, scope, nil)
		sound = problems == nil
	}
	for _, p := range problems {
		if p.Start < 0 || p.End < p.Start || p.End > len(text) || p.Message == "" || p.Rule.String() == "" {
			t.Fatalf("problem %+v does not stand in %q", p, text)
		}
	}
	return read, sound
}

// FuzzExpression looks for the seed of an expression that goes wrong.
func FuzzExpression(f *testing.F) {
	f.Add(uint64(1))
	scope := scope()
	f.Fuzz(func(t *testing.T, seed uint64) { tryText(t, golden.NewExprSource(seed, atoms).Next(), scope) })
}

// scope declares a little of everything.
func scope() *expr.Scope {
	place := &types.Type{Kind: types.Object, Name: "Place", Fields: []*types.Field{
		{Name: "name", Type: types.StringType, Required: true}, {Name: "latitude", Type: types.DoubleType}, {Name: "population", Type: types.IntType},
		{Name: "kind", Type: types.EnumOf("City", "Town", "Village")}, {Name: "extra", Type: types.DynOf("free-form object")},
		{Name: "tags", Type: types.ListOf(types.StringType)}, {Name: "radar-station", Type: types.StringType},
		{Name: "temperature", Type: &types.Type{Kind: types.Union, Variants: []*types.Type{types.IntType, types.StringType}}},
	}}
	s := expr.NewScope(nil)
	s.Declare(&expr.Decl{Name: "place", Role: expr.RoleStep, Type: place})
	s.Declare(&expr.Decl{Name: "places", Role: expr.RoleStep, Type: types.ListOf(place)})
	s.Declare(&expr.Decl{Name: "words", Role: expr.RoleConst, Type: types.MapOf(types.StringType, types.IntType)})
	s.Declare(&expr.Decl{Name: "last", Role: expr.RoleConst, Type: types.IntType, Literal: &expr.Term{Op: expr.OpConst, Type: types.IntType, Lit: int64(-1)}})
	s.Declare(&expr.Decl{Name: "answer", Role: expr.RoleStep, Type: types.OpaqueOf("the operation documents no JSON answer")})
	s.Declare(&expr.Decl{Name: "bad", Role: expr.RoleLet, Type: types.InvalidType})
	s.Declare(&expr.Decl{Name: "input", Role: expr.RoleInput, Type: &types.Type{Kind: types.Object, Record: true, Fields: []*types.Field{
		{Name: "city", Type: types.StringType, Required: true}, {Name: "limit", Type: types.IntType, Optional: true},
	}}})
	return s
}

// TestPlaces wants each problem at the very bytes that are wrong, marked here
// by «», also behind characters of several bytes.
func TestPlaces(t *testing.T) {
	const narrow = "narrow it with string(...), int(...), double(...) or bool(...)"
	for _, test := range []struct{ text, rule, fix string }{
		{`place.«latitud»`, "unknown-field", `write "latitude"`},
		{`«plac».name`, "unknown-name", `write "place"`},
		{`places.filter(p, p.«nmae» == "é")[0]`, "unknown-field", `write "name"`},
		{`"é" + place.«nmae»`, "unknown-field", `write "name"`},
		{`place.name «+» place.population`, "wrong-type", "convert the other side with string(...)"},
		{`place.extra.foo «+» 1`, "no-type", narrow},
		{`place.extra.a.b[0].«lowerAscii»()`, "no-type", narrow},
		{`places.filter(p, «p.extra.open»)`, "wrong-type", "write bool(...)"},
		{`place.extra.foo «<» 3`, "no-type", narrow},
		{`places.map(p, {"a": p.name, "b": «input.limit»})`, "may-be-missing", "write ? before the key to leave it out, or .orValue(...)"},
		{`int(«place.extra.?foo»)`, "may-be-missing", "give a default, or write .orValue(...)"},
		{`place.extra «==» places`, "no-type", narrow},
		{`«place.extra.items.all(k, v, k == v)»`, "expression-not-supported", "write it another way"},
		{`answer.«id»`, "no-type", "read the answer of another operation"},
		{`«type(place.name)»`, "expression-not-supported", "write it another way"},
		{`places.map(p, «p.name == "x" ? null : 1»)`, "may-be-missing", "give a default, or write .orValue(...)"},
		{`place.kind == «"Citty"»`, "unknown-enum-value", `write "City"`},
		{`«"Citty"» == place.kind`, "unknown-enum-value", `write "City"`},
		{`place.kind in ["City", «"Twon"»]`, "unknown-enum-value", `write "Town"`},
		{`«in».period`, "syntax", "use another name; the inputs are called input"},
		{`place.name +«»`, "syntax", ""},
		{`place «=» 3`, "syntax", "use == to compare"},
		{`places.«name»`, "not-an-object", "pick an element first: [0], or filter(x, ...)[0]"},
		{`«input.limit» + 1`, "may-be-missing", "give a default, or write .orValue(...)"},
		{`place.name.«lowerascii»()`, "unknown-function", "write lowerAscii(...)"},
		{`places.filter(p, «p.population»)`, "wrong-type", "write a comparison"},
		{`places[«"a"»]`, "wrong-type", "write int(...)"},
		{`words[«1»]`, "wrong-type", ""},
		{`places[«last»]`, "wrong-type", "count from 0, or write .last()"},
		{`cel.bind(i, last - 1, places[«i»])`, "wrong-type", "count from 0, or write .last()"},
		{`["a", "b"][«2»]`, "wrong-type", "use a smaller index"},
		{`cel.bind(l, ["a", "b"], l[«2»])`, "wrong-type", "use a smaller index"},
		{`{1: "a"}[«last»]`, "wrong-type", "use one of its keys, or write [?...]"},
		{`«1 / (last + 1»)`, "wrong-type", "divide by another number"},
		{`cel.bind(m, 9223372036854775807, «m - last»)`, "wrong-type", "use smaller numbers"},
		{`{1: "a", «last + 2»: "b"}[1]`, "syntax", "remove one of them"},
		{`place.name.matches(«"("»)`, "syntax", "write an RE2 pattern"},
		{`regex.extract(place.name, «"(a)(b)"»)`, "wrong-type", "write the other groups as (?:...)"},
		{`regex.extractAll(place.name, «place.name»)`, "expression-not-supported", "write the pattern as a literal"},
		{`regex.replace(place.name, "a", «place.name»)`, "expression-not-supported", "write the replacement as a literal"},
		{`regex.replace(place.name, "a", «"\\1"»)`, "wrong-type", `write \\0 for the whole match and \\1 for the first group, in quotes`},
		{`regex.replace(place.name, "a", «"b\\"»)`, "wrong-type", `write \\0 for the whole match and \\1 for the first group, in quotes`},
		{`regex.«extract»(place.population, "a")`, "wrong-type", ""},
		{`size(«"»open)`, "syntax", `close it with "`},
	} {
		text := strings.NewReplacer("«", "", "»", "").Replace(test.text)
		start := strings.Index(test.text, "«")
		end := strings.Index(test.text, "»") - len("«")
		n, problems := expr.Parse(text)
		if problems == nil {
			_, problems = expr.Check(n, scope(), nil)
		}
		if len(problems) != 1 {
			t.Errorf("%s: %d problems: %v", text, len(problems), problems)
			continue
		}
		if p := problems[0]; p.Rule.String() != test.rule || p.Start != start || p.End != end || p.Fix != test.fix {
			t.Errorf("%s: got %s at %d to %d (%s), fix %q; want %s at %d to %d, fix %q", text, p.Rule.String(), p.Start, p.End, p.Message, p.Fix, test.rule, start, end, test.fix)
		}
	}
}

// TestPoison wants no second report about a name whose declaration is wrong.
func TestPoison(t *testing.T) {
	for _, text := range []string{`bad`, `bad.x.y + 1`, `bad[0] == "a" ? bad : 1`, `places.map(p, bad)`, `[bad, 1, "a"].size()`, `{"a": bad}.a`, `"x" + bad`, `f.orValue(bad)`} {
		text = strings.Replace(text, "f.", "place.?name.", 1)
		n, problems := expr.Parse(text)
		if problems != nil {
			t.Fatal(problems)
		}
		if term, problems := expr.Check(n, scope(), nil); len(problems) > 0 || term == nil {
			t.Errorf("%s: %v", text, problems)
		}
	}
}

// TestFreeNames leaves out what macros bind, and only where they bind it.
func TestFreeNames(t *testing.T) {
	for text, want := range map[string]string{
		`a + b.c`:                             "a b",
		`xs.map(x, x + y)`:                    "xs y",
		`x.map(x, x)`:                         "x",
		`xs.filter(x, ys.all(y, y == x + z))`: "xs ys z",
		`xs.map(x, x > 0, x) + x`:             "xs x",
		`cel.bind(x, x + 1, x)`:               "x",
		`xs.transformList(i, v, i + v + w)`:   "xs w",
		`xs.all(i, v, v) || v`:                "xs v",
		`o.optMap(v, v)`:                      "o",
		`s.replace(a, b)`:                     "s a b",
		`math.round(a)`:                       "math a",
		`f(x, y)`:                             "x y",
	} {
		n, problems := expr.Parse(text)
		if problems != nil {
			t.Fatal(problems)
		}
		var got []string
		for _, f := range expr.FreeNames(n) {
			got = append(got, f.Name)
		}
		if got = slices.Compact(got); strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", text, got, want)
		}
	}
}

// TestFacts wants a guard to count where it holds and nowhere else.
func TestFacts(t *testing.T) {
	for text, want := range map[string]string{
		`input.limit.hasValue() ? input.limit + 1 : 0`:                     "",
		`input.limit.hasValue() ? 0 : input.limit + 1`:                     "may-be-missing",
		`input.limit == null ? 0 : input.limit + 1`:                        "",
		`!(input.limit == null) && input.limit > 1`:                        "",
		`input.limit == null || input.limit > 1`:                           "",
		`input.limit == null && input.limit > 1`:                           "may-be-missing",
		`input.limit.hasValue() || input.limit > 1`:                        "may-be-missing",
		`has(input.limit) && places.exists(p, p.population > input.limit)`: "",
		`(has(input.limit) && true) && input.limit > 1`:                    "",
		`(has(input.limit) || true) && input.limit > 1`:                    "may-be-missing",
		`has(input.limit) ? input.limit.value() : 1`:                       "",
		`place.?name.hasValue() ? place.?name.optMap(n, n).size() : 1`:     "may-be-missing",
	} {
		n, problems := expr.Parse(text)
		if problems == nil {
			_, problems = expr.Check(n, scope(), nil)
		}
		got := ""
		if len(problems) > 0 {
			got = problems[0].Rule.String()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
