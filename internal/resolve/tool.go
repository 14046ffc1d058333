package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// toolResolver resolves one tool.
type toolResolver struct {
	*resolver
	m     *manifest.Tool
	sig   *signature.Signature
	plan  *ir.Plan
	scope *expr.Scope
	// prefix is before the ids of steps, "" outside of flows. own are the
	// steps by the steps of m, and uses their flows: one of the two is nil.
	prefix string
	own    []*ir.Step
	uses   []*flowUse
	// within is what the step that is being resolved sees.
	within *expr.Scope
	steps  map[*expr.Decl]*ir.Step
	// names are where the names of steps are written.
	names map[*ir.Step]diag.Span
	lets  map[*expr.Decl]*ir.Let
	// differs is why the tool is not idempotent although each of its requests may be
	// sent twice.
	differs difference
	// mayLack are the steps that may end well without an answer though they run.
	mayLack map[*ir.Step]bool
	// pairs are the types of the elements of steps with for_each that may leave
	// some out, and over the lists of these steps.
	pairs map[*ir.Step]*types.Type
	over  map[*ir.Step]*ir.Expr
	// inCircle says that a circle of steps was reported.
	inCircle *bool
	// tested are the names that a condition around what is being resolved asks:
	// which of their values get there is not known.
	tested []*expr.Decl
}

func (r *resolver) newTool(m *manifest.Tool) *toolResolver {
	return &toolResolver{
		resolver: r, m: m, sig: &signature.Signature{}, plan: &ir.Plan{}, scope: expr.NewScope(r.scope),
		steps: map[*expr.Decl]*ir.Step{}, names: map[*ir.Step]diag.Span{}, lets: map[*expr.Decl]*ir.Let{}, mayLack: map[*ir.Step]bool{}, pairs: map[*ir.Step]*types.Type{}, over: map[*ir.Step]*ir.Expr{}, inCircle: new(bool),
	}
}

func (r *resolver) tool(m *manifest.Tool) *ir.Tool {
	t := r.newTool(m)
	before := len(r.findings)
	t.face()
	t.inputs()
	t.allow()
	t.declareSteps()
	t.values()
	t.stepValues()
	t.outputs()
	t.unseen()
	if t.letCircles() {
		return &ir.Tool{Signature: t.sig, Plan: t.plan, Span: m.Name.Span, Places: places(m)}
	}
	t.stepEffects()
	t.order()
	t.reads()
	t.headerNames()
	t.joins()
	t.budget()
	t.lints(before)
	t.hiddenValues()
	t.effects(before)
	t.needs()
	t.examples()
	t.notes()
	t.bareElements(before)
	return &ir.Tool{
		Signature: t.sig, Plan: t.plan, Span: m.Name.Span, Places: places(m),
		Details: signature.Details{
			Network: len(t.plan.Steps) > 0, Errors: codes(t.plan),
			Deprecation: t.sig.Notes.Deprecated,
		},
		Policy: cmp.Or(m.Policy.Value, r.m.Policy.Value), Accept: acceptEntries(m),
	}
}

// acceptEntries lists the breaking changes that the manifest lets pass.
func acceptEntries(m *manifest.Tool) []ir.Accept {
	var out []ir.Accept
	for _, a := range m.Accept {
		e := ir.Accept{Rule: a.Rule.Value, At: a.At.Value, Since: 1, Reason: strings.TrimSpace(a.Reason.Value), Until: a.Until.Value, Span: a.Span}
		if v, ok := parseInt(a.Since.Value); ok {
			e.Since = int(v)
		}
		out = append(out, e)
	}
	return out
}

