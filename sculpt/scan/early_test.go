package scan

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// scanEarly reads a.x, a.y and b.
func scanEarly(s *Scanner) string {
	var got []string
	for s.Open(); s.Next(earlyOuter); {
		if s.Key() == "b" {
			got = append(got, fmt.Sprint("b", s.Int()))
			continue
		}
		for s.Open(); s.Next(earlyInner); {
			got = append(got, s.Key()+s.Text())
		}
	}
	s.End()
	return strings.Join(got, " ")
}

var (
	earlyOuter = NewKeys("a", "b")
	earlyInner = NewKeys("x", "y")
)

func TestStopEarly(t *testing.T) {
	tests := []struct {
		in, want string
		stops    bool
	}{
		{`{"a":{"x":"1","y":"2"},"b":3, this is not read`, "x1 y2 b3", true},
		{`{"b":3,"a":{"x":"1","y":"2", this is not read`, "b3 x1 y2", true},
		{`{"b":3,"z":[1],"a":{"y":"2","z":{},"x":"1"`, "b3 y2 x1", true},
		{`{"a":{"x":"1","y":"2"},"b":3,"b":4}`, "x1 y2 b3", true},
		{`{"a":{"x":"1"},"b":3,"c":[} `, "x1 b3", true},
		{`{"a":{},"c":[]} `, "", false},
		{`{"a":{"x":"1","y":"2"}} `, "x1 y2", false},
		{`{"b":3}`, "b3", false},
	}
	for _, test := range tests {
		_, err := everyWay(t, test.in, Limits{}, func(s *Scanner) string {
			s.StopEarly()
			got := scanEarly(s)
			if got != test.want || s.Err() != nil || s.Depth() > 0 != test.stops {
				t.Errorf("%s: got %q, %v, depth %d; want %q, stopped %v", test.in, got, s.Err(), s.Depth(), test.want, test.stops)
			}
			return got
		})
		if err != nil {
			t.Error(test.in, err)
		}
		if _, err := everyWay(t, test.in, Limits{}, scanEarly); (err != nil) != test.stops {
			t.Errorf("%s, read to the end: %v", test.in, err)
		}
	}
}

// TestStopEarlyNotInsideAList: elements that follow may be wanted.
func TestStopEarlyNotInsideAList(t *testing.T) {
	var names []string
	read := func(s *Scanner) bool {
		names = nil
		s.StopEarly()
		for s.Open(); s.Next(labelsKeys); {
			for s.OpenList(); s.NextElem(); {
				for s.Open(); s.Next(labelKeys); {
					names = append(names, s.Text())
				}
			}
		}
		s.End()
		return true
	}
	_, err := everyWay(t, `{"labels":[{"name":"a","id":1},{"id":2,"name":"b"},{"name":"c"}], not read`, Limits{}, read)
	if got := strings.Join(names, ""); err != nil || got != "abc" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err = everyWay(t, `{"labels":[{"name":"a", tru`, Limits{}, read); err == nil {
		t.Error("a fault inside the list went unseen")
	}
	// Any member of a map is wanted.
	_, err = everyWay(t, `{"m":{"name":"a"} x`, Limits{}, func(s *Scanner) bool {
		s.StopEarly()
		for s.Open(); s.NextAny(); {
			for s.Open(); s.Next(labelKeys); {
				s.Skip()
			}
		}
		return true
	})
	if err == nil {
		t.Error("a fault after a member of a map went unseen")
	}
}

var labelsKeys = NewKeys("labels")

// TestStopEarlyLeavesTheRest counts what is taken from the reader.
func TestStopEarlyLeavesTheRest(t *testing.T) {
	text := `{"labels":[{"name":"a"}],"rest":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, early := range []bool{false, true} {
		r := strings.NewReader(text)
		s := NewReader(io.Reader(r), Limits{})
		if early {
			s.StopEarly()
		}
		for s.Open(); s.Next(labelsKeys); {
			List(s, scanLabel)
		}
		s.End()
		if taken := len(text) - r.Len(); s.Err() != nil || early != (taken <= windowSize) || !early && taken != len(text) {
			t.Errorf("early %v: %v, took %d of %d bytes", early, s.Err(), taken, len(text))
		}
		s.Release()
	}
}

// TestFirst: the elements that are not wanted are passed over, or left alone where
// nothing is wanted after them either.
func TestFirst(t *testing.T) {
	for _, test := range []struct {
		in, want     string
		early, stops bool
		bad          bool
	}{
		{`{"labels":["a","b","c",{"x":[1]},"e"],"name":"n"}`, "a b n", false, false, false},
		{`{"labels":["a","b","c",{"x":[1]},"e"],"name":"n"}`, "a b n", true, true, false},
		{`{"name":"n","labels":["a","b","c", this is not read`, "n a b", true, true, false},
		{`{"name":"n","labels":["a","b"]} `, "n a b", true, true, false},
		{`{"name":"n","labels":["a"]} `, "n a", true, true, false},
		{`{"name":"n","labels":[]} `, "n", true, true, false},
		{`{"name":"n","labels":null} `, "n", true, true, false},
		{`{"name":"n","labels":["a","b","c", this is read`, "", false, false, true},
		{`{"labels":["a","b","c",}],"name":"n"}`, "", true, false, true},
		{`{"labels":["a",1],"name":"n"}`, "", true, false, true},
	} {
		keys := NewKeys("labels", "name")
		got, err := everyWay(t, test.in, Limits{}, func(s *Scanner) string {
			if test.early {
				s.StopEarly()
			}
			var got []string
			for s.Open(); s.Next(keys); {
				switch s.Key() {
				case "labels":
					got = append(got, First(s, 2, (*Scanner).Text)...)
				case "name":
					got = append(got, s.Text())
				}
			}
			s.End()
			if s.Err() == nil && s.Depth() > 0 != test.stops {
				t.Errorf("%s: depth %d, want it to stop: %v", test.in, s.Depth(), test.stops)
			}
			return strings.Join(got, " ")
		})
		if (err != nil) != test.bad || !test.bad && got != test.want {
			t.Errorf("%s, early %v: got %q, %v", test.in, test.early, got, err)
		}
	}
}

// TestFirstInsideAList: an inner list that has enough ends nothing around it.
func TestFirstInsideAList(t *testing.T) {
	got, err := everyWay(t, `{"labels":[["a","b","c"],["d"],["e","f","g"]], not read`, Limits{}, func(s *Scanner) string {
		s.StopEarly()
		var got []string
		for s.Open(); s.Next(labelsKeys); {
			for _, inner := range List(s, func(s *Scanner) []string { return First(s, 1, (*Scanner).Text) }) {
				got = append(got, inner...)
			}
		}
		s.End()
		return strings.Join(got, " ")
	})
	if err != nil || got != "a d e" {
		t.Errorf("got %q, %v", got, err)
	}
}
