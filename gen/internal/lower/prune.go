package lower

import (
	"maps"
	"slices"
	"strings"
)

// prune leaves out the checks of what is established where they are: that a
// value was there, that each element of a list has a member since a loop went
// through all of them, that a list is long enough. What is computed twice from
// the same variables is computed once.
//
//	if !strings.Contains(x, ",") {…}      for _, r := range found { if r.name == nil { fail } … }
//	len(strings.Split(x, ",")) <= 1       found[0].name == nil
func prune(b *Block) { newFacts().block(b) }

// Asserting is a statement of another package that leaves the function unless
// its condition holds.
type Asserting interface{ Holds() Value }

// facts are what is known at one place of a function. A text is that of a path
// from a variable: variables are not changed while anything is known of them.
type facts struct {
	// there are the values that are not nil.
	there map[string]bool
	// each has, by list, the paths that are there in each of its elements;
	// growing the same for lists that are being made, nil while they are empty.
	each, growing map[string]map[string]bool
	// least is how many elements a list has at least.
	least map[string]int
	// made are the variables by the text of what they were made from, means
	// conditions and addr values by the variables that stand for them.
	made  map[string]string
	means map[string]Value
	addr  map[string]Value
	// truth are the outcomes of comparisons, by their texts.
	truth map[string]bool
}

func newFacts() *facts {
	return &facts{
		there: map[string]bool{}, each: map[string]map[string]bool{}, growing: map[string]map[string]bool{}, least: map[string]int{},
		made: map[string]string{}, means: map[string]Value{}, addr: map[string]Value{},
		truth: map[string]bool{},
	}
}

func (f *facts) clone() *facts {
	out := &facts{
		there: maps.Clone(f.there), each: maps.Clone(f.each), growing: maps.Clone(f.growing), least: maps.Clone(f.least),
		made: maps.Clone(f.made), means: maps.Clone(f.means), addr: maps.Clone(f.addr),
		truth: maps.Clone(f.truth),
	}
	return out
}

func (f *facts) block(b *Block) {
	if b == nil {
		return
	}
	var kept []Stmt
	for i := 0; i < len(b.Stmts); i++ {
		st, _ := visit(b.Stmts[i], func(v Value) Value { return rewrite(v, f.simpler) })
		b.Stmts[i] = st
		if f.again(st, &Block{Stmts: b.Stmts[i+1:]}) {
			continue
		}
		kept = append(kept, f.stmt(st)...)
	}
	b.Stmts = kept
}

// simpler takes a value that is there instead of a choice between it and a
// default.
func (f *facts) simpler(v Value) Value {
	call, ok := v.(Call)
	if !ok || call.Fn != (Func{valuePkg, "Or"}) {
		return nil
	}
	if l, ok := call.Args[0].(Local); ok && f.addr[l.Name] != nil {
		return f.addr[l.Name]
	}
	return nil
}

// computed is the name of a variable and the text of the call that it holds the
// result of, which for one that may fail is another than for one that cannot.
func computed(st Stmt) (name, text string) {
	switch s := st.(type) {
	case Define:
		if c, ok := s.V.(Call); ok && c.Fn.Pkg != "" && len(c.Args) > 0 {
			return s.Name, callText(c)
		}
	case Try:
		return s.Name, "try " + callText(Call{s.Fn, s.Args})
	}
	return "", ""
}

// callText is the text of a call, which tells functions of one name apart.
func callText(c Call) string { return c.Fn.Pkg + "." + Text(c) }

// again reports whether a variable holds what another one holds already, so that
// what reads it can read the other; and whether a call that may fail was made
// already, and did not.
func (f *facts) again(st Stmt, rest *Block) bool {
	name, text := computed(st)
	old, ok := f.made[text]
	switch {
	case text == "" || !ok:
		return false
	case name == "_":
		return true
	case old == "_" || old == name || usedElsewhere(rest, name) || defined(rest)[old]:
		return false
	}
	rewriteBlock(rest, func(v Value) Value {
		if v == (Value)(Local{name}) {
			return Local{old}
		}
		return nil
	})
	return true
}

// usedElsewhere reports whether a statement of another package reads a variable:
// what it reads cannot be replaced.
func usedElsewhere(b *Block, name string) bool {
	for _, st := range b.Stmts {
		if n, ok := st.(Node); ok && Reads(&Block{Stmts: []Stmt{Node{Uses: n.Uses}}})[name] {
			return true
		}
		if slices.ContainsFunc(Blocks(st), func(inner *Block) bool { return usedElsewhere(inner, name) }) {
			return true
		}
	}
	return false
}

