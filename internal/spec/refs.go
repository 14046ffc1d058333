package spec

import (
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxHops bounds chains of references to references, maxSteps all of them.
const (
	maxHops  = 100
	maxSteps = 2_000_000
)

var remoteRef = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*:|//)`)

// A target is what a $ref leads to.
type target struct {
	node *node
	// file and steps say where: a document of the reader and the segments of
	// the JSON pointer.
	file  int
	steps []string
}

// key names the target among all documents of the api.
func (l *loader) key(t target) string {
	var b strings.Builder
	if t.file > 0 {
		// Relative, so that moving all documents together changes nothing.
		b.WriteString(relative(path.Dir(l.file), l.docs[t.file].file))
	}
	b.WriteByte('#')
	for _, s := range t.steps {
		b.WriteByte('/')
		b.WriteString(pointerEscape(s))
	}
	return b.String()
}

// relative writes the path of a file as seen from a folder.
func relative(dir, file string) string {
	up := ""
	for dir != "." && !strings.HasPrefix(file, dir+"/") {
		dir, up = path.Dir(dir), up+"../"
	}
	if dir == "." {
		return up + file
	}
	return up + strings.TrimPrefix(file, dir+"/")
}

// resolve finds what the reference, a string node, leads to, through chains of
// references. scope are the objects around it in their document, outermost
// first: some generators write #/$defs/X relative to the schema.
func (l *loader) resolve(ref *node, scope []target) (target, *fault) {
	for range maxHops { // which a circle uses up
		t, f := l.step(ref, scope, 0)
		if f != nil {
			return target{}, f
		}
		next, ok := refOf(t.node)
		if !ok || hasSiblings(t.node) {
			return t, nil
		}
		ref, scope = next, nil
	}
	return target{}, &fault{ruleCycle, `the reference "` + ref.text + `" leads back to itself, or through more than 100 others`, "refer to a definition", l.valueSpan(ref)}
}

// hasSiblings reports whether a reference object says more than the reference.
func hasSiblings(n *node) bool {
	for i := range n.kids() {
		switch name := n.kids()[i].name; {
		case name == "$ref", name == "description", name == "summary", name == "title", isExtension(name):
		default:
			return true
		}
	}
	return false
}

// follow goes through the references that a path item or operation may be.
func (l *loader) follow(n *node) (*node, *fault) {
	ref, ok := refOf(n)
	if !ok {
		return n, nil
	}
	t, f := l.resolve(ref, nil)
	if f != nil {
		return nil, f
	}
	return t.node, nil
}

// step follows one reference.
func (l *loader) step(ref *node, scope []target, depth int) (target, *fault) {
	if l.steps++; l.steps > maxSteps {
		return target{}, l.dangling(ref)
	}
	filePart, fragment, _ := strings.Cut(ref.text, "#")
	file, f := l.refFile(ref, filePart)
	if f != nil {
		return target{}, f
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	root := target{node: l.docs[file].root, file: file}
	if fragment == "" {
		return root, nil
	}
	if !strings.HasPrefix(fragment, "/") {
		if t, ok := l.anchor(file, fragment); ok {
			return t, nil
		}
		return target{}, l.dangling(ref)
	}
	var steps []string
	for s := range strings.SplitSeq(fragment[1:], "/") {
		steps = append(steps, pointerUnescape(s))
	}
	if t, ok := l.walk(root, steps, depth); ok {
		return t, nil
	}
	if filePart == "" {
		for _, s := range slices.Backward(scope) {
			if t, ok := l.walk(s, steps, depth); ok {
				return t, nil
			}
		}
	}
	return target{}, l.dangling(ref)
}

func (l *loader) dangling(ref *node) *fault {
	return &fault{ruleDangling, `the reference "` + ref.text + `" leads nowhere`, "correct the $ref, or add what it names", l.valueSpan(ref)}
}

// walk follows the segments of a JSON pointer, through references on the way.
func (l *loader) walk(t target, steps []string, depth int) (target, bool) {
	for _, s := range steps {
		next := t.node.child(s)
		if next == nil {
			ref, ok := refOf(t.node)
			if !ok || depth > maxHops {
				return target{}, false
			}
			through, f := l.step(ref, nil, depth+1)
			if f != nil {
				return target{}, false
			}
			t = through
			if next = t.node.child(s); next == nil {
				return target{}, false
			}
		}
		l.checkStep(t.node, s)
		t = target{node: next, file: t.file, steps: append(slices.Clip(t.steps), s)}
	}
	return t, true
}

// refFile opens the document that the file part of a reference names.
func (l *loader) refFile(ref *node, part string) (int, *fault) {
	from := ref.at.file()
	if l.docs[from].inline {
		from = 0
	}
	if part == "" {
		return from, nil
	}
	if remoteRef.MatchString(part) {
		return 0, &fault{ruleRemote, `the reference "` + ref.text + `" names a document on the network, which is not fetched`,
			"store the document beside this one and refer to the file", l.valueSpan(ref)}
	}
	if decoded, err := url.PathUnescape(part); err == nil {
		part = decoded
	}
	name := path.Join(path.Dir(l.docs[from].file), part)
	if path.IsAbs(part) || strings.ContainsAny(part, "\\\x00") || !fs.ValidPath(name) {
		return 0, &fault{ruleOutside, `the reference "` + ref.text + `" leaves the module`, "move the document into the module", l.valueSpan(ref)}
	}
	i, doc := l.open(name)
	if doc.err == nil {
		return i, nil
	}
	f := *doc.err
	if f.at.IsZero() {
		f.at = l.valueSpan(ref)
	}
	if f.rule == RuleNotFound {
		f.rule = ruleDangling
	}
	return 0, &f
}

// anchor finds the schema with that $anchor in a document.
func (l *loader) anchor(file int, name string) (target, bool) {
	doc := l.docs[file]
	if doc.anchors == nil {
		doc.anchors = map[string]*node{}
		collectAnchors(doc.root, doc.anchors)
	}
	n := doc.anchors[name]
	return target{node: n, file: file, steps: []string{"#" + name}}, n != nil
}

func collectAnchors(n *node, found map[string]*node) {
	if a := n.str("$anchor"); a != "" && found[a] == nil {
		found[a] = n
	}
	for i := range n.kids() {
		collectAnchors(&n.kids()[i], found)
	}
}
