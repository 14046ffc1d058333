package bench

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	apiv0 "github.com/modelcontextprotocol/registry/pkg/api/v0"
	"github.com/modelcontextprotocol/registry/pkg/model"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestServerJSON lets the schema and the types of the official registry judge a
// server.json, with a bundle and with an address.
func TestServerJSON(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/registry").Output()
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(strings.TrimSpace(string(dir)), "internal", "validators", "schemas", model.CurrentSchemaVersion+".json"))
	if err != nil {
		t.Fatal(err)
	}
	bundle := filepath.Join(t.TempDir(), "nws.mcpb")
	root := func(args ...string) []byte {
		t.Helper()
		cmd := exec.Command("go", append([]string{"run", "./cmd/sculpt", "export"}, args...)...)
		cmd.Dir = ".."
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %s", err, said.String())
		}
		return out
	}
	root("mcpb", "--out", bundle, "--version", "1.0.0", "--author", "Weather", "--platform", "linux/amd64", "examples/nws")
	text := root("server.json", "--name", "example.weather/nws", "--bundle", bundle, "--download", "https://github.com/weather/nws/releases/download/v1/nws.mcpb",
		"--remote", "https://weather.example/mcp", "examples/nws")
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	var server apiv0.ServerJSON
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&server); err != nil {
		t.Fatal(err)
	}
	if server.Schema != model.CurrentSchemaURL || server.Version != "1.0.0" || len(server.Packages) != 1 || server.Packages[0].RegistryType != model.RegistryTypeMCPB ||
		len(server.Packages[0].FileSHA256) != 64 || len(server.Remotes) != 1 || server.Remotes[0].Type != model.TransportTypeStreamableHTTP {
		t.Errorf("the registry reads %+v", server)
	}
}
