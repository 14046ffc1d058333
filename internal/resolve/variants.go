package resolve

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// How well a value fits what a document says of it.
const (
	fitsNot = iota
	// mayFit depends on what is known when the call is made.
	mayFit
	fitsAlways
)

// How far a fault keeps a value from a variant: one of another kind is not what was
// meant, one with another constant hardly.
const (
	farUnknown  = 1
	farMissing  = 3
	farLimit    = 5
	farConstant = 20
	farKind     = 50
)

// A fault is why a value does not fit.
type fault struct {
	rule      diag.RuleID
	at        diag.Span
	fix, text string
}

// A fit says how a value stands to assertions.
type fit struct {
	state, far int
	// faults are there if it does not fit; doubts are outcomes of a condition that do
	// not, while others do.
	faults, doubts []fault
	// notes are choices that it does not make.
	notes []fault
	// members are those of an object that somebody has named.
	members naming
}

// A naming holds the members of an object that a schema knows, with theirs. An object
// of which no member is named, or with one for all others, is free.
type naming struct {
	names  []string
	within map[string]*naming
	elem   *naming
	free   bool
}

func (n *naming) add(o *naming) {
	if o == nil {
		return
	}
	n.names, n.free = append(n.names, o.names...), n.free || o.free
	if n.within == nil && o.within != nil {
		n.within = map[string]*naming{}
	}
	for name, of := range o.within {
		if n.within[name] == nil {
			n.within[name] = &naming{}
		}
		n.within[name].add(of)
	}
	if o.elem != nil {
		if n.elem == nil {
			n.elem = &naming{}
		}
		n.elem.add(o.elem)
	}
}

// and joins what holds beside each other.
func (f *fit) and(o fit) {
	f.state, f.far = min(f.state, o.state), f.far+o.far
	f.faults, f.doubts, f.notes = append(f.faults, o.faults...), append(f.doubts, o.doubts...), append(f.notes, o.notes...)
	f.members.add(&o.members)
}

// inside joins what holds of a part: its faults are nearer than those of the whole.
func (f *fit) inside(part fit) {
	part.members, part.far = naming{}, (part.far+1)/2
	f.and(part)
}

func (f *fit) fail(far int, why fault) {
	f.state, f.far, f.faults = fitsNot, f.far+far, append(f.faults, why)
}

// compare holds a value against all that is said of its place.
func compare(v *sent, place operation.Place) fit {
	out := fit{state: fitsAlways}
	for _, a := range place {
		out.and(compareOne(v, a))
	}
	return out
}

func compareOne(v *sent, a *operation.Assertions) fit {
	out := fit{state: fitsAlways}
	if v.kind == types.Invalid || v.kind == types.Null && a.Null {
		out.members.free = true
		return out
	}
	if slices.Contains(v.under, a) {
		return out
	}
	if known, ok := v.fits[a]; ok {
		return known
	}
	v.under = append(v.under, a)
	compareOwn(v, a, &out)
	for _, part := range a.All {
		out.and(compareOne(v, part))
	}
	if out.state != fitsNot {
		for _, c := range a.Choices {
			out.and(chooseVariant(v, c))
		}
	}
	v.under = v.under[:len(v.under)-1]
	if v.fits == nil {
		v.fits = map[*operation.Assertions]fit{}
	}
	v.fits[a] = out
	return out
}

// compareOwn holds a value against the keywords of one schema, the schemas that it
// combines left out.
func compareOwn(v *sent, a *operation.Assertions, out *fit) {
	if why := otherKind(v, a); why != "" {
		out.fail(farKind, fault{ruleNotAssignable, v.at, "write a value of that type", v.what + " " + why})
		return
	}
	comparePlain(v, a, out)
	switch v.kind {
	case types.List:
		compareList(v, a, out)
	case types.Object, types.Map:
		compareObject(v, a, out)
	}
}

// otherKind says in words that the kind of a value is not allowed, "" if it is.
func otherKind(v *sent, a *operation.Assertions) string {
	if a.Kinds == nil {
		return ""
	}
	if v.kind == types.Null {
		return "cannot be null"
	}
	wants := &types.Type{Kind: types.Union}
	for _, k := range a.Kinds {
		if k == v.kind || k == types.Object && v.kind == types.Map && a.Properties == nil && a.Required == nil {
			return ""
		}
		want := &types.Type{Kind: k, Limits: a.Limits, Name: a.Name, Elem: types.DynOf("")}
		if v.typ != nil && want.IsScalar() && types.Assignable(v.typ, want) == "" {
			return ""
		}
		wants.Variants = append(wants.Variants, want)
	}
	var names []string
	for _, w := range wants.Variants {
		names = append(names, w.Kind.String())
	}
	this := v.kind.String()
	if v.typ != nil {
		this = v.typ.String()
	}
	return fmt.Sprintf("wants %s, this is %s", strings.Join(names, " | "), this)
}

