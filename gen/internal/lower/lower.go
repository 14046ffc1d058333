package lower

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// An Operand is a lowered value with the place it came from: Path leads from
// the answer of Step to it. The Value has the plain Go form of its type, or
// the form that can be nil where the type is optional.
type Operand struct {
	V          Value
	Step, Path string
}

// A Builder lowers the expressions of one Go function.
type Builder struct {
	// Names hands out local names; names of packages and parameters must be
	// reserved in it.
	Names *naming.Scope
	// Resolve says how a declared name is read. It may lower other terms
	// first (lets).
	Resolve func(t *expr.Term) Operand
	// Input says how input name is read.
	Input func(name string) Operand

	// PatternsOf are the subjects of the patterns that were met, by their texts.
	PatternsOf map[string]string

	at func(offset int) string
	// about is the subject of what is lowered: a let, an output, a parameter.
	about string
	state
	// top is the state of the outermost block, topNames its scope.
	top      state
	topNames *naming.Scope
}

// A state is what is being written and what is known there.
type state struct {
	block *Block
	vars  map[*expr.Decl]Operand
	// known holds the paths that were checked in a block that dominates the
	// present one.
	known map[string]bool
	// held holds what was read of values of unknown type there.
	held map[string]Operand
}

func (s state) inner() state {
	return state{block: &Block{}, vars: maps.Clone(s.vars), known: maps.Clone(s.known), held: maps.Clone(s.held)}
}

// New returns a builder that appends to a fresh block.
func New(names *naming.Scope) *Builder {
	top := state{block: &Block{}, vars: map[*expr.Decl]Operand{}, known: map[string]bool{}, held: map[string]Operand{}}
	return &Builder{Names: names, state: top, top: top, topNames: names}
}

// At sets how an offset of the expression that is lowered next becomes the
// manifest position of an error, and returns the old way.
func (b *Builder) At(at func(offset int) string) func(int) string {
	old := b.at
	b.at = at
	return old
}

// About sets the subject of the expression that is lowered next, after which
// variables between are called, and returns the old one.
func (b *Builder) About(subject string) string {
	old := b.about
	b.about = subject
	return old
}

// fresh takes a name for a variable: what the variable is for, with the subject
// before where that is taken, and a number only where that is taken, too.
func (b *Builder) fresh(role string) string {
	if b.about != "" && b.Names.Taken(role) && role != naming.Local(b.about) {
		role = naming.Local(b.about + " " + role)
	}
	return b.Names.Unique(role)
}

// Block returns the block that is being written.
func (b *Builder) Block() *Block { return b.block }

func (b *Builder) emit(s Stmt) { b.block.Stmts = append(b.block.Stmts, s) }

// inBlock runs f with a fresh block in which facts are known too. What f binds
// is forgotten after it: its variables live in that block, and their names
// are free again after it. So a name for something outside the block that the
// block sets must be taken before.
func (b *Builder) inBlock(facts []string, f func()) *Block {
	outer, names := b.state, b.Names
	b.state, b.Names = outer.inner(), naming.NewScope(names)
	for _, k := range facts {
		b.known[k] = true
	}
	f()
	inner := b.block
	b.state, b.Names = outer, names
	return inner
}

// AtTop runs f with the outermost block, to which what it emits is added before
// the statement that is being made. f must not fail and must read nothing of inner
// blocks; the names that it takes are free in these, too.
func (b *Builder) AtTop(f func()) {
	inner := b.state
	from := len(b.top.block.Stmts)
	b.state = b.top
	f()
	for _, st := range b.top.block.Stmts[from:] {
		b.topNames.Reserve(formOf(st).declares)
	}
	b.state = inner
}

func (b *Builder) where(t *expr.Term) string {
	if b.at == nil {
		return ""
	}
	return b.at(t.Start)
}

// nouns stand for values without a path. Errors of FailValue are sentences.
var nouns = map[FailKind]string{FailMissing: "the value", FailKindOf: "the value", FailIndex: "the list", FailNoElement: "the value"}

func (b *Builder) fail(kind FailKind, t *expr.Term, o Operand, text string) Fail {
	f := Fail{Kind: kind, Step: o.Step, Path: strings.TrimPrefix(o.Path, "."), At: b.where(t), Text: text}
	if f.Step == "" && f.Path == "" { // what is computed has no path
		f.Path = nouns[kind]
	}
	return f
}

