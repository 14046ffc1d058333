package frontend

import (
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

// withoutIgnored leaves out the warnings that the manifest ignores, and warns
// of entries that ignore nothing: they would hide the next mistake.
func withoutIgnored(m *manifest.Manifest, findings diag.List) diag.List {
	var out diag.List
	used := map[*manifest.Ignore]bool{}
	for _, f := range findings {
		hidden := false
		for _, entry := range m.Ignores {
			if f.Severity != diag.Error && entry.Rule.Value == f.Rule.String() && covers(m, entry, f) {
				hidden, used[entry] = true, true
			}
		}
		if !hidden {
			out = append(out, f)
		}
	}
	if findings.HasErrors() {
		return out // lints may not have run
	}
	for _, entry := range m.Ignores {
		if !used[entry] {
			out.Warnf(ruleIgnore, entry.Span, "remove it, or correct its rule and place", "this entry ignores nothing")
		}
	}
	return out
}

// covers reports whether a finding is where an entry says.
func covers(m *manifest.Manifest, entry *manifest.Ignore, f diag.Finding) bool {
	return !entry.At.IsSet() || m.Covers(entry.At.Value, f.Span)
}