// comparePlain holds the values that a plain one may have against enum and limits.
func comparePlain(v *sent, a *operation.Assertions, out *fit) {
	if v.kind == types.List || v.kind == types.Object || v.kind == types.Map {
		return
	}
	if v.values == nil {
		if a.Values != nil || a.Limits != nil {
			out.state = min(out.state, mayFit)
		}
		return
	}
	var bad []fault
	far := farLimit
	for _, value := range v.values {
		why := wrongValue(value, a)
		if why == "" {
			continue
		}
		if a.Values != nil {
			far = farConstant
		}
		bad = append(bad, fault{ruleNotAssignable, v.at, "use a value that is allowed", v.what + " " + why})
	}
	switch {
	case len(bad) == len(v.values):
		out.fail(far, bad[0])
	case len(bad) > 0:
		out.state, out.doubts = min(out.state, mayFit), append(out.doubts, bad[0])
	}
}

func wrongValue(value any, a *operation.Assertions) string {
	if a.Values != nil && !slices.Contains(a.Values, value) {
		var names []string
		for _, legal := range a.Values {
			names = append(names, fmt.Sprint(legal))
		}
		return fmt.Sprintf("does not allow %q, only %s", fmt.Sprint(value), types.FewNames(names))
	}
	if a.Limits == nil {
		return ""
	}
	text, isText := value.(string)
	if re, err := regexp.Compile(a.Limits.Pattern); isText && err == nil && !re.MatchString(text) {
		return fmt.Sprintf("wants a text that matches %s", a.Limits.Pattern)
	}
	return (&types.Type{Limits: a.Limits}).Allows(value)
}

func compareList(v *sent, a *operation.Assertions, out *fit) {
	if l := a.Limits; l != nil && v.counted {
		switch n := int64(len(v.elems)); {
		case l.MinItems != nil && n < *l.MinItems:
			out.fail(farLimit, fault{ruleNotAssignable, v.at, "write more elements", fmt.Sprintf("%s wants at least %d elements", v.what, *l.MinItems)})
		case l.MaxItems != nil && n > *l.MaxItems:
			out.fail(farLimit, fault{ruleNotAssignable, v.at, "write fewer elements", fmt.Sprintf("%s allows at most %d elements", v.what, *l.MaxItems)})
		}
	} else if l != nil {
		out.state = min(out.state, mayFit)
	}
	if a.Items == nil {
		out.members.elem = &naming{free: true}
		return
	}
	out.members.elem = &naming{}
	for _, e := range v.elems {
		one := compareOne(e, a.Items)
		if e.missing && !v.counted && !a.Items.Null {
			one.fail(farMissing, mayBeMissing(e))
		}
		out.members.elem.add(&one.members)
		out.inside(one)
	}
}

func mayBeMissing(v *sent) fault {
	return fault{expr.RuleMayBeMissing, v.at, "give a default, or write .orValue(...)", v.what + " is required and the value may be missing"}
}

func compareObject(v *sent, a *operation.Assertions, out *fit) {
	names := &out.members
	names.free = a.Extra != nil && !a.Extra.IsNull()
	for _, f := range a.Properties {
		names.names = append(names.names, f.Name)
	}
	for _, m := range v.members {
		place := a.Member(m.name)
		switch {
		case place == nil && a.Closed:
			out.fail(farUnknown+1, fault{ruleUnknownMember, m.at, "remove it", fmt.Sprintf("the %s has no member %q", v.what, m.name)})
		case place == nil:
			out.far += farUnknown
		default:
			one := compare(m.value, place)
			names.add(&naming{names: []string{m.name}, within: map[string]*naming{m.name: &one.members}})
			out.inside(one)
		}
	}
	if v.kind == types.Map {
		if len(v.elems) > 0 && a.Extra != nil {
			out.and(compareOne(v.elems[0], a.Extra))
		}
		out.state = min(out.state, mayFit)
		return
	}
	for _, name := range a.Required {
		if readOnly(a, name) {
			continue
		}
		switch i := slices.IndexFunc(v.members, func(m sentMember) bool { return m.name == name }); {
		case i < 0:
			out.fail(farMissing, fault{ruleUnboundMember, v.at, "add " + name + ":", fmt.Sprintf("the required member %q of the %s is not bound", name, v.what)})
		case v.members[i].value.missing:
			out.fail(farMissing, mayBeMissing(v.members[i].value))
		}
	}
}

func readOnly(a *operation.Assertions, name string) bool {
	for _, m := range a.Member(name) {
		if m.ReadOnly || slices.ContainsFunc(m.All, func(p *operation.Assertions) bool { return p.ReadOnly }) {
			return true
		}
	}
	return false
}

