package frontend_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// TestNotServed: what a document wants others to serve is left out knowingly, also
// beside operations that nothing calls, and said where that is asked for.
func TestNotServed(t *testing.T) {
	const manifest = `sculpt: 1
package: tools
toolkit: Test
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {shop: {openapi: shop.yaml}, again: {openapi: shop.yaml}}
tools:
  read: {version: 1, description: Read., call: shop.read, outputs: {n: {value: '${result.n}', description: N.}}}
`
	const document = `openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example}]
paths:
  /things:
    get:
      operationId: read
      responses: {'200': {description: One., content: {application/json: {schema: {type: object, required: [n], properties: {n: {type: string}}}}}}}
    post:
      operationId: subscribe
      callbacks:
        made: {'{$request.query.url}': {post: {responses: {'200': {description: ''}}}}}
        x-not: {}
        gone: {$ref: '#/components/callbacks/gone'}
      responses: {'204': {description: ''}}
    put:
      callbacks: {moved: {}}
      responses: {'204': {description: ''}}
webhooks:
  paid: {post: {responses: {'200': {description: ''}}}}
  x-none: {}
`
	files := fstest.MapFS{"sculpt.yaml": {Data: []byte(manifest)}, "shop.yaml": {Data: []byte(document)}}
	said := func(options ...frontend.Option) string {
		var b strings.Builder
		_, findings := frontend.Load(files, ".", options...)
		for _, f := range findings {
			b.WriteString(f.Span.String() + " " + f.Severity.String() + " " + f.Rule.String() + " " + f.Message + "\n")
			if f.Severity == diag.Error {
				t.Error(f)
			}
		}
		return b.String()
	}
	if got := said(); strings.Contains(got, "not-served") {
		t.Error(got)
	}
	want := "shop.yaml:12:9 note not-served 3 callbacks of the document left out: made of subscribe, gone of subscribe, moved of PUT /things\n" +
		"shop.yaml:20:3 note not-served 1 webhook of the document left out: paid\n"
	if got := said(frontend.Verbose()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
