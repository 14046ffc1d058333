package value

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// An outcome is a result as text, or "error"; nothing comes with an error.
func outcome[T any](v T, err error) string {
	if err != nil {
		if rv := reflect.ValueOf(v); rv.IsValid() && !rv.IsZero() {
			return fmt.Sprintf("error with %v", v)
		}
		if strings.TrimSpace(err.Error()) == "" {
			return "error without a text"
		}
		return "error"
	}
	return fmt.Sprint(v)
}

type cases []struct{ got, want string }

func (cs cases) run(t *testing.T) {
	t.Helper()
	for i, c := range cs {
		if c.got != c.want {
			t.Errorf("case %d: got %q, want %q", i, c.got, c.want)
		}
	}
}

func TestIntArithmeticIsExact(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -2, -1, 0, 1, 2, 3, 1 << 31, 1 << 32, 3037000500, math.MaxInt64 - 1, math.MaxInt64}
	operations := []struct {
		name  string
		ours  func(a, b int64) (int64, error)
		exact func(z, a, b *big.Int) *big.Int
	}{
		{"+", AddInt, (*big.Int).Add}, {"-", SubInt, (*big.Int).Sub}, {"*", MulInt, (*big.Int).Mul},
		{"/", DivInt, (*big.Int).Quo}, {"%", ModInt, (*big.Int).Rem},
		{"neg", func(a, _ int64) (int64, error) { return NegInt(a) }, func(z, a, _ *big.Int) *big.Int { return z.Neg(a) }},
		{"abs", func(a, _ int64) (int64, error) { return AbsInt(a) }, func(z, a, _ *big.Int) *big.Int { return z.Abs(a) }},
	}
	for _, op := range operations {
		for _, a := range edges {
			for _, b := range edges {
				got, err := op.ours(a, b)
				divides := op.name == "/" || op.name == "%"
				if divides && b == 0 {
					if err == nil {
						t.Errorf("%d %s 0 = %d", a, op.name, got)
					}
					continue
				}
				want := op.exact(new(big.Int), big.NewInt(a), big.NewInt(b))
				fits := want.IsInt64() && !(divides && a == math.MinInt64 && b == -1)
				if fits != (err == nil) || fits && got != want.Int64() {
					t.Errorf("%d %s %d = %d, %v; want %v", a, op.name, b, got, err, want)
				}
			}
		}
	}
}

func TestConversions(t *testing.T) {
	cases{
		{outcome(IntOf(1.9)), "1"}, {outcome(IntOf(-7.9)), "-7"}, {outcome(IntOf(36028797018963969)), "36028797018963968"},
		{outcome(IntOf(math.NaN())), "error"}, {outcome(IntOf(math.Inf(1))), "error"}, {outcome(IntOf(1e99)), "error"},
		{outcome(IntOf(9223372036854775807.0)), "error"}, {outcome(IntOf(-9223372036854775808.0)), "error"},
		{outcome(IntOf(9223372036854774784.0)), "9223372036854774784"},
		{outcome(IntOfText("987")), "987"}, {outcome(IntOfText("-5")), "-5"}, {outcome(IntOfText("")), "error"},
		{outcome(IntOfText("1.0")), "error"}, {outcome(IntOfText(" 1")), "error"}, {outcome(IntOfText("9223372036854775808")), "error"},
		{outcome(DoubleOfText("-84.32e7")), "-8.432e+08"}, {outcome(DoubleOfText("NaN")), "NaN"}, {outcome(DoubleOfText("-Infinity")), "-Inf"},
		{outcome(DoubleOfText("0x1p-2")), "error"}, {outcome(DoubleOfText("1_000")), "error"}, {outcome(DoubleOfText("inf")), "error"},
		{outcome(DoubleOfText("")), "error"}, {outcome(DoubleOfText("1e999")), "error"}, {outcome(DoubleOfText("E")), "error"},
		{outcome(BoolOfText("TRUE")), "true"}, {outcome(BoolOfText("f")), "false"}, {outcome(BoolOfText("TrUe")), "error"}, {outcome(BoolOfText("yes")), "error"},
		{TextOfDouble(123.456), "123.456"}, {TextOfDouble(1234567), "1234567"}, {TextOfDouble(1e20), "100000000000000000000"},
		{TextOfDouble(1e21), "1e+21"}, {TextOfDouble(1e-6), "0.000001"}, {TextOfDouble(9e-7), "9e-07"}, {TextOfDouble(-4.5e-3), "-0.0045"},
		{TextOfDouble(0), "0"}, {TextOfDouble(math.Copysign(0, -1)), "-0"}, {TextOfDouble(math.NaN()), "NaN"},
		{TextOfDouble(math.Inf(1)), "Infinity"}, {TextOfDouble(math.Inf(-1)), "-Infinity"},
		{TextOfInt(-456), "-456"}, {TextOfBool(true), "true"},
		{outcome(TextOfBytes([]byte{0xc3, 0xbf})), "ÿ"}, {outcome(TextOfBytes([]byte{0, 0xff})), "error"},
	}.run(t)
}

