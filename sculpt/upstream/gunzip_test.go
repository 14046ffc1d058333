package upstream

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// members packs texts, one member each, with what a header may have.
func members(tb testing.TB, texts ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	for i, text := range texts {
		z := gzip.NewWriter(&b)
		if i%2 == 0 {
			z.Name, z.Comment, z.Extra = "a name", "a comment", bytes.Repeat([]byte{7}, 3000)
		}
		if _, err := io.WriteString(z, text); err != nil {
			tb.Fatal(err)
		}
		if err := z.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Bytes()
}

// long is a text of some size that packs to about a third.
func long(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "%d,%x;", i, i*i*7919)
	}
	return b.String()[:n]
}

// inTime is a packed body whose call has time.
func inTime(r io.Reader) packed {
	return packed{r, &Call{until: time.Now().Add(time.Hour)}, context.Background()}
}

// unpacked is what a gunzip makes of a stream.
func unpacked(r io.Reader) ([]byte, error) {
	z := newGunzip()
	if err := z.reset(inTime(r)); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(z, mostUnpacked))
}

// mostUnpacked is what the tests read of a stream at most.
const mostUnpacked = 4 << 20

// TestGunzip: streams of every length around the window and its first piece come
// out as they went in, however they arrive.
func TestGunzip(t *testing.T) {
	for _, n := range []int{0, 1, firstPiece - 1, firstPiece, firstPiece + 1, 32<<10 - 1, 32 << 10, 32<<10 + 1, 200_000} {
		text := long(n)
		packed := members(t, text, "", text[:n/2])
		for name, r := range map[string]io.Reader{"at once": bytes.NewReader(packed), "by bytes": iotest.OneByteReader(bytes.NewReader(packed))} {
			if got, err := unpacked(r); err != nil || string(got) != text+text[:n/2] {
				t.Errorf("%d bytes %s: %d bytes, %v", n, name, len(got), err)
			}
		}
	}
}

// TestGunzipIsUsedAgain: what is left of one stream is not in the next.
func TestGunzipIsUsedAgain(t *testing.T) {
	z := newGunzip()
	for i, text := range []string{long(100_000), "short", long(70_000)} {
		if err := z.reset(inTime(bytes.NewReader(members(t, text)))); err != nil {
			t.Fatal(err)
		}
		part := make([]byte, min(len(text), 50_000))
		if _, err := io.ReadFull(z, part); err != nil || string(part) != text[:len(part)] {
			t.Errorf("stream %d: %v", i, err)
		}
	}
}

// TestGunzipBeginsEarly: the first piece can be read when its input is there.
func TestGunzipBeginsEarly(t *testing.T) {
	packed := members(t, long(200_000))
	source := bytes.NewReader(packed)
	z := newGunzip()
	if err := z.reset(inTime(source)); err != nil {
		t.Fatal(err)
	}
	if n, err := z.Read(nil); err != nil || n != 0 {
		t.Errorf("no room: %d bytes, %v", n, err)
	}
	if n, err := z.Read(make([]byte, 1<<20)); err != nil || n != firstPiece {
		t.Errorf("%d bytes, %v, want %d", n, err, firstPiece)
	}
	if taken := len(packed) - source.Len(); taken > 16<<10 {
		t.Errorf("it took %d of %d bytes", taken, len(packed))
	}
}

// TestGunzipFaults: what is damaged is said as compress/gzip says it.
func TestGunzipFaults(t *testing.T) {
	whole := members(t, long(60_000))
	change := func(at int, to byte) []byte {
		b := bytes.Clone(whole)
		b[(at+len(b))%len(b)] = to
		return b
	}
	endless := append([]byte{0x1f, 0x8b, 8, flagName, 0, 0, 0, 0, 0, 255}, bytes.Repeat([]byte("x"), 1<<20)...)
	for name, c := range map[string]struct {
		stream []byte
		want   error
	}{
		"nothing":                {nil, io.EOF},
		"another format":         {[]byte(`{"names": []} or so`), gzip.ErrHeader},
		"another method":         {change(2, 9), gzip.ErrHeader},
		"half a header":          {whole[:7], io.ErrUnexpectedEOF},
		"an extra field cut off": {whole[:500], io.ErrUnexpectedEOF},
		"a name without end":     {endless, gzip.ErrHeader},
		"a body cut off":         {whole[:len(whole)/2+3000], io.ErrUnexpectedEOF},
		"a trailer cut off":      {whole[:len(whole)-3], io.ErrUnexpectedEOF},
		"another checksum":       {change(-8, whole[len(whole)-8]+1), gzip.ErrChecksum},
		"another length":         {change(-1, 1), gzip.ErrChecksum},
		"something after it":     {append(bytes.Clone(whole), "padding and more"...), gzip.ErrHeader},
	} {
		if _, err := unpacked(bytes.NewReader(c.stream)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// TestGunzipHeaderSum: the checksum of a header counts, if it has one.
func TestGunzipHeaderSum(t *testing.T) {
	whole := members(t, "", "a text")[len(members(t, "")):]
	header := append([]byte{}, whole[:10]...)
	header[3] |= flagHeaderSum
	sum := crc32.ChecksumIEEE(header)
	for wrong, want := range []error{nil, gzip.ErrHeader} {
		stream := append(append([]byte{}, header...), byte(sum)+byte(wrong), byte(sum>>8))
		got, err := unpacked(bytes.NewReader(append(stream, whole[10:]...)))
		if !errors.Is(err, want) || err == nil && string(got) != "a text" {
			t.Errorf("%q, %v, want %v", got, err, want)
		}
	}
}

// TestGunzipEndsInTime: what unpacks to nothing is read no further once the time of
// its call is up.
func TestGunzipEndsInTime(t *testing.T) {
	empty := members(t, "")
	block := append(bytes.Clone(members(t, "")[:10]), 0, 0, 0, 0xff, 0xff) // stored, without a byte
	for name, endless := range map[string]io.Reader{
		"members":         &repeated{text: empty},
		"blocks":          &repeated{head: block[:10], text: block[10:]},
		"members of text": &repeated{text: members(t, "a")},
	} {
		call := &Call{until: time.Now().Add(20 * time.Millisecond)}
		z := newGunzip()
		err := z.reset(packed{endless, call, context.Background()})
		for err == nil {
			_, err = z.Read(make([]byte, 1<<10))
		}
		if late := time.Since(call.until); !errors.Is(err, context.DeadlineExceeded) || late > time.Second {
			t.Errorf("%s: %v, %v after the deadline", name, err, late)
		}
	}
}

// A repeated text never ends, after its head.
type repeated struct {
	head, text []byte
	at         int
}

func (r *repeated) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	return len(p), nil
}

// FuzzGunzip holds the gunzip against compress/gzip.
func FuzzGunzip(f *testing.F) {
	f.Add(members(f, "a text", long(500)))
	f.Add([]byte{0x1f, 0x8b, 8, flagHeaderSum | flagComment, 0, 0, 0, 0, 0, 255, 'a', 0, 1, 2, 3, 0})
	f.Fuzz(func(t *testing.T, stream []byte) {
		var want []byte
		r, wantErr := gzip.NewReader(bytes.NewReader(stream))
		if wantErr == nil {
			want, wantErr = io.ReadAll(io.LimitReader(r, mostUnpacked))
		}
		got, err := unpacked(bytes.NewReader(stream))
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, want %v", err, wantErr)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Errorf("%d bytes that differ from %d", len(got), len(want))
		}
	})
}
