package conform

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// An atdfTalk is a conversation over the server profile of ATDF.
type atdfTalk struct {
	health, list, unknown *exchange
	tools                 []*atdfTool
}

// An atdfTool is a descriptor of the list, and the answer for it alone.
type atdfTool struct {
	at  string
	m   map[string]any
	one *exchange
}

// id is what a descriptor is known by, under either of its names.
func (t *atdfTool) id() string {
	if id := text(t.m["tool_id"]); id != "" {
		return id
	}
	return text(t.m["id"])
}

func recordATDF(a *asker, r *recording) {
	t := &atdfTalk{health: a.get("/health", nil), list: a.get("/tools", nil), unknown: a.get("/tools/no_such_tool", nil)}
	r.atdf = t
	for _, want := range a.options.Invoke {
		r.unknown = append(r.unknown, want.Tool+" that can be called: the profile has no route for it")
	}
	for i, d := range array(t.list.object()["tools"]) {
		tool := &atdfTool{at: at("tools", i), m: object(d)}
		switch t.tools = append(t.tools, tool); {
		case tool.id() == "":
		case i < mostTools:
			tool.one = a.get("/tools/"+url.PathEscape(tool.id()), nil)
		default:
			r.unasked++
		}
	}
}

// atdfRows are ATDF 0.1 and 0.2, whose descriptors say 1.x and 2.x of
// themselves, and the server profile 1. The text has no key words of RFC 2119.
var atdfRows = []Clause{
	{ID: "atdf-structure", Level: Must, Section: "Specification", Gist: "a descriptor has the required members: description and when_to_use, as texts", check: atdfTexts},
	{ID: "atdf-id", Level: Must, Section: "Structure", Plain: true, Gist: "a descriptor has tool_id or id, not both, and no other has the same", check: atdfID},
	{ID: "atdf-inputs", Level: Must, Section: "Structure", Plain: true, Gist: "how_to_use has inputs with names and types", check: atdfInputs},
	{ID: "atdf-outputs", Level: Must, Section: "Structure", Plain: true, Gist: "how_to_use has outputs: a text for success, codes and descriptions of failures", check: atdfOutputs},
	{ID: "atdf-schema", Level: Must, Section: "JSON Schema", Gist: "descriptors fit the schema: one of version 1.x has no members but those of the text", check: atdfClosed},
	{ID: "atdf-function", Level: Must, Section: "Rules and Considerations", Gist: "descriptions tell what a tool does, not how it is made", Unchecked: ofTaste},
	{ID: "atdf-concise", Level: Should, Section: "Rules and Considerations", Gist: "description and when_to_use are concise", Unchecked: ofTaste},
	{ID: "atdf-localization", Level: Must, Section: "Version 0.2.0", Plain: true, Gist: "each language of localization has description and when_to_use", check: atdfLocalization},
	{ID: "atdf-examples", Level: Must, Section: "Version 0.2.0", Plain: true, Gist: "examples are as the schema has them: goal, input_values and expected_result", check: atdfExamples},
	{ID: "atdf-profile-health", Level: Must, Section: "Server Profile", Plain: true, Gist: "GET /health says status, uptime_seconds and version", check: atdfHealth},
	{ID: "atdf-profile-list", Level: Must, Section: "Server Profile", Plain: true, Gist: "GET /tools answers with the array tools", check: atdfList},
	{ID: "atdf-profile-tool", Level: Must, Section: "Server Profile", Plain: true, Gist: "GET /tools/{tool_id} answers with the descriptor of the list", check: atdfOne},
	{ID: "atdf-profile-unknown", Level: Must, Section: "Server Profile", Plain: true, Gist: "an unknown tool is answered with 404 and the code tool_not_found", check: atdfUnknown},
	{ID: "atdf-profile-error", Level: Must, Section: "Server Profile", Plain: true, Gist: "errors are documents of error_atdf, which has no other members", check: atdfError},
	{ID: "atdf-profile-others", Level: May, Section: "Server Profile", Plain: true, Gist: "GET /metrics, POST /tools/validate, /convert/mcp and /search are served",
		Unchecked: "servers choose whether they have them"},
}

func atdfTexts(r *recording, l *look) {
	for _, t := range r.atdf.tools {
		l.saw("descriptor")
		for _, name := range []string{"description", "when_to_use"} {
			if strings.TrimSpace(text(t.m[name])) == "" {
				l.fail("%s: %s is not a text", t.at, name)
			}
		}
	}
}

func atdfID(r *recording, l *look) {
	var ids []string
	for _, t := range r.atdf.tools {
		l.saw("descriptor")
		_, long := t.m["tool_id"]
		if _, short := t.m["id"]; long == short || t.id() == "" {
			l.fail("%s does not have one of tool_id and id", t.at)
		}
		ids = append(ids, t.id())
	}
	l.repeats("the list", "the id", ids)
}

func atdfInputs(r *recording, l *look) {
	for _, t := range r.atdf.tools {
		l.saw("descriptor")
		how := object(t.m["how_to_use"])
		l.lacks(t.at+": how_to_use", how, []member{{name: "inputs", kind: "array"}})
		for i, in := range array(how["inputs"]) {
			l.lacks(t.at+"."+at("inputs", i), object(in), []member{
				{name: "name", kind: "string"}, {name: "type", kind: "string"}, {name: "description", kind: "string", optional: true},
			})
		}
	}
}

