package spec

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// An Overlay is a document of the OpenAPI Overlay Specification 1.0 or 1.1: it
// says what to change in a document that belongs to somebody else.
type Overlay struct {
	// File is the path of the overlay, Data its text.
	File string
	Data []byte
	// Span is the place in the manifest that names it.
	Span diag.Span
}

// mostAdded bounds the values that overlays add to one document.
const mostAdded = 1_000_000

// overlays changes the root document of an api, in the order in which the
// overlays are named. It comes before everything else that is read of the
// document, so that what was broken may be mended here.
func (l *loader) overlays(all []Overlay) bool {
	if len(all) > 0 && !l.docs[0].isJSON {
		root := l.root.clone() // aliases of YAML share their values
		l.root, l.docs[0].root = &root, &root
	}
	for i := range all {
		o := &overlay{loader: l}
		if o.open(&all[i]); o.root != nil {
			o.apply()
		}
		if o.failed {
			return false
		}
	}
	return true
}

// An overlay is one that is being applied.
type overlay struct {
	*loader
	file   string
	root   *node
	index  int
	minor  string
	added  int
	failed bool
}

// bad reports an error at a node of the overlay.
func (o *overlay) bad(at diag.Span, fix, format string, args ...any) {
	o.failed = true
	o.findings.Errorf(ruleOverlay, at, fix, format, args...)
}

// open reads the overlay. Its texts have their places in its own file, and
// references in it lead into the document that it changes.
func (o *overlay) open(from *Overlay) {
	o.file, o.index = from.File, len(o.docs)
	doc := &document{file: from.File}
	o.docs = append(o.docs, doc)
	if o.loader.bytes += len(from.Data); o.loader.bytes > MaxBytes {
		o.bad(from.Span, "take what you need into a document of its own", "the documents of this api have more than 64 MB")
		return
	}
	o.parse(o.index, doc, string(from.Data))
	if doc.err != nil {
		o.failed = true
		o.findings.Errorf(doc.err.rule, doc.err.at, doc.err.fix, "%s", doc.err.message)
		return
	}
	tree := doc.root
	o.checkAll(tree)
	doc.root, doc.inline = o.loader.root, true
	if o.head(tree) {
		o.root = tree
	}
}

var (
	overlayVersion = regexp.MustCompile(`^1\.([01])(\.[0-9]+)?$`)
	overlayKeys    = []string{"overlay", "info", "extends", "actions"}
	actionKeys     = []string{"target", "description", "update", "remove", "copy"}
)

// head checks what an overlay says beside its actions.
func (o *overlay) head(root *node) bool {
	whole := diag.Span{File: o.file, Start: diag.Pos{Line: 1, Col: 1}}
	version := root.get("overlay")
	if root.kind != objectNode || version == nil {
		o.bad(whole, "write overlay: 1.0.0", `the file has no "overlay" version at its top`)
		return false
	}
	m := overlayVersion.FindStringSubmatch(version.text)
	if m == nil {
		o.bad(o.valueSpan(version), "write 1.0.0 or 1.1.0", "overlays of version %q are not known", version.text)
		return false
	}
	o.minor = m[1]
	o.known(root, overlayKeys)
	if actions := root.get("actions"); actions == nil || actions.kind != arrayNode || len(actions.kids()) == 0 {
		o.bad(o.spanOf(version), "list them under actions:", "the overlay has no actions")
		return false
	}
	extends := root.str("extends")
	if extends != "" && !strings.Contains(extends, ":") && path.Join(path.Dir(o.file), extends) != o.loader.file {
		o.findings.Warnf(ruleOverlayUnused, o.valueSpan(root.get("extends")), "name it under the api of that document", "the overlay extends %q, and %q is what it is applied to", extends, o.loader.file)
	}
	return !o.failed
}

// known refuses keys that overlays do not have.
func (o *overlay) known(n *node, keys []string) {
	for i := range n.kids() {
		if k := &n.kids()[i]; !slices.Contains(keys, k.name) && !isExtension(k.name) {
			o.bad(o.spanOf(k), "write "+diag.Nearest(k.name, keys), "overlays have no key %q%s", k.name, diag.DidYouMean(k.name, keys))
		}
	}
}

func (o *overlay) apply() {
	actions := o.root.list("actions")
	for i := range actions {
		if a := &actions[i]; a.kind != objectNode {
			o.bad(o.valueSpan(a), "write target: and update:", "an action is an object")
		} else if o.known(a, actionKeys); !o.failed {
			o.action(a)
		}
		if o.failed {
			return
		}
	}
}

// action changes every node that the target selects.
func (o *overlay) action(a *node) {
	target := a.get("target")
	if target == nil || target.kind != stringNode {
		o.bad(o.valueSpan(a), "write target: '$.info'", "the action has no target")
		return
	}
	found := o.find(target)
	if o.failed {
		return
	}
	if len(found) == 0 {
		o.findings.Warnf(ruleOverlayUnused, o.valueSpan(target), "correct the target, or remove the action", "the target selects nothing in %q", o.loader.file)
		return
	}
	update, copied := a.get("update"), a.get("copy")
	switch {
	case a.flag("remove"):
		o.remove(target, found)
	case copied != nil:
		o.copy(target, copied, found)
	case update == nil:
		o.bad(o.valueSpan(target), "write update: or remove: true", "the action says nothing to do")
	default:
		o.update(target, update, found)
	}
}