func (f *facts) stmt(st Stmt) []Stmt {
	switch s := st.(type) {
	case Define:
		f.set(s.Name, s.V)
		f.note(s)
	case Try:
		f.forget(s.Name)
		f.note(s)
	case Var:
		f.forget(s.Name)
		f.growing[s.Name] = nil
	case MakeList:
		f.forget(s.Name)
		f.growing[s.Name] = nil
	case Assign:
		f.set(s.Name, s.V)
	case Append:
		f.grow(s)
	case Guard:
		if s.Cond == nil {
			break
		}
		if known, outcome := f.decide(s.Cond); known && !outcome {
			return nil
		}
		f.assume(s.Cond, false)
	case If:
		return f.branch(s)
	case Range:
		f.loop(s)
	case Node:
		if a, ok := s.Data.(Asserting); ok {
			if known, outcome := f.decide(a.Holds()); known && outcome {
				return nil
			}
		}
		f.node(s)
	default:
		form := formOf(st)
		for _, name := range append(form.also, form.sets()) {
			f.forget(name)
		}
	}
	return []Stmt{st}
}

// note remembers what a variable was made from.
func (f *facts) note(st Stmt) {
	if name, text := computed(st); text != "" {
		f.made[text] = name
	}
}

// forget drops what is known of a variable.
func (f *facts) forget(name string) {
	if name == "" || name == "_" {
		return
	}
	of := func(text string) bool { return rooted(text, name) }
	maps.DeleteFunc(f.there, func(text string, _ bool) bool { return of(text) })
	maps.DeleteFunc(f.each, func(text string, _ map[string]bool) bool { return of(text) })
	maps.DeleteFunc(f.least, func(text string, _ int) bool { return of(text) || mentions(text, name) })
	maps.DeleteFunc(f.made, func(text, by string) bool { return by == name || mentions(text, name) })
	maps.DeleteFunc(f.means, func(by string, v Value) bool { return by == name || mentions(Text(v), name) })
	maps.DeleteFunc(f.addr, func(by string, v Value) bool { return by == name || mentions(Text(v), name) })
	maps.DeleteFunc(f.truth, func(text string, _ bool) bool { return mentions(text, name) })
	delete(f.growing, name)
}

// rooted reports whether a path begins with a variable.
func rooted(text, name string) bool {
	rest, ok := strings.CutPrefix(text, name)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// mentions reports whether a name is in a text.
func mentions(text, name string) bool {
	part := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if (i == 0 || !part(text[i-1])) && (from == len(text) || !part(text[from])) {
			return true
		}
	}
}

// path is the text of a path from a variable, "" for any other value.
func path(v Value) string {
	switch v := v.(type) {
	case Local:
		return v.Name
	case Field:
		if x := path(v.X); x != "" {
			return Text(Field{X: Local{x}, Owner: v.Owner, Name: v.Name, Kind: v.Kind, Extra: v.Extra})
		}
	case Index:
		if _, fixed := v.I.(Const); fixed {
			if x := path(v.X); x != "" {
				return x + "[" + Text(v.I) + "]"
			}
		}
	}
	return ""
}

// set notes that a variable has a value.
func (f *facts) set(name string, v Value) {
	each, least, there := f.elements(v), f.length(v), map[string]bool{}
	if from := path(v); from != "" {
		for text := range f.there {
			if rest, ok := strings.CutPrefix(text, from); ok && rooted(text, from) {
				there[rest] = true
			}
		}
	}
	if at, ok := v.(Index); ok {
		for rest := range f.elements(at.X) {
			there[rest] = true
		}
	}
	f.forget(name)
	for rest := range there {
		f.there[name+rest] = true
	}
	if len(each) > 0 {
		f.each[name] = each
	}
	if least > 0 {
		f.least[name] = least
	}
	switch v := v.(type) {
	case Binary, Unary:
		f.means[name] = v
	case Addr:
		f.addr[name] = v.X
		f.there[name] = true
	}
}

// elements are the paths that are there in each element of a list.
func (f *facts) elements(list Value) map[string]bool {
	if c, ok := list.(Call); ok && c.Fn.Pkg == valuePkg && (c.Fn.Name == "Head" || c.Fn.Name == "SortedBy") {
		return f.elements(c.Args[0])
	}
	return f.each[path(list)]
}

// length is how many elements a list has at least.
func (f *facts) length(list Value) int {
	if l, ok := list.(List); ok {
		return len(l.Values)
	}
	if c, ok := list.(Call); ok {
		if c.Fn == (Func{valuePkg, "SortedBy"}) {
			return f.length(c.Args[0])
		}
		return f.least[callText(c)]
	}
	return f.least[path(list)]
}

// grow notes what an element has that is appended to a list.
func (f *facts) grow(s Append) {
	old, making := f.growing[s.List]
	f.forget(s.List)
	if !making {
		return
	}
	has := map[string]bool{}
	if elem, ok := s.V.(Local); ok {
		for text := range f.there {
			if rest, ok := strings.CutPrefix(text, elem.Name); ok && rooted(text, elem.Name) && (old == nil || old[rest]) {
				has[rest] = true
			}
		}
	}
	f.growing[s.List], f.each[s.List] = has, has
}

