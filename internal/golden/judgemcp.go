package golden

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The official schemas that answers of the two eras of MCP are held against.
// 2025-06-18 has the same results as 2025-11-25, but wants an id in every error.
const (
	mcpLegacySchema = "2025-11-25"
	mcpModernSchema = "2026-07-28"
)

// mcpResults tells results apart by a member that no other has.
var mcpResults = []struct{ member, schema string }{
	{"tools", "ListToolsResult"}, {"content", "CallToolResult"}, {"supportedVersions", "DiscoverResult"}, {"prompts", "ListPromptsResult"},
	{"resources", "ListResourcesResult"}, {"resourceTemplates", "ListResourceTemplatesResult"}, {"protocolVersion", "InitializeResult"},
	{"inputRequests", "InputRequiredResult"}, {"taskId", "Result"},
}

// elicitError is the code of the one error that has a form of its own, before
// 2026-07-28.
const elicitError = -32042.0

var compileMCP = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	schemas := map[string]*jsonschema.Schema{}
	for _, revision := range []string{mcpLegacySchema, mcpModernSchema} {
		c := jsonschema.NewCompiler()
		c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
		raw, err := os.ReadFile(filepath.Join(os.Getenv("SCULPT_SHARED"), "protocols", "mcp", "schema", revision+".json"))
		if err != nil {
			return nil, err
		}
		if err := c.AddResource("urn:mcp", bytes.NewReader(raw)); err != nil {
			return nil, err
		}
		names := []string{"JSONRPCErrorResponse", "URLElicitationRequiredError", "JSONRPCResultResponse", "EmptyResult"}
		for _, r := range mcpResults {
			names = append(names, r.schema)
		}
		for _, name := range names {
			// Each revision has results that the other one lacks.
			if s, err := c.Compile("urn:mcp#/$defs/" + name); err == nil {
				schemas[revision+name] = s
			}
		}
	}
	return schemas, nil
})

// JudgeMCP validates an answer of MCP, or a batch of them, against the schema
// of its revision: what has a resultType is of 2026-07-28. Without the schemas
// it checks nothing.
func JudgeMCP(t testing.TB, where string, answer any) {
	t.Helper()
	if os.Getenv("SCULPT_SHARED") == "" {
		return
	}
	schemas, err := compileMCP()
	if err != nil {
		t.Fatal(err)
	}
	if batch, ok := answer.([]any); ok {
		for _, one := range batch {
			JudgeMCP(t, where, one)
		}
		return
	}
	doc, _ := answer.(map[string]any)
	result, _ := doc["result"].(map[string]any)
	revision, name := mcpLegacySchema, "EmptyResult"
	if result["resultType"] != nil {
		revision = mcpModernSchema
	}
	for _, r := range mcpResults {
		if _, ok := result[r.member]; ok {
			name = r.schema
		}
	}
	envelope := "JSONRPCResultResponse"
	if doc["error"] != nil {
		envelope, name = "JSONRPCErrorResponse", ""
		if e, _ := doc["error"].(map[string]any); e["code"] == elicitError {
			envelope = "URLElicitationRequiredError"
		}
	}
	judged := map[string]any{envelope: doc, name: result}
	if result["taskId"] != nil && result["result"] != nil { // of an extension: its call's own result
		judged["CallToolResult"] = result["result"]
	}
	for schema, value := range judged {
		if schema == "" {
			continue
		}
		judge := schemas[revision+schema]
		if judge == nil {
			t.Errorf("%s: MCP %s has no %s", where, revision, schema)
			continue
		}
		if err := judge.Validate(value); err != nil {
			t.Errorf("%s: %v is not a %s of MCP %s: %#v", where, value, schema, revision, err)
		}
	}
}
