package compat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

type (
	input     = signature.Input
	inputPair = pair[signature.Input]
)

// addedInputs, removedInputs and keptInputs run a rule over the inputs that it
// is about.
func addedInputs(rule func(*comparison, *input)) func(*comparison) {
	return func(c *comparison) {
		for _, p := range c.inputs {
			if p.old == nil {
				rule(c, p.new)
			}
		}
	}
}

func removedInputs(rule func(*comparison, *input)) func(*comparison) {
	return func(c *comparison) {
		for _, p := range c.inputs {
			if p.new == nil {
				rule(c, p.old)
			}
		}
	}
}

func keptInputs(rule func(*comparison, inputPair)) func(*comparison) {
	return func(c *comparison) {
		for _, p := range c.inputs {
			if p.old != nil && p.new != nil {
				rule(c, p)
			}
		}
	}
}

// sameType runs a rule over kept inputs whose values can still be compared. A
// change of type is one cause and has one finding: what it does to bounds,
// values and defaults is not reported again.
func sameType(rule func(*comparison, inputPair)) func(*comparison) {
	return keptInputs(func(c *comparison, p inputPair) {
		if p.old.Type == p.new.Type || numeric(p.old.Type) && numeric(p.new.Type) {
			rule(c, p)
		}
	})
}

// onInput starts a change at a kept input: its place has the released name,
// because accept entries and records outlive a rename.
func onInput(p inputPair, part string) Change {
	ch := Change{Ref: Ref{Place: "inputs." + p.old.Name}, Part: part}
	if p.new != nil && p.new.Name != p.old.Name {
		ch.new = "inputs." + p.new.Name
	}
	return ch
}

// at fills in the words of a change.
func (c Change) at(what string, why text, fix string) Change {
	c.What, c.why, c.Fix = what, why, fix
	return c
}

func inputAddedOptional(c *comparison, in *input) {
	if in.Required {
		return
	}
	ch := Change{Ref: Ref{Place: "inputs." + in.Name}}
	c.add(ch.at(fmt.Sprintf("input %q is new", in.Name), textf("callers of {callers} do not send it and need not"), ""))
}

func inputAddedRequired(c *comparison, in *input) {
	if !in.Required {
		return
	}
	ch := Change{Ref: Ref{Place: "inputs." + in.Name}, Part: "required"}
	fix := "make it optional"
	if in.Default != nil {
		fix = "it has a default already: make it optional"
	}
	c.add(ch.at(fmt.Sprintf("new input %q is required (required is the default)", in.Name), textf("calls made for {callers} do not send it"), fix))
}

func inputRemoved(c *comparison, in *input) {
	ch := Change{Ref: Ref{Place: "inputs." + in.Name}}
	what := fmt.Sprintf("input %q (%s) is gone", in.Name, c.v())
	if twin := c.twin(in); twin != "" {
		what += fmt.Sprintf(", was it renamed to %q?", twin)
	}
	c.add(ch.at(what, textf("callers of {callers} that send it are rejected"), "put it back and ignore it"))
}

// twin guesses a rename: the only added input of the same shape.
func (c *comparison) twin(gone *input) string {
	shape := func(in *input) string {
		return fmt.Sprint(in.Type, in.MinLength, in.MaxLength, in.Pattern, in.Min, in.Max, in.Values)
	}
	found := ""
	for _, p := range c.inputs {
		if p.old == nil && shape(p.new) == shape(gone) {
			if found != "" {
				return ""
			}
			found = p.new.Name
		}
	}
	return found
}

