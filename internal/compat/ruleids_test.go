package compat_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag/diagtest"
)

func TestRuleIDs(t *testing.T) { diagtest.Rules(t, ".") }

func TestRulesPage(t *testing.T) { diagtest.Page(t, compat.Catalogue()) }
