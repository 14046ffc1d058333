package scan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
)

var recordKeys = NewKeys("id", "s")

type record struct {
	id int64
	s  string
}

func scanRecord(s *Scanner) (v record) {
	for s.Open(); s.Next(recordKeys); {
		switch s.Key() {
		case "id":
			v.id = s.Int()
		case "s":
			v.s = s.Text()
		}
	}
	s.End()
	return v
}

// everyWay runs the decoder over the text as bytes and through readers of
// several windows, and requires equal outcomes.
func everyWay[T comparable](t *testing.T, text string, l Limits, decode func(*Scanner) T) (T, error) {
	t.Helper()
	s := NewBytes([]byte(text), l)
	want, err := decode(s), s.Err()
	s.Release()
	for _, size := range []int{1, 2, 3, 5, 7, 8, 9, 16, 31, 64} {
		for name, r := range map[string]io.Reader{
			"one byte": iotest.OneByteReader(strings.NewReader(text)),
			"whole":    strings.NewReader(text),
			"data+EOF": iotest.DataErrReader(strings.NewReader(text)),
		} {
			s := small(size, r)
			s.limit(l)
			got, gotErr := decode(s), s.Err()
			if got != want || !sameError(gotErr, err) {
				t.Errorf("%.60q window %d, %s: got %v, %v; bytes give %v, %v", text, size, name, got, gotErr, want, err)
			}
		}
	}
	return want, err
}

// smalls are the scanners of small windows. Like those of the pool they are used
// again and again, which must not show.
var smalls = map[int]*Scanner{}

func small(size int, r io.Reader) *Scanner {
	s := smalls[size]
	if s == nil {
		s = &Scanner{}
		s.joins = new(joins)
		smalls[size] = s
	}
	clear(s.frames)
	s.pos, s.state = 0, state{r: r}
	s.win = make([]byte, size)
	s.buf = s.win[:0]
	return s
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Error() == b.Error()
}

