package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var accept = flag.Bool("golden.accept", false, "write the texts that tests compare with")

// Text compares a text with that of a file, and prints where they part. With the
// flag -golden.accept the file is written instead.
func Text(t *testing.T, file, got string) {
	t.Helper()
	if *accept {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Error(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	at := 0
	for at < len(g) && at < len(w) && g[at] == w[at] {
		at++
	}
	if at == len(g) && at == len(w) {
		return
	}
	part := func(lines []string, mark string) string {
		return "\n" + mark + strings.Join(lines[at:min(at+5, len(lines))], "\n"+mark)
	}
	t.Errorf("%s:%d differs; if this is meant, run the test with -golden.accept%s%s", file, at+1, part(w, "-"), part(g, "+"))
}
