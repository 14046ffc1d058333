package conform

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
)

// An otcModel is what a good server of OTC or OXP lists.
type otcModel struct {
	word  string
	tools []doc
}

func goodOTC(word string) *otcModel {
	definition := func(id, name, input, output string) doc {
		schema := doc{
			"type": "object", "properties": doc{input: doc{"type": "string", "description": "The " + input + "."}},
			"required": []any{input}, "additionalProperties": false,
		}
		if otcForms[word].wrapped {
			schema = doc{"parameters": schema}
		}
		return doc{
			"id": id + "@2.0.0", "name": name, "description": "What " + name + " does.", "version": "2.0.0", "input_schema": schema,
			"output_schema": doc{"type": "object", "properties": doc{output: doc{"type": "integer"}}, "required": []any{output}},
		}
	}
	return clone3(&otcModel{word, []doc{
		definition("Weather.LookUp", "look_up", "city", "temperature"), definition("Travel.Cancel", "cancel", "booking", "refund"),
	}})
}

func clone3(m *otcModel) *otcModel { return &otcModel{m.word, clone(m.tools)} }

// otcBody is a call; the schema may be "".
func otcBody(schema, id string, input doc) doc {
	body := doc{"request": doc{"tool_id": id, "call_id": callID, "input": input}}
	if schema != "" {
		body["$schema"] = schema
	}
	return body
}

func otcKey(schema, id string, input doc) string {
	return post("/tools/call", otcBody(schema, id, input))
}

// otcResultOf is the answer of a call that reached its tool.
func otcResultOf(schema string, members doc) answer {
	members["call_id"], members["duration"] = callID, 2
	return answer{Status: 200, Body: doc{"$schema": schema, "result": members}}
}

func otcFault(message string) answer {
	return answer{Status: 400, Body: doc{"message": message, "developer_message": message}}
}

func serveOTC(m *otcModel) stub {
	schema := otcForms[m.word].schema
	list := answer{Status: 200, Body: doc{"$schema": schema, otcForms[m.word].list: m.tools}}
	s := stub{get("/health"): {Status: 200}, get("/tools"): list, "GET /tools\n" + compact(doc{"$schema": schema}): list}
	omaha, none := doc{"city": "Omaha"}, doc{}
	for _, id := range []string{"Weather.LookUp@2.0.0", "Weather.LookUp@2", "Weather.LookUp"} {
		s[otcKey(schema, id, omaha)] = otcResultOf(schema, doc{"success": true, "value": doc{"temperature": 80}})
	}
	for _, id := range []string{"Travel.Cancel@2.0.0", "Travel.Cancel@2", "Travel.Cancel"} {
		s[otcKey(schema, id, doc{"booking": "gone"})] = otcResultOf(schema, doc{"success": false, "error": doc{
			"message": "There is no such booking.", "can_retry": true, "additional_prompt_content": "bookings: B7", "retry_after_ms": 500}})
	}
	for _, id := range []string{"Weather.LookUp@2.0.0", "Travel.Cancel@2.0.0"} {
		for _, as := range []string{schema, ""} {
			s[otcKey(as, id, none)] = answer{Status: 422, Body: doc{"message": "An input is missing.", "parameter_errors": doc{"city": "is missing"}}}
		}
		s[otcKey("urn:unknown:999.0", id, none)] = otcFault("The $schema is not supported.")
	}
	s[otcKey(schema, "NoSuchToolkit.NoSuchTool@1.0.0", omaha)] = otcFault("There is no such tool.")
	s[otcKey(schema, "Weather.LookUp@999999.0.0", omaha)] = otcFault("There is no such version.")
	return s
}

// otcTools changes the first definition of a list.
func otcTools(change func(doc)) func(*otcModel) {
	return func(m *otcModel) { change(m.tools[0]) }
}

// otcSchema changes the schema of the inputs of the first definition.
func otcSchema(change func(doc)) func(*otcModel) {
	return func(m *otcModel) {
		t := otcTool{m: m.tools[0]}
		change(t.inputs(otcForms[m.word]))
	}
}

