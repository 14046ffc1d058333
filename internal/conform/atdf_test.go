package conform

import "testing"

// An atdfModel is what a good server of ATDF describes.
type atdfModel struct{ tools []doc }

func goodATDF() *atdfModel {
	basic := doc{
		"schema_version": "1.0.0", "tool_id": "look_up", "description": "Looks up the weather.", "when_to_use": "When the weather is asked for.",
		"how_to_use": doc{
			"inputs":  []any{doc{"name": "city", "type": "string", "description": "The city."}},
			"outputs": doc{"success": "The weather is told.", "failure": []any{doc{"code": "no_city", "description": "There is no such city."}}},
		},
	}
	enhanced := clone(basic)
	enhanced["schema_version"], enhanced["tool_id"] = "2.0.0", "cancel"
	enhanced["localization"] = doc{"en": doc{"description": "Cancels.", "when_to_use": "When plans change."}}
	enhanced["examples"] = []any{doc{"goal": "Cancel.", "input_values": doc{"city": "Omaha"}, "expected_result": "It is cancelled."}}
	return &atdfModel{[]doc{basic, enhanced}}
}

var atdfUnknownKey = get("/tools/no_such_tool")

func serveATDF(m *atdfModel) stub {
	s := stub{
		get("/health"): {Status: 200, Body: doc{"status": "healthy", "uptime_seconds": 7, "version": "1"}},
		get("/tools"):  {Status: 200, Body: doc{"tools": m.tools}},
		atdfUnknownKey: {Status: 404, Body: doc{"status": "error", "errors": []any{doc{
			"type": "https://tools.example/errors/unknown", "title": "Unknown tool", "detail": "There is no such tool.", "instance": "1",
			"tool_name": "no_such_tool", "code": "tool_not_found", "suggested_value": nil,
		}}}},
	}
	for _, t := range m.tools {
		tool := atdfTool{m: t}
		s[get("/tools/"+tool.id())] = answer{Status: 200, Body: t}
	}
	return s
}

// basic and enhanced change one of the two descriptors.
func basic(change func(doc)) func(*atdfModel) { return func(m *atdfModel) { change(m.tools[0]) } }

func enhanced(change func(doc)) func(*atdfModel) { return func(m *atdfModel) { change(m.tools[1]) } }

// within changes an object inside of a document.
func within(name string, change func(doc)) func(doc) {
	return func(d doc) { change(object(d[name])) }
}

var atdfFaults = []fault[atdfModel]{
	{clause: "atdf-structure", model: basic(drop("when_to_use"))},
	{clause: "atdf-structure", model: enhanced(with("description", " "))},
	{clause: "atdf-id", model: enhanced(with("id", "cancel"))},
	{clause: "atdf-id", model: enhanced(drop("tool_id"))},
	{clause: "atdf-id", model: func(m *atdfModel) { m.tools = append(m.tools, m.tools[1]) }},
	{clause: "atdf-inputs", model: basic(within("how_to_use", drop("inputs")))},
	{clause: "atdf-inputs", model: basic(within("how_to_use", firstOf("inputs", drop("type"))))},
	{clause: "atdf-outputs", model: basic(within("how_to_use", within("outputs", with("success", ""))))},
	{clause: "atdf-outputs", model: basic(within("how_to_use", within("outputs", drop("failure"))))},
	{clause: "atdf-schema", model: basic(within("how_to_use", firstOf("inputs", with("required", true))))},
	{clause: "atdf-schema", model: basic(with("metadata", doc{}))},
	{clause: "atdf-schema", model: enhanced(with("schema_version", 2))},
	{clause: "atdf-localization", model: enhanced(within("localization", within("en", drop("when_to_use"))))},
	{clause: "atdf-localization", model: enhanced(within("localization", func(d doc) { d["english"] = d["en"] }))},
	{clause: "atdf-examples", model: enhanced(firstOf("examples", drop("goal")))},
	{clause: "atdf-profile-health", wire: edit(get("/health"), drop("uptime_seconds"))},
	{clause: "atdf-profile-health", wire: replace(get("/health"), answer{Status: 404})},
	{clause: "atdf-profile-list", wire: replace(get("/tools"), answer{Status: 200, Body: doc{"items": []any{}}})},
	{clause: "atdf-profile-list", wire: replace(get("/tools"), answer{Status: 500})},
	{clause: "atdf-profile-tool", wire: edit(get("/tools/cancel"), with("description", "Calls off."))},
	{clause: "atdf-profile-tool", wire: replace(get("/tools/cancel"), answer{Status: 405})},
	{clause: "atdf-profile-unknown", wire: edit(atdfUnknownKey, firstOf("errors", with("code", "not_found")))},
	{clause: "atdf-profile-unknown", wire: func(s stub) {
		a := s[atdfUnknownKey]
		a.Status = 400
		s[atdfUnknownKey] = a
	}},
	{clause: "atdf-profile-error", wire: edit(atdfUnknownKey, firstOf("errors", with("suggested_value", 3)))},
	{clause: "atdf-profile-error", wire: edit(atdfUnknownKey, firstOf("errors", with("hint", "Look again.")))},
	{clause: "atdf-profile-error", wire: edit(atdfUnknownKey, firstOf("errors", drop("instance")))},
	{clause: "atdf-profile-error", wire: replace(atdfUnknownKey, answer{Status: 404})},
}

var atdfSuite = suite[atdfModel]{protocol: "atdf", build: goodATDF, render: serveATDF, faults: atdfFaults}

func TestATDFBites(t *testing.T) { atdfSuite.bites(t) }
