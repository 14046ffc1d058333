package conform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	contract "github.com/sculpt-tools/sculpt/internal/signature"
)

// TestProtocolsPage: docs/protocols.md names every member of ours in signatures
// of A2T, and every protocol of the kit.
func TestProtocolsPage(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "protocols.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, name := range slices.Concat(contract.Extensions, contract.InputExtensions) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not name the member %s", name)
		}
	}
	for _, p := range protocols {
		if word := strings.ToUpper(p.word); !strings.Contains(strings.ReplaceAll(page, "-", ""), word) {
			t.Errorf("the page does not name %s", word)
		}
	}
}
