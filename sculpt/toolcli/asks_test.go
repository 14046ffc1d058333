package toolcli_test

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

// An agent asks wherever its flag stands, except where all is an argument.
func TestAsksAgent(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "--agent": true, "look --what --agent x": true, "-- --agent": false, "--agent -- x": true, "a -- --agent --": false, "--agent=1": false, "-agent": false, "agent": false,
	} {
		if got := toolcli.AsksAgent(strings.Fields(line)); got != want {
			t.Errorf("%q asks: %t", line, got)
		}
	}
}
