package compat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// on starts a change at a part of the tool.
func on(place string) Change { return Change{Ref: Ref{Place: place}} }

func toolIDChanged(c *comparison) {
	if c.old.ID == c.new.ID {
		return
	}
	c.add(on("id").at(fmt.Sprintf("%q had the id %s in %s and now has %s", c.old.Name, c.old.ID, c.v(), c.new.ID),
		textf("A2T callers of {callers} know the tool by its id"), "id: "+c.old.ID))
}

// toolRenamed also sees the name that OTC calls the tool by.
func toolRenamed(c *comparison) {
	full := func(s *signature.Signature) string { return s.Toolkit + "." + s.ToolName }
	switch {
	case c.old.Name != c.new.Name:
		c.add(on("name").at(fmt.Sprintf("the tool was released as %q (%s) and is now %q", c.old.Name, c.v(), c.new.Name),
			textf("models and OTC callers of {callers} use the name"), "restore it"))
	case full(c.old) != full(c.new):
		c.add(on("toolkit").at(fmt.Sprintf("%q was released as the OTC tool %s (%s) and is now %s", c.old.Name, full(c.old), c.v(), full(c.new)),
			textf("OTC callers of {callers} use the name"), "restore the toolkit"))
	}
}

func toolDescriptionChanged(c *comparison) {
	if old, new := c.old.FullDescription(), c.new.FullDescription(); old != new {
		c.add(on("description").at(fmt.Sprintf("text of %q changed from %s (%s) to %s", c.old.Name, short(old), c.v(), short(new)),
			textf("models choose tools by their texts"), "keep the text, or release it"))
	}
	if c.old.Title != c.new.Title {
		c.add(on("title").at(fmt.Sprintf("title of %q changed from %s (%s) to %s", c.old.Name, short(c.old.Title), c.v(), short(c.new.Title)),
			textf("people know the tool by it"), "keep the title, or release it"))
	}
}

func toolImageChanged(c *comparison) {
	if c.old.Image != c.new.Image {
		c.add(on("image").at(fmt.Sprintf("image of %q changed since %s", c.old.Name, c.v()), textf("people know the tool by it"), "keep the image, or release it"))
	}
}