func TestCorrectness(t *testing.T) {
	tests := []struct {
		name, in string
		want     record
		why      Why
	}{
		{"plain", `{"id":1,"s":"x"}`, record{1, "x"}, 0},
		{"any order, pretty", "{\n    \"s\" : \"x\" ,\r\n\t\"id\": 1\n}\n", record{1, "x"}, 0},
		{"duplicate wanted key", `{"id":1,"id":2}`, record{}, Duplicate},
		{"duplicate unwanted key", `{"a":1,"a":2,"id":3}`, record{3, ""}, 0},
		{"other case", `{"id":1,"ID":2}`, record{1, ""}, 0},
		{"escaped key", `{"\u0069d":7}`, record{7, ""}, 0},
		{"escaped duplicate", `{"\u0069d":7,"id":1}`, record{}, Duplicate},
		{"no JSON where an object is wanted", `nonsense`, record{}, Syntax},
		{"no JSON where a string is wanted", `{"s":truth}`, record{}, Syntax},
		{"a word where an object is wanted", `null `, record{}, WrongKind},
		{"a word where a string is wanted", `{"s":false}`, record{}, WrongKind},
		{"bad literal in a skipped value", `{"x":nul,"id":1}`, record{}, Syntax},
		{"empty element in a skipped value", `{"x":[1,,2],"id":1}`, record{}, Syntax},
		{"trailing comma in a skipped list", `{"x":[1,],"id":1}`, record{}, Syntax},
		{"trailing comma", `{"id":1,}`, record{}, Syntax},
		{"no comma", `{"id":1 "s":"x"}`, record{}, Syntax},
		{"no colon", `{"id" 1}`, record{}, Syntax},
		{"control character", "{\"s\":\"a\x01\"}", record{}, Syntax},
		{"control character skipped", "{\"x\":\"a\n\"}", record{}, Syntax},
		{"invalid UTF-8", "{\"s\":\"a\xff\"}", record{}, Syntax},
		{"invalid UTF-8 skipped", "{\"x\":\"a\xc3(\"}", record{}, Syntax},
		{"invalid UTF-8 in a key", "{\"\xff\":1}", record{}, Syntax},
		{"surrogate half in UTF-8", "{\"s\":\"\xed\xa0\x80\"}", record{}, Syntax},
		{"lone surrogate", `{"s":"\ud800"}`, record{}, Syntax},
		{"lone low surrogate", `{"s":"\udc00x"}`, record{}, Syntax},
		{"two high surrogates", `{"s":"\ud800\ud800"}`, record{}, Syntax},
		{"lone surrogate skipped", `{"x":"\ud800\n"}`, record{}, Syntax},
		{"pair", `{"s":"\ud83d\ude00é\n\"\\\/\b\f\r\t\u00e9"}`, record{0, "😀é\n\"\\/\b\f\r\té"}, 0},
		{"bad escape", `{"s":"\x"}`, record{}, Syntax},
		{"bad hex", `{"s":"\u00g0"}`, record{}, Syntax},
		{"too big", `{"id":12345678901234567890}`, record{}, Range},
		{"too big by exponent", `{"id":1e400}`, record{}, Range},
		{"fraction", `{"id":1.5}`, record{}, WrongKind},
		{"tiny fraction", `{"id":1e-5}`, record{}, WrongKind},
		{"integral float", `{"id":60.0}`, record{60, ""}, 0},
		{"integral exponent", `{"id":6e1}`, record{60, ""}, 0},
		{"integral both", `{"id":0.00060E+5}`, record{60, ""}, 0},
		{"exact above 2^53", `{"id":9007199254740993.0}`, record{9007199254740993, ""}, 0},
		{"largest", `{"id":9223372036854775807}`, record{math.MaxInt64, ""}, 0},
		{"one more", `{"id":9223372036854775808}`, record{}, Range},
		{"smallest", `{"id":-9223372036854775808}`, record{math.MinInt64, ""}, 0},
		{"one less", `{"id":-9223372036854775809}`, record{}, Range},
		{"zero with a huge exponent", `{"id":0e999999999999999999999}`, record{}, 0},
		{"minus zero", `{"id":-0}`, record{}, 0},
		{"leading zero", `{"id":01}`, record{}, Syntax},
		{"plus", `{"id":+1}`, record{}, Syntax},
		{"point first", `{"id":.5}`, record{}, Syntax},
		{"point last", `{"id":1.}`, record{}, Syntax},
		{"bare minus", `{"id":-}`, record{}, Syntax},
		{"hex", `{"id":0x10}`, record{}, Syntax},
		{"text for a number", `{"id":"1"}`, record{}, WrongKind},
		{"null for a number", `{"id":null}`, record{}, WrongKind},
		{"number for a text", `{"s":1}`, record{}, WrongKind},
		{"list for the object", `[]`, record{}, WrongKind},
		{"deep", `{"x":` + strings.Repeat("[", 5_000_000), record{}, TooDeep},
		{"trailing data", `{"id":1} x`, record{}, Syntax},
		{"second text", `{"id":1}{}`, record{}, Syntax},
		{"NUL behind", "{\"id\":1}\x00", record{}, Syntax},
		{"byte order mark", "\ufeff{}", record{}, Syntax},
		{"empty", ``, record{}, Syntax},
		{"white space", ` `, record{}, Syntax},
		{"html", `<html>`, record{}, Syntax},
		{"comment", `{/**/}`, record{}, Syntax},
		{"single quotes", `{'id':1}`, record{}, Syntax},
		{"vertical tab", "{\v}", record{}, Syntax},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := everyWay(t, test.in, Limits{}, scanRecord)
			if test.why == 0 && (err != nil || got != test.want) {
				t.Fatalf("got %+v, %v; want %+v", got, err, test.want)
			}
			var e *Error
			if test.why != 0 && (!errors.As(err, &e) || e.Why != test.why) {
				t.Fatalf("got %+v, %v; want %v", got, err, test.why)
			}
		})
	}
}

