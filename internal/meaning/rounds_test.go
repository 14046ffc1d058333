package meaning_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

const roundsManifest = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env: {ID: {description: The id.}, SECRET: {description: The secret.}, OTHER: {description: Another secret.}}
apis: {shop: {openapi: shop.yaml, auth: {login: {client_credentials: {id: 'env:ID', secret: 'env:SECRET', scopes: [read]}}}}}
tools:
  list:
    version: 1
    description: List things.
    steps:
      things: {call: shop.list, collect: {items: things.data, next: things.next, parameter: cursor, until: '!things.more', max: 50}}
      job: {call: shop.job, poll: {until: 'job.state == "done"', every: 1s, max: 9s}}
    outputs:
      names: {value: '${things.map(t, t.name)}', description: Names., max_items: 50}
      state: {value: '${job.state}', description: The state.}
`

const roundsDocument = `openapi: 3.0.3
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example}]
components: {securitySchemes: {login: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example/token', scopes: {}}}}}}
security: [{login: []}]
paths:
  /things:
    get:
      operationId: list
      parameters:
      - {name: cursor, in: query, schema: {type: string}}
      - {name: after, in: query, schema: {type: string}}
      responses: {'200': {description: Things., content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {type: object, properties: {name: {type: string}}}}, next: {type: string}, last: {type: string}, more: {type: boolean}}}}}}}
  /job:
    get:
      operationId: job
      responses: {'200': {description: The job., content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}}
`

// Pages, waiting and token endpoints are parts of a plan like any other.
func TestRounds(t *testing.T) {
	shop := func(manifest, document string) fs.FS {
		return fstest.MapFS{"sculpt.yaml": {Data: []byte(manifest)}, "shop.yaml": {Data: []byte(document)}}
	}
	was := shop(roundsManifest, roundsDocument)
	for _, c := range []struct{ old, new, want string }{
		{"next: things.next", "next: things.last", `next of step "things" was things.next and is things.last`},
		{"parameter: cursor", "parameter: after", `how pages are asked for of step "things" was next cursor and is next after`},
		{"next: things.next, parameter: cursor", "link: true", `how pages are asked for of step "things" was next cursor and is link`},
		{"until: '!things.more'", "until: 'things.more'", `until of step "things" was !things.more and is things.more`},
		{"max: 50}}", "max: 60}}", `max of collect of step "things" was 50 and is 60`},
		{"max: 50}}", "max: 50, partial: true}}", `partial of step "things"`},
		{"every: 1s", "every: 2s", `every of poll of step "job" was 1s and is 2s`},
		{"max: 9s", "max: 8s", `max of poll of step "job" was 9s and is 8s`},
		{`"done"`, `"ended"`, `until of step "job" was job.state == "done" and is job.state == "ended"`},
		{", poll: {until: 'job.state == \"done\"', every: 1s, max: 9s}", "", `poll of step "job"`},
		{"secret: 'env:SECRET'", "secret: 'env:OTHER'", `auth of api "shop"`},
		{"scopes: [read]", "scopes: [read, write]", `auth of api "shop"`},
		{"scopes: [read]", "scopes: [read], token_url: 'https://other.example/token'", `auth of api "shop"`},
		{"{items: things.data, next: things.next, parameter: cursor, until: '!things.more', max: 50}", "{max: 50, until: '!things.more', parameter: cursor, next: things.next, items: things.data}", ""},
	} {
		manifest := strings.Replace(roundsManifest, c.old, c.new, 1)
		if manifest == roundsManifest {
			t.Fatalf("the manifest has no %s", c.old)
		}
		if got := strings.Join(compare(t, was, shop(manifest, roundsDocument)), "\n"); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.new, got, c.want)
		}
	}
	moved := strings.Replace(roundsDocument, "id.example", "login.example", 1)
	if got := strings.Join(compare(t, was, shop(roundsManifest, moved)), "\n"); !strings.Contains(got, "https://login.example/token") {
		t.Errorf("another token endpoint: %s", got)
	}
}
