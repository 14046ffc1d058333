package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// records plans the structs of all record literals of a tool: those that leave
// it get exported names from their outputs, the others private ones.
func (b *planner) records(t *ir.Tool) {
	method := naming.Exported(t.Signature.Name)
	for _, o := range t.Plan.Outputs {
		b.p.types.recordsIn(o.Type, method+naming.Exported(o.Name))
	}
	for _, s := range t.Plan.Steps {
		if s.Each != nil && s.Each.Pair != nil {
			b.p.types.record(s.Each.Pair, naming.Local(t.Signature.Name+" "+s.ID+" entry"))
		}
	}
	hint := naming.Local(t.Signature.Name) + "Record"
	for _, e := range t.Plan.Exprs() {
		e.Term.Walk(func(term *expr.Term) bool {
			if term.Op == expr.OpRef && term.Decl.Role == expr.RoleInput {
				return false // its fields are variables of the chain
			}
			b.p.types.recordsIn(term.Type, hint)
			return true
		})
	}
}

// tool plans one tool.
func (b *planner) tool(t *ir.Tool) *Tool {
	name := t.Signature.Name
	out := &Tool{
		Signature: t.Signature, File: "tool_" + name + "_gen.go", Places: map[string]diag.Span{}, Descriptor: describe(t), Promises: current(t),
		Method: naming.Exported(name),
	}
	out.Descriptor.CallerAuth = b.passesAuth(t)
	out.Chain = b.chainName(naming.Local(name))
	out.Var = b.scope.Unique(naming.Local(name) + "Tool")
	out.PlacesVar = b.scope.Unique(naming.Local(name) + "Places")
	out.PartsVar = b.scope.Unique(naming.Local(name) + "Parts")
	out.Input = b.inputFace(out.Method, t)
	out.Output = b.outputFace(out.Method, t)
	for _, s := range t.Plan.Steps {
		out.Notes = append(out.Notes, note(s))
	}
	c := newChainer(b, t, out)
	out.Body = c.chain()
	out.Locals = c.locals
	return out
}

// chainName hands out the name of a chain, which is a method of Tools beside
// another one of that name with Served after it, and beside the fields for
// the apis.
func (b *planner) chainName(name string) string {
	chain := b.scope.Unique(name)
	for b.members.Taken(chain) || b.members.Taken(chain+"Served") {
		chain = b.scope.Unique(chain)
	}
	b.members.Reserve(chain)
	b.members.Reserve(chain + "Served")
	return chain
}

func note(s *ir.Step) StepNote {
	n := StepNote{Step: s.ID, Operation: operationTitle(s.Op)}
	for _, bind := range s.Bindings {
		n.Lines = append(n.Lines, describeBinding(bind))
	}
	if s.Body != nil {
		n.Lines = append(n.Lines, "body: "+s.BodyMedia)
	}
	if k := s.Collect; k != nil {
		n.Lines = append(n.Lines, describePages(k))
	}
	if p := s.Poll; p != nil {
		n.Lines = append(n.Lines, fmt.Sprintf("again: every %v, for at most %v", p.Every, p.Max))
	}
	if s.Because != "" {
		n.Lines = append(n.Lines, "counts as "+string(s.Effect)+": "+s.Because)
	}
	return n
}

var inputTypes = map[signature.Type]GoType{
	signature.String: named("string"), signature.Int: named("int64"), signature.Boolean: named("bool"),
}

func (b *planner) inputFace(method string, t *ir.Tool) *Face {
	face := &Face{Name: method + "Input"}
	fields := naming.NewScope(nil)
	for i := range t.Signature.Inputs {
		in := &t.Signature.Inputs[i]
		f := FaceField{Name: fields.Unique(naming.Exported(in.Name)), Wire: in.Name, Doc: in.Description, Param: in, Optional: !in.Required, Enum: in.Type == signature.Enum}
		f.Type = inputTypes[in.Type]
		if f.Enum {
			f.Type = named(face.enum(method, in.Name, in.Description, in.Values))
		}
		if f.Optional {
			f.Type = pointer(f.Type)
		}
		face.Fields = append(face.Fields, f)
	}
	return face
}

