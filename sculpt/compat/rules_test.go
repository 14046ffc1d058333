package compat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/compat"
	"github.com/sculpt-tools/sculpt/sculpt/diag"
	"github.com/sculpt-tools/sculpt/sculpt/signature"
	"github.com/sculpt-tools/sculpt/sculpt/types"
)

// base is a released version with one of everything.
func base() *compat.Side {
	low, high := int64(-100), int64(150)
	shape := &types.Type{Kind: types.Object, Record: true, Fields: []*types.Field{
		{Name: "kind", Type: types.StringType, Doc: "The kind."}, {Name: "wind", Type: types.IntType},
	}}
	return &compat.Side{
		Signature: &signature.Signature{
			ID: "0479a45d", Name: "get_forecast", Toolkit: "Weather", ToolName: "GetForecast", Title: "Forecast", Description: "Get it.",
			Version: 1, Tags: []string{"weather", "us"},
			Inputs: []signature.Input{
				{ID: "city", Name: "city", Type: signature.String, Required: true, Description: "City.", MinLength: 2, MaxLength: 10, Pattern: "^[A-Za-z ]+$"},
				{ID: "days", Name: "days", Type: signature.Int, Min: 1, Max: 7, Default: int64(3), Description: "Days."},
				{ID: "units", Name: "units", Type: signature.Enum, Default: "US", Description: "Units.", Values: []signature.Value{{Name: "US", Text: "Fahrenheit."}, {Name: "SI", Text: "Celsius."}}},
				{ID: "lang", Name: "lang", Type: signature.String, Required: true, MaxLength: 100, Description: "Language."},
				{ID: "region", Name: "region", Type: signature.String, Required: true, MaxLength: 100, Description: "Region."},
				{ID: "limit", Name: "limit", Type: signature.Int, Required: true, Max: 1000000, Description: "Limit."},
			},
			Outputs: []signature.Output{
				{ID: "summary", Name: "summary", Type: signature.String, Description: "Summary."},
				{ID: "temp", Name: "temperature", Type: signature.Int, Description: "In Fahrenheit."},
				{ID: "sky", Name: "sky", Type: signature.Enum, Description: "Sky.", Values: []signature.Value{{Name: "CLEAR"}, {Name: "CLOUDY"}}},
				{ID: "note", Name: "note", Type: signature.String, Optional: true, Description: "Note."},
				{ID: "more", Name: "more", Type: signature.JSON, Schema: shape, Description: "More."},
			},
			Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true},
			Needs:   signature.Needs{Secrets: []string{"KEY"}},
		},
		Details: signature.Details{
			Image: "a.png", Errors: []string{"no_such_place"}, Plan: "sha256:1", Deprecation: signature.Deprecation{Sunset: "2030-01-01"},
			Outputs: map[string]signature.OutputDetails{"temperature": {Min: &low, Max: &high}},
		},
		Span: diag.Span{File: "history/get_forecast/v0001.json"},
	}
}

// An edit changes a copy of base.
type edit func(s *compat.Side)

func in(i int, f func(*signature.Input)) edit {
	return func(s *compat.Side) { f(&s.Signature.Inputs[i]) }
}

func out(i int, f func(*signature.Output)) edit {
	return func(s *compat.Side) { f(&s.Signature.Outputs[i]) }
}

func sig(f func(*signature.Signature)) edit { return func(s *compat.Side) { f(s.Signature) } }

func details(f func(*signature.Details)) edit { return func(s *compat.Side) { f(&s.Details) } }

func nothing(*compat.Side) {}

func bounds(low, high int64) edit {
	return details(func(d *signature.Details) {
		d.Outputs = map[string]signature.OutputDetails{"temperature": {Min: &low, Max: &high}}
	})
}

func fields(fields ...*types.Field) edit {
	return out(4, func(o *signature.Output) { o.Schema = &types.Type{Kind: types.Object, Record: true, Fields: fields} })
}

func addInput(p signature.Input) edit {
	return sig(func(s *signature.Signature) { s.Inputs = append(s.Inputs, p) })
}

func values(names ...string) []signature.Value {
	texts := map[string]string{"US": "Fahrenheit.", "SI": "Celsius."}
	var out []signature.Value
	for _, n := range names {
		out = append(out, signature.Value{Name: n, Text: texts[n]})
	}
	return out
}

