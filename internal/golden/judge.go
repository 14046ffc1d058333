package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A schemaSet finds the compiled definitions of the two schema files.
type schemaSet struct{ a2t, otc map[string]*jsonschema.Schema }

var compileSchemas = sync.OnceValues(func() (*schemaSet, error) {
	dir := filepath.Join(os.Getenv("SCULPT_SHARED"), "protocols")
	c := schemaCompiler()
	set := &schemaSet{map[string]*jsonschema.Schema{}, map[string]*jsonschema.Schema{}}
	for _, file := range []struct {
		path, id string
		into     map[string]*jsonschema.Schema
		names    string
	}{
		{"a2t/a2t.schema.json", "urn:sculpt:a2t-00", set.a2t, "ToolList ToolSignature InvokeRequest InvokeResponse Problem"},
		{"otc/otc-repaired.schema.json", "urn:sculpt:otc-oxp-1.0-repaired", set.otc,
			"ListOtc10 ListOxp10 ResultEnvelope ServerErrorResponse ValidationErrorResponse"},
	} {
		raw, err := os.ReadFile(filepath.Join(dir, file.path))
		if err != nil {
			return nil, err
		}
		if err := c.AddResource(file.id, bytes.NewReader(raw)); err != nil {
			return nil, err
		}
		for name := range strings.FieldsSeq(file.names) {
			if file.into[name], err = c.Compile(file.id + "#/$defs/" + name); err != nil {
				return nil, err
			}
		}
	}
	return set, nil
})

func schemaCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
	return c
}

// Judged wraps a handler so that every answer it gives in a test is validated
// against the schema of its protocol. Without the schemas it only checks what
// holds for every answer.
func Judged(t testing.TB, h http.Handler) http.Handler {
	var set *schemaSet
	if os.Getenv("SCULPT_SHARED") != "" {
		var err error
		if set, err = compileSchemas(); err != nil {
			t.Fatal(err)
		}
	}
	return &judged{h, func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		judge(t, set, r, rec)
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	}}
}

// judged is a handler whose answers are judged.
type judged struct {
	inner http.Handler
	http.HandlerFunc
}

// Unwrap returns the handler that is judged.
func (j *judged) Unwrap() http.Handler { return j.inner }

func judge(t testing.TB, set *schemaSet, r *http.Request, rec *httptest.ResponseRecorder) {
	body, where := rec.Body.Bytes(), r.Method+" "+r.URL.String()
	if strings.HasSuffix(r.URL.Path, "/health") || strings.HasSuffix(r.URL.Path, "z") && len(body) < 20 {
		return
	}
	if len(body) == 0 {
		if rec.Code != http.StatusNoContent && rec.Code != http.StatusAccepted && rec.Code != http.StatusNotModified && r.Method != http.MethodHead {
			t.Errorf("%s: %d without a body", where, rec.Code)
		}
		return
	}
	if rec.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%s: no nosniff", where)
	}
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Errorf("%s: the answer is not JSON: %v: %s", where, err, body)
		return
	}
	if set == nil {
		return
	}
	if rec.Code == http.StatusOK && (r.URL.Path == "/" || r.URL.Path == "/openapi.json") {
		return // of no protocol
	}
	if strings.HasPrefix(r.URL.Path, "/mcp") && rec.Header().Get("Content-Type") == "application/json" {
		JudgeMCP(t, where, doc)
		return
	}
	if isATDF(r.URL.Path, rec) {
		JudgeATDF(t, doc.(map[string]any))
		return
	}
	if err := schemaFor(set, r, rec, doc.(map[string]any)).Validate(Drafted(doc)); err != nil {
		t.Errorf("%s: %d %s: %#v", where, rec.Code, body, err)
	}
}

func schemaFor(set *schemaSet, r *http.Request, rec *httptest.ResponseRecorder, doc map[string]any) *jsonschema.Schema {
	elsewhere := rec.Code == http.StatusNotFound && rec.Header().Get("Content-Type") == "application/problem+json"
	if strings.HasPrefix(r.URL.Path, "/otc/") && !elsewhere {
		_, items := doc["items"]
		switch {
		case rec.Code == http.StatusUnprocessableEntity:
			return set.otc["ValidationErrorResponse"]
		case rec.Code != http.StatusOK:
			return set.otc["ServerErrorResponse"]
		case r.Method == http.MethodPost:
			return set.otc["ResultEnvelope"]
		case items:
			return set.otc["ListOxp10"]
		}
		return set.otc["ListOtc10"]
	}
	switch {
	case rec.Header().Get("Content-Type") == "application/problem+json":
		return set.a2t["Problem"]
	case r.Method == http.MethodPost:
		return set.a2t["InvokeResponse"]
	case doc["items"] != nil:
		return set.a2t["ToolList"]
	}
	return set.a2t["ToolSignature"]
}
