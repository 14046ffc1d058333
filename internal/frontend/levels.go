package frontend

import (
	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
)

// levels are those that the manifest gives to rules of compatibility.
func (p *Project) levels() map[string]compat.Level {
	levels := map[string]compat.Level{}
	for _, entry := range p.Manifest.Levels {
		level, err := compat.ParseLevel(entry.Value.Scalar.Value)
		if err != nil {
			panic("sculpt: " + err.Error()) // the key table allows no other
		}
		levels[entry.Key.Value] = level
	}
	return levels
}

// checkLevels refuses levels that a rule cannot have: they would count for
// nothing.
func (p *Project) checkLevels() diag.List {
	var list diag.List
	for _, entry := range p.Manifest.Levels {
		id, span := entry.Key.Value, entry.Key.Span
		rule, exists := compat.RuleOf(id)
		level, _ := compat.ParseLevel(entry.Value.Scalar.Value) // [Project.levels] tells the error
		switch {
		case !exists:
			list.Errorf(ruleLevel, span, "sculpt rules lists all", "there is no rule of compatibility %q%s", id, diag.DidYouMean(id, compat.IDs()))
		case rule.Class == compat.History:
			list.Errorf(ruleLevel, span, "delete it", "%q guards what is released; its level cannot be chosen", id)
		case !rule.Allows(level):
			list.Errorf(ruleLevel, span, "delete it; accept lets single breaks pass", "%q breaks callers; it stays an error", id)
		}
	}
	return list
}
