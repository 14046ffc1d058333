package golden

import "testing"

// NotRaced leaves a test to the run without the race detector, which would make
// it ten times as slow and find nothing: it generates, reads or builds a great
// deal, one thing after the other. The gate runs all tests both ways.
func NotRaced(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("left to the run without the race detector")
	}
}
