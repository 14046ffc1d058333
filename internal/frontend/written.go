package frontend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// written is a value in the manifest of a plan, with its place in the text:
// mutants are made by writing something else there.
type written struct {
	key      string
	from, to int
	raw      json.RawMessage
	kids     []*written
	isList   bool
	up       *written
}

// read takes a manifest in JSON apart.
func read(data []byte) *written {
	w := &written{raw: data, to: len(data)}
	w.open()
	return w
}

// open reads what is in an object or a list. The text is what sculpt wrote.
func (w *written) open() {
	d := json.NewDecoder(bytes.NewReader(w.raw))
	first, _ := d.Token()
	w.isList = first == json.Delim('[')
	if first != json.Delim('{') && !w.isList {
		return
	}
	for d.More() {
		kid := &written{up: w}
		if !w.isList {
			name, _ := d.Token()
			kid.key, _ = name.(string)
		}
		if d.Decode(&kid.raw) != nil {
			return
		}
		kid.to = w.from + int(d.InputOffset())
		kid.from = kid.to - len(kid.raw)
		kid.open()
		w.kids = append(w.kids, kid)
	}
}

// kid returns the member of that name, or nil.
func (w *written) kid(name string) *written {
	if w == nil {
		return nil
	}
	if i := slices.IndexFunc(w.kids, func(k *written) bool { return !w.isList && k.key == name }); i >= 0 {
		return w.kids[i]
	}
	return nil
}

// find returns a part by its name in the words of changes, or nil. Parts are in
// the tool, in the package around it, or in a flow that the tool uses.
func (w *written) find(part string) *written {
	tools := w.kid("tools")
	if tools == nil || len(tools.kids) == 0 {
		return nil
	}
	tool := tools.kids[0]
	if tool.kid("steps") == nil && strings.HasPrefix(part, "steps.") {
		_, part, _ = strings.Cut(strings.TrimPrefix(part, "steps."), ".") // the short form of one call
	}
	names := strings.Split(part, ".")
	if found := tool.below(names); found != nil {
		return found
	}
	if len(names) > 2 && (names[0] == "steps" || names[0] == "let") {
		if found := w.inFlow(tool, names); found != nil {
			return found
		}
	}
	return w.below(names)
}

// inFlow looks for "steps.cost.quote.with.id" and "let.cost.amount" in the flow
// that step cost runs.
func (w *written) inFlow(tool *written, names []string) *written {
	step := tool.kid("steps").kid(names[1])
	var name string
	if of := step.kid("flow"); of == nil || json.Unmarshal(of.raw, &name) != nil {
		return nil
	}
	flow, rest := w.kid("flows").kid(name), names[2:]
	if names[0] == "steps" {
		return flow.below(append([]string{"steps"}, rest...))
	}
	for _, at := range []*written{flow.kid("let"), flow.kid("results"), step.kid("with")} {
		if found := at.below(rest); found != nil {
			return found
		}
	}
	return nil
}

// below follows names; a key may have dots in it.
func (w *written) below(names []string) *written {
	if w == nil || len(names) == 0 {
		return w
	}
	for n := len(names); n > 0; n-- {
		if found := w.kid(strings.Join(names[:n], ".")).below(names[n:]); found != nil {
			return found
		}
	}
	return nil
}

// prose are the keys of texts for people: what they say is not a part of what a
// tool does.
var prose = []string{"description", "text", "message", "developer", "hint", "title", "because", "call", "id"}

// leaves are the values below that mean something, in order.
func (w *written) leaves() []*written {
	switch {
	case w == nil || slices.Contains(prose, w.key) && w.up.key != "with":
		return nil
	case len(w.kids) == 0:
		return []*written{w}
	}
	var out []*written
	for _, k := range w.kids {
		out = append(out, k.leaves()...)
	}
	return out
}

