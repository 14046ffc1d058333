package nws_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// raw is everything that a caller gets: the outputs by name, or the error.
type raw struct {
	Status  int
	Outputs map[string]json.RawMessage
	Error   string
}

func askA2T(t testing.TB, h http.Handler, version int, inputs map[string]any) raw {
	var got struct {
		Outputs []struct {
			Name  string
			Value json.RawMessage
		} `json:"output_parameters"`
		Detail string
	}
	params := []map[string]any{}
	for name, v := range inputs {
		params = append(params, map[string]any{"name": name, "value": v})
	}
	path := fmt.Sprintf("/a2t/tools/%s/versions/%d:invoke", lookupID, version)
	out := raw{Status: post(t, h, path, map[string]any{"input_parameters": params}, &got), Error: got.Detail, Outputs: map[string]json.RawMessage{}}
	for _, o := range got.Outputs {
		out.Outputs[o.Name] = o.Value
	}
	return out
}

func askOTC(id string) func(testing.TB, http.Handler, int, map[string]any) raw {
	return func(t testing.TB, h http.Handler, version int, inputs map[string]any) raw {
		var got struct {
			Result struct {
				Value map[string]json.RawMessage
				Error struct{ Message string }
			}
			Detail string
		}
		body := map[string]any{"request": map[string]any{"tool_id": fmt.Sprintf(id, version), "input": inputs}}
		status := post(t, h, "/otc/tools/call", body, &got)
		return raw{Status: status, Outputs: got.Result.Value, Error: got.Result.Error.Message + got.Detail}
	}
}

// TestVersionsDiffer: version 2 added the input detailed and the output wind.
// Whoever calls version 1 gets what version 2 gives, less the wind, whatever
// the question and the protocol; errors are the same.
func TestVersionsDiffer(t *testing.T) {
	h := handlerOver(t, toolsOver(t, replay(t)))
	for door, ask := range map[string]func(testing.TB, http.Handler, int, map[string]any) raw{
		"A2T": askA2T, "OTC major": askOTC("Weather.LookupWeatherByCity@%d"), "OTC exact": askOTC("Weather.LookupWeatherByCity@%d.0.0"),
	} {
		answered := 0
		for _, q := range questions {
			inputs := map[string]any{"city": q.city, "period": q.period}
			one, two := ask(t, h, 1, inputs), ask(t, h, 2, inputs)
			if q.want.Message == "" {
				answered++
				if wind := string(two.Outputs["wind"]); len(wind) < 5 || !strings.Contains(wind, "mph") {
					t.Errorf("%s, %s: the wind of version 2 is %s", door, q.city, wind)
				}
				if _, has := one.Outputs["wind"]; has || len(one.Outputs) != 3 {
					t.Errorf("%s, %s: version 1 answers %s", door, q.city, one.Outputs)
				}
			}
			delete(two.Outputs, "wind")
			if diff := cmp.Diff(two, one); diff != "" {
				t.Errorf("%s, %s: version 1 differs from version 2 less the wind:\n%s", door, q.city, diff)
			}
		}
		if answered < 5 {
			t.Errorf("%s: only %d questions have an answer", door, answered)
		}
		// What version 2 added is unknown in version 1, and works in version 2.
		inputs := map[string]any{"city": "Omaha, NE", "detailed": true}
		if one := ask(t, h, 1, inputs); len(one.Outputs) > 0 || one.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: version 1 takes an input of version 2: %+v", door, one)
		}
		if two := ask(t, h, 2, inputs); string(two.Outputs["summary"]) != `"Mostly Sunny. High near 47."` {
			t.Errorf("%s: version 2 tells no more: %s", door, two.Outputs["summary"])
		}
	}
}

// TestSignaturesDiffer: the documents of both versions differ by the number,
// the input and the output; the list has the newest version first.
func TestSignaturesDiffer(t *testing.T) {
	h := handlerOver(t, toolsOver(t, replay(t)))
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
	if one["version"] != 1.0 || two["version"] != 2.0 || one["currentVersion"] != 2.0 {
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
	set := toolsOver(t, replay(t)).Toolset()
	tool := &set.Tools[1]
	tool.Versions = slices.Clone(tool.Versions)
	tool.Versions[1].Released = false
	_, err := serve.NewHandler([]serve.Toolset{set})
	if err == nil || !strings.Contains(err.Error(), "lookup_weather_by_city version 2: it is not released") {
		t.Errorf("the server starts with a version that is not released: %v", err)
	}
	if _, err := serve.NewHandler([]serve.Toolset{set}, serve.AllowUnreleased()); err != nil {
		t.Errorf("AllowUnreleased: %v", err)
	}
}
