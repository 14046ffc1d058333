package history_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag/diagtest"
	"github.com/sculpt-tools/sculpt/internal/history"
)

func TestRuleIDs(t *testing.T) { diagtest.Rules(t, ".") }

func TestRulesPage(t *testing.T) { diagtest.Page(t, history.Rules) }
