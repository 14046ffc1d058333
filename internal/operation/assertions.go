package operation

import (
	"regexp"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// Assertions are what a document says of a value that is sent, keyword by keyword, as
// a validator applies it. The type of the value unites its variants; here each is by
// itself. Assertions may hold themselves.
type Assertions struct {
	// Name is how messages call a variant: the name of its component or its title, ""
	// for neither.
	Name string
	// Kinds are the kinds of JSON that are allowed, nil for any; an Int is a Double as
	// well. Null is allowed beside them.
	Kinds []types.Kind
	Null  bool
	// Values are the legal texts, numbers (float64) and booleans, nil for any.
	Values     []any
	Limits     *types.Limits
	Properties []Property
	Required   []string
	// Patterns are members that have no name but a pattern, Extra all others: nil
	// where nothing is said of them. Closed forbids others.
	Patterns []Property
	Extra    *Assertions
	Closed   bool
	Items    *Assertions
	// All hold as well, and of each choice one.
	All     []*Assertions
	Choices []*Choice
	// ReadOnly values do not belong in a request.
	ReadOnly bool
	Doc      string
}

// A Property is a member of an object, by its name or by a pattern.
type Property struct {
	Name  string
	Value *Assertions
}

// A Choice is a oneOf or anyOf: a value fits a variant of it.
type Choice struct {
	// One is oneOf: no value fits two.
	One      bool
	Variants []*Assertions
	// Property tells the variants apart, "" for none; Keys are the values of it that
	// choose a variant, in the order of the variants, Mapped those that the document
	// lists.
	Property string
	Keys     [][]string
	Mapped   bool
}

// IsNull reports whether only null fits.
func (a *Assertions) IsNull() bool { return a.Kinds != nil && len(a.Kinds) == 0 }

// real are the variants that a value other than null may fit.
func (c *Choice) real() []*Assertions {
	return slices.DeleteFunc(slices.Clone(c.Variants), (*Assertions).IsNull)
}

// Only is the one variant that a value other than null may fit, nil where there are
// several.
func (c *Choice) Only() *Assertions {
	if all := c.real(); len(all) == 1 {
		return all[0]
	}
	return nil
}

// A Place is where a value goes, with all that is said of it.
type Place []*Assertions

// Decides returns the first choice between variants that a value at the place has to
// make, nil for none. A choice of one variant or null is none.
func (p Place) Decides() *Choice {
	for _, a := range p.parts() {
		for _, c := range a.Choices {
			if len(c.real()) > 1 {
				return c
			}
		}
	}
	return nil
}

// parts are the assertions that hold whatever is chosen.
func (p Place) parts() []*Assertions {
	return p.collect(func(c *Choice) []*Assertions { return []*Assertions{c.Only()} })
}

// Any are all assertions of which some hold, those of every variant among them.
func (p Place) Any() []*Assertions {
	return p.collect(func(c *Choice) []*Assertions { return c.Variants })
}

// collect lists the assertions of the place with those that variants takes of each
// choice, once each; nil is none.
func (p Place) collect(variants func(*Choice) []*Assertions) []*Assertions {
	var out []*Assertions
	var add func([]*Assertions)
	add = func(list []*Assertions) {
		for _, a := range list {
			if a == nil || slices.Contains(out, a) {
				continue
			}
			out = append(out, a)
			add(a.All)
			for _, c := range a.Choices {
				add(variants(c))
			}
		}
	}
	add(p)
	return out
}

// Member is the place of a member of an object that is at the place.
func (p Place) Member(name string) Place {
	var out Place
	for _, a := range p.parts() {
		out = append(out, a.Member(name)...)
	}
	return out
}

// Element is the place of an element of a list that is at the place.
func (p Place) Element() Place {
	var out Place
	for _, a := range p.parts() {
		if a.Items != nil {
			out = append(out, a.Items)
		}
	}
	return out
}

// Member is what the assertions themselves say of a member, nil for nothing.
func (a *Assertions) Member(name string) Place {
	var out Place
	for _, f := range a.Properties {
		if f.Name == name {
			out = append(out, f.Value)
		}
	}
	for _, f := range a.Patterns {
		// A pattern that Go does not know says nothing.
		if re, err := regexp.Compile(f.Name); err == nil && re.MatchString(name) {
			out = append(out, f.Value)
		}
	}
	if out == nil && a.Extra != nil {
		return Place{a.Extra}
	}
	return out
}

// HasChoices reports whether a value that is sent has to choose, itself or anywhere in
// it.
func (a *Assertions) HasChoices() bool {
	seen := map[*Assertions]bool{}
	queue := []*Assertions{a}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if at == nil || seen[at] {
			continue
		}
		seen[at] = true
		for _, c := range at.Choices {
			if len(c.real()) > 1 {
				return true
			}
			queue = append(queue, c.Variants...)
		}
		for _, f := range slices.Concat(at.Properties, at.Patterns) {
			queue = append(queue, f.Value)
		}
		queue = append(append(queue, at.All...), at.Extra, at.Items)
	}
	return false
}

// First are the assertions that hold if the first variant that can be is taken of each
// choice, with the constants that choose them, by member.
func (p Place) First() (parts []*Assertions, keys map[string]string) {
	keys = map[string]string{}
	var kinds []types.Kind
	var add func(*Assertions)
	add = func(a *Assertions) {
		if a == nil || slices.Contains(parts, a) {
			return
		}
		parts = append(parts, a)
		if kinds == nil {
			kinds = a.Kinds
		}
		for _, part := range a.All {
			add(part)
		}
		for _, c := range a.Choices {
			i := slices.IndexFunc(c.Variants, func(v *Assertions) bool {
				return !v.IsNull() && (kinds == nil || v.Kinds == nil || overlap(kinds, v.Kinds))
			})
			if i < 0 {
				continue
			}
			if c.Property != "" && len(c.Keys[i]) > 0 {
				keys[c.Property] = c.Keys[i][0]
			}
			add(c.Variants[i])
		}
	}
	for _, a := range p {
		add(a)
	}
	return parts, keys
}

func overlap(a, b []types.Kind) bool {
	return slices.ContainsFunc(a, func(k types.Kind) bool { return slices.Contains(b, k) })
}
