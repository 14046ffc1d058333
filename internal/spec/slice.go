package spec

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// A component is something that references lead to, copied once.
type component struct {
	// ref is the text of all references to it in the slice: the section and
	// the place it came from. It does not depend on what else is wanted.
	ref string
	// id names it in the document for the loader.
	id   string
	role role
	// name is how messages call it.
	name string
	from target
	node node
	refs []*component
	// digest is that of the node alone, made when first needed.
	digest string
}

// A slicedOperation is a wanted operation, cut out.
type slicedOperation struct {
	entry
	node   node
	refs   []*component
	digest string
	server operation.Server
}

// A slicer copies the wanted operations and all that they refer to.
type slicer struct {
	*loader
	components []*component
	byRef      map[string]*component
	// refs collects what the part being copied refers to.
	refs []*component
	// owner is the component being copied; nil in an operation.
	owner *component
	// trail are the objects from there to the place being copied.
	trail []step
	// broken is the first fault that costs the whole operation.
	broken *fault
}

type step struct {
	name string
	node *node
}

// slice cuts the operations out. An operation that is broken beyond repair is
// reported and left out.
func (s *slicer) slice(entries []entry) []*slicedOperation {
	var ops []*slicedOperation
	for _, e := range entries {
		s.refs, s.broken, s.owner = nil, nil, nil
		op := &slicedOperation{entry: e, node: s.operation(e)}
		op.refs = s.refs
		if s.broken != nil {
			s.findings.Errorf(s.broken.rule, s.broken.at, s.broken.fix, "%s", s.broken.message)
			continue
		}
		ops = append(ops, op)
	}
	for i := 0; i < len(s.components); i++ {
		if i == maxComponents {
			s.findings.Errorf(ruleSliceTooLarge, diag.Span{File: s.file}, "want fewer operations", "the wanted operations reach more than %d components", maxComponents)
			s.components = nil
			return nil
		}
		c := s.components[i]
		s.refs, s.owner = nil, c
		c.node = s.copy(c.from.node, place{c.role, one})
		c.refs = s.refs
	}
	return ops
}

// operation copies an operation with all that it inherits.
func (s *slicer) operation(e entry) node {
	s.checkKeys(e.item)
	op := *e.op
	op.setKids(append([]node(nil), op.kids()...))
	if params := s.mergeParameters(e); params != nil {
		op.set(arrayMember("parameters", e.op.at, params...))
	}
	for _, key := range []string{"servers", "security", "consumes", "produces", "schemes"} {
		for _, level := range []*node{e.op, e.item, s.root} {
			if v := level.get(key); v != nil {
				op.set(*v)
				break
			}
		}
	}
	out := s.copy(&op, place{operationRole, one})
	out.name, out.nameAt = "", e.op.nameAt
	s.security(&out)
	return out
}

// mergeParameters joins the parameters of the path and of the operation, which
// wins where both have one of the same name and place.
func (s *slicer) mergeParameters(e entry) []node {
	own := e.op.list("parameters")
	keys := map[string]int{}
	var out []node
	for _, params := range [][]node{e.item.list("parameters"), own} {
		for _, p := range params {
			key := s.parameterKey(&p)
			if i, ok := keys[key]; ok && key != "" {
				out[i] = p
				continue
			}
			keys[key] = len(out)
			out = append(out, p)
		}
	}
	return out
}

func (s *slicer) parameterKey(p *node) string {
	n := p
	if ref, ok := refOf(p); ok {
		t, f := s.resolve(ref, nil)
		if f != nil {
			return ""
		}
		n = t.node
	}
	in, name := n.str("in"), n.str("name")
	if name == "" {
		return ""
	}
	return in + " " + name
}

// security makes the schemes that the operation needs part of its slice.
func (s *slicer) security(op *node) {
	for _, alternative := range op.list("security") {
		for i := range alternative.kids() {
			need := &alternative.kids()[i]
			if scheme := s.schemes().get(need.name); scheme != nil {
				s.refs = append(s.refs, s.scheme(scheme))
			} else if alternative.kind == objectNode {
				s.findings.Warnf(ruleScheme, s.spanOf(need), "declare it under components.securitySchemes",
					"the security scheme %q is not declared", need.name)
			}
		}
	}
}

func (l *loader) schemes() *node {
	if l.dialect == swagger2 {
		return l.root.get("securityDefinitions")
	}
	return l.root.get("components").get("securitySchemes")
}

// scheme registers a security scheme of the document.
func (s *slicer) scheme(n *node) *component {
	t := target{node: n, steps: []string{"components", "securitySchemes", n.name}}
	if ref, ok := refOf(n); ok {
		if to, f := s.resolve(ref, nil); f == nil {
			t.node = to.node
		}
	}
	c := s.register(t, schemeRole)
	c.name = n.name
	return c
}

func (s *slicer) register(t target, r role) *component {
	ref := sections[r] + " " + s.key(t)
	if c, ok := s.byRef[ref]; ok {
		return c
	}
	c := &component{ref: ref, id: "c" + strconv.Itoa(len(s.components)), role: r, name: s.componentName(t), from: t}
	s.byRef[ref] = c
	s.components = append(s.components, c)
	return c
}

