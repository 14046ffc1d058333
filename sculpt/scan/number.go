package scan

import (
	"io"
	"math"
	"strconv"
)

// States of the number grammar; accepting states are the last four.
const (
	numStart = iota
	numSign
	numPoint
	numE
	numESign
	numZero
	numInt
	numFrac
	numExp
)

// number reads a number. With keep the whole token stays at hand and is
// returned until the next read.
func (s *Scanner) number(keep bool) []byte {
	if end := numberEnd(s.buf, s.pos); end >= 0 {
		tok := s.buf[s.pos:end]
		s.pos = end
		return tok
	}
	start, i, state := s.pos, s.pos, numStart
	for {
		for ; i < len(s.buf); i++ {
			next := numNext(state, s.buf[i])
			if next < 0 {
				break
			}
			if state = next; next > numZero {
				i = digits(s.buf, i+1) - 1
			}
		}
		if i < len(s.buf) {
			break
		}
		from := start
		if !keep {
			from = i
		}
		n := i - from
		at, ok := s.fill(from)
		if start = at; s.err != nil {
			return nil
		}
		if i = at + n; !ok {
			break
		}
	}
	if s.pos = i; state < numZero {
		s.syntax("a digit")
		return nil
	}
	if i == len(s.buf) && s.readFailed() {
		return nil
	}
	return s.buf[start:i]
}

// readFailed records a reader's error that cut a number: a part of a number
// looks like a number.
func (s *Scanner) readFailed() bool {
	if s.readErr != nil && s.readErr != io.EOF { //nolint:errorlint // the end is io.EOF itself (io.Reader)
		s.end()
		return true
	}
	return false
}

// digits returns the index of the first byte at or after i that is not a digit.
func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' < 10 {
		i++
	}
	return i
}

func numNext(state int, c byte) int {
	switch {
	case c >= '0' && c <= '9':
		switch state {
		case numStart, numSign:
			if c == '0' {
				return numZero
			}
			return numInt
		case numInt, numFrac, numExp:
			return state
		case numPoint:
			return numFrac
		case numE, numESign:
			return numExp
		}
	case c == '-' && state == numStart:
		return numSign
	case c == '.' && (state == numZero || state == numInt):
		return numPoint
	case c|0x20 == 'e' && (state == numZero || state == numInt || state == numFrac):
		return numE
	case (c == '+' || c == '-') && state == numE:
		return numESign
	}
	return -1
}

// Int reads an integer exactly. 60.0 and 6e1 are integers; 1.5 is a
// [WrongKind] error, a number outside int64 a [Range] error.
func (s *Scanner) Int() int64 {
	if kinds[s.peek()] != Number {
		s.Wrong("an integer")
		return 0
	}
	// Up to 18 digits inside the window need no care.
	b, i := s.buf, s.pos
	negative := b[i] == '-'
	if negative {
		i++
	}
	first, v := i, int64(0)
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9' && i-first < 19; i++ {
		v = v*10 + int64(b[i]-'0')
	}
	if n := i - first; i < len(b) && n > 0 && n < 19 && (n == 1 || b[first] != '0') && !inNumber(b[i]) {
		s.pos = i
		if negative {
			v = -v
		}
		return v
	}
	return s.slowInt()
}

func inNumber(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c|0x20 == 'e' || c == '-' || c == '+'
}

func (s *Scanner) slowInt() int64 {
	tok := s.number(true)
	if s.err != nil {
		return 0
	}
	v, why := exactInt(tok)
	if why != 0 {
		s.pos -= len(tok)
	}
	switch why {
	case WrongKind:
		s.fail(WrongKind, "an integer", "a number with a fraction", nil)
	case Range:
		s.fail(Range, "an integer of 64 bits", "a larger number", nil)
	}
	return v
}

// exactInt converts a valid number token without going through a float, which
// would round above 2^53.
func exactInt(tok []byte) (int64, Why) {
	negative := tok[0] == '-'
	if negative {
		tok = tok[1:]
	}
	digits := make([]byte, 0, 24)
	scale, point, i := 0, false, 0
	for ; i < len(tok) && tok[i]|0x20 != 'e'; i++ {
		switch c := tok[i]; {
		case c == '.':
			point = true
			continue
		case c != '0' || len(digits) > 0:
			digits = append(digits, c)
		}
		if point {
			scale--
		}
	}
	if i < len(tok) {
		scale += exponent(tok[i+1:])
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
		scale++
	}
	switch {
	case len(digits) == 0:
		return 0, 0
	case scale < 0:
		return 0, WrongKind
	case len(digits)+scale > 19:
		return 0, Range
	}
	var u uint64
	for _, c := range digits {
		u = u*10 + uint64(c-'0')
	}
	for range scale {
		u *= 10
	}
	switch {
	case negative && u <= 1<<63:
		return -int64(u), 0
	case !negative && u <= math.MaxInt64:
		return int64(u), 0
	}
	return 0, Range
}

// exponent reads the digits behind the e; it stops counting far outside what
// any digits could make up for.
func exponent(tok []byte) int {
	negative := tok[0] == '-'
	if tok[0] == '-' || tok[0] == '+' {
		tok = tok[1:]
	}
	e := 0
	for _, c := range tok {
		if e < math.MaxInt/16 {
			e = e*10 + int(c-'0')
		}
	}
	if negative {
		return -e
	}
	return e
}

// OptInt reads an integer or null.
func (s *Scanner) OptInt() Optional[int64] {
	if s.Null() {
		return Optional[int64]{}
	}
	v := s.Int()
	return Optional[int64]{v, s.err == nil}
}

// anyNumber reads an integer of 64 bits as such and any other number as a
// float64.
func (s *Scanner) anyNumber() any {
	tok := s.number(true)
	if s.err != nil {
		return nil
	}
	if v, why := exactInt(tok); why == 0 {
		return v
	}
	v, err := strconv.ParseFloat(string(tok), 64)
	if err != nil {
		s.pos -= len(tok)
		s.fail(Range, "a number of 64 bits", "a larger number", nil)
		return nil
	}
	return v
}

// Float reads a number as the nearest float64; a number beyond its range is a
// [Range] error.
func (s *Scanner) Float() float64 {
	if kinds[s.peek()] != Number {
		s.Wrong("a number")
		return 0
	}
	tok := s.number(true)
	if s.err != nil {
		return 0
	}
	v, err := strconv.ParseFloat(string(tok), 64)
	if err != nil {
		s.pos -= len(tok)
		s.fail(Range, "a number of 64 bits", "a larger number", nil)
		return 0
	}
	return v
}

// OptFloat reads a number or null.
func (s *Scanner) OptFloat() Optional[float64] {
	if s.Null() {
		return Optional[float64]{}
	}
	v := s.Float()
	return Optional[float64]{v, s.err == nil}
}
