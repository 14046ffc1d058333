package signature_test

import (
	"fmt"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestFront holds the promise of every tool of the corpus as it is served and
// locked, and what is read back of it, whole and damaged.
func TestFront(t *testing.T) {
	front.Hold(t, "testdata/front.txt", front.Each(t, 0, func(p *front.Project) (text string) {
		project, findings := frontend.Load(p.FS, p.Dir)
		if findings.HasErrors() {
			return ""
		}
		for _, tool := range project.Program.Tools {
			document, contract := string(tool.Signature.Document(2)), string(tool.Signature.Contract(&tool.Details))
			text += document + contract + string(tool.Signature.Canonical())
			for _, d := range append(front.Damage(p.Name, document, 10), document) {
				text += again(d, contract)
			}
			for _, c := range append(front.Damage(p.Name, contract, 30), contract) {
				text += again(document, c)
			}
		}
		return text
	}))
}

// again reads a document and its contract.
func again(document, contract string) string {
	s, err := signature.Parse([]byte(document))
	if err != nil {
		return fmt.Sprintln(err)
	}
	details, err := signature.ReadContract([]byte(contract), s)
	return fmt.Sprintln(err) + front.Dump(s) + front.Dump(details)
}
