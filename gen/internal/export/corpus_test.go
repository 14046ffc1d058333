package export_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/corpus"
	"github.com/sculpt-tools/sculpt/gen/internal/export"
)

// What is generated of every case of the corpus is what it was.
func TestCorpus(t *testing.T) { corpus.Check(t, corpus.IsExport) }

func TestRulesAreDocumented(t *testing.T) { corpus.Documented(t, export.Rules) }
