package spec

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// canonicalSum returns the SHA-256 of the canonical form of an operation's slice:
// compact JSON with sorted keys, and beside it the digests of all components
// that it reaches, sorted by where they come from. Neither the order of keys
// nor the other operations of the document count.
func (op *slicedOperation) canonicalSum() string {
	reached := reach(op)
	all := make([]*component, 0, len(reached))
	for c := range reached {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *component) int { return cmp.Compare(a.ref, b.ref) })

	h := sha256.New()
	var buf []byte
	buf = appendString(buf, op.entry.sum.Method+" "+op.entry.sum.Path)
	buf = canonical(append(buf, '\n'), &op.node)
	h.Write(buf)
	for _, c := range all {
		if c.digest == "" {
			sum := sha256.Sum256(canonical(nil, &c.node))
			c.digest = hex.EncodeToString(sum[:])
		}
		h.Write([]byte("\n" + c.ref + " " + c.digest))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// canonical appends the node as compact JSON with sorted keys.
func canonical(buf []byte, n *node) []byte {
	switch n.kind {
	case stringNode:
		return appendString(buf, n.text)
	case arrayNode:
		buf = append(buf, '[')
		for i := range n.kids() {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = canonical(buf, &n.kids()[i])
		}
		return append(buf, ']')
	case objectNode:
		sorted := make([]*node, len(n.kids()))
		for i := range n.kids() {
			sorted[i] = &n.kids()[i]
		}
		slices.SortStableFunc(sorted, func(a, b *node) int { return cmp.Compare(a.name, b.name) })
		buf = append(buf, '{')
		for i, k := range sorted {
			if i > 0 {
				buf = append(buf, ',')
			}
			buf = append(appendString(buf, k.name), ':')
			buf = canonical(buf, k)
		}
		return append(buf, '}')
	}
	return append(buf, n.text...)
}

// appendString appends s as a JSON string.
func appendString(buf []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, err := json.Marshal(s)
			if err != nil {
				// Marshal of a string cannot fail; bad UTF-8 is replaced.
				return append(buf, `""`...)
			}
			return append(buf, quoted...)
		}
	}
	return append(append(append(buf, '"'), s...), '"')
}