// enum adds an exported enum type and returns its name.
func (f *Face) enum(method, name, doc string, values []signature.Value) string {
	e := &Enum{Name: method + naming.Exported(name), Doc: doc}
	for _, v := range values {
		e.Values = append(e.Values, EnumConst{Name: e.Name + naming.Exported(strings.ToLower(v.Name)), Value: v.Name, Doc: v.Text})
	}
	f.Enums = append(f.Enums, e)
	return e.Name
}

func (b *planner) outputFace(method string, t *ir.Tool) *Face {
	face := &Face{Name: method + "Output"}
	fields := naming.NewScope(nil)
	for i, o := range t.Plan.Outputs {
		sig := &t.Signature.Outputs[i]
		f := FaceField{Name: fields.Unique(naming.Exported(o.Name)), Wire: o.Name, Doc: sig.Description, Out: sig, Optional: o.Optional, Of: o.Type, Max: o.MaxLength, Enum: sig.Type == signature.Enum}
		f.Type = b.p.types.goType(o.Type, o.Optional)
		if f.Enum {
			f.Type = named(face.enum(method, o.Name, sig.Description, sig.Values))
			if o.Optional {
				f.Type = pointer(f.Type)
			}
		}
		face.Fields = append(face.Fields, f)
	}
	return face
}

// chainer plans the body of one chain.
type chainer struct {
	*planner
	t   *ir.Tool
	out *Tool
	b   *lower.Builder
	// top holds the names of the chain outside of all blocks.
	top    *naming.Scope
	locals []InputLocal
	lets   map[*expr.Decl]*ir.Let
	inputs map[string]lower.Operand
	plans  map[string]*ir.Input
	// atTop are the lets that were evaluated before all branches. In texts of
	// failures, and while it is tried whether a let can fail, none is.
	atTop        map[*expr.Decl]lower.Operand
	texts, trial bool
	// kept are the variables for status and header of answers.
	kept map[*ir.Step]string
	// itemPaths lead to the items in a page, for errors.
	itemPaths map[*ir.Step]string
}

func newChainer(b *planner, t *ir.Tool, out *Tool) *chainer {
	c := &chainer{planner: b, t: t, out: out, lets: map[*expr.Decl]*ir.Let{}, inputs: map[string]lower.Operand{}, atTop: map[*expr.Decl]lower.Operand{}, plans: map[string]*ir.Input{}, kept: map[*ir.Step]string{}, itemPaths: map[*ir.Step]string{}}
	c.top = naming.NewScope(b.scope, "ctx", "args", "t", "out", "err", "v", "done", "none", "turns")
	c.b = lower.New(c.top)
	c.b.Resolve, c.b.Input = c.resolve, c.input
	c.b.PatternsOf = b.patternsOf
	for _, l := range t.Plan.Lets {
		c.lets[l.Decl] = l
	}
	for _, in := range t.Plan.Inputs {
		c.plans[in.Name] = in
	}
	return c
}

var inputKinds = map[signature.Type]types.Kind{
	signature.String: types.String, signature.Enum: types.String, signature.Int: types.Int, signature.Boolean: types.Bool,
}

// input returns the local that holds an input; it is read at the top of the
// chain, once.
func (c *chainer) input(name string) lower.Operand {
	if o, ok := c.inputs[name]; ok {
		return o
	}
	var sig *signature.Input
	for i := range c.t.Signature.Inputs {
		if c.t.Signature.Inputs[i].Name == name {
			sig = &c.t.Signature.Inputs[i]
		}
	}
	l := InputLocal{Name: c.topName(name), Wire: name, Type: inputKinds[sig.Type], Optional: !sig.Required && sig.Default == nil}
	for _, v := range sig.Values {
		if send, ok := c.plans[name].Send[v.Name]; ok && send != v.Name {
			l.Send = append(l.Send, EnumConst{Name: v.Name, Value: send})
		}
	}
	c.locals = append(c.locals, l)
	o := lower.Operand{V: lower.Local{Name: l.Name}, Path: "input." + name}
	c.inputs[name] = o
	return o
}

