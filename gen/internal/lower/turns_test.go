package lower_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// metered lowers an expression over two answers, an input and a constant, and
// returns its statements as they are counted.
func metered(t *testing.T, text string) string {
	t.Helper()
	n, problems := expr.Parse(text)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	thing := &types.Type{Kind: types.Object, Name: "Thing", Fields: []*types.Field{
		{Name: "id", Type: types.StringType}, {Name: "tags", Type: types.ListOf(types.StringType)},
	}}
	thing.Fields = append(thing.Fields, &types.Field{Name: "parts", Type: types.ListOf(thing)})
	s := expr.NewScope(nil)
	s.Declare(&expr.Decl{Name: "a", Role: expr.RoleStep, Type: types.ListOf(thing)})
	s.Declare(&expr.Decl{Name: "b", Role: expr.RoleStep, Type: types.ListOf(thing)})
	s.Declare(&expr.Decl{Name: "ids", Role: expr.RoleStep, Type: types.ListOf(types.StringType)})
	s.Declare(&expr.Decl{Name: "long", Role: expr.RoleStep, Type: types.StringType})
	s.Declare(&expr.Decl{Name: "word", Role: expr.RoleLet, Type: types.StringType})
	s.Declare(&expr.Decl{Name: "known", Role: expr.RoleConst, Type: types.ListOf(types.StringType)})
	term, problems := expr.Check(n, s, nil)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	b := newBuilder()
	v := b.Lower(term, "x").V
	b.Emit(lower.Node{Data: nodeData{}, Uses: []lower.Value{v}})
	block := b.Block()
	lower.Tidy(block)
	lower.Meter(block, func(lower.Foreign) bool { return false }, "word", "known")
	return lower.Dump(block)
}

type nodeData struct{}

func (nodeData) String() string { return "uses" }

// TestMeter: what multiplies the turns of a loop is counted before, and nothing
// else is.
func TestMeter(t *testing.T) {
	for text, want := range map[string]string{
		// One loop, and loops over what belongs to an element.
		`a.filter(x, x.id == word)`:                                                           "",
		`a.filter(x, x.parts.exists(y, y.id == word))`:                                        "",
		`a.filter(x, x.parts.exists(y, y.parts.exists(z, z.id == word)))`:                     "",
		`a.filter(x, word in x.tags)`:                                                         "",
		`a.filter(x, x.id.contains(word)).map(x, x.id.split(",").map(y, y + word))`:           "",
		`a.map(x, x.id.replace("a", "b"))`:                                                    "",
		`a.filter(x, x.id in known).map(x, known.filter(k, k == x.id))`:                       "",
		`a.filter(x, x.id == word).filter(x, x.parts.exists(y, y.id == word))`:                "",
		`a.map(x, {"id": x.id, "parts": x.parts}).map(x, x.parts.filter(y, y.id == word))`:    "",
		`known.map(k, a.filter(x, x.id == k))`:                                                "",
		`lists.range(9).map(i, a.filter(x, size(x.id) == i))`:                                 "",
		`a.sortBy(x, x.id).map(x, x.tags.sort())`:                                             "",
		`a.map(x, x.tags).flatten().filter(x, x == word)`:                                     "",
		`long.split(",").filter(x, x == word)`:                                                "",
		`a.filter(x, "no-" + word == x.id && x.parts.exists(y, y.tags.exists(z, z == word)))`: "",
		// Another list, the same list, and lists of the loop around the next one.
		`a.filter(x, b.exists(y, x.id == y.id))`:                                            "take b",
		`a.filter(x, a.exists(y, x.id == y.id))`:                                            "take a",
		`a.filter(x, x.id in ids)`:                                                          "take ids",
		`a.filter(x, x.id == word || x.id in ids)`:                                          "take ",
		`a.filter(x, long.contains(x.id))`:                                                  "take long",
		`a.exists(x, b.exists(y, y.tags.exists(z, z == x.id)))`:                             "take b; take y.tags",
		`a.exists(x, x.parts.exists(y, x.tags.exists(z, z == y.id)))`:                       "take x2.tags",
		`a.map(x, b).exists(l, l.exists(y, y.id == word))`:                                  "take l",
		`a.map(x, {"all": b}).exists(l, l.all.exists(y, y.id == word))`:                     "take l.all",
		`a.map(x, {"all": long}).filter(x, x.all.contains(word))`:                           "take x2.all",
		`a.map(x, b[0]).filter(x, x.parts.exists(y, y.id == word))`:                         "take x2.parts",
		`a.filter(x, b.exists(y, y.id.contains(x.id)))`:                                     "take b; take *y.id",
		`a.filter(x, x.tags + ids == ids)`:                                                  "take ",
		`lists.range(size(a)).map(i, long.charAt(i))`:                                       "take long",
		`a.map(x, b.map(y, y.id)).flatten().filter(x, x in ids)`:                            "take b; take ids",
		`b.filter(y, a.filter(x, x.id == y.id).exists(x, x.parts.exists(z, z.id == y.id)))`: "take a; take list; take x2.parts",
	} {
		var takes []string
		for line := range strings.Lines(metered(t, text)) {
			if line = strings.TrimRight(strings.TrimLeft(line, "\t"), "\n"); strings.HasPrefix(line, "take") {
				takes = append(takes, line)
			}
		}
		if got := strings.Join(takes, "; "); got != want {
			t.Errorf("%s: %q, want %q\n%s", text, got, want, metered(t, text))
		}
	}
}

// TestMeterDeclares: the counter is declared where it is used, once for each function.
func TestMeterDeclares(t *testing.T) {
	for text, want := range map[string]int{
		`a.filter(x, x.id == word)`:                             0,
		`a.filter(x, x.id == word || x.id in ids)`:              0, // looks at the context alone
		`a.filter(x, x.id in ids && b.exists(y, y.id == x.id))`: 1,
	} {
		out := metered(t, text)
		if got := strings.Count(out, "turns\n"); got != want {
			t.Errorf("%s: %d, want %d\n%s", text, got, want, out)
		}
	}
}

// TestMeterKnowsEveryFunction: a function that goes over texts or lists is in one of
// the tables, or is known to take no longer for a longer argument.
func TestMeterKnowsEveryFunction(t *testing.T) {
	var got []string
	for _, id := range expr.SignatureIDs() {
		if !strings.Contains(id, "string") && !strings.Contains(id, "list") && !strings.Contains(id, "bytes") {
			continue
		}
		if name := lower.Unmetered(id); name != "" {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	// What these read of a text is a number or a time, and all but short ones end the chain.
	want := []string{"BoolOfText", "DoubleOfText", "DurationOfText", "IntOfText", "TextOfBool", "TextOfDouble", "TextOfDuration", "TextOfInt", "TextOfTime", "TextOfUint", "TimeOfText", "UintOfText"}
	if got = slices.Compact(got); !slices.Equal(got, want) {
		t.Errorf("functions that nothing counts: %q, want %q", got, want)
	}
}
