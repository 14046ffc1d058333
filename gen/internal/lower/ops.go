package lower

import (
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// index lowers x[i] and x[?i].
func (b *Builder) index(t *expr.Term, name string) Operand {
	x := t.Args[0]
	if x.Op == expr.OpFilter && isZero(t.Args[1]) && x.Args[0].Type.Kind == types.List {
		return b.firstMatch(t, x, name)
	}
	typ := x.Type
	switch {
	case expr.IsSwitch(t):
		return b.choose(t, name)
	case isFree(typ):
		return b.freeIndex(t, name)
	case typ.Kind == types.Optional:
		return b.indexOptional(t, name)
	}
	list := b.Named(x, "list")
	if typ.Kind == types.Map {
		return b.lookup(t, list, name)
	}
	i := b.position(t.Args[1])
	out := Operand{Step: list.Step, Path: list.Path + elementPath(i.V)}
	if t.Op == expr.OpOptIndex {
		return b.optElement(t, list, i, out)
	}
	b.checkIndex(t, list, i)
	out.V = Index{list.V, goInt(i.V)}
	if typ.NullableElem || typ.Elem.Kind == types.Dyn {
		return b.present(t, out)
	}
	return out
}

// choose lowers a literal map that an enum indexes: a choice between values. An
// answer may break its own schema, so there is an end for any other value; an
// input has one of its values, so the last of them needs no test.
func (b *Builder) choose(t *expr.Term, name string) Operand {
	i := b.Named(t.Args[1], "key")
	entries := t.Args[0].Args
	local := b.fresh(localOr(name, "chosen"))
	b.emit(Var{Name: local, Type: t.Type})
	arm := func(k int) *Block {
		return b.inBlock(nil, func() { b.emit(Assign{local, b.lower(entries[k+1], local).V}) })
	}
	last := len(entries) - 2
	end := &Block{Stmts: []Stmt{Guard{Fail: b.fail(FailNoElement, t, i, "is no key of the map")}}}
	if isInput(t.Args[1]) {
		end = arm(last)
		last -= 2
	}
	for k := last; k >= 0; k -= 2 {
		then := arm(k)
		end = &Block{Stmts: []Stmt{If{Cond: Binary{"==", i.V, Const{entries[k].Lit}}, Then: then, Else: end}}}
	}
	b.block.Stmts = append(b.block.Stmts, end.Stmts...)
	return Operand{V: Local{local}}
}

// isInput reports whether t is an input, which was checked before anything runs.
func isInput(t *expr.Term) bool {
	return t.Op == expr.OpField && t.Args[0].Op == expr.OpRef && t.Args[0].Decl.Role == expr.RoleInput
}

func isZero(t *expr.Term) bool {
	i, ok := t.Lit.(int64)
	return ok && t.Op == expr.OpConst && i == 0
}

// elementPath shows a constant index and hides any other.
func elementPath(i Value) string {
	if text, ok := constText(i); ok {
		return "[" + text + "]"
	}
	return "[]"
}

// position lowers the index of a list.
func (b *Builder) position(t *expr.Term) Operand {
	i := b.lower(t, "i")
	if c, ok := goInt(i.V).(Const); ok {
		if _, small := c.V.(int); !small {
			i.V = b.variable(i.V, t.Type, "i")
		}
	}
	return i
}

// goInt makes an index of an int64: a constant stands for itself.
func goInt(v Value) Value {
	if c, ok := v.(Const); ok {
		if i, ok := c.V.(int64); ok && i >= 0 && i < 1<<31 {
			return Const{int(i)}
		}
	}
	return v
}

func lenOf(list Value) Value { return Call{Func{"", "len"}, []Value{list}} }

// outside is the condition that i is not an index of the list.
func outside(list, i Value) Value {
	if c, ok := goInt(i).(Const); ok {
		if n, ok := c.V.(int); ok {
			if n == 0 {
				return Binary{"==", lenOf(list), Const{0}}
			}
			return Binary{"<=", lenOf(list), Const{n}}
		}
	}
	return Binary{"||", Binary{"<", i, Const{0}}, Binary{">=", i, Call{Func{"", "int64"}, []Value{lenOf(list)}}}}
}

func (b *Builder) checkIndex(t *expr.Term, list, i Operand) {
	key := expr.PathKey(t)
	if key != "" && b.known[key+"!"] || isZero(t.Args[1]) && b.hasElements(t.Args[0]) || inLiteral(t) {
		return
	}
	f := b.fail(FailIndex, t, list, "")
	f.Index, f.List = i.V, list.V
	b.emit(Guard{Cond: outside(list.V, i.V), Fail: f})
	if key != "" {
		b.known[key+"!"] = true
	}
}

// inLiteral reports whether a constant is indexed with what it has.
func inLiteral(t *expr.Term) bool {
	of, k := t.Args[0], t.Args[1].Lit
	if of.Op == expr.OpRef && of.Decl.Literal != nil {
		of = of.Decl.Literal
	}
	switch i, isInt := k.(int64); {
	case t.Args[1].Op != expr.OpConst:
		return false
	case of.Op == expr.OpList:
		return isInt && i >= 0 && i < int64(len(of.Args))
	case of.Op == expr.OpMap:
		for i := 0; i < len(of.Args); i += 2 {
			if of.Args[i].Lit == k {
				return true
			}
		}
	}
	return false
}

// hasElements reports whether a list is known to have an element: by what was
// checked before, or since it is a text in parts.
func (b *Builder) hasElements(list *expr.Term) bool {
	if list.Op == expr.OpCall && list.Name == "string.split(string)" {
		by, ok := list.Args[1].Lit.(string)
		return ok && by != ""
	}
	return expr.AtLeast(list, slices.Collect(maps.Keys(b.known))) > 0
}

// optElement lowers list[?i].
func (b *Builder) optElement(t *expr.Term, list, i, out Operand) Operand {
	elem := t.Type.Elem
	pointed := !Nilable(elem) && !nullableElements(t.Args[0].Type)
	if isZero(t.Args[1]) {
		out.V = Call{Func{valuePkg, map[bool]string{true: "First", false: "FirstOrNil"}[pointed]}, []Value{list.V}}
		return out
	}
	local := b.fresh("element")
	var v Value = Index{list.V, goInt(i.V)}
	if pointed {
		v = Addr{v}
	}
	b.emit(Var{Name: local, Type: elem, Opt: true})
	b.emit(If{Cond: not(outside(list.V, i.V)), Then: &Block{Stmts: []Stmt{Assign{local, v}}}})
	out.V = Local{local}
	return out
}

// nullableElements reports whether the elements of a list or map, which may
// itself be missing, can be null: they have the form that can be nil then.
func nullableElements(t *types.Type) bool {
	if t.Kind == types.Optional {
		t = t.Elem
	}
	return t.NullableElem
}

// indexOptional lowers x[i] where x may be missing: the result may be too.
func (b *Builder) indexOptional(t *expr.Term, name string) Operand {
	list := b.Named(t.Args[0], "list")
	inner := *t
	inner.Op = expr.OpOptIndex
	if t.Args[0].Type.Elem.Kind == types.Map {
		return b.lookup(&inner, list, name)
	}
	// A missing list is a nil slice: it has no element i.
	i := b.position(t.Args[1])
	return b.optElement(&inner, list, i, Operand{Step: list.Step, Path: list.Path + elementPath(i.V)})
}

// lookup lowers m[k] and m[?k] of a map.
func (b *Builder) lookup(t *expr.Term, m Operand, name string) Operand {
	k := Operand{V: b.mapKey(t.Args[1], elemOf(t.Args[0].Type))}
	out := Operand{Step: m.Step, Path: m.Path + elementPath(k.V)}
	nullable := nullableElements(t.Args[0].Type) || t.Type.Kind == types.Dyn
	if t.Op == expr.OpIndex && (b.known[keyOf(t.Args[1], t.Args[0])] || inLiteral(t)) && !nullable {
		out.V = Index{m.V, k.V}
		return out
	}
	if t.Op == expr.OpIndex {
		local, ok := b.fresh(localOr(name, "entry")), b.fresh("ok")
		b.emit(Lookup{Name: local, Ok: ok, Map: m.V, Key: k.V})
		b.emit(Guard{Cond: not(Local{ok}), Fail: b.fail(FailNoElement, t, m, "has no such key")})
		out.V = Local{local}
		if nullable {
			return b.present(t, out)
		}
		return out
	}
	if Nilable(t.Type.Elem) || nullableElements(t.Args[0].Type) {
		out.V = Index{m.V, k.V} // absent is nil, which is the form of missing
		return out
	}
	out.V = Call{Func{valuePkg, "Entry"}, []Value{m.V, k.V}}
	return out
}

// keyOf is the fact that a variable is a key of a map, as in a loop over its
// keys.
func keyOf(key, m *expr.Term) string {
	of := expr.PathKey(m)
	if key.Op != expr.OpRef || of == "" {
		return ""
	}
	return expr.PathKey(key) + " is a key of " + of
}

// firstMatch lowers xs.filter(p, c)[0] as a loop that stops at the first hit.
func (b *Builder) firstMatch(t, filter *expr.Term, name string) Operand {
	xs := b.lower(filter.Args[0], "list")
	elem := filter.Args[0].Type.Elem
	local := b.fresh(localOr(name, "found"))
	b.emit(Var{Name: local, Type: elem, Opt: true})
	v, body := b.body(filter.Var, xs, func(o Operand) {
		cond := b.lower(filter.Body, "ok")
		hit := o.V
		if !Nilable(elem) && !filter.Args[0].Type.NullableElem {
			hit = Addr{hit}
		}
		b.emit(If{Cond: cond.V, Then: &Block{Stmts: []Stmt{Assign{local, hit}, Break{}}}})
	})
	b.hoist(body, v)
	b.emit(Range{Elem: v, Over: xs.V, Body: body})
	out := Operand{V: Local{local}, Step: xs.Step, Path: xs.Path + "[]"}
	if t.Op == expr.OpOptIndex {
		return out
	}
	b.emit(Guard{Cond: Binary{"==", Local{local}, Nil{}}, Fail: b.fail(FailNoElement, t, xs, "has no element that matches")})
	out.V = plain(out.V, elem)
	return out
}

func (b *Builder) binary(t *expr.Term, name string) Operand {
	l, r := b.lower(t.Args[0], ""), b.lower(t.Args[1], "")
	if t.Op == expr.OpIn {
		if isFree(t.Args[1].Type) {
			return Operand{V: b.tryAt(t, r, Func{valuePkg, "In"}, []Value{l.V, r.V}, "ok")}
		}
		return Operand{V: contains(t, l.V, r.V)}
	}
	kind := t.Args[0].Type.Kind
	switch t.Name {
	case "==", "!=":
		eq := equal(t.Args[0].Type, l.V, r.V)
		if b, ok := eq.(Binary); ok {
			eq = shortLength(b)
		}
		if t.Name == "!=" {
			eq = not(eq)
		}
		return Operand{V: eq}
	case "<", "<=", ">", ">=":
		return Operand{V: compare(kind, t.Name, l.V, r.V)}
	}
	return b.arithmetic(t, l.V, r.V, name)
}

func contains(t *expr.Term, l, r Value) Value {
	if t.Args[1].Type.Kind == types.Map {
		return Call{Func{valuePkg, "HasKey"}, []Value{r, l}}
	}
	return Call{Func{"slices", "Contains"}, []Value{r, l}}
}

func equal(t *types.Type, l, r Value) Value {
	switch t.Kind {
	case types.Bytes:
		return Call{Func{"bytes", "Equal"}, []Value{l, r}}
	case types.Timestamp:
		return Method{X: l, Name: "Equal", Args: []Value{r}}
	case types.List:
		return Call{Func{"slices", "Equal"}, []Value{l, r}}
	case types.Map:
		return Call{Func{"maps", "Equal"}, []Value{l, r}}
	case types.Dyn:
		return Call{Func{valuePkg, "Equal"}, []Value{l, r}}
	}
	return Binary{"==", l, r}
}

func compare(k types.Kind, op string, l, r Value) Value {
	switch k {
	case types.Bool:
		return Binary{op, Call{Func{valuePkg, "CompareBool"}, []Value{l, r}}, Const{0}}
	case types.Bytes:
		return Binary{op, Call{Func{"bytes", "Compare"}, []Value{l, r}}, Const{0}}
	case types.Timestamp:
		return Binary{op, Method{X: l, Name: "Compare", Args: []Value{r}}, Const{0}}
	}
	return shortLength(Binary{op, l, r})
}

// shortLength compares a length as Go writes it: len(x) == 0.
func shortLength(b Binary) Value {
	c, ok := b.L.(Call)
	if !ok || c.Fn != (Func{"", "int64"}) {
		return b
	}
	k, ok := goInt(b.R).(Const)
	if _, isInt := k.V.(int); !ok || !isInt {
		return b
	}
	b.L, b.R = c.Args[0], k
	if b.Op == ">" && k.V == 0 {
		b.Op = "!="
	}
	return b
}

// arithmetic lowers + - * / %: checked for integers and times, plain for
// doubles, text and lists.
func (b *Builder) arithmetic(t *expr.Term, l, r Value, name string) Operand {
	a, c := t.Args[0].Type.Kind, t.Args[1].Type.Kind
	switch {
	case a == types.String:
		return Operand{V: Binary{t.Name, l, r}}
	case a == types.Double:
		return Operand{V: Binary{t.Name, b.variable(l, types.DoubleType, "x"), r}}
	case a == types.Int:
		return b.try(t, Func{valuePkg, arithmetic[t.Name] + "Int"}, []Value{l, r}, name)
	case a == types.Uint:
		return b.try(t, Func{valuePkg, arithmetic[t.Name] + "Uint"}, []Value{l, r}, name)
	case a == types.List || a == types.Bytes:
		return Operand{V: Call{Func{"slices", "Concat"}, []Value{l, r}}}
	case a == types.Duration && c == types.Timestamp:
		return b.try(t, Func{valuePkg, "AddTime"}, []Value{r, l}, name)
	case a == types.Timestamp && c == types.Timestamp:
		return b.try(t, Func{valuePkg, "Between"}, []Value{l, r}, name)
	case a == types.Timestamp:
		return b.try(t, Func{valuePkg, arithmetic[t.Name] + "Time"}, []Value{l, r}, name)
	}
	return b.try(t, Func{valuePkg, arithmetic[t.Name] + "Duration"}, []Value{l, r}, name)
}

func (b *Builder) call(t *expr.Term, name string) Operand {
	if x := t.Args; t.Name == "list.first" && x[0].Op == expr.OpFilter && x[0].Args[0].Type.Kind == types.List {
		return b.firstMatch(&expr.Term{Op: expr.OpOptIndex, Type: t.Type, Args: x, Start: t.Start, End: t.End}, x[0], name)
	}
	if n, ok := Taken(t); ok {
		return b.Head(t.Args[0], n, name)
	}
	args := make([]Value, len(t.Args))
	var first Operand
	for i, a := range t.Args {
		o := b.lower(a, "")
		args[i] = o.V
		if i == 0 {
			first = o
		}
	}
	if identities[t.Name] {
		return first
	}
	if f, ok := functions[t.Name]; ok {
		if t.Name == "size(dyn)" {
			return Operand{V: b.tryAt(t, first, f.Func, args, localOr(name, "size"))}
		}
		var out Operand
		switch {
		case f.fails:
			out = b.try(t, f.Func, args, name)
		case t.Name == "size":
			out.V = Call{Func{"", "int64"}, []Value{Call{f.Func, args}}}
		default:
			out.V = Call{f.Func, args}
		}
		if strings.HasPrefix(t.Name, "list.") { // a part of the list, or the list in another order
			out.Step, out.Path = first.Step, first.Path
		}
		return out
	}
	if t.Name == "format" {
		return b.format(t, args, name)
	}
	if getter, ok := strings.CutPrefix(t.Name, "timestamp."); ok {
		return b.clock(t, getter[:strings.IndexByte(getter, '(')], args)
	}
	return b.special(t, args, first)
}

// format lowers "...".format([...]); its values go along as any.
func (b *Builder) format(t *expr.Term, args []Value, name string) Operand {
	return b.try(t, Func{valuePkg, "Format"}, args, name)
}

// clock lowers the getters of timestamps; without a zone they read UTC.
func (b *Builder) clock(t *expr.Term, getter string, args []Value) Operand {
	var zone Value = Global{"time", "UTC"}
	if len(args) == 2 {
		zone = b.try(t, Func{valuePkg, "Zone"}, args[1:], "zone").V
	}
	return Operand{V: Call{Func{valuePkg, clockGetters[getter]}, []Value{args[0], zone}}}
}

// special lowers the functions that need more than a call.
func (b *Builder) special(t *expr.Term, args []Value, first Operand) Operand {
	switch t.Name {
	case "extra":
		first.V = Field{X: args[0], Owner: t.Args[0].Type, Extra: true}
		return first
	case "size(bytes)", "bytes.size()":
		return Operand{V: Call{Func{"", "int64"}, []Value{lenOf(args[0])}}}
	case "list(string).join()":
		return Operand{V: Call{Func{"strings", "Join"}, []Value{args[0], Const{""}}}}
	case "double(int)", "double(uint)", "math.sqrt(int)", "math.sqrt(uint)":
		v := Value(Convert{To: types.DoubleType, X: args[0]})
		if strings.HasPrefix(t.Name, "math") {
			v = Call{Func{"math", "Sqrt"}, []Value{v}}
		}
		return Operand{V: v}
	case "bytes(string)":
		return Operand{V: Call{Func{"", "[]byte"}, args}}
	case "math.greatest(dyn)", "math.least(dyn)":
		return Operand{V: Call{Func{valuePkg, map[string]string{"math.greatest(dyn)": "GreatestAny", "math.least(dyn)": "LeastAny"}[t.Name]}, args}}
	case "math.greatest", "math.least":
		if len(args) == 1 {
			return Operand{V: args[0]}
		}
		for i := range args {
			args[i] = typed(args[i])
		}
		return Operand{V: Call{Func{valuePkg, map[string]string{"math.greatest": "Greatest", "math.least": "Least"}[t.Name]}, args}}
	case "matches":
		return Operand{V: Method{X: b.pattern(args), Name: "MatchString", Args: args[:1]}}
	case "regex.replace":
		return Operand{V: Method{X: b.pattern(args), Name: "ReplaceAllString", Args: []Value{args[0], args[2]}}}
	case "regex.extract", "regex.extractAll":
		v := Call{Func{valuePkg, "ExtractAll"}, []Value{b.pattern(args), args[0]}}
		if t.Name == "regex.extract" {
			v = Call{Func{valuePkg, "First"}, []Value{v}}
		}
		return Operand{V: v}
	case "list.first", "list.last":
		fn := map[string]string{"list.first": "First", "list.last": "Last"}[t.Name]
		if Nilable(t.Type.Elem) || t.Args[0].Type.NullableElem {
			fn += "OrNil"
		}
		return Operand{V: Call{Func{valuePkg, fn}, args}, Step: first.Step, Path: first.Path + "[]"}
	}
	panic("lower: no Go for " + t.Name)
}

// pattern is the second argument of a function, which is a pattern.
func (b *Builder) pattern(args []Value) Pattern {
	text := args[1].(Const).V.(string)
	if _, known := b.PatternsOf[text]; !known && b.PatternsOf != nil {
		b.PatternsOf[text] = b.about
	}
	return Pattern{text}
}

// literal lowers list, map and record literals and text templates.
func (b *Builder) literal(t *expr.Term, name string) Operand {
	if t.Op == expr.OpList && (hasOptional(t.Opts) || t.Type.NullableElem) {
		return b.listWithOptionals(t, name)
	}
	values := make([]Value, len(t.Args))
	for i, a := range t.Args {
		if t.Op == expr.OpMap && i%2 == 0 {
			values[i] = b.mapKey(a, t.Type)
			continue
		}
		values[i] = b.lower(a, "").V
	}
	switch t.Op {
	case expr.OpList:
		return Operand{V: List{Elem: t.Type.Elem, Values: values}}
	case expr.OpMap:
		return Operand{V: Map{Type: t.Type, Entries: values}}
	case expr.OpRecord:
		return Operand{V: Record{Type: t.Type, Values: values}}
	}
	sum := values[0]
	for _, v := range values[1:] {
		sum = Binary{"+", sum, v}
	}
	return Operand{V: sum}
}

func hasOptional(opts []bool) bool {
	for _, o := range opts {
		if o {
			return true
		}
	}
	return false
}

func (b *Builder) listWithOptionals(t *expr.Term, name string) Operand {
	local := b.fresh(localOr(name, "list"))
	b.emit(Var{Name: local, Type: t.Type})
	for i, a := range t.Args {
		if !t.Opts[i] {
			b.emit(Append{local, b.lower(a, "x").V})
			continue
		}
		o := b.Named(a, "element")
		b.emit(If{Cond: Binary{"!=", o.V, Nil{}}, Then: &Block{Stmts: []Stmt{Append{local, plain(o.V, t.Type.Elem)}}}})
	}
	return Operand{V: Local{local}}
}