func inputRenamed(c *comparison, p inputPair) {
	if p.old.Name == p.new.Name {
		return
	}
	ch := onInput(p, "name")
	if other := swappedWith(c.inputs, p, inputKey); other != "" {
		c.add(ch.at(fmt.Sprintf("inputs %q and %q swapped names since %s", p.old.Name, other, c.v()),
			textf("old calls would be accepted and misread"), "swap the names back"))
		return
	}
	why := textf("callers of {callers} send names")
	if taken := takenBy(c.inputs, p, inputKey); taken != "" {
		why = textf("callers of {callers} send names, and theirs now means input id %q", taken)
	}
	c.add(ch.at(fmt.Sprintf("input id %q was released as %q (%s) and is now %q", p.old.ID, p.old.Name, c.v(), p.new.Name), why,
		fmt.Sprintf("keep the name %q; a better wording belongs in description", p.old.Name)))
}

func inputIDChanged(c *comparison, p inputPair) {
	if p.old.ID == p.new.ID {
		return
	}
	c.add(onInput(p, "id").at(fmt.Sprintf("input %q had id %q in %s and now has id %q", p.old.Name, p.old.ID, c.v(), p.new.ID),
		textf("designers match versions by id"), fmt.Sprintf("id: %s", p.old.ID)))
}

func inputBecameRequired(c *comparison, p inputPair) {
	if p.old.Required || !p.new.Required {
		return
	}
	c.add(onInput(p, "required").at(fmt.Sprintf("input %q could be omitted in %s", p.old.Name, c.v()),
		textf("calls that omit it now fail"), "make it optional again"))
}

func inputBecameOptional(c *comparison, p inputPair) {
	if !p.old.Required || p.new.Required {
		return
	}
	c.add(onInput(p, "required").at(fmt.Sprintf("input %q was required in %s and may now be omitted", p.old.Name, c.v()),
		textf("callers of {callers} go on sending it"), "keep it required"))
}

func inputTypeChanged(c *comparison, p inputPair) {
	if p.old.Type == p.new.Type || widened(p) {
		return
	}
	witness := c.rejected(p)
	ch := onInput(p, "type")
	ch.Witness = witness
	why := textf("values that callers of {callers} send are rejected")
	if witness != "" {
		why = textf("%s is rejected", witness)
	}
	c.add(ch.at(fmt.Sprintf("input %q was %s in %s and is now %s", p.old.Name, p.old.Type, c.v(), p.new.Type), why,
		fmt.Sprintf("keep %s; add a new optional input for the %s", p.old.Type, p.new.Type)))
}

// widened reports whether the new type takes every value of the old one. JSON
// callers of an int send 5 and not "5", so string is not wider than int.
func widened(p inputPair) bool {
	switch {
	case p.old.Type == signature.Int && p.new.Type == number:
		return true
	case p.old.Type == signature.Enum && p.new.Type == signature.String:
		return !slices.ContainsFunc(p.old.Values, func(v signature.Value) bool { return !accepts(p.new, v.Name) })
	}
	return false
}

func inputTypeWidened(c *comparison, p inputPair) {
	if p.old.Type == p.new.Type || !widened(p) {
		return
	}
	c.add(onInput(p, "type").at(fmt.Sprintf("input %q was %s in %s and is now %s", p.old.Name, p.old.Type, c.v(), p.new.Type),
		textf("callers of {callers} are still understood, but their generated types differ"), fmt.Sprintf("keep %s", p.old.Type)))
}

// inputDefaultChanged looks at inputs that could be and still can be omitted:
// where an input was or is required, no answer depends on its default.
func inputDefaultChanged(c *comparison, p inputPair) {
	if p.old.Required || p.new.Required || p.old.Default == p.new.Default {
		return
	}
	what, fix := "", fmt.Sprintf("keep %s; pinned calls to %s keep it anyway", literal(p.old.Default), c.v())
	switch {
	case p.old.Default == nil:
		what, fix = fmt.Sprintf("input %q had no default in %s and now has %s", p.old.Name, c.v(), literal(p.new.Default)), "leave the default out"
	case p.new.Default == nil:
		what = fmt.Sprintf("default of %q was %s in %s and is gone", p.old.Name, literal(p.old.Default), c.v())
	default:
		what = fmt.Sprintf("default of %q was %s in %s and is now %s", p.old.Name, literal(p.old.Default), c.v(), literal(p.new.Default))
	}
	c.add(onInput(p, "default").at(what, textf("callers of {callers} that omit it get another answer"), fix))
}