// hits has for each rule a change that it must find, the message, and a change
// that looks alike and is none of its business.
var hits = []struct {
	rule    string
	hit     edit
	message string
	miss    edit
}{
	{"tool-id-changed", sig(func(s *signature.Signature) { s.ID = "x" }),
		`"get_forecast" had the id 0479a45d in v1 and now has x; A2T callers of v1 know the tool by its id`, sig(func(s *signature.Signature) { s.Name = "x" })},
	{"tool-renamed", sig(func(s *signature.Signature) { s.Name, s.ToolName = "forecast_by_city", "ForecastByCity" }),
		`the tool was released as "get_forecast" (v1) and is now "forecast_by_city"; models and OTC callers of v1 use the name`, sig(func(s *signature.Signature) { s.Title = "x" })},
	{"tool-renamed", sig(func(s *signature.Signature) { s.Toolkit = "Sky" }),
		`"get_forecast" was released as the OTC tool Weather.GetForecast (v1) and is now Sky.GetForecast; OTC callers of v1 use the name`, nothing},
	{"tool-description-changed", sig(func(s *signature.Signature) { s.WhenToUse = "Now." }),
		`text of "get_forecast" changed from "Get it." (v1) to "Get it. Now."; models choose tools by their texts`,
		sig(func(s *signature.Signature) { s.Description, s.WhenToUse = "Get it.", "it." })},
	{"tool-image-changed", details(func(d *signature.Details) { d.Image = "b.png" }), `image of "get_forecast" changed since v1; people know the tool by it`, nothing},
	{"tool-tag-added", sig(func(s *signature.Signature) { s.Tags = []string{"weather", "us", "new"} }),
		`"get_forecast" has the new tag "new"; filters by tag find it more often`, sig(func(s *signature.Signature) { s.Tags = []string{"us", "weather"} })},
	{"tool-tag-removed", sig(func(s *signature.Signature) { s.Tags = []string{"us"} }),
		`"get_forecast" lost the tag "weather" (v1); callers of v1 that filter by it lose the tool`, sig(func(s *signature.Signature) { s.Tags = []string{"us", "weather"} })},
	{"effect-worsened", sig(func(s *signature.Signature) { s.Effects.ReadOnly = false }),
		`"get_forecast" was read-only in v1 and now changes things; agents approved v1 as it was`, nothing},
	{"effect-worsened", details(func(d *signature.Details) { d.Network = true }),
		`"get_forecast" stayed within the vendor's systems in v1 and now reaches others; agents approved v1 as it was`, nothing},
	{"effect-improved", func(s *compat.Side) { s.Signature.Effects.ReadOnly = true }, `effects.read_only of "get_forecast" is better than in v1; callers of v1 cannot know`, nothing},
	{"auth-tightened", sig(func(s *signature.Signature) { s.Needs.UserID = true }),
		`"get_forecast" now wants user_id of the caller; callers of v1 do not bring it`, sig(func(s *signature.Signature) { s.Needs = signature.Needs{} })},
	{"auth-loosened", sig(func(s *signature.Signature) { s.Needs = signature.Needs{} }),
		`"get_forecast" no longer wants secrets.KEY of the caller; callers of v1 go on bringing it`, sig(func(s *signature.Signature) { s.Needs.UserID = true })},
	{"error-removed", details(func(d *signature.Details) { d.Errors = nil }),
		`"get_forecast" no longer fails with "no_such_place" (v1); callers of v1 that handle it do so in vain`, details(func(d *signature.Details) { d.Errors = append(d.Errors, "x") })},
	{"error-added", details(func(d *signature.Details) { d.Errors = []string{"no_such_place", "x"} }),
		`"get_forecast" can now fail with "x"; callers of v1 do not know the code`, details(func(d *signature.Details) { d.Errors = nil })},
	{"tool-deprecated", nil, `"get_forecast" is deprecated; callers of v1 should move`, details(func(d *signature.Details) { d.Deprecation.Use = "x" })},
	{"tool-sunset-nearer", details(func(d *signature.Details) { d.Deprecation.Sunset = "2029-12-31" }),
		`"get_forecast" was promised until 2030-01-01 (v1) and now ends on 2029-12-31; callers of v1 planned for the later date`,
		details(func(d *signature.Details) { d.Deprecation.Sunset = "2030-01-02" })},
	{"plan-changed", details(func(d *signature.Details) { d.Plan = "sha256:2" }),
		`"get_forecast" does its work in another way than in v1; answers to callers of v1 may differ`, details(func(d *signature.Details) { d.Plan = "" })},

	{"input-added-optional", addInput(signature.Input{ID: "zip", Name: "zip", Type: signature.String}),
		`input "zip" is new; callers of v1 do not send it and need not`, addInput(signature.Input{ID: "zip", Name: "zip", Type: signature.String, Required: true})},
	{"input-added-required", addInput(signature.Input{ID: "zip", Name: "zip", Type: signature.String, Required: true}),
		`new input "zip" is required (required is the default); calls made for v1 do not send it`, addInput(signature.Input{ID: "zip", Name: "zip", Type: signature.String})},
	{"input-removed", sig(func(s *signature.Signature) { s.Inputs = slices.Delete(s.Inputs, 3, 4) }),
		`input "lang" (v1) is gone; callers of v1 that send it are rejected`, in(3, func(p *signature.Input) { p.Name = "x" })},
	{"input-renamed", in(3, func(p *signature.Input) { p.Name = "language" }),
		`input id "lang" was released as "lang" (v1) and is now "language"; callers of v1 send names`, in(3, func(p *signature.Input) { p.ID = "x" })},
	{"input-renamed", sig(func(s *signature.Signature) { s.Inputs[3].Name, s.Inputs[4].Name = "region", "lang" }),
		`inputs "lang" and "region" swapped names since v1; old calls would be accepted and misread`,
		sig(func(s *signature.Signature) { s.Inputs[3], s.Inputs[4] = s.Inputs[4], s.Inputs[3] })},
	{"input-renamed", sig(func(s *signature.Signature) { s.Inputs[3].Name, s.Inputs[4].Name = "region", "area" }),
		`input id "region" was released as "region" (v1) and is now "area"; callers of v1 send names, and theirs now means input id "lang"`, nothing},
	{"input-id-changed", in(3, func(p *signature.Input) { p.ID = "l2" }),
		`input "lang" had id "lang" in v1 and now has id "l2"; designers match versions by id`, in(3, func(p *signature.Input) { p.Name = "l2" })},
	{"input-order-changed", sig(func(s *signature.Signature) { s.Inputs[3], s.Inputs[4] = s.Inputs[4], s.Inputs[3] }),
		`inputs stand in another order than in v1, from "region" on; callers send names, so only generated documents differ`,
		sig(func(s *signature.Signature) {
			s.Inputs = slices.Insert(s.Inputs, 0, signature.Input{ID: "zip", Name: "zip", Type: signature.String})
		})},
	{"input-became-required", in(1, func(p *signature.Input) { p.Required = true }),
		`input "days" could be omitted in v1; calls that omit it now fail`, in(3, func(p *signature.Input) { p.Required = false })},
	{"input-became-optional", in(3, func(p *signature.Input) { p.Required = false }),
		`input "lang" was required in v1 and may now be omitted; callers of v1 go on sending it`, in(1, func(p *signature.Input) { p.Required = true })},
	{"input-type-changed", in(3, func(p *signature.Input) { p.Type = signature.Int }),
		`input "lang" was string in v1 and is now int; "en" is rejected`,
		in(2, func(p *signature.Input) { p.Type, p.MaxLength = signature.String, 2 })},
	{"input-type-changed", in(2, func(p *signature.Input) { p.Type, p.MaxLength = signature.String, 1 }),
		`input "units" was enum in v1 and is now string; "US" is rejected`, nothing},
	{"input-type-widened", in(2, func(p *signature.Input) { p.Type, p.MaxLength = signature.String, 2 }),
		`input "units" was enum in v1 and is now string; callers of v1 are still understood, but their generated types differ`,
		in(2, func(p *signature.Input) { p.Type, p.MaxLength = signature.String, 1 })},
	{"input-default-changed", in(1, func(p *signature.Input) { p.Default = int64(5) }),
		`default of "days" was 3 in v1 and is now 5; callers of v1 that omit it get another answer`,
		in(1, func(p *signature.Input) { p.Default, p.Required = nil, true })},
	{"input-max-tightened", in(1, func(p *signature.Input) { p.Max = 5 }),
		`max of input "days" fell from 7 (v1) to 5; 6 and 7 are rejected`, in(1, func(p *signature.Input) { p.Max = 8 })},
	{"input-max-tightened", in(5, func(p *signature.Input) { p.Max = 65535 }),
		`max of input "limit" fell from 1000000 (v1) to 65535, which is what A2T means where max is left out; 1000000 is rejected`, nothing},
	{"input-max-loosened", in(1, func(p *signature.Input) { p.Max = 8 }),
		`max of input "days" rose from 7 (v1) to 8; callers of v1 cannot know`, in(3, func(p *signature.Input) { p.Max = 8 })},
	{"input-min-tightened", in(1, func(p *signature.Input) { p.Min = 2 }),
		`min of input "days" rose from 1 (v1) to 2; 1 is rejected`, in(1, func(p *signature.Input) { p.Min = 0 })},
	{"input-min-loosened", in(1, func(p *signature.Input) { p.Min = 0 }),
		`min of input "days" fell from 1 (v1) to 0; callers of v1 cannot know`, in(3, func(p *signature.Input) { p.Min = -1 })},
	{"input-length-tightened", in(0, func(p *signature.Input) { p.MaxLength = 5 }),
		`max_length of input "city" went from 10 (v1) to 5; texts of 10 characters are rejected`, in(0, func(p *signature.Input) { p.MinLength = 1 })},
	{"input-length-loosened", in(0, func(p *signature.Input) { p.MinLength = 1 }),
		`min_length of input "city" went from 2 (v1) to 1; callers of v1 cannot know`, in(0, func(p *signature.Input) { p.MaxLength = 5 })},
	{"input-pattern-changed", in(0, func(p *signature.Input) { p.Pattern = "^[A-Z][a-z]+$" }),
		`pattern of input "city" changed since v1; "en" was accepted and is not now`, in(0, func(p *signature.Input) { p.Pattern = ".*" })},
	{"input-pattern-loosened", in(0, func(p *signature.Input) { p.Pattern = ".*" }),
		`pattern of input "city" (v1) is gone; callers of v1 cannot know`, in(3, func(p *signature.Input) { p.Pattern = ".*" })},
	{"input-enum-value-added", in(2, func(p *signature.Input) { p.Values = values("US", "SI", "UK") }),
		`input "units" also takes "UK"; callers of v1 will not see it`, in(2, func(p *signature.Input) { p.Values = values("SI", "US") })},
	{"input-enum-value-removed", in(2, func(p *signature.Input) { p.Values = values("US") }),
		`input "units" no longer takes "SI" (v1); calls made for v1 that send it are rejected`, in(2, func(p *signature.Input) { p.Values = values("SI", "US") })},
	{"input-enum-value-removed", in(2, func(p *signature.Input) { p.Values = values("US", "METRIC") }),
		`input "units" no longer takes "SI" (v1); "METRIC" is new, was it renamed?`, nothing},
	{"input-enum-values-reordered", in(2, func(p *signature.Input) { p.Values = values("SI", "US") }),
		`values of input "units" stand in another order than in v1; models read lists from the top`, in(2, func(p *signature.Input) { p.Values = values("UK", "US", "SI") })},
	{"input-description-changed", in(2, func(p *signature.Input) { p.Values[1].Text = "Kelvin." }),
		`text of value "SI" of input "units" changed since v1; models choose values by their texts`, in(2, func(p *signature.Input) { p.Values = values("US") })},

	{"output-added", sig(func(s *signature.Signature) {
		s.Outputs = append(s.Outputs, signature.Output{ID: "w", Name: "wind", Type: signature.Int})
	}), `output "wind" is new; callers of v1 do not get it`, out(0, func(o *signature.Output) { o.Name = "wind" })},
	{"output-removed", sig(func(s *signature.Signature) { s.Outputs = slices.Delete(s.Outputs, 0, 1) }),
		`output "summary" (v1) is gone; readers of v1 find nothing`, out(0, func(o *signature.Output) { o.Name = "wind" })},
	{"output-renamed", out(1, func(o *signature.Output) { o.Name = "temp_f" }),
		`output id "temp" was "temperature" in v1 and is now "temp_f"; readers of v1 look for the old name`, out(1, func(o *signature.Output) { o.ID = "x" })},
	{"output-renamed", sig(func(s *signature.Signature) { s.Outputs[0].Name, s.Outputs[3].Name = "note", "summary" }),
		`outputs "summary" and "note" swapped names since v1; answers would be misread`, nothing},
	{"output-id-changed", out(1, func(o *signature.Output) { o.ID = "x" }),
		`output "temperature" had id "temp" in v1 and now has id "x"; designers match versions by id`, out(1, func(o *signature.Output) { o.Name = "x" })},
	{"output-order-changed", sig(func(s *signature.Signature) { s.Outputs[0], s.Outputs[1] = s.Outputs[1], s.Outputs[0] }),
		`outputs stand in another order than in v1, from "temperature" on; readers look for names, so only generated documents differ`,
		sig(func(s *signature.Signature) { s.Outputs = slices.Delete(s.Outputs, 0, 1) })},
	{"output-type-changed", out(1, func(o *signature.Output) { o.Type = signature.String }),
		`output "temperature" was int in v1 and is now string; readers of v1 expect int`, out(0, func(o *signature.Output) { o.Type = signature.Enum })},
	{"output-type-narrowed", out(0, func(o *signature.Output) { o.Type = signature.Enum }),
		`output "summary" was string in v1 and is now enum; readers of v1 understand it, but their generated types differ`, out(0, func(o *signature.Output) { o.Type = signature.Int })},
	{"output-became-nullable", details(func(d *signature.Details) { d.Outputs["summary"] = signature.OutputDetails{Nullable: true} }),
		`output "summary" was never null in v1; readers of v1 do not expect null`, out(0, func(o *signature.Output) { o.Optional = true })},
	{"output-became-optional", out(0, func(o *signature.Output) { o.Optional = true }),
		`output "summary" was always there in v1 and may now be missing; readers of v1 do not check for it`, out(3, func(o *signature.Output) { o.Optional = false })},
	{"output-became-present", out(3, func(o *signature.Output) { o.Optional = false }),
		`output "note" could be missing or null in v1 and is now more often there; callers of v1 cannot know`, out(0, func(o *signature.Output) { o.Optional = true })},
	{"output-enum-value-added", out(2, func(o *signature.Output) { o.Values = append(o.Values, signature.Value{Name: "FOG"}) }),
		`output "sky" can now be "FOG"; a client of v1 with a closed list may fail`, out(2, func(o *signature.Output) { o.Values = o.Values[:1] })},
	{"output-enum-value-removed", out(2, func(o *signature.Output) { o.Values = o.Values[:1] }),
		`output "sky" can no longer be "CLOUDY" (v1); readers of v1 wait for it in vain`, out(2, func(o *signature.Output) { slices.Reverse(o.Values) })},
	{"output-range-widened", bounds(-100, 200),
		`output "temperature" was -100 to 150 in v1 and can now be -100 to 200; readers of v1 may not have room for it`, bounds(-100, 120)},
	{"output-range-narrowed", bounds(-100, 120),
		`output "temperature" was -100 to 150 in v1 and is now -100 to 120; callers of v1 cannot know`, bounds(-100, 200)},
	{"output-description-changed", out(1, func(o *signature.Output) { o.Description = "In Celsius." }),
		`text of output "temperature" changed from "In Fahrenheit." (v1) to "In Celsius."; if the unit changed, that is a break`, in(1, func(p *signature.Input) { p.Description = "x" })},
	{"output-description-changed", fields(&types.Field{Name: "kind", Type: types.StringType, Doc: "Sort."}, &types.Field{Name: "wind", Type: types.IntType}),
		`text of kind of output "more" changed since v1; models read it as the meaning of the member`, nothing},
	{"output-json-shape-changed", fields(&types.Field{Name: "kind", Type: types.StringType, Doc: "The kind."}),
		`the shape of output "more" changed since v1: it lost its member "wind"; readers of v1 expect the old shape`,
		fields(&types.Field{Name: "kind", Type: types.StringType, Doc: "The kind."}, &types.Field{Name: "wind", Type: types.IntType}, &types.Field{Name: "gust", Type: types.IntType})},
	{"output-json-shape-changed", fields(&types.Field{Name: "kind", Type: types.StringType, Doc: "The kind."}, &types.Field{Name: "wind", Type: types.DoubleType}),
		`the shape of output "more" changed since v1: wind was integer and may now be number; readers of v1 expect the old shape`, nothing},
	{"output-json-shape-grown", fields(&types.Field{Name: "kind", Type: types.StringType, Doc: "The kind."}, &types.Field{Name: "wind", Type: types.IntType}, &types.Field{Name: "gust", Type: types.IntType}),
		`the shape of output "more" says more than in v1; read backwards, lost its member "gust"; readers of v1 are not concerned`,
		fields(&types.Field{Name: "kind", Type: types.StringType, Doc: "The kind."})},
}

