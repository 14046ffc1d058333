package scan

const (
	joinSets = 128
	joinText = 80
)

// A join is the text from the end of one value of an object to the start of the
// next: comma, name, colon and the white space around them. The objects of a
// list repeat their joins byte for byte, and a text that equals one that was
// checked needs no second check: comparing it is several times as fast as
// reading it.
type join struct {
	// keys is the set that at is an index of, nil where the object is skipped.
	keys *Keys
	// hash is that of the name, to find the join after it.
	hash  uint32
	at    int16
	size  uint8
	first bool
	text  [joinText]byte
}

// meets reports whether the join is at i, and a value after it.
func (j *join) meets(b []byte, i int, first bool, keys *Keys) bool {
	end := i + int(j.size)
	return end < len(b) && b[end] > ' ' && j.first == first && j.keys == keys && j.size > 0 && string(b[i:end]) == string(j.text[:j.size])
}

// joins are those that were met last. There are two for each place, since many
// objects leave out a member now and then.
type joins [joinSets][2]join

// meet returns the join at i of an object whose last name has the hash last.
func (m *joins) meet(b []byte, i int, first bool, last uint32, keys *Keys) *join {
	set := m.set(last, keys)
	if set[0].meets(b, i, first, keys) {
		return &set[0]
	}
	if set[1].meets(b, i, first, keys) {
		return &set[1]
	}
	return nil
}

func (m *joins) set(last uint32, keys *Keys) *[2]join {
	if keys != nil {
		last += keys.id
	}
	return &m[last*0x9E3779B1>>25]
}

// learn keeps a join in the place of the older one, and returns its hash.
func (m *joins) learn(text, name []byte, first bool, last uint32, keys *Keys, at int) uint32 {
	h := hash(name)
	if len(text) > joinText {
		return h
	}
	set := m.set(last, keys)
	set[1], set[0] = set[0], join{}
	j := &set[0]
	j.keys, j.at, j.first, j.hash = keys, int16(at), first, h
	j.size = uint8(copy(j.text[:], text))
	return h
}
