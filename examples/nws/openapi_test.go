package nws_test

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/sculpt-tools/sculpt/examples/nws"
)

// TestOwnOpenAPI lets a foreign reader, router and validator of OpenAPI judge
// the description of the example and its traffic: every answer is one that the
// description has, and what succeeds is allowed by it. Of what fails, want
// says whether the description alone refuses it.
func TestOwnOpenAPI(t *testing.T) {
	raw, err := fs.ReadFile(nws.Docs(), "openapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	h := handlerOver(t, toolsOver(t, recorded(t)))
	const lookup, alerts = "/a2t/tools/06c324c8-68b5-5df9-8726-03197c61e053", "/a2t/tools/2b95d432-5f4f-5d86-be4d-3e9df25c7398"
	city := func(name string) string {
		return `{"input_parameters":[{"name":"city","value":"` + name + `"}]}`
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		// operation is the id of the operation that the router has to find.
		operation string
		refused   bool
	}{
		{"POST", lookup + ":invoke", city("Omaha, Nebraska"), 200, "lookup_weather_by_city", false},
		{"POST", lookup + ":invoke", `{"name":"lookup_weather_by_city",` + city("Omaha, NE")[1:], 200, "lookup_weather_by_city", false},
		{"POST", alerts + ":invoke", `{"input_parameters":[{"name":"state","value":"NE"}]}`, 200, "list_active_alerts_by_state", false},
		{"POST", lookup + "/versions/1:invoke", city("Omaha, Nebraska"), 200, "invokeToolVersion", false},
		{"GET", "/a2t/tools", "", 200, "listTools", false},
		{"GET", "/a2t/tools?pageLimit=1&tag=weather", "", 200, "listTools", false},
		{"GET", lookup, "", 200, "getTool", false},
		{"GET", lookup + "/versions", "", 200, "listToolVersions", false},
		{"GET", lookup + "/versions/1", "", 200, "getToolVersion", false},

		{"POST", lookup + ":invoke", city("Zzyzxburg"), 422, "lookup_weather_by_city", false},
		{"POST", lookup + ":invoke", city(strings.Repeat("x", 101)), 422, "lookup_weather_by_city", true},
		{"POST", lookup + ":invoke", `{"input_parameters":[{"name":"town","value":"Omaha"}]}`, 422, "lookup_weather_by_city", true},
		{"POST", lookup + ":invoke", `{"input_parameters":[{"name":"city","value":"Omaha"},{"name":"period","value":"NEVER"}]}`, 422, "lookup_weather_by_city", true},
		{"POST", lookup + ":invoke", `{"input_parameters":[{"name":"city","value":7}]}`, 422, "lookup_weather_by_city", true},
		{"POST", lookup + ":invoke", `{"input_parameters":[]}`, 422, "lookup_weather_by_city", true},
		{"POST", lookup + ":invoke", `{}`, 400, "lookup_weather_by_city", true},
		{"POST", lookup + ":invoke", `{"name":"other",` + city("Omaha")[1:], 400, "lookup_weather_by_city", true},
		{"POST", lookup + "/versions/9:invoke", city("Omaha"), 404, "invokeToolVersion", false},
		{"POST", "/a2t/tools/06c324c8-68b5-5df9-8726-000000000000:invoke", city("Omaha"), 404, "invokeTool", false},
		{"GET", "/a2t/tools?pageLimit=0", "", 400, "listTools", true},
		{"GET", "/a2t/tools/06c324c8-68b5-5df9-8726-000000000000", "", 404, "getTool", false},
	} {
		t.Run(c.method+" "+c.path+" "+c.body, func(t *testing.T) {
			request := func() *http.Request {
				r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
				if c.body != "" {
					r.Header.Set("Content-Type", "application/json")
				}
				return r
			}
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, request())
			route, params, err := router.FindRoute(request())
			if err != nil {
				t.Fatal(err)
			}
			options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
			in := &openapi3filter.RequestValidationInput{Request: request(), PathParams: params, Route: route, Options: options}
			if fault := openapi3filter.ValidateRequest(context.Background(), in); (fault != nil) != c.refused || rec.Code != c.status || route.Operation.OperationID != c.operation {
				t.Errorf("%s answers %d, the description refuses with %v", route.Operation.OperationID, rec.Code, fault)
			}
			err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
				RequestValidationInput: in, Status: rec.Code, Header: rec.Header(), Options: options, Body: io.NopCloser(bytes.NewReader(rec.Body.Bytes())),
			})
			if err != nil {
				t.Errorf("status %d: %v", rec.Code, err)
			}
		})
	}
}