// before are the few old sides that differ from base.
var before = map[string]edit{
	"effect-improved": sig(func(s *signature.Signature) { s.Effects.ReadOnly = false }),
	"tool-deprecated": details(func(d *signature.Details) { d.Deprecation = signature.Deprecation{} }),
}

// TestRules gives each rule a hit with its exact words and a near miss.
func TestRules(t *testing.T) {
	tested := map[string]bool{}
	for _, h := range hits {
		tested[h.rule] = true
		t.Run(h.rule, func(t *testing.T) {
			old, hit, miss := base(), base(), base()
			if f := before[h.rule]; f != nil {
				f(old)
			}
			if h.hit != nil {
				h.hit(hit)
			}
			h.miss(miss)
			hit.Signature.Version = 2
			changes := compat.Compare(old, hit, compat.Options{})
			i := slices.IndexFunc(changes, func(c compat.Change) bool { return c.Rule == h.rule && c.Message() == h.message })
			if i < 0 {
				t.Errorf("got:%s\nwant: %s", messages(changes), h.message)
			}
			for _, c := range compat.Compare(base(), miss, compat.Options{}) {
				if c.Rule == h.rule {
					t.Errorf("near miss was hit: %s", c.Message())
				}
			}
		})
	}
	for _, r := range compat.Rules {
		if !tested[r.ID] && !slices.Contains(elsewhere, r.ID) {
			t.Errorf("rule %s has no hit", r.ID)
		}
	}
}

