package toolcli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// isTerminal reports whether a person reads what is written.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// textResult is the outputs for people: a line for each, and more for those
// that have parts.
func textResult(result tool.Result) []byte {
	var b bytes.Buffer
	for _, o := range result {
		b.WriteString(o.Name + ":")
		for i, line := range strings.Split(readable(o.JSON), "\n") {
			switch {
			case i > 0:
				b.WriteString("\n  ")
			default:
				b.WriteByte(' ')
			}
			b.WriteString(printable(line))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// readable is a JSON value as people write it: texts without quotes.
func readable(raw []byte) string {
	var s string
	switch {
	case raw == nil, string(raw) == "null":
		return "none"
	case json.Unmarshal(raw, &s) == nil:
		return s
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// printable is a text without what a terminal would obey instead of showing.
// Texts come from backends and documents, which may be hostile.
func printable(s string) string {
	clean := func(r rune) bool {
		return r != utf8.RuneError && !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Zl, r) && !unicode.Is(unicode.Zp, r)
	}
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case clean(r):
			b.WriteRune(r)
		case r == '\n', r == '\t':
			b.WriteByte(' ')
		default:
			b.WriteRune('�')
		}
	}
	return b.String()
}