func otcFaults(word string) []fault[otcModel] {
	form := otcForms[word]
	call := func(id string, input doc) string { return otcKey(form.schema, id, input) }
	omaha, none := doc{"city": "Omaha"}, doc{}
	exact := call("Weather.LookUp@2.0.0", omaha)
	failed := call("Travel.Cancel", doc{"booking": "gone"})
	bad := call("Weather.LookUp@2.0.0", none)
	result := func(change func(doc)) func(doc) { return func(d doc) { change(object(d["result"])) } }
	listed := "GET /tools\n" + compact(doc{"$schema": form.schema})
	faults := []fault[otcModel]{
		{clause: "-health", wire: replace(get("/health"), answer{Status: 404})},
		{clause: "-list-served", wire: replace(listed, answer{Status: 404})},
		{clause: "-list-served", wire: edit(listed, func(d doc) { delete(d, form.list) })},
		{clause: "-list-schema", wire: edit(listed, func(d doc) { delete(d, "$schema") })},
		{clause: "-list-definition", model: otcTools(func(d doc) { delete(d, "description") })},
		{clause: "-list-definition", model: otcTools(with("name", nil))},
		{clause: "-list-id", model: func(m *otcModel) { m.tools = append(m.tools, clone(m.tools[1])) }},
		{clause: "-list-id", model: func(m *otcModel) {
			odd := clone(m.tools[1])
			odd["id"] = "cancel@2.0.0"
			m.tools = append(m.tools, odd)
		}},
		{clause: "-list-name", model: otcTools(with("name", "look up"))},
		{clause: "-list-version", model: func(m *otcModel) {
			odd := clone(m.tools[1])
			odd["id"], odd["version"] = "Travel.Other", "2"
			m.tools = append(m.tools, odd)
		}},
		{clause: "-list-inputs", model: otcSchema(with("type", "array"))},
		{clause: "-list-descriptions", model: otcSchema(func(d doc) { delete(object(object(d["properties"])["city"]), "description") })},
		{clause: "-list-no-references", model: otcTools(func(d doc) { object(object(d["output_schema"])["properties"])["more"] = doc{"$ref": "#/x"} })},
		{clause: "-call-newest-standard", wire: replace(get("/tools"), answer{Status: 400})},
		{clause: "-call-newest-standard", wire: replace(otcKey("", "Weather.LookUp@2.0.0", none), otcFault("No $schema."))},
		{clause: "-call-200", wire: replace(failed, answer{Status: 502})},
		{clause: "-call-result", wire: edit(exact, result(with("error", doc{"message": "No."})))},
		{clause: "-call-result", wire: edit(exact, result(func(d doc) { delete(d, "success") }))},
		{clause: "-call-id", wire: edit(exact, result(with("call_id", "another")))},
		{clause: "-call-value", wire: edit(exact, result(with("value", doc{"temperature": "80"})))},
		{clause: "-call-value", wire: edit(exact, result(with("value", doc{})))},
		{clause: "-version-rules", also: []string{"-server-400"}, wire: func(s stub) { s[call("Weather.LookUp@999999.0.0", omaha)] = s[exact] }},
		{clause: "-version-exact", also: []string{"-errors-distinct"}, wire: replace(exact, otcFault("There is no such version."))},
		{clause: "-version-short", wire: replace(call("Weather.LookUp@2", omaha), otcFault("There is no such version."))},
		{clause: "-version-latest", wire: replace(call("Weather.LookUp", omaha), otcFault("A version is missing."))},
		{clause: "-errors-distinct", also: []string{"-server-400"}, wire: func(s stub) { s[call("NoSuchToolkit.NoSuchTool@1.0.0", omaha)] = s[exact] }},
		{clause: "-server-400", wire: replace(call("NoSuchToolkit.NoSuchTool@1.0.0", omaha), answer{Status: 404})},
		{clause: "-server-schema", wire: replace(otcKey("urn:unknown:999.0", "Weather.LookUp@2.0.0", none), answer{Status: 422, Body: doc{"message": "An input is missing."}})},
		{clause: "-server-message", wire: edit(call("NoSuchToolkit.NoSuchTool@1.0.0", omaha), func(d doc) { delete(d, "message") })},
		{clause: "-input-validated", also: []string{"-input-422", "-call-newest-standard"}, wire: func(s stub) { s[bad] = s[exact] }},
		{clause: "-input-422", also: []string{"-errors-distinct", "-call-newest-standard"}, wire: replace(bad, otcFault("An input is missing."))},
		{clause: "-input-422", wire: edit(bad, with("parameter_errors", []any{"city"}))},
		{clause: "-input-422", wire: edit(bad, func(d doc) { delete(d, "message") })},
		{clause: "-input-422", wire: edit(bad, with("message", " "))},
		{clause: "-input-422", wire: edit(bad, with("parameter_errors", doc{"city": doc{}}))},
		{clause: "-execution-error", wire: edit(failed, result(func(d doc) { delete(object(d["error"]), "message") }))},
		{clause: "-execution-error", wire: edit(failed, result(func(d doc) { delete(d, "error") }))},
	}
	return renamed(faults, "", word, otcRows(word))
}

func otcSuite(word string) *suite[otcModel] {
	return &suite[otcModel]{
		protocol: word, build: func() *otcModel { return goodOTC(word) }, render: serveOTC, faults: otcFaults(word),
		invoke: []Invocation{{Tool: "Weather.LookUp", Inputs: doc{"city": "Omaha"}}, {Tool: "cancel", Inputs: doc{"booking": "gone"}}},
	}
}

func TestOTCBites(t *testing.T) { otcSuite("otc").bites(t) }

func TestOXPBites(t *testing.T) { otcSuite("oxp").bites(t) }

// TestUnknownTool: a tool that is named and not there is a mistake of the user.
func TestUnknownTool(t *testing.T) {
	s := otcSuite("otc")
	s.invoke = []Invocation{{Tool: "nothing", Inputs: doc{}}}
	_, err := s.run(t.Context(), s.broken(nil))
	if err == nil || !strings.Contains(err.Error(), `lists no tool "nothing"`) {
		t.Errorf("%v", err)
	}
}

// TestTimeIsUp: what was not asked for is not taken for what is missing.
func TestTimeIsUp(t *testing.T) {
	s := otcSuite("otc")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.run(ctx, transport(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/health" {
			return s.broken(nil).RoundTrip(r)
		}
		cancel()
		return nil, ctx.Err()
	}))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// transport is a function that sends requests.
type transport func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
