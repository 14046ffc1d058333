package serve_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// TestA2TAgainstOpenAPI sends A2T traffic through a foreign router and
// validator of the protocol's OpenAPI description: every answer must be one
// that the description has, and every request that is answered with success
// must be one that it allows.
func TestA2TAgainstOpenAPI(t *testing.T) {
	raw, err := os.ReadFile(golden.Shared(t, "protocols", "a2t", "openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		t.Fatal(err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	h, _ := newServer(t, serve.WithProtocols(serve.ProtocolA2T), serve.WithPrefix(serve.ProtocolA2T, ""))
	get := func(path string) wireCase { return wireCase{request: "GET " + path} }
	post := func(path, body string) wireCase { return wireCase{request: "POST " + path, body: body} }
	city := func(name string) wireCase { return post(lookupPath+":invoke", invocation("city", name)) }
	cases := []wireCase{
		get("/tools"), get("/tools?pageLimit=2"), get("/tools?tag=weather&tag=read_only"), get("/tools?pageLimit=0"), get("/tools?pageCursor=x"),
		get(lookupPath), get("/tools/6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a12"), get(lookupPath + "/versions"), get(lookupPath + "/versions?pageLimit=1"),
		get(lookupPath + "/versions/1"), get(lookupPath + "/versions/9"),
		city("Omaha"), post(lookupPath+"/versions/1:invoke", invocation("city", "x", "day", "TODAY")), post(lookupPath+"/versions/7:invoke", invocation("city", "x")),
		city("Nowhere"), city("Pick"), city("Kinds"), city("Math"), city("Downtown"), city("Garbage"), city("Limited"), city("Slow"), city("Panic"), city("Plain"), city("Empty"),
		post(lookupPath+":invoke", "{}"), post(lookupPath+":invoke", "{"), post(lookupPath+":invoke", invocation()),
		post(lookupPath+":invoke", `{"name":"x",`+invocation("city", "x")[1:]), post(lookupPath+":invoke", invocation("city", 5, "day", "x", "zzz", 1)),
		post(reportPath+":invoke", invocation("place", "Omaha", "confirmed", true)), post(reportPath+":invoke", invocation("place", "Brokenville")),
		post("/tools/"+mailboxID+":invoke", invocation()),
	}
	for _, c := range cases {
		t.Run(c.request, func(t *testing.T) { checkOpenAPI(t, router, h, c) })
	}
}

func checkOpenAPI(t *testing.T, router routers.Router, h http.Handler, c wireCase) {
	t.Helper()
	rec := c.send(h)
	method, path, _ := strings.Cut(c.request, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(c.body))
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	route, params, err := router.FindRoute(r)
	if err != nil {
		t.Fatal(err)
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}
	request := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
	fault := openapi3filter.ValidateRequest(context.Background(), request)
	if rec.Code == http.StatusOK && fault != nil {
		t.Errorf("a request that is not in the description succeeds: %v", fault)
	}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: rec.Code, Header: rec.Header(), Options: options,
		Body: io.NopCloser(bytes.NewReader(rec.Body.Bytes())),
	})
	if err != nil {
		t.Errorf("status %d: %v", rec.Code, err)
	}
}