// elsewhere are the rules that Check and package history find.
var elsewhere = []string{
	"tool-added", "tool-removed", "tool-name-taken", "tool-id-taken", "signature-changed-without-version", "version-skipped", "version-decreased",
	"version-not-from-one", "version-removed", "history-truncated", "history-tampered", "history-rewritten", "history-conflict", "history-unreadable",
	"accept-unused", "accept-expired", "accept-without-reason", "accept-not-allowed",
	"behaviour-changed",
}

func messages(changes []compat.Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString("\n" + c.Rule + ": " + c.Message())
	}
	return b.String()
}

// TestIdentity: nothing follows from nothing.
func TestIdentity(t *testing.T) {
	for _, h := range hits {
		for _, policy := range []compat.Policy{compat.A2T, compat.Letter, compat.ClientSafe} {
			a, b := base(), base()
			if h.hit != nil {
				h.hit(a)
				h.hit(b)
			}
			if changes := compat.Compare(a, b, compat.Options{Policy: policy}); len(changes) > 0 {
				t.Errorf("%s against itself:%s", h.rule, messages(changes))
			}
		}
	}
}

// TestOneCause: a change has no echo in other rules.
func TestOneCause(t *testing.T) {
	// Two causes, and one that is two findings by its nature.
	two := map[string]int{"input-renamed": 2, "output-renamed": 2, "input-enum-value-removed": 2, "input-default-changed": 1}
	for _, h := range hits {
		old, hit := base(), base()
		if f := before[h.rule]; f != nil {
			f(old)
		}
		if h.hit != nil {
			h.hit(hit)
		}
		changes := compat.Compare(old, hit, compat.Options{})
		if most := max(1, two[h.rule]); len(changes) > most {
			t.Errorf("%s: %d findings:%s", h.rule, len(changes), messages(changes))
		}
	}
}