// componentName is the last part of the pointer that is a name somebody gave.
func (s *slicer) componentName(t target) string {
	steps := t.steps
	if len(steps) == 0 {
		base := path.Base(s.docs[t.file].file)
		return strings.TrimSuffix(base, path.Ext(base))
	}
	named := 1
	switch steps[0] {
	case "components":
		named = min(3, len(steps))
	case "definitions", "$defs", "parameters", "responses":
		named = min(2, len(steps))
	case "paths":
		named = 0
	}
	if named == len(steps) {
		return strings.TrimPrefix(steps[named-1], "#")
	}
	name := ""
	if named > 0 {
		name = typeName(steps[named-1])
	}
	for _, s := range steps[named:] {
		switch s {
		case "properties", "items", "allOf", "oneOf", "anyOf", "$defs", "definitions", "schema", "content", "paths", "responses":
		default:
			name += typeName(s)
		}
	}
	return name
}

// copy copies a value that has a role.
func (s *slicer) copy(n *node, p place) node {
	s.trail = append(s.trail, step{n.name, n})
	defer func() { s.trail = s.trail[:len(s.trail)-1] }()
	switch {
	case p.role == rawRole:
		s.checkAll(n)
		return *n
	case p.as == one && n.kind == arrayNode && p.role == schemaRole:
		// A list where a schema belongs: the repair makes one of it.
		return s.elements(n, p)
	case p.as == one && n.kind == objectNode:
		return s.object(n, p.role)
	case p.as == list && n.kind == arrayNode:
		return s.elements(n, p)
	case p.as == list && n.kind == objectNode:
		// An object where a list belongs, repaired later.
		return s.object(n, p.role)
	case p.as == table && n.kind == objectNode:
		s.checkKeys(n)
		if p.role == schemaRole {
			n = s.spliced(n)
		}
		out := *n
		out.setKids(make([]node, 0, len(n.kids())))
		for i := range n.kids() {
			if p.role == schemaRole || !isExtension(n.kids()[i].name) {
				out.setKids(append(out.kids(), s.copy(&n.kids()[i], place{p.role, one})))
			}
		}
		return out
	}
	return *n
}

// spliced is a table of schemas with the members of another where it refers to
// one. OpenAPI has references to schemas only, but a text cannot be the schema of
// a property called "$ref", and tools that bundle documents take it for one.
func (s *slicer) spliced(n *node) *node {
	ref, ok := refOf(n)
	if !ok {
		return n
	}
	t, f := s.resolve(ref, nil)
	if f != nil || t.node.kind != objectNode {
		return n
	}
	out := *n
	out.setKids(slices.Concat(t.node.kids(), slices.DeleteFunc(slices.Clone(n.kids()), func(k node) bool {
		return k.name == "$ref" || t.node.get(k.name) != nil
	})))
	return &out
}

func (s *slicer) elements(n *node, p place) node {
	out := *n
	out.setKids(make([]node, len(n.kids())))
	for i := range n.kids() {
		s.trail = append(s.trail, step{strconv.Itoa(i), n})
		out.kids()[i] = s.copy(&n.kids()[i], place{p.role, one})
		s.trail = s.trail[:len(s.trail)-1]
	}
	return out
}

func (s *slicer) object(n *node, r role) node {
	s.checkKeys(n)
	if ref, ok := refOf(n); ok && int(r) < len(sections) && sections[r] != "" {
		return s.reference(n, ref, r)
	}
	out := *n
	out.setKids(make([]node, 0, len(n.kids())))
	s.copyMembers(&out, n, r)
	return out
}

func (s *slicer) copyMembers(out, n *node, r role) {
	places := grammar[r]
	for i := range n.kids() {
		kid := &n.kids()[i]
		p := places[kid.name]
		switch {
		case p.role == dropRole, kid.name == "$ref" && kid.kind == stringNode:
		case isExtension(kid.name):
			if kid.name == "x-nullable" && s.dialect == swagger2 {
				k := *kid
				k.name = "nullable"
				out.setKids(append(out.kids(), k))
			}
		default:
			out.setKids(append(out.kids(), s.copy(kid, p)))
		}
	}
}

// reference copies an object that refers to another.
func (s *slicer) reference(n, ref *node, r role) node {
	out := *n
	out.setKids(nil)
	t, f := s.resolve(ref, nil)
	if f != nil && strings.HasPrefix(ref.text, "#/") {
		if inner, innerFault := s.resolve(ref, s.scope()); innerFault == nil {
			t, f = inner, nil
		}
	}
	switch {
	case f == nil:
		c := s.register(t, r)
		s.refs = append(s.refs, c)
		out.setKids([]node{stringMember("$ref", c.ref, ref.at)})
	case r == schemaRole || r == responseRole:
		s.findings.Warnf(f.rule, f.at, f.fix, "%s", f.message)
	case s.broken == nil:
		s.broken = f
	}
	s.copyMembers(&out, n, r)
	return out
}

// scope turns the trail into targets that schema-local references may mean.
func (s *slicer) scope() []target {
	base := target{steps: []string{"paths"}}
	if s.owner != nil {
		base = s.owner.from
	}
	var scope []target
	steps := base.steps
	for i, st := range s.trail {
		if i > 0 {
			steps = append(slices.Clip(steps), st.name)
		}
		scope = append(scope, target{node: st.node, file: base.file, steps: steps})
	}
	return scope
}