// Named lowers t into a local variable called name, unless it is a variable
// already, and returns the operand that reads it. A path that has a variable
// already keeps it.
func (b *Builder) Named(t *expr.Term, name string) Operand {
	key := expr.PathKey(t)
	if key != "" {
		key += "=" + t.Type.Kind.String()
		if held, ok := b.held[key]; ok {
			return held
		}
	}
	o := b.lower(t, name)
	if _, ok := o.V.(Local); ok {
		return o
	}
	local := b.fresh(naming.Local(name))
	b.emit(Define{Name: local, V: o.V, Type: t.Type})
	o.V = Local{local}
	if key != "" {
		b.held[key] = o
	}
	return o
}

// Lower returns the value of t; name is a hint for the variables it needs.
func (b *Builder) Lower(t *expr.Term, name string) Operand { return b.lower(t, name) }

func (b *Builder) lower(t *expr.Term, name string) Operand {
	switch t.Op {
	case expr.OpConst:
		return Operand{V: Const{t.Lit}}
	case expr.OpRef:
		return b.ref(t)
	case expr.OpField, expr.OpOptField, expr.OpPresent, expr.OpNarrow:
		return b.path(t)
	case expr.OpIndex, expr.OpOptIndex:
		return b.index(t, name)
	case expr.OpHas, expr.OpIsMissing, expr.OpHasValue:
		return b.test(t)
	case expr.OpNot, expr.OpNeg:
		return b.unary(t)
	case expr.OpAnd, expr.OpOr:
		return b.logical(t, name)
	case expr.OpCond:
		return b.cond(t, name)
	case expr.OpBinary, expr.OpIn:
		return b.binary(t, name)
	case expr.OpConvert:
		if t.Type.Kind == types.Dyn {
			o := b.lower(t.Args[0], name)
			o.V = b.box(o.V, t.Args[0].Type)
			return o
		}
		return Operand{V: Convert{To: t.Type, X: b.lower(t.Args[0], name).V}}
	case expr.OpCall:
		return b.call(t, name)
	case expr.OpList, expr.OpMap, expr.OpRecord, expr.OpText:
		return b.literal(t, name)
	case expr.OpAll, expr.OpExists, expr.OpExistsOne, expr.OpFilter, expr.OpTransform, expr.OpTransformMap, expr.OpSortBy, expr.OpBind:
		return b.macro(t, name)
	}
	return b.optional(t, name)
}

func (b *Builder) ref(t *expr.Term) Operand {
	if o, ok := b.vars[t.Decl]; ok {
		return o
	}
	return b.Resolve(t)
}

// Ref returns what a declaration reads, as a reference in a term would.
func (b *Builder) Ref(d *expr.Decl) Operand {
	return b.ref(&expr.Term{Op: expr.OpRef, Decl: d, Type: d.Type})
}

// Bind makes decl read o from now on.
func (b *Builder) Bind(decl *expr.Decl, o Operand) { b.vars[decl] = o }

func (o Operand) field(name string) Operand {
	return Operand{Step: o.Step, Path: o.Path + "." + name}
}

// path lowers field reads and the unwrapping of guarded optionals.
func (b *Builder) path(t *expr.Term) Operand {
	switch t.Op {
	case expr.OpPresent:
		if x := t.Args[0]; x.Op == expr.OpRef && x.Decl.Role == expr.RoleHTTP {
			return b.Resolve(&expr.Term{Op: expr.OpRef, Type: t.Type, Decl: x.Decl, Start: t.Start, End: t.End})
		}
		o := b.lower(t.Args[0], "")
		o.V = plain(o.V, t.Type)
		return o
	case expr.OpNarrow:
		if isFree(t.Args[0].Type) {
			return b.freeNarrow(t)
		}
		return b.narrow(t)
	case expr.OpOptField:
		return b.optField(t)
	}
	raw := b.rawField(t)
	obj := t.Args[0].Type
	switch {
	case obj.Record || t.Type.Kind == types.Optional:
		return raw
	case t.EmptyOK:
		return raw
	}
	return b.present(t, raw)
}

// rawField reads a field in the form that can be nil, without a check of the
// field itself.
func (b *Builder) rawField(t *expr.Term) Operand {
	x := t.Args[0]
	if x.Op == expr.OpRef && x.Decl.Role == expr.RoleInput {
		return b.Input(t.Name)
	}
	if isFree(x.Type) {
		return b.freeMember(t)
	}
	o := b.lower(x, "")
	raw := o.field(t.Name)
	raw.V = Field{X: o.V, Owner: x.Type, Name: t.Name}
	return raw
}

