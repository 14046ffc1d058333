package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/corpus"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestEmission: sums of other output are not written without another number, and
// what is not a change of the generator needs none.
func TestEmission(t *testing.T) {
	const old = "emission 1\na/inputs 11\na/x_gen.go 22 33\nb/inputs 44\nb/exports 55\n"
	const found = old + "c/inputs 66\nc/findings 77\nd/inputs 88\nd/broken/x_gen.go 99\n"
	if got := corpus.Unraised(found, strings.NewReplacer("77", "78", "99", "98").Replace(found)); len(got) > 0 {
		t.Error("other words need another number for", got)
	}
	if got := corpus.Unraised(found, found+"a/findings 1\nb/broken/x_gen.go 2\n"); len(got) != 2 {
		t.Error("where something new is found, only these need another number:", got)
	}
	for text, want := range map[string]string{
		old: "",
		"emission 1\na/inputs 11\na/x_gen.go 22 34\nb/inputs 44\nb/exports 55\n":               "[a/x_gen.go]",
		"emission 1\na/inputs 11\nb/inputs 44\nb/exports 55\n":                                 "[a/x_gen.go]",
		"emission 1\na/inputs 11\na/x_gen.go 22 33\na/y_gen.go 66\nb/inputs 44\nb/exports 1\n": "[a/y_gen.go b/exports]",
		"emission 0\na/inputs 11\na/x_gen.go 1\nb/inputs 44\nb/exports 55\n":                   "[a/x_gen.go]",
		"emission 2\na/inputs 11\na/x_gen.go 22 34\nb/inputs 44\nb/exports 55\n":               "",
		"emission 2\na/inputs 11\na/x_gen.go 22 33\nb/inputs 44\nb/exports 55\n":               "",
		"emission 1\na/inputs 99\na/x_gen.go 77\nb/inputs 44\nb/exports 55\n":                  "", // the case was edited
		"emission 1\nb/inputs 44\nb/exports 55\nc/inputs 1\nc/x_gen.go 2\n":                    "", // one is gone, one is new
	} {
		if got := corpus.Unraised(old, text); fmt.Sprint(got) != "["+strings.Trim(want, "[]")+"]" {
			t.Errorf("%q\n\tneeds another number for %s, want %s", text, got, want)
		}
	}
}

// TestSums compares everything that is generated with what was generated before,
// or writes it down. The packages of the back end compare their parts of it.
func TestSums(t *testing.T) {
	if *update {
		name := filepath.Join(golden.Root(t), filepath.FromSlash(corpus.SumsFile))
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := corpus.Sums(t)
		if names := corpus.Unraised(string(old), text); len(names) > 0 {
			t.Fatalf("the output changes (%d of it, the first is %s): raise gen.Emission, so that sealed packages are generated again", len(names), names[0])
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	corpus.Check(t, func(string) bool { return true })
}
