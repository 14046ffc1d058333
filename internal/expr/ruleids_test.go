package expr_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag/diagtest"
	"github.com/sculpt-tools/sculpt/internal/expr"
)

func TestRuleIDs(t *testing.T) { diagtest.Rules(t, ".") }

func TestRulesPage(t *testing.T) { diagtest.Page(t, expr.Rules) }
