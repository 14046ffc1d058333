package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the back end alone finds fails every command that generates, and none of
// them writes a file.
func TestFindingsOfTheBackEnd(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("rules", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	header, err := os.ReadFile(filepath.Join("rules", "header.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const tool = "tools:\n  toolset:\n    version: 1\n    description: Look up a thing.\n    inputs:\n      id: {type: int, min: 1, max: 99, description: Its number.}\n" +
		"    call: shop.thing\n    with: {id: '${input.id}'}\n    outputs:\n      name: {value: '${result.name}', description: Its name.}\n"
	at := vendorFolder(t, map[string]string{"go.mod": "module example.com/tools\n", "sculpt.yaml": string(header) + tool, "openapi.yaml": string(document)})
	t.Chdir(at.root)
	for _, line := range []string{"lint", "generate", "generate --check", "release", "release --dry-run", "export a2t", "call toolset id=1", "preview"} {
		var stdout, stderr bytes.Buffer
		code := Main(strings.Fields(line), strings.NewReader(""), &stdout, &stderr, noEnv)
		if said := stdout.String() + stderr.String(); code != exitFindings || strings.Count(said, "error[go-name-clash]") != 1 || !strings.Contains(said, "sculpt.yaml:") {
			t.Errorf("%s: exit %d\n%s", line, code, said)
		}
	}
	files, err := os.ReadDir(at.root)
	if err != nil || len(files) != 3 {
		t.Errorf("%v: %v", files, err)
	}
}
