package conform

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

func atipAgent(r *recording, l *look) {
	l.saw("answer")
	x := r.atip.whole
	switch {
	case x.err != nil:
		l.fail("%s", x.told())
	case x.object() == nil && object(parse([]byte(x.talk))) == nil:
		l.fail("--agent gives no JSON object")
	}
}

func atipEffects(r *recording, l *look) {
	for _, x := range []*exchange{r.atip.whole, r.atip.depth, r.atip.commands} {
		if x == nil {
			continue
		}
		l.saw("run")
		if len(x.left) > 0 {
			l.fail("%s makes %s", x.key, strings.Join(x.left, ", "))
		}
	}
}

func atipJSON(r *recording, l *look) {
	x := r.atip.whole
	if len(bytes.TrimSpace(x.body)) == 0 {
		l.skip("nothing is on stdout")
		return
	}
	l.saw("answer")
	if x.doc == nil || !utf8.Valid(x.body) {
		l.fail("stdout is not JSON in UTF-8, and nothing else")
	}
}

func atipExit(r *recording, l *look) {
	for _, x := range []*exchange{r.atip.whole, r.atip.depth, r.atip.commands} {
		if x == nil || x.err != nil {
			continue
		}
		l.saw("run")
		if x.status != 0 {
			l.fail("%s ends with %d", x.key, x.status)
		}
	}
}

func atipStdout(r *recording, l *look) {
	l.saw("answer")
	if x := r.atip.whole; object(parse([]byte(x.talk))) != nil {
		l.fail("it is on stderr")
	}
}

// manyCommands is from where a description is long.
const manyCommands = 30

func atipPartial(r *recording, l *look) {
	t := r.atip
	features := array(object(t.whole.object()["atip"])["features"])
	if !slices.Contains(features, any("partial-discovery")) && len(t.all()) < manyCommands {
		l.skip("there are few commands, and no feature partial-discovery")
		return
	}
	for _, x := range []*exchange{t.depth, t.commands} {
		if x == nil {
			continue
		}
		l.saw("description")
		if x.object() == nil {
			l.fail("%s gives no JSON object", x.key)
		}
	}
	if given := object(t.commands.object()["commands"]); given != nil && (given[t.asked] == nil || len(given) != 1) {
		l.fail("%s does not describe that command alone", t.commands.key)
	}
	for name, c := range object(t.depth.object()["commands"]) {
		if len(object(object(c)["commands"])) > 0 {
			l.fail("%s describes commands below %s", t.depth.key, name)
		}
	}
}

// atipSaid looks at a description that has fewer commands than the whole.
func atipSaid(r *recording, l *look) {
	l.skip("no description is partial")
	whole := len(object(r.atip.whole.object()["commands"]))
	x := r.atip.commands
	if m := x.object(); m != nil && len(object(m["commands"])) < whole {
		l.saw("partial description")
		l.lacks(x.key, m, []member{
			{name: "partial", kind: "boolean"}, {name: "filter", kind: "object"}, {name: "totalCommands", kind: "integer"}, {name: "includedCommands", kind: "integer"},
			{name: "omitted", kind: "object"},
		})
		reasons, assumptions := []string{"filtered", "depth-limited", "size-limited", "deprecated"}, []string{"unknown", "known-safe", "known-unsafe", "same-as-included"}
		if omitted := object(m["omitted"]); omitted != nil {
			l.oneOf(x.key+": omitted", omitted, "reason", reasons)
			l.oneOf(x.key+": omitted", omitted, "safetyAssumption", assumptions)
		}
	}
}

// oneOf fails where a member is there and is not one of some words.
func (l *look) oneOf(at string, m map[string]any, name string, words []string) {
	if v, there := m[name]; there && !slices.Contains(words, text(v)) {
		l.fail("%s: %s is %s", at, name, quoted(v))
	}
}

// root is the description; what is missing is told by other clauses.
func (t *atipTalk) root(l *look) map[string]any {
	m := t.whole.object()
	if m != nil {
		l.saw("description")
	}
	return m
}

func atipRoot(r *recording, l *look) {
	if m := r.atip.root(l); m != nil {
		l.lacks("the root", m, []member{
			{name: "atip"}, {name: "name", kind: "string"}, {name: "version", kind: "string"}, {name: "description", kind: "string"},
			{name: "homepage", kind: "string", optional: true}, {name: "commands", kind: "object", optional: true}, {name: "globalOptions", kind: "array", optional: true},
			{name: "authentication", kind: "object", optional: true}, {name: "effects", kind: "object", optional: true}, {name: "patterns", kind: "array", optional: true},
		})
	}
}

func atipName(r *recording, l *look) {
	if m := r.atip.root(l); m != nil && m["name"] != nil && m["name"] != r.atip.file {
		l.fail("the name is %s, the program is %s", quoted(m["name"]), r.atip.file)
	}
}

func atipShort(r *recording, l *look) {
	n := utf8.RuneCountInString(text(r.atip.root(l)["description"]))
	if l.note = fmt.Sprintf("it has %d", n); n > 200 {
		l.fail("it has %d", n)
	}
}

var atipNumber = regexp.MustCompile(`^[0-9]+\.[0-9]+(\.[0-9]+)?$`)