// differing are the leaves that only one of two values has: those of the newer
// one, and those that are gone with their place.
func differing(was, is *written) (added, gone []*written) {
	switch {
	case was == nil || is == nil:
		return is.leaves(), was.leaves()
	case bytes.Equal(was.raw, is.raw):
		return nil, nil
	case len(was.kids) == 0 || len(is.kids) == 0:
		return is.leaves(), nil
	case was.isList && is.isList:
		return apart(was.kids, is.kids)
	}
	for _, k := range is.kids {
		a, g := differing(was.kid(k.key), k)
		added, gone = append(added, a...), append(gone, g...)
	}
	for _, k := range was.kids {
		if is.kid(k.key) == nil {
			gone = append(gone, k.leaves()...)
		}
	}
	return added, gone
}

// apart compares lists between what is equal at both ends.
func apart(was, is []*written) (added, gone []*written) {
	same := func(a, b *written) bool { return bytes.Equal(a.raw, b.raw) }
	for len(was) > 0 && len(is) > 0 && same(was[0], is[0]) {
		was, is = was[1:], is[1:]
	}
	for len(was) > 0 && len(is) > 0 && same(was[len(was)-1], is[len(is)-1]) {
		was, is = was[:len(was)-1], is[:len(is)-1]
	}
	for i := range max(len(was), len(is)) {
		var old, now *written
		if i < len(was) {
			old = was[i]
		}
		if i < len(is) {
			now = is[i]
		}
		a, g := differing(old, now)
		added, gone = append(added, a...), append(gone, g...)
	}
	return added, gone
}

// bare are the keys of expressions without ${ and }.
var bare = []string{"check", "when", "until", "items", "next", "in", "for_each", "allow"}

var (
	wholeExpr    = regexp.MustCompile(`(?s)^\$\{(.*)\}$`)
	durationForm = regexp.MustCompile(`^([0-9]+)(ms|s|m|h)$`)
)

func (w *written) isNumber() bool {
	_, err := strconv.ParseFloat(string(w.raw), 64)
	return err == nil
}

// others are values to put in the place of this one, as JSON: which of them has
// the type that is wanted there, resolving tells.
func (w *written) others() []string {
	if n, err := strconv.ParseInt(string(w.raw), 10, 64); err == nil {
		return []string{strconv.FormatInt(n+1, 10), strconv.FormatInt(n-1, 10)}
	}
	var text string
	switch err := json.Unmarshal(w.raw, &text); {
	case string(w.raw) == "true":
		return []string{"false"}
	case string(w.raw) == "false":
		return []string{"true"}
	case w.isNumber():
		return []string{string(w.raw) + "1"}
	case err != nil:
		return nil
	}
	var out []string
	inner := wholeExpr.FindStringSubmatch(text)
	switch {
	case slices.Contains(bare, w.key):
		out = otherwise(text, "%s")
	case inner != nil && !strings.Contains(inner[1], "${"):
		out = otherwise(inner[1], "${%s}")
	case durationForm.MatchString(text):
		out = []string{"1" + text}
	default:
		out = append(w.names(text), text+"~", text+"_x", text+"_X", "1")
	}
	for i := range out {
		out[i] = plain(out[i])
	}
	return out
}

// otherwise wraps an expression into others.
func otherwise(e, form string) []string {
	var out []string
	for _, other := range []string{
		"(%s) + 1", "(%s) + 1.5", `(%s) + "~"`, "!(%s)", "(%s).take(0)", "(%s).orValue(0) + 1", "(%s).orValue(0.0) + 1.5", `(%s).orValue("") + "~"`, "!((%s).orValue(false))",
		"(%s).orValue([]).take(0)",
	} {
		out = append(out, fmt.Sprintf(form, fmt.Sprintf(other, e)))
	}
	return append(out, "~")
}

// names are those that a fallback may have instead: the other values beside it.
func (w *written) names(text string) []string {
	var out []string
	if w.key != "fallback" {
		return nil
	}
	for _, v := range w.up.kid("values").leaves() {
		var name string
		if v.key == "name" && json.Unmarshal(v.raw, &name) == nil && name != text {
			out = append(out, name)
		}
	}
	return out
}

// plain writes a text as JSON.
func plain(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic("frontend: " + err.Error()) // texts always encode
	}
	return string(data)
}
