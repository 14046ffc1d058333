package cli

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A yamlText is lines of YAML.
type yamlText struct{ lines []string }

func (t *yamlText) line(depth int, format string, args ...any) {
	t.lines = append(t.lines, strings.Repeat("  ", depth)+fmt.Sprintf(format, args...))
}

// add appends other lines, further in.
func (t *yamlText) add(depth int, other yamlText) {
	for _, l := range other.lines {
		t.line(depth, "%s", l)
	}
}

// item returns the lines as one item of a list.
func (t *yamlText) item() yamlText {
	var out yamlText
	for i, l := range t.lines {
		lead := "  "
		if i == 0 {
			lead = "- "
		}
		out.line(0, "%s%s", lead, l)
	}
	return out
}

// comment adds a line to uncomment. Names and values are those of a document: one that would end the
// comment is left out.
func (t *yamlText) comment(key, value, remark string) {
	line := fmt.Sprintf("# %s: %s # %s", scalar(key), value, remark)
	if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
		t.line(0, "%s", line)
	}
}

// live says whether the first line is not a comment; comments come last.
func (t *yamlText) live() bool { return len(t.lines) > 0 && !strings.HasPrefix(t.lines[0], "#") }

// take returns the lines so far and begins anew.
func (t *yamlText) take() string {
	text := strings.Join(t.lines, "\n") + "\n"
	t.lines = nil
	return text
}

var (
	bare = pattern.Of(`^[A-Za-z][A-Za-z0-9 ,.()/_'"-]*$`)
	// Words that YAML 1.1 readers take for something else than text.
	notText = pattern.Of(`^(?i:true|false|yes|no|on|off|null|y|n)$`)
)

// scalar writes a text as YAML: bare where every reader agrees, else quoted.
func scalar(text string) string {
	if bare().MatchString(text) && !notText().MatchString(text) && strings.TrimSpace(text) == text {
		return text
	}
	return singleQuoted(text)
}

// markup are the parts of HTML and Markdown that a model needs no more than a person who reads the
// words aloud, in the order in which they go.
var markup = []struct {
	found func() *regexp.Regexp
	words string
}{
	{pattern.Of(`(?s)<!--.*?-->|\x60\x60\x60.*?\x60\x60\x60|<(?:style|script)\b.*?</(?:style|script)>`), " "},
	{pattern.Of(`<[^<>]*>`), " "},
	{pattern.Of(`!\[[^\]]*\](?:\([^()]*\)|\[[^\]]*\])`), " "},
	{pattern.Of(`\[([^\[\]]+)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])`), "$1"},
	{pattern.Of(`(?m)^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[*+-][ \t]+|[-=*_|: \t]{3,}$)`), " "},
	{pattern.Of(`\*\*([^*\n]+)\*\*`), "$1"},
	{pattern.Of(`(^|[\s(])[*_]([^\s*_](?:[^*_\n]*[^\s*_])?)[*_]([\s).,;:!?]|$)`), "$1$2$3"},
	{pattern.Of("`+"), ""},
	{pattern.Of(`(?i)&nbsp;`), " "},
}

// plain makes one line of a text that somebody else wrote: no markup, no
// characters that hide, no expressions, and not longer than most.
func plain(text string, most int) string {
	for _, m := range markup {
		text = m.found().ReplaceAllString(text, m.words)
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || unicode.Is(unicode.Co, r) || diag.Escape(string(r)) != string(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = value.CleanRunes(text, len(text))
	text = strings.ReplaceAll(text, "${", "$ {")
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	short := string(runes[:most-4])
	if at := strings.LastIndex(short, ". "); at > most/4 {
		return short[:at+1]
	}
	if at := strings.LastIndexByte(short, ' '); at > 0 {
		short = short[:at]
	}
	return short + " ..."
}

var (
	lowerUpper = pattern.Of(`([a-z0-9])([A-Z])`)
	upperWord  = pattern.Of(`([A-Z]+)([A-Z][a-z])`)
	notLower   = pattern.Of(`[^a-z0-9]+`)
)

// snake makes a name of any text: lower-case words with _ between, at most
// longest characters.
func snake(text string, longest int) string {
	text = upperWord().ReplaceAllString(lowerUpper().ReplaceAllString(text, "${1}_${2}"), "${1}_${2}")
	name := strings.Trim(notLower().ReplaceAllString(strings.ToLower(text), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "x" + name
	}
	return strings.TrimRight(name[:min(len(name), longest)], "_")
}

// goFolders are names of folders that go build passes over or treats as its own.
var goFolders = []string{"main", "init", "internal", "vendor", "testdata"}

// packageName makes a Go package name of any text.
func packageName(text string) string {
	name := strings.ReplaceAll(snake(strings.ToLower(text), 40), "_", "")
	if token.IsKeyword(name) || slices.Contains(goFolders, name) {
		name += "tools"
	}
	return name
}

// toolkitName is the name of the toolkit of a package.
func toolkitName(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