// topName hands out a name for a variable at the top of the chain, which may
// be needed first inside a block: it stays taken after that block.
func (c *chainer) topName(name string) string {
	local := c.b.Names.Unique(naming.Local(name))
	c.top.Reserve(local)
	return local
}

// resolve reads a declared name that the builder does not know.
func (c *chainer) resolve(t *expr.Term) lower.Operand {
	switch t.Decl.Role {
	case expr.RoleConst:
		return lower.Operand{V: c.consts[t.Decl], Path: t.Decl.Name}
	case expr.RoleLet:
		return c.let(t.Decl)
	case expr.RoleCaller:
		return c.caller(t)
	case expr.RoleCall:
		return c.invocation(t)
	case expr.RoleEnv:
		return lower.Operand{V: lower.Member{X: lower.Local{Name: "t"}, Name: c.envMember(strings.TrimPrefix(t.Decl.Name, "env."))}, Path: t.Decl.Name}
	case expr.RoleHTTP:
		return c.heard(t)
	}
	panic("plan: no value for the name " + t.Decl.Name)
}

// caller reads a value of the authenticated caller.
func (c *chainer) caller(t *expr.Term) lower.Operand {
	principal := lower.Call{Fn: lower.Func{Pkg: toolPkg, Name: "CallerOf"}, Args: []lower.Value{lower.Local{Name: "ctx"}}}
	switch t.Decl.Name {
	case "caller.user_id":
		return lower.Operand{V: lower.Member{X: principal, Name: "UserID"}, Path: t.Decl.Name}
	case "caller.secret":
		return lower.Operand{V: lower.Index{X: lower.Member{X: principal, Name: "Secrets"}, I: lower.Const{V: t.Lit}}, Path: t.Decl.Name}
	}
	return lower.Operand{V: lower.Member{X: principal, Name: "Claims"}, Path: t.Decl.Name}
}

// invocation reads a value of the running call.
func (c *chainer) invocation(t *expr.Term) lower.Operand {
	call := lower.Call{Fn: lower.Func{Pkg: toolPkg, Name: "InvocationOf"}, Args: []lower.Value{lower.Local{Name: "ctx"}}}
	o := lower.Operand{Path: t.Decl.Name}
	switch t.Decl.Name {
	case "call.id":
		o.V = lower.Member{X: call, Name: "CallID"}
	case "call.time":
		o.V = lower.Member{X: call, Name: "Time"}
	case "call.traceparent":
		o.V = lower.Method{X: call, Name: "Trace"}
	case "call.uuid":
		o.V = lower.Call{Fn: lower.Func{Pkg: toolPkg, Name: "UUID"}, Args: []lower.Value{lower.Local{Name: "ctx"}, lower.Const{V: t.Lit}}}
	}
	return o
}

// heard reads status or header of an answer. A step whose condition does not
// hold has neither: they are missing, or, in the plan of an early release, to read
// them is an error.
func (c *chainer) heard(t *expr.Term) lower.Operand {
	s := t.Decl.Value.(*ir.Step)
	name := map[string]string{"status": "Status", "header": "Header", "partial": "Partial"}[t.Decl.Name[strings.LastIndexByte(t.Decl.Name, '.')+1:]]
	kept := lower.Local{Name: c.kept[s]}
	o := lower.Operand{V: lower.Member{X: kept, Name: name}, Step: s.ID, Path: "HTTP answer"}
	status := lower.Member{X: kept, Name: "Status"}
	switch {
	case s.When == nil || t.Decl.Of != nil && t.Type.Kind != types.Optional:
	case t.Decl.Of == nil:
		c.b.Require(t, lower.Binary{Op: "==", L: status, R: lower.Const{V: int64(0)}}, o)
	case !lower.Nilable(t.Type.Elem): // a header that is missing is nil already
		local := c.b.Names.Unique(naming.Local(s.ID + " " + name))
		c.b.Emit(lower.Var{Name: local, Type: t.Type.Elem, Opt: true})
		c.b.Emit(lower.If{Cond: lower.Binary{Op: "!=", L: status, R: lower.Const{V: int64(0)}}, Then: &lower.Block{Stmts: []lower.Stmt{
			lower.Assign{Name: local, V: lower.Addr{X: o.V}},
		}}})
		o.V = lower.Local{Name: local}
	}
	return o
}

