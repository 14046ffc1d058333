package lower

import "slices"

// Turns declares the counter of the turns that the loops of a function make.
type Turns struct{}

// Take counts what is about to be gone over: the lengths of Of, or, without
// them, something whose length is not at hand. It fails when the context of the
// function is over.
type Take struct{ Of []Value }

func (Turns) stmt() {}
func (Take) stmt()  {}

// Meter makes the loops of a function look at its context, where all of them
// together may make more turns than the answers have elements and characters.
//
// A loop over an answer makes no more turns than that, and so does one inside it
// over what belongs to its own element: answers are bounded, so neither looks at
// anything. What callers and the manifest say is short. Whatever else a loop goes
// over in each of its turns (another list, a text from outside, all elements once more)
// multiplies, and is counted before. apart reports whether the blocks of a node are
// functions of their own, which may run at the same time; short are the variables that
// hold inputs and constants.
func Meter(b *Block, apart func(Foreign) bool, short ...string) {
	m := &meter{apart: apart, owner: map[string]*span{}, home: map[string]*span{}, short: map[string]bool{}}
	for _, name := range short {
		m.short[name] = true
	}
	m.function(b, &span{linear: true})
}

// A span is a function or the body of a loop. It is linear if all its turns
// together go over each part of an answer a fixed number of times at most, as
// long as they go over what they own.
type span struct {
	linear, loop bool
	// elem is the variable of the loop, keys the map whose keys it goes over.
	elem, keys string
}

type meter struct {
	apart func(Foreign) bool
	// home is where a variable of a statement was declared; all others hold
	// answers, or are short.
	home map[string]*span
	// owner is the span in which no other turn has the part of an answer that a
	// variable holds.
	owner map[string]*span
	short map[string]bool
}

// An extent says how long a value may be for its span.
type extent uint8

const (
	short  extent = iota // whatever the answers are
	owned                // in all turns together as long as an answer
	shared               // as long as an answer in each turn
)

func (m *meter) function(b *Block, in *span) {
	if m.block(b, in) {
		b.Stmts = slices.Insert(b.Stmts, 0, Stmt(Turns{}))
	}
}

// block meters a block and reports whether it needs the counter.
func (m *meter) block(b *Block, in *span) bool {
	if b == nil {
		return false
	}
	counted := false
	var out []Stmt
	for _, st := range b.Stmts {
		if in.loop {
			if take, ok := m.taken(st, in); ok {
				out, counted = append(out, take), counted || len(take.Of) > 0
			}
		}
		counted = m.inside(st, in) || counted
		m.note(st, in)
		out = append(out, st)
	}
	b.Stmts = out
	return counted
}

// inside meters the blocks of a statement.
func (m *meter) inside(st Stmt, in *span) bool {
	if r, ok := st.(Range); ok {
		return m.block(r.Body, m.turn(r, in))
	}
	counted := false
	for _, inner := range Blocks(st) {
		if node, ok := st.(Node); ok && m.apart(node.Data) {
			m.function(inner, in)
			continue
		}
		counted = m.block(inner, in) || counted
	}
	return counted
}

// turn is the span of the body of a loop.
func (m *meter) turn(r Range, in *span) *span {
	extent := m.extent(r.Over, in)
	m.set(r.Index, in, short)
	m.set(r.Elem, in, extent)
	if extent == short {
		return in
	}
	s := &span{loop: true, elem: r.Elem, linear: in.linear && extent == owned}
	if c, ok := r.Over.(Call); ok && c.Fn == keysOf {
		s.keys = Text(c.Args[0])
	}
	m.set(r.Elem, s, shared)
	if s.linear {
		m.set(r.Elem, s, owned)
	}
	return s
}

var keysOf = Func{valuePkg, "Keys"}

// set notes what a variable holds that is declared in a span.
func (m *meter) set(name string, in *span, e extent) {
	m.home[name], m.short[name] = in, e == short
	if m.owner[name] = nil; e == owned {
		m.owner[name] = in
	}
}