// missing returns the elements of a that are not in b.
func missing(a, b []string) []string {
	var out []string
	for _, s := range a {
		if !slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

func toolTagAdded(c *comparison) {
	for _, tag := range missing(c.new.Tags, c.old.Tags) {
		c.add(on("tags."+tag).at(fmt.Sprintf("%q has the new tag %q", c.old.Name, tag), textf("filters by tag find it more often"), ""))
	}
}

func toolTagRemoved(c *comparison) {
	for _, tag := range missing(c.old.Tags, c.new.Tags) {
		c.add(on("tags."+tag).at(fmt.Sprintf("%q lost the tag %q (%s)", c.old.Name, tag, c.v()),
			textf("callers of {callers} that filter by it lose the tool"), "keep the tag"))
	}
}

// An effect is one flag of what a call may do, as good news.
type effect struct {
	place    string
	old, new bool
	// was and is say it in words when it is lost.
	was, is string
}

func (c *comparison) effects() []effect {
	a, b := c.old.Effects, c.new.Effects
	return []effect{
		{"effects.read_only", a.ReadOnly, b.ReadOnly, "was read-only", "changes things"},
		{"effects.idempotent", a.Idempotent, b.Idempotent, "was idempotent", "does more when it is called again"},
		{"effects.destructive", !a.Destructive, !b.Destructive, "destroyed nothing", "may destroy something"},
		{"effects.reversible", a.Reversible, b.Reversible, "could be undone", "cannot be undone"},
		{"effects.billable", !a.Billable, !b.Billable, "cost nothing", "may cost money"},
		{"effects.network", !c.was.Network, !c.is.Network, "stayed within the vendor's systems", "reaches others"},
	}
}

// Corrected returns is, with every effect as it was that an accept entry lets be
// worse. Under a released number that is no change of the tool: it was described
// wrongly, and callers are told the truth without another version.
func Corrected(was, is signature.Effects, accept []Accept) signature.Effects {
	for _, f := range []struct {
		place string
		to    *bool
		from  bool
		good  bool
	}{
		{"effects.read_only", &is.ReadOnly, was.ReadOnly, true}, {"effects.idempotent", &is.Idempotent, was.Idempotent, true},
		{"effects.destructive", &is.Destructive, was.Destructive, false}, {"effects.reversible", &is.Reversible, was.Reversible, true},
		{"effects.billable", &is.Billable, was.Billable, false},
	} {
		if f.from == f.good && slices.ContainsFunc(accept, func(a Accept) bool { return a.Rule == ruleEffectWorsened.String() && a.At == f.place }) {
			*f.to = f.from
		}
	}
	return is
}

func effectWorsened(c *comparison) {
	for _, e := range c.effects() {
		if e.old && !e.new {
			c.add(on(e.place).at(fmt.Sprintf("%q %s in %s and now %s", c.old.Name, e.was, c.v(), e.is),
				textf("agents approved {callers} as it was"), "let "+e.place+" be as it was"))
		}
	}
}

func effectImproved(c *comparison) {
	for _, e := range c.effects() {
		if !e.old && e.new {
			c.add(on(e.place).at(fmt.Sprintf("%s of %q is better than in %s", e.place, c.old.Name, c.v()), textf("callers of {callers} cannot know"), ""))
		}
	}
}

// needs lists what a caller must bring, by place.
func needs(n signature.Needs) []string {
	var out []string
	if n.UserID {
		out = append(out, "auth.user_id")
	}
	for _, group := range []struct {
		name string
		list []string
	}{{"secrets", n.Secrets}, {"tokens", n.Tokens}, {"claims", n.Claims}} {
		for _, s := range group.list {
			out = append(out, "auth."+group.name+"."+s)
		}
	}
	return out
}

func authTightened(c *comparison) {
	for _, n := range missing(needs(c.new.Needs), needs(c.old.Needs)) {
		c.add(on(n).at(fmt.Sprintf("%q now wants %s of the caller", c.old.Name, n[len("auth."):]),
			textf("callers of {callers} do not bring it"), "do without it"))
	}
}

func authLoosened(c *comparison) {
	for _, n := range missing(needs(c.old.Needs), needs(c.new.Needs)) {
		c.add(on(n).at(fmt.Sprintf("%q no longer wants %s of the caller", c.old.Name, n[len("auth."):]),
			textf("callers of {callers} go on bringing it"), ""))
	}
}

func errorRemoved(c *comparison) {
	gone, news := missing(c.was.Errors, c.is.Errors), missing(c.is.Errors, c.was.Errors)
	for _, code := range gone {
		what := fmt.Sprintf("%q no longer fails with %q (%s)", c.old.Name, code, c.v())
		if len(gone) == 1 && len(news) == 1 {
			what += fmt.Sprintf(", was it renamed to %q?", news[0])
		}
		c.add(on("errors."+code).at(what, textf("callers of {callers} that read the code do not handle what comes in its place"), "keep the code"))
	}
}

func errorAdded(c *comparison) {
	for _, code := range missing(c.is.Errors, c.was.Errors) {
		c.add(on("errors."+code).at(fmt.Sprintf("%q can now fail with %q", c.old.Name, code), textf("callers of {callers} do not know the code"), ""))
	}
}

func toolDeprecated(c *comparison) {
	if old, new := c.was.Deprecation, c.is.Deprecation; old == (signature.Deprecation{}) && new != old {
		c.add(on("deprecated").at(fmt.Sprintf("%q is deprecated", c.old.Name), textf("callers of {callers} should move"), ""))
	}
}

func toolSunsetNearer(c *comparison) {
	if old, new := c.was.Deprecation.Sunset, c.is.Deprecation.Sunset; old != "" && new != "" && new < old {
		ch := on("deprecated")
		ch.Part = "sunset"
		c.add(ch.at(fmt.Sprintf("%q was promised until %s (%s) and now ends on %s", c.old.Name, old, c.v(), new),
			textf("callers of {callers} planned for the later date"), "sunset: "+old))
	}
}

// planChanged compares digests: what a plan says is hidden from this package.
func planChanged(c *comparison) {
	was, is := c.was.Plan, c.plan.Digest
	if was == "" || is == "" || was == is {
		return
	}
	ch := on("plan." + shortDigest(was) + "-" + shortDigest(is))
	fix := fmt.Sprintf("restore it, or release the change as version: %d", c.old.Version+1)
	if c.new.Version > c.old.Version {
		ch.Level = eased
		runs := c.plan.Runs
		if len(runs) == 0 {
			runs = []int{c.old.Version}
		}
		fix = fmt.Sprintf("let them keep the chain that they were released with: freeze: [%s], or accept: [{rule: %s, at: %s, reason: \"\"}] with a reason",
			numbers(runs), RulePlanChanged, ch.Place)
	}
	what := fmt.Sprintf("%q does its work in another way than in %s", c.old.Name, c.v())
	if len(c.plan.Changes) > 0 {
		what += ": " + strings.Join(c.plan.Changes, "; ")
	} else {
		what += ` ("sculpt diff" says in which)`
	}
	why := textf("answers to callers of {callers} may differ")
	if len(c.plan.Runs) > 0 {
		why = textf("callers of " + versionRange(c.plan.Runs) + " get the answers of the chain of today")
	}
	c.add(ch.at(what, why, fix))
}

// shortDigest is a digest as places have it.
func shortDigest(digest string) string {
	digest = strings.TrimPrefix(digest, "sha256:")
	return digest[:min(10, len(digest))]
}

// numbers lists versions for a fix to type.
func numbers(versions []int) string {
	words := make([]string, 0, len(versions))
	for _, v := range versions {
		words = append(words, strconv.Itoa(v))
	}
	return strings.Join(words, ", ")
}
