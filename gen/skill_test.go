package gen_test

import (
	"os"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestSkillOfCallers: a skill lists every variable that the program reads, those of
// its caller too, each once.
func TestSkillOfCallers(t *testing.T) {
	p, findings := frontend.Load(os.DirFS(golden.Root(t)), "examples/clinic")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	skill := string(gen.Skill(p.Program).Data)
	for _, want := range []string{
		"- `CLINIC_API_KEY` is needed in the environment: ", "- `CLINIC_TENANT` is read in the environment: ",
		"- `CLINIC_AUTHORIZATION` is read in the environment: The header Authorization", "- `CLINIC_SECRET_PATIENT_PIN` is read in the environment: The secret patient_pin.",
	} {
		if strings.Count(skill, want) != 1 {
			t.Errorf("%q is not there once in\n%.2500s", want, skill)
		}
	}
}
