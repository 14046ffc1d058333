package serve_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const skyID = "7b0b7c5e-0a55-5a0e-9d5e-1f0c6a1d2e33"

// skies is a tool whose second version added a value to each of its enums: sky
// had a fallback in version 1, and wind has none.
func skies(effects tool.Effects, sky, wind string) tool.Toolset {
	slots := func(fallback string, skies, winds []string) []tool.OutputSlot {
		return []tool.OutputSlot{
			{ID: "sky", Name: "sky", Type: tool.TypeEnum, Values: skies, Fallback: fallback},
			{ID: "wind", Name: "wind", Type: tool.TypeEnum, Values: winds, Optional: true},
		}
	}
	set := tool.Toolset{Handshake: tool.Handshake, Name: "Weather", Title: "Weather", Description: "Skies.", Tools: []tool.Tool{{
		ID: skyID, Name: "look_up", ToolName: "LookUp", Effects: effects,
		Versions: []tool.Version{
			{N: 1, Released: true, Outputs: slots("OTHER", []string{"CLEAR", "OTHER"}, []string{"CALM"})},
			{N: 2, Released: true, Outputs: slots("", []string{"CLEAR", "OTHER", "SNOW"}, []string{"CALM", "GALE"})},
		},
		Call: func(context.Context, tool.Args) (tool.Result, error) {
			return tool.Result{{Name: "sky", JSON: []byte(sky)}, {Name: "wind", JSON: []byte(wind)}}, nil
		},
	}}}
	set.Docs = documentsOf(&set)
	return set
}

// TestUndeclaredValues: a caller never sees a value of an enum that its version
// does not declare, whatever the protocol.
func TestUndeclaredValues(t *testing.T) {
	reading, writing := tool.Effects{ReadOnly: true, Idempotent: true}, tool.Effects{}
	a2t := func(version string) string { return "POST /a2t/tools/" + skyID + "/versions/" + version + ":invoke" }
	const a2tBody, otc = `{"input_parameters":[]}`, "POST /otc/tools/call"
	otcBody := func(version string) string {
		return `{"request":{"tool_id":"Weather.LookUp@` + version + `.0.0","call_id":"c"}}`
	}
	for _, c := range []struct {
		name      string
		effects   tool.Effects
		sky, wind string
		wireCase
	}{
		{"declared", reading, `"CLEAR"`, `"CALM"`, wireCase{"", a2t("1"), a2tBody, 200, `output_parameters.0.value="CLEAR" | output_parameters.1.value="CALM"`}},
		{"fallback", reading, `"SNOW"`, `"CALM"`, wireCase{"", a2t("1"), a2tBody, 200, `output_parameters.0.value="OTHER" | output_parameters.1.value="CALM"`}},
		{"newest", reading, `"SNOW"`, `"GALE"`, wireCase{"", a2t("2"), a2tBody, 200, `output_parameters.0.value="SNOW" | output_parameters.1.value="GALE"`}},
		{"no fallback", reading, `"SNOW"`, `"GALE"`, wireCase{"", a2t("1"), a2tBody, 502, `code="backend_invalid_response" | retryable=false | output_parameters?`}},
		{"absent", reading, `"CLEAR"`, ``, wireCase{"", a2t("1"), a2tBody, 200, `output_parameters.1.value=null`}},
		{"null", reading, `"CLEAR"`, `null`, wireCase{"", a2t("1"), a2tBody, 200, `output_parameters.1.value=null`}},
		{"after an effect", writing, `"CLEAR"`, `"GALE"`, wireCase{"", a2t("1"), a2tBody, 409, `code="outcome_unknown" | retryable=false`}},
		{"fallback over OTC", reading, `"SNOW"`, `"CALM"`, wireCase{"", otc, otcBody("1"), 200, `result.success=true | result.value={"sky":"OTHER","wind":"CALM"}`}},
		{"no fallback over OTC", reading, `"CLEAR"`, `"GALE"`, wireCase{"", otc, otcBody("1"), 200, `result.success=false | result.error.can_retry=false | result.value?`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := serve.NewHandler([]tool.Toolset{skies(c.effects, c.sky, c.wind)}, serve.WithLogger(quiet))
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, c.send(golden.Judged(t, h)))
		})
	}
}

// TestUndeclaredValuesInProcess is the same without a wire, and leaves what the
// chain returned as it is.
func TestUndeclaredValuesInProcess(t *testing.T) {
	set := skies(tool.Effects{ReadOnly: true}, `"SNOW"`, `"CALM"`)
	shared := tool.Result{{Name: "sky", JSON: []byte(`"SNOW"`)}}
	set.Tools[0].Call = func(context.Context, tool.Args) (tool.Result, error) { return shared, nil }
	for version, want := range map[int]string{1: `{"sky":"OTHER","wind":null}`, 2: `{"sky":"SNOW","wind":null}`} {
		result, err := serve.Invoke(context.Background(), set, "look_up", version, nil)
		if got := string(result.AppendJSON(nil)); err != nil || got != want {
			t.Errorf("v%d: %s, %v, want %s", version, got, err, want)
		}
	}
	if string(shared[0].JSON) != `"SNOW"` {
		t.Errorf("the result of the chain became %s", shared[0].JSON)
	}
	shared[0] = tool.Output{Name: "wind", JSON: []byte(`"GALE"`)}
	_, err := serve.Invoke(context.Background(), set, "look_up", 1, nil)
	if tool.KindOf(err) != tool.KindBadBackend {
		t.Error(err)
	}
	const why = "look_up: output wind is not one of the values of v1 in this answer"
	if e, ok := errors.AsType[*tool.Error](err); !ok || e.Err.Error() != why {
		t.Errorf("%v, want %s", err, why)
	}
}
