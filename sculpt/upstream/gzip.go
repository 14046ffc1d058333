package upstream

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"
)

// An unpacker reads gzip (RFC 1952). It gives its first bytes sooner than
// gzip.Reader, which unpacks 32 KiB before it gives any: most chains want the
// first part of an answer, and what is unpacked of the rest costs them for
// nothing.
type unpacker struct {
	packed *bufio.Reader
	plain  io.Reader
	sum    uint32
	size   uint32
	err    error
}

// window is said to be what came before the text. The window of DEFLATE has 32
// KiB and is given out whenever it is full, so one that is half full at the
// start gives the first bytes early. Valid texts never refer to it, others fail
// by their checksum, or find zeros, which are not JSON.
var window [16 << 10]byte

var unpackers = sync.Pool{New: func() any {
	u := &unpacker{packed: bufio.NewReader(nil)}
	u.plain = flate.NewReaderDict(u.packed, window[:])
	return u
}}

// newUnpacker reads the head of a packed text. The caller puts it back.
func newUnpacker(r io.Reader) (*unpacker, error) {
	u := unpackers.Get().(*unpacker)
	u.packed.Reset(r)
	if err := u.begin(); err != nil {
		unpackers.Put(u)
		return nil, err
	}
	return u, nil
}

// begin reads the head of a member.
func (u *unpacker) begin() error {
	u.sum, u.size, u.err = 0, 0, nil
	if err := skipHead(u.packed); err != nil {
		return err
	}
	return u.plain.(flate.Resetter).Reset(u.packed, window[:])
}

// The flags of a head (RFC 1952 2.3.1), and the longest text in one.
const (
	headSum     = 1 << 1
	headExtra   = 1 << 2
	headName    = 1 << 3
	headComment = 1 << 4
	longestHead = 512
)

// skipHead reads the head of a member, of which nothing is of use.
func skipHead(r *bufio.Reader) error {
	var fixed [10]byte
	if _, err := io.ReadFull(r, fixed[:]); err != nil {
		return err
	}
	if fixed[0] != 0x1f || fixed[1] != 0x8b || fixed[2] != 8 {
		return gzip.ErrHeader
	}
	flags := fixed[3]
	if flags&headExtra != 0 {
		var size [2]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return cutOff(err)
		}
		if _, err := r.Discard(int(binary.LittleEndian.Uint16(size[:]))); err != nil {
			return cutOff(err)
		}
	}
	for _, text := range []byte{headName, headComment} {
		if flags&text == 0 {
			continue
		}
		if err := skipText(r); err != nil {
			return err
		}
	}
	if flags&headSum != 0 {
		if _, err := r.Discard(2); err != nil {
			return cutOff(err)
		}
	}
	return nil
}

// skipText reads up to a zero.
func skipText(r *bufio.Reader) error {
	for range longestHead {
		b, err := r.ReadByte()
		if err != nil {
			return cutOff(err)
		}
		if b == 0 {
			return nil
		}
	}
	return gzip.ErrHeader
}

// cutOff is the error of a text that ends too early.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (u *unpacker) Read(p []byte) (int, error) {
	if u.err != nil {
		return 0, u.err
	}
	n, err := u.plain.Read(p)
	u.sum = crc32.Update(u.sum, crc32.IEEETable, p[:n])
	u.size += uint32(n) // modulo 2^32, as the trailer
	if errors.Is(err, io.EOF) {
		err = u.end()
	}
	u.err = err
	return n, err
}

// end checks the trailer of a member, and goes on with the next one where there
// is one.
func (u *unpacker) end() error {
	var trailer [8]byte
	if _, err := io.ReadFull(u.packed, trailer[:]); err != nil {
		return cutOff(err)
	}
	if binary.LittleEndian.Uint32(trailer[:4]) != u.sum || binary.LittleEndian.Uint32(trailer[4:]) != u.size {
		return gzip.ErrChecksum
	}
	if _, err := u.packed.Peek(1); err != nil {
		return err // io.EOF
	}
	return u.begin()
}