// literal writes a default as the manifest would.
func literal(v any) string {
	if s, ok := v.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(v)
}

func inputMaxTightened(c *comparison, p inputPair) {
	if !numeric(p.old.Type) || p.new.Max >= p.old.Max {
		return
	}
	ch := onInput(p, "max")
	ch.Witness = strconv.FormatInt(p.old.Max, 10)
	name := p.old.Name
	if p.new.Max == signature.DefaultMax {
		c.add(ch.at(fmt.Sprintf("max of input %q fell from %d (%s) to %d, which is what A2T means where max is left out", name, p.old.Max, c.v(), p.new.Max),
			textf("%s is rejected", ch.Witness), fmt.Sprintf("keep \"max: %d\"", p.old.Max)))
		return
	}
	c.add(ch.at(fmt.Sprintf("max of input %q fell from %d (%s) to %d", name, p.old.Max, c.v(), p.new.Max),
		textf("%s", between(max(p.new.Max+1, p.old.Min), p.old.Max)), fmt.Sprintf("max: %d or more", p.old.Max)))
}

func inputMaxLoosened(c *comparison, p inputPair) {
	if !numeric(p.old.Type) || p.new.Max <= p.old.Max {
		return
	}
	c.add(onInput(p, "max").at(fmt.Sprintf("max of input %q rose from %d (%s) to %d", p.old.Name, p.old.Max, c.v(), p.new.Max),
		textf("callers of {callers} cannot know"), fmt.Sprintf("max: %d", p.old.Max)))
}

func inputMinTightened(c *comparison, p inputPair) {
	if !numeric(p.old.Type) || p.new.Min <= p.old.Min {
		return
	}
	ch := onInput(p, "min")
	ch.Witness = strconv.FormatInt(p.old.Min, 10)
	c.add(ch.at(fmt.Sprintf("min of input %q rose from %d (%s) to %d", p.old.Name, p.old.Min, c.v(), p.new.Min),
		textf("%s", between(p.old.Min, min(p.new.Min-1, p.old.Max))), fmt.Sprintf("min: %d or less", p.old.Min)))
}

func inputMinLoosened(c *comparison, p inputPair) {
	if !numeric(p.old.Type) || p.new.Min >= p.old.Min {
		return
	}
	c.add(onInput(p, "min").at(fmt.Sprintf("min of input %q fell from %d (%s) to %d", p.old.Name, p.old.Min, c.v(), p.new.Min),
		textf("callers of {callers} cannot know"), fmt.Sprintf("min: %d", p.old.Min)))
}

// between says that the values from low to high are rejected.
func between(low, high int64) string {
	switch {
	case low == high:
		return fmt.Sprintf("%d is rejected", low)
	case low+1 == high:
		return fmt.Sprintf("%d and %d are rejected", low, high)
	}
	return fmt.Sprintf("%d to %d are rejected", low, high)
}

// A bound is one end of the length of a text.
type bound struct {
	part, member string
	old, new     int
}

func lengths(p inputPair) []bound {
	return []bound{
		{"max_length", "max_length", p.old.MaxLength, p.new.MaxLength},
		{"min_length", "min_length", -p.old.MinLength, -p.new.MinLength},
	}
}

func (b bound) values() (old, new int) { return max(b.old, -b.old), max(b.new, -b.new) }

func inputLengthTightened(c *comparison, p inputPair) {
	for _, b := range lengths(p) {
		if p.old.Type != signature.String || b.new >= b.old {
			continue
		}
		old, new := b.values()
		ch := onInput(p, b.part)
		ch.Witness = textOfLength(p.old, old)
		c.add(ch.at(fmt.Sprintf("%s of input %q went from %d (%s) to %d", b.member, p.old.Name, old, c.v(), new),
			textf("texts of %d characters are rejected", old), fmt.Sprintf("%s: %d", b.member, old)))
	}
}

