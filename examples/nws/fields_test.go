package nws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A field that the weather chain reads: where it is in the answer of a
// step, and what follows when it is gone.
type field struct {
	step, path string
	// absent is the code of the planned answer where the manifest guards the
	// field; "" means that its absence is an error of the backend.
	absent string
	// wrong is a value of another JSON kind.
	wrong any
}

// chainFields lists every field that the chain reads. Those of the geocoder
// that are read with .? have a planned answer when they are missing.
var chainFields = []field{
	{"where.places", "results", "no_such_place", "text"},
	{"where.places", "results.*.country_code", "no_such_place", 5},
	{"where.places", "results.*.feature_code", "no_such_place", true},
	{"where.places", "results.*.admin1", "no_such_place", 5},
	{"where.places", "results.*.name", "", 5},
	{"where.places", "results.*.latitude", "", "41.25"},
	{"where.places", "results.*.longitude", "", "-95.9"},
	{"where.grid", "properties", "", []int{1}},
	{"where.grid", "properties.gridId", "", 7},
	{"where.grid", "properties.gridX", "", "82"},
	{"where.grid", "properties.gridY", "", 1.5},
	{"forecast", "properties", "", "text"},
	{"forecast", "properties.periods", "", map[string]any{}},
	{"forecast", "properties.periods.*.temperature", "", "47"},
	{"forecast", "properties.periods.*.shortForecast", "", 5},
	{"forecast", "properties.periods.*.windSpeed", "", []int{1}},
	{"forecast", "properties.periods.*.windDirection", "", 5},
	{"forecast", "properties.periods.*.isDaytime", "", "yes"},
	{"forecast", "properties.periods.*.startTime", "", 20261120},
}

var stepPaths = map[string]string{"where.places": "/v1/search", "where.grid": "/points/", "forecast": "/gridpoints/"}

// TestEveryFieldThatTheChainReads deletes each field, makes it null and gives
// it another kind: the answer is an error that names step and path in process
// and in the log, and never a value made of nothing. The wire carries code and
// sentence only.
func TestEveryFieldThatTheChainReads(t *testing.T) {
	for _, f := range chainFields {
		for _, how := range []string{"deleted", "null", "wrong kind"} {
			t.Run(f.step+"."+f.path+" "+how, func(t *testing.T) { checkField(t, f, how) })
		}
	}
}

func checkField(t *testing.T, f field, how string) {
	tools := toolsOver(t, &spoiler{next: recorded(t), field: f, how: how})
	p := nws.LookupWeatherByCityPeriodTomorrow
	out, err := tools.LookupWeatherByCity(context.Background(), nws.LookupWeatherByCityInput{City: "Omaha, NE", Period: &p})
	var e *tool.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %+v and the error %v", out, err)
	}
	if out != (nws.LookupWeatherByCityOutput{}) {
		t.Errorf("outputs beside an error: %+v", out)
	}
	if f.absent != "" && how != "wrong kind" {
		if e.Code != f.absent {
			t.Errorf("code %q, want the planned %q", e.Code, f.absent)
		}
		return
	}
	var path *value.PathError
	if !errors.As(err, &path) {
		t.Fatalf("no path in the error %v", err)
	}
	if path.Step != f.step || !samePath(f.path, path.Path) || path.Tool != "lookup_weather_by_city" {
		t.Errorf("error names tool %q, step %q, path %q, want %s %s", path.Tool, path.Step, path.Path, f.step, f.path)
	}
	checkWireAndLog(t, tools, f)
}

// samePath compares "a.*.b" with "a[].b" or "a[3].b".
func samePath(want, got string) bool {
	var parts []string
	for _, p := range strings.FieldsFunc(got, func(r rune) bool { return r == '.' || r == '[' }) {
		if strings.HasSuffix(p, "]") {
			p = "*"
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, ".") == want
}

func checkWireAndLog(t *testing.T, tools *nws.Tools, f field) {
	var log bytes.Buffer
	h, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.NewJSONHandler(&log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest("POST", "/a2t/tools/"+lookupID+":invoke", strings.NewReader(
		`{"input_parameters":[{"name":"city","value":"Omaha, NE"},{"name":"period","value":"TOMORROW"}]}`))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	if w.Code != http.StatusBadGateway || !strings.Contains(w.Body.String(), "backend_invalid_response") {
		t.Errorf("over A2T: %d %s", w.Code, w.Body)
	}
	last := f.path[strings.LastIndexByte(f.path, '.')+1:]
	if strings.Contains(w.Body.String(), last) || strings.Contains(w.Body.String(), "sculpt.yaml") {
		t.Errorf("the wire shows the path: %s", w.Body)
	}
	if !strings.Contains(log.String(), last) || !strings.Contains(log.String(), `"`+f.step+`"`) {
		t.Errorf("the log does not name step and path: %s", log.String())
	}
}

// spoiler spoils one field in the answers of one step.
type spoiler struct {
	next  http.RoundTripper
	field field
	how   string
}

func (s *spoiler) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.next.RoundTrip(r)
	if err != nil || !strings.HasPrefix(r.URL.Path, stepPaths[s.field.step]) {
		return resp, err
	}
	var doc any
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		return nil, err
	}
	resp.Body.Close()
	s.spoil(doc, strings.Split(s.field.path, "."))
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	resp.Header.Set("Content-Length", strconv.Itoa(len(data)))
	return resp, nil
}

func (s *spoiler) spoil(node any, path []string) {
	if path[0] == "*" {
		for _, e := range node.([]any) {
			s.spoil(e, path[1:])
		}
		return
	}
	obj := node.(map[string]any)
	if len(path) > 1 {
		if next := obj[path[0]]; next != nil {
			s.spoil(next, path[1:])
		}
		return
	}
	switch s.how {
	case "deleted":
		delete(obj, path[0])
	case "null":
		obj[path[0]] = nil
	default:
		obj[path[0]] = s.field.wrong
	}
}
