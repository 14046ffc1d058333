package value

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// TestErrorWords: authors read why an expression had no value, and tell faults
// of their manifest from those of a backend by it.
func TestErrorWords(t *testing.T) {
	first, last := time.Unix(minUnix, 0), time.Unix(maxUnix, 999_999_999)
	const (
		tooLarge  = "error: the result does not fit 64 bits"
		byZero    = "error: division by zero"
		noTime    = "error: the time is outside the years 1 to 9999"
		noText    = "error: the text is not an RFC 3339 date and time"
		noZone    = "error: the time zone is unknown"
		tooLong   = "error: the duration does not fit"
		unsigned  = "error: does not fit an unsigned 64-bit integer"
		noBase64  = "error: the text is not base64"
		precision = "error: the format has a precision that is not a number up to 100"
	)
	cases{
		{said(AddInt(math.MaxInt64, 1)), tooLarge}, {said(SubInt(math.MinInt64, 1)), tooLarge}, {said(MulInt(math.MaxInt64, 2)), tooLarge},
		{said(DivInt(math.MinInt64, -1)), tooLarge}, {said(ModInt(math.MinInt64, -1)), tooLarge}, {said(NegInt(math.MinInt64)), tooLarge},
		{said(DivInt(1, 0)), byZero}, {said(ModInt(1, 0)), byZero}, {said(AbsInt(math.MinInt64)), tooLarge},
		{said(IntOf(math.NaN())), "error: NaN is not an integer"}, {said(IntOf(1e19)), "error: the number does not fit an integer of 64 bits"},
		{said(IntOfText("1e3")), "error: the text is not an integer of 64 bits"}, {said(DoubleOfText("one")), "error: the text is not a number"},
		{said(DoubleOfText("1e999")), "error: the text is not a number of 64 bits"}, {said(BoolOfText("yes")), "error: the text is neither true nor false"},
		{said(AddUint(math.MaxUint64, 1)), unsigned}, {said(DivUint(1, 0)), "error: divides by zero"}, {said(ModUint(1, 0)), "error: divides by zero"},
		{said(IntOfUint(math.MaxUint64)), "error: does not fit a 64-bit integer"}, {said(UintOf(-0.5)), unsigned}, {said(UintOfText("x")), "error: is not an unsigned integer"},
		{said(TimeOfUnix(minUnix - 1)), noTime}, {said(AddTime(last, 1)), noTime}, {said(SubTime(first, 1)), noTime}, {said(TimeOfText("today")), noText},
		{said(TimeOfText("2009-02-30T00:00:00Z")), noText}, {said(DurationOfText("long")), "error: the text is not a duration such as 1h30m or 90.5s"},
		{said(Between(last, first)), tooLong}, {said(AddDuration(math.MaxInt64, 1)), tooLong}, {said(SubDuration(math.MinInt64, 1)), tooLong},
		{said(Zone("Local")), noZone}, {said(Zone("+99:00")), noZone}, {said(Zone("aa:bb")), noZone},
		{said(Take([]int{1}, -2)), "error: -2 is not a number of elements"}, {said(Range(-2)), "error: -2 is not a number of elements"},
		{said(Range(maxRange + 1)), "error: a range has at most 1000000 elements"},
		{said(Slice([]int{1}, 0, 2)), "error: the list has 1 elements, it cannot be cut from 0 to 2"}, {said(Slice([]int{1}, 1, 0)), "error: position 0 is before position 1"},
		{said(CharAt("ab", 3)), "error: position 3 is outside the text"}, {said(IndexOfFrom("ab", "a", 3)), "error: position 3 is outside the text"},
		{said(LastIndexOfFrom("ab", "a", -1)), "error: position -1 is outside the text"}, {said(SubstringFrom("ab", 3)), "error: position 3 is outside the text"},
		{said(Substring("ab", 3, 3)), "error: position 3 is outside the text"}, {said(Substring("ab", 1, 3)), "error: position 3 is outside the text"},
		{said(Substring("ab", 2, 1)), "error: position 1 is before position 2"}, {said(Base64Decode("?")), noBase64}, {said(TextOfBytes([]byte{0xff})), "error: the bytes are not UTF-8"},
		{said(Format("%")), "error: the format ends inside a verb"}, {said(Format("%s")), "error: the format has more verbs than values"},
		{said(Format("%q", 1)), "error: the format has an unknown verb"}, {said(Format("%d", "x")), "error: the verb %d of the format does not suit its value"},
		{said(Format("%.101f", 1.0)), precision}, {said(Format("%.f", 1.0)), precision},
		{said(AppendFloat(nil, math.NaN())), "error: the number is not finite"},
		{said(AsInt(true)), "error: is not an integer in this answer"}, {said(AsUint("1")), "error: is not an integer in this answer"},
		{said(Elements(nil)), "error: is missing"}, {said(In("a", nil)), "error: is missing"}, {said(SizeOf(nil)), "error: is missing"},
	}.run(t)
}

