package serve

import (
	"io"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	// freeBody is how much of a body is read without a place in the room for bodies:
	// most calls are shorter, and must not wait for others that are slow.
	freeBody = 4 << 10
	// bodyShare is the part of the room that one caller may have.
	bodyShare = 4
)

// bodyRoom is how many bytes the bodies may take that are being read.
type bodyRoom struct {
	mu   sync.Mutex
	used int
	by   map[string]int
}

// take reserves room for a caller, false where there is none of most in all.
func (r *bodyRoom) take(owner string, bytes, most int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used+bytes > most || r.by[owner]+bytes > most/bodyShare {
		return false
	}
	if r.by == nil {
		r.by = map[string]int{}
	}
	r.used += bytes
	r.by[owner] += bytes
	return true
}

func (r *bodyRoom) give(owner string, bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= bytes
	if r.by[owner] -= bytes; r.by[owner] == 0 {
		delete(r.by, owner)
	}
}

// A bodyReader reads a body into a buffer that grows with what has come, and within
// the room for bodies: a length that a header states is not believed, and callers
// that are slow cannot take the memory of the program.
type bodyReader struct {
	room  *bodyRoom
	owner string
	// limit bounds the body, most the room.
	limit, most int
	held        int
}

// read returns the body in b or in a longer buffer. Whatever becomes of it, the
// buffer comes back.
func (r *bodyReader) read(body io.Reader, b []byte) ([]byte, *tool.Error) {
	defer func() {
		if r.held > 0 {
			r.room.give(r.owner, r.held)
		}
	}()
	for {
		if len(b) == cap(b) {
			longer, fault := r.grow(b)
			if fault != nil {
				return b, fault
			}
			b = longer
		}
		n, err := body.Read(b[len(b):cap(b)])
		if b = b[:len(b)+n]; len(b) > r.limit {
			return b, tooLarge(int64(r.limit))
		}
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, &tool.Error{Kind: tool.KindBadRequest, Message: "The body could not be read to its end.", Err: err}
		}
	}
}

// grow doubles a buffer, up to one byte more than a body may have.
func (r *bodyReader) grow(b []byte) ([]byte, *tool.Error) {
	size := min(2*max(cap(b), freeBody), max(r.limit+1, cap(b)+1))
	if size > freeBody {
		if !r.room.take(r.owner, size-r.held, r.most) {
			return nil, &tool.Error{Kind: tool.KindUnavailable, Retryable: true, Code: "too_many_bodies",
				Message: "Too many long requests are being read at the moment. Try again later."}
		}
		r.held = size
	}
	return append(make([]byte, 0, size), b...), nil
}
