package conform

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
)

// otcRows are the page "Call Tool" of OTC 1.0, by its headings, and what the
// schemas of both protocols say of the list. OXP 1.0 kept those sentences.
func otcRows(word string) []Clause {
	const call, versions, serverErrors, inputErrors, list = "Flow Details", "Tool Version Resolution", "Server Errors", "Input Validation Errors", "List Tools"
	const retrying = "Retrying Errors"
	rows := []Clause{
		{ID: "-health", Level: Must, Section: "Health", Plain: true, Gist: "GET /health answers with 200 or 503", check: otcHealth},
		{ID: "-list-served", Level: Must, Section: list, Plain: true, Gist: "GET /tools answers with an array of tools, also where it is empty", check: otcListServed},
		{ID: "-list-schema", Level: Must, Section: list, Plain: true, Gist: "the list says its $schema", check: otcListSchema},
		{ID: "-list-definition", Level: Must, Section: list, Plain: true, Gist: "a definition has the members that the schema requires", check: otcDefinition},
		{ID: "-list-id", Level: Must, Section: list, Plain: true, Gist: "an id is Toolkit.Tool, with or without a version, and is there once", check: otcID},
		{ID: "-list-name", Level: Must, Section: list, Plain: true, Gist: "a name has up to 64 letters, digits, _ and -", check: otcPattern("name", `^[A-Za-z0-9_-]{1,64}$`)},
		{ID: "-list-version", Level: Must, Section: list, Plain: true, Gist: "a version is x.y.z", check: otcPattern("version", `^[0-9]+\.[0-9]+\.[0-9]+$`)},
		{ID: "-list-inputs", Level: Must, Section: list, Plain: true, Gist: "the schema of inputs is one of an object", check: otcInputs},
		{ID: "-list-descriptions", Level: Must, Section: list, Plain: true, Gist: "each parameter has a description", check: otcDescriptions},
		{ID: "-list-no-references", Level: Must, Section: list, Plain: true, Gist: "schemas have no $ref and no definitions", check: otcNoReferences},
		{ID: "-call-auth", Level: Should, Section: call, Gist: "a server that faces the internet wants authentication", Unchecked: "what a server faces is not to be seen by one of its callers"},
		{ID: "-call-newest-standard", Level: Must, Section: call, Gist: "without $schema the newest standard is meant", check: otcNewest},
		{ID: "-call-200", Level: Must, Section: call, Gist: "a call is answered with 200 also where the tool fails", check: otcStatus},
		{ID: "-call-result", Level: Must, Section: call, Plain: true, Gist: "a result has call_id, success, and either a value or an error", check: otcResult},
		{ID: "-call-id", Level: Must, Section: call, Plain: true, Gist: "the call_id of the request is that of the result", check: otcCallID},
		{ID: "-call-value", Level: Must, Section: call, Plain: true, Gist: "a value fits the output_schema", check: otcValue},
		{ID: "-version-rules", Level: Must, Section: versions, Gist: "a version is found by the rules: no other is called for one that is not there", check: otcVersionRules},
		{ID: "-version-exact", Level: Must, Section: versions, Gist: "x.y.z means that version", check: otcCalled(func(c *otcCall) *exchange { return c.exact })},
		{ID: "-version-short", Level: Must, Section: versions, Gist: "x means x.0.0", check: otcCalled(func(c *otcCall) *exchange { return c.short })},
		{ID: "-version-latest", Level: Must, Section: versions, Gist: "no version means the latest", check: otcCalled(func(c *otcCall) *exchange { return c.latest })},
		{ID: "-errors-distinct", Level: Must, Section: "Error Behavior", Gist: "errors before a call, of inputs and of tools can be told apart", check: otcDistinct},
		{ID: "-server-400", Level: Must, Section: serverErrors, Gist: "an unknown tool or version is answered with 400", check: otcServer400},
		{ID: "-server-schema", Level: Must, Section: serverErrors, Plain: true, Gist: "a $schema that is not supported is answered with 400", check: otcServerSchema},
		{ID: "-server-message", Level: Must, Section: serverErrors, Gist: "an error has a message", check: otcMessage},
		{ID: "-server-user-facing", Level: Should, Section: serverErrors, Gist: "the message is for users", Unchecked: ofTaste},
		{ID: "-server-developer", Level: Should, Section: serverErrors, Gist: "the developer_message is for logs", Unchecked: ofTaste},
		{ID: "-input-validated", Level: Must, Section: inputErrors, Gist: "inputs are checked before a tool is called", check: otcValidated},
		{ID: "-input-422", Level: Must, Section: inputErrors, Gist: "invalid inputs are answered with 422, a message and, perhaps, parameter_errors", check: otcInput422},
		{ID: "-execution-error", Level: Must, Section: "Tool Execution Errors", Gist: "a tool that fails is told by success false and an error with a message", check: otcExecution},
		{ID: "-retry-can", Level: Should, Section: retrying, Gist: "after can_retry the call is sent again", Unchecked: ofCallers},
		{ID: "-retry-after", Level: Should, Section: retrying, Gist: "retry_after_ms is waited for", Unchecked: ofCallers},
	}
	for i := range rows {
		rows[i].ID = word + rows[i].ID
	}
	return rows
}