// note follows what the variables hold.
func (m *meter) note(st Stmt, in *span) {
	switch s := st.(type) {
	case Define:
		m.set(s.Name, in, m.extent(s.V, in))
	case Var, MakeMap:
		m.set(formOf(st).declares, in, short)
	case MakeList:
		if !s.There {
			m.set(s.Name, in, short)
		}
	case Try:
		m.set(s.Name, in, m.extent(Call{Fn: s.Fn, Args: s.Args}, in))
	case Lookup:
		m.set(s.Name, in, m.extent(s.Map, in))
		m.set(s.Ok, in, short)
	case Assign:
		m.grow(s.Name, m.extent(s.V, in), in)
	case Append:
		m.grow(s.List, m.more(in, s.V), in)
	case Put:
		m.grow(s.Map, m.more(in, s.Key, s.V), in)
	}
}

// more is the extent of what a turn adds: as many turns as an answer has elements
// make a long list of short values.
func (m *meter) more(in *span, vs ...Value) extent {
	e := m.longest(vs, in)
	if in.loop {
		e = max(e, owned)
	}
	return e
}

// grow notes that a variable holds something more.
func (m *meter) grow(name string, e extent, in *span) {
	switch {
	case e == short:
	case e == owned && in.linear:
		if m.short[name] {
			m.short[name], m.owner[name] = false, m.home[name]
		}
	default:
		m.short[name], m.owner[name] = false, nil
	}
}

// extent says how long a value may be.
func (m *meter) extent(v Value, in *span) extent {
	switch v := v.(type) {
	case Local:
		_, made := m.home[v.Name]
		switch {
		case m.short[v.Name]:
			return short
		case made && m.owner[v.Name] == in, !made && !in.loop:
			return owned
		}
		return shared
	case Index:
		if i, isLocal := v.I.(Local); isLocal && in.linear && in.keys != "" && i.Name == in.elem && Text(v.X) == in.keys {
			return owned
		}
		return m.extent(v.X, in)
	case Call:
		return m.result(v, in)
	}
	e := short
	visitValue(v, func(part Value) Value {
		if part != nil {
			e = max(e, m.extent(part, in))
		}
		return part
	})
	return e
}

// result says how long the result of a function may be.
func (m *meter) result(c Call, in *span) extent {
	e := m.longest(c.Args, in)
	if repeating[c.Fn] && len(c.Args) > 1 && m.longest(c.Args[1:], in) != short || c.Fn == numbers && !isConst(c.Args[0]) {
		return shared
	}
	return e
}

func (m *meter) longest(vs []Value, in *span) extent {
	e := short
	for _, v := range vs {
		e = max(e, m.extent(v, in))
	}
	return e
}

// taken is the count that goes before a statement of a loop.
func (m *meter) taken(st Stmt, in *span) (Take, bool) {
	c := &counting{meter: m, in: in}
	switch s := st.(type) {
	case Range:
		c.over(s.Over, true)
		c.value(s.Over, true)
	case Try:
		c.value(Call{Fn: s.Fn, Args: s.Args}, true)
	default:
		visit(st, func(v Value) Value {
			c.value(v, true)
			return v
		})
	}
	if c.unknown {
		c.of = nil
	}
	return Take{Of: c.of}, c.unknown || len(c.of) > 0
}

// counting collects what the values of one statement go over.
type counting struct {
	*meter
	in *span
	of []Value
	// unknown: something whose length cannot be taken before.
	unknown bool
}

// over counts a value if it may be long for the span.
func (c *counting) over(v Value, certain bool) {
	if e := c.extent(v, c.in); e == shared || e == owned && !c.in.linear {
		c.add(v, certain)
	}
}

// add counts a value of some length. One that may not be evaluated cannot be
// looked at before: what leads to it may be nil.
func (c *counting) add(v Value, certain bool) {
	if call, ok := v.(Call); ok && (call.Fn == keysOf || call.Fn == Func{valuePkg, "Head"}) {
		v = call.Args[0]
	}
	switch {
	case !certain || !atHand(v):
		c.unknown = true
	case !slices.ContainsFunc(c.of, func(o Value) bool { return Text(o) == Text(v) }):
		c.of = append(c.of, v)
	}
}

// atHand reports whether a value is a variable or in one.
func atHand(v Value) bool {
	switch v := v.(type) {
	case Local:
		return true
	case Field:
		return atHand(v.X)
	case Member:
		return atHand(v.X)
	case Deref:
		return atHand(v.X)
	case Index:
		return atHand(v.X) && (atHand(v.I) || isConst(v.I))
	}
	return false
}

