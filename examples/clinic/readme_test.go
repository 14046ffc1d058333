package clinic_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
)

// word is a word of a command line, in quotes or not.
var word = regexp.MustCompile(`"[^"]*"|\S+`)

// TestReadme: the commands of the page, one after the other, say what it says.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	s := overClinic(t, mara, backend.New(firstDay))
	commands := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllSubmatch(page, -1) {
		for _, shown := range strings.Split("\n"+string(block[1]), "\n$ ")[1:] {
			line, want, _ := strings.Cut(strings.TrimSuffix(shown, "\n"), "\n")
			var args []string
			for _, w := range word.FindAllString(line, -1)[1:] {
				args = append(args, strings.Trim(w, `"`))
			}
			_, out, talk := s.RunConsole(args...)
			if got := strings.TrimSpace(string(out) + string(talk)); got != want {
				t.Errorf("%s\n got %s\nwant %s", line, got, want)
			}
			commands++
		}
	}
	if commands != 9 {
		t.Errorf("%d commands", commands)
	}
}
