package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A checker holds a tree against the table of keys. What is wrong is reported
// and taken out of the tree, so that nobody reads it.
type checker struct {
	list *diag.List
	file string
	// tool is the name of the tool at hand.
	tool string
	// main is the manifest that includes the file, if any.
	main string
}

func (c *checker) reportf(rule diag.RuleID, at diag.Span, fix, format string, args ...any) {
	c.list.Add(diag.Finding{Rule: rule, Span: at, Fix: fix, Tool: c.tool, Message: fmt.Sprintf(format, args...)})
}

// A slot is a place for a value: its row of the table and the key that it is
// written under; items of lists have none.
type slot struct {
	*level
	key  Scalar
	name string
}

// at is the place to report what is wrong with a whole value: its key, or the
// value where there is none.
func (s slot) at(n *Node) diag.Span {
	if s.key.IsSet() {
		return s.key.Span
	}
	return diag.Span{File: n.Span.File, Start: n.Span.Start}
}

// value checks a node and reports whether it may be used.
func (c *checker) value(s slot, n *Node) bool {
	if n.Kind == NoNode {
		return false
	}
	k := s.level.key
	if k.Short != "" && n.Kind == ScalarNode && n.Scalar.Type != NullType {
		return c.scalar(s, k.Short, n)
	}
	switch k.Type {
	case Object, Map, List:
		if !c.shape(s, n) {
			return false
		}
	case Any:
		return true
	default:
		return c.scalar(s, k.Type, n)
	}
	switch k.Type {
	case Object:
		c.object(s, n)
	case Map:
		c.entries(s, n)
	default:
		c.items(s, n)
	}
	return true
}

// shape checks that a node is a list or a map; nothing at all is an empty one,
// which is what people leave while they write.
func (c *checker) shape(s slot, n *Node) bool {
	want, noun := MapNode, "a map of names"
	switch s.level.key.Type {
	case List:
		want, noun = ListNode, "a list"
	case Object:
		noun = "a map with the keys " + strings.Join(s.names, ", ")
	}
	if n.Kind == ScalarNode && n.Scalar.Type == NullType && n.Scalar.Value == "" {
		*n = Node{Kind: want, Span: n.Span}
	}
	if n.Kind == want {
		return true
	}
	fix := ""
	if want == ListNode && n.Kind == ScalarNode {
		fix = "write [" + n.Scalar.Value + "]"
	}
	c.reportf(ruleWrongType, c.start(n), fix, "%s wants %s, not %s", s.title(), noun, kindName(n))
	return false
}

// start is the span to mark for a value of the wrong shape.
func (c *checker) start(n *Node) diag.Span {
	if n.Kind == ScalarNode {
		return n.Span
	}
	return diag.Span{File: n.Span.File, Start: n.Span.Start}
}

func (s slot) title() string {
	switch {
	case s.level == partTable:
		return "a file that is included"
	case s.name == "":
		return "the manifest"
	}
	return fmt.Sprintf("%q", s.name)
}

func kindName(n *Node) string {
	switch n.Kind {
	case ListNode:
		return "a list"
	case MapNode:
		return "a map"
	}
	return [...]string{"nothing", "text", "a whole number", "a number", "true or false", "nothing"}[n.Scalar.Type]
}

func (c *checker) object(s slot, n *Node) {
	members := n.Members[:0]
	written := make(map[string]Scalar, len(n.Members))
	meant := map[string]bool{} // by misspelt keys: not missing as well
	for _, m := range n.Members {
		name := m.Key.Value
		written[name] = m.Key
		below := s.below[name]
		switch {
		case below == nil || name == "*":
			meant[c.unknown(s, &m)] = true
			continue
		case below.key.Status == Later:
			c.reportf(RuleNotSupportedYet, m.Key.Span, "leave it out for now", "%q is not supported yet: %s", name, lowerFirst(below.key.Text))
			continue
		case s.level == partTable && !below.key.Part:
			c.notInPart(m.Key)
			continue
		}
		if c.value(slot{level: below, key: m.Key, name: name}, &m.Value) {
			members = append(members, m)
		}
	}
	n.Members = members
	for _, name := range s.names {
		k := s.below[name].key
		if s.level != partTable && k.Required && !meant[name] && !written[name].IsSet() && (k.Unless == "" || !written[k.Unless].IsSet()) {
			c.missing(s, n, name)
		}
	}
	switch s.level {
	case table.tool():
		c.forms(s, written)
	case table.step():
		c.flowForm(written)
	}
}

// stepWords are the keys that only the short form of a tool has; timeout is
// the deadline of the tool in both forms.
var stepWords = slices.DeleteFunc(slices.Clone(table.step().names), func(name string) bool {
	return name == "timeout" || table.tool().below[name] == nil
})