func otcHealth(r *recording, l *look) {
	l.saw("answer")
	if x := r.otc.health; x.status != http.StatusOK && x.status != http.StatusServiceUnavailable {
		l.fail("%s", x.told())
	}
}

func otcListServed(r *recording, l *look) {
	l.saw("list")
	x := r.otc.list
	if _, is := x.object()[r.otc.form.list].([]any); !x.ok() {
		l.fail("%s", x.told())
	} else if !is {
		l.fail("%s is not an array", r.otc.form.list)
	}
}

func otcListSchema(r *recording, l *look) {
	if x := r.otc.list; x.ok() {
		l.saw("list")
		l.lacks("the list", x.object(), []member{{name: "$schema", kind: "string"}})
		l.note = text(x.object()["$schema"])
	}
}

func otcDefinition(r *recording, l *look) {
	for _, t := range r.otc.tools {
		l.saw("definition")
		l.lacks(t.at, t.m, r.otc.form.required)
	}
}

var toolID = regexp.MustCompile(`^[A-Za-z0-9_]+\.[A-Za-z0-9_]+(@([0-9]+|[0-9]+\.[0-9]+\.[0-9]+))?$`)

func otcID(r *recording, l *look) {
	var ids []string
	for _, t := range r.otc.tools {
		id, is := t.m["id"].(string)
		if !is {
			continue
		}
		l.saw("id")
		if ids = append(ids, id); !toolID.MatchString(id) {
			l.fail("%s: %s", t.at, quoted(id))
		}
	}
	l.repeats("the list", "the id", ids)
}

func otcPattern(name, pattern string) func(*recording, *look) {
	allowed := regexp.MustCompile(pattern)
	return func(r *recording, l *look) {
		l.skip("no tool has a %s", name)
		for _, t := range r.otc.tools {
			v, is := t.m[name].(string)
			if !is {
				continue
			}
			l.saw(name)
			if !allowed.MatchString(v) {
				l.fail("%s: %s", t.at, quoted(v))
			}
		}
	}
}

func otcInputs(r *recording, l *look) {
	for _, t := range r.otc.tools {
		if object(t.m["input_schema"]) == nil {
			continue
		}
		l.saw("schema")
		schema := t.inputs(r.otc.form)
		kind, stated := schema["type"]
		if schema == nil || stated && kind != "object" || schema["properties"] != nil && object(schema["properties"]) == nil {
			l.fail("%s: the inputs are not an object", t.at)
		}
	}
}

func otcDescriptions(r *recording, l *look) {
	l.skip("no tool has inputs")
	for _, t := range r.otc.tools {
		properties := object(t.inputs(r.otc.form)["properties"])
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			l.saw("parameter")
			if text(object(properties[name])["description"]) == "" {
				l.fail("%s: nothing describes %s", t.at, quoted(name))
			}
		}
	}
}

func otcNoReferences(r *recording, l *look) {
	var find func(at string, v any, names bool)
	find = func(at string, v any, names bool) { // names: the members are properties, and may be called anything
		m := object(v)
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !names && slices.Contains([]string{"$ref", "$defs", "definitions"}, name) {
				l.fail("%s has %s", at, name)
			}
			find(at+"."+name, m[name], !names && name == "properties")
		}
		for _, e := range array(v) {
			find(at+"[]", e, false)
		}
	}
	for _, t := range r.otc.tools {
		l.saw("tool")
		find(t.at+".input_schema", t.m["input_schema"], false)
		find(t.at+".output_schema", t.m["output_schema"], false)
	}
}
