package scan

import "testing"

// Logs name the sort of a fault; a sort that is not known is not one.
func TestWhyWords(t *testing.T) {
	seen := map[string]bool{}
	for w := range Why(len(whyTexts)) {
		text := w.String()
		if w == 0 != (text == "unknown") || text == "" || seen[text] {
			t.Errorf("%d is %q", w, text)
		}
		seen[text] = true
	}
	if got := Why(len(whyTexts)).String(); got != "unknown" {
		t.Error(got)
	}
	if got := WrongKind.String(); got != whyTexts[WrongKind] {
		t.Error(got)
	}
}
