package front

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	accept = flag.Bool("front.accept", false, "write down what the front end makes of the corpus as what is wanted")
	dumpTo = flag.String("front.dump", "", "a folder for the texts that the digests are of")
)

// A Section is a part of what a test holds.
type Section struct {
	Name, Text string
	// sum is the digest of a text that was not kept.
	sum string
}

// condensed is a section of the text that write writes. Of the text it keeps the
// digest alone, unless texts are wanted: those of the whole corpus are gigabytes.
func condensed(name string, write func(io.Writer)) Section {
	sum := sha256.New()
	if *dumpTo == "" {
		write(sum)
		return Section{Name: name, sum: short(sum)}
	}
	var text strings.Builder
	write(&text)
	return Section{Name: name, Text: text.String()}
}

func (s *Section) digest() string { return cmp.Or(s.sum, digest(s.Text)) }

// Hold compares the digests of sections with a file that has one in each line.
// Texts of this size are nothing to commit: to see what a change does to them,
// let -front.dump write them down before and after it, and compare the folders.
func Hold(t *testing.T, file string, sections []Section) {
	t.Helper()
	var got strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&got, "%s %s\n", s.digest(), s.Name)
		if *dumpTo != "" {
			write(t, filepath.Join(*dumpTo, filepath.Base(file), s.Name+".txt"), s.Text)
		}
	}
	if *accept {
		write(t, file, got.String())
		return
	}
	raw, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[name] = sum
	}
	var changed []string
	for _, s := range sections {
		if want[s.Name] != s.digest() {
			changed = append(changed, s.Name)
		}
		delete(want, s.Name)
	}
	for name := range want {
		changed = append(changed, name+" (not there any more)")
	}
	if len(changed) > 0 {
		t.Errorf("%d sections are not as %s has them:\n%s\nLet \"go test . -front.dump /tmp/after\" write them down, and the same before the change; "+
			"where the difference is meant, \"go test . -front.accept\" accepts it.", len(changed), file, strings.Join(changed, "\n"))
	}
}

func digest(text string) string {
	sum := sha256.New()
	copyText(sum, text)
	return short(sum)
}

func short(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:6]) }

// copyText writes a text piece by piece: io.WriteString would copy all of it for
// a hash.
func copyText(w io.Writer, text string) {
	for len(text) > 0 {
		n := min(len(text), 64<<10)
		_, _ = io.WriteString(w, text[:n])
		text = text[n:]
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each makes two sections of each project: what of makes of it, and of count
// damaged ones.
func Each(t testing.TB, count int, of func(*Project) string) []Section {
	t.Helper()
	var out []Section
	for _, p := range Projects(t) {
		out = append(out, condensed(p.Name, func(w io.Writer) { copyText(w, of(p)) }))
		if count == 0 {
			continue
		}
		out = append(out, condensed(p.Name+"#", func(w io.Writer) {
			for _, d := range p.Damaged(count) {
				copyText(w, d.Name+"\n")
				copyText(w, of(d))
			}
		}))
	}
	return out
}
