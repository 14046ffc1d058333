package value

import (
	"strings"
	"testing"
	"testing/quick"
	"unicode"
)

// TestHidden: what nobody sees goes, what writing needs stays.
func TestHidden(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"controls":               {"a\x00b\x1b[2J\r\x7f\u0085c\n\t", "ab[2Jc\n\t"},
		"directions":             {"a\u202eb\u2066c\u200e\u061cd", "abcd"},
		"tags":                   {"hi\U000e0001\U000e0049\U000e0067\U000e007f", "hi"},
		"tags that nobody uses":  {"hi\U000e0fff", "hi"},
		"tags after a flag":      {"\U0001f3f4\U000e0067\U000e007f", "\U0001f3f4"},
		"variation selectors":    {"a\ufe00b\ufe0fc\U000e0100\U000e01ef", "abc"},
		"a chain of selectors":   {"\u2764\ufe0f\ufe0e\ufe0f\ufe01", "\u2764\ufe0f"},
		"selectors of Mongolian": {"a\u180b\u180c\u180d\u180e\u180f", "a"},
		"fillers":                {"a\u115f\u1160\u3164\uffa0b", "ab"},
		"signs without ink":      {"a\u2800\u034f\u17b4\u17b5\u00ad\U0001d159b", "ab"},
		"separators":             {"a\u2028b\u2029c", "abc"},
		"blanks of no width":     {"a\u200b\u2060\ufeff\u2064b", "ab"},
		"no characters":          {"a\ufffe\uffff\U0010ffffb", "ab"},
		"a joiner of nothing":    {"a\u200db\u200c", "ab"},
		"a joiner at the end":    {"\u2764\u200d", "\u2764"},
		"joiners in a row":       {"\U0001f469\u200d\u200d\U0001f4bb", "\U0001f469\U0001f4bb"},
		"a joiner and no ink":    {"\u2764\u200d\u2800", "\u2764"},
		"a picture":              {"\u2764\ufe0f and \u00a9\ufe0e", "\u2764\ufe0f and \u00a9\ufe0e"},
		"a family":               {"\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f468", "\U0001f469\U0001f3fd\u200d\u2764\ufe0f\u200d\U0001f468"},
		"a key":                  {"1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		"half a key":             {"1\ufe0f2", "12"},
		"Persian":                {"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"},
		"Sinhala":                {"\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"},
		"Arabic numbers":         {"\u0600\u0661", "\u0600\u0661"},
		"other writing":          {"ä é 日本 한국 ไทย \u00a0\u3000", "ä é 日本 한국 ไทย \u00a0\u3000"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%+q) = %+q, want %+q", name, c.in, got, c.want)
		}
		if found := Hidden(c.in, 0) >= 0; found != (c.in != c.want) {
			t.Errorf("%s: Hidden(%+q) is %v", name, c.in, found)
		}
	}
}

// TestHiddenCoversUnicode: no character that Unicode wants to be drawn as
// nothing is in a text by itself.
func TestHiddenCoversUnicode(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		ignorable := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Zl, unicode.Zp, unicode.Cc) ||
			unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		if text := "a" + string(r) + "b"; ignorable && r != '\n' && r != '\t' && Hidden(text, 0) != 1 {
			t.Fatalf("U+%04X is not hidden", r)
		}
	}
}

// TestCleanIsClean: what is cleaned has nothing hidden left.
func TestCleanIsClean(t *testing.T) {
	parts := []rune("a1\n\x00\u200c\u200d\ufe0f\ufe0e\u2764\U0001f469\u2800\u20e3\u0645\U000e0041\u2028")
	clean := func(choice []byte) bool {
		var b strings.Builder
		for _, c := range choice {
			b.WriteRune(parts[int(c)%len(parts)])
		}
		return Hidden(Clean(b.String()), 0) < 0
	}
	if err := quick.Check(clean, &quick.Config{MaxCount: 20_000}); err != nil {
		t.Error(err)
	}
}
