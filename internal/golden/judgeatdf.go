package golden

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// compileATDF compiles the schemas of ATDF by the version of a document, and
// that of its errors under "error".
var compileATDF = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	set := map[string]*jsonschema.Schema{}
	c := schemaCompiler()
	for version, file := range map[string]string{"1.0.0": "atdf_schema", "2.0.0": "enhanced_atdf_schema", "error": "error_atdf"} {
		raw, err := os.ReadFile(filepath.Join(os.Getenv("SCULPT_SHARED"), "protocols/atdf/schema", file+".json"))
		if err != nil {
			return nil, err
		}
		if err := c.AddResource("urn:"+file, bytes.NewReader(raw)); err != nil {
			return nil, err
		}
		if set[version], err = c.Compile("urn:" + file); err != nil {
			return nil, err
		}
	}
	return set, nil
})

// JudgeATDF holds a descriptor, a list of them or an error document against
// the schema of its version. It needs the schemas: see [Shared].
func JudgeATDF(t testing.TB, doc map[string]any) {
	t.Helper()
	set, err := compileATDF()
	if err != nil {
		t.Fatal(err)
	}
	list, isList := doc["tools"].([]any)
	if !isList {
		list = []any{doc}
	}
	for _, item := range list {
		version, _ := item.(map[string]any)["schema_version"].(string)
		if doc["errors"] != nil {
			version = "error"
		}
		if set[version] == nil {
			t.Errorf("there is no ATDF %q: %v", version, item)
		} else if err := set[version].Validate(item); err != nil {
			t.Errorf("%v: %#v", item, err)
		}
	}
}

// isATDF says of an answer that it is one of ATDF, and no problem document of
// the server as a whole.
func isATDF(path string, rec *httptest.ResponseRecorder) bool {
	return strings.HasPrefix(path, "/atdf/") && rec.Header().Get("Content-Type") == "application/json"
}
