package scan

const (
	joinSets = 128
	joinText = 111
)

// A join is the text from the end of one value of an object to the start of the
// next: comma, name, colon and the white space around them. The objects of a
// list repeat their joins byte for byte, and a text that equals one that was
// checked needs no second check: comparing it is several times as fast as
// reading it.
type join struct {
	// tag says what the join was read for; no two sets of keys share one.
	tag tag
	// name is the hash of the name, to find the join after it; at is the index
	// of the name in the keys.
	name uint32
	at   int32
	size uint8
	text [joinText]byte
}

// A tag is twice the number of a set of keys, and one more for the first member
// of an object, before which there is no comma.
type tag uint64

// skipped is the tag of members that are skipped. 0 is none.
const skipped tag = 2

func (t tag) of(first bool) tag {
	if first {
		t++
	}
	return t
}

// meets reports whether the join is at i, and a value after it.
func (j *join) meets(b []byte, i int, t tag) bool {
	end := i + int(j.size)
	return j.tag == t && end < len(b) && b[end] > ' ' && string(b[i:end]) == string(j.text[:j.size])
}

// joins are those that were met last. There are two for each place, since many
// objects leave out a member now and then.
type joins [joinSets][2]join

// place returns the joins that may follow the last name of an object.
func (m *joins) place(last uint32, t tag) *[2]join {
	return &m[(last+uint32(t)*31)*0x9E3779B1>>25]
}

// meet returns the join at i, or nil.
func (m *joins) meet(b []byte, i int, last uint32, t tag) *join {
	two := m.place(last, t)
	if two[0].meets(b, i, t) {
		return &two[0]
	}
	if two[1].meets(b, i, t) {
		return &two[1]
	}
	return nil
}

// learn keeps a join in the place of the older one, and returns the hash of its
// name.
func (m *joins) learn(text, name []byte, last uint32, t tag, at int) uint32 {
	h := hash(name)
	if len(text) > joinText {
		return h
	}
	two := m.place(last, t)
	two[1] = two[0]
	j := &two[0]
	j.tag, j.name, j.at = t, h, int32(at)
	j.size = uint8(copy(j.text[:], text))
	return h
}
