package export

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Program is the command line that serves a group of tools.
type Program struct {
	Face
	// Name is the name of the executable: a package name.
	Name string
	// Variables configure it.
	Variables []Variable
	// Caller says that a service gets the credential of the caller.
	Caller bool
	// CommandLine is what the manifest says of it, nil for nothing.
	CommandLine *signature.CommandLine
}

// A Variable is an environment variable that a program reads.
type Variable struct {
	Name, Description string
	// Required says that no tool works without.
	Required bool
	// Method of a secret is token, oauth, api-key, password or certificate
	// (ATIP 3.8); "" for what is none.
	Method string
}

// ATIP renders the description of the command line of the tools in their
// newest versions (ATIP 0.6). The run time reads its commands and flags from
// this document, so both are always the same. What the format has no place for
// and the run time needs stands in keys that begin with x-:
//
//	x-tool       of a command that is not named after its tool: the tool
//	x-deprecated of a command whose tool is to end
//	x-negates    of an option that says no to another: that option
//	x-caller     the variables that say who calls
//	x-variables  the other variables
//
// Signatures that Documents refuses are not checked again here.
func ATIP(p Program, sigs []*signature.Signature) File {
	name := signature.CommandWord(p.Name)
	var tools []tool
	version := 0
	for _, t := range sorted(sigs) {
		if t.Version == t.current {
			tools, version = append(tools, atipColumn.told(t)), max(version, t.Version)
		}
	}
	commands := object{}
	for _, t := range tools {
		key := signature.CommandOf(t.Name)
		commands = commands.with(key, atipCommand(t, name, key))
	}
	said := cmp.Or(p.CommandLine, &signature.CommandLine{})
	features := array{"partial-discovery", "interactive-effects", "trust-v1"}
	if said.Patterns != nil {
		features = append(features, "patterns-v1")
	}
	doc := object{
		{"atip", object{{"version", "0.6"}, {"features", features}}},
		{"name", name}, {"version", strconv.Itoa(version) + ".0.0"}, {"description", p.about()},
	}
	if page := homepage(tools); page != "" {
		doc = doc.with("homepage", page)
	}
	doc = doc.with("trust", object{{"source", "native"}, {"verified", true}}).with("commands", commands).with("globalOptions", array{object{
		{"name", "help"}, {"flags", array{"-h", "--help"}}, {"type", "boolean"}, {"description", "Show the help text"},
	}})
	values := callerValues(p, tools)
	if auth := atipAuthentication(p, values, tools); auth != nil {
		doc = doc.with("authentication", auth)
	}
	if said.Patterns != nil {
		doc = doc.with("patterns", atipPatterns(said.Patterns))
	}
	if plain := plainVariables(p); plain != nil {
		doc = doc.with("x-variables", plain)
	}
	if values != nil {
		var list array
		for _, v := range values {
			list = append(list, object{{"kind", v.kind}, {"id", v.id}, {"envVar", v.env}})
		}
		doc = doc.with("x-caller", list)
	}
	return File{"atip/atip.json", indentedJSON(doc)}
}

// about is the description that the format wants.
func (f *Face) about() string {
	for _, text := range []string{f.Description, f.Title} {
		if text = strings.TrimSpace(text); text != "" {
			return clipped(text, 200)
		}
	}
	return "The tools of " + f.Toolkit + "."
}

// homepage is the page that the tools which name one agree on.
func homepage(tools []tool) string {
	page := ""
	for _, t := range tools {
		switch h := t.Notes.Homepage; {
		case h == "" || h == page:
		case page != "":
			return ""
		default:
			page = h
		}
	}
	return page
}

// unique holds the names that are taken.
type unique map[string]bool

// name takes a name, with the prefix before it as often as it takes.
func (u unique) name(name, prefix string) string {
	for u[name] {
		name = prefix + name
	}
	u[name] = true
	return name
}

func atipCommand(t tool, program, key string) object {
	o := object{{"description", t.Description}}
	options := atipOptions(t.Inputs)
	flags := options.value()
	if !t.Effects.ReadOnly || t.Effects.Billable {
		flags = append(flags, namesCall(options))
	}
	if flags != nil {
		o = o.with("options", flags)
	}
	o = o.with("effects", atipEffects(t.Signature))
	var examples array
	for _, e := range t.Examples {
		examples = append(examples, shellLine(program, key, options, e))
	}
	if examples != nil {
		o = o.with("examples", examples)
	}
	if key != signature.CommandWord(t.Name) {
		o = o.with("x-tool", t.Name)
	}
	if isDeprecated(t.Signature) {
		o = o.with("x-deprecated", true)
	}
	return o
}

