package spec

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// mended is what a document is after an overlay, as JSON, with what was found.
func mended(t *testing.T, file, document, text string) (string, diag.List) {
	t.Helper()
	l := &loader{reader: newReader(fstest.MapFS{file: {Data: []byte(document)}}), file: file}
	if _, doc := l.open(file); doc.err != nil {
		t.Fatal(doc.err)
	} else {
		l.root = doc.root
	}
	l.overlays([]Overlay{{File: "mend.overlay.yaml", Data: []byte(text), Span: diag.Span{File: "sculpt.yaml"}}})
	return written(l.root), l.findings
}

// written writes a tree as JSON without blanks.
func written(n *node) string {
	var b strings.Builder
	switch n.kind {
	case objectNode:
		b.WriteByte('{')
		for i := range n.kids() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(append(appendString(nil, n.kids()[i].name), ':'))
			b.WriteString(written(&n.kids()[i]))
		}
		b.WriteByte('}')
	case arrayNode:
		b.WriteByte('[')
		for i := range n.kids() {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(written(&n.kids()[i]))
		}
		b.WriteByte(']')
	case stringNode:
		b.Write(appendString(nil, n.text))
	case nullNode:
		b.WriteString("null")
	default:
		b.WriteString(n.text)
	}
	return b.String()
}