// mirrors pairs rules that undo each other, or that say the same of inputs and
// outputs. What has no mirror has a reason.
var mirrors = map[string]string{
	"input-added-optional": "input-removed", "input-added-required": "input-removed", "output-added": "output-removed", "tool-added": "tool-removed",
	"input-renamed": "output-renamed", "input-id-changed": "output-id-changed", "input-order-changed": "output-order-changed",
	"input-became-required": "input-became-optional", "output-became-optional": "output-became-present", "output-became-nullable": "output-became-present",
	"input-type-changed": "output-type-changed", "input-type-widened": "output-type-narrowed", "input-max-tightened": "input-max-loosened",
	"input-min-tightened": "input-min-loosened", "input-length-tightened": "input-length-loosened", "input-pattern-changed": "input-pattern-loosened",
	"input-enum-value-added": "input-enum-value-removed", "output-enum-value-added": "output-enum-value-removed",
	"output-range-widened": "output-range-narrowed", "input-description-changed": "output-description-changed",
	"output-json-shape-changed": "output-json-shape-grown", "tool-tag-added": "tool-tag-removed", "effect-worsened": "effect-improved",
	"auth-tightened": "auth-loosened", "error-added": "error-removed", "tool-name-taken": "tool-id-taken", "tool-renamed": "tool-id-changed",
	"version-skipped": "version-decreased", "version-removed": "history-truncated", "history-tampered": "history-rewritten",
	"accept-unused": "accept-expired", "accept-without-reason": "accept-not-allowed",
}