func inputLengthLoosened(c *comparison, p inputPair) {
	for _, b := range lengths(p) {
		if p.old.Type != signature.String || b.new <= b.old {
			continue
		}
		old, new := b.values()
		c.add(onInput(p, b.part).at(fmt.Sprintf("%s of input %q went from %d (%s) to %d", b.member, p.old.Name, old, c.v(), new),
			textf("callers of {callers} cannot know"), fmt.Sprintf("%s: %d", b.member, old)))
	}
}

// inputPatternChanged compares what patterns take and not how they are written.
// Of two that differ it does not decide whether one includes the other; only no
// pattern includes them all.
func inputPatternChanged(c *comparison, p inputPair) {
	if p.old.Pattern == p.new.Pattern || p.new.Pattern == "" {
		return
	}
	ch := onInput(p, "pattern")
	if p.old.Pattern != "" && samePattern(p.old.Pattern, p.new.Pattern) {
		ch.Level = eased
		c.add(ch.at(fmt.Sprintf("pattern of input %q is written otherwise than in %s", p.old.Name, c.v()),
			textf("it takes the same texts as before"), "restore it, or release it"))
		return
	}
	what, fix := fmt.Sprintf("pattern of input %q changed since %s", p.old.Name, c.v()), "restore it, or drop the pattern"
	if p.old.Pattern == "" {
		what, fix = fmt.Sprintf("input %q had no pattern in %s and now has one", p.old.Name, c.v()), "drop the pattern"
	}
	why := textf("whether it takes every text that callers of {callers} may send cannot be told from the two patterns")
	if ch.Witness = c.rejected(p); ch.Witness != "" {
		why = textf("%s was accepted and is not now", ch.Witness)
	}
	c.add(ch.at(what, why, fix))
}

func inputPatternLoosened(c *comparison, p inputPair) {
	if p.old.Pattern == "" || p.new.Pattern != "" {
		return
	}
	c.add(onInput(p, "pattern").at(fmt.Sprintf("pattern of input %q (%s) is gone", p.old.Name, c.v()),
		textf("callers of {callers} cannot know"), "restore the pattern"))
}

// inputHeaderChanged compares without case, as headers are.
func inputHeaderChanged(c *comparison, p inputPair) {
	was, is := p.old.MCPHeader, p.new.MCPHeader
	if strings.EqualFold(was, is) {
		return
	}
	ch := onInput(p, "mcp_header")
	if is == "" {
		ch.Level = eased
		c.add(ch.at(fmt.Sprintf("input %q was repeated in the header Mcp-Param-%s in %s and is not any more", p.old.Name, was, c.v()),
			textf("callers of {callers} go on sending it"), ""))
		return
	}
	before := ""
	if was != "" {
		before = fmt.Sprintf(" and not in Mcp-Param-%s", was)
	}
	c.add(ch.at(fmt.Sprintf("MCP clients must now repeat input %q in the header Mcp-Param-%s%s", p.old.Name, is, before),
		textf("calls of clients that hold the list of {callers} are refused until they ask for it again"), "leave it as it was, or release it when clients can ask again"))
}

func inputEnumValueAdded(c *comparison, p inputPair) {
	for _, v := range addedValues(p.old.Values, p.new.Values) {
		c.add(onValue(onInput(p, ""), v).at(fmt.Sprintf("input %q also takes %q", p.old.Name, v),
			textf("callers of {callers} will not see it"), fmt.Sprintf("leave %q out", v)))
	}
}

