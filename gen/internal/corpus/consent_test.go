package corpus_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// consentManifest has tools that act for a user somewhere in their chains.
const consentManifest = `sculpt: 1
package: consent
toolkit: Test
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {APP_ID: {description: The id of the client.}}
apis: {mail: {openapi: mail.yaml, auth: {login: {authorization_code: {id: 'env:APP_ID', token_url: 'https://id.example/token', authorization_url: 'https://id.example/agree', issuer: 'https://id.example/7'}}}}}
tools:
  last:
    version: 1
    description: Make a draft, and send it.
    inputs: {title: {description: Its title., max_length: 9}}
    steps:
      draft:
        call: mail.draft
        body: {title: '${input.title}'}
        expect: [{check: 'input.title != "x"', code: no_title, message: x is not a title.}]
      send: {call: mail.send, with: {id: '${draft.id}'}}
    outputs: {sent: {value: '${send.id}', description: What was sent.}}
  beside:
    version: 1
    description: Read two things at once.
    steps:
      open: {call: mail.open}
      own: {call: mail.own}
    outputs: {sum: {value: '${open.id + own.id}', description: Both.}}
  sometimes:
    version: 1
    description: Make a draft, and look at the own ones if that is wanted.
    inputs: {own: {type: boolean, description: Whether to look.}}
    steps:
      draft: {call: mail.draft, body: {title: t}}
      own: {when: input.own, call: mail.own}
    outputs: {id: {value: '${draft.id + own.?id.orValue(0)}', description: Both.}}
  each:
    version: 1
    description: Read the own ones as often as is said.
    steps:
      open: {call: mail.open}
      own: {for_each: open.ids, max: 3, call: mail.own, expect: [{check: 'own.all(o, o.id > 0)', code: none, message: None.}]}
    outputs: {sum: {value: '${own.size()}', description: How many.}}
`

const consentDocument = `openapi: 3.0.3
info: {title: Mail, version: '1'}
servers: [{url: https://mail.example}]
components:
  securitySchemes: {login: {type: http, scheme: bearer}}
  responses: {one: {description: One., content: {application/json: {schema: {type: object, required: [id, ids], properties: {id: {type: integer}, ids: {type: array, items: {type: integer}}}}}}}}
paths:
  /drafts:
    post:
      operationId: draft
      security: []
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [title], properties: {title: {type: string}}}}}}
      responses: {'200': {$ref: '#/components/responses/one'}}
  /sent/{id}:
    post:
      operationId: send
      security: [{login: []}]
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {$ref: '#/components/responses/one'}}
  /open:
    get:
      operationId: open
      security: []
      responses: {'200': {$ref: '#/components/responses/one'}}
  /own:
    get:
      operationId: own
      security: [{login: []}]
      responses: {'200': {$ref: '#/components/responses/one'}}
`

// TestConsentComesFirst runs the test of the generated package: a user who has not
// agreed is asked before anything is sent, wherever in a chain that is needed.
func TestConsentComesFirst(t *testing.T) {
	test, err := os.ReadFile(filepath.Join("testdata", "consent_test.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, files, findings := buildProgram(fstest.MapFS{"mail.yaml": {Data: []byte(consentDocument)}, "sculpt.yaml": {Data: []byte(consentManifest)}}, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	m := golden.NewModule(t)
	for _, f := range files {
		m.Write("consent/"+f.Name, string(f.Data))
	}
	m.Write("consent/consent_test.go", string(test))
	if out, err := m.Go("test", "-run", "TestConsent", "./consent"); err != nil {
		t.Fatal(out, err)
	}
}