// namesCall is the option that names a call which must not be made twice.
func namesCall(list options) object {
	names := unique{}
	for _, o := range list {
		names[o.in.Name] = true
	}
	return object{
		{"name", names.name("idempotency_key", "call_")}, {"flags", array{"--" + signature.KeyFlag}}, {"type", "string"},
		{"description", "Names the call, so that the services behind it can tell a repeated call from a second one. Give it for a call that you may repeat, and the same again."},
		{"required", false}, {"x-names-call", true},
	}
}

// An option is a flag of a command.
type option struct {
	in   signature.Input
	flag string
	// negates says that the flag means false.
	negates bool
}

type options []option

// atipOptions gives every input its flags.
func atipOptions(inputs []signature.Input) options {
	var list, negating options
	flags := signature.FlagsOf(inputs)
	for i, in := range inputs {
		list = append(list, option{in: in, flag: flags[i].Name})
		if flags[i].Negating != "" {
			negating = append(negating, option{in, flags[i].Negating, true})
		}
	}
	return append(list, negating...)
}

func (list options) value() array {
	names := unique{}
	for _, o := range list {
		names[o.in.Name] = true
	}
	var a array
	for _, o := range list {
		in := o.in
		if o.negates {
			a = append(a, object{
				{"name", names.name("no_"+in.Name, "no_")}, {"flags", array{"--" + o.flag}}, {"type", "boolean"},
				{"description", "Sets " + in.Name + " to false."}, {"required", false}, {"x-negates", in.Name},
			})
			continue
		}
		// The flag of a boolean that is not there means no.
		implied := in.Type == signature.Boolean && in.Required
		m := object{{"name", in.Name}, {"flags", array{"--" + o.flag}}, {"type", atipTypes[in.Type]}}
		if in.Type == signature.Enum {
			m = m.with("enum", valueNames(in.Values))
		}
		m = m.with("description", in.Description).with("required", in.Required && !implied)
		switch {
		case implied:
			m = m.with("default", false)
		case in.Default != nil:
			m = m.with("default", in.Default)
		}
		a = append(a, m)
	}
	return a
}

var atipTypes = map[signature.Type]string{
	signature.String: "string", signature.Int: "integer", signature.Boolean: "boolean", signature.Enum: "enum",
}

// atipEffects says what a call does to the machine, which is nothing, and to
// the rest of the world.
func atipEffects(s *signature.Signature) object {
	e, n := s.Effects, &s.Notes
	o := object{
		{"filesystem", object{{"read", false}, {"write", false}, {"delete", false}}},
		{"network", true}, {"subprocess", false},
		{"idempotent", e.Idempotent}, {"reversible", e.Reversible}, {"destructive", e.Destructive},
	}
	for _, list := range []struct {
		key   string
		kinds []string
	}{{"creates", n.Creates}, {"modifies", n.Modifies}, {"deletes", n.Deletes}} {
		if len(list.kinds) > 0 {
			o = o.with(list.key, texts(list.kinds))
		}
	}
	o = o.with("interactive", object{{"stdin", "none"}, {"prompts", false}, {"tty", false}})
	cost := object{{"billable", e.Billable}}
	if n.Cost != "" {
		cost = cost.with("estimate", n.Cost)
	}
	o = o.with("cost", cost)
	var duration object
	if n.Typical != "" {
		duration = duration.with("typical", n.Typical)
	}
	if n.Deadline > 0 {
		duration = duration.with("timeout", strconv.FormatInt(int64((n.Deadline+time.Second-1)/time.Second), 10)+"s")
	}
	if duration != nil {
		o = o.with("duration", duration)
	}
	return o
}

