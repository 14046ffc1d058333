package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// notFollowed are the rules whose fix has a command that no script can type, and
// why.
var notFollowed = map[string]string{
	"signature-changed-without-version": "the manifest is edited first; the script fixes does both",
	"unpinned-promise":                  "examples are written first; the scripts examples and coverage do both",
	"uncovered-change":                  "an example is written first; the script covered does both",
	"accept-unrecorded":                 "the manifest is edited first; the script accept does both",
	"tool-removed":                      "the day of an end is chosen by a person, and comes when it comes; the script retire does both",
}

var (
	saidRule = regexp.MustCompile(`(?:error|warning|note)\[([a-z0-9-]+)\]: `)
	breaking = regexp.MustCompile(`; else, since a version may only add .*`) // ways out of a break: each wants a decision
)

// TestFollowed: a command that a finding prints is typed by a script as it is
// printed, or it is known why not.
func TestFollowed(t *testing.T) {
	said, err := filepath.Glob("testdata/transcript/*.txt")
	if err != nil || len(said) < 20 {
		t.Fatal(said, err)
	}
	said = append(said, "../history/testdata/accidents.txt")
	advising := map[string]string{}
	for _, name := range said {
		rule := ""
		for line := range strings.Lines(read(t, name)) {
			if m := saidRule.FindStringSubmatch(line); m != nil {
				rule = m[1]
			}
			_, fix, ok := strings.Cut(line, "= fix: ")
			if command := fixCommand.FindString(breaking.ReplaceAllString(fix, "")); ok && rule != "" && command != "" {
				advising[rule] = command
			}
			if strings.HasPrefix(line, "exit ") || strings.HasPrefix(line, "! ") { // talk is of no rule
				rule = ""
			}
		}
	}
	scripts, _ := filepath.Glob("testdata/script/*.txtar") // the pattern is right
	var followed []string
	for _, name := range scripts {
		for line := range strings.Lines(read(t, name)) {
			if words := strings.Fields(line); len(words) > 1 && words[0] == "follow" {
				followed = append(followed, words[len(words)-1])
			}
		}
	}
	if len(advising) < 9 {
		t.Errorf("only %d rules advise a command: %v", len(advising), advising)
	}
	for rule, command := range advising {
		if !slices.Contains(followed, rule) && notFollowed[rule] == "" {
			t.Errorf("%s advises %s, and no script follows it", rule, command)
		}
	}
	for rule := range notFollowed {
		if slices.Contains(followed, rule) {
			t.Errorf("%s is followed and need not be listed", rule)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