func TestTruncatedAnywhere(t *testing.T) {
	const text = `{"x":[{"a":"b\u00e9é"},1.5e3,true,null],"id":12,"s":"t\ud83d\ude00"}`
	for n := range text {
		_, err := everyWay(t, text[:n], Limits{}, scanRecord)
		if !errors.Is(err, io.ErrUnexpectedEOF) && !strings.Contains(err.Error(), "UTF-8") && !strings.Contains(err.Error(), "surrogate") {
			t.Errorf("%q: %v, want an early end", text[:n], err)
		}
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("line is down")
	for _, text := range []string{`{"id":12`, `{"s":"ab`, `{"x":[1,2`, ``, `{"id":1}`} {
		s := NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), Limits{})
		scanRecord(s)
		var e *Error
		if !errors.Is(s.Err(), broken) || !errors.As(s.Err(), &e) || e.Why != Read {
			t.Errorf("%q: %v, want the reader's error", text, s.Err())
		}
		s.Release()
	}
}

func TestLimits(t *testing.T) {
	long := `{"s":"` + strings.Repeat("x", 100) + `"}`
	if _, err := everyWay(t, long, Limits{Bytes: int64(len(long))}, scanRecord); err != nil {
		t.Error("at the limit:", err)
	}
	everyone := func(s *Scanner) bool { s.Skip(); s.End(); return true }
	for _, size := range []int64{1, 50, int64(len(long)) - 1} {
		s := NewReader(strings.NewReader(long), Limits{Bytes: size})
		everyone(s)
		var e *Error
		if !errors.As(s.Err(), &e) || e.Why != TooLarge {
			t.Errorf("limit %d: %v", size, s.Err())
		}
		s = NewBytes([]byte(long), Limits{Bytes: size})
		everyone(s)
		if !errors.As(s.Err(), &e) || e.Why != TooLarge {
			t.Errorf("bytes, limit %d: %v", size, s.Err())
		}
	}
	for _, depth := range []int{1, 31, 32, 33, 64, 65} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, err := everyWay(t, text, Limits{}, everyone)
		if (err == nil) != (depth <= 32) {
			t.Errorf("depth %d: %v", depth, err)
		}
		_, err = everyWay(t, text, Limits{}, func(s *Scanner) bool {
			lists(s)
			s.End()
			return true
		})
		if (err == nil) != (depth <= 32) {
			t.Errorf("opened to depth %d: %v", depth, err)
		}
	}
}

func lists(s *Scanner) {
	for s.OpenList(); s.NextElem(); {
		lists(s)
	}
}

var (
	outerKeys  = NewKeys("properties")
	innerKeys  = NewKeys("periods", "a b")
	periodKeys = NewKeys("temperature", "name")
)

func scanForecast(s *Scanner) (sum int64) {
	for s.Open(); s.Next(outerKeys); {
		for s.Open(); s.Next(innerKeys); {
			if s.Key() == "a b" {
				s.Text()
				continue
			}
			for s.OpenList(); s.NextElem(); {
				for s.Open(); s.Next(periodKeys); {
					switch s.Key() {
					case "temperature":
						v := s.OptInt()
						sum += v.Or(0)
					case "name":
						s.OptText()
					}
				}
			}
		}
	}
	s.End()
	return sum
}

func TestErrorText(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"properties":{"periods":[{},{"temperature":"x"}]}}`, `properties.periods[1].temperature: want an integer, got a string (byte 44)`},
		{`{"properties":{"periods":{}}}`, `properties.periods: want a list, got an object (byte 25)`},
		{`{"properties":{"a b":1}}`, `properties["a b"]: want a string, got a number (byte 21)`},
		{`{"properties":{"periods":[1]}}`, `properties.periods[0]: want an object, got a number (byte 26)`},
		{`{"properties":{"other":[tru]}}`, `properties: want true, got ']' (byte 27)`},
		{`{"properties":{"periods":[{"name":"a","name":"b"}]}}`, `properties.periods[0].name: want one member of this name, got a second one (byte 45)`},
		{`{"properties":`, `properties: the text ends too early (byte 14)`},
		{`7`, `want an object, got a number (byte 0)`},
	}
	for _, test := range tests {
		_, err := everyWay(t, test.in, Limits{}, scanForecast)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s:\n got %v\nwant %v", test.in, err, test.want)
		}
	}
}

// TestNamesInPaths has names as the paths of errors write them.
func TestNamesInPaths(t *testing.T) {
	for name, want := range map[string]string{
		"zone": "zone", "Zone9": "Zone9", "_a-b": "_a-b", "$ref": "$ref", "@id": "@id", "9a": `["9a"]`, "a.b": `["a.b"]`, "-a": `["-a"]`, "a{b": `["a{b"]`, "": `[""]`,
		strings.Repeat("z", 10_000): `["` + strings.Repeat("z", 10),
	} {
		_, err := everyWay(t, `{"`+name+`":1.5}`, Limits{}, func(s *Scanner) string {
			for s.Open(); s.NextAny(); {
				s.Int()
			}
			return ""
		})
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(err.Error()) > 400 {
			t.Errorf("%.20s: %v", name, err)
		}
	}
}

