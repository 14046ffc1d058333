package scan

// StopEarly lets the scanner stop as soon as no wanted member can follow: in
// every open object [Scanner.Next] has moved to all of its names, and no list is
// open but those that [First] has enough of. Then every loop ends without an
// error, and what follows is neither read nor checked, not even for a second
// member of a wanted name. It is for answers that can be asked for again; call it
// before the first value.
func (s *Scanner) StopEarly() { s.early = true }

// passRest ends the list that is open: what follows in it is passed over, or all of
// it left alone if nothing is wanted of what comes after the list.
func (s *Scanner) passRest() {
	f := s.top(true)
	if f == nil {
		return
	}
	if f.wanted = f.met; s.early && s.complete() {
		s.stop()
		return
	}
	for s.NextElem() {
	}
}

// complete reports whether no open object or list can have more that is wanted.
func (s *Scanner) complete() bool {
	for i := s.depth - 1; i >= 0; i-- {
		if f := &s.frames[i]; f.met != f.wanted {
			return false
		}
	}
	return true
}

// stop empties the window, as fail does, so that every other method sees the end
// of the text.
func (s *Scanner) stop() {
	s.base += int64(s.pos)
	s.buf, s.pos, s.r = nil, 0, nil
	s.stopped = true
}
