package conform

import (
	"maps"
	"slices"
	"strings"
)

// An otcForm is what differs between OTC 1.0 and OXP 1.0, its successor.
type otcForm struct {
	// schema is the $schema, list the member of GET /tools.
	schema, list string
	// wrapped says that the schema of inputs is in a member "parameters".
	wrapped bool
	// required are the members that a definition has.
	required []member
}

var otcForms = map[string]*otcForm{
	"otc": {"otc://1.0", "tools", true, []member{
		{name: "id", kind: "string"}, {name: "name", kind: "string"}, {name: "description", kind: "string"},
		{name: "input_schema", kind: "object"}, {name: "output_schema"},
	}},
	"oxp": {"urn:oxp:1.0", "items", false, []member{
		{name: "id", kind: "string"}, {name: "name", kind: "string"}, {name: "description", kind: "string"}, {name: "version", kind: "string"},
		{name: "input_schema", kind: "object", optional: true}, {name: "output_schema", optional: true},
	}},
}

// An otcTalk is a conversation over OTC or OXP.
type otcTalk struct {
	form *otcForm
	// bare is the list without a $schema in the request.
	health, list, bare *exchange
	tools              []*otcTool
	calls              []*otcCall
	// noTool and noVersion are calls of what is not there.
	noTool, noVersion *exchange
}

// An otcTool is a tool definition.
type otcTool struct {
	at string
	m  map[string]any
	// base is the id without a version.
	base string
}

// inputs is the schema of the inputs.
func (t *otcTool) inputs(form *otcForm) map[string]any {
	schema := object(t.m["input_schema"])
	if form.wrapped {
		return object(schema["parameters"])
	}
	return schema
}

// An otcCall is what was sent to one tool.
type otcCall struct {
	tool *otcTool
	// exact, short and latest are right and name the version in three ways.
	exact, short, latest *exchange
	// bad has inputs that the schema refuses; badBare says no $schema with them,
	// badSchema one that does not exist.
	bad, badBare, badSchema *exchange
}

// right are the calls with good inputs.
func (c *otcCall) right() []*exchange {
	return slices.DeleteFunc([]*exchange{c.exact, c.short, c.latest}, func(x *exchange) bool { return x == nil })
}

// recordOTC asks for the list, and calls what is named.
func recordOTC(word string) func(*asker, *recording) {
	return func(a *asker, r *recording) {
		t := &otcTalk{form: otcForms[word]}
		r.otc = t
		t.health = a.get("/health", nil)
		t.bare = a.get("/tools", nil)
		t.list = a.send("GET", "/tools", nil, map[string]any{"$schema": t.form.schema})
		for i, d := range array(t.list.object()[t.form.list]) {
			m := object(d)
			base, _, _ := strings.Cut(text(m["id"]), "@")
			t.tools = append(t.tools, &otcTool{at: at(t.form.list, i), m: m, base: base})
		}
		for _, want := range a.options.Invoke {
			i := slices.IndexFunc(t.tools, func(o *otcTool) bool {
				return slices.Contains([]string{o.base, text(o.m["id"]), text(o.m["name"])}, want.Tool)
			})
			switch {
			case i >= 0:
				t.call(a, t.tools[i], want.Inputs)
			case array(t.list.object()[t.form.list]) != nil:
				r.unknown = append(r.unknown, want.Tool)
			}
		}
	}
}

func (t *otcTalk) call(a *asker, tool *otcTool, inputs map[string]any) {
	send := func(schema, id string, inputs map[string]any) *exchange {
		callID := a.options.callID()
		body := map[string]any{"request": map[string]any{"tool_id": id, "call_id": callID, "input": inputs}}
		if schema != "" {
			body["$schema"] = schema
		}
		x := a.post("/tools/call", body)
		x.key, x.callID = x.key+" with "+id, callID
		return x
	}
	exact := tool.base + "@" + text(tool.m["version"])
	if text(tool.m["version"]) == "" {
		exact = text(tool.m["id"])
	}
	c := &otcCall{tool: tool, exact: send(t.form.schema, exact, inputs), latest: send(t.form.schema, tool.base, inputs)}
	if major, is := strings.CutSuffix(text(tool.m["version"]), ".0.0"); is {
		c.short = send(t.form.schema, tool.base+"@"+major, inputs)
	}
	if bad := unfit(tool.inputs(t.form), inputs); bad != nil {
		c.bad, c.badBare, c.badSchema = send(t.form.schema, exact, bad), send("", exact, bad), send("urn:unknown:999.0", exact, bad)
	}
	if len(t.calls) == 0 {
		t.noTool = send(t.form.schema, "NoSuchToolkit.NoSuchTool@1.0.0", inputs)
		t.noVersion = send(t.form.schema, tool.base+"@999999.0.0", inputs)
	}
	t.calls = append(t.calls, c)
}

// unfit changes inputs so that a schema refuses them, nil where it takes
// everything.
func unfit(schema, inputs map[string]any) map[string]any {
	bad := maps.Clone(inputs)
	for _, name := range array(schema["required"]) {
		delete(bad, text(name))
		return bad
	}
	properties := object(schema["properties"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if kind := text(object(properties[name])["type"]); kind != "" {
			bad[name] = unlike(kind)
			return bad
		}
	}
	if schema["additionalProperties"] == false {
		bad["no_such_input"] = true
		return bad
	}
	return nil
}
