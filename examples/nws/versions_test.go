package nws_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestSignaturesDiffer: the documents of the first two versions differ by the
// number, the input and the output.
func TestSignaturesDiffer(t *testing.T) {
	h := handlerOver(t, toolsOver(t, recorded(t)))
	get := func(path string, into any) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != http.StatusOK {
			t.Fatalf("GET %s: %d, %v", path, w.Code, err)
		}
	}
	var one, two map[string]any
	get("/a2t/tools/"+lookupID+"/versions/1", &one)
	get("/a2t/tools/"+lookupID+"/versions/2", &two)
	drop := func(list, name string) {
		params := two[list].([]any)
		i := slices.IndexFunc(params, func(p any) bool { return p.(map[string]any)["name"] == name })
		if i < 0 {
			t.Fatalf("version 2 has no %s", name)
		}
		two[list] = slices.Delete(params, i, i+1)
	}
	drop("input_parameters", "detailed")
	drop("output_parameters", "wind")
	if one["version"] != 1.0 || two["version"] != 2.0 || one["currentVersion"] != 3.0 {
		t.Errorf("versions %v and %v, current %v", one["version"], two["version"], one["currentVersion"])
	}
	two["version"] = 1.0
	if !reflect.DeepEqual(one, two) {
		t.Error(cmp.Diff(one, two))
	}
}

// TestUnreleasedIsRefused: a server does not start with a version that callers
// may not rely on, unless it is told to.
func TestUnreleasedIsRefused(t *testing.T) {
	set := toolsOver(t, recorded(t)).Toolset()
	at := slices.IndexFunc(set.Tools, func(t tool.Tool) bool { return t.Name == lookup })
	newest := &set.Tools[at]
	newest.Versions = slices.Clone(newest.Versions)
	newest.Versions[2].Released = false
	_, err := serve.NewHandler([]tool.Toolset{set})
	if err == nil || !strings.Contains(err.Error(), "lookup_weather_by_city version 3: it is not released") {
		t.Errorf("the server starts with a version that is not released: %v", err)
	}
	if _, err := serve.NewHandler([]tool.Toolset{set}, serve.WithUnreleased()); err != nil {
		t.Errorf("WithUnreleased: %v", err)
	}
}
