package naming_test

import (
	"go/token"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
)

// text is any text, and often one that is nearly a name.
var text = rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-zA-Z0-9_@+. -]{0,12}`), rapid.SampledFrom([]string{
	"", "type", "func", "Range", "get-user", "get_user", "9lives", "Ünïcode", "+1", "-1", "_", "__", "URL", "userIDs", "HTTPServer", "a.b", "\x00", "x\ny", "日本", "int", "nil", "init", "API_KEY",
}))

// TestLegal wants identifiers that are no keywords, exported or not as asked.
func TestLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		exported, local := naming.Exported(s), naming.Local(s)
		for _, name := range []string{exported, local} {
			if !token.IsIdentifier(name) || strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
				t.Fatalf("%q gives %q, which is no plain identifier", s, name)
			}
		}
		if !token.IsExported(exported) || token.IsExported(local) {
			t.Fatalf("%q gives %q exported and %q local", s, exported, local)
		}
	})
}

// TestStable wants a name to depend on the text alone, and to be its own name.
func TestStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		if a, b := naming.Exported(s), naming.Exported(s); a != b {
			t.Fatalf("%q gives %q and %q", s, a, b)
		}
	})
	for s, want := range map[string]string{
		"lookup_weather": "LookupWeather", "get-user": "GetUser", "@id": "ID", "user_ids": "UserIDs", "9lives": "X9lives", "type": "Type", "base_url": "BaseURL",
		"+1": "X1", "": "X", "*": "X2a", "gridId": "GridID", "nws_user_agent": "NWSUserAgent", "über": "Ber",
	} {
		if got := naming.Exported(s); got != want {
			t.Errorf("Exported(%q) = %q, want %q: released names must not change", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"gridId": "gridID", "lookup_weather": "lookupWeather", "type": "type_", "URL": "url", "X": "x", "9lives": "x9lives", "": "x", "func": "func_", "radar-station": "radarStation",
	} {
		if got := naming.Local(s); got != want {
			t.Errorf("Local(%q) = %q, want %q", s, got, want)
		}
	}
}

// TestUnique wants names that nobody has, inside or outside, whatever the
// order; and none that hides a predeclared one.
func TestUnique(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outer := naming.NewScope(nil, "ctx", "x2")
		inner := naming.NewScope(outer)
		seen := map[string]bool{"ctx": true, "x2": true, "len": true, "string": true, "nil": true, "any": true}
		for i := range rapid.IntRange(1, 30).Draw(t, "names") {
			scope := outer
			if i > 10 { // names outside come first: they are visible inside
				scope = inner
			}
			base := rapid.SampledFrom([]string{"x", "x2", "x23", "ctx", "len", "string", "nil", "any", "y1"}).Draw(t, "base")
			name := scope.Unique(base)
			if seen[name] {
				t.Fatalf("%q is handed out twice", name)
			}
			if !scope.Taken(name) || scope.Reserve(name) {
				t.Fatalf("%q is not taken after it was handed out", name)
			}
			seen[name] = true
		}
	})
}

// TestScopes wants names of a block to be free again beside it.
func TestScopes(t *testing.T) {
	outer := naming.NewScope(nil)
	if a, b := naming.NewScope(outer).Unique("v"), naming.NewScope(outer).Unique("v"); a != "v" || b != "v" {
		t.Errorf("two blocks get %q and %q", a, b)
	}
	if !outer.Reserve("v") || outer.Reserve("v") {
		t.Error("v can be taken once outside")
	}
	if got := naming.NewScope(outer).Unique("v"); got == "v" {
		t.Error("a block hides a name from outside")
	}
	outer.Release("v")
	if got := outer.Unique("v"); got != "v" {
		t.Errorf("a released name is %q", got)
	}
}

// TestTables pins what vendors' code depends on: a name that changes here is
// another name in their package.
func TestTables(t *testing.T) {
	want := "API HTTP HTTPS ID IDs IP JSON SQL URI URL UTC UUID XML HTML NWS US"
	var got []string
	for name := range strings.FieldsSeq(strings.ToLower(want)) {
		got = append(got, naming.Exported(name))
	}
	if text := strings.Join(got, " "); text != want {
		t.Errorf("initialisms: %s", text)
	}
	s := naming.NewScope(naming.NewScope(nil))
	for name := range strings.FieldsSeq("any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false float32 float64 imag int int16 int32 " +
		"int64 int8 iota len make max min new nil panic print println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr init main") {
		if !s.Taken(name) || s.Reserve(name) {
			t.Errorf("%s would hide what Go declares", name)
		}
	}
	long := strings.Repeat("word ", 40)
	if n := len(naming.Snake(long)); n != 104 {
		t.Errorf("a long sentence has %d letters", n)
	}
	for in, want := range map[string]string{"": "X", "+1": "X1", "1+": "X1", "+": "X2b", "+-": "X2b2d", "é~": "Xe97e", "type": "type_", "2 a": "X2_a", "One TWO": "one_two"} {
		if got := naming.Snake(in); got != want {
			t.Errorf("Snake(%q) = %s, want %s", in, got, want)
		}
	}
	u := naming.NewScope(nil, "a", "a9", "7")
	for i, want := range []string{"a2", "a3", "b"} {
		if got := u.Unique([]string{"a", "a", "b"}[i]); got != want {
			t.Errorf("a name is %s, want %s", got, want)
		}
	}
	if got := u.Unique("a9"); got != "a4" {
		t.Errorf("a name with a number is %s", got)
	}
	if got := u.Unique("7"); got != "72" {
		t.Errorf("a number is %s", got)
	}
}