func inputEnumValueRemoved(c *comparison, p inputPair) {
	news := addedValues(p.old.Values, p.new.Values)
	for _, v := range addedValues(p.new.Values, p.old.Values) {
		ch := onValue(onInput(p, ""), v)
		ch.Witness = strconv.Quote(v)
		why := textf("calls made for {callers} that send it are rejected")
		if to := renamedTo(v, p.old.Values, p.new.Values, news); to != "" {
			why = textf("%q is new, was it renamed?", to)
		}
		c.add(ch.at(fmt.Sprintf("input %q no longer takes %q (%s)", p.old.Name, v, c.v()), why, fmt.Sprintf("keep %q", v)))
	}
}

// onValue moves a change to a value of an enum.
func onValue(ch Change, value string) Change {
	ch.Place += ".values." + value
	if ch.new != "" {
		ch.new += ".values." + value
	}
	return ch
}

// addedValues returns the names that are in new and not in old.
func addedValues(old, new []signature.Value) []string {
	var out []string
	for _, v := range new {
		if !hasValue(old, v.Name) {
			out = append(out, v.Name)
		}
	}
	return out
}

func hasValue(values []signature.Value, name string) bool {
	return slices.ContainsFunc(values, func(v signature.Value) bool { return v.Name == name })
}

// renamedTo guesses which of the new names a value has now: the one with the
// same text, or the only new one.
func renamedTo(gone string, old, new []signature.Value, news []string) string {
	i := slices.IndexFunc(old, func(v signature.Value) bool { return v.Name == gone })
	for _, v := range new {
		if slices.Contains(news, v.Name) && v.Text != "" && v.Text == old[i].Text {
			return v.Name
		}
	}
	if len(news) == 1 && len(addedValues(new, old)) == 1 {
		return news[0]
	}
	return diag.Nearest(gone, news)
}

func inputEnumValuesReordered(c *comparison, p inputPair) {
	if !valuesReordered(p.old.Values, p.new.Values) {
		return
	}
	c.add(onInput(p, "values").at(fmt.Sprintf("values of input %q stand in another order than in %s", p.old.Name, c.v()),
		textf("models read lists from the top"), "restore the order"))
}

// valuesReordered looks at the values that both have.
func valuesReordered(old, new []signature.Value) bool {
	names := func(values, others []signature.Value) []string {
		var out []string
		for _, v := range values {
			if hasValue(others, v.Name) {
				out = append(out, v.Name)
			}
		}
		return out
	}
	return !slices.Equal(names(old, new), names(new, old))
}

func inputDescriptionChanged(c *comparison, p inputPair) {
	if p.old.Description != p.new.Description {
		c.add(onInput(p, "description").at(
			fmt.Sprintf("text of input %q changed from %s (%s) to %s", p.old.Name, short(p.old.Description), c.v(), short(p.new.Description)),
			textf("models read it as the meaning of the input"), "keep the text, or release it"))
	}
	for _, v := range retold(p.old.Values, p.new.Values) {
		c.add(onValue(onInput(p, ""), v).at(fmt.Sprintf("text of value %q of input %q changed since %s", v, p.old.Name, c.v()),
			textf("models choose values by their texts"), "keep the text, or release it"))
	}
}

// retold returns the values whose texts differ.
func retold(old, new []signature.Value) []string {
	var out []string
	for _, a := range old {
		for _, b := range new {
			if a.Name == b.Name && a.Text != b.Text {
				out = append(out, a.Name)
			}
		}
	}
	return out
}

func inputOrderChanged(c *comparison) {
	if in := reordered(c.inputs, c.new.Inputs); in != nil {
		ch := Change{Ref: Ref{Place: "inputs"}, Part: in.Name}
		c.add(ch.at(fmt.Sprintf("inputs stand in another order than in %s, from %q on", c.v(), in.Name),
			textf("callers send names, so only generated documents differ"), "restore the order"))
	}
}

// short quotes a text for a message.
func short(s string) string {
	const most = 60
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return `"` + s + `"`
}
