package manifest

import (
	"fmt"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// stepOfTool is the id of the step that is written directly on its tool.
const stepOfTool = "result"

// fill copies a checked tree into a manifest and reports what only several
// keys together can get wrong.
func fill(m *Manifest, root *Node, list *diag.List) {
	m.root = root
	m.Package = root.scalar("package")
	m.Toolkit = root.scalar("toolkit")
	m.Title = root.scalar("title")
	m.Description = root.scalar("description")
	m.Namespace = root.scalar("namespace")
	m.Policy = root.scalar("policy")
	m.Levels = root.members("levels")
	for _, e := range root.members("env") {
		m.Env = append(m.Env, &Env{Name: e.Key, Description: e.Value.scalar("description"), Default: e.Value.scalar("default")})
	}
	for _, a := range root.members("apis") {
		v := &a.Value
		m.APIs = append(m.APIs, &API{
			Name: a.Key, OpenAPI: v.scalar("openapi"), BaseURL: v.scalar("base_url"), Headers: v.members("headers"),
			Auth: v.members("auth"), Timeout: v.scalar("timeout"), Retry: v.retry(),
		})
	}
	for _, k := range root.members("constants") {
		m.Constants = append(m.Constants, &Constant{Name: k.Key, Value: k.Value})
	}
	for i := range root.items("ignore") {
		v := &root.items("ignore")[i]
		m.Ignores = append(m.Ignores, &Ignore{Span: v.Span, Rule: v.scalar("rule"), At: v.scalar("at"), Reason: v.scalar("reason")})
	}
	for _, f := range root.members("flows") {
		m.Flows = append(m.Flows, fillFlow(f))
	}
	for _, t := range root.members("tools") {
		m.Tools = append(m.Tools, fillTool(t, list))
	}
}

// member returns the value of a key, nil where it was not written.
func (n *Node) member(name string) *Node {
	for i := range n.Members {
		if n.Members[i].Key.Value == name {
			return &n.Members[i].Value
		}
	}
	return nil
}

// scalar returns the scalar value of a key, zero where there is none.
func (n *Node) scalar(name string) Scalar {
	if v := n.member(name); v != nil {
		return v.Scalar
	}
	return Scalar{}
}

func (n *Node) members(name string) []Pair {
	if v := n.member(name); v != nil {
		return v.Members
	}
	return nil
}

func (n *Node) items(name string) []Node {
	if v := n.member(name); v != nil {
		return v.Items
	}
	return nil
}

// scalars returns the items of a list of scalars.
func (n *Node) scalars(name string) []Scalar {
	var list []Scalar
	for _, item := range n.items(name) {
		list = append(list, item.Scalar)
	}
	return list
}

func (n *Node) retry() Retry {
	if v := n.member("retry"); v != nil {
		return Retry{Span: v.Span, Attempts: v.scalar("attempts")}
	}
	return Retry{}
}

func fillTool(p Pair, list *diag.List) *Tool {
	v := &p.Value
	t := &Tool{
		Name: p.Key, Span: diag.Span{File: p.Key.Span.File, Start: p.Key.Span.Start, End: v.Span.End},
		ID: v.scalar("id"), Version: v.scalar("version"), Title: v.scalar("title"), Description: v.scalar("description"),
		WhenToUse: v.scalar("when_to_use"), Timeout: v.scalar("timeout"), Lets: v.members("let"),
	}
	t.Tags = v.scalars("tags")
	for _, in := range v.members("inputs") {
		t.Inputs = append(t.Inputs, fillInput(in))
	}
	for _, s := range v.members("steps") {
		t.Steps = append(t.Steps, fillStep(s.Key, &s.Value))
	}
	for _, out := range v.members("outputs") {
		t.Outputs = append(t.Outputs, fillOutput(out))
	}
	for _, e := range v.items("examples") {
		t.Examples = append(t.Examples, &Example{Span: e.Span, Goal: e.scalar("goal"), Result: e.scalar("result"), Inputs: e.members("inputs")})
	}
	t.Policy = v.scalar("policy")
	if d := v.member("deprecated"); d != nil {
		t.Since, t.Sunset, t.Use = d.scalar("since"), d.scalar("sunset"), d.scalar("use")
	}
	for _, n := range v.items("freeze") {
		t.Freeze = append(t.Freeze, n.Scalar)
	}
	for _, a := range v.items("accept") {
		t.Accept = append(t.Accept, &Accept{
			Span: a.Span, Rule: a.scalar("rule"), At: a.scalar("at"), Since: a.scalar("since"), Reason: a.scalar("reason"), Until: a.scalar("until"),
		})
	}
	if e := v.member("effects"); e != nil {
		t.Effects = Effects{
			ReadOnly: e.scalar("read_only"), Idempotent: e.scalar("idempotent"), Destructive: e.scalar("destructive"),
			Reversible: e.scalar("reversible"), Billable: e.scalar("billable"),
			Creates: e.scalars("creates"), Modifies: e.scalars("modifies"), Deletes: e.scalars("deletes"),
			Cost: e.scalar("cost"), Duration: e.scalar("duration"),
		}
	}
	t.Notes = fillNotes(v)
	shortForm(t, v)
	checkDescription(t, list)
	return t
}

func fillNotes(v *Node) Notes {
	n := Notes{Author: v.scalar("author"), Category: v.scalar("category"), Homepage: v.scalar("homepage"), Success: v.scalar("success")}
	for _, l := range v.members("localization") {
		n.Localization = append(n.Localization, &Localization{l.Key, l.Value.scalar("description"), l.Value.scalar("when_to_use")})
	}
	if p := v.member("prerequisites"); p != nil {
		n.Tools, n.Conditions = p.scalars("tools"), p.scalars("conditions")
	}
	if f := v.member("feedback"); f != nil {
		n.Progress, n.Completion = f.scalars("progress"), f.scalars("completion")
	}
	return n
}

// shortForm makes the step of a tool that has its call written directly on it.
func shortForm(t *Tool, v *Node) {
	if v.member("call") == nil || v.member("steps") != nil {
		return
	}
	t.ShortForm = true
	// The tool's name is the nearest thing to an id that the user wrote.
	id := t.Name
	id.Value, id.places = stepOfTool, make([]diag.Pos, len(stepOfTool)+1)
	for i := range id.places {
		id.places[i] = id.Span.Start
	}
	t.Steps = []*Step{fillStep(id, v)}
}

// checkDescription measures what protocols without a field for when_to_use
// will carry.
func checkDescription(t *Tool, list *diag.List) {
	n := utf8.RuneCountInString(t.Description.Value)
	if t.WhenToUse.IsSet() {
		n += 1 + utf8.RuneCountInString(t.WhenToUse.Value)
	}
	at, what := t.Description.Span, "the description has"
	if t.WhenToUse.IsSet() {
		at, what = t.WhenToUse.Span, "description and when_to_use have"
	}
	f := diag.Finding{Rule: "too-long", Span: at, Tool: t.Name.Value, Fix: "say what the tool does and when to use it, nothing more"}
	switch {
	case utf8.RuneCountInString(t.Description.Value) > mostDescription:
		// Reported with the key itself.
		return
	case n > mostDescription:
		f.Message = fmt.Sprintf("%s %d characters, at most %d are allowed", what, n, mostDescription)
	case n > goodDescription:
		f.Severity = diag.Warning
		f.Message = fmt.Sprintf("%s %d characters; more than %d is a burden in every prompt", what, n, goodDescription)
	default:
		return
	}
	list.Add(f)
}

func fillFlow(p Pair) *Flow {
	f := &Flow{Name: p.Key, Lets: p.Value.members("let"), Results: p.Value.members("results")}
	for _, in := range p.Value.members("inputs") {
		f.Inputs = append(f.Inputs, FlowInput{Name: in.Key, Type: in.Value.scalar("type")})
	}
	for _, s := range p.Value.members("steps") {
		f.Steps = append(f.Steps, fillStep(s.Key, &s.Value))
	}
	return f
}

func fillInput(p Pair) *Input {
	v := &p.Value
	in := &Input{
		Name: p.Key, ID: v.scalar("id"), Type: v.scalar("type"), Description: v.scalar("description"), Optional: v.scalar("optional"),
		Default: v.scalar("default"), MinLength: v.scalar("min_length"), MaxLength: v.scalar("max_length"), Pattern: v.scalar("pattern"),
		Min: v.scalar("min"), Max: v.scalar("max"), MCPHeader: v.scalar("mcp_header"),
	}
	for _, e := range v.members("values") {
		value := &EnumValue{Name: e.Key, Text: e.Value.Scalar}
		if e.Value.Kind == MapNode {
			value.Text, value.Send = e.Value.scalar("text"), e.Value.scalar("send")
		}
		in.Values = append(in.Values, value)
	}
	if f := v.member("from"); f != nil {
		in.From = &From{Span: f.Span, Short: f.Scalar, Call: f.scalar("call"), Parameter: f.scalar("parameter"), In: f.scalar("in")}
	}
	return in
}

func fillOutput(p Pair) *Output {
	v := &p.Value
	out := &Output{
		Name: p.Key, ID: v.scalar("id"), Value: v.scalar("value"), Description: v.scalar("description"), Optional: v.scalar("optional"),
		MaxItems: v.scalar("max_items"), MaxLength: v.scalar("max_length"), Fallback: v.scalar("fallback"),
	}
	for _, e := range v.members("values") {
		value := &EnumValue{Name: e.Value.Scalar, Send: e.Key}
		if e.Value.Kind == MapNode {
			value.Name, value.Text = e.Value.scalar("name"), e.Value.scalar("text")
		}
		out.Values = append(out.Values, value)
	}
	return out
}

func fillStep(id Scalar, v *Node) *Step {
	s := &Step{
		ID: id, Call: v.scalar("call"), Flow: v.scalar("flow"), With: v.members("with"), Body: v.member("body"), Effect: v.scalar("effect"),
		Because: v.scalar("because"), Timeout: v.scalar("timeout"), Retry: v.retry(),
		Response: v.member("response"), When: v.scalar("when"), ForEach: v.scalar("for_each"), Max: v.scalar("max"), Cache: v.scalar("cache"),
	}
	for i := range v.items("expect") {
		e := &v.items("expect")[i]
		s.Expect = append(s.Expect, &Expect{Check: e.scalar("check"), Failure: fillFailure(e.Span, e)})
	}
	for _, e := range v.members("errors") {
		span := diag.Span{File: e.Key.Span.File, Start: e.Key.Span.Start, End: e.Value.Span.End}
		s.Errors = append(s.Errors, &ErrorCase{Key: e.Key, Missing: e.Value.scalar("missing"), Failure: fillFailure(span, &e.Value)})
	}
	return s
}

func fillFailure(span diag.Span, v *Node) Failure {
	return Failure{
		Span: span, Code: v.scalar("code"), Message: v.scalar("message"), DeveloperMessage: v.scalar("developer_message"),
		Hint: v.scalar("hint"), Retry: v.scalar("retry"), RetryAfter: v.scalar("retry_after"),
	}
}