// present checks that raw is there and returns its plain form. A path that was
// checked before is not checked again.
func (b *Builder) present(t *expr.Term, raw Operand) Operand {
	key := expr.PathKey(t)
	if key == "" || !b.known[key] {
		b.emit(Guard{Cond: Binary{"==", raw.V, Nil{}}, Fail: b.fail(FailMissing, t, raw, "")})
		if key != "" {
			b.known[key] = true
		}
	}
	raw.V = plain(raw.V, t.Type)
	return raw
}

// plain turns the form that can be nil into the plain one.
func plain(v Value, t *types.Type) Value {
	if Nilable(t) {
		return v
	}
	if a, ok := v.(Addr); ok {
		return a.X
	}
	return Deref{v}
}

// optField lowers x.?f, where x may itself be missing.
func (b *Builder) optField(t *expr.Term) Operand {
	x := t.Args[0]
	if isFree(x.Type) {
		return b.freeMember(t)
	}
	if x.Type.Kind != types.Optional {
		o := b.rawField(t)
		if x.Type.Record && !x.Type.Field(t.Name).Optional && !Nilable(t.Type.Elem) {
			o.V = Call{Func{valuePkg, "Ptr"}, []Value{o.V}}
		}
		return o
	}
	o := b.Named(x, "found")
	out := o.field(t.Name)
	name := b.fresh(naming.Local(t.Name))
	b.emit(Var{Name: name, Type: t.Type.Elem, Opt: true})
	owner := x.Type.Elem
	b.emit(If{Cond: Binary{"!=", o.V, Nil{}}, Then: &Block{Stmts: []Stmt{
		Assign{name, optionalForm(Field{X: o.V, Owner: owner, Name: t.Name}, owner, t)},
	}}})
	out.V = Local{name}
	return out
}

// optionalForm is the nil-able form of a field: the fields of records that are
// always there need their address taken.
func optionalForm(f Value, owner *types.Type, t *expr.Term) Value {
	if owner.Record && !owner.Field(t.Name).Optional && !Nilable(t.Type.Elem) {
		return Addr{f}
	}
	return f
}

var kindWords = map[types.Kind]string{
	types.Bool: "a boolean", types.Int: "an integer", types.Double: "a number", types.String: "text", types.List: "a list",
	types.Object: "an object", types.Map: "an object",
}

// narrow takes one variant of a union, which is a struct with a member for
// each JSON kind.
func (b *Builder) narrow(t *expr.Term) Operand {
	x := t.Args[0]
	if x.Type.Kind == types.Optional {
		return b.narrowOptional(t)
	}
	o := b.lower(x, "")
	raw := Operand{V: Field{X: o.V, Owner: x.Type, Kind: t.Type.Kind}, Step: o.Step, Path: o.Path}
	key := expr.PathKey(x)
	if key != "" {
		key += fmt.Sprintf("#%d", t.Type.Kind)
	}
	if key == "" || !b.known[key] {
		b.emit(Guard{Cond: Binary{"==", raw.V, Nil{}}, Fail: b.fail(FailKindOf, t, raw, kindWords[t.Type.Kind])})
		if key != "" {
			b.known[key] = true
		}
	}
	raw.V = plain(raw.V, t.Type)
	return raw
}

// narrowOptional takes the object of a union that may be missing: missing stays
// missing, another kind is an error.
func (b *Builder) narrowOptional(t *expr.Term) Operand {
	o := b.Named(t.Args[0], "found")
	out := Operand{V: Local{b.fresh("object")}, Step: o.Step, Path: o.Path}
	local := out.V.(Local)
	b.emit(Var{Name: local.Name, Type: t.Type.Elem, Opt: true})
	field := Field{X: o.V, Owner: t.Args[0].Type, Kind: t.Type.Elem.Kind}
	b.emit(If{Cond: Binary{"!=", o.V, Nil{}}, Then: &Block{Stmts: []Stmt{
		Guard{Cond: Binary{"==", field, Nil{}}, Fail: b.fail(FailKindOf, t, o, kindWords[t.Type.Elem.Kind])},
		Assign{local.Name, field},
	}}})
	return out
}

