package export

import (
	"slices"
	"strconv"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// atdfBasic is a descriptor of ATDF 1.x. Its schema is closed: no word for
// what is required, for enums or bounds, so these are in the texts.
func atdfBasic(t tool) value {
	inputs := array{}
	for _, in := range t.Inputs {
		inputs = append(inputs, object{{"name", in.Name}, {"type", jsonTypes[in.Type]}, {"description", in.Description}})
	}
	return object{
		{"schema_version", "1.0.0"}, {"tool_id", t.Name}, {"description", t.Description}, {"when_to_use", whenToUse(t.Signature)},
		{"how_to_use", object{{"inputs", inputs}, {"outputs", atdfOutputs(t.Signature)}}},
	}
}

// whenToUse is never empty, as ATDF wants it. Who states none, because other
// protocols would join it to the description, may still have it among the
// English texts.
func whenToUse(s *signature.Signature) string {
	if s.WhenToUse != "" {
		return s.WhenToUse
	}
	for _, l := range s.Notes.Localization {
		if l.Language == "en" {
			return l.WhenToUse
		}
	}
	return s.Description
}

// atdfOutputs says what a call gives: a sentence for success and the errors,
// those that every tool has behind those that the vendor named.
func atdfOutputs(s *signature.Signature) object {
	failures := slices.Clone(s.Notes.Failures)
	common := []signature.Failure{
		{Code: "no_result", Text: "Nothing was found for these inputs."},
		{Code: "backend_unavailable", Text: "The backend is not available at the moment; try again later."},
		{Code: "invalid_parameters", Text: "An input is missing or not allowed."},
	}
	if !s.Effects.Idempotent {
		common = append(common, signature.Failure{Code: "outcome_unknown", Text: "It is not known whether the call took effect; check before repeating it."})
	}
	for _, f := range common {
		if !slices.ContainsFunc(failures, func(own signature.Failure) bool { return own.Code == f.Code }) {
			failures = append(failures, f)
		}
	}
	list := array{}
	for _, f := range failures {
		list = append(list, object{{"code", f.Code}, {"description", f.Text}})
	}
	return object{{"success", successText(s)}, {"failure", list}}
}

// successText is the vendor's sentence or, without one, what the outputs are.
func successText(s *signature.Signature) string {
	if s.Notes.Success != "" {
		return s.Notes.Success
	}
	var parts []string
	for _, out := range s.Outputs {
		parts = append(parts, out.Name+": "+withValues(out.Description, out.Values))
	}
	return signature.Sentences(parts...)
}

// atdfEnhanced is a descriptor of ATDF 2.x. input_schema is beside the
// keys of the schema, which is open, because the bridge of the format to MCP
// reads nothing else.
func atdfEnhanced(t tool) value {
	s := t.Signature
	doc := object{{"schema_version", "2.0.0"}, {"tool_id", s.Name}, {"metadata", atdfMetadata(s)}, {"description", s.Description},
		{"when_to_use", whenToUse(s)}, {"localization", atdfLocalization(s)}}
	if p := atdfPrerequisites(s); p != nil {
		doc = doc.with("prerequisites", p)
	}
	inputs := array{}
	for _, in := range s.Inputs {
		inputs = append(inputs, object{
			{"name", in.Name}, {"type", jsonTypes[in.Type]}, {"description", in.Description}, {"required", in.Required}, {"schema", atdfSchema(in)},
		})
	}
	doc = doc.with("how_to_use", object{{"inputs", inputs}, {"outputs", atdfOutputs(s)}}).with("input_schema", inputSchema(s.Inputs))
	var feedback object
	for _, f := range []struct {
		key  string
		list []string
	}{{"progress_indicators", s.Notes.Progress}, {"completion_signals", s.Notes.Completion}} {
		if len(f.list) > 0 {
			feedback = feedback.with(f.key, texts(f.list))
		}
	}
	if feedback != nil {
		doc = doc.with("feedback", feedback)
	}
	var examples array
	for _, e := range s.Examples {
		result := e.Result
		if result == "" {
			result = successText(s) // the schema wants one
		}
		examples = append(examples, object{{"goal", e.Goal}, {"input_values", exampleInputs(s, e)}, {"expected_result", result}})
	}
	if examples != nil {
		doc = doc.with("examples", examples)
	}
	return doc
}

// atdfSchema is the property of an input without its text, which is beside
// it.
func atdfSchema(in signature.Input) object {
	return slices.DeleteFunc(inputProperty(in), func(m member) bool { return m.name == "description" })
}

func atdfMetadata(s *signature.Signature) object {
	o := object{{"version", strconv.Itoa(s.Version)}}
	text := func(name, text string) {
		if text != "" {
			o = o.with(name, text)
		}
	}
	text("author", s.Notes.Author)
	if len(s.Tags) > 0 {
		o = o.with("tags", texts(s.Tags))
	}
	text("category", s.Notes.Category)
	text("created_at", s.Notes.Created)
	text("updated_at", s.Notes.Updated)
	if d := deprecated(s); d != nil {
		o = o.with("deprecated", d)
	}
	return o
}

// atdfLocalization has the texts in every language. A2T wants English ones, so
// they stand for en; the vendor may say otherwise.
func atdfLocalization(s *signature.Signature) object {
	all := append([]signature.Localization{{Language: "en", Description: s.Description, WhenToUse: whenToUse(s)}}, s.Notes.Localization...)
	var o object
	for _, l := range all {
		face := object{{"description", l.Description}, {"when_to_use", l.WhenToUse}}
		if i := slices.IndexFunc(o, func(m member) bool { return m.name == l.Language }); i >= 0 {
			o[i].value = face
			continue
		}
		o = o.with(l.Language, face)
	}
	return o
}

// atdfPrerequisites adds what the tool needs of its caller to what the vendor
// wrote; nil for nothing.
func atdfPrerequisites(s *signature.Signature) object {
	permissions := append(s.Credentials(), s.Permissions()...)
	var o object
	for _, p := range []struct {
		key  string
		list []string
	}{{"tools", s.Notes.Tools}, {"conditions", s.Notes.Conditions}, {"permissions", permissions}} {
		if len(p.list) > 0 {
			o = o.with(p.key, texts(p.list))
		}
	}
	return o
}