// find returns the places of the nodes that a query selects, the last of the
// document first: what changes at one leaves the places before it as they are.
func (o *overlay) find(query *node) [][]int {
	p, err := parsePath(query.text)
	if err != nil {
		o.bad(o.within(query, err.at), "write a JSONPath of RFC 9535, such as $.paths['/users'].get", "%s", err.text)
		return nil
	}
	matches, ok := p.find(o.loader.root)
	if !ok {
		o.bad(o.valueSpan(query), "name more of the way", "the query takes too long")
		return nil
	}
	places := make([][]int, len(matches))
	for i, m := range matches {
		places[i] = m.place()
	}
	slices.SortFunc(places, func(a, b []int) int { return slices.Compare(b, a) })
	return places
}

// within is the place of a byte of a text.
func (o *overlay) within(n *node, offset int) diag.Span {
	span := o.valueSpan(n)
	width, length := span.End.Col-span.Start.Col, utf8.RuneCountInString(n.text)
	if width != length && width != length+2 {
		return span // written with escapes, or on several lines
	}
	span.Start.Col += (width-length)/2 + utf8.RuneCountInString(n.text[:offset])
	span.End = diag.Pos{Line: span.Start.Line, Col: span.Start.Col + 1}
	return span
}

// at is the node at a place.
func (o *overlay) at(place []int) *node {
	n := o.loader.root
	for _, i := range place {
		n = &n.kids()[i]
	}
	return n
}

func (o *overlay) remove(target *node, places [][]int) {
	for _, place := range places {
		if len(place) == 0 {
			o.bad(o.valueSpan(target), "select what is in it", "the whole document cannot be removed")
			return
		}
		last := len(place) - 1
		parent := o.at(place[:last])
		if o.primitive(target, &parent.kids()[place[last]]) {
			return
		}
		parent.setKids(slices.Delete(parent.kids(), place[last], place[last]+1))
	}
}

// primitive refuses a target that overlays before 1.1 cannot change.
func (o *overlay) primitive(target, n *node) bool {
	if o.minor != "0" || n.kind == objectNode || n.kind == arrayNode {
		return false
	}
	o.bad(o.valueSpan(target), "select what holds it, or write overlay: 1.1.0", "the target selects %s, which overlays of version 1.0 cannot", n.kind)
	return true
}

// copy takes over the one node that a query selects (1.1).
func (o *overlay) copy(target, source *node, places [][]int) {
	if o.minor == "0" {
		o.bad(o.spanOf(source), "write overlay: 1.1.0", "overlays of version 1.0 cannot copy")
		return
	}
	if source.kind != stringNode {
		o.bad(o.valueSpan(source), "write copy: '$.paths'", "copy: is a query")
		return
	}
	found := o.find(source)
	if o.failed {
		return
	}
	if len(found) != 1 {
		o.bad(o.valueSpan(source), "select one", "the query of copy: selects %d values", len(found))
		return
	}
	value := o.at(found[0]).clone()
	o.update(target, &value, places)
}

func (o *overlay) update(target, value *node, places [][]int) {
	deep, size := value.measure()
	for _, place := range places {
		n := o.at(place)
		switch {
		case o.primitive(target, n):
			return
		case n.kind == objectNode && value.kind != objectNode:
			o.bad(o.valueSpan(value), "write the members to merge", "the target selects an object, and the update is %s", value.kind)
			return
		case len(place)+deep > maxDepth:
			o.bad(o.valueSpan(value), "flatten it", "the document would be nested deeper than %d levels", maxDepth)
			return
		}
		if o.added += size; o.added > mostAdded {
			o.bad(o.valueSpan(target), "select less", "overlays add more than %d values", mostAdded)
			return
		}
		if n.kind == arrayNode && value.kind != arrayNode {
			entry := value.clone()
			entry.name, entry.nameAt = "", 0
			n.setKids(append(n.kids(), entry))
			continue
		}
		n.merge(value)
	}
}

// merge changes a node as an update says: objects member by member, lists get
// more elements, anything else is replaced (1.1, 4.4.3).
func (n *node) merge(value *node) {
	switch {
	case n.kind == objectNode && value.kind == objectNode:
		had := make(map[string]int, len(n.kids()))
		for i := range slices.Backward(n.kids()) {
			had[n.kids()[i].name] = i // of two equal keys the first counts
		}
		for i := range value.kids() {
			if at, ok := had[value.kids()[i].name]; ok {
				n.kids()[at].merge(&value.kids()[i])
			} else {
				n.setKids(append(n.kids(), value.kids()[i].clone()))
			}
		}
	case n.kind == arrayNode && value.kind == arrayNode:
		for i := range value.kids() {
			n.setKids(append(n.kids(), value.kids()[i].clone()))
		}
	default:
		replaced := value.clone()
		replaced.name, replaced.nameAt = n.name, n.nameAt
		*n = replaced
	}
}

// clone copies a node with everything below it.
func (n *node) clone() node {
	c := *n
	c.setKids(make([]node, len(n.kids())))
	for i := range n.kids() {
		c.kids()[i] = n.kids()[i].clone()
	}
	return c
}

// measure is how deep a node is, and how many values it has.
func (n *node) measure() (deep, size int) {
	size = 1
	for i := range n.kids() {
		d, s := n.kids()[i].measure()
		deep, size = max(deep, d), size+s
	}
	return deep + 1, size
}
