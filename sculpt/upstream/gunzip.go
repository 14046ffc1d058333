package upstream

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// firstPiece is how much of an answer is unpacked before anything of it can be
// read. compress/flate fills its window of 32 KiB first: most of that is for
// nothing where a call wants the first elements of a long list.
const firstPiece = 16 << 10

// before is the text that goes before what is unpacked: with so much of the window
// taken, the first piece ends early. A stream that points back to it is not
// correct, and its checksum fails.
var before = make([]byte, 32<<10-firstPiece)

// A gunzip unpacks gzip (RFC 1952) as compress/gzip does and with its errors, but
// for its first piece.
type gunzip struct {
	from      packed
	in        *bufio.Reader
	out       io.ReadCloser
	sum, size uint32
	err       error
}

func newGunzip() *gunzip {
	in := bufio.NewReader(nil)
	return &gunzip{in: in, out: flate.NewReader(in)}
}

// A packed body ends with the time of its call. Members and blocks may hold
// nothing: then nobody above sees a byte, and no limit counts one.
type packed struct {
	io.Reader
	call  *Call
	outer context.Context
}

func (p *packed) Read(b []byte) (int, error) {
	if p.call.over(p.outer) {
		return 0, context.DeadlineExceeded
	}
	return p.Reader.Read(b)
}

// reset begins with a new stream.
func (z *gunzip) reset(from packed) error {
	z.from = from
	z.in.Reset(&z.from)
	z.err = z.member()
	return z.err
}

// Read implements io.Reader.
func (z *gunzip) Read(p []byte) (n int, err error) {
	for n == 0 && z.err == nil && len(p) > 0 {
		n, z.err = z.out.Read(p)
		z.sum = crc32.Update(z.sum, crc32.IEEETable, p[:n])
		z.size += uint32(n)  // modulo 2^32, as the format has it
		if z.err == io.EOF { //nolint:errorlint // io.Reader
			z.err = z.trailer()
		}
	}
	if n > 0 {
		return n, nil
	}
	return 0, z.err
}

// trailer compares what a member says of itself, and begins the next.
func (z *gunzip) trailer() error {
	sum, size := z.sum, z.size
	b, err := z.take(8)
	if err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b) != sum || binary.LittleEndian.Uint32(b[4:]) != size {
		return gzip.ErrChecksum
	}
	return z.member()
}

// Flags of a header (RFC 1952 2.3.1).
const (
	flagHeaderSum = 1 << (iota + 1)
	flagExtra
	flagName
	flagComment
)

// maxHeaderText bounds names and comments, whose length is not told.
const maxHeaderText = 512

// member reads the header of the next member: io.EOF if there is none.
func (z *gunzip) member() error {
	if _, err := z.in.Peek(1); err != nil {
		return err
	}
	z.sum = 0
	b, err := z.take(10)
	if err != nil {
		return err
	}
	flags := b[3]
	if b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 {
		return gzip.ErrHeader
	}
	if flags&flagExtra != 0 {
		if b, err = z.take(2); err == nil {
			err = z.skip(int(binary.LittleEndian.Uint16(b)))
		}
	}
	for _, flag := range []byte{flagName, flagComment} {
		if err == nil && flags&flag != 0 {
			err = z.skipText()
		}
	}
	if err == nil && flags&flagHeaderSum != 0 {
		sum := z.sum & 0xffff
		if b, err = z.take(2); err == nil && uint32(binary.LittleEndian.Uint16(b)) != sum {
			err = gzip.ErrHeader
		}
	}
	if err != nil {
		return err
	}
	z.sum, z.size = 0, 0
	return z.out.(flate.Resetter).Reset(z.in, before)
}

// take gives the next n bytes, at most the buffer of in; within a member an end
// is never right.
func (z *gunzip) take(n int) ([]byte, error) {
	b, err := z.in.Peek(n)
	if err == io.EOF { // io.Reader
		return nil, io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	z.sum = crc32.Update(z.sum, crc32.IEEETable, b)
	_, err = z.in.Discard(n)
	return b, err
}

// skip passes over n bytes of a header.
func (z *gunzip) skip(n int) error {
	for n > 0 {
		b, err := z.take(min(n, 1<<10))
		if err != nil {
			return err
		}
		n -= len(b)
	}
	return nil
}

// skipText passes over a text that ends with a zero.
func (z *gunzip) skipText() error {
	for range maxHeaderText {
		if b, err := z.take(1); err != nil || b[0] == 0 {
			return err
		}
	}
	return gzip.ErrHeader
}
