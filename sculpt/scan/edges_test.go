package scan

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readers are the ways to read one value.
var readers = map[string]func(*Scanner){
	"open":  func(s *Scanner) { s.Open() },
	"list":  func(s *Scanner) { s.OpenList() },
	"int":   func(s *Scanner) { s.Int() },
	"int?":  func(s *Scanner) { s.OptInt() },
	"float": func(s *Scanner) { s.Float() },
	"text":  func(s *Scanner) { s.Text() },
	"bool":  func(s *Scanner) { s.Bool() },
	"any":   func(s *Scanner) { s.Any() },
	"skip":  func(s *Scanner) { s.Skip() },
	"raw":   func(s *Scanner) { s.Raw() },
	"none":  func(*Scanner) {},
	"ints": func(s *Scanner) {
		for s.OpenList(); s.NextElem(); {
			s.Int()
		}
	},
	"members": func(s *Scanner) {
		for s.Open(); s.NextAny(); {
			s.Skip()
		}
	},
}

// faults are texts that are wrong in one way each, or fit at the edge.
var faults = []struct{ read, text, want string }{
	{"open", "null", "wrong kind: want an object, got null (byte 0)"},
	{"open", "true", "wrong kind: want an object, got a boolean (byte 0)"},
	{"open", "1", "wrong kind: want an object, got a number (byte 0)"},
	{"open", `"x"`, "wrong kind: want an object, got a string (byte 0)"},
	{"open", "[]", "wrong kind: want an object, got a list (byte 0)"},
	{"list", "{}", "wrong kind: want a list, got an object (byte 0)"},
	{"int", `"1"`, "wrong kind: want an integer, got a string (byte 0)"},
	{"int", "1.5", "wrong kind: want an integer, got a number with a fraction (byte 0)"},
	{"int", "1e400", "out of range: want an integer of 64 bits, got a larger number (byte 0)"},
	{"int", "9223372036854775808", "out of range: want an integer of 64 bits, got a larger number (byte 0)"},
	{"int", "-9223372036854775809", "out of range: want an integer of 64 bits, got a larger number (byte 0)"},
	{"int", "9223372036854775807", ""},
	{"int", "-9223372036854775808", ""},
	{"int", "60.0", ""},
	{"int", "6e1", ""},
	{"int", "10000000000000000000000", "out of range: want an integer of 64 bits, got a larger number (byte 0)"},
	{"int", "1e-1", "wrong kind: want an integer, got a number with a fraction (byte 0)"},
	{"int?", "1.5", "wrong kind: want an integer, got a number with a fraction (byte 0)"},
	{"int?", "null", ""},
	{"int?", "nul", "syntax: the text ends too early (byte 3)"},
	{"float", "1e400", "out of range: want a number of 64 bits, got a larger number (byte 0)"},
	{"float", "-1e400", "out of range: want a number of 64 bits, got a larger number (byte 0)"},
	{"float", "1.", "syntax: the text ends too early (byte 2)"},
	{"float", ".5", "syntax: want a value, got '.' (byte 0)"},
	{"float", "-", "syntax: the text ends too early (byte 1)"},
	{"float", "01", "syntax: want the end of the text, got '1' (byte 1)"},
	{"float", "1e", "syntax: the text ends too early (byte 2)"},
	{"float", "1e+", "syntax: the text ends too early (byte 3)"},
	{"float", "+1", "syntax: want a value, got '+' (byte 0)"},
	{"float", "1x", "syntax: want the end of the text, got 'x' (byte 1)"},
	{"float", `"1"`, "wrong kind: want a number, got a string (byte 0)"},
	{"float", "0x1", "syntax: want the end of the text, got 'x' (byte 1)"},
	{"text", "1", "wrong kind: want a string, got a number (byte 0)"},
	{"text", `"`, "syntax: the text ends too early (byte 1)"},
	{"text", `"a`, "syntax: the text ends too early (byte 2)"},
	{"text", `"\`, "syntax: the text ends too early (byte 2)"},
	{"text", "\"\\x\"", "syntax: want an escape sequence, got 'x' (byte 1)"},
	{"text", `"\u12"`, `syntax: want four hexadecimal digits, got '"' (byte 5)`},
	{"text", `"\u12g4"`, "syntax: want four hexadecimal digits, got 'g' (byte 5)"},
	{"text", `"\ud800"`, "syntax: half of a surrogate pair (byte 1)"},
	{"text", `"\ud800\n"`, "syntax: half of a surrogate pair (byte 1)"},
	{"text", `"\udc00"`, "syntax: half of a surrogate pair (byte 1)"},
	{"text", `"\ud800\ud800"`, "syntax: half of a surrogate pair (byte 7)"},
	{"text", "\"\x01\"", "syntax: want a string without control characters, got a control character (byte 1)"},
	{"text", "\"\xff\"", "syntax: the text is not UTF-8 (byte 1)"},
	{"text", "\"\xc3\"", "syntax: the text is not UTF-8 (byte 1)"},
	{"text", "\"\xed\xa0\x80\"", "syntax: the text is not UTF-8 (byte 1)"},
	{"text", "'a'", `syntax: want a value, got "'" (byte 0)`},
	{"text", "\x7f", "syntax: want a value, got a control character (byte 0)"},
	{"text", "\ufeff1", "syntax: want a value, got a byte outside ASCII (byte 0)"},
	{"text", "é", "syntax: want a value, got a byte outside ASCII (byte 0)"},
	{"text", "x", "syntax: want a value, got 'x' (byte 0)"},
	{"bool", "1", "wrong kind: want a boolean, got a number (byte 0)"},
	{"bool", "tru", "syntax: the text ends too early (byte 3)"},
	{"bool", "trux", "syntax: want true, got 'x' (byte 3)"},
	{"bool", "falsE", "syntax: want false, got 'E' (byte 4)"},
	{"bool", "null", "wrong kind: want a boolean, got null (byte 0)"},
	{"none", "{}", "syntax: want the end of the text, got '{' (byte 0)"},
	{"none", "", ""},
	{"open", "{", "syntax: want the end of the value, got an open object (byte 1)"},
	{"list", "[", "syntax: want the end of the value, got an open list (byte 1)"},
	{"open", `{"a":1}`, "syntax: want the end of the value, got an open object (byte 1)"},
	{"list", "[1]", "syntax: want the end of the value, got an open list (byte 1)"},
	{"int", "1 2", "syntax: want the end of the text, got '2' (byte 2)"},
	{"int", "1}", "syntax: want the end of the text, got '}' (byte 1)"},
	{"int", "1,", "syntax: want the end of the text, got ',' (byte 1)"},
	{"skip", "{} x", "syntax: want the end of the text, got 'x' (byte 3)"},
	{"members", `{"a"}`, "syntax: want ':', got '}' (byte 4)"},
	{"members", `{"a":}`, "syntax: a: want a value, got '}' (byte 5)"},
	{"members", `{"a":1,}`, "syntax: want a member name, got '}' (byte 7)"},
	{"members", "{,}", "syntax: want a member name, got ',' (byte 1)"},
	{"members", `{"a":1 "b":2}`, `syntax: want ',' or the end of the object, got '"' (byte 7)`},
	{"members", "{a:1}", "syntax: want a member name, got 'a' (byte 1)"},
	{"members", `{"a":1,"a":2}`, "duplicate: a: want one member of this name, got a second one (byte 11)"},
	{"members", `{"a":1`, "syntax: the text ends too early (byte 6)"},
	{"members", `{"a":1]`, "syntax: want ',' or the end of the object, got ']' (byte 6)"},
	{"members", "{1:1}", "syntax: want a member name, got '1' (byte 1)"},
	{"ints", "[1,]", "syntax: [1]: want a value, got ']' (byte 3)"},
	{"ints", "[,1]", "syntax: [0]: want a value, got ',' (byte 1)"},
	{"ints", "[1 2]", "syntax: [0]: want ',' or the end of the list, got '2' (byte 3)"},
	{"ints", "[1}", "syntax: [0]: want ',' or the end of the list, got '}' (byte 2)"},
	{"ints", "[1", "syntax: [0]: the text ends too early (byte 2)"},
	{"ints", `[1,"x"]`, "wrong kind: [1]: want an integer, got a string (byte 3)"},
	{"ints", "[1,null]", "wrong kind: [1]: want an integer, got null (byte 3)"},
	{"skip", "[1,]", "syntax: want a value, got ']' (byte 3)"},
	{"skip", "[1 2]", "syntax: want ',' or the end of the list, got '2' (byte 3)"},
	{"skip", `{"a":1,}`, "syntax: want a member name, got '}' (byte 7)"},
	{"skip", `{"a" 1}`, "syntax: want ':', got '1' (byte 5)"},
	{"skip", `{"a":[{"b":tru}]}`, "syntax: want true, got '}' (byte 14)"},
	{"skip", "[[[[[1]]]]]", "too deep: the text nests too deep (byte 4)"},
	{"any", "[[[[[1]]]]]", "too deep: [0][0][0][0]: the text nests too deep (byte 4)"},
	{"raw", "[[[[[1]]]]]", "too deep: the text nests too deep (byte 4)"},
	{"skip", `"\u00"`, `syntax: want four hexadecimal digits, got '"' (byte 5)`},
	{"skip", "-x", "syntax: want a digit, got 'x' (byte 1)"},
	{"skip", "\"\xff\"", "syntax: the text is not UTF-8 (byte 1)"},
	{"any", `[1,{"a":nul}]`, "syntax: [1].a: want null, got '}' (byte 11)"},
	{"any", `{"a":{"a":1,"a":2}}`, "duplicate: a.a: want one member of this name, got a second one (byte 16)"},
	{"any", `{"éééééééééééééééééééééééééééééééééééééééé":x}`, `syntax: ["éééééééééééééééééééééééééééééééé..."]: want a value, got 'x' (byte 84)`},
	{"any", `{"a":1e999}`, "out of range: a: want a number of 64 bits, got a larger number (byte 5)"},
	{"raw", `{"a":1e999}`, ""},
	{"raw", `{"a":[1,}`, "syntax: want a value, got '}' (byte 8)"},
	{"raw", `{"a b":{"c":[0,01]}}`, "syntax: want ',' or the end of the list, got '1' (byte 16)"},
}

// TestFaults has the whole sentence for each thing that can be wrong with a text,
// and what fits at the edge.
func TestFaults(t *testing.T) {
	for _, c := range faults {
		why := ""
		_, err := everyWay(t, c.text, Limits{Depth: 4}, func(s *Scanner) string {
			readers[c.read](s)
			if s.End(); s.Err() == nil {
				return ""
			}
			e, ok := errors.AsType[*Error](s.Err())
			if !ok {
				t.Fatalf("%s: %T", c.text, s.Err())
			}
			why = e.Why.String()
			return why
		})
		got := ""
		if err != nil {
			got = why + ": " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.read, c.text, got, c.want)
		}
	}
}

// TestSizes: a text may be as long as its limit.
func TestSizes(t *testing.T) {
	for n, want := range map[int]string{198: "", 199: "the text is too long"} {
		_, err := read(strings.Repeat("x", n), Limits{Bytes: 200})
		if got := reasonOf(err); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	if _, err := read(strings.Repeat("x", 300), Limits{Bytes: -1}); err != nil {
		t.Error(err)
	}
	for _, l := range []Limits{{}, {Depth: 1}, {Depth: 1024}, {Depth: 9999}} {
		most := map[int]int{0: 32, 1: 1, 1024: 1024, 9999: 1024}[l.Depth]
		for n, want := range map[int]string{most: "", most + 1: "the text nests too deep"} {
			s := NewBytes([]byte(strings.Repeat("[", n)+strings.Repeat("]", n)), l)
			s.Skip()
			s.End()
			if got := reasonOf(s.Err()); got != want {
				t.Errorf("%d of %+v: %s", n, l, got)
			}
		}
	}
}

// read reads a text through a window.
func read(text string, l Limits) (string, error) {
	s := NewReader(strings.NewReader(`"`+text+`"`), l)
	defer s.Release()
	got := s.Text()
	s.End()
	return got, s.Err()
}

func reasonOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason()
	}
	return ""
}

// TestUnread: a reader that fails is quoted, and its error is the cause.
func TestUnread(t *testing.T) {
	broken := errors.New("reset")
	s := NewReader(io.MultiReader(strings.NewReader(`{"a":"`), iotest.ErrReader(broken)), Limits{})
	defer s.Release()
	for s.Open(); s.NextAny(); {
		s.Text()
	}
	if err := s.Err(); !errors.Is(err, broken) || err.Error() != "a: cannot read: reset (byte 6)" {
		t.Errorf("%v", err)
	}
	s = NewBytes([]byte(`{"id":1}`), Limits{})
	if s.Next(recordKeys) || reasonOf(s.Err()) != "the decoder reads members or elements of what it has not opened" {
		t.Errorf("%v", s.Err())
	}
	s = NewBytes([]byte("["+strings.Repeat("1,", maxParts-2)+"1]"), Limits{})
	if list, _ := s.Any().([]any); len(list) != maxParts-1 || s.Err() != nil {
		t.Errorf("%d, %v", len(list), s.Err())
	}
	s = NewBytes([]byte("["+strings.Repeat("1,", maxParts-1)+"1]"), Limits{})
	if s.Any(); reasonOf(s.Err()) != "the value has too many parts" {
		t.Errorf("%v", s.Err())
	}
}

// TestWhyIsAWord: logs name the sort of a fault.
func TestWhyIsAWord(t *testing.T) {
	for why, want := range map[Why]string{0: "unknown", Syntax: "syntax", WrongKind: "wrong kind", Duplicate: "duplicate", TooLarge: "too large", TooDeep: "too deep", Range: "out of range", Read: "read error", Read + 1: "unknown"} {
		if got := why.String(); got != want {
			t.Errorf("%d: %s", why, got)
		}
	}
}

// TestMore: there is more until the text ends, whatever it is.
func TestMore(t *testing.T) {
	for text, want := range map[string]bool{"": false, " \n": false, "1": true, " x": true} {
		if got, err := everyWay(t, text, Limits{}, (*Scanner).More); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