// value counts what the calls in a value go over.
func (c *counting) value(v Value, certain bool) {
	switch v := v.(type) {
	case nil:
		return
	case Binary:
		c.value(v.L, certain)
		c.value(v.R, certain && !junction[v.Op])
		return
	case Call:
		c.call(v.Fn, v.Args, certain)
	case Method:
		if _, isPattern := v.X.(Pattern); isPattern {
			c.over(v.Args[0], certain)
		}
	}
	visitValue(v, func(part Value) Value {
		c.value(part, certain)
		return part
	})
}

// call counts what a function goes over.
func (c *counting) call(fn Func, args []Value, certain bool) {
	if at, sized := lengths[fn]; sized {
		if fn == (Func{"strings", "HasPrefix"}) || fn == (Func{"strings", "HasSuffix"}) { // as long as the shorter one
			if c.extent(args[1-at], c.in) < c.extent(args[at], c.in) {
				at = 1 - at
			}
		}
		c.over(args[at], certain)
	}
	if e := c.longest(args, c.in); wholes[fn] && (fn == numbers && !isConst(args[0]) || e == shared || e == owned && !c.in.linear) {
		c.unknown = true
	}
}

func isConst(v Value) bool {
	_, ok := v.(Const)
	return ok
}

// lengths are the functions that go over one of their arguments, a text or a list, and which
// it is. Those of neither table take the same time for any arguments, or that
// of a number.
var lengths = map[Func]int{
	{"strings", "Contains"}: 0, {"strings", "HasPrefix"}: 1, {"strings", "HasSuffix"}: 1, {"strings", "ReplaceAll"}: 0, {"strings", "Split"}: 0,
	{"strings", "Join"}: 0, {"slices", "Contains"}: 0, {"slices", "Equal"}: 0, {"maps", "Equal"}: 0, {"bytes", "Equal"}: 0, {"bytes", "Compare"}: 0,
	{"net/url", "QueryEscape"}: 0,
	{valuePkg, "Size"}:         0, {valuePkg, "LowerASCII"}: 0, {valuePkg, "UpperASCII"}: 0, {valuePkg, "Trim"}: 0, {valuePkg, "Reverse"}: 0,
	{valuePkg, "CharAt"}: 0, {valuePkg, "IndexOf"}: 0, {valuePkg, "IndexOfFrom"}: 0, {valuePkg, "LastIndexOf"}: 0, {valuePkg, "LastIndexOfFrom"}: 0,
	{valuePkg, "Replace"}: 0, {valuePkg, "Split"}: 0, {valuePkg, "SubstringFrom"}: 0, {valuePkg, "Substring"}: 0, {valuePkg, "Quote"}: 0,
	{valuePkg, "Base64Encode"}: 0, {valuePkg, "Base64Decode"}: 0, {valuePkg, "TextOfBytes"}: 0,
	{valuePkg, "Distinct"}: 0, {valuePkg, "Sorted"}: 0, {valuePkg, "SortedBy"}: 0, {valuePkg, "SortedByTime"}: 0, {valuePkg, "Reversed"}: 0, {valuePkg, "Keys"}: 0,
	{valuePkg, "ExtractAll"}: 1, {valuePkg, "Anys"}: 0, {valuePkg, "AnyMap"}: 0, {valuePkg, "AnyKeys"}: 0, {"", "[]byte"}: 0,
}

// wholes are the functions that go over all that is in an argument, or over several
// of them.
var wholes = map[Func]bool{
	{"slices", "Concat"}: true, {valuePkg, "Flatten"}: true, {valuePkg, "Equal"}: true, {valuePkg, "In"}: true, {valuePkg, "Elements"}: true,
	{valuePkg, "Format"}: true, {valuePkg, "SizeOf"}: true, numbers: true,
}

// repeating are the functions whose result has the text of later arguments many
// times.
var repeating = map[Func]bool{{"strings", "ReplaceAll"}: true, {valuePkg, "Replace"}: true, {"strings", "Join"}: true}

// numbers makes a list as long as a number says.
var numbers = Func{valuePkg, "Range"}
