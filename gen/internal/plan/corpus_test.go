package plan_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/corpus"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
)

// What is generated of every case of the corpus is what it was.
func TestCorpus(t *testing.T) { corpus.Check(t, corpus.IsGo) }

func TestRulesAreDocumented(t *testing.T) { corpus.Documented(t, plan.Rules) }