// TestEnds: the last value that is right, and beside it the first that is not.
func TestEnds(t *testing.T) {
	second := func(s int64) time.Time { return time.Unix(s, 0).UTC() }
	cases{
		{outcome(IntOf(math.Nextafter(math.MaxInt64, 0))), "9223372036854774784"}, {outcome(IntOf(math.Nextafter(math.MinInt64, 0))), "-9223372036854774784"},
		{outcome(UintOf(0)), "0"}, {outcome(UintOf(math.Nextafter(1<<64, 0))), "18446744073709549568"}, {outcome(UintOf(-1)), "error"},
		{outcome(UintOfInt(0)), "0"}, {outcome(IntOfUint(math.MaxInt64)), "9223372036854775807"}, {fmt.Sprint(SignUint(0), SignUint(1), SignUint(9)), "0 1 1"},
		{outcome(TimeOfUnix(minUnix)), second(minUnix).String()}, {outcome(TimeOfUnix(maxUnix)), second(maxUnix).String()},
		{outcome(AddTime(second(maxUnix-1), time.Second)), second(maxUnix).String()}, {outcome(SubTime(second(minUnix+1), time.Second)), second(minUnix).String()},
		{outcome(SubTime(second(0), 3)), time.Unix(0, -3).UTC().String()}, {outcome(TimeOfText("2009-02-13T23:31:30Z")), "2009-02-13 23:31:30 +0000 UTC"},
		{outcome(TimeOfText("2009-02-13T23:31:30")), "error"}, {outcome(AddDuration(math.MaxInt64, 0)), "2562047h47m16.854775807s"},
		{outcome(Zone("")), "UTC"}, {outcome(Zone("Z")), "UTC"}, {outcome(Zone("+24:00")), "error"}, {outcome(Zone("+23:60")), "error"}, {outcome(Zone("+012:0")), "error"},
		{outcome(Take([]int{1}, 0)), "[]"}, {outcome(Slice([]int{1}, 1, 1)), "[]"}, {outcome(CharAt("é", 1)), ""}, {outcome(CharAt("é", 2)), "error"},
		{outcome(IndexOfFrom("aa", "a", 2)), "-1"}, {outcome(IndexOfFrom("éa", "é", 0)), "0"}, {outcome(IndexOfFrom("ab", "b", 2)), "-1"}, {outcome(LastIndexOfFrom("aa", "a", 0)), "0"},
		{outcome(Base64Decode("YQ==")), "[97]"}, {outcome(Base64Decode("YQ===")), "error"}, {outcome(Base64Decode("Y\rQ==")), "error"}, {outcome(Base64Decode("")), "[]"},
		{Replace("aaa", "a", "b", 1), "baa"}, {Replace("aa", "a", "b", math.MaxInt64), "bb"}, {fmt.Sprintf("%q", Split("a,b", ",", 1)), `["a,b"]`}, {fmt.Sprintf("%q", Split("a,b,c", ",", -9)), `["a" "b" "c"]`},
		{outcome(Format("%.100f", 0.0)), "0." + strings.Repeat("0", 100)}, {outcome(Format("%.0f", 1.4)), "1"}, {outcome(Format("%f %e", 1.5, 1.5)), "1.500000 1.500000e+00"},
		{outcome(Format("%5d", int64(1))), "error"}, {outcome(Format("%e %f", math.Inf(1), math.Inf(-1))), "Infinity -Infinity"},
		{LowerASCII("@AZ["), "@az["}, {UpperASCII("`az{"), "`AZ{"}, {LowerASCII("xAZ["), "xaz["}, {UpperASCII("A`az{"), "A`AZ{"},
		{URLEncode("/09:@AZ[`az{"), "%2F09%3A%40AZ%5B%60az%7B"}, {URLEncode("\x7f\x00\xff"), "%7F%00%FF"},
		{string(AppendText(nil, "\x1f \x7e\x7f\u0080\u009f\u00a0\u2027\u2028\u2029\u202a")), `"\u001f ~\u007f\u0080\u009f` + "\u00a0\u2027" + `\u2028\u2029` + "\u202a" + `"`},
		{string(AppendText(nil, "\uFFFD")), "\"\uFFFD\""}, {string(AppendText(nil, "\xffa")), "\"\uFFFDa\""}, {Quote("\a\b\f\r\v"), `"\a\b\f\r\v"`},
	}.run(t)
	if all, err := Range(maxRange); err != nil || len(all) != maxRange || all[maxRange-1] != maxRange-1 {
		t.Errorf("a range of a million: %d, %v", len(all), err)
	}
}

