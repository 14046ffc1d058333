package client

import (
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestErrorText: who logs an error reads what the server said, and with which
// status it said so.
func TestErrorText(t *testing.T) {
	fault := &tool.Error{Kind: tool.KindUnavailable, Message: "Try later."}
	for status, want := range map[int]string{503: "client: " + fault.Error() + " (status 503)", 0: "client: " + fault.Error()} {
		if got := (&Error{Fault: fault, Status: status}).Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
