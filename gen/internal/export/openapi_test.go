package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// openapi renders and lets a foreign reader judge.
func openapi(t failer, face export.Face, sigs ...*signature.Signature) (*openapi3.T, []byte) {
	t.Helper()
	f := export.OpenAPI(face, sigs)
	doc, err := openapi3.NewLoader().LoadFromData(f.Data)
	if err == nil {
		err = doc.Validate(context.Background(), openapi3.DisableSchemaPatternValidation())
	}
	if err != nil {
		t.Fatalf("%v in %s", err, f.Data)
	}
	return doc, f.Data
}

func TestOpenAPI(t *testing.T) {
	v1, v2 := weather()
	v2.Effects = signature.Effects{Destructive: true}
	v2.Outputs = append(v2.Outputs, signature.Output{ID: "mood", Name: "mood", Type: signature.Enum, Description: "It.", Optional: true,
		Values: []signature.Value{{Name: "FINE", Text: "Fine."}}},
		signature.Output{ID: "more", Name: "more", Type: signature.JSON, Description: "More.", Optional: true,
			Schema: &types.Type{Kind: types.Union, Variants: []*types.Type{types.StringType, types.IntType}}})
	doc, data := openapi(t, export.Face{Toolkit: "Weather"}, v2, v1)
	operation := doc.Paths.Find("/a2t/tools/" + v1.ID + ":invoke").Post
	if operation.OperationID != v1.Name || !strings.HasSuffix(operation.Description, "⚠️ NOT IDEMPOTENT]") || doc.Info.Title != "Weather" {
		t.Errorf("%s: %s", operation.OperationID, operation.Description)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"LookupWeatherByCity.input.hours_ahead":`, // the newest version
		`"enum":["FINE",null]`, `"anyOf":[{"type":"string"},{"type":"integer"}]`, `{"type":"null"}`, `"minItems":1,"maxItems":3`,
		`"description":"Each input at most once. Required: city"`,
	} {
		if !strings.Contains(compact.String(), want) {
			t.Errorf("%s is missing in %s", want, compact.String())
		}
	}
	_, again := openapi(t, export.Face{Toolkit: "Weather"}, v1, v2)
	if !bytes.Equal(data, again) {
		t.Error("the order of the signatures shows")
	}
	changed := *v2
	changed.Description += " Now."
	if other, _ := openapi(t, export.Face{Toolkit: "Weather"}, v1, &changed); other.Info.Version == doc.Info.Version {
		t.Error("another description has the same version")
	}
}

// TestOpenAPIHolds draws tools, hostile texts among them.
func TestOpenAPIHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawer{t, true}.signature()
		if _, findings := export.Documents([]*signature.Signature{s}); findings.HasErrors() {
			t.Fatalf("%v", findings)
		}
		face := export.Face{Toolkit: "Kit", Title: words().Draw(t, "title"), Description: words().Draw(t, "about")}
		doc, _ := openapi(t, face, s)
		if n := doc.Paths.Len(); n != 7 {
			t.Fatalf("%d paths", n)
		}
		if got := len(doc.Components.Schemas); got != 10+2+len(s.Inputs)+len(s.Outputs) {
			t.Fatalf("%d schemas", got)
		}
	})
}
