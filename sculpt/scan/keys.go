package scan

import "sync/atomic"

// Keys is an immutable set of member names for [Scanner.Next]. Generated code
// builds each set once, in a package variable.
type Keys struct {
	names []string
	// table is an open-addressing hash table of indexes + 1; 0 is free.
	table []uint16
	mask  uint32
	// lengths has bit min(len, 63) of every name: most unwanted names are
	// refused by it alone.
	lengths uint64
	// tag marks the joins that were read for this set.
	tag tag
}

// sets counts the sets of keys, for their tags.
var sets atomic.Uint64

// NewKeys returns the set of the names. Names match byte for byte after
// unescaping; a name given twice counts once. It panics for more than 65534
// names, which no schema has.
func NewKeys(names ...string) *Keys {
	if len(names) > 1<<16-2 {
		panic("scan: too many keys")
	}
	size := uint32(4)
	for int(size) < 4*len(names) {
		size *= 2
	}
	k := &Keys{table: make([]uint16, size), mask: size - 1, tag: skipped + tag(2*sets.Add(1))}
	for _, name := range names {
		if k.find([]byte(name)) >= 0 {
			continue
		}
		k.names = append(k.names, name)
		k.lengths |= 1 << min(len(name), 63)
		at := hash([]byte(name)) & k.mask
		for k.table[at] != 0 {
			at = (at + 1) & k.mask
		}
		k.table[at] = uint16(len(k.names))
	}
	return k
}

// hash mixes the length and three bytes. It need not resist flooding: the
// table is built from trusted names and never grows.
func hash(b []byte) uint32 {
	n := len(b)
	if n == 0 {
		return 0
	}
	h := uint32(b[0]) | uint32(b[n-1])<<8 | uint32(b[n/2])<<16 | uint32(n)<<24
	h *= 0x9E3779B1
	return h ^ h>>15
}

// find returns the index of the name, -1 if it is not wanted.
func (k *Keys) find(name []byte) int {
	if k.lengths>>min(uint(len(name)), 63)&1 == 0 {
		return -1
	}
	for at := hash(name) & k.mask; ; at = (at + 1) & k.mask {
		i := int(k.table[at]) - 1
		if i < 0 || k.names[i] == string(name) {
			return i
		}
	}
}
