package golden

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// A LintFinding is what the reference linter of ATIP, atip-lint, says about a
// document.
type LintFinding struct {
	Rule     string // the linter's own id, such as "description-quality"
	Severity string // "error" or "warn", as the linter's recommended settings have it
	Path     string // JSON pointer to what is wrong or missing
	Message  string
}

// String gives a finding in one line.
func (f LintFinding) String() string {
	return fmt.Sprintf("%s %s at %q: %s", f.Severity, f.Rule, f.Path, f.Message)
}

// atipErrors has the rules whose findings are errors; all others warn.
var atipErrors = []string{"no-missing-required-fields", "valid-effects-values", "no-duplicate-flags"}

var compileATIP = sync.OnceValues(func() (*jsonschema.Schema, error) {
	raw, err := os.ReadFile(filepath.Join(os.Getenv("SCULPT_SHARED"), "protocols", "atip", "schema", "0.6.json"))
	if err != nil {
		return nil, err
	}
	c := schemaCompiler()
	if err := c.AddResource("urn:atip", bytes.NewReader(raw)); err != nil {
		return nil, err
	}
	return c.Compile("urn:atip")
})

// JudgeATIP fails the test for a document that is not valid against the schema
// of ATIP 0.6, or in which the reference linter finds an error. Its warnings
// are for [LintATIP]. Without the schema only the linter's rules hold.
func JudgeATIP(t testing.TB, doc []byte) {
	t.Helper()
	findings, err := LintATIP(doc)
	if err != nil {
		t.Errorf("%v: %s", err, doc)
		return
	}
	for _, f := range findings {
		if f.Severity == "error" {
			t.Errorf("atip-lint: %v", f)
		}
	}
	if os.Getenv("SCULPT_SHARED") == "" {
		return
	}
	schema, err := compileATIP()
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		t.Fatal(err) // LintATIP has read it
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("no ATIP 0.6: %#v", err)
	}
}

// LintATIP finds what atip-lint finds with its recommended settings, in the
// order of the paths. It stands any JSON: a member of the wrong kind is the
// schema's matter where no rule speaks of it. What is not JSON object is an error.
func LintATIP(doc []byte) ([]LintFinding, error) {
	var root map[string]any
	if err := json.Unmarshal(doc, &root); err != nil {
		return nil, err
	}
	if root == nil {
		return nil, errors.New("null is not an ATIP document")
	}
	l := &atipLint{}
	l.description(root, "")
	l.trust(root)
	global := l.flags(root["globalOptions"], "/globalOptions", nil)
	l.params(root["arguments"], "/arguments", false)
	l.params(root["globalOptions"], "/globalOptions", true)
	l.commands(root["commands"], "/commands", global)
	slices.SortStableFunc(l.findings, func(a, b LintFinding) int { return strings.Compare(a.Path, b.Path) })
	return l.findings, nil
}

// An atipLint gathers findings; it has a method for each thing that rules look at.
type atipLint struct{ findings []LintFinding }

func (l *atipLint) report(rule, path, format string, args ...any) {
	severity := "warn"
	if slices.Contains(atipErrors, rule) {
		severity = "error"
	}
	l.findings = append(l.findings, LintFinding{rule, severity, path, fmt.Sprintf(format, args...)})
}

func (l *atipLint) commands(commands any, path string, global map[string]bool) {
	members, _ := commands.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		command, _ := members[name].(map[string]any)
		at := path + "/" + pointerEscape.Replace(name)
		l.naming("command", name, at)
		if falsy(command["description"]) {
			l.report("no-missing-required-fields", at+"/description", "the command has no description")
		}
		l.description(command, at)
		l.effects(command, at)
		l.flags(command["options"], at+"/options", global)
		l.params(command["arguments"], at+"/arguments", false)
		l.params(command["options"], at+"/options", true)
		l.commands(command["commands"], at+"/commands", global)
	}
}

var pointerEscape = strings.NewReplacer("~", "~0", "/", "~1")

var kebabName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func (l *atipLint) naming(kind, name, path string) {
	if !kebabName.MatchString(name) {
		l.report("consistent-naming", path, "%s %q is not in kebab-case", kind, name)
	}
}

// description judges a text that is there; one that is missing has another rule.
// Lengths are those of JavaScript, in which the linter is written.
func (l *atipLint) description(of map[string]any, path string) {
	const rule = "description-quality"
	text, _ := of["description"].(string)
	path += "/description"
	switch length := len(utf16.Encode([]rune(text))); {
	case text == "":
		return
	case text != strings.TrimSpace(text):
		l.report(rule, path, "the description begins or ends with white space")
		return
	case length < 10:
		l.report(rule, path, "the description has fewer than 10 characters")
	case length > 200:
		l.report(rule, path, "the description has more than 200 characters")
	}
	for _, placeholder := range []string{"TODO", "FIXME", "Description", "TBD"} {
		if strings.Contains(text, placeholder) {
			l.report(rule, path, "the description holds the placeholder %q", placeholder)
		}
	}
	if first := []rune(text)[0]; unicode.ToUpper(first) != first {
		l.report(rule, path, "the description does not begin with an upper-case letter")
	}
}

// params judges arguments, or options, which also have flags.
func (l *atipLint) params(params any, path string, options bool) {
	required, kind := []string{"name", "type", "description"}, "argument"
	if options {
		required, kind = append(required, "flags"), "option"
	}
	for i, param := range objects(params) {
		at := path + "/" + strconv.Itoa(i)
		for _, member := range required {
			// An empty list of flags is there for the linter, and refused by the schema.
			if falsy(param[member]) {
				l.report("no-missing-required-fields", at+"/"+member, "the %s has no %s", kind, member)
			}
		}
		if param["type"] == "enum" && falsy(param["enum"]) {
			l.report("no-missing-required-fields", at+"/enum", "the %s of type enum has no values", kind)
		}
		if name, _ := param["name"].(string); options && name != "" {
			l.naming(kind, name, at+"/name")
		}
		l.description(param, at)
	}
}