func TestMath(t *testing.T) {
	cases{
		{fmt.Sprint(Round(-1.5), Round(1.5), Round(-1.4), Round(2.5)), "-2 2 -1 3"},
		{fmt.Sprint(Ceil(1.2), Floor(-1.2), Trunc(-1.9), Abs(-2.5), Sqrt(9)), "2 -2 -1 2.5 3"},
		{fmt.Sprint(Sign(-32), Sign(0), Sign(0.5), SignInt(-11), SignInt(0), SignInt(3)), "-1 0 1 -1 0 1"},
		{fmt.Sprint(IsNaN(Sign(math.NaN())), IsNaN(Round(math.NaN())), IsInf(math.Inf(-1)), IsFinite(1), IsFinite(math.NaN())), "true true true true false"},
	}.run(t)
}

func TestTexts(t *testing.T) {
	const greek = "ta©o©αT"
	cases{
		{fmt.Sprint(Size(""), Size(greek), Size("😀")), "0 7 1"},
		{outcome(CharAt("tacocat", 3)), "o"}, {outcome(CharAt("tacocat", 7)), ""}, {outcome(CharAt(greek, 5)), "α"},
		{outcome(CharAt("tacocat", 30)), "error"}, {outcome(CharAt("a", -1)), "error"},
		{fmt.Sprint(IndexOf("tacocat", ""), IndexOf("tacocat", "ac"), IndexOf("tacocat", "none"), IndexOf(greek, "α")), "0 1 -1 5"},
		{outcome(IndexOfFrom("tacocat", "", 3)), "3"}, {outcome(IndexOfFrom("tacocat", "a", 3)), "5"}, {outcome(IndexOfFrom(greek, "©αT", 3)), "4"},
		{outcome(IndexOfFrom(greek, "©α", 5)), "-1"}, {outcome(IndexOfFrom("tacocat", "a", 30)), "error"}, {outcome(IndexOfFrom("tacocat", "a", -1)), "error"},
		{fmt.Sprint(LastIndexOf("", "@@"), LastIndexOf("tacocat", ""), LastIndexOf("tacocat", "at"), LastIndexOf(greek, "©")), "-1 7 5 4"},
		{outcome(LastIndexOfFrom("tacocat", "", 3)), "3"}, {outcome(LastIndexOfFrom("tacocat", "a", 3)), "1"}, {outcome(LastIndexOfFrom(greek, "©", 3)), "2"},
		{outcome(LastIndexOfFrom(greek, "©α", 4)), "4"}, {outcome(LastIndexOfFrom("hello wello", "ello", 6)), "1"},
		{outcome(LastIndexOfFrom("bananananana", "nana", 7)), "6"}, {outcome(LastIndexOfFrom("tacocat", "a", 30)), "error"}, {outcome(LastIndexOfFrom("x", "a", -1)), "error"},
		{LowerASCII("TÄcoCat"), "tÄcocat"}, {UpperASCII("täcoCat"), "TäCOCAT"}, {UpperASCII("[`{"), "[`{"},
		{Replace("12 days 12 hours", "12", "7", -1), "7 days 7 hours"}, {Replace("aaa", "a", "b", 2), "bba"}, {Replace("aaa", "a", "b", 0), "aaa"},
		{Replace("ab", "", "-", -1), "-a-b-"}, {Replace("a", "a", "b", math.MinInt64), "b"},
		{fmt.Sprintf("%q", Split("a,b,c", ",", -1)), `["a" "b" "c"]`}, {fmt.Sprintf("%q", Split("a,b,c", ",", 2)), `["a" "b,c"]`},
		{fmt.Sprintf("%q", Split("a", ",", 0)), `[]`}, {fmt.Sprintf("%q", Split("é!", "", -1)), `["é" "!"]`}, {fmt.Sprintf("%q", Split("", ",", -1)), `[""]`},
		{outcome(SubstringFrom("tacocat", 4)), "cat"}, {outcome(SubstringFrom(greek, 2)), "©o©αT"}, {outcome(SubstringFrom("tacocat", 7)), ""},
		{outcome(SubstringFrom("tacocat", 40)), "error"}, {outcome(SubstringFrom("tacocat", -1)), "error"},
		{outcome(Substring("tacocat", 0, 4)), "taco"}, {outcome(Substring(greek, 2, 6)), "©o©α"}, {outcome(Substring("tacocat", 7, 7)), ""},
		{outcome(Substring("tacocat", 1, 50)), "error"}, {outcome(Substring("tacocat", 49, 50)), "error"}, {outcome(Substring("tacocat", 4, 3)), "error"},
		{outcome(Substring("tacocat", 0, math.MaxInt64)), "error"}, {outcome(Substring("x", math.MinInt64, math.MaxInt64)), "error"},
		{Trim(" \f\n\r\t\vtext  "), "text"}, {Trim("\u0085\u00a0\u1680text\u2028\u3000"), "text"}, {Trim("\u180etext\u200b\ufeff"), "\u180etext\u200b\ufeff"},
		{Join([]string{"a", "b"}, ", "), "a, b"}, {Join(nil, ","), ""}, {Reverse("gums"), "smug"}, {Reverse("aé😀"), "😀éa"},
		{fmt.Sprintf("%q", ExtractAll(regexp.MustCompile("a(.)|b"), "ab-b-ac")), `["b" "c"]`}, {fmt.Sprintf("%q", ExtractAll(regexp.MustCompile("a"), "b")), `[]`},
		{URLEncode("a b/ü?&=+-._~"), "a%20b%2F%C3%BC%3F%26%3D%2B-._~"},
		{Base64Encode([]byte("hello")), "aGVsbG8="}, {outcome(Base64Decode("aGVsbG8=")), "[104 101 108 108 111]"},
		{outcome(Base64Decode("aGVsbG8")), "[104 101 108 108 111]"}, {outcome(Base64Decode("a")), "error"}, {outcome(Base64Decode("aGVs\nbG8")), "error"},
	}.run(t)
}