const (
	toolPkg     = "github.com/sculpt-tools/sculpt/sculpt/tool"
	upstreamPkg = "github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// let lowers a let where it is first needed, into a variable that everything
// after it in the same block reads. A let that only a branch needs is
// evaluated in that branch.
func (c *chainer) let(d *expr.Decl) lower.Operand {
	l := c.lets[d]
	if t := l.Expr.Term; t.Op == expr.OpConst && t.Type.Kind == types.Bool {
		return lower.Operand{V: lower.Const{V: t.Lit}, Path: l.Name} // what depends on it is decided here
	}
	if o, ok := c.atTop[d]; ok {
		return o
	}
	old, about := c.b.At(c.place(l.Expr)), c.b.About(l.Name[strings.LastIndexByte(l.Name, '.')+1:])
	defer func() { c.b.At(old); c.b.About(about) }()
	var o lower.Operand
	lowerIt := func() {
		c.hoist(l.Expr)
		o = c.b.Named(l.Expr.Term, l.Name)
	}
	anywhere := c.anywhere(l)
	if anywhere {
		c.b.AtTop(lowerIt)
	} else {
		lowerIt()
	}
	if o.Step == "" && o.Path == "" {
		o.Path = l.Name
	}
	if anywhere {
		c.atTop[d] = o
	}
	c.b.Bind(d, o)
	return o
}

// anywhere reports whether a let may as well be evaluated before all branches:
// several places read it, it reads no answer, and it cannot fail.
func (c *chainer) anywhere(l *ir.Let) bool {
	if l.Decl.Uses < 2 || c.texts || c.trial {
		return false
	}
	all := map[*ir.Step]bool{}
	for _, s := range c.t.Plan.Steps {
		all[s] = true
	}
	if c.readsAny(l.Expr.Term, all) {
		return false
	}
	c.trial = true
	defer func() { c.trial = false }()
	return lower.CannotFail(c.b.Nested(func() {
		c.hoist(l.Expr)
		c.b.Named(l.Expr.Term, l.Name)
	}))
}

// hoist lowers the lets that e needs whatever happens, and those that a loop
// in e reads, before e itself: each is evaluated once.
func (c *chainer) hoist(e *ir.Expr) {
	if e != nil {
		c.letsOf(needed(e.Term, false))
	}
}

// letsOf lowers the lets among declarations.
func (c *chainer) letsOf(decls []*expr.Decl) {
	for _, d := range decls {
		if c.lets[d] != nil {
			c.b.Ref(d)
		}
	}
}

// needed returns the declarations that a term reads in every case; inside a
// loop every read counts.
func needed(t *expr.Term, loop bool) []*expr.Decl {
	if t == nil {
		return nil
	}
	switch {
	case t.Op == expr.OpRef:
		return []*expr.Decl{t.Decl}
	case loop:
	case t.Op == expr.OpCond:
		return append(needed(t.Args[0], false), common(needed(t.Args[1], false), needed(t.Args[2], false))...)
	case t.Op == expr.OpAnd || t.Op == expr.OpOr || t.Op == expr.OpOrValue || t.Op == expr.OpOrOpt:
		return needed(t.Args[0], false)
	}
	var out []*expr.Decl
	for _, a := range t.Args {
		out = append(out, needed(a, loop)...)
	}
	out = append(out, needed(t.Body2, true)...)
	return append(out, needed(t.Body, t.Op != expr.OpBind)...)
}

func common(a, b []*expr.Decl) []*expr.Decl {
	var out []*expr.Decl
	for _, d := range a {
		if slices.Contains(b, d) {
			out = append(out, d)
		}
	}
	return out
}

// lower lowers an expression, with the lets that it needs before it.
func (c *chainer) lower(e *ir.Expr, name string) lower.Operand {
	if !roles[name] {
		about := c.b.About(name)
		defer c.b.About(about)
	}
	return c.lowerWith(e, func() lower.Operand { return c.b.Lower(e.Term, name) })
}

// roles are names that say what a value is for, and not what it is about.
var roles = map[string]bool{"ok": true, "items": true, "member": true, "last": true, "next": true}

func (c *chainer) lowerWith(e *ir.Expr, lowerIt func() lower.Operand) lower.Operand {
	c.hoist(e)
	old := c.b.At(c.place(e))
	defer func() { c.b.At(old) }()
	return lowerIt()
}

func (f *Failure) uses(more ...lower.Value) []lower.Value {
	return append(more, f.Message, f.Hint, f.Developer)
}

// place says how errors name the place of a term of e: by a part of the manifest,
// whose line and column are in a table of the tool.
func (c *chainer) place(e *ir.Expr) func(offset int) string {
	return func(offset int) string {
		part := e.Part(offset)
		if c.out.Version > 0 {
			part = fmt.Sprintf("v%d.%s", c.out.Version, part)
		}
		c.out.Places[part] = e.Pos(offset)
		return part
	}
}

// failure plans the error of an expect or an error case.
func (c *chainer) failure(m *ir.Failure, step, kind string) Failure {
	texts := c.texts
	c.texts = true
	defer func() { c.texts = texts }()
	f := Failure{Kind: kind, Code: m.Code, RetryAfter: m.RetryAfter, Step: step, Retryable: m.Retry == "same"}
	f.Message, f.Hint, f.Developer = c.sentence(m.Message, "message"), c.sentence(m.Hint, "hint"), c.sentence(m.Developer, "developer")
	return f
}

// sentence lowers a text; one that holds values of the backend is cleaned.
func (c *chainer) sentence(e *ir.Expr, name string) lower.Value {
	if e == nil {
		return nil
	}
	v := c.lower(e, name).V
	if _, constant := v.(lower.Const); constant {
		return v
	}
	return lower.Call{Fn: lower.Func{Pkg: valuePkg, Name: "Sentence"}, Args: []lower.Value{v}}
}

const valuePkg = "github.com/sculpt-tools/sculpt/sculpt/value"

// output plans one output.
func (c *chainer) output(o *ir.Output, face *FaceField) {
	emit := &Emit{Field: face.Name, Optional: o.Optional, Max: o.MaxLength, Name: o.Name, At: c.place(o.Expr)(o.Expr.Term.Start), Type: face.Type}
	term := o.Expr.Term
	optional := term.Type.Kind == types.Optional
	lowerIt := func() {
		v := c.value(o)
		emit.Step = v.Step
		emit.Value = v.V
	}
	if o.Optional && !optional {
		// A missing value on the way leaves the output out: the statements
		// run in a function of their own.
		block := c.b.Nested(lowerIt)
		c.enum(emit, o)
		c.b.Emit(lower.Node{Data: emit, Uses: []lower.Value{emit.Value}, Blocks: []*lower.Block{block}})
		return
	}
	lowerIt()
	c.enum(emit, o)
	c.b.Emit(lower.Node{Data: emit, Uses: []lower.Value{emit.Value}})
}

// value lowers an output. What lies beyond max_items is left alone, also in a
// let that nothing else reads.
func (c *chainer) value(o *ir.Output) lower.Operand {
	if o.MaxItems == 0 || o.Type.Kind != types.List {
		return c.lower(o.Expr, o.Name)
	}
	e := o.Expr
	for e.Term.Op == expr.OpRef && c.lets[e.Term.Decl] != nil && e.Term.Decl.Uses == 1 {
		e = c.lets[e.Term.Decl].Expr
	}
	about := c.b.About(o.Name)
	defer c.b.About(about)
	return c.lowerWith(e, func() lower.Operand { return c.b.Head(e.Term, o.MaxItems, o.Name) })
}

func (c *chainer) enum(emit *Emit, o *ir.Output) {
	if len(o.Enum) == 0 {
		return
	}
	for _, e := range c.out.Output.Enums {
		if e.Name == c.out.Method+naming.Exported(o.Name) {
			emit.Enum = e
		}
	}
	for i, v := range o.Enum {
		emit.Wires = append(emit.Wires, EnumConst{Name: emit.Enum.Values[i].Name, Value: v.Wire})
	}
	for i, v := range o.Enum {
		if v.Name == o.Fallback {
			emit.Fallback = emit.Enum.Values[i].Name
		}
	}
}