// codes lists the codes of the errors that the manifest gives a tool.
func codes(plan *ir.Plan) []string {
	var out []string
	for _, s := range plan.Steps {
		for _, e := range s.Expect {
			out = append(out, e.Code)
		}
		for _, e := range s.Errors {
			if !e.Missing {
				out = append(out, e.Code)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// face fills in the words of the signature.
func (t *toolResolver) face() {
	m, s := t.m, t.sig
	s.Name, s.Toolkit, s.ToolName = m.Name.Value, t.resolver.m.Toolkit.Value, toolName(m.Name.Value)
	s.Title, s.Description, s.WhenToUse = m.Title.Value, strings.TrimSpace(m.Description.Value), strings.TrimSpace(m.WhenToUse.Value)
	s.Image = m.Image.Value
	for _, tag := range m.Tags {
		s.Tags = append(s.Tags, tag.Value)
	}
	s.Version = 1
	if v, ok := parseInt(m.Version.Value); ok {
		s.Version = int(v)
	}
	t.plan.Deadline = t.duration(m.Timeout)
	s.ID = t.id()
}

// toolName is the name of a tool in OTC, which has it in PascalCase.
func toolName(snake string) string {
	var b strings.Builder
	for w := range strings.SplitSeq(snake, "_") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return b.String()
}

// id is the tool's UUID: written, or made from the namespace and the name so
// that it never changes (A2T 6.1).
func (t *toolResolver) id() string {
	if t.m.ID.IsSet() {
		id, _ := uuid.Parse(t.m.ID.Value) // a UUID, by the key table
		return id.String()
	}
	ns, _ := uuid.Parse(t.resolver.m.Namespace.Value) // so is this
	return uuid.NewSHA1(ns, []byte(t.m.Name.Value)).String()
}

// allow checks who may call. The condition sees the caller and not what the
// call is about: it holds for releases too, whose inputs are others.
func (t *toolResolver) allow() {
	if !t.m.Allow.IsSet() {
		return
	}
	check := t.bare(t.m.Allow, t.resolver.scope, types.BoolType)
	ofCaller := func(d *expr.Decl) bool { return d.Role == expr.RoleCaller }
	if !isPoisoned(check) && !slices.ContainsFunc(check.Term.Refs(), ofCaller) {
		t.errorf(expr.RuleWrongType, span(check), `write a condition such as caller.claims[?"role"].orValue("") == "editor"`, "allow: is a condition on the caller, and this reads nothing of the caller")
	}
	message := t.value(manifest.Scalar{Value: "You may not call this tool.", Type: manifest.TextType, Span: t.m.Allow.Span}, t.resolver.scope, types.StringType)
	t.plan.Allow = &ir.Expect{Check: check, Failure: ir.Failure{Code: "not_allowed", Message: message}}
}

// inputs resolves the inputs of the tool and declares the name "input", whose type
// has a field for each.
func (t *toolResolver) inputs() {
	obj := &types.Type{Kind: types.Object, Record: true}
	for _, m := range t.m.Inputs {
		in, plan, typ := t.input(m)
		t.sig.Inputs = append(t.sig.Inputs, in)
		t.plan.Inputs = append(t.plan.Inputs, plan)
		obj.Fields = append(obj.Fields, &types.Field{Name: in.Name, Type: typ, Required: in.Required, Optional: !in.Required && !m.Default.IsSet()})
	}
	t.uniqueInputIDs()
	t.mcpHeaders()
	t.scope.Declare(&expr.Decl{Name: "input", Role: expr.RoleInput, Type: obj})
}

func (t *toolResolver) uniqueInputIDs() {
	seen := map[string]string{}
	for i, in := range t.sig.Inputs {
		if first := seen[in.ID]; first != "" {
			t.errorf(ruleDuplicateID, t.m.Inputs[i].Name.Span, "give it another id", "input %s has the id of input %s", in.Name, first)
		}
		seen[in.ID] = in.Name
	}
}

// declareSteps gives every step its operation and its name; answers are typed
// by the operation alone, so expressions can use them in any order.
func (t *toolResolver) declareSteps() {
	if len(t.m.Steps) == 0 && t.prefix == "" {
		t.errorf(manifest.RuleMissingKey, t.m.Name.Span, "add steps:, or call: for a single one", "tool %s calls nothing", t.m.Name.Value)
	}
	for _, m := range t.m.Steps {
		if m.Flow.IsSet() {
			t.own, t.uses = append(t.own, nil), append(t.uses, t.useFlow(m))
			continue
		}
		s := &ir.Step{ID: t.prefix + m.ID.Value, Span: m.Call.Span, Timeout: t.duration(m.Timeout), Attempts: t.count(m.Retry.Attempts), Because: m.Because.Value, Strict: m.Strict.Value == "true"}
		s.Decl = &expr.Decl{Name: m.ID.Value, Role: expr.RoleStep, Type: types.InvalidType, Value: s}
		s.Op, s.API = t.operation(m)
		if s.Op != nil {
			t.request(s, m)
			t.answer(s)
			t.stepEffect(s, m)
		}
		t.declareHTTP(s, m)
		t.collect(s, m)
		t.poll(s, m)
		t.stepType(s, m)
		name := m.ID
		if !name.IsSet() {
			name = m.Call // the short form has no id to point at
		}
		t.declare(t.scope, s.Decl, name)
		t.steps[s.Decl], t.names[s] = s, name.Span
		t.plan.Steps = append(t.plan.Steps, s)
		t.own, t.uses = append(t.own, s), append(t.uses, nil)
	}
}

// httpNames are what expressions may know of an answer beside its value.
var httpNames = []string{"status", "header", "partial"}

// declareHTTP declares status and header of the answer of a step that makes one
// call, or of the last page. A step that does not run has neither; where an
// error case says that there is no answer, the backend has still given both.
func (t *toolResolver) declareHTTP(s *ir.Step, m *manifest.Step) {
	if m.ForEach.IsSet() {
		return
	}
	known := map[string]*types.Type{"status": types.IntType, "header": types.MapOf(types.StringType, types.StringType), "partial": types.BoolType}
	for _, name := range httpNames {
		if name == "partial" && (m.Collect == nil || m.Collect.Partial.Value != "true") {
			continue
		}
		typ := known[name]
		d := &expr.Decl{Name: "http." + s.Decl.Name + "." + name, Role: expr.RoleHTTP, Type: typ, Value: s}
		if m.When.IsSet() && !t.plain {
			d.Type, d.Of = types.OptionalOf(typ), s.Decl
		}
		t.scope.Declare(d)
		t.steps[d] = s
	}
}

// stepType gives a step the type that expressions see: the list of the answers
// with for_each, of the items with collect, an optional where there may be no
// answer.
func (t *toolResolver) stepType(s *ir.Step, m *manifest.Step) {
	typ := s.Answer
	if s.Collect != nil {
		typ = s.Collect.Items.Term.Type
	}
	if typ == nil {
		typ = types.InvalidType
	}
	s.Decl.Type = typ
	if typ.Kind == types.Invalid {
		return
	}
	if m.ForEach.IsSet() {
		if saysMissing(m) && !t.plain {
			t.pairs[s] = pairOf(typ)
			typ = t.pairs[s]
		}
		typ = types.ListOf(typ)
	}
	missing := s.MayBeEmpty || saysMissing(m)
	t.mayLack[s] = missing && !s.Skips() && !m.ForEach.IsSet()
	if typ.Kind == types.Optional {
		typ = typ.Elem // pages without a list have no items
	}
	if m.When.IsSet() || t.mayLack[s] {
		typ = types.OptionalOf(typ)
	}
	s.Decl.Type = typ
}

// pairOf is the type of an element of a list with for_each from which elements may
// be left out: what the call was for, and its answer. The list that says what the
// call is for is typed later.
func pairOf(answer *types.Type) *types.Type {
	return &types.Type{Kind: types.Object, Record: true, Fields: []*types.Field{
		{Name: "item", Type: types.InvalidType, Required: true}, {Name: "value", Type: answer, Required: true},
	}}
}

// saysMissing reports whether an error case of a step says that there is no answer.
func saysMissing(m *manifest.Step) bool {
	return slices.ContainsFunc(m.Errors, func(e *manifest.ErrorCase) bool { return e.Missing.Value == "true" })
}

// examples checks the inputs of every example like a call.
func (t *toolResolver) examples() {
	for _, m := range t.m.Examples {
		e := signature.Example{Goal: m.Goal.Value, Result: strings.TrimSpace(m.Result.Value), Inputs: map[string]any{}}
		for _, p := range m.Inputs {
			in := t.inputNamed(p.Key.Value)
			if in == nil {
				t.errorf(ruleUnknownInput, p.Key.Span, "use an input of the tool", "tool %s has no input %q%s", t.sig.Name, p.Key.Value, diag.DidYouMean(p.Key.Value, t.inputNames()))
				continue
			}
			v, why := accepts(in, p.Value.Scalar)
			if why != "" {
				t.errorf(ruleWrongExample, p.Value.Span, "write a value that the input accepts", "input %s %s", in.Name, why)
				continue
			}
			e.Inputs[in.Name] = v
		}
		for _, in := range t.sig.Inputs {
			if _, ok := e.Inputs[in.Name]; !ok && in.Required && !written(m.Inputs, in.Name) {
				t.errorf(ruleWrongExample, m.Span, "add "+in.Name+":", "the example leaves out the required input %s", in.Name)
			}
		}
		t.sig.Examples = append(t.sig.Examples, e)
	}
}

func written(pairs []manifest.Pair, name string) bool {
	for _, p := range pairs {
		if p.Key.Value == name {
			return true
		}
	}
	return false
}

func (t *toolResolver) inputNamed(name string) *signature.Input {
	for i := range t.sig.Inputs {
		if t.sig.Inputs[i].Name == name {
			return &t.sig.Inputs[i]
		}
	}
	return nil
}

func (t *toolResolver) inputNames() []string {
	var names []string
	for _, in := range t.sig.Inputs {
		names = append(names, in.Name)
	}
	return names
}
