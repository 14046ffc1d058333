package scan

import (
	"io"
	"strings"
	"sync"
)

const (
	windowSize   = 16 << 10
	keepWindow   = 256 << 10
	defaultBytes = 8 << 20
	defaultDepth = 32
	maxDepth     = 1024
)

// Limits bound what a [Scanner] reads.
type Limits struct {
	// Bytes is the longest accepted text; 0 means 8 MiB, negative means no
	// limit.
	Bytes int64
	// Depth is the deepest accepted nesting of arrays and objects; 0 means
	// 32, and 1024 is the most.
	Depth int
}

// A Kind is the JSON kind of a value.
type Kind uint8

// The kinds. None means that there is no value: the scanner has failed.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

var kindTexts = [...]string{"nothing", "null", "a boolean", "a number", "a string", "a list", "an object"}

// String returns the kind with its article: "a string".
func (k Kind) String() string {
	if int(k) >= len(kindTexts) {
		return kindTexts[None]
	}
	return kindTexts[k]
}

// kinds tells the kind of a value by its first byte.
var kinds = [256]Kind{
	'n': Null, 't': Bool, 'f': Bool, '"': String, '[': Array, '{': Object, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// A frame is one open array or object. The stack of frames gives errors their
// path, so that generated code does not hand names around.
type frame struct {
	key string
	// at is the offset of the value that a decoder was given last; if the
	// scanner still is there, the decoder did not want it.
	at    int64
	index int
	// seen has a bit per wanted key; more continues it from key 64 on.
	seen uint64
	more []uint64
	// few holds the names that NextAny met, any those from the ninth on: most
	// objects are small, and a short list costs less than a map.
	few []string
	any map[string]struct{}
	// last is the hash of the last member name.
	last uint32
	// met counts the wanted keys that were there, of as many as wanted says; that
	// is -1 in lists and where all members are wanted.
	met, wanted int
	array       bool
	first       bool
	named       bool
}

// A Scanner reads one JSON text. It is not safe for concurrent use.
type Scanner struct {
	// buf[pos:] is what is at hand. They are not part of the state since peek
	// would be too large then to be inlined.
	buf []byte
	pos int

	state
	store
}

// A state is what belongs to one text.
type state struct {
	// base is the offset of buf[0].
	base int64

	r       io.Reader
	readErr error

	depth int
	key   string
	err   *Error

	maxBytes int64
	maxDepth int

	early, stopped bool

	// taken is how many bytes of texts the answer has, spent how many the values of its lists.
	taken int
	spent int64

	// mark is where the part of buf starts that is not in rec yet.
	mark      int
	recording bool
}

// A store is what goes on from one text to the next.
type store struct {
	win    []byte
	frames []frame
	// scratch holds strings that have escapes or cross the window.
	scratch []byte
	// rec keeps what leaves the window while Raw runs.
	rec   []byte
	texts strings.Builder
	// homes are those of the types of elements; answer is the number of the text.
	homes  []any
	answer uint64
	trail  trail
	joins  *joins
}

var pool = sync.Pool{New: func() any {
	return &Scanner{store: store{win: make([]byte, windowSize), frames: make([]frame, 0, 16), joins: new(joins)}}
}}

// NewReader returns a scanner of the text that r gives. It reads ahead; after
// [Scanner.End] it has seen the end of r. Call [Scanner.Release] when done.
func NewReader(r io.Reader, l Limits) *Scanner {
	s := pool.Get().(*Scanner)
	s.r = r
	s.buf = s.win[:0]
	s.limit(l)
	return s
}

// NewBytes returns a scanner of b, which must not change before
// [Scanner.Release].
func NewBytes(b []byte, l Limits) *Scanner {
	s := pool.Get().(*Scanner)
	s.buf = b
	s.readErr = io.EOF
	s.limit(l)
	if s.maxBytes >= 0 && int64(len(b)) > s.maxBytes {
		s.tooLarge()
	}
	return s
}

func (s *Scanner) limit(l Limits) {
	s.maxBytes, s.maxDepth = l.Bytes, l.Depth
	if s.maxBytes == 0 {
		s.maxBytes = defaultBytes
	}
	if s.maxDepth <= 0 {
		s.maxDepth = defaultDepth
	}
	s.maxDepth = min(s.maxDepth, maxDepth)
}

// Release gives the scanner's memory back; the scanner must not be used after
// it. Strings and slices that it returned stay valid.
func (s *Scanner) Release() {
	if len(s.win) > keepWindow || cap(s.scratch) > keepWindow || cap(s.rec) > keepWindow {
		s.win, s.scratch, s.rec = make([]byte, windowSize), nil, nil
	}
	for i, frames := 0, s.frames[:cap(s.frames)]; i < len(frames); i++ {
		few := frames[i].few[:cap(frames[i].few)]
		clear(few)
		frames[i] = frame{few: few[:0]}
	}
	s.forget()
	s.buf, s.pos, s.state = nil, 0, state{}
	pool.Put(s)
}

// Err returns the first error, an [*Error], or nil.
func (s *Scanner) Err() error {
	if s.err == nil {
		return nil
	}
	return s.err
}

// Depth returns the number of arrays and objects that are open. It is 0 again
// when a decoder has read its value to the end, and is not where it has stopped
// before.
func (s *Scanner) Depth() int { return s.depth }

// fail keeps the first error. It empties the window, so that every other
// method sees the end of the text and needs no check of its own.
func (s *Scanner) fail(why Why, want, got string, cause error) {
	if s.err != nil {
		return
	}
	s.err = &Error{Path: s.path(), Offset: s.base + int64(s.pos), Why: why, Want: want, Got: got, Err: cause}
	s.base += int64(s.pos)
	s.buf, s.pos, s.r = nil, 0, nil
	s.recording = false
}

func (s *Scanner) syntax(want string) {
	if s.pos >= len(s.buf) {
		s.end()
		return
	}
	s.fail(Syntax, want, describe(s.buf[s.pos]), nil)
}

// end records that the text stops too early, or why reading stopped.
func (s *Scanner) end() {
	if s.readErr != nil && s.readErr != io.EOF { //nolint:errorlint // the end is io.EOF itself (io.Reader)
		s.fail(Read, "", "", s.readErr)
		return
	}
	s.fail(Syntax, "", "the text ends too early", io.ErrUnexpectedEOF)
}

func (s *Scanner) tooLarge() { s.fail(TooLarge, "", "the text is too long", nil) }

func describe(c byte) string {
	switch {
	case c < 0x20 || c == 0x7f:
		return "a control character"
	case c >= 0x80:
		return "a byte outside ASCII"
	case c == '\'':
		return `"'"`
	}
	return "'" + string(rune(c)) + "'"
}

// fill drops buf[:from] and reads more behind the rest. It returns the new
// index of what was at from, and whether there is at least one more byte.
func (s *Scanner) fill(from int) (at int, ok bool) {
	if s.r == nil || s.readErr != nil {
		return from, false
	}
	if s.recording {
		s.rec = append(s.rec, s.buf[s.mark:from]...)
		s.mark = 0
	}
	n := len(s.buf) - from
	if from > 0 {
		copy(s.win, s.buf[from:])
		s.base += int64(from)
	}
	if n == len(s.win) {
		grown := make([]byte, 2*n)
		copy(grown, s.win)
		s.win = grown
	}
	s.buf, s.pos = s.win[:n], 0
	for range 100 {
		m, err := s.r.Read(s.win[n:])
		if m < 0 || m > len(s.win)-n {
			m, err = 0, io.ErrNoProgress
		}
		s.readErr = err
		if s.maxBytes >= 0 && s.base+int64(n+m) > s.maxBytes {
			s.tooLarge()
			return 0, false
		}
		if m > 0 {
			s.buf = s.win[:n+m]
			return 0, true
		}
		if err != nil {
			return 0, false
		}
	}
	s.readErr = io.ErrNoProgress
	return 0, false
}

// ensure tries to have n bytes at hand from i on, and returns the new i.
func (s *Scanner) ensure(i, n int) int {
	for ok := true; ok && len(s.buf)-i < n; {
		i, ok = s.fill(i)
	}
	return i
}

// peek skips white space and returns the next byte, 0 at the end. Its form
// keeps it just small enough to be inlined.
func (s *Scanner) peek() (c byte) {
	if s.pos < len(s.buf) {
		c = s.buf[s.pos]
	}
	if c > ' ' {
		return c
	}
	return s.peekSlow()
}

func (s *Scanner) peekSlow() byte {
	for i, ok := s.pos, true; ok; {
		i = spaces(s.buf, i)
		if i < len(s.buf) {
			if s.pos = i; s.buf[i] <= ' ' {
				s.syntax("white space")
				return 0
			}
			return s.buf[i]
		}
		i, ok = s.fill(i)
		s.pos = i
	}
	return 0
}

// Kind returns the kind of the next value without reading it, None at an error.
func (s *Scanner) Kind() Kind {
	k := kinds[s.peek()]
	if k == None {
		s.syntax("a value")
	}
	return k
}

// More reports whether anything but white space is left to read. Unlike
// [Scanner.Kind] it makes no error of the end of the text. It records what stopped
// reading before the end, and reports true then.
func (s *Scanner) More() bool {
	return s.peek() != 0 || s.pos < len(s.buf) || s.err == nil && s.readFailed()
}

// Wrong records that the next value has a kind that the decoder does not want;
// want is a noun with its article, such as "a number". It does nothing after
// an error.
func (s *Scanner) Wrong(want string) {
	k := s.Kind()
	// What begins like a word and is none is not JSON at all.
	if word := words[s.peek()]; word != "" && s.err == nil {
		if s.literal(word); s.err == nil {
			s.pos -= len(word)
		}
	}
	if k != None && s.err == nil {
		s.fail(WrongKind, want, k.String(), nil)
	}
}

// words are the literal names of JSON, by their first byte.
var words = [256]string{'n': "null", 't': "true", 'f': "false"}

// End requires that only white space follows the value that was read. After
// [Scanner.StopEarly] has had an effect it does nothing.
func (s *Scanner) End() {
	if s.err != nil || s.stopped {
		return
	}
	if s.depth > 0 {
		s.fail(Syntax, "the end of the value", "an open "+map[bool]string{true: "list", false: "object"}[s.frames[s.depth-1].array], nil)
		return
	}
	if s.peek() != 0 {
		s.syntax("the end of the text")
		return
	}
	if s.err == nil && (s.pos < len(s.buf) || s.readErr != io.EOF) { //nolint:errorlint // the end is io.EOF itself (io.Reader)
		s.syntax("the end of the text")
	}
}