func TestLists(t *testing.T) {
	list := []int64{3, 1, 3, 2}
	cases{
		{outcome(Take(list, 2)), "[3 1]"}, {outcome(Take(list, 99)), "[3 1 3 2]"}, {outcome(Take(list, -1)), "error"}, {outcome(Take(list, math.MaxInt64)), "[3 1 3 2]"},
		{outcome(Slice(list, 1, 3)), "[1 3]"}, {outcome(Slice(list, 4, 4)), "[]"}, {outcome(Slice(list, 0, 5)), "error"},
		{outcome(Slice(list, -1, 2)), "error"}, {outcome(Slice(list, 3, 2)), "error"},
		{fmt.Sprint(Distinct(list)), "[3 1 2]"}, {fmt.Sprint(DistinctBy(list, func(v int64) bool { return v > 1 })), "[3 1]"},
		{fmt.Sprint(DistinctFunc(list, func(a, b int64) bool { return a%2 == b%2 })), "[3 2]"},
		{fmt.Sprint(Reversed(list), Sorted(list)), "[2 3 1 3] [1 2 3 3]"},
		{fmt.Sprint(SortedBy([]string{"b", "a", "c"}, []int64{1, 1, 0})), "[c b a]"},
		{fmt.Sprint(Flatten([][]int64{{1}, nil, {2, 3}})), "[1 2 3]"},
		{outcome(Range(3)), "[0 1 2]"}, {outcome(Range(0)), "[]"}, {outcome(Range(-1)), "error"}, {outcome(Range(math.MaxInt64)), "error"},
		{fmt.Sprint(list), "[3 1 3 2]"},
	}.run(t)
	head, _ := Take(list, 1)
	if _ = append(head, 9); list[1] != 1 {
		t.Error("appending to a part changed the list")
	}
}

