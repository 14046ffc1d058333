package compat

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

type (
	output     = signature.Output
	outputPair = pair[signature.Output]
)

// keptOutputs runs a rule over the outputs that both versions have.
func keptOutputs(rule func(*comparison, outputPair)) func(*comparison) {
	return func(c *comparison) {
		for _, p := range c.outputs {
			if p.old != nil && p.new != nil {
				rule(c, p)
			}
		}
	}
}

// sameOutput runs a rule over kept outputs of the same type: a change of type
// is one cause and has one finding.
func sameOutput(rule func(*comparison, outputPair)) func(*comparison) {
	return keptOutputs(func(c *comparison, p outputPair) {
		if p.old.Type == p.new.Type {
			rule(c, p)
		}
	})
}

// jsonOutputs runs a rule over the outputs that were and are json.
func jsonOutputs(rule func(*comparison, outputPair)) func(*comparison) {
	return sameOutput(func(c *comparison, p outputPair) {
		if p.old.Type == signature.JSON {
			rule(c, p)
		}
	})
}

// onOutput starts a change at a kept output, by its released name.
func onOutput(p outputPair, part string) Change {
	ch := Change{Ref: Ref{Place: "outputs." + p.old.Name}, Part: part}
	if p.new.Name != p.old.Name {
		ch.new = "outputs." + p.new.Name
	}
	return ch
}

func outputAdded(c *comparison) {
	for _, p := range c.outputs {
		if p.old == nil {
			ch := Change{Ref: Ref{Place: "outputs." + p.new.Name}}
			c.add(ch.at(fmt.Sprintf("output %q is new", p.new.Name), textf("callers of {callers} do not get it"), ""))
		}
	}
}

func outputRemoved(c *comparison) {
	for _, p := range c.outputs {
		if p.new == nil {
			ch := Change{Ref: Ref{Place: "outputs." + p.old.Name}}
			c.add(ch.at(fmt.Sprintf("output %q (%s) is gone", p.old.Name, c.v()), textf("readers of {callers} find nothing"),
				"keep it; mark it deprecated in its description"))
		}
	}
}

func outputRenamed(c *comparison, p outputPair) {
	if p.old.Name == p.new.Name {
		return
	}
	ch := onOutput(p, "name")
	if other := swappedWith(c.outputs, p, outputKey); other != "" {
		c.add(ch.at(fmt.Sprintf("outputs %q and %q swapped names since %s", p.old.Name, other, c.v()),
			textf("answers would be misread"), "swap the names back"))
		return
	}
	c.add(ch.at(fmt.Sprintf("output id %q was %q in %s and is now %q", p.old.ID, p.old.Name, c.v(), p.new.Name),
		textf("readers of {callers} look for the old name"), fmt.Sprintf("add %q as a new output, keep %q", p.new.Name, p.old.Name)))
}

func outputIDChanged(c *comparison, p outputPair) {
	if p.old.ID == p.new.ID {
		return
	}
	c.add(onOutput(p, "id").at(fmt.Sprintf("output %q had id %q in %s and now has id %q", p.old.Name, p.old.ID, c.v(), p.new.ID),
		textf("designers match versions by id"), fmt.Sprintf("id: %s", p.old.ID)))
}

// narrowed reports whether readers of the old type can read every value of the
// new one.
func narrowed(p outputPair) bool {
	return p.old.Type == signature.String && p.new.Type == signature.Enum || p.old.Type == number && p.new.Type == signature.Int
}

func outputTypeChanged(c *comparison, p outputPair) {
	if p.old.Type == p.new.Type || narrowed(p) {
		return
	}
	c.add(onOutput(p, "type").at(fmt.Sprintf("output %q was %s in %s and is now %s", p.old.Name, p.old.Type, c.v(), p.new.Type),
		textf("readers of {callers} expect %s", p.old.Type), fmt.Sprintf("add a new output for the %s", p.new.Type)))
}

func outputTypeNarrowed(c *comparison, p outputPair) {
	if !narrowed(p) {
		return
	}
	c.add(onOutput(p, "type").at(fmt.Sprintf("output %q was %s in %s and is now %s", p.old.Name, p.old.Type, c.v(), p.new.Type),
		textf("readers of {callers} understand it, but their generated types differ"), fmt.Sprintf("keep %s", p.old.Type)))
}

// facts returns what is known about both sides of a kept output.
func (c *comparison) facts(p outputPair) (old, new signature.OutputDetails) {
	return c.was.Outputs[p.old.Name], c.is.Outputs[p.new.Name]
}

func outputBecameNullable(c *comparison, p outputPair) {
	if old, new := c.facts(p); old.Nullable || !new.Nullable {
		return
	}
	c.add(onOutput(p, "value").at(fmt.Sprintf("output %q was never null in %s", p.old.Name, c.v()),
		textf("readers of {callers} do not expect null"), "give a fallback value"))
}

func outputBecameOptional(c *comparison, p outputPair) {
	if p.old.Optional || !p.new.Optional {
		return
	}
	c.add(onOutput(p, "optional").at(fmt.Sprintf("output %q was always there in %s and may now be missing", p.old.Name, c.v()),
		textf("readers of {callers} do not check for it"), "give a fallback value"))
}

// outputBecamePresent is silent where the output got worse in the other
// respect: there that is what matters.
func outputBecamePresent(c *comparison, p outputPair) {
	old, new := c.facts(p)
	better := p.old.Optional && !p.new.Optional || old.Nullable && !new.Nullable
	worse := !p.old.Optional && p.new.Optional || !old.Nullable && new.Nullable
	if !better || worse {
		return
	}
	c.add(onOutput(p, "optional").at(fmt.Sprintf("output %q could be missing or null in %s and is now more often there", p.old.Name, c.v()),
		textf("callers of {callers} cannot know"), ""))
}