// test lowers has(), == null and hasValue().
func (b *Builder) test(t *expr.Term) Operand {
	x := t.Args[0]
	var raw Operand
	switch {
	case t.Op == expr.OpHas:
		if f := x.Type.Field(t.Name); x.Type.Record && f != nil && !f.Optional {
			return Operand{V: Const{true}}
		}
		raw = b.rawField(&expr.Term{Op: expr.OpField, Name: t.Name, Type: types.OptionalOf(types.InvalidType), Args: t.Args, Start: t.Start, End: t.End})
	case x.Op == expr.OpField && x.Type.Kind != types.Optional:
		raw = b.rawField(x)
	case x.Op == expr.OpOptField && x.Args[0].Type.Kind == types.Optional && !isFree(x.Args[0].Type) && !x.Args[0].Type.Elem.Record:
		return b.testBelow(t, x)
	default:
		raw = b.Named(x, "found")
	}
	op := "!="
	if t.Op == expr.OpIsMissing {
		op = "=="
	}
	return Operand{V: Binary{op, raw.V, Nil{}}}
}

// testBelow tests a field of what may itself be missing.
func (b *Builder) testBelow(t, field *expr.Term) Operand {
	o := b.Named(field.Args[0], "found")
	below := Field{X: o.V, Owner: field.Args[0].Type.Elem, Name: field.Name}
	if t.Op == expr.OpIsMissing {
		return Operand{V: Binary{"||", Binary{"==", o.V, Nil{}}, Binary{"==", below, Nil{}}}}
	}
	return Operand{V: Binary{"&&", Binary{"!=", o.V, Nil{}}, Binary{"!=", below, Nil{}}}}
}

func (b *Builder) unary(t *expr.Term) Operand {
	x := b.lower(t.Args[0], "x")
	switch {
	case t.Op == expr.OpNot:
		return Operand{V: not(x.V)}
	case t.Type.Kind == types.Int:
		return b.try(t, Func{valuePkg, "NegInt"}, []Value{x.V}, "negative")
	}
	return Operand{V: Unary{"-", b.variable(x.V, t.Type, "x")}}
}

var negated = map[string]string{"==": "!=", "!=": "=="}

func not(v Value) Value {
	switch v := v.(type) {
	case Unary:
		if v.Op == "!" {
			return v.X
		}
	case Binary:
		if op, ok := negated[v.Op]; ok {
			return Binary{op, v.L, v.R}
		}
	case Const:
		if c, ok := v.V.(bool); ok {
			return Const{!c}
		}
	}
	return Unary{"!", v}
}

// logical lowers && and ||. The right side runs only if it is needed, so its
// statements are in a block of their own.
func (b *Builder) logical(t *expr.Term, name string) Operand {
	l := b.lower(t.Args[0], "ok")
	and := t.Op == expr.OpAnd
	if left, known := l.V.(Const); known {
		if left.V == and { // the right side alone decides
			return b.lower(t.Args[1], name)
		}
		return l
	}
	ok := b.fresh(localOr(name, "ok"))
	var r Operand
	right := b.inBlock(expr.Facts(t.Args[0], and), func() { r = b.lower(t.Args[1], "ok") })
	op := map[bool]string{true: "&&", false: "||"}[and]
	if right.Stmts == nil {
		if c, known := r.V.(Const); known {
			b.Names.Release(ok)
			if c.V == and {
				return l
			}
			return r
		}
	}
	if len(right.Stmts) == 0 && !repeats(op, l.V, r.V) {
		b.Names.Release(ok)
		return Operand{V: Binary{op, l.V, r.V}}
	}
	right.Stmts = append(right.Stmts, Assign{ok, r.V})
	b.emit(Define{Name: ok, V: l.V, Type: types.BoolType})
	var cond Value = Local{ok}
	if !and {
		cond = not(cond)
	}
	b.emit(If{Cond: cond, Then: right})
	return Operand{V: Local{ok}}
}

// repeats reports whether two sides of && or || hold a condition twice, or two
// that leave only one outcome: x != 1 || x != 2. Go vet refuses both within one
// expression.
func repeats(op string, l, r Value) bool {
	never := map[string]string{"&&": "==", "||": "!="}[op]
	for _, a := range operands(op, l) {
		for _, c := range operands(op, r) {
			x, isTest := a.(Binary)
			y, both := c.(Binary)
			if reflect.DeepEqual(a, c) || isTest && both && x.Op == never && y.Op == never && reflect.DeepEqual(x.L, y.L) {
				return true
			}
		}
	}
	return false
}

// operands takes a chain of one operator apart.
func operands(op string, v Value) []Value {
	if c, ok := v.(Binary); ok && c.Op == op {
		return append(operands(op, c.L), operands(op, c.R)...)
	}
	return []Value{v}
}

