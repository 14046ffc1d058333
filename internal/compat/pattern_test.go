package compat_test

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestPatterns compares what patterns take, and says where it cannot be told.
func TestPatterns(t *testing.T) {
	side := func(pattern string) *compat.Side {
		return compat.SideOf(&signature.Signature{ID: "t", Name: "find", Version: 1, Inputs: []signature.Input{
			{ID: "a", Name: "a", Type: signature.String, MaxLength: 40, Pattern: pattern},
		}})
	}
	const same, untold = "is written otherwise", "cannot be told from the two patterns"
	for _, c := range []struct {
		old, new string
		// rule and level are those of client-safe; said is in the message.
		rule  string
		level compat.Level
		said  string
	}{
		{"^[a-z]+$", "^[a-z]+$", "", compat.None, ""},
		{`^\d+$`, "^[0-9]+$", "input-pattern-changed", compat.Note, same},
		{"^[0-9]{2}$", `^\d\d$`, "input-pattern-changed", compat.Note, same},
		{"^[a-z]{1,}$", "^[a-z]+$", "input-pattern-changed", compat.Note, same},
		{"^(ab)c$", "^abc$", "input-pattern-changed", compat.Note, same},
		{"^(?:red|blue)$", "^(red|blue)$", "input-pattern-changed", compat.Note, same},
		{"^((a)b)(c(d)|(?:e|f))$", "^abc(d)|e$", "input-pattern-changed", compat.Error, ""},
		{"^((a)b)(c(d))x+$", "^ab(?:cd)xx*$", "input-pattern-changed", compat.Error, untold},
		{"^((a)b)(c(d))x+$", "^ab(?:cd)x{1,}$", "input-pattern-changed", compat.Note, same},
		{"^(?i)a$", "^A$", "input-pattern-changed", compat.Error, ""},
		{"^(red|(?:blue|green))$", "^(red|blue|green)$", "input-pattern-changed", compat.Note, same},
		{"^[a-cx]$", "^[xa-c]$", "input-pattern-changed", compat.Note, same},
		{`^[a\-b]$`, `^[ab-]$`, "input-pattern-changed", compat.Note, same},
		{"^[a-z]+$", "^[a-z]*$", "input-pattern-changed", compat.Error, untold}, // wider, which nobody decides
		{"^[a-z]+$", "^[a-z]+", "input-pattern-changed", compat.Error, untold},
		{"^[a-z]{2}$", "^[a-z]{3}$", "input-pattern-changed", compat.Error, `"en" was accepted and is not now`},
		{"^(red|blue)$", "^(blue|red)$", "input-pattern-changed", compat.Error, untold},
		{"", "^[a-z]+$", "input-pattern-changed", compat.Error, "had no pattern in v1 and now has one"},
		{`^(?=a)`, `^(?=b)`, "input-pattern-changed", compat.Error, untold}, // only other programs read these
		{"^[a-z]+$", "", "input-pattern-loosened", compat.Note, "is gone"},
		{"^[a-z]+$", ".*", "input-pattern-loosened", compat.Note, "is gone"},
		{"^[a-z]+$", `((?:.|\n)*)`, "input-pattern-loosened", compat.Note, "is gone"},
		{"^[a-z]+$", "(.){0,}", "input-pattern-loosened", compat.Note, "is gone"},
		{"^[a-z]+$", "[a-z]*", "input-pattern-changed", compat.Error, untold}, // takes all, and was not meant to
		{"^[a-z]+$", "^.*$", "input-pattern-changed", compat.Error, untold},   // no line feeds
		{".*", "", "", compat.None, ""},
		{".*", `[\s\S]*`, "", compat.None, ""},
	} {
		changes := compat.Compare(side(c.old), side(c.new), compat.Options{Policy: compat.ClientSafe})
		switch {
		case c.rule == "" && len(changes) == 0:
		case len(changes) != 1 || changes[0].Rule != c.rule || changes[0].Level != c.level || !strings.Contains(changes[0].Message(), c.said):
			t.Errorf("%q -> %q: %v, want %s %s %q", c.old, c.new, changes, c.level, c.rule, c.said)
		}
	}
}