// TestParts: what is cut off a list does not share its end, and lists that are
// put in order are copies.
func TestParts(t *testing.T) {
	list := []int64{3, 1, 2}
	part, _ := Slice(list, 0, 2)
	whole, _ := Take(list, 3)
	_, _ = append(part, 9), append(whole, 9)
	Sorted(list)
	Reversed(list)
	if got := fmt.Sprint(list); got != "[3 1 2]" {
		t.Errorf("the list has become %s", got)
	}
	cases{
		{fmt.Sprint(*First([]int{4, 5}), *Last([]int{4, 5}), FirstOrNil([]any{4, 5}), LastOrNil([]any{4, 5})), "4 5 4 5"},
		{fmt.Sprint(First([]int{}) == nil, Last([]int{}) == nil, Last([]int{7}) != nil), "true true true"},
		{fmt.Sprint(Greatest(2, 3, 1), Least(2, 1, 3), Or(nil, 1), Or(First([]int{2}), 1)), "3 1 1 2"},
		{fmt.Sprint(Head([]int{1, 2}, 2), Head([]int{1, 2}, 0), Texts([]int64{1, -2}, TextOfInt)), "[1 2] [] [1 -2]"},
		{fmt.Sprint(Keys(map[int64]int{2: 0, -1: 0, 1: 0}), Keys(map[uint64]int{3: 0, math.MaxUint64: 0, 1: 0})), "[-1 1 2] [1 3 18446744073709551615]"},
		{fmt.Sprint(Keys(map[any]any{"b": 1, "a": 1, false: 1, true: 1, int64(2): 1, 1.5: 1, uint64(math.MaxUint64): 1})), "[1.5 2 18446744073709551615 false true a b]"},
		{fmt.Sprint(CompareBool(false, true), CompareBool(true, false), CompareBool(true, true), CompareBool(false, false)), "-1 1 0 0"},
		{fmt.Sprint(GreatestAny(math.NaN(), int64(1)), LeastAny(int64(1), math.NaN()), GreatestAny(int64(1), 1.0)), "1 NaN 1"},
	}.run(t)
}

// TestFormats: each verb with each kind of value.
func TestFormats(t *testing.T) {
	values := []any{nil, true, int64(-10), uint64(10), 2.5, "Hi", []byte("hi"), time.Unix(0, 0).UTC(), 90 * time.Second, []any{int64(1)}, map[string]any{"a": "b"}, map[any]any{int64(1): false}}
	for verb, want := range map[string]string{
		"%s": "null|true|-10|10|2.5|Hi|hi|1970-01-01T00:00:00Z|90s|[1]|{a: b}|{1: false}",
		"%d": "error|error|-10|10|2.5|error|error|error|error|error|error|error",
		"%f": "error|error|-10.000000|10.000000|2.500000|error|error|error|error|error|error|error",
		"%b": "error|1|-1010|1010|error|error|error|error|error|error|error|error",
		"%o": "error|error|-12|12|error|error|error|error|error|error|error|error",
		"%x": "error|error|-a|a|error|4869|6869|error|error|error|error|error",
		"%X": "error|error|-A|A|error|4869|6869|error|error|error|error|error",
	} {
		var got []string
		for _, v := range values {
			got = append(got, outcome(Format(verb, v)))
		}
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("%s: %s, want %s", verb, text, want)
		}
	}
	for _, bad := range []any{struct{}{}, []any{struct{}{}}, map[string]any{"a": struct{}{}}, map[any]any{struct{}{}: 1}, []byte{0xff}} {
		if got := outcome(Format("%s", bad)); got != "error" {
			t.Errorf("%v became %q", bad, got)
		}
	}
	cases{{outcome(Format("%b", false)), "0"}, {outcome(Format("%x", "\xff\x00")), "ff00"}, {outcome(Format("%X", "\xab")), "AB"}, {outcome(Format("%.1e", 12.5)), "1.2e+01"}}.run(t)
}

// TestPathErrorWords: an error says as much as is known of where it was.
func TestPathErrorWords(t *testing.T) {
	cause := errors.New("it failed")
	full := &PathError{Tool: "look", Step: "places", Path: "a.b", Text: "is missing", At: "x.yaml:1:2"}
	for _, c := range []struct {
		err  error
		want string
		why  Why
	}{
		{full, "look: step places: a.b is missing (x.yaml:1:2)", 0}, {ErrMissing("s", "", ""), "step s: is missing", Missing},
		{ErrMissing("", "input.x", "x:1"), "input.x is missing (x:1)", Missing}, {ErrKind("s", "p", "", "a list"), "step s: p is not a list in this answer", WrongKind},
		{ErrNoElement("s", "p", "", "has no key"), "step s: p has no key", NoElement}, {ErrIndex("", "p", "", 2, 1), "p has no element 2, it has 1", NoElement},
		{ErrValue("s", "p", "", cause), "step s: p it failed", BadValue},
	} {
		var p *PathError
		if !errors.As(c.err, &p) || c.err.Error() != c.want || p.Why != c.why {
			t.Errorf("got %q (%d), want %q (%d)", c.err, p.Why, c.want, c.why)
		}
		if IsMissing(c.err) != (c.why == Missing) {
			t.Errorf("%v: IsMissing", c.err)
		}
	}
	if IsMissing(cause) || IsMissing(nil) {
		t.Error("another error says that something is missing")
	}
}

