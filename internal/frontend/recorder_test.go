package frontend

import (
	"io/fs"
	"testing"
	"testing/fstest"
	"testing/iotest"
)

// TestRecorder: the digest of a file is that of its text, whatever version control
// makes of line ends, and of every byte otherwise, however it is read.
func TestRecorder(t *testing.T) {
	digest := func(text string, small bool) string {
		r := newRecorder(fstest.MapFS{"f": {Data: []byte(text)}})
		f, err := r.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		if small {
			err = iotest.TestReader(iotest.OneByteReader(f), []byte(text))
		} else {
			_, err = fs.ReadFile(r, "f")
		}
		if err != nil {
			t.Fatal(err)
		}
		return r.list()[0].Digest
	}
	same := [][]string{{"a\nb\n", "a\r\nb\r\n", "a\r\nb\n"}, {"\r\r\n"}, {"a"}, {"a\r"}, {"a\rb"}, {"ab"}, {"\r"}, {"\n", "\r\n"}, {""}, {"\n\r"}}
	seen := map[string]string{}
	for _, texts := range same {
		first := digest(texts[0], false)
		if other, taken := seen[first]; taken {
			t.Errorf("%q and %q have one digest", other, texts[0])
		}
		seen[first] = texts[0]
		for _, text := range texts {
			if digest(text, false) != first || digest(text, true) != first {
				t.Errorf("%q and %q have two digests", texts[0], text)
			}
		}
	}
}
