package diag

import (
	"errors"
	"io/fs"
	"testing"
)

func TestContains(t *testing.T) {
	s := Span{"a", Pos{2, 3}, Pos{4, 1}}
	for _, c := range []struct {
		at   Span
		want bool
	}{
		{Span{File: "a", Start: Pos{2, 3}}, true},
		{Span{File: "a", Start: Pos{3, 1}}, true},
		{Span{File: "a", Start: Pos{2, 2}}, false},
		{Span{File: "a", Start: Pos{1, 9}}, false},
		{Span{File: "a", Start: Pos{4, 1}}, false},
		{Span{File: "b", Start: Pos{3, 1}}, false},
	} {
		if s.Contains(c.at) != c.want {
			t.Errorf("%v: got %v", c.at, !c.want)
		}
	}
}

func TestCause(t *testing.T) {
	plain := errors.New("plain")
	for _, err := range []error{&fs.PathError{Op: "open", Path: "x", Err: plain}, plain} {
		if got := Cause(err); !errors.Is(got, plain) || got.Error() != "plain" {
			t.Errorf("got %v", got)
		}
	}
}
