package gen_test

import (
	"encoding/json"
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

// TestBundleOfCallers: a host asks for what the tools want of their caller, since
// the program reads it over stdin too, and hides what it is known by.
func TestBundleOfCallers(t *testing.T) {
	p, findings := frontend.Load(os.DirFS(golden.Root(t)), "examples/clinic")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	var doc struct {
		Server struct {
			Config struct{ Env map[string]string } `json:"mcp_config"`
		}
		Config map[string]struct {
			Description         string
			Required, Sensitive bool
			Default             *string
		} `json:"user_config"`
	}
	b := gen.Bundle{Version: "1.0.0", Author: "Me", Builds: []gen.Build{{Platform: "linux", File: "server/linux/clinic"}}}
	if err := json.Unmarshal(gen.MCPB(p.Program, b).Data, &doc); err != nil {
		t.Fatal(err)
	}
	for name, about := range map[string]string{"CLINIC_AUTHORIZATION": "The header Authorization", "CLINIC_SECRET_PATIENT_PIN": "The secret patient_pin"} {
		key := strings.ToLower(name)
		of := doc.Config[key]
		if doc.Server.Config.Env[name] != "${user_config."+key+"}" || !of.Sensitive || of.Required || of.Default == nil || *of.Default != "" || !strings.HasPrefix(of.Description, about) {
			t.Errorf("%s: %+v", name, of)
		}
	}
}
