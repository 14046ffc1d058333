package pins_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag/diagtest"
	"github.com/sculpt-tools/sculpt/internal/pins"
)

func TestRuleIDs(t *testing.T) { diagtest.Rules(t, ".") }

func TestRulesPage(t *testing.T) { diagtest.Page(t, pins.Rules) }