// shellLine is an example as somebody would type it.
func shellLine(program, key string, list options, e signature.Example) string {
	words := []string{program, key}
	for _, o := range list {
		v, given := e.Inputs[o.in.Name]
		switch v := v.(type) {
		case bool:
			if given && v != o.negates {
				words = append(words, "--"+o.flag)
			}
		case int64:
			words = append(words, "--"+o.flag, strconv.FormatInt(v, 10))
		case string:
			words = append(words, "--"+o.flag, shellWord(v))
		}
	}
	return strings.Join(words, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// shellWord quotes a text for POSIX shells.
func shellWord(s string) string {
	switch {
	case plainWord.MatchString(s):
		return s
	case !strings.ContainsAny(s, "\"$`\\!"):
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// A callerValue is what tools read of their caller, and the variable that
// holds it where the caller is who starts the program.
type callerValue struct {
	kind, id, env string
	tools         []string
}

// callerValues lists what the tools need of their caller.
func callerValues(p Program, tools []tool) []callerValue {
	var values []callerValue
	add := func(kind, id string, t tool) {
		at := slices.IndexFunc(values, func(v callerValue) bool { return v.kind == kind && v.id == id })
		if at < 0 {
			at, values = len(values), append(values, callerValue{kind: kind, id: id})
		}
		values[at].tools = append(values[at].tools, t.Name)
	}
	if p.Caller {
		values = append(values, callerValue{kind: "authorization"})
	}
	for _, t := range tools {
		if t.Needs.UserID {
			add("user_id", "", t)
		}
		for _, list := range []struct {
			kind string
			ids  []string
		}{{"secret", t.Needs.Secrets}, {"token", t.Needs.Tokens}, {"claim", t.Needs.Claims}} {
			for _, id := range list.ids {
				add(list.kind, id, t)
			}
		}
	}
	taken := unique{}
	for i := range values {
		v := &values[i]
		v.env = taken.name(strings.Trim(variable(p.Name+"_"+v.kind+"_"+v.id), "_"), "X_")
	}
	return values
}

var notVariable = regexp.MustCompile(`[^A-Z0-9]+`)

// variable is a text as part of the name of an environment variable.
func variable(text string) string {
	return notVariable.ReplaceAllString(strings.ToUpper(text), "_")
}

// callerMethods are the values of a caller that prove who it is.
var callerMethods = map[string]struct{ method, text string }{
	"authorization": {"token", "The header Authorization, such as Bearer and a token, that is passed on."},
	"secret":        {"api-key", "The secret %."},
	"token":         {"token", "The token of %."},
}

// atipAuthentication lists the variables that hold something secret, nil for
// none. It is required if no tool works without.
func atipAuthentication(p Program, values []callerValue, tools []tool) object {
	var methods array
	required := p.Caller
	for _, v := range p.Variables {
		if v.Method == "" {
			continue
		}
		m := object{{"type", v.Method}, {"envVar", v.Name}}
		if v.Description != "" {
			m = m.with("description", v.Description)
		}
		methods, required = append(methods, m), required || v.Required
	}
	for _, v := range values {
		if m, ok := callerMethods[v.kind]; ok {
			methods = append(methods, object{{"type", m.method}, {"envVar", v.env}, {"description", strings.ReplaceAll(m.text, "%", v.id)}})
			required = required || len(v.tools) == len(tools)
		}
	}
	said := cmp.Or(p.CommandLine, &signature.CommandLine{})
	switch {
	case said.Setup == "":
	case methods == nil:
		methods = array{object{{"type", "token"}, {"setupCommand", said.Setup}}}
	default:
		for i, m := range methods {
			methods[i] = m.(object).with("setupCommand", said.Setup)
		}
	}
	if methods == nil && said.Check == "" {
		return nil
	}
	o := object{{"required", required}, {"methods", slices.Concat(array{}, methods)}}
	if said.Check != "" {
		o = o.with("checkCommand", said.Check)
	}
	return o
}

// atipPatterns are the sequences of commands (ATIP 3.9).
func atipPatterns(patterns []signature.Pattern) array {
	var list array
	for _, p := range patterns {
		var steps array
		for _, s := range p.Steps {
			step := object{{"command", s.Command}}
			if s.Description != "" {
				step = step.with("description", s.Description)
			}
			steps = append(steps, step)
		}
		o := object{{"name", p.Name}, {"description", p.Description}, {"steps", steps}}
		var variables object
		for _, v := range p.Variables {
			variables = variables.with(v.Name, object{{"type", "string"}, {"description", v.Description}})
		}
		if variables != nil {
			o = o.with("variables", variables)
		}
		if p.Tags != nil {
			o = o.with("tags", texts(p.Tags))
		}
		list = append(list, o.with("executable", p.Executable))
	}
	return list
}

// plainVariables lists the variables that hold no secret, nil for none.
func plainVariables(p Program) array {
	var list array
	for _, v := range p.Variables {
		if v.Method == "" {
			list = append(list, object{{"envVar", v.Name}, {"description", v.Description}, {"required", v.Required}})
		}
	}
	return list
}
