package operation_test

import (
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

const document = `openapi: 3.0.3
info: {title: T, version: '1'}
servers: [{url: https://a.example}]
paths:
  /{a}:
    get:
      operationId: get
      parameters: [{name: a, in: path, required: true, schema: {type: string}}, {name: b, in: query, schema: {type: string}},
        {name: c, in: header, schema: {type: string}}, {name: d, in: cookie, schema: {type: string}}]
      responses: {'204': {description: Done.}}
`

// The places of parameters are those that a document names.
func TestIn(t *testing.T) {
	set, findings := spec.Load(fstest.MapFS{"d.yaml": {Data: []byte(document)}}, []spec.Source{{API: "a", File: "d.yaml", Wants: []spec.Want{{ID: "get"}}}})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	places := map[string]operation.In{"a": operation.Path, "b": operation.Query, "c": operation.Header, "d": operation.Cookie}
	for _, p := range set.Operation("a", spec.Want{ID: "get"}).Params {
		if places[p.Name] != p.In {
			t.Errorf("%s is in %q, want %q", p.Name, p.In, places[p.Name])
		}
		delete(places, p.Name)
	}
	if len(places) > 0 {
		t.Errorf("missing: %v", places)
	}
}