// TestPlacesOfNumbers has where a number begins that is refused, for all readers of
// numbers.
func TestPlacesOfNumbers(t *testing.T) {
	for text, read := range map[string]func(*Scanner){
		`[ 1.5]`:                    func(s *Scanner) { s.Int() },
		`[ 12345678901234567890 ]`:  func(s *Scanner) { s.Int() },
		`[ 1e999]`:                  func(s *Scanner) { s.Float() },
		`[ -1e999 ]`:                func(s *Scanner) { s.OptFloat() },
		`[ 2e999, 1]`:               func(s *Scanner) { s.Any() },
		`[ 92233720368547758080.5]`: func(s *Scanner) { s.OptInt() },
	} {
		_, err := everyWay(t, text, Limits{}, func(s *Scanner) string {
			for s.OpenList(); s.NextElem(); {
				read(s)
			}
			return ""
		})
		fault := new(Error)
		if !errors.As(err, &fault) || fault.Offset != 2 || fault.Path != "[0]" {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAfterAnErrorNothingMoves(t *testing.T) {
	s := NewBytes([]byte(`{"id":"x","s":"y"}`), Limits{})
	s.Open()
	s.Next(recordKeys)
	s.Int()
	err := s.Err()
	for range 3 {
		s.Open()
		s.OpenList()
		s.Skip()
		s.Wrong("anything")
		s.End()
		if s.Next(recordKeys) || s.NextAny() || s.NextElem() || s.Null() || s.Bool() || s.Kind() != None ||
			s.Text() != "" || s.Int() != 0 || s.Float() != 0 || s.Raw() != nil ||
			s.OptText().Present || s.OptInt().Present || s.OptFloat().Present || s.OptBool().Present {
			t.Fatal("a method worked after an error")
		}
	}
	if s.Err() != err { //nolint:errorlint // the same error, not one that wraps it
		t.Fatal("the first error was replaced by", s.Err())
	}
}

func TestScalarsAndUnions(t *testing.T) {
	got, err := everyWay(t, `[null, true, false, 1.25, "x", {"b":1,"\u0061":[ 1 , {"x y": " z "} ]}, [], {}, -3e2, null]`, Limits{}, func(s *Scanner) string {
		var b strings.Builder
		for s.OpenList(); s.NextElem(); {
			switch s.Kind() {
			case Null:
				if s.Null() {
					b.WriteString("null ")
				}
			case Bool:
				b.WriteString(map[bool]string{true: "yes ", false: "no "}[s.Bool()])
			case Number:
				if s.Float() == 1.25 {
					b.WriteString("1.25 ")
				} else {
					b.WriteString("number ")
				}
			case String:
				b.WriteString(s.OptText().Value)
			case Object:
				for s.Open(); s.NextAny(); {
					b.WriteString(s.Key() + "=" + string(s.Raw()) + " ")
				}
			case Array:
				// Left to NextElem, which passes over it.
			}
		}
		s.End()
		return b.String()
	})
	const want = `null yes no 1.25 xb=1 a=[1,{"x y":" z "}] number null `
	if err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestNextAnyDuplicate(t *testing.T) {
	_, err := everyWay(t, `{"a":1,"\u0061":2}`, Limits{}, func(s *Scanner) int {
		for s.Open(); s.NextAny(); {
			s.Skip()
		}
		return 0
	})
	var e *Error
	if !errors.As(err, &e) || e.Why != Duplicate || e.Path != "a" {
		t.Error(err)
	}
}

func TestManyKeys(t *testing.T) {
	var names []string
	var b strings.Builder
	b.WriteByte('{')
	for i := range 300 {
		name := strings.Repeat("k", i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i/26)
		names = append(names, name)
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + name + `":1,"x` + name + `y":2`)
	}
	b.WriteByte('}')
	keys := NewKeys(names...)
	count := func(s *Scanner) (sum int64) {
		for s.Open(); s.Next(keys); {
			sum += s.Int()
		}
		return sum
	}
	if n, err := everyWay(t, b.String(), Limits{}, count); err != nil || n != 300 {
		t.Error(n, err)
	}
	last := names[299]
	twice := strings.TrimSuffix(b.String(), "}") + `,"` + last + `":1}`
	if _, err := everyWay(t, twice, Limits{}, count); err == nil || !strings.Contains(err.Error(), "second") {
		t.Error("the 300th key came twice:", err)
	}
	if NewKeys().find(nil) != -1 || NewKeys("").find(nil) != 0 {
		t.Error("empty names")
	}
}

func TestRawIsCompacted(t *testing.T) {
	for _, in := range []string{` {"a" : [ 1.0 , "x\" \\" , { } ] , "b":null } `, `"a  b"`, ` -1e5 `, `true`} {
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(in)); err != nil {
			t.Fatal(err)
		}
		got, err := everyWay(t, in, Limits{}, func(s *Scanner) string { return string(s.Raw()) })
		if err != nil || got != want.String() {
			t.Errorf("%s: got %s, %v", in, got, err)
		}
	}
}

func TestWrongAndMisuse(t *testing.T) {
	s := NewBytes([]byte(`{}`), Limits{})
	s.Wrong("a string or a number")
	if s.Err() == nil || s.Err().Error() != "want a string or a number, got an object (byte 0)" {
		t.Error(s.Err())
	}
	s = NewBytes([]byte(`{"a":1}`), Limits{})
	if s.Next(recordKeys) || s.Err() == nil {
		t.Error("Next without Open")
	}
	s = NewBytes([]byte(`{"id":1}`), Limits{})
	s.Open()
	if s.End(); s.Err() == nil {
		t.Error("End inside an object")
	}
}

// TestNextAnyDuplicateBehindMany looks for a name that comes twice behind more
// names than are compared one by one.
func TestNextAnyDuplicateBehindMany(t *testing.T) {
	text := func(names ...string) string { return `{"` + strings.Join(names, `":1,"`) + `":1}` }
	names := strings.Split("a b c d e f g h i j k l", " ")
	for _, twice := range []string{"a", "h", "i", "l"} {
		s := NewBytes([]byte(text(append(names, twice)...)), Limits{})
		for s.Open(); s.NextAny(); {
			s.Skip()
		}
		var e *Error
		if !errors.As(s.Err(), &e) || e.Why != Duplicate {
			t.Errorf("%s twice: %v", twice, s.Err())
		}
	}
	s := NewBytes([]byte(text(names...)), Limits{})
	for s.Open(); s.NextAny(); {
		s.Skip()
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

// TestAny reads values of any kind, strictly and within bounds.
func TestAny(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a":[1,60.0,6e1,1.5,null,true,"x"],"b":{}}`, `map[a:[1 60 60 1.5 <nil> true x] b:map[]]`},
		{`9223372036854775807`, `9223372036854775807`},
		{`18446744073709551615`, `1.8446744073709552e+19`},
		{`-0.0`, `0`},
		{`null`, `<nil>`},
		{`1e999`, `error`},
		{`{"a":1,"a":2}`, `error`},
		{`[1,]`, `error`},
		{`["\ud800"]`, `error`},
		{`[01]`, `error`},
		{strings.Repeat("[", 40) + strings.Repeat("]", 40), `error`},
	} {
		got, err := everyWay(t, c.in, Limits{}, func(s *Scanner) string { return fmt.Sprint(s.Any()) })
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%.60s: got %.60s, want %s", c.in, got, c.want)
		}
	}
	large := NewBytes([]byte("["+strings.Repeat("0,", maxParts)+"0]"), Limits{})
	defer large.Release()
	large.Any()
	var e *Error
	if !errors.As(large.Err(), &e) || e.Why != TooLarge {
		t.Errorf("%d parts: %v", maxParts+2, large.Err())
	}
}