// TestWriterKeepsTheFirstError: a document with a fault is never sent, however
// much is written after it.
func TestWriterKeepsTheFirstError(t *testing.T) {
	var j JSON
	j.OpenList()
	j.Float(math.Inf(1))
	j.Any(struct{}{})
	j.Float(1)
	j.CloseList()
	if _, err := j.Bytes(); err == nil || err.Error() != "the number is not finite" {
		t.Errorf("the error is %v", err)
	}
	var keyed JSON
	keyed.Any(map[any]any{struct{}{}: nil})
	if _, err := keyed.Bytes(); err == nil {
		t.Error("a name was made of what has none")
	}
	var all JSON
	all.Any([]any{false, true, uint64(math.MaxUint64), int64(-1), -0.5, map[any]any{true: nil, 1.5: "x"}, time.Minute, map[string]any{}, []any{}})
	if got := outcome(all.Bytes()); got == "error" || string(all.b) != `[false,true,18446744073709551615,-1,-0.5,{"1.5":"x","true":null},"60s",{},[]]` {
		t.Errorf("%s", all.b)
	}
}

// TestPictures: a selector is seen after what has a picture, and after nothing
// beside it.
func TestPictures(t *testing.T) {
	for _, block := range emoji.R16 {
		if block.Stride != 1 {
			t.Errorf("a stride of %d", block.Stride)
		}
	}
	with := "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194\u21aa\u231a\u23ff\u24c2\u25aa\u25fe\u2600\u27bf\u2934\u2935\u2b05\u2b55\u3030\u303d\u3297\u3299\U0001f000\U0001faff"
	without := "\u00a8\u00aa\u00ad\u00af\u203b\u203d\u2048\u204a\u2121\u2123\u2138\u213a\u2193\u21ab\u2319\u2400\u24c1\u24c3\u25a9\u25ff\u27c0\u2933\u2936\u2b04\u2b56\u302f\u3031\u303c\u303e\u3296\u329a\U0001effe\U0001fb00"
	for _, r := range with {
		if Hidden(string(r)+"\ufe0f", 0) >= 0 {
			t.Errorf("U+%04X has no picture", r)
		}
	}
	for _, r := range without {
		if Hidden(string(r)+"\ufe0f", 0) < 0 {
			t.Errorf("U+%04X has a picture", r)
		}
	}
	for text, want := range map[string]int{
		"#\ufe0f\u20e3": -1, "*\ufe0e\u20e3": -1, "0\ufe0f\u20e3": -1, "9\ufe0f\u20e3": -1, "/\ufe0f\u20e3": 1, ":\ufe0f\u20e3": 1, "a\ufe0f\u20e3": 1,
		"\u2764\u200c\u2764": 3, "\u0915\u200d\u0915": -1, "\u0915\u200d\u2764": 3, "\u2764\u200da": 3, "a\u200d\u2764": 1,
		"\x1f": 0, " ": -1, "~\x7f": 1, "\n\t": -1, "\u009f": 0, "\u00a0": -1, "\u2801": -1, "\U000dffff": 0, "\U000e1000": -1,
	} {
		if got := Hidden(text, 0); got != want {
			t.Errorf("%+q: %d, want %d", text, got, want)
		}
	}
}

// TestBoundsOfTexts counts what is left, in bytes and in code points.
func TestBoundsOfTexts(t *testing.T) {
	long := strings.Repeat("a", defaultTextBytes)
	cases{
		{fmt.Sprint(defaultTextBytes, len(Clean(long)), len(Clean(long+"a")), len(Sentence(long)), len(Sentence(long[:2000]))), "8192 8192 8192 2000 2000"},
		{clean("ab", 1), "a"}, {clean("é", 1), ""}, {clean("aé", 3), "aé"}, {Sentence("\u200ba\u200bb\u200b"), "ab"},
		{CleanRunes("aé", 2), "aé"}, {CleanRunes("aéb", 2), "aé"}, {CleanRunes("a", 0), ""}, {CleanRunes("", 0), ""}, {CleanRunes("a\u200bb", 3), "ab"},
	}.run(t)
}
