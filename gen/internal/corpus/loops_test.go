package corpus_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

const loopsManifest = `sculpt: 1
package: loops
toolkit: Test
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {shop: {openapi: shop.yaml}}
tools:
`

const loopsDocument = `openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: https://shop.example}]
paths:
  /things:
    get:
      operationId: find
      responses:
        "200": {description: found, content: {application/json: {schema: {$ref: '#/components/schemas/Found'}}}}
components:
  schemas:
    Found:
      type: object
      required: [things, text]
      properties:
        text: {type: string}
        things: {type: array, items: {$ref: '#/components/schemas/Thing'}}
    Thing:
      type: object
      required: [id, tags, parts]
      properties:
        id: {type: string}
        tags: {type: array, items: {type: string}}
        parts: {type: array, items: {$ref: '#/components/schemas/Thing'}}
`

// A loopSource writes conditions of loops in loops at random. None of them ends
// early.
type loopSource struct {
	*rand.Rand
	n int
}

// condition is false for everything, and goes over something long at least once
// for each element that calls itself by.
func (s *loopSource) condition(by string, depth int) string {
	s.n++
	x := fmt.Sprint("x", s.n)
	list := []string{"f.things", "f.things.filter(y, y.id != " + by + ".id)", "f.things.map(y, {'id': y.id, 'tags': y.tags})", "f.things.sortBy(y, y.id)"}[s.IntN(4)]
	inner := by + ".id + " + x + ".id == 'never'"
	if depth > 0 && s.IntN(2) == 0 {
		inner = s.condition(x, depth-1)
	}
	switch s.IntN(6) {
	case 0:
		return list + ".exists(" + x + ", " + inner + ")"
	case 1:
		return "!" + list + ".all(" + x + ", !(" + inner + "))"
	case 2:
		return list + ".filter(" + x + ", " + inner + ").size() > 0"
	case 3:
		return list + ".exists_one(" + x + ", " + inner + ")"
	case 4:
		return by + ".id + 'never' in " + list + ".map(" + x + ", " + x + ".id)"
	}
	return "f.text.contains(" + by + ".id + 'never') || " + by + ".tags.exists(t, " + list + ".exists(" + x + ", " + x + ".id == t + 'never'))"
}

// TestLoopsEndInTime generates loops in loops at random and runs them over a long
// answer: each of them ends soon after its deadline, where it would go on for
// minutes.
func TestLoopsEndInTime(t *testing.T) {
	s := &loopSource{Rand: rand.New(rand.NewPCG(7, 1))}
	manifest := loopsManifest
	const tools = 24
	for i := range tools {
		manifest += fmt.Sprintf("  loop%d:\n    version: 1\n    description: Loop.\n    timeout: 300ms\n    steps: {f: {call: shop.find, timeout: 250ms}}\n"+
			"    outputs: {n: {value: \"${f.things.filter(a, %s).size()}\", description: How many.}}\n", i, s.condition("a", 2))
	}
	_, files, findings := buildProgram(fstest.MapFS{"shop.yaml": {Data: []byte(loopsDocument)}, "sculpt.yaml": {Data: []byte(manifest)}}, ".")
	for _, f := range findings {
		if f.Rule.String() != "nested-loops" {
			t.Fatal(findings)
		}
	}
	test, err := os.ReadFile(filepath.Join("testdata", "loops_test.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	m := golden.NewModule(t)
	for _, f := range files {
		m.Write("loops/"+f.Name, string(f.Data))
	}
	m.Write("loops/sculpt.yaml", manifest)
	m.Write("loops/shop.yaml", loopsDocument)
	m.Write("loops/loops_test.go", strings.ReplaceAll(string(test), "TOOLS", fmt.Sprint(tools)))
	out, err := m.Go("test", "-v", "-timeout", "120s", "-run", "TestLoops", "./loops")
	if err != nil {
		t.Error(out, err)
	}
	t.Log(out)
}
