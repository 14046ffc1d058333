package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
)

// TestMain is the clock where the agent starts it.
func TestMain(m *testing.M) {
	if os.Getenv(clockVariable) != "" {
		os.Exit(clock(os.Args[1:], os.Stdout))
	}
	os.Exit(m.Run())
}

// TestTranscript: with every provider the same things happen, and the README has
// them.
func TestTranscript(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for p := range speakers {
		var b bytes.Buffer
		if err := run(t.Context(), p, scripted(p), "../nws/replay", &b); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if got := strings.TrimSpace(b.String()); !strings.Contains(string(readme), "```\n"+got+"\n```") {
			t.Errorf("%s: README.md has another transcript:\n%s", p, got)
		}
	}
	if err := run(t.Context(), "clippy", scripted("clippy"), "../nws/replay", &bytes.Buffer{}); err == nil {
		t.Error("clippy is a provider")
	}
	if len(speakers) != 4 || speakers[agent.Gemini] == nil {
		t.Error("not every provider is spoken")
	}
}
