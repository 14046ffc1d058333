package spec

import (
	"fmt"
	"strings"
	"testing"
)

// TestPathParts takes templates apart, those with a brace too many as well: what
// is between them stays a literal, so that a finding can show it.
func TestPathParts(t *testing.T) {
	for template, want := range map[string]string{
		"":                     " ? true",
		"/":                    "[/] ? true",
		"/a/{b}":               "[/a/] {b} ? true",
		"/{a}{b}.{c}/d":        "{a} {b} [.] {c} [/d]",
		"/a?b=c&d":             "[/a] ?b=c&d true",
		"/a/{b}?beta=true#two": "[/a/] {b} ?beta=true true",
		"/a#{b}":               "[/a] ? true",
		"/a}":                  "[/a}] ? false",
		"/a/{b":                "[/a/{b] ? false",
		"/{a{b}/c":             "[/{a{b}] [/c] ? false",
		"/a}/{b}/c":            "[/a}/{b}] [/c] ? false",
		"/{}/c":                "[/{}] [/c] ? false",
	} {
		parts, query, ok := pathParts(template)
		var said []string
		for _, p := range parts {
			if p.Param != "" {
				said = append(said, "{"+p.Param+"}")
				continue
			}
			said = append(said, "["+p.Literal+"]")
		}
		if !strings.Contains(want, "?") {
			want = "[/] " + want + " ? true"
		}
		if got := fmt.Sprintf("%s ?%s %t", strings.Join(said, " "), query, ok); got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}