// TestOverlay has what the specification says of each kind of action, version
// by version.
func TestOverlay(t *testing.T) {
	const document = `{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[{"name":"p"},{"name":"q"}]}},"/y":{"get":{"parameters":[{"name":"q"}]}}}}`
	of := func(minor, actions string) string {
		return "overlay: 1." + minor + ".0\ninfo: {title: Mend, version: '1'}\nactions:\n" + actions
	}
	for name, c := range map[string]struct{ minor, actions, want, finding string }{
		"merge": {"0", "- {target: $.info, update: {title: U, new: {deep: [1]}}}",
			`{"info":{"title":"U","tags":["a"],"new":{"deep":[1]}},PATHS}`, ""},
		"the root": {"0", "- {target: $, update: {info: {title: R}, servers: [{url: 'https://a'}]}}",
			`{"info":{"title":"R","tags":["a"]},PATHS,"servers":[{"url":"https://a"}]}`, ""},
		"lists within are joined": {"0", "- {target: $.info, update: {tags: [b, c]}}", `{"info":{"title":"T","tags":["a","b","c"]},PATHS}`, ""},
		"an element":              {"0", "- {target: $.info.tags, update: b}", `{"info":{"title":"T","tags":["a","b"]},PATHS}`, ""},
		"an element that is an object": {"0", "- {target: '$.paths[\"/y\"].get.parameters', update: {name: r}}",
			`{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[{"name":"p"},{"name":"q"}]}},"/y":{"get":{"parameters":[{"name":"q"},{"name":"r"}]}}}}`, ""},
		"a list": {"1", "- {target: $.info.tags, update: [b, c]}", `{"info":{"title":"T","tags":["a","b","c"]},PATHS}`, ""},
		"many": {"0", "- {target: '$.paths.*.get', update: {safe: true}}",
			`{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[{"name":"p"},{"name":"q"}],"safe":true}},"/y":{"get":{"parameters":[{"name":"q"}],"safe":true}}}}`, ""},
		"nested targets": {"0", "- {target: '$..[?@.name || @.parameters]', update: {seen: 1}}",
			`{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[{"name":"p","seen":1},{"name":"q","seen":1}],"seen":1}},"/y":{"get":{"parameters":[{"name":"q","seen":1}],"seen":1}}}}`, ""},
		"each has its own copy": {"0", "- {target: '$.paths.*.get', update: {x: {a: []}}}\n- {target: '$.paths[\"/x\"].get.x.a', update: 1}",
			`{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[{"name":"p"},{"name":"q"}],"x":{"a":[1]}}},"/y":{"get":{"parameters":[{"name":"q"}],"x":{"a":[]}}}}}`, ""},
		"remove elements": {"0", "- {target: \"$..parameters[?@.name=='q']\", remove: true}",
			`{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[{"name":"p"}]}},"/y":{"get":{"parameters":[]}}}}`, ""},
		"remove all elements": {"0", "- {target: '$..parameters[*]', remove: true}",
			`{"info":{"title":"T","tags":["a"]},"paths":{"/x":{"get":{"parameters":[]}},"/y":{"get":{"parameters":[]}}}}`, ""},
		"remove what is in what is removed": {"0", "- {target: '$.paths..*', remove: true}", "", "the target selects a string"},
		"remove nested":                     {"1", "- {target: '$.paths..*', remove: true}", `{"info":{"title":"T","tags":["a"]},"paths":{}}`, ""},
		"remove counts more than update":    {"0", "- {target: $.info, update: {title: U}, remove: true}", `{PATHS}`, ""},
		"remove and write anew":             {"0", "- {target: $.info.tags, remove: true}\n- {target: $.info, update: {tags: [z]}}", `{"info":{"title":"T","tags":["z"]},PATHS}`, ""},
		"remove: false":                     {"0", "- {target: $.info, update: {title: U}, remove: false}", `{"info":{"title":"U","tags":["a"]},PATHS}`, ""},
		"a primitive":                       {"1", "- {target: $.info.title, update: U}", `{"info":{"title":"U","tags":["a"]},PATHS}`, ""},
		"remove a primitive":                {"1", "- {target: '$.info.tags[0]', remove: true}\n- {target: $.info.title, remove: true}", `{"info":{"tags":[]},PATHS}`, ""},
		"copy":                              {"1", "- {target: $.info, copy: '$.paths[\"/y\"].get'}", `{"info":{"title":"T","tags":["a"],"parameters":[{"name":"q"}]},PATHS}`, ""},
		"copy into itself":                  {"1", "- {target: $.info, update: {info: {}}}\n- {target: $.info.info, copy: $.info}", `{"info":{"title":"T","tags":["a"],"info":{"title":"T","tags":["a"],"info":{}}},PATHS}`, ""},
		"nothing selected":                  {"0", "- {target: $.nothing, remove: true}", `{"info":{"title":"T","tags":["a"]},PATHS}`, "warning mend.overlay.yaml:4:12: the target selects nothing in \"api.json\""},

		"a primitive in 1.0":   {"0", "- {target: $.info.title, update: U}", "", "mend.overlay.yaml:4:12: the target selects a string, which overlays of version 1.0 cannot"},
		"copy in 1.0":          {"0", "- {target: $.info, copy: $.paths}", "", "mend.overlay.yaml:4:20: overlays of version 1.0 cannot copy"},
		"copy of many":         {"1", "- {target: $.info, copy: '$.paths.*'}", "", "the query of copy: selects 2 values"},
		"a text for an object": {"0", "- {target: $.info, update: U}", "", "mend.overlay.yaml:4:28: the target selects an object, and the update is a string"},
		"the whole":            {"0", "- {target: $, remove: true}", "", "the whole document cannot be removed"},
		"no path":              {"0", "- {target: '$.paths[/x]', remove: true}", "", "mend.overlay.yaml:4:21: expected a name in quotes, an index, *, or ? and a condition"},
		"no target":            {"0", "- {update: {}}", "", "mend.overlay.yaml:4:3: the action has no target"},
		"nothing to do":        {"0", "- {target: $.info}", "", "the action says nothing to do"},
		"a slip":               {"0", "- {taget: $.info, remove: true}", "", `mend.overlay.yaml:4:4: overlays have no key "taget", did you mean "target"?`},
		"no action":            {"0", "- x", "", "an action is an object"},
		"a key twice":          {"0", "- {target: $.info, target: $.paths, remove: true}", "", `"target"`},
	} {
		got, findings := mended(t, "api.json", document, of(c.minor, c.actions))
		said := ""
		for _, f := range findings {
			level := ""
			if f.Severity != diag.Error {
				level = f.Severity.String() + " "
			}
			said += level + f.Span.String() + ": " + f.Message
		}
		want := strings.Replace(c.want, "PATHS", document[strings.Index(document, `"paths"`):len(document)-1], 1)
		if c.want != "" && got != want || !strings.Contains(said, c.finding) || (c.finding == "") != (said == "") {
			t.Errorf("%s:\n got %s\nwant %s\nsaid %s", name, got, want, said)
		}
	}
}

