package spec

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A repairer turns the copied parts into what the loader of the small document
// accepts: only keywords that count, only values that they may have. One
// broken keyword would cost the whole document otherwise.
type repairer struct {
	*loader
	byRef map[string]*component
	// trail leads to the part under repair, for messages.
	trail []string
}

// repair mends the operations and components of a slice in place.
func (s *slicer) repair(ops []*slicedOperation) {
	r := &repairer{loader: s.loader, byRef: s.byRef}
	for _, op := range ops {
		r.trail = []string{"paths", op.entry.sum.Path, strings.ToLower(op.entry.sum.Method)}
		r.operation(&op.node)
	}
	for _, c := range s.components {
		r.trail = c.from.steps
		r.value(&c.node, c.role)
	}
}

// place renders the trail as a JSON pointer.
func (r *repairer) place() string {
	var b strings.Builder
	b.WriteByte('#')
	for _, s := range r.trail {
		b.WriteByte('/')
		b.WriteString(pointerEscape(s))
	}
	return b.String()
}

func (r *repairer) warn(rule diag.RuleID, at *node, fix, message string) {
	r.findings.Add(diag.Finding{Rule: rule, Severity: diag.Warning, Span: r.spanOf(at), Fix: fix, Message: r.place() + " " + message})
}

// into runs f one step further down the trail.
func (r *repairer) into(name string, f func()) {
	r.trail = append(slices.Clip(r.trail), name)
	f()
	r.trail = r.trail[:len(r.trail)-1]
}

// value repairs a value of a role.
func (r *repairer) value(n *node, as role) {
	switch as {
	case schemaRole:
		r.schema(n)
		return
	case parameterRole:
		r.object(n, "a parameter", r.parameterMember)
	case bodyRole:
		r.object(n, "a request body", r.bodyMember)
	case responseRole:
		r.object(n, "a response", r.responseMember)
	case mediaRole:
		r.object(n, "a media type", r.mediaMember)
	case encodingRole:
		r.object(n, "an encoding", encodingMember)
	case schemeRole:
		r.object(n, "a security scheme", schemeMember)
	}
	n.mark = as == parameterRole || as == responseRole || as == bodyRole
}

// object keeps the members for which keep says so. Something else in its place
// is taken as an empty object.
func (r *repairer) object(n *node, what string, keep func(*node) bool) {
	if n.kind != objectNode {
		r.warn(ruleKeyword, n, "write an object", "is "+n.kind.String()+", expected "+what)
		n.setKids(nil)
		n.kind, n.text = objectNode, ""
		return
	}
	if ref := r.link(n); ref != nil {
		n.setKids([]node{*ref})
		return
	}
	r.members(n, keep)
}

// link returns the reference that the slicer has put into n, if any.
func (r *repairer) link(n *node) *node {
	if ref, ok := refOf(n); ok && r.byRef[ref.text] != nil {
		return ref
	}
	return nil
}

func (r *repairer) members(n *node, keep func(*node) bool) {
	kept := make([]node, 0, len(n.kids()))
	seen := make(map[string]bool, len(n.kids()))
	for i := range n.kids() {
		k := n.kids()[i]
		if seen[k.name] {
			continue
		}
		seen[k.name] = true
		r.into(k.name, func() {
			if keep(&k) {
				kept = append(kept, k)
			}
		})
	}
	n.setKids(kept)
}

// each repairs the values of a table.
func (r *repairer) each(n *node, as role) bool {
	if n.kind == nullNode {
		return false
	}
	if n.kind != objectNode {
		r.warn(ruleKeyword, n, "write an object", "is "+n.kind.String()+", expected an object")
		return false
	}
	r.members(n, func(k *node) bool {
		r.value(k, as)
		return true
	})
	return true
}

func (r *repairer) operation(n *node) {
	r.members(n, func(k *node) bool {
		switch k.name {
		case "operationId", "summary", "description":
			return k.kind == stringNode
		case "deprecated":
			return k.kind == boolNode
		case "requestBody":
			r.value(k, bodyRole)
			return true
		case "responses":
			return r.each(k, responseRole)
		case "security":
			return r.security(k)
		case "parameters":
			return r.parameters(k)
		}
		return false
	})
	n.mark = true
}

func (r *repairer) parameters(n *node) bool {
	if n.kind == nullNode {
		return false
	}
	if n.kind != arrayNode {
		r.warn(ruleKeyword, n, "write a list of parameters", "is "+n.kind.String()+", expected a list")
		return false
	}
	for i := range n.kids() {
		r.into(strconv.Itoa(i), func() { r.value(&n.kids()[i], parameterRole) })
	}
	return true
}

// security keeps alternatives, each a table from declared schemes to scopes.
// Scopes are not read: what a token may do is between caller and upstream. Where
// none is left, no credential goes along: another one than the document names
// is not its substitute.
func (r *repairer) security(n *node) bool {
	if n.kind != arrayNode {
		return false
	}
	kept := make([]node, 0, len(n.kids()))
	for _, a := range n.kids() {
		if a.kind != objectNode {
			continue
		}
		needs := make([]node, 0, len(a.kids()))
		for _, need := range a.kids() {
			if r.schemes().get(need.name) != nil {
				needs = append(needs, arrayMember(need.name, need.at))
			}
		}
		if len(needs) == 0 && len(a.kids()) > 0 {
			continue
		}
		a.setKids(needs)
		kept = append(kept, a)
	}
	n.setKids(kept)
	return true
}

func (r *repairer) parameterMember(k *node) bool {
	switch k.name {
	case "name", "in", "description", "style":
		return k.kind == stringNode
	case "required", "explode", "allowReserved":
		return k.kind == boolNode
	case "schema":
		r.schema(k)
		return true
	case "content":
		return r.each(k, mediaRole)
	}
	return false
}

func (r *repairer) bodyMember(k *node) bool {
	switch k.name {
	case "required":
		return k.kind == boolNode
	case "content":
		return r.each(k, mediaRole)
	}
	return false
}

func (r *repairer) responseMember(k *node) bool {
	return k.name == "content" && r.each(k, mediaRole)
}

func (r *repairer) mediaMember(k *node) bool {
	switch k.name {
	case "schema":
		r.schema(k)
		return true
	case "encoding":
		return r.each(k, encodingRole)
	}
	return false
}

func encodingMember(k *node) bool {
	switch k.name {
	case "contentType", "style":
		return k.kind == stringNode
	case "explode", "allowReserved":
		return k.kind == boolNode
	}
	return false
}

func schemeMember(k *node) bool {
	switch k.name {
	case "type", "name", "in", "scheme":
		return k.kind == stringNode
	}
	return false
}

// finite reports whether the number fits a float64; 1e400 does not.
func finite(n *node) bool {
	f, err := strconv.ParseFloat(n.text, 64)
	return n.kind == numberNode && err == nil && !math.IsInf(f, 0)
}
