package scan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// The scanner looks at eight bytes at once and compares whole stretches with
// what it has seen before. The tests here put every kind of odd byte at every
// place of a word, of a window and of a repeated stretch, and let encoding/json
// judge.

// oddPieces are what a string may hold besides plain ASCII, and what it must
// not hold, and the plain neighbours of both.
func oddPieces() []string {
	pieces := []string{
		`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u00e9`, `\uFFFF`, `\ud83d\ude00`, `\uD83D\uDE00`, `\u0000`,
		`\`, `\x`, `\u`, `\u0`, `\u00`, `\u000`, `\u00g0`, `\ud800`, `\udc00`, `\ud800\ud800`, `\ud800\u0041`, `\ud800x`, `\ud800\n`,
		"é", "߿", "ࠀ", "日", "\uffff", "😀", "\U0010ffff", "\xc3", "\xc3(", "\xe6\x97", "\xe6\x97x", "\xf0\x9f\x98", "\xf0\x9f\x98\"",
		"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", `"`, `""`, `","`, "",
	}
	for c := range 256 {
		pieces = append(pieces, string([]byte{byte(c)}))
	}
	return pieces
}

// judge compares what the scanner says of a text, skipped and read, at once and
// through windows, with encoding/json.
func judge(t *testing.T, text string, windows ...int) {
	t.Helper()
	want := json.Valid([]byte(text)) && utf8.ValidString(text) && !lonely([]byte(text))
	skipped := NewBytes([]byte(text), Limits{})
	skipped.Skip()
	skipped.End()
	if (skipped.Err() == nil) != want {
		t.Fatalf("%q skipped: %v, want valid %v", text, skipped.Err(), want)
	}
	read := NewBytes([]byte(text), Limits{})
	got := readAny(read)
	if read.End(); read.Err() == nil != want && !isDuplicate(read.Err()) {
		t.Fatalf("%q read: %v, want valid %v", text, read.Err(), want)
	}
	if read.Err() == nil {
		var value any
		_ = json.Unmarshal([]byte(text), &value)
		if fmt.Sprint(value) != fmt.Sprint(got) {
			t.Fatalf("%q: got %q, want %q", text, got, value)
		}
	}
	for _, size := range windows {
		w := small(size, iotest.DataErrReader(strings.NewReader(text)))
		w.limit(Limits{})
		w.Skip()
		if w.End(); !sameError(w.Err(), skipped.Err()) {
			t.Fatalf("%q, window %d: %v, at once: %v", text, size, w.Err(), skipped.Err())
		}
	}
	skipped.Release()
	read.Release()
}

func isDuplicate(err error) bool {
	return err != nil && strings.Contains(err.Error(), "second one")
}

const filler = "plain text of 7 bits, long enough for words"

func TestOddBytesAtEveryPlaceOfAWord(t *testing.T) {
	for _, piece := range oddPieces() {
		for before := range 18 {
			for _, after := range []int{0, 7, 17} {
				s := `"` + filler[:before] + piece + filler[:after] + `"`
				judge(t, s)
				judge(t, `[1,`+s+`]`, 9, 16)
				judge(t, `{`+s+`:0,"z":`+s+`}`)
			}
		}
	}
}

func TestTwoOddBytesInOneWord(t *testing.T) {
	pieces := []string{`\"`, `\\`, `\n`, "é", "\x01", "\x1f", " ", "!", "#", "[", "]", "\x7f", "\x80", "\xa1", "\xff", "\"", "日", `\u00e9`, "\x00"}
	for _, one := range pieces {
		for _, two := range pieces {
			for before := range 9 {
				for between := range 9 {
					judge(t, `["`+filler[:before]+one+filler[:between]+two+`",0]`)
				}
			}
		}
	}
}

func TestOddBytesAtEveryPlaceOfAWindow(t *testing.T) {
	for _, piece := range oddPieces() {
		for before := range 10 {
			text := `["` + filler[:before] + piece + filler[:3] + `",{"` + filler[:3] + piece + `":1}]`
			judge(t, text, 1, 2, 3, 5, 8, 9, 13, 16)
		}
	}
}

func TestWhiteSpaceOfEveryLength(t *testing.T) {
	for _, odd := range []string{"", "\n", "\r\n", "\t", "\x00", "\x0b", "\x0c", "\x1f", "!", "\u0085", "\u00a0", "\xff", "\u2028", "x"} {
		for before := range 20 {
			for _, after := range []int{0, 1, 7, 8, 16} {
				space := strings.Repeat(" ", before) + odd + strings.Repeat(" ", after)
				for _, text := range []string{`@[1,2]`, `[@1,"a"]`, `[1@,"a"]`, `[1,@"a"]`, `{@"a":[]}`, `{"a"@:[]}`, `{"a":@[]}`, `{"a":[@]@,"b":{@}}`, `[{"a":1},@{"a":1@}@]@`} {
					judge(t, strings.ReplaceAll(text, "@", space), 8, 17)
				}
			}
		}
	}
}