// What is no overlay is said at its place.
func TestOverlayHead(t *testing.T) {
	for text, want := range map[string]string{
		"- a":                         `the file has no "overlay" version at its top`,
		"openapi: 3.0.0":              `the file has no "overlay" version at its top`,
		"overlay: 2.0.0\nactions: []": `overlays of version "2.0.0" are not known`,
		"overlay: 1.0.0\ninfo: {}":    "the overlay has no actions",
		"overlay: 1.0.0\nactions: []": "the overlay has no actions",
		"overlay: 1.0.0\naction: []":  `overlays have no key "action", did you mean "actions"?`,
		"overlay: [":                  "invalid YAML",
		"":                            "the document is empty",
		"overlay: 1.0.0\nextends: other.json\nactions: [{target: $.info, remove: true}]": `the overlay extends "other.json", and "api.json" is what it is applied to`,
	} {
		_, findings := mended(t, "api.json", `{"info":{}}`, text)
		if len(findings) == 0 || !strings.Contains(findings[0].Message, want) {
			t.Errorf("%q: %v, want %s", text, findings, want)
		}
	}
	if _, findings := mended(t, "api.json", `{"info":{}}`, "overlay: 1.0.0\nextends: ./api.json\nx-a: 1\nactions: [{target: $.info, remove: true, x-b: 1}]"); len(findings) > 0 {
		t.Error(findings)
	}
}

// A value that an alias of YAML shares changes in one place alone.
func TestOverlayAlias(t *testing.T) {
	got, findings := mended(t, "api.yaml", "a: &a {list: [1]}\nb: *a\n", "overlay: 1.0.0\nactions: [{target: $.b.list, update: 2}]")
	if want := `{"a":{"list":[1]},"b":{"list":[1,2]}}`; got != want || len(findings) > 0 {
		t.Errorf("%s %v, want %s", got, findings, want)
	}
}

// An overlay cannot make a document endless.
func TestOverlayBounds(t *testing.T) {
	deep := strings.Repeat("- {target: $.a, copy: $}\n", 300)
	if _, findings := mended(t, "api.json", `{"a":{}}`, "overlay: 1.1.0\nactions:\n"+deep); !findings.HasErrors() || !strings.Contains(findings[0].Message, "nested deeper than 200 levels") && !strings.Contains(findings[0].Message, "add more than") {
		t.Errorf("%v", findings)
	}
	wide := strings.Repeat("- {target: '$.a', copy: $.a}\n", 40)
	if _, findings := mended(t, "api.json", `{"a":[0,1,2]}`, "overlay: 1.1.0\nactions:\n"+wide); !findings.HasErrors() || !strings.Contains(findings[0].Message, "add more than 1000000 values") {
		t.Errorf("%v", findings)
	}
}

// An overlay takes from the document of the weather service what a copyist put
// there, and nothing else: what is left is the clean one, value for value.
func TestOverlayWeather(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(golden.Shared(t, "openapi", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	got, findings := mended(t, "api.yaml", read("nws-3.8.1.yaml"), `overlay: 1.1.0
info: {title: What the copyist added, version: '1'}
actions:
- {target: "$.info['x-last-validated']", remove: true}
- {target: "$.paths.*.*['x-microcks-operation','summary']", remove: true}
- {target: '$..parameters[*].example', remove: true}
- {target: '$.paths.*[?length(@.parameters) == 0].parameters', remove: true}
`)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	mine, err := jsonTree(0, read("nws-3.8.1-clean.json"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := jsonTree(0, got)
	if err != nil {
		t.Fatal(err)
	}
	if !sameNode(mine, theirs) {
		t.Error("the mended document is not the clean one")
	}
}
