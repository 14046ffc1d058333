package scan

const (
	joinSlots = 128
	joinText  = 80
)

// A join is the text from the end of one value of an object to the start of the
// next: comma, name, colon and the white space around them. The objects of a
// list repeat their joins byte for byte, and a text that equals one that was
// checked needs no second check: comparing it is several times as fast as
// reading it.
type join struct {
	// keys is the set that at is an index of, nil where the object is skipped.
	keys *Keys
	// hash tells which name was last, to find the join after it.
	hash  uint32
	at    int16
	size  uint8
	first bool
	text  [joinText]byte
}

// joinAfter is the place of the join that followed the name of this hash.
func (s *Scanner) joinAfter(last uint32, keys *Keys) *join {
	if keys != nil {
		last += keys.id
	}
	return &s.joins[last*0x9E3779B1>>25]
}

// meets returns the index after the join if it is at i, else -1.
func (j *join) meets(b []byte, i int, first bool, keys *Keys) int {
	end := i + int(j.size)
	if end >= len(b) || b[end] <= ' ' || j.first != first || j.keys != keys || j.size == 0 || string(b[i:end]) != string(j.text[:j.size]) {
		return -1
	}
	return end
}

// learn keeps a join that was read.
func (j *join) learn(text, name []byte, first bool, keys *Keys, at int) {
	if len(text) > joinText {
		return
	}
	j.keys, j.at, j.first, j.hash = keys, int16(at), first, hash(name)
	j.size = uint8(copy(j.text[:], text))
}