func timeOf(t *testing.T, s string) time.Time {
	t.Helper()
	v, err := TimeOfText(s)
	if err != nil {
		t.Fatal(s, err)
	}
	return v
}

func TestTimes(t *testing.T) {
	text := func(s string) string {
		v, err := TimeOfText(s)
		if err != nil {
			return "error"
		}
		return TextOfTime(v)
	}
	for _, s := range []string{"2009-02-13T23:31:30Z", "9999-12-31T23:59:59.999999999Z", "2026-10-01T06:00:00-05:00"} {
		if text(s) != s {
			t.Errorf("%s became %s", s, text(s))
		}
	}
	for _, s := range []string{"", "2009-02-13", "2009-02-13T23:31:30", "2009-02-13 23:31:30Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
		"2009-02-13T3:31:30Z", "2009-02-13T23:31:30,5Z", "2009-02-30T00:00:00Z", "0001-01-01T00:00:00+01:00"} {
		if text(s) != "error" {
			t.Errorf("%q was read as %s", s, text(s))
		}
	}
	first, last := timeOf(t, "0001-01-01T00:00:00Z"), timeOf(t, "9999-12-31T23:59:59.999999999Z")
	noon := timeOf(t, "2009-02-13T23:00:00Z")
	addText := func(v time.Time, err error) string {
		if err != nil {
			return "error"
		}
		return TextOfTime(v)
	}
	cases{
		{addText(TimeOfUnix(-62135596801)), "error"}, {addText(TimeOfUnix(253402300800)), "error"}, {addText(TimeOfUnix(1234567890)), "2009-02-13T23:31:30Z"},
		{fmt.Sprint(UnixOf(timeOf(t, "2004-09-16T23:59:59Z"))), "1095379199"},
		{addText(AddTime(first, -1)), "error"}, {addText(AddTime(last, 1)), "error"}, {addText(AddTime(noon, 240*time.Second)), "2009-02-13T23:04:00Z"},
		{addText(SubTime(noon, 600*time.Second)), "2009-02-13T22:50:00Z"}, {addText(SubTime(noon, math.MinInt64)), "2301-05-26T22:47:16.854775808Z"},
		{outcome(Between(timeOf(t, "2009-02-13T23:31:00Z"), timeOf(t, "2009-02-13T23:29:00Z"))), "2m0s"},
		{outcome(Between(last, first)), "error"}, {outcome(Between(first, last)), "error"},
		{outcome(AddDuration(1, 2)), "3ns"}, {outcome(AddDuration(math.MaxInt64, 1)), "error"}, {outcome(SubDuration(math.MinInt64, 1)), "error"}, {outcome(SubDuration(900, 42)), "858ns"},
		{outcome(DurationOfText("1h45m47s")), "1h45m47s"}, {outcome(DurationOfText("320000000000s")), "error"}, {outcome(DurationOfText("x")), "error"},
		{TextOfDuration(1000000 * time.Second), "1000000s"}, {TextOfDuration(90500 * time.Millisecond), "90.5s"},
		{TextOfDuration(-500 * time.Millisecond), "-0.5s"}, {TextOfDuration(-1500 * time.Millisecond), "-1.5s"}, {TextOfDuration(0), "0s"}, {TextOfDuration(1), "0.000000001s"},
		{TextOfDuration(math.MinInt64), "-9223372036.854775808s"},
		{fmt.Sprint(DurationHours(10000*time.Second), DurationMinutes(3730*time.Second), DurationSeconds(3730*time.Second), DurationMilliseconds(123321456789)), "2 62 3730 321"},
	}.run(t)
}

