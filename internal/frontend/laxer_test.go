package frontend

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/ir"
)

const laxerManifest = `sculpt: 1
package: shop
toolkit: Shop
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {shop: {openapi: shop.yaml}}
tools:
  find:
    version: 1
    description: Find a thing.
    steps: {found: {call: shop.find}}
    outputs:
      name: {value: '${found.top.name}', description: N.}
      state: {value: '${found.top.?state.orValue("")}', description: S.}
      notes: {value: '${found.lines.map(l, l.note)}', description: N., max_items: 3}
      again: {value: '${found.lines.map(l, l.note + "!")}', description: N., max_items: 3}
      grid: {value: '${found.grid.map(l, size(l))}', description: G., max_items: 3}
      mark: {value: '${found.marks["a"].mark}', description: M.}
      free: {value: '${found.free}', description: F.}
`

const laxerDocument = `openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example}]
paths:
  /things:
    get:
      operationId: find
      responses:
        '200':
          description: It.
          content:
            application/json:
              schema:
                type: object
                required: [top, lines, grid, marks, free]
                properties:
                  top: {type: object, required: [name], properties: {name: {type: string}, state: {type: string, enum: [a, b]}}}
                  lines: {type: array, items: {type: object, required: [note], properties: {note: {type: string}}}}
                  grid: {type: array, items: {type: array, items: {type: integer}}}
                  marks: {type: object, additionalProperties: {type: object, required: [mark], properties: {mark: {type: string, enum: [x]}}}}
                  free: {type: string}
`

// TestLaxer: what an answer of tomorrow may be that the one of today cannot, of the
// members that a step reads and of those on the way to them, each said once.
func TestLaxer(t *testing.T) {
	step := func(edits ...string) *ir.Step {
		t.Helper()
		document := strings.NewReplacer(edits...).Replace(laxerDocument)
		if len(edits) > 0 && document == laxerDocument {
			t.Fatalf("the document has no %q", edits[0])
		}
		p, findings := Load(fstest.MapFS{"sculpt.yaml": {Data: []byte(laxerManifest)}, "shop.yaml": {Data: []byte(document)}}, ".")
		if p.Program == nil || len(p.Program.Tools) == 0 {
			t.Fatal(findings)
		}
		return p.Program.Tools[0].Plan.Steps[0]
	}
	was := step()
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"missing", "required: [name], ", "", `found.top.name of step "found" may be missing`},
		{"missing on the way", "required: [top, lines, grid, marks, free]", "required: [lines, grid, marks, free]", `found.top of step "found" may be missing`},
		{"null", "{name: {type: string}", "{name: {type: [string, 'null']}", `found.top.name of step "found" may be null`},
		{"null and missing", "required: [name], properties: {name: {type: string}", "properties: {name: {type: [string, 'null']}", `found.top.name of step "found" may be missing; found.top.name of step "found" may be null`},
		{"more values", "enum: [a, b]", "enum: [c, b, a, d]", `found.top.state of step "found" may be "c"; found.top.state of step "found" may be "d"`},
		{"fewer values", "enum: [a, b]", "enum: [a]", ""},
		{"any value", "{type: string, enum: [a, b]}", "{type: string}", `found.top.state of step "found" may have any value`},
		{"another type", "{type: string, enum: [a, b]}", "{type: integer}", ""},
		{"values where any was", "free: {type: string}", "free: {type: string, enum: [a]}", ""},
		{"in a list", "required: [note], ", "", `found.lines.note of step "found" may be missing`},
		{"in a map", "enum: [x]", "enum: [x, y]", `found.marks.mark of step "found" may be "y"`},
		{"a list that is none any more", "lines: {type: array, items: {type: object, required: [note], properties: {note: {type: string}}}}", "lines: {type: string}", ""},
		{"gone", "free: {type: string}", "free2: {type: string}", ""},
		{"nobody reads it", "free: {type: string}", "free: {type: string}, more: {type: string}", ""},
	} {
		now := was
		if c.old != "" {
			now = step(c.old, c.new)
		}
		if got := strings.Join(laxer(was, now), "; "); got != c.want {
			t.Errorf("%s: %s\nwant %s (reads %v)", c.name, got, c.want, was.Reads)
		}
	}
	if got := laxer(step("required: [name], ", "", "enum: [a, b]", "enum: [a, b, c]"), was); len(got) > 0 {
		t.Errorf("what promises more is %v", got)
	}
}
