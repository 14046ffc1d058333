package ir_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

// The place of an expression is written without what moves with other tools or
// with the folder.
func TestPlacesOfExpressions(t *testing.T) {
	e := &ir.Expr{Path: "tools.find.let.name", Span: diag.Span{File: "a/b/sculpt.yaml", Start: diag.Pos{Line: 3, Col: 4}}, Places: []diag.Pos{{Line: 5, Col: 6}, {Line: 5, Col: 7}}}
	for offset, want := range map[int]string{0: "let.name:1", 16: "let.name:17"} {
		if got := e.Part(offset); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := (&ir.Expr{Path: "constants.x"}).Part(2); got != "constants.x:3" {
		t.Error(got)
	}
	for offset, want := range map[int]diag.Pos{-1: {Line: 3, Col: 4}, 0: {Line: 5, Col: 6}, 1: {Line: 5, Col: 7}, 2: {Line: 3, Col: 4}} {
		if at := e.Pos(offset); at.File != "sculpt.yaml" || at.Start != want {
			t.Errorf("%d: %v, want %v", offset, at, want)
		}
		if at := e.At(offset); at.File != "a/b/sculpt.yaml" || at.Start != want {
			t.Errorf("%d: %v, want %v", offset, at, want)
		}
	}
}