// flags looks for flags that two options claim, one option claims twice, or
// global options have, and gives all flags that it saw.
func (l *atipLint) flags(options any, path string, global map[string]bool) map[string]bool {
	const rule = "no-duplicate-flags"
	seen := map[string]bool{}
	for i, option := range objects(options) {
		at := path + "/" + strconv.Itoa(i) + "/flags"
		own := map[string]bool{}
		list, _ := option["flags"].([]any)
		for _, item := range list {
			flag, _ := item.(string)
			switch {
			case own[flag]:
				l.report(rule, at, "the option has the flag %q twice", flag)
			case global[flag]:
				l.report(rule, at, "the flag %q is a global one", flag)
			case seen[flag]:
				l.report(rule, at, "the flag %q is that of another option", flag)
			}
			own[flag] = true
		}
		maps.Copy(seen, own)
	}
	return seen
}

// An effectCheck says what a member of effects has to be, if it is there.
type effectCheck struct {
	of, member, want string
	ok               func(any) bool
}

var effectChecks = []effectCheck{
	{"", "destructive", "a boolean", isBool}, {"", "reversible", "a boolean", isBool}, {"", "idempotent", "a boolean", isBool},
	{"", "network", "a boolean", isBool}, {"", "subprocess", "a boolean", isBool},
	{"filesystem", "read", "a boolean", isBool}, {"filesystem", "write", "a boolean", isBool}, {"filesystem", "delete", "a boolean", isBool},
	{"cost", "billable", "a boolean", isBool}, {"cost", "estimate", "free, low, medium or high", oneOf("free", "low", "medium", "high")},
	{"interactive", "stdin", "none, optional, required or password", oneOf("none", "optional", "required", "password")},
	{"interactive", "prompts", "a boolean", isBool}, {"interactive", "tty", "a boolean", isBool},
	{"duration", "typical", "a duration such as 1-5s", isDuration}, {"duration", "timeout", "a duration such as 30s", isDuration},
}

// The linter also takes what the schema does not: "5s" as typical, "instant".
var lintDuration = regexp.MustCompile(`^(\d+(-\d+)?[smh]|instant)$`)

func isBool(v any) bool { _, ok := v.(bool); return ok }

func isDuration(v any) bool { s, ok := v.(string); return ok && lintDuration.MatchString(s) }

func oneOf(values ...string) func(any) bool {
	return func(v any) bool { s, ok := v.(string); return ok && slices.Contains(values, s) }
}

func (l *atipLint) effects(command map[string]any, path string) {
	// A group of commands says nothing of its own.
	group, _ := command["commands"].(map[string]any)
	if len(group) == 0 && falsy(command["effects"]) {
		l.report("no-empty-effects", path, "the command has no effects")
	}
	effects, is := command["effects"].(map[string]any)
	if !is {
		return
	}
	path += "/effects"
	if len(group) == 0 && len(effects) == 0 {
		l.report("no-empty-effects", path, "the effects of the command are empty")
	}
	for _, check := range effectChecks {
		in, at := effects, path
		if check.of != "" {
			in, _ = effects[check.of].(map[string]any)
			at += "/" + check.of
		}
		if v, has := in[check.member]; has && !check.ok(v) {
			l.report("valid-effects-values", at+"/"+check.member, "%v is not %s", v, check.want)
		}
	}
	if _, says := effects["reversible"]; effects["destructive"] == true && !says {
		l.report("destructive-needs-reversible", path, "the command is destructive and does not say whether it is reversible")
	}
	cost, _ := effects["cost"].(map[string]any)
	if cost["billable"] == true && effects["idempotent"] == true {
		l.report("billable-needs-confirmation", path+"/idempotent", "a billable command says that it may be repeated")
	}
}

// trust holds the source of a document against what it says.
func (l *atipLint) trust(root map[string]any) {
	const rule = "trust-source-requirements"
	trust, _ := root["trust"].(map[string]any)
	switch trust["source"] {
	case "native":
		l.nativeEffects(root["commands"], "/commands")
	case "vendor":
		for _, member := range []string{"homepage", "version"} {
			if falsy(root[member]) {
				l.report(rule, "/"+member, "a document of a vendor has no %s", member)
			}
		}
	case "inferred":
		if trust["verified"] != false {
			l.report(rule, "/trust/verified", "an inferred document cannot be verified")
		}
	}
}

// nativeEffects wants effects of groups too, unlike no-empty-effects.
func (l *atipLint) nativeEffects(commands any, path string) {
	members, _ := commands.(map[string]any)
	for name, command := range members {
		at := path + "/" + pointerEscape.Replace(name)
		of, _ := command.(map[string]any)
		if falsy(of["effects"]) {
			l.report("trust-source-requirements", at+"/effects", "a native document has a command without effects")
		}
		l.nativeEffects(of["commands"], at+"/commands")
	}
}

// objects gives a list with an empty object instead of what is none, so that
// positions stay.
func objects(v any) []map[string]any {
	list, _ := v.([]any)
	all := make([]map[string]any, len(list))
	for i, item := range list {
		all[i], _ = item.(map[string]any)
	}
	return all
}

// falsy says what JavaScript's ! says, which is how the linter asks for what is
// missing.
func falsy(v any) bool { return v == nil || v == "" || v == false || v == 0.0 }
