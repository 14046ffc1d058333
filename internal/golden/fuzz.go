package golden

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// An ExprSource makes texts of expressions at random: mostly sound ones, some
// with operands of a wrong type, some with a wound in the text. The same seed
// gives the same texts.
type ExprSource struct {
	random *rand.Rand
	// atoms are expressions by the kind of their value.
	atoms map[string][]string
	vars  []string
}

// NewExprSource returns a source that builds on atoms: expressions by kind
// (int, double, string, bool, list, object, dyn), each of which needs one.
func NewExprSource(seed uint64, atoms map[string][]string) *ExprSource {
	return &ExprSource{random: rand.New(rand.NewPCG(seed, 1)), atoms: atoms}
}

// exprForms are the forms of a value of each kind: a capital letter stands for
// an operand (Int, Double, String, Bool, List, Object, dYn), x for a variable.
var exprForms = map[string][]string{
	"int":    {"I + I", "I - I", "I * I", "I / I", "I % I", "-I", "size(L)", "S.size()", "B ? I : I", "int(D)", "int(Y)", "S.indexOf(S)", "[I, I][I]", "(I)", "L.size()", "{1: I}[I]", "cel.bind(x, I, x + I)"},
	"double": {"D + D", "D * I", "D / D", "-D", "math.round(D)", "double(I)", "double(S)", "B ? D : I", "math.greatest(D, I)", "double(Y)"},
	"string": {"S + S", "string(I)", "string(D)", "S.trim()", "S.substring(I)", "S.split(S)[I]", "B ? S : S", "L.map(x, S).join(S)", "string(Y)", "{\"k\": S}.k", "\"%s-%d\".format([S, I])", "[S][?I].orValue(S)", "S.replace(S, S)"},
	"bool":   {"I < I", "D >= I", "S == S", "B && B", "B || B", "!B", "S in [S, S]", "L.exists(x, B)", "L.all(x, B)", "has(O.name)", "Y == I", "Y != S", "S.contains(S)", "S.matches(\"^a+$\")", "L == L", "Y.?f.hasValue()", "I in [I, D]", "O.name == null"},
	"list":   {"[I, I]", "[]", "[S, I, null]", "L + L", "L.filter(x, B)", "[I].map(x, I)", "[O].map(x, {\"a\": I, ?\"b\": [S][?I]})", "L.sortBy(x, S)", "L.take(I)", "[S, ?[S][?I]]", "lists.range(I)"},
	"object": {"B ? O : O", "[O][I]", "{\"name\": S}", "cel.bind(x, O, x)"},
	"dyn":    {"Y.f", "Y[\"k\"]", "Y[I]", "B ? Y : Y", "Y.?g.orValue(I)", "[I, S][I]", "{1: I, \"a\": S}[S]"},
}

var exprKinds = map[rune]string{'I': "int", 'D': "double", 'S': "string", 'B': "bool", 'L': "list", 'O': "object", 'Y': "dyn"}

var kindOrder = []string{"int", "double", "string", "bool", "list", "object", "dyn"}

// Next returns a text.
func (s *ExprSource) Next() string {
	s.vars = s.vars[:0]
	text := s.value(kindOrder[s.random.IntN(len(kindOrder))], 1+s.random.IntN(4))
	for s.random.IntN(4) == 0 {
		text = s.wound(text)
	}
	return text
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func (s *ExprSource) value(kind string, depth int) string {
	if s.random.IntN(50) == 0 {
		kind = kindOrder[s.random.IntN(len(kindOrder))]
	}
	if depth == 0 || s.random.IntN(6) == 0 {
		if len(s.vars) > 0 && s.random.IntN(3) == 0 {
			return pick(s.random, s.vars)
		}
		return pick(s.random, s.atoms[kind])
	}
	form := pick(s.random, exprForms[kind])
	name := "x" + strconv.Itoa(len(s.vars))
	binds := strings.Contains(form, "(x, ")
	var b strings.Builder
	for i, r := range form {
		switch {
		case exprKinds[r] != "" && !partOfWord(form, i):
			b.WriteString(s.operand(exprKinds[r], depth-1))
		case r == 'x' && binds && !partOfWord(form, i):
			b.WriteString(name)
			if strings.HasSuffix(form[:i], "(") {
				s.vars = append(s.vars, name)
			}
		default:
			b.WriteRune(r)
		}
	}
	if binds {
		s.vars = s.vars[:len(s.vars)-1]
	}
	return b.String()
}

// operand puts parentheses around what would otherwise bind looser.
func (s *ExprSource) operand(kind string, depth int) string {
	text := s.value(kind, depth)
	if strings.ContainsAny(text, " -!") {
		return "(" + text + ")"
	}
	return text
}

func partOfWord(text string, i int) bool {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] == '%' || text[i] == '"' || text[i] == '\\')
	}
	return letter(i-1) || letter(i+1)
}

// wounds are what a text is hurt with.
var wounds = []string{
	"", "(", ")", "[", "]", "{", "}", ".", "?", ":", ",", "\"", "'", "`", "\\", "!", "-", "+", "&&", "in", "null", "has(", ".?", "[?", "0x", "1e", "u", "r\"", "b'",
	"\x00", "\xff", "é", "\u2028", "//", "\n", " ", "9223372036854775808", "1.5.", "true", "for", "@", "$", "..", "x{",
}

// wound cuts out some bytes, and puts something else in their place.
func (s *ExprSource) wound(text string) string {
	from := s.random.IntN(len(text) + 1)
	to := min(len(text), from+s.random.IntN(4))
	return text[:from] + pick(s.random, wounds) + text[to:]
}

// FuzzCount is how many texts a test takes from an ExprSource: SCULPT_FUZZ, or
// else few enough for every run, fewer still under the race detector.
func FuzzCount(t testing.TB) int {
	t.Helper()
	text := os.Getenv("SCULPT_FUZZ")
	switch {
	case text == "" && Race:
		return 10_000
	case text == "":
		return 100_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SCULPT_FUZZ: %v", err)
	}
	return n
}