func atdfOutputs(r *recording, l *look) {
	for _, t := range r.atdf.tools {
		l.saw("descriptor")
		outputs := object(object(t.m["how_to_use"])["outputs"])
		if text(outputs["success"]) == "" {
			l.fail("%s: outputs.success is not a text", t.at)
		}
		l.lacks(t.at+": outputs", outputs, []member{{name: "failure", kind: "array"}})
		for i, f := range array(outputs["failure"]) {
			l.lacks(t.at+"."+at("failure", i), object(f), []member{{name: "code", kind: "string"}, {name: "description", kind: "string"}})
		}
	}
}

// only fails where an object has other members than these.
func (l *look) only(at string, m map[string]any, names ...string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(names, name) {
			l.fail("%s has %s, which the schema does not allow", at, quoted(name))
		}
	}
}

func atdfClosed(r *recording, l *look) {
	for _, t := range r.atdf.tools {
		l.saw("descriptor")
		how := object(t.m["how_to_use"])
		outputs := object(how["outputs"])
		v, there := t.m["schema_version"]
		if there && kindOf(v) != "string" {
			l.fail("%s: schema_version is not a text", t.at)
		}
		if !strings.HasPrefix(text(v), "1.") {
			continue
		}
		l.only(t.at, t.m, "schema_version", "tool_id", "id", "description", "when_to_use", "how_to_use")
		l.only(t.at+": how_to_use", how, "inputs", "outputs")
		l.only(t.at+": outputs", outputs, "success", "failure")
		for i, in := range array(how["inputs"]) {
			l.only(t.at+"."+at("inputs", i), object(in), "name", "type", "description")
		}
	}
}

var language = regexp.MustCompile(`^[a-z]{2}(-[A-Z]{2})?$`)

func atdfLocalization(r *recording, l *look) {
	l.skip("there is no localization")
	for _, t := range r.atdf.tools {
		languages := object(t.m["localization"])
		for _, word := range slices.Sorted(maps.Keys(languages)) {
			l.saw("language")
			if !language.MatchString(word) {
				l.fail("%s: %s is not a language", t.at, quoted(word))
			}
			l.lacks(t.at+"."+word, object(languages[word]), []member{{name: "description", kind: "string"}, {name: "when_to_use", kind: "string"}})
		}
	}
}

func atdfExamples(r *recording, l *look) {
	l.skip("there are no examples")
	for _, t := range r.atdf.tools {
		for i, e := range array(t.m["examples"]) {
			l.saw("example")
			l.lacks(t.at+"."+at("examples", i), object(e), []member{
				{name: "goal", kind: "string"}, {name: "input_values", kind: "object"}, {name: "expected_result", kind: "string"},
			})
		}
	}
}

func atdfHealth(r *recording, l *look) {
	l.saw("answer")
	x := r.atdf.health
	if x.status != http.StatusOK && x.status != http.StatusServiceUnavailable {
		l.fail("%s", x.told())
		return
	}
	l.lacks(x.key, x.object(), []member{{name: "status", kind: "string"}, {name: "uptime_seconds", kind: "integer"}, {name: "version", kind: "string"}})
}

func atdfList(r *recording, l *look) {
	l.saw("list")
	x := r.atdf.list
	if _, is := x.object()["tools"].([]any); !x.ok() {
		l.fail("%s", x.told())
	} else if !is {
		l.fail("tools is not an array")
	}
}

func atdfOne(r *recording, l *look) {
	for _, t := range r.atdf.tools {
		if t.one == nil {
			continue
		}
		l.saw("tool")
		if !t.one.ok() {
			l.fail("%s", t.one.told())
		} else if name := differsIn(t.m, t.one.object()); name != "" {
			l.fail("%s and the list have another %s", t.one.key, name)
		}
	}
}

func atdfUnknown(r *recording, l *look) {
	l.saw("answer")
	x := r.atdf.unknown
	errors := array(x.object()["errors"])
	switch {
	case x.status != http.StatusNotFound:
		l.fail("%s", x.told())
	case len(errors) > 0 && object(errors[0])["code"] != "tool_not_found":
		l.fail("the code is %s", quoted(object(errors[0])["code"]))
	}
}

func atdfError(r *recording, l *look) {
	x := r.atdf.unknown
	if x.status < http.StatusBadRequest {
		l.skip("no error was seen")
		return
	}
	l.saw("error")
	l.only("the error", x.object(), "status", "errors", "meta")
	if len(array(x.object()["errors"])) == 0 {
		l.fail("there are no errors in it")
	}
	for i, e := range array(x.object()["errors"]) {
		m := object(e)
		l.lacks(at("errors", i), m, []member{
			{name: "type", kind: "string"}, {name: "title", kind: "string"}, {name: "detail", kind: "string"}, {name: "instance", kind: "string"},
			{name: "tool_name", kind: "string"}, {name: "code", kind: "string", optional: true},
		})
		if v := m["suggested_value"]; v != nil && kindOf(v) != "string" {
			l.fail("%s: suggested_value is %s", at("errors", i), quoted(v))
		}
		l.only(at("errors", i), m, "type", "title", "detail", "instance", "tool_name", "parameter_name", "suggested_value", "context", "code")
	}
}
