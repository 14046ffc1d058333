package golang_test

import (
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/corpus"
)

// What is generated of every case of the corpus is what it was.
func TestCorpus(t *testing.T) { corpus.Check(t, corpus.IsGo) }