func TestClocks(t *testing.T) {
	at := timeOf(t, "2009-02-13T23:31:20.123456789Z")
	all := func(at time.Time, zone string) string {
		loc, err := Zone(zone)
		if err != nil {
			return "error"
		}
		return fmt.Sprint(FullYear(at, loc), Month(at, loc), Date(at, loc), DayOfMonth(at, loc), DayOfWeek(at, loc),
			DayOfYear(at, loc), Hours(at, loc), Minutes(at, loc), Seconds(at, loc), Milliseconds(at, loc))
	}
	cases{
		{all(at, "UTC"), "2009 1 13 12 5 43 23 31 20 123"},
		{all(at.In(time.FixedZone("", 3600)), "UTC"), "2009 1 13 12 5 43 23 31 20 123"},
		{all(at, "+11:00"), "2009 1 14 13 6 44 10 31 20 123"}, {all(at, "-09:30"), "2009 1 13 12 5 43 14 1 20 123"},
		{all(at, "02:00"), "2009 1 14 13 6 44 1 31 20 123"}, {all(at, "-00:00"), "2009 1 13 12 5 43 23 31 20 123"},
		{all(at, "+24:00"), "error"}, {all(at, "+1:00"), "error"}, {all(at, "+-1:00"), "error"}, {all(at, "Local"), "error"},
		{all(at, "Nowhere/Else"), "error"}, {all(at, "../etc/passwd"), "error"},
		{fmt.Sprint(Hours(at, nil)), "23"},
	}.run(t)
	cases{
		{all(at, "Asia/Kathmandu"), "2009 1 14 13 6 44 5 16 20 123"}, {all(at, "Asia/Kathmandu"), "2009 1 14 13 6 44 5 16 20 123"},
		{all(at, "America/New_York"), "2009 1 13 12 5 43 18 31 20 123"},
	}.run(t)
}

func TestFormat(t *testing.T) {
	day := timeOf(t, "2023-02-03T23:31:20Z")
	cases{
		{outcome(Format("no substitution")), "no substitution"}, {outcome(Format("%%%s%%", "text")), "%text%"},
		{outcome(Format("%d %d, %s", int64(1), int64(-2), "A")), "1 -2, A"}, {outcome(Format("%.4f,%.4f", 39.7392, -104.9847)), "39.7392,-104.9847"},
		{outcome(Format("%.3f", 1.2345)), "1.234"}, {outcome(Format("%.0f", 2.5)), "2"}, {outcome(Format("%f", int64(2))), "2.000000"},
		{outcome(Format("%.6e", 1052.032911275)), "1.052033e+03"}, {outcome(Format("%d", math.Inf(-1))), "-Infinity"}, {outcome(Format("%f", math.NaN())), "NaN"},
		{outcome(Format("%b %b %o %x %X", int64(5), true, int64(11), int64(30), "Hi")), "101 1 13 1e 4869"}, {outcome(Format("%x", []byte("by"))), "6279"},
		{outcome(Format("%s %s %s", nil, day, 6347*time.Second)), "null 2023-02-03T23:31:20Z 6347s"},
		{outcome(Format("%s", []any{"abc", 3.14, nil, []any{int64(9)}, true})), "[abc, 3.14, null, [9], true]"},
		{outcome(Format("%s", map[string]any{"b": int64(1), "a": []byte("x"), "a b": 2.5})), "{a: x, a b: 2.5, b: 1}"},
		{outcome(Format("%d", "x")), "error"}, {outcome(Format("%s")), "error"}, {outcome(Format("%")), "error"}, {outcome(Format("%.", 1.0)), "error"},
		{outcome(Format("%.999f", 1.0)), "error"}, {outcome(Format("%q", "x")), "error"}, {outcome(Format("%o", "x")), "error"}, {outcome(Format("%x", 1.5)), "error"},
	}.run(t)
}

