package toolcli

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
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

// jsonResult is the outputs as one object in one line, in their order.
func jsonResult(result serve.Result) []byte {
	b := []byte{'{'}
	for i, o := range result {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(o.Name) // a string always encodes
		b = append(append(b, name...), ':')
		if o.JSON == nil {
			b = append(b, "null"...)
			continue
		}
		b = append(b, o.JSON...)
	}
	return append(b, '}', '\n')
}

// textResult is the outputs for people: a line for each, and more for those
// that have parts.
func textResult(result serve.Result) []byte {
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

// firstSentence is what stands beside a command in the list of commands.
func firstSentence(s string) string {
	if at := strings.Index(s, ". "); at >= 0 {
		return s[:at]
	}
	return strings.TrimSuffix(s, ".")
}

func sortedNames(commands map[string]*Command) []string {
	return slices.Sorted(maps.Keys(commands))
}

// variables lists all that the program reads, for the help.
func (d *Document) variables() []Variable {
	var list []Variable
	add := func(name, about string) {
		if !slices.ContainsFunc(list, func(v Variable) bool { return v.EnvVar == name }) {
			list = append(list, Variable{EnvVar: name, Description: printable(about)})
		}
	}
	for _, v := range d.Variables {
		add(v.EnvVar, v.Description)
	}
	if d.Authentication != nil {
		for _, m := range d.Authentication.Methods {
			add(m.EnvVar, m.Description)
		}
	}
	for _, v := range d.Caller {
		add(v.EnvVar, "Who calls: "+strings.TrimSpace(strings.ReplaceAll(v.Kind, "_", " ")+" "+v.ID))
	}
	return list
}
