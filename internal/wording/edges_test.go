package wording_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/wording"
)

// A text is judged by its letters from four of them on, and by the small words of
// other languages where there are two more than of English.
func TestForeignEdges(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "日本語": false, "日本語文": true, "日本ab": false, "日本語ab": true, "日本語ab cd": false, "привет": true, "123 456 7890": false, "αβγ": false, "αβγδ": true,
		"der": false, "der die": true, "der die the": false, "der die das the": true, "der die das the of": false, "der die das und the of": true, "les noms": false, "les noms des villes": true, "find-der_die": false, "Order der and die das": true, "DER DIE": true, "an as in on": false,
	} {
		if got := wording.Foreign(text); got != want {
			t.Errorf("%q is foreign: %v", text, got)
		}
	}
}
