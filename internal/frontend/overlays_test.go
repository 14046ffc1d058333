package frontend_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
)

// What overlays mend is part of a plan, which needs them no more; it also mends
// the document of tomorrow, and belongs to what generated code is made from.
func TestOverlays(t *testing.T) {
	bare := strings.Replace(frozenDocument, "kind: {type: string, enum: [A, B]}", "sort: {type: string}", 1)
	if bare == frozenDocument {
		t.Fatal("the document is not what it was")
	}
	const overlay = `overlay: 1.0.0
info: {title: Mend, version: '1'}
actions:
- target: $..schema
  update: {properties: {kind: {type: string, enum: [A, B]}}}
`
	files := fstest.MapFS{"shop.yaml": {Data: []byte(bare)}, "mend.yaml": {Data: []byte(overlay)},
		"sculpt.yaml": {Data: []byte(strings.Replace(first, "openapi: shop.yaml", "openapi: shop.yaml, overlays: [mend.yaml]", 1))}}
	p, findings := frontend.Load(files, ".")
	if len(findings) > 0 {
		t.Fatal(told(findings))
	}
	if inputs := p.Inputs(); inputs["mend.yaml"] == "" || inputs["shop.yaml"] == "" {
		t.Errorf("the inputs are %v", inputs)
	}
	plan, findings := p.Plan(fs.FS(files), "find")
	if len(findings) > 0 {
		t.Fatal(told(findings))
	}
	if strings.Contains(string(plan.Manifest), "overlays") || !strings.Contains(string(plan.Documents[0].OpenAPI), `"kind"`) {
		t.Errorf("the plan is %s %s", plan.Manifest, plan.Documents[0].OpenAPI)
	}
	tomorrow := fstest.MapFS{"tomorrow.yaml": {Data: []byte(strings.ReplaceAll(bare, "sort:", "order:"))}}
	if got := frontend.Upstream(p, map[string]frontend.Replacement{"shop": {Files: tomorrow, Name: "tomorrow.yaml"}}); got.HasErrors() {
		t.Errorf("tomorrow: %s", told(got))
	}
}
