package value

import (
	"errors"
	"math"
	"testing"
	"time"
)

// said is the outcome of a call with the words of its error.
func said[T any](v T, err error) string {
	if got := outcome(v, err); err == nil || got != "error" {
		return got
	}
	return "error: " + err.Error()
}

// TestFree reads values of unknown type: what is there, what is missing, and
// what has the wrong kind, which is never a zero value.
func TestFree(t *testing.T) {
	doc := map[string]any{
		"a": int64(1), "b": "text", "c": true, "d": 1.5, "n": nil, "whole": 60.0,
		"list": []any{int64(1), "x", nil}, "big": uint64(math.MaxUint64),
	}
	list := doc["list"]
	mixed := map[any]any{int64(1): "one", "b": nil, true: 2.0}
	for i, c := range []struct {
		got  string
		want string
	}{
		{said(Member(doc, "a")), "1"},
		{said(Member(doc, "n")), "<nil>"},
		{said(Member(doc, "none")), "<nil>"},
		{said(Member(nil, "a")), "<nil>"},
		{said(Member(mixed, "b")), "<nil>"},
		{said(Member(list, "a")), "error: is not an object in this answer"},
		{said(Member("text", "a")), "error: is not an object in this answer"},
		{said(At(list, int64(1))), "x"},
		{said(At(list, 1.0)), "x"},
		{said(At(list, int64(0))), "1"},
		{said(At(list, int64(2))), "<nil>"},
		{said(At(nil, "a")), "<nil>"},
		{said(At(doc, int64(1))), "<nil>"},
		{said(At(list, int64(3))), "<nil>"},
		{said(At(list, int64(-1))), "<nil>"},
		{said(At(list, 0.5)), "error: is not an object in this answer"},
		{said(At(mixed, uint64(1))), "one"},
		{said(At(mixed, []any{"b"})), "<nil>"},
		{said(At(list, map[string]any{})), "error: is not an object in this answer"},
		{said(At(doc, "b")), "text"},
		{said(At(int64(3), int64(0))), "error: is not a list in this answer"},
		{said(AsInt(doc["a"])), "1"},
		{said(AsInt(doc["whole"])), "60"},
		{said(AsInt(doc["d"])), "error: is not an integer in this answer"},
		{said(AsInt("1")), "error: is not an integer in this answer"},
		{said(AsInt(doc["big"])), "error: is not an integer in this answer"},
		{said(AsInt(nil)), "error: is missing"},
		{said(AsUint(int64(-1))), "error: does not fit an unsigned 64-bit integer"},
		{said(AsUint(doc["big"])), "18446744073709551615"},
		{said(AsDouble(int64(3))), "3"},
		{said(AsDouble("3")), "error: is not a number in this answer"},
		{said(AsText(int64(3))), "error: is not text in this answer"},
		{said(AsText("")), ""},
		{said(AsBool("true")), "error: is not a boolean in this answer"},
		{said(SizeOf("äb")), "2"},
		{said(SizeOf(doc)), "8"},
		{said(SizeOf(list)), "3"},
		{said(SizeOf(true)), "error: is not a list in this answer"},
		{said(Elements(map[string]any{"b": 1, "a": 2})), "[a b]"},
		{said(Elements(map[any]any{"b": 1, true: 2, int64(3): 4})), "[3 true b]"},
		{said(Elements("abc")), "error: is not a list in this answer"},
		{said(In("x", list)), "true"},
		{said(In(1.0, list)), "true"},
		{said(In("a", doc)), "true"},
		{said(In(int64(1), doc)), "false"},
		{said(In("a", "abc")), "error: is not a list in this answer"},
		{said(GreatestAny(int64(1), uint64(3), 2.5), nil), "3"},
		{said(LeastAny(int64(math.MaxInt64), 9.3e18, uint64(math.MaxUint64)), nil), "9223372036854775807"},
	} {
		if c.got != c.want {
			t.Errorf("case %d: got %q, want %q", i, c.got, c.want)
		}
	}
}

func TestEqual(t *testing.T) {
	now := time.Unix(1, 0)
	for i, c := range []struct {
		a, b any
		want bool
	}{
		{int64(1), 1.0, true}, {uint64(1), int64(1), true}, {int64(1<<53 + 1), float64(1 << 53), false}, {int64(1), "1", false},
		{math.NaN(), math.NaN(), false}, {nil, nil, true}, {nil, "", false}, {false, nil, false},
		{[]byte("a"), []byte("a"), true}, {[]byte("a"), "a", false}, {now, now.UTC(), true}, {"x", now, false},
		{[]any{int64(1), nil}, []any{1.0, nil}, true}, {[]any{}, map[string]any{}, false}, {int64(1), []any{int64(1)}, false},
		{map[string]any{"a": int64(1)}, map[any]any{"a": 1.0}, true}, {map[string]any{"a": nil}, map[string]any{"b": nil}, false},
	} {
		if Equal(c.a, c.b) != c.want || Equal(c.b, c.a) != c.want {
			t.Errorf("case %d: %v and %v", i, c.a, c.b)
		}
	}
}

// TestFreeErrors wants the class of what was wrong, for the code on the wire.
func TestFreeErrors(t *testing.T) {
	class := func(_ any, err error) Why {
		var p *PathError
		errors.As(ErrValue("s", "a.b", "x.yaml:1:1", err), &p)
		return p.Why
	}
	if got := class(Member("text", "a")); got != WrongKind {
		t.Errorf("a text in place of an object: %d", got)
	}
	if got := class(AsInt(nil)); got != Missing {
		t.Errorf("null in place of an integer: %d", got)
	}
	if got := class(AddInt(math.MaxInt64, 1)); got != BadValue {
		t.Errorf("an overflow: %d", got)
	}
}

func TestWriteFree(t *testing.T) {
	var j JSON
	j.Any(map[string]any{"b": []any{int64(1), 1.5, nil, true, "x\"y"}, "a": map[any]any{int64(2): uint64(3)}, "t": time.Unix(0, 0).UTC(), "d": []byte{1}})
	got, err := j.Bytes()
	if want := `{"a":{"2":3},"b":[1,1.5,null,true,"x\"y"],"d":"AQ==","t":"1970-01-01T00:00:00Z"}`; string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	j = JSON{}
	j.Any([]any{math.NaN()})
	if _, err := j.Bytes(); err == nil {
		t.Error("NaN was written")
	}
}