var waived = map[string]string{
	"input-default-changed":             "outputs have no defaults",
	"input-enum-values-reordered":       "an answer has one value; nobody chooses from the list of an output",
	"tool-description-changed":          "a text has no direction",
	"tool-image-changed":                "an image has no direction",
	"tool-deprecated":                   "taking it back is a new text of the tool and harms nobody",
	"tool-sunset-nearer":                "a later date harms nobody and is no rule",
	"plan-changed":                      "a plan has no direction",
	"behaviour-changed":                 "an answer has no direction",
	"signature-changed-without-version": "a version without a change is nothing to release",
	"version-not-from-one":              "there is one beginning",
	"history-conflict":                  "two branches that agree have no conflict",
	"history-unreadable":                "what can be read is judged by the other rules",
}

// TestSymmetry: a rule without a mirror needs a reason, and a reason needs a
// rule without a mirror.
func TestSymmetry(t *testing.T) {
	mirrored := map[string]bool{}
	for a, b := range mirrors {
		for _, id := range []string{a, b} {
			if _, ok := compat.RuleOf(id); !ok {
				t.Errorf("mirror %s is no rule", id)
			}
			mirrored[id] = true
		}
	}
	for _, r := range compat.Rules {
		if mirrored[r.ID] == (waived[r.ID] != "") {
			t.Errorf("%s: mirrored %v, waived %q", r.ID, mirrored[r.ID], waived[r.ID])
		}
	}
	for id := range waived {
		if _, ok := compat.RuleOf(id); !ok {
			t.Errorf("waiver for %s, which is no rule", id)
		}
	}
}

// TestTable checks what must hold for every row.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range compat.Rules {
		if seen[r.ID] {
			t.Errorf("%s stands there twice", r.ID)
		}
		seen[r.ID] = true
		for _, text := range []string{r.Summary, r.Why, r.Fix} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "  ") {
				t.Errorf("%s: %q is no sentence", r.ID, text)
			}
		}
		l := r.Levels
		if r.Class == compat.History && (l.A2T != compat.Error || l.Letter != compat.Error || l.ClientSafe != compat.Error) {
			t.Errorf("%s guards the history and has levels %v", r.ID, l)
		}
		if want := max(l.Letter, l.ClientSafe); l.A2T != want && (r.Class != compat.Prompt || l.A2T != l.ClientSafe) {
			t.Errorf("%s: a2t is %s, want the stricter level %s", r.ID, l.A2T, want)
		}
		if (r.EasedIf == "") != (r.Eased == compat.Levels{}) {
			t.Errorf("%s: eased levels need a circumstance, and it needs them", r.ID)
		}
	}
	if len(compat.Catalogue()) != len(compat.Rules) {
		t.Error("the catalogue lacks rules")
	}
}