func TestJSON(t *testing.T) {
	float := func(f float64) string { return outcome(AppendFloat(nil, f)) }
	asText := func(f float64) string {
		b, err := AppendFloat(nil, f)
		return outcome(string(b), err)
	}
	cases{
		{string(AppendText(nil, "a\"\\\n\r\t\b\x00<>&é😀\u2028\u2029\u0085\x7f\xff/")), `"a\"\\\n\r\t\u0008\u0000<>&é😀\u2028\u2029\u0085\u007f` + "\uFFFD" + `/"`},
		{string(AppendText([]byte("x"), "")), `x""`},
		{string(AppendInt(nil, math.MinInt64)), "-9223372036854775808"}, {string(AppendBool(nil, false)), "false"},
		{asText(1.5), "1.5"}, {asText(1e21), "1e+21"}, {asText(123456789), "123456789"}, {asText(5e-324), "5e-324"},
		{float(math.NaN()), "error"}, {float(math.Inf(-1)), "error"},
	}.run(t)
}

func FuzzAppendText(f *testing.F) {
	f.Add("plain")
	f.Add("a\u2028\xff\"é\x00")
	f.Fuzz(func(t *testing.T, s string) {
		b := AppendText(nil, s)
		var back string
		if err := json.Unmarshal(b, &back); err != nil || !utf8.Valid(b) {
			t.Fatalf("%q: %s: %v", s, b, err)
		}
		if want := strings.Join(strings.Split(strings.ToValidUTF8(s, "\uFFFD"), ""), ""); utf8.ValidString(s) && back != want {
			t.Fatalf("%q came back as %q", s, back)
		}
	})
}

func FuzzDoubleText(f *testing.F) {
	f.Add(1e21)
	f.Add(0.1)
	f.Fuzz(func(t *testing.T, v float64) {
		text := TextOfDouble(v)
		back, err := DoubleOfText(text)
		if err != nil || back != v && !math.IsNaN(v) {
			t.Fatalf("%v became %s, read as %v, %v", v, text, back, err)
		}
		if a := math.Abs(v); a >= 1e-6 && a < 1e21 && strings.ContainsAny(text, "eE") {
			t.Fatal("an exponent in", text)
		}
		if IsFinite(v) && !json.Valid([]byte(text)) {
			t.Fatal("no JSON number:", text)
		}
	})
}

func FuzzSubstring(f *testing.F) {
	f.Add("taé😀", int64(1), int64(3))
	f.Fuzz(func(t *testing.T, s string, from, to int64) {
		runes := []rune(s)
		if !utf8.ValidString(s) {
			return
		}
		got, err := Substring(s, from, to)
		ok := from >= 0 && from <= to && to <= int64(len(runes))
		if ok != (err == nil) || ok && got != string(runes[from:to]) {
			t.Fatalf("%q %d %d: %q, %v", s, from, to, got, err)
		}
	})
}

func TestPathErrors(t *testing.T) {
	err := ErrIndex("forecast", "properties.periods", "sculpt.yaml:41:22", 3, 2)
	if got := err.Error(); got != "step forecast: properties.periods has no element 3, it has 2 (sculpt.yaml:41:22)" {
		t.Error(got)
	}
	cause := errors.New("division by zero")
	if err := ErrValue("", "", "", cause); !errors.Is(err, cause) || err.Error() != "division by zero" {
		t.Error(err)
	}
	if !IsMissing(fmt.Errorf("output x: %w", ErrMissing("a", "b", ""))) || IsMissing(ErrKind("a", "b", "", "a number")) {
		t.Error("IsMissing")
	}
}

var sink int

func BenchmarkAppendText(b *testing.B) {
	text := strings.Repeat("A chance of rain showers, mostly cloudy. ", 5)
	buffer := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		sink += len(AppendText(buffer[:0], text))
	}
}