// branch goes through both arms of a condition. What an arm says of a variable
// that it changes is known after it if the other says it too.
func (f *facts) branch(s If) []Stmt {
	if known, outcome := f.decide(s.Cond); known {
		arm := s.Then
		if !outcome {
			arm = s.Else
		}
		if arm == nil || assigns(arm) {
			return f.inline(arm)
		}
	}
	yes, no := f.clone(), f.clone()
	yes.assume(s.Cond, true)
	no.assume(s.Cond, false)
	yes.block(s.Then)
	no.block(s.Else)
	for name := range defined(s.Then) {
		f.join(name, yes, no)
	}
	for name := range defined(s.Else) {
		f.join(name, yes, no)
	}
	for _, name := range append(declared(s.Then), declared(s.Else)...) {
		f.forget(name) // it is another variable after the arm
	}
	return []Stmt{s}
}

// inline takes the statements of an arm that is always taken.
func (f *facts) inline(arm *Block) []Stmt {
	if arm == nil {
		return nil
	}
	f.block(arm)
	return arm.Stmts
}

// declared returns the names of the variables that a block makes for itself.
func declared(b *Block) []string {
	if b == nil {
		return nil
	}
	var out []string
	for _, st := range b.Stmts {
		form := formOf(st)
		out = append(out, append(form.also, form.declares)...)
	}
	return out
}

// assigns reports whether a block only sets variables, so that it may do so
// outside of a condition.
func assigns(b *Block) bool {
	return !slices.ContainsFunc(b.Stmts, func(st Stmt) bool {
		_, isAssign := st.(Assign)
		return !isAssign
	})
}

// join takes over what two ways agree on about a variable that they change.
func (f *facts) join(name string, yes, no *facts) {
	_, making := f.growing[name]
	f.forget(name)
	for text := range yes.there {
		if rooted(text, name) && no.there[text] {
			f.there[text] = true
		}
	}
	if each := common(yes.each[name], no.each[name]); len(each) > 0 {
		f.each[name] = each
	}
	if n := min(yes.least[name], no.least[name]); n > 0 {
		f.least[name] = n
	}
	a, still := yes.growing[name]
	b, alike := no.growing[name]
	if making && still && alike {
		f.growing[name] = both(a, b)
	}
}

// both is common for lists that may be empty, of which anything is true.
func both(a, b map[string]bool) map[string]bool {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return common(a, b)
}

func common(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		if b[k] {
			out[k] = true
		}
	}
	return out
}

// loop goes through a body, in which nothing is known of what it changes. What
// it checks at its top holds for each element, unless it is left early.
func (f *facts) loop(s Range) {
	inside := f.clone()
	changed := defined(s.Body)
	for name := range changed {
		old, making := f.growing[name]
		inside.forget(name)
		if making {
			inside.growing[name] = old
		}
	}
	for _, name := range []string{s.Elem, s.Index} {
		if name != "" {
			inside.forget(name)
		}
	}
	if s.Elem != "" {
		for rest := range f.elements(s.Over) {
			inside.there[s.Elem+rest] = true
		}
	}
	inside.block(s.Body)
	for name := range changed {
		_, making := f.growing[name]
		f.forget(name)
		if grown, ok := inside.growing[name]; ok && making {
			f.growing[name] = grown
			if len(grown) > 0 {
				f.each[name] = grown
			}
		}
	}
	if !broken(s.Body) {
		f.all(s, inside, changed)
	}
}

// all notes what a loop that ends with its last element has found in each of them.
// A list that the loop itself changes has others by then.
func (f *facts) all(s Range, inside *facts, changed map[string]bool) {
	list := path(s.Over)
	for name := range changed {
		if name == s.Elem || rooted(list, name) {
			return
		}
	}
	if list == "" || s.Elem == "" {
		return
	}
	has := maps.Clone(f.each[list])
	if has == nil {
		has = map[string]bool{}
	}
	for text := range inside.there {
		if rest, ok := strings.CutPrefix(text, s.Elem); ok && rest != "" && rooted(text, s.Elem) {
			has[rest] = true
		}
	}
	f.each[list] = has
}

// broken reports whether a loop may end before its last element.
func broken(b *Block) bool {
	return slices.ContainsFunc(b.Stmts, func(st Stmt) bool {
		switch s := st.(type) {
		case Break:
			return true
		case If:
			return broken(s.Then) || s.Else != nil && broken(s.Else)
		}
		return false
	})
}

// node goes through the blocks of a statement that is not ours: whatever runs
// in them, what they change is not known after it.
func (f *facts) node(s Node) {
	changed := map[string]bool{}
	for _, b := range s.Blocks {
		if b != nil {
			inside := f.clone()
			if a, ok := s.Data.(Asserting); ok {
				inside.assume(a.Holds(), false)
			}
			inside.block(b)
			maps.Copy(changed, defined(b))
		}
	}
	for name := range changed {
		f.forget(name)
	}
	if a, ok := s.Data.(Asserting); ok {
		f.assume(a.Holds(), true)
	}
}