func atipVersion(r *recording, l *look) {
	v, there := r.atip.root(l)["atip"]
	said := text(v)
	if m := object(v); m != nil {
		said = text(m["version"])
		l.lacks("atip", m, []member{{name: "features", kind: "array", optional: true}, {name: "minAgentVersion", kind: "string", optional: true}})
	}
	if l.note = said; there && !atipNumber.MatchString(said) {
		l.fail("atip is %s", quoted(v))
	}
}

func atipTrust(r *recording, l *look) {
	l.skip("there is no trust")
	if trust := object(r.atip.whole.object()["trust"]); trust != nil {
		l.saw("trust")
		l.oneOf("trust", trust, "source", []string{"native", "vendor", "org", "community", "user", "inferred"})
		l.lacks("trust", trust, []member{{name: "verified", kind: "boolean", optional: true}})
	}
}

func atipCommands(r *recording, l *look) {
	l.skip("there are no commands")
	for _, c := range r.atip.all() {
		l.saw("command")
		l.lacks(c.at, c.m, []member{{name: "description", kind: "string"}})
	}
}

func atipArguments(r *recording, l *look) {
	l.skip("there are no arguments")
	for _, a := range r.atip.members("arguments", "") {
		l.saw("argument")
		l.lacks(a.at, a.m, []member{
			{name: "name", kind: "string"}, {name: "type", kind: "string"}, {name: "description", kind: "string"},
			{name: "required", kind: "boolean", optional: true}, {name: "variadic", kind: "boolean", optional: true},
		})
	}
}

func atipOptions(r *recording, l *look) {
	l.skip("there are no options")
	for _, o := range r.atip.members("options", "globalOptions") {
		l.saw("option")
		l.lacks(o.at, o.m, []member{
			{name: "name", kind: "string"}, {name: "flags", kind: "array"}, {name: "type", kind: "string"}, {name: "description", kind: "string"},
			{name: "required", kind: "boolean", optional: true}, {name: "envVar", kind: "string", optional: true},
		})
		flags := array(o.m["flags"])
		if o.m["flags"] != nil && (len(flags) == 0 || slices.ContainsFunc(flags, func(f any) bool { return !strings.HasPrefix(text(f), "-") })) {
			l.fail("%s: flags are %s", o.at, quoted(o.m["flags"]))
		}
	}
}

func atipEffectKinds(r *recording, l *look) {
	l.skip("no effects are said")
	for _, c := range append(r.atip.all(), entry{"the root", r.atip.whole.object()}) {
		v, there := c.m["effects"]
		if !there {
			continue
		}
		l.saw("command")
		effects, at := object(v), c.at+": effects"
		if effects == nil {
			l.fail("%s are not an object", at)
		}
		truths := func(names ...string) (list []member) {
			for _, name := range names {
				list = append(list, member{name: name, kind: "boolean", optional: true})
			}
			return list
		}
		interactive, cost := object(effects["interactive"]), object(effects["cost"])
		l.lacks(at, effects, truths("network", "subprocess", "idempotent", "reversible", "destructive"))
		l.lacks(at+".filesystem", object(effects["filesystem"]), truths("read", "write", "delete"))
		l.lacks(at+".interactive", interactive, truths("prompts", "tty"))
		l.lacks(at+".cost", cost, truths("billable"))
		l.oneOf(at+".interactive", interactive, "stdin", []string{"none", "optional", "required", "password"})
		l.oneOf(at+".cost", cost, "estimate", []string{"free", "low", "medium", "high"})
	}
}

func atipTypes(r *recording, l *look) {
	l.skip("there are no arguments and options")
	known := []string{"string", "integer", "number", "boolean", "file", "directory", "url", "enum", "array"}
	for _, p := range append(r.atip.members("arguments", ""), r.atip.members("options", "globalOptions")...) {
		l.saw("type")
		l.oneOf(p.at, p.m, "type", known)
		if p.m["type"] == "enum" && len(array(p.m["enum"])) == 0 {
			l.fail("%s: the enum has no values", p.at)
		}
	}
}

func atipPatterns(r *recording, l *look) {
	l.skip("there are no patterns")
	for i, p := range array(r.atip.whole.object()["patterns"]) {
		l.saw("pattern")
		l.lacks(at("patterns", i), object(p), []member{
			{name: "name", kind: "string"}, {name: "description", kind: "string"}, {name: "steps", kind: "array"}, {name: "executable", kind: "boolean", optional: true},
		})
	}
}

// atipMembers are those of the standard, of the root and of commands.
var atipMembers = map[bool][]string{
	true: {"atip", "name", "version", "description", "homepage", "trust", "commands", "globalOptions", "authentication", "effects", "patterns",
		"partial", "filter", "totalCommands", "includedCommands", "omitted", "binary"},
	false: {"description", "commands", "arguments", "options", "effects", "examples", "authentication", "deprecated", "aliases"},
}

// atipPrefix: _ and $ are reserved for debugging and schemas.
func atipPrefix(r *recording, l *look) {
	foreign := func(at string, m map[string]any, isRoot bool) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !slices.Contains(atipMembers[isRoot], name) && !strings.HasPrefix(name, "x-") && name[:min(1, len(name))] != "_" && name[:min(1, len(name))] != "$" {
				l.fail("%s has %s", at, quoted(name))
			}
		}
	}
	foreign("the root", r.atip.root(l), true)
	for _, c := range r.atip.all() {
		foreign(c.at, c.m, false)
	}
}
