package compat_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestFallback: who was told a fallback gets it instead of a value that is new,
// so nobody who names a version breaks; the words of A2T still allow no new value.
func TestFallback(t *testing.T) {
	side := func(version int, fallback string, values ...string) *compat.Side {
		out := signature.Output{ID: "sky", Name: "sky", Type: signature.Enum}
		for _, v := range values {
			out.Values = append(out.Values, signature.Value{Name: v})
		}
		s := compat.SideOf(&signature.Signature{ID: "0479a45d", Name: "get_forecast", Version: version, Outputs: []signature.Output{out}})
		s.Details.Outputs = map[string]signature.OutputDetails{"sky": {Fallback: fallback}}
		return s
	}
	for _, c := range []struct {
		fallback string
		policy   compat.Policy
		want     compat.Level
	}{
		{"OTHER", compat.A2T, compat.Note}, {"OTHER", compat.ClientSafe, compat.Note}, {"OTHER", compat.Letter, compat.Error},
		{"", compat.A2T, compat.Error}, {"", compat.ClientSafe, compat.Warning}, {"", compat.Letter, compat.Error},
	} {
		got := compat.Compare(side(1, c.fallback, "CLEAR", "OTHER"), side(2, "", "CLEAR", "FOG", "OTHER"), compat.Options{Policy: c.policy})
		if len(got) != 1 || got[0].Rule != "output-enum-value-added" || got[0].Level != c.want {
			t.Errorf("fallback %q, %s: %v, want %s", c.fallback, c.policy, got, c.want)
		}
	}
}