func TestNumbersOfEveryForm(t *testing.T) {
	for _, whole := range []string{"", "-", "+", "0", "-0", "00", "1", "-12", "1234567", "12345678", "123456789012345678", "1234567890123456789", "9223372036854775807", "123456789012345678901234567890"} {
		for _, fraction := range []string{"", ".", ".0", ".5", ".12345678", ".123456789012345678901", "..1", ".-1", ".e1"} {
			for _, exponent := range []string{"", "e", "E", "e+", "e-", "e1", "E+12", "e-12", "e1.5", "e++1", "ee1", "x", "-", "e01"} {
				number := whole + fraction + exponent
				judge(t, number)
				judge(t, "["+number+","+number+"]", 1, 3, 8)
				judge(t, "{\"a\":"+number+"\n}")
				judge(t, "["+number+" ]")
			}
		}
	}
}

// repeated are texts whose second and third part repeat the first, which the
// scanner takes for granted where they do.
var repeated = []string{
	`[{"a":1,"bb":"x","c":null},{"a":1,"bb":"x","c":null},{"a":1,"bb":"x","c":null}]`,
	"[\n  {\n    \"a\": 1,\n    \"bb\": {\"u\": 2, \"v\": []}\n  },\n  {\n    \"a\": 1,\n    \"bb\": {\"u\": 2, \"v\": []}\n  }\n]",
	`{"x":{"a":{"u":1,"v":2},"bb":{"u":1,"v":2}},"y":{"a":{"u":1,"v":2},"bb":{"u":1,"v":2}}}`,
	`[[{"a":1},{"a":2}],[{"a":3},{"a":4,"a":5}],{"a":[{"a":1,"bb":2}]}]`,
}

func TestOneByteOfARepeatedTextDiffers(t *testing.T) {
	for _, text := range repeated {
		judge(t, text, 8, 32)
		judgeWanted(t, text)
		for at := range len(text) {
			for _, c := range []byte("\",:{}[]\\ \n0a-u\x00\xc3") {
				judge(t, text[:at]+string([]byte{c})+text[at+1:], 16, 64)
				judgeWanted(t, text[:at]+string([]byte{c})+text[at+1:])
				judgeWanted(t, text[:at]+string([]byte{c})+text[at:])
			}
			judge(t, text[:at]+text[at+1:], 16, 64)
			judgeWanted(t, text[:at]+text[at+1:])
		}
	}
}

var wantedKeys = []*Keys{NewKeys("a", "v", "x"), NewKeys("bb", "a", "y", "c")}

// wanted reads members of two sets of names, by turns, and passes over others.
func wanted(s *Scanner, level int) any {
	switch s.Kind() {
	case Array:
		list := []any{}
		for s.OpenList(); s.NextElem(); {
			list = append(list, wanted(s, level))
		}
		return list
	case Object:
		m := map[string]any{}
		for s.Open(); s.Next(wantedKeys[level%2]); {
			key := s.Key()
			if _, twice := m[key]; twice {
				m[key+" twice"] = true
			}
			m[key] = wanted(s, level+1)
		}
		return m
	}
	return readAny(s)
}

// prune leaves of a value what wanted reads.
func prune(v any, level int) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = prune(v[i], level)
		}
	case map[string]any:
		for name, member := range v {
			if wantedKeys[level%2].find([]byte(name)) < 0 {
				delete(v, name)
				continue
			}
			v[name] = prune(member, level+1)
		}
	}
	return v
}

// judgeWanted compares members that are read by name with encoding/json.
func judgeWanted(t *testing.T, text string) {
	t.Helper()
	valid := json.Valid([]byte(text)) && utf8.ValidString(text) && !lonely([]byte(text))
	read := func(s *Scanner) (string, error) {
		v := wanted(s, 0)
		s.End()
		return fmt.Sprint(v), s.Err()
	}
	s := NewBytes([]byte(text), Limits{})
	defer s.Release()
	got, err := read(s)
	for _, size := range []int{1, 7, 20, 64} {
		w := small(size, iotest.DataErrReader(strings.NewReader(text)))
		w.limit(Limits{})
		if other, otherErr := read(w); other != got || !sameError(otherErr, err) {
			t.Fatalf("%q, window %d: %s, %v; at once: %s, %v", text, size, other, otherErr, got, err)
		}
	}
	if isDuplicate(err) || err != nil && strings.Contains(err.Error(), "larger number") {
		return
	}
	if (err == nil) != valid {
		t.Fatalf("%q: %v, want valid %v", text, err, valid)
	}
	if err == nil {
		var v any
		_ = json.Unmarshal([]byte(text), &v)
		if want := fmt.Sprint(prune(v, 0)); got != want {
			t.Fatalf("%q: got %s, want %s", text, got, want)
		}
	}
}

func FuzzWanted(f *testing.F) {
	for _, text := range repeated {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !deep(text, 32) {
			judgeWanted(t, string(text))
		}
	})
}