// forms checks that a tool has either steps or a call of its own.
func (c *checker) forms(s slot, written map[string]Scalar) {
	steps, short := written["steps"], false
	for _, word := range stepWords {
		key := written[word]
		if !key.IsSet() {
			continue
		}
		short = true
		if steps.IsSet() {
			c.list.Add(diag.Finding{
				Rule: ruleTwoForms, Span: key.Span, Tool: c.tool, Message: fmt.Sprintf(`%q is on the tool, which has "steps" too`, word),
				Fix: "move it into a step", Related: []diag.Related{{Span: steps.Span, Text: "the steps"}},
			})
		}
	}
	switch {
	case steps.IsSet() || written["call"].IsSet():
	case short:
		c.reportf(RuleMissingKey, s.key.Span, "add call: api.operationId", `%s has no "call"`, s.title())
	default:
		c.reportf(RuleMissingKey, s.key.Span, "add call: api.operationId, or steps", `%s has neither "call" nor "steps"`, s.title())
	}
}

// flowForm checks that a step that runs a flow has no words of a call.
func (c *checker) flowForm(written map[string]Scalar) {
	if !written["flow"].IsSet() {
		return
	}
	for _, word := range append(stepWords, "timeout") {
		if key := written[word]; key.IsSet() && word != "with" {
			c.reportf(ruleTwoForms, key.Span, "move it into a step of the flow, or remove flow:", `%q is for a call, and the step runs a flow`, word)
		}
	}
}

func (c *checker) missing(s slot, n *Node, name string) {
	k := s.below[name].key
	at := diag.Span{File: c.file}
	if s.name != "" {
		at = s.at(n)
	}
	c.reportf(RuleMissingKey, at, "add "+name+": "+lowerFirst(strings.TrimSuffix(k.Text, ".")), "%s has no %q", s.title(), name)
}

// synonyms are the words of other formats for what is called otherwise here.
var synonyms = map[string]string{
	"required": "optional", "enum": "values", "choices": "values", "options": "values",
	"parameters": "inputs", "arguments": "inputs", "args": "inputs", "params": "with", "input": "inputs",
	"output": "outputs", "maximum": "max", "minimum": "min", "operation": "call", "operationId": "call",
	"vars": "let", "variables": "let", "url": "base_url", "server": "base_url", "spec": "openapi", "name": "title",
}

// manyFindings is where guessing ends: a file with so many mistakes is another
// kind of file, and may be huge.
const manyFindings = 500

// unknown reports a key and returns the one that was probably meant.
func (c *checker) unknown(s slot, m *Pair) string {
	key, near := m.Key, ""
	if len(*c.list) < manyFindings {
		near = diag.Nearest(key.Value, s.names)
	}
	if other := synonyms[key.Value]; near == "" && slices.Contains(s.names, other) {
		near = other
	}
	fix := "the keys here are " + strings.Join(s.names, ", ")
	message := fmt.Sprintf("unknown key %q", key.Value)
	if near != "" {
		message += fmt.Sprintf(", did you mean %q?", near)
		fix = fmt.Sprintf("write %q; ", near) + fix
	} else if stray := strayWords(s, m); stray != "" {
		fix = stray
	}
	c.reportf(ruleUnknownKey, key.Span, fix, "%s", message)
	return near
}

// strayWords is the fix for several words without a value, which YAML takes for a
// key: the rest of a text after a comma between braces, or a key without a colon.
func strayWords(s slot, m *Pair) string {
	first, rest, several := strings.Cut(m.Key.Value, " ")
	switch {
	case !several || kindName(&m.Value) != "nothing":
		return ""
	case slices.Contains(s.names, first):
		return fmt.Sprintf("write %s: %s", first, rest)
	}
	return "a comma between braces ends a text: write quotes around the whole text"
}

func (c *checker) entries(s slot, n *Node) {
	members := n.Members[:0]
	entry := s.below["*"]
	for _, m := range n.Members {
		if entry == table.tool() {
			c.tool = m.Key.Value
		}
		named := c.name(s.level.key.Form, m.Key)
		if c.value(slot{level: entry, key: m.Key, name: m.Key.Value}, &m.Value) && named {
			members = append(members, m)
		}
		if entry == table.tool() {
			c.tool = ""
		}
	}
	n.Members = members
}

func (c *checker) items(s slot, n *Node) {
	items := n.Items[:0]
	for _, item := range n.Items {
		if c.value(slot{level: s.below["*"], name: s.name}, &item) {
			items = append(items, item)
		}
	}
	n.Items = items
}

func lowerFirst(s string) string {
	if len(s) > 1 && s[1] >= 'A' && s[1] <= 'Z' {
		return s
	}
	return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):]
}
