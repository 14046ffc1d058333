package tool

import (
	"errors"
	"testing"
)

// One wrong input is told like several: after a colon, unless a message of the
// tool comes first.
func TestExplainIssues(t *testing.T) {
	sentence := (&Error{Kind: KindInvalidInput}).Sentence()
	one := Issue{Param: "city", Detail: "This parameter is required."}
	two := Issue{Param: "n", Detail: "Too many.", Allowed: []string{"1", "2"}}
	for _, c := range []struct {
		e    Error
		want string
	}{
		{Error{Kind: KindInvalidInput}, sentence},
		{Error{Kind: KindInvalidInput, Issues: []Issue{one}}, sentence + ": city: This parameter is required."},
		{Error{Kind: KindInvalidInput, Issues: []Issue{two, one}}, sentence + ": n: Too many. Allowed: 1, 2. city: This parameter is required."},
		{Error{Kind: KindInvalidInput, Message: "No.", Issues: []Issue{one}}, "No. city: This parameter is required."},
	} {
		if got := c.e.Explain(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	cause := errors.New("x")
	if !errors.Is(&Error{Err: cause}, cause) {
		t.Error("the cause is lost")
	}
}