func outputEnumValueAdded(c *comparison, p outputPair) {
	old, _ := c.facts(p)
	for _, v := range addedValues(p.old.Values, p.new.Values) {
		ch := onValue(onOutput(p, ""), v)
		why := textf("a client of {callers} with a closed list may fail")
		switch {
		case old.Open:
			ch.Level, why = eased, textf("callers of {callers} were told that there may be more values")
		case old.Fallback != "":
			ch.Level, why = eased, textf("callers of {callers} get %q instead", old.Fallback)
		}
		c.add(ch.at(fmt.Sprintf("output %q can now be %q", p.old.Name, v), why, fmt.Sprintf("leave %q out, or add an output that may have it", v)))
	}
}

func outputEnumValueRemoved(c *comparison, p outputPair) {
	for _, v := range addedValues(p.new.Values, p.old.Values) {
		c.add(onValue(onOutput(p, ""), v).at(fmt.Sprintf("output %q can no longer be %q (%s)", p.old.Name, v, c.v()),
			textf("readers of {callers} wait for it in vain"), fmt.Sprintf("keep %q", v)))
	}
}

// lower and higher compare bounds; nil is no bound.
func lower(a, b *int64) bool  { return a == nil && b != nil || a != nil && b != nil && *a < *b }
func higher(a, b *int64) bool { return a == nil && b != nil || a != nil && b != nil && *a > *b }

func outputRangeWidened(c *comparison, p outputPair) {
	old, new := c.facts(p)
	if !lower(new.Min, old.Min) && !higher(new.Max, old.Max) {
		return
	}
	c.add(onOutput(p, "max").at(fmt.Sprintf("output %q was %s in %s and can now be %s", p.old.Name, span(old), c.v(), span(new)),
		textf("readers of {callers} may not have room for it"), "keep the range, or add an output"))
}

func outputRangeNarrowed(c *comparison, p outputPair) {
	old, new := c.facts(p)
	if !lower(old.Min, new.Min) && !higher(old.Max, new.Max) {
		return
	}
	c.add(onOutput(p, "max").at(fmt.Sprintf("output %q was %s in %s and is now %s", p.old.Name, span(old), c.v(), span(new)),
		textf("callers of {callers} cannot know"), ""))
}

// span writes a range of numbers.
func span(d signature.OutputDetails) string {
	end := func(n *int64) string {
		if n == nil {
			return "any number"
		}
		return strconv.FormatInt(*n, 10)
	}
	if d.Min == nil && d.Max == nil {
		return "any number"
	}
	return end(d.Min) + " to " + end(d.Max)
}

func outputDescriptionChanged(c *comparison, p outputPair) {
	level := eased
	why := textf("models read it as the meaning of the output")
	if numeric(p.old.Type) {
		level, why = None, textf("if the unit changed, that is a break")
	}
	if p.old.Description != p.new.Description {
		ch := onOutput(p, "description")
		ch.Level = level
		c.add(ch.at(fmt.Sprintf("text of output %q changed from %s (%s) to %s", p.old.Name, short(p.old.Description), c.v(), short(p.new.Description)), why,
			"keep the text, or add an output with the new meaning"))
	}
	for _, v := range retold(p.old.Values, p.new.Values) {
		ch := onValue(onOutput(p, ""), v)
		ch.Level = eased
		c.add(ch.at(fmt.Sprintf("text of value %q of output %q changed since %s", v, p.old.Name, c.v()),
			textf("models read it as the meaning of the value"), "keep the text, or release it"))
	}
	if p.old.Type != signature.JSON || p.new.Type != signature.JSON {
		return
	}
	if at := retoldMember(schemaOf(p.old), schemaOf(p.new), ""); at != "" {
		ch := onOutput(p, "schema")
		ch.Level = eased
		c.add(ch.at(fmt.Sprintf("text of %s of output %q changed since %s", at, p.old.Name, c.v()),
			textf("models read it as the meaning of the member"), "keep the text, or release it"))
	}
}

func outputOrderChanged(c *comparison) {
	if out := reordered(c.outputs, c.new.Outputs); out != nil {
		ch := Change{Ref: Ref{Place: "outputs"}, Part: out.Name}
		c.add(ch.at(fmt.Sprintf("outputs stand in another order than in %s, from %q on", c.v(), out.Name),
			textf("readers look for names, so only generated documents differ"), "restore the order"))
	}
}

func outputShapeChanged(c *comparison, p outputPair) {
	if what := misread(schemaOf(p.old), schemaOf(p.new), ""); what != "" {
		c.add(onOutput(p, "value").at(fmt.Sprintf("the shape of output %q changed since %s: %s", p.old.Name, c.v(), what),
			textf("readers of {callers} expect the old shape"), "keep the shape; add a new output for the new one"))
	}
}

func outputShapeGrown(c *comparison, p outputPair) {
	old, new := schemaOf(p.old), schemaOf(p.new)
	if misread(old, new, "") != "" || sameShape(old, new) {
		return
	}
	what := misread(new, old, "")
	if what == "" {
		what = "its members stand in another order"
	}
	c.add(onOutput(p, "value").at(fmt.Sprintf("the shape of output %q says more than in %s; read backwards, %s", p.old.Name, c.v(), strings.TrimPrefix(what, "it ")),
		textf("readers of {callers} are not concerned"), ""))
}
