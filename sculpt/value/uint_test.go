package value

import (
	"math"
	"testing"
)

func TestUintArithmeticIsExact(t *testing.T) {
	const most = math.MaxUint64
	for _, c := range []struct {
		name string
		got  func() (uint64, error)
		want uint64
		ok   bool
	}{
		{"add", func() (uint64, error) { return AddUint(most-1, 1) }, most, true},
		{"add too much", func() (uint64, error) { return AddUint(most, 1) }, 0, false},
		{"sub", func() (uint64, error) { return SubUint(5, 5) }, 0, true},
		{"sub below zero", func() (uint64, error) { return SubUint(5, 6) }, 0, false},
		{"mul", func() (uint64, error) { return MulUint(1<<32, 1<<31) }, 1 << 63, true},
		{"mul too much", func() (uint64, error) { return MulUint(1<<32, 1<<32) }, 0, false},
		{"div", func() (uint64, error) { return DivUint(7, 2) }, 3, true},
		{"div by zero", func() (uint64, error) { return DivUint(7, 0) }, 0, false},
		{"mod by zero", func() (uint64, error) { return ModUint(7, 0) }, 0, false},
		{"of a negative int", func() (uint64, error) { return UintOfInt(-1) }, 0, false},
		{"of NaN", func() (uint64, error) { return UintOf(math.NaN()) }, 0, false},
		{"of 2^64", func() (uint64, error) { return UintOf(1 << 64) }, 0, false},
		{"of 3.9", func() (uint64, error) { return UintOf(3.9) }, 3, true},
		{"of text", func() (uint64, error) { return UintOfText("18446744073709551615") }, most, true},
		{"of signed text", func() (uint64, error) { return UintOfText("-1") }, 0, false},
	} {
		if got, err := c.got(); (err == nil) != c.ok || got != c.want {
			t.Errorf("%s: %d, %v", c.name, got, err)
		}
	}
	if _, err := IntOfUint(1 << 63); err == nil {
		t.Error("2^63 became an int64")
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain": `"plain"`, "a\tb\n\"c\" \\": `"a\tb\n\"c\" \\"`, "\xff": "\"\uFFFD\"", "": `""`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"plain text\n\tindented", 99, "plain text\n\tindented"},
		{"bell\a and \u202ereversed\u200b", 99, "bell and reversed"},
		{"héllo", 2, "h"}, {"abc", 2, "ab"}, {"日本", 3, "日"},
	} {
		if got := clean(c.in, c.max); got != c.want {
			t.Errorf("clean(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
	if got := CleanRunes("日本語\a", 2); got != "日本" {
		t.Errorf("CleanRunes = %q", got)
	}
}

func TestOptionals(t *testing.T) {
	m := map[string]int64{"b": 2, "a": 1}
	if *Entry(m, "a") != 1 || Entry(m, "x") != nil || !HasKey(m, "b") || HasKey(m, "x") {
		t.Error("entries of a map")
	}
	if got := Keys(m); got[0] != "a" || got[1] != "b" {
		t.Errorf("keys %v", got)
	}
	if got := Keys(map[bool]int{true: 1, false: 0}); got[0] || !got[1] {
		t.Errorf("bool keys %v", got)
	}
	if Or(nil, "x") != "x" || Or(new("y"), "x") != "y" || NonZero(0) != nil || *NonZero(3) != 3 {
		t.Error("optional values")
	}
	var none []*int
	if First([]int(nil)) != nil || *First([]int{1, 2}) != 1 || *Last([]int{1, 2}) != 2 || FirstOrNil(none) != nil || LastOrNil(none) != nil {
		t.Error("first and last")
	}
	if got := Head([]int{1, 2, 3}, 2); len(got) != 2 || len(Head([]int{1}, 2)) != 1 {
		t.Errorf("head %v", got)
	}
}

func TestWriter(t *testing.T) {
	var j JSON
	j.Open()
	j.Name("a")
	Each(&j, []int64{1, 2}, j.Int)
	j.Name("b")
	Entries(&j, map[string]string{"y": "2", "x": "1"}, j.Text)
	j.Name("c")
	j.OpenList()
	j.Null()
	j.Bool(true)
	j.Float(1.5)
	j.CloseList()
	j.Close()
	got, err := j.Bytes()
	if want := `{"a":[1,2],"b":{"x":"1","y":"2"},"c":[null,true,1.5]}`; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	var bad JSON
	bad.Float(math.NaN())
	if _, err := bad.Bytes(); err == nil {
		t.Error("NaN was written")
	}
}
