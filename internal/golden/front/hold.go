package front

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
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
type Section struct{ Name, Text string }

// Hold compares the digests of sections with a file that has one in each line.
// Texts of this size are nothing to commit: to see what a change does to them,
// let -front.dump write them down before and after it, and compare the folders.
func Hold(t *testing.T, file string, sections []Section) {
	t.Helper()
	var got strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&got, "%s %s\n", digest(s.Text), s.Name)
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
		if want[s.Name] != digest(s.Text) {
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
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
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
		out = append(out, Section{p.Name, of(p)})
		if count == 0 {
			continue
		}
		var damaged strings.Builder
		for _, d := range p.Damaged(count) {
			damaged.WriteString(d.Name + "\n" + of(d))
		}
		out = append(out, Section{p.Name + "#", damaged.String()})
	}
	return out
}
