package scan

import (
	"fmt"
	"testing"
)

// A map has the members of an object; null is none, and anything else a mistake
// with its place.
func TestMap(t *testing.T) {
	number := func(s *Scanner) int64 { return s.Int() }
	for text, want := range map[string]string{
		`{}`: "map[] <nil>", `{"b":2,"a":1}`: "map[a:1 b:2] <nil>", `{ "\u0061" : -1 }`: "map[a:-1] <nil>", `null`: "map[] <nil>",
		`[]`: "map[] want an object, got a list (byte 0)", `{"a":"x"}`: "map[a:0] a: want an integer, got a string (byte 5)",
		`{"a":1,"a":2}`: "map[a:1] a: want one member of this name, got a second one (byte 11)", `{"a":1`: "map[a:1] the text ends too early (byte 6)",
	} {
		s := NewBytes([]byte(text), Limits{})
		m := Map(s, number)
		s.End()
		if got := fmt.Sprint(m, " ", s.Err()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if text == "null" && m != nil || text == "{}" && m == nil {
			t.Errorf("%s is %#v", text, m)
		}
		s.Release()
	}
}