// chooseVariant says how a value fits one of the variants of a choice.
func chooseVariant(v *sent, c *operation.Choice) fit {
	if only := c.Only(); only != nil && v.kind != types.Null {
		return compareOne(v, only)
	}
	chosen := slices.DeleteFunc(candidates(v, c), func(i int) bool { return slices.Contains(v.under, c.Variants[i]) })
	if len(chosen) == 0 {
		return fit{state: fitsNot, far: farConstant, faults: []fault{unknownKey(v, c)}}
	}
	out := fit{state: fitsNot}
	nearest := -1
	var fits []fit
	var always []string
	for _, i := range chosen {
		one := compareOne(v, c.Variants[i])
		if fits = append(fits, one); nearest < 0 || better(one, fits[nearest]) {
			nearest = len(fits) - 1
		}
		if one.state == fitsAlways {
			always = append(always, labelOf(c, i))
		}
	}
	if best := fits[nearest]; best.state == fitsNot {
		out.far = best.far
		out.faults = []fault{noVariant(v, c, chosen, nearest, best)}
		return out
	}
	for _, one := range fits {
		if one.state != fitsNot {
			out.state = max(out.state, one.state)
			out.members.add(open(&one.members))
		}
	}
	out.far, out.notes = fits[nearest].far, slices.Clip(fits[nearest].notes)
	if c.One && len(always) > 1 && c.Property == "" {
		out.state = mayFit
		out.notes = append(out.notes, fault{ruleAmbiguousVariant, v.at, "leave out what belongs to one of them, or correct the document",
			fmt.Sprintf("the %s fits %s, of which the document allows one at a time", v.what, strings.Join(always, " and "))})
	}
	return out
}

// open frees what names no members.
func open(n *naming) *naming {
	if len(n.names) == 0 {
		n.free = true
	}
	return n
}

// better prefers what fits, and of others the nearer.
func better(a, b fit) bool {
	if (a.state == fitsNot) != (b.state == fitsNot) {
		return a.state != fitsNot
	}
	return a.far < b.far
}

// candidates are the variants that a constant in the property of the discriminator
// leaves, all without one; nil where it names none. A variant that says itself that it
// allows the constant is one in spite of an incomplete mapping.
func candidates(v *sent, c *operation.Choice) []int {
	var all, named []int
	key := keyOf(v, c)
	for i := range c.Variants {
		all = append(all, i)
		if key != "" && slices.Contains(c.Keys[i], key) {
			named = append(named, i)
		}
	}
	switch {
	case key == "":
		return all
	case named != nil:
		return named[:1]
	case !c.Mapped:
		return all
	}
	return slices.DeleteFunc(all, func(i int) bool { return !allowsKey(c.Variants[i], c.Property, key) })
}

func allowsKey(a *operation.Assertions, property, key string) bool {
	for _, m := range (operation.Place{a}).Member(property) {
		if slices.Contains(m.Values, any(key)) {
			return true
		}
	}
	return false
}

// keyOf is the constant that tells the variants apart, "" if there is none.
func keyOf(v *sent, c *operation.Choice) string {
	for _, m := range v.members {
		if c.Property != "" && m.name == c.Property && len(m.value.values) == 1 {
			key, _ := m.value.values[0].(string)
			return key
		}
	}
	return ""
}

func unknownKey(v *sent, c *operation.Choice) fault {
	var keys []string
	for i := range c.Variants {
		if len(c.Keys[i]) > 0 {
			keys = append(keys, c.Keys[i][0])
		}
	}
	at, key := v.at, keyOf(v, c)
	for _, m := range v.members {
		if m.name == c.Property {
			at = m.value.at
		}
	}
	return fault{ruleNoVariant, at, "use one of " + types.FewNames(keys), fmt.Sprintf("%s %q of the %s chooses no variant of its schema, only %s do",
		c.Property, key, v.what, types.FewNames(keys))}
}

// labelOf is what a variant is called, by its place where it has no name.
func labelOf(c *operation.Choice, i int) string {
	if c.Variants[i].IsNull() {
		return "null"
	}
	return cmp.Or(c.Variants[i].Name, fmt.Sprintf("variant %d", i+1))
}

// mostLacks is how many faults of the nearest variant are said.
const mostLacks = 3

func noVariant(v *sent, c *operation.Choice, chosen []int, nearest int, best fit) fault {
	var labels, lacks []string
	for i := range c.Variants {
		labels = append(labels, labelOf(c, i))
	}
	for _, f := range best.faults[:min(mostLacks, len(best.faults))] {
		lacks = append(lacks, f.text)
	}
	near, first := labelOf(c, chosen[nearest]), best.faults[0]
	text := fmt.Sprintf("the %s is none of %s: for %s, the nearest, %s", v.what, types.FewNames(labels), near, strings.Join(lacks, "; "))
	if len(chosen) == 1 && len(c.Variants) > 1 {
		text = fmt.Sprintf("the %s is no %s, which its %s chooses: %s", v.what, near, c.Property, strings.Join(lacks, "; "))
	}
	return fault{ruleNoVariant, first.at, first.fix, text}
}