func localOr(name, other string) string {
	if name == "" {
		name = other
	}
	return naming.Local(name)
}

func (b *Builder) cond(t *expr.Term, name string) Operand {
	test := b.lower(t.Args[0], "ok")
	if c, known := test.V.(Const); known {
		return b.lower(map[any]*expr.Term{true: t.Args[1], false: t.Args[2]}[c.V], name)
	}
	local := b.fresh(localOr(name, "chosen"))
	opt := t.Type.Kind == types.Optional
	elem := t.Type
	if opt {
		elem = t.Type.Elem
	}
	b.emit(Var{Name: local, Type: elem, Opt: opt})
	var origins [2]Operand
	var blocks [2]*Block
	for i, arm := range t.Args[1:] {
		blocks[i] = b.inBlock(expr.Facts(t.Args[0], i == 0), func() { origins[i] = b.assign(local, arm) })
	}
	b.emit(If{Cond: test.V, Then: blocks[0], Else: blocks[1]})
	out := merge(origins[0], origins[1])
	out.V = Local{local}
	return out
}

// merge is the place of a value that came from one of two places: without
// indexes where only these differ.
func merge(a, b Operand) Operand {
	if a.Step != b.Step {
		return Operand{}
	}
	if a.Path != b.Path {
		a.Path, b.Path = anyIndex.ReplaceAllString(a.Path, "[]"), anyIndex.ReplaceAllString(b.Path, "[]")
	}
	if a.Path != b.Path {
		return Operand{Step: a.Step}
	}
	return Operand{Step: a.Step, Path: a.Path}
}

var anyIndex = regexp.MustCompile(`\[[0-9]+\]`)

// assign writes local = arm; an arm that is ?: itself becomes an else-if on
// the same variable.
func (b *Builder) assign(local string, arm *expr.Term) Operand {
	if arm.Op != expr.OpCond {
		o := b.lower(arm, local)
		b.emit(Assign{local, o.V})
		return o
	}
	test := b.lower(arm.Args[0], "ok")
	if c, known := test.V.(Const); known {
		return b.assign(local, map[any]*expr.Term{true: arm.Args[1], false: arm.Args[2]}[c.V])
	}
	var origins [2]Operand
	var blocks [2]*Block
	for i, inner := range arm.Args[1:] {
		blocks[i] = b.inBlock(expr.Facts(arm.Args[0], i == 0), func() { origins[i] = b.assign(local, inner) })
	}
	b.emit(If{Cond: test.V, Then: blocks[0], Else: blocks[1]})
	return merge(origins[0], origins[1])
}

// try emits a call that can fail.
func (b *Builder) try(t *expr.Term, fn Func, args []Value, name string) Operand {
	local := b.fresh(localOr(name, fn.Name))
	b.emit(Try{Name: local, Fn: fn, Args: args, Fail: b.fail(FailValue, t, Operand{Step: b.origin(t)}, "")})
	return Operand{V: Local{local}}
}

// origin is the step whose answers a value is computed from, "" where an input may
// take part: what is wrong with that one the caller can change.
func (b *Builder) origin(t *expr.Term) string {
	step := ""
	for _, d := range t.Refs() {
		switch d.Role {
		case expr.RoleConst, expr.RoleEnv, expr.RoleCall:
			continue
		}
		o := b.vars[d]
		if o.Step == "" {
			return ""
		}
		step = o.Step
	}
	return step
}

// variable puts a constant into a variable. Go judges constants while it
// compiles, and refuses an index, a quotient or a number out of range; what is
// wrong with a call is said when it runs.
func (b *Builder) variable(v Value, t *types.Type, name string) Value {
	if !constant(v) {
		return v
	}
	local := b.fresh(name)
	b.emit(Define{Name: local, V: v, Type: t})
	return Local{local}
}

// constant reports whether Go knows v while it compiles.
func constant(v Value) bool {
	switch v := v.(type) {
	case Const:
		return true
	case Convert:
		return constant(v.X)
	}
	return false
}

func constText(v Value) (string, bool) {
	if convert, ok := v.(Convert); ok {
		v = convert.X
	}
	c, ok := v.(Const)
	if !ok {
		return "", false
	}
	switch x := c.V.(type) {
	case int64:
		return strconv.FormatInt(x, 10), true
	case string:
		return strconv.Quote(x), true
	}
	return "", false
}
