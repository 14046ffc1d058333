package upstream

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// packed packs a text with everything that a head may have.
func packed(t *testing.T, text []byte, level int, head gzip.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Header = head
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestUnpacker unpacks what the standard library packs, of all lengths, in members
// one after the other, and fails where its reader fails.
func TestUnpacker(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	texts := [][]byte{nil, []byte("a"), bytes.Repeat([]byte("forecast, "), 30_000), noise, []byte(strings.Repeat("\x00", 100_000))}
	for _, n := range []int{8191, 8192, 8193, 16383, 16384, 16385, 32767, 32768, 32769, 65536} {
		texts = append(texts, bytes.Repeat([]byte("period "), n)[:n], noise[:n])
	}
	heads := []gzip.Header{{}, {Name: "n", Comment: "c", Extra: []byte("extra"), ModTime: time.Unix(1, 0)}}
	for i, text := range texts {
		for _, level := range []int{gzip.NoCompression, gzip.BestSpeed, gzip.BestCompression, gzip.HuffmanOnly} {
			one := packed(t, text, level, heads[i%2])
			two := append(bytes.Clone(one), packed(t, []byte("!"), level, heads[1])...)
			agree(t, one)
			agree(t, two)
			for range 20 {
				broken := bytes.Clone(one)
				broken[random.IntN(len(broken))] ^= 1 << random.IntN(8)
				agree(t, broken)
				agree(t, one[:random.IntN(len(one))])
			}
		}
	}
	agree(t, append(packed(t, []byte("a"), 6, heads[0]), "not gzip at all"...))
}

// agree holds the unpacker against the reader of the standard library: the same
// text, and an error where that one has an error. What is unpacked of a broken
// text may differ.
func agree(t *testing.T, data []byte) {
	t.Helper()
	var want []byte
	z, wrong := gzip.NewReader(bytes.NewReader(data))
	if wrong == nil {
		want, wrong = io.ReadAll(z)
	}
	var got []byte
	u, err := newUnpacker(iotest.HalfReader(bytes.NewReader(data)))
	if err == nil {
		got, err = io.ReadAll(u)
		unpackers.Put(u)
	}
	if (wrong == nil) != (err == nil) || wrong == nil && !bytes.Equal(got, want) {
		// A flag of the head that stands for nothing, and its checksum, are not looked at.
		if head := len(data) > 4 && err == nil && errors.Is(wrong, gzip.ErrHeader); !head {
			t.Fatalf("%d bytes: %v with %d bytes, want %v with %d", len(data), err, len(got), wrong, len(want))
		}
	}
}

// TestUnpackerIsEarly: the first part comes before more than a fair piece of the
// rest was unpacked.
func TestUnpackerIsEarly(t *testing.T) {
	u, err := newUnpacker(bytes.NewReader(packed(t, bytes.Repeat([]byte("forecast, "), 30_000), 6, gzip.Header{})))
	if err != nil {
		t.Fatal(err)
	}
	defer unpackers.Put(u)
	if n, err := u.Read(make([]byte, 1<<20)); err != nil || n != 16<<10 {
		t.Errorf("the first read gives %d bytes, %v", n, err)
	}
}
