package manifest

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// referenceFiles hold every key, each where it has an effect. Tests lint, generate
// and compile them.
//
//go:embed reference/*.yaml reference/released/sculpt.yaml
var referenceFiles embed.FS

// references are the manifests among those, with the files that they include.
var references = []string{"reference/sculpt.yaml", "reference/billing.yaml", "reference/released/sculpt.yaml"}

// examples are how the keys are written, by their paths: the first time that each
// is used. Of a key with a short form it is the long one, where there is one.
var examples = sync.OnceValue(func() map[string]*yaml.Node {
	found := map[string]*yaml.Node{}
	for _, name := range references {
		text, err := referenceFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		var doc yaml.Node
		if err := yaml.Load(text, &doc); err != nil {
			panic(name + ": " + err.Error())
		}
		collectExamples(found, table, "", doc.Content[0])
	}
	return found
})

func collectExamples(found map[string]*yaml.Node, l *level, path string, n *yaml.Node) {
	if old := found[path]; old == nil || old.Kind == yaml.ScalarNode && n.Kind != yaml.ScalarNode && l.key.Short != "" {
		found[path] = n
	}
	below := func(name string, n *yaml.Node) {
		child := l.below[name]
		if child == nil {
			child, name = l.below["*"], "*"
		}
		if child != nil {
			collectExamples(found, child, strings.TrimPrefix(path+"."+name, "."), n)
		}
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			below(n.Content[i].Value, n.Content[i+1])
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			below("*", item)
		}
	}
}

// stepPath is where the keys of a call are shown: a tool with a single call and a
// flow have the same ones.
const stepPath = "tools.*.steps.*"

// callPaths are where the keys of a call may be: in a step, in a tool with a single
// call, and in a step of a flow.
var callPaths = []string{stepPath, "tools.*", "flows.*.steps.*"}

// exampleOf is the example of a key, nil for one that does not work yet.
func exampleOf(path string) *yaml.Node {
	if n := examples()[path]; n != nil {
		return n
	}
	for _, one := range callPaths {
		rest, ok := strings.CutPrefix(path, one+".")
		if !ok {
			continue
		}
		for _, other := range callPaths {
			if n := examples()[other+"."+rest]; n != nil {
				return n
			}
		}
	}
	return nil
}

// Reference is the page docs/manifest.md: every key, what it means, and how it is
// written.
func Reference() []byte {
	var b strings.Builder
	b.WriteString("# The manifest\n\nEvery key of `sculpt.yaml`. Editors complete and check them with the schema that `sculpt schema` prints, which has these\n" +
		"texts and examples too. Names of your choice are in capitals: `tools.NAME.inputs`. This page is written by\n" +
		"`sculpt schema --format markdown`; its examples are parts of two manifests that are linted, generated and compiled by the tests.\n")
	writeSection(&b, table, "")
	return []byte(b.String())
}

// writeSection writes a key that has keys, and then those of them that have some.
func writeSection(b *strings.Builder, l *level, path string) {
	if path != "" {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", shownPath(path), upperFirst(l.key.Text))
		if n := exampleOf(path); n != nil {
			fmt.Fprintf(b, "\n```yaml\n%s```\n", block(path, n))
		}
	}
	b.WriteString("\n| key | value | meaning | example |\n|---|---|---|---|\n")
	for _, name := range l.names {
		writeRow(b, l.below[name], name)
	}
	for _, name := range l.names {
		writeBelow(b, l.below[name], strings.TrimPrefix(path+"."+name, "."))
	}
}

// writeBelow finds the objects below a key. The keys of a call are told once, as
// those of a step.
func writeBelow(b *strings.Builder, l *level, path string) {
	for _, prefix := range callPaths[1:] {
		if rest, ok := strings.CutPrefix(path, prefix+"."); ok && slices.ContainsFunc(Keys, func(k Key) bool { return k.Path == stepPath+"."+rest }) {
			return
		}
	}
	switch {
	case len(l.names) > 0:
		writeSection(b, l, path)
	case l.below["*"] != nil && l.below["*"].key != nil:
		writeBelow(b, l.below["*"], path+".*")
	}
}

func writeRow(b *strings.Builder, l *level, name string) {
	k := l.key
	required := ""
	if k.Required {
		required = ", required"
		if k.Unless != "" {
			required = ", required unless there is " + code(k.Unless)
		}
	}
	example := ""
	if n := exampleOf(k.Path); n != nil && l.isLeaf() {
		example = code(cut(inline(n)))
	}
	fmt.Fprintf(b, "| %s | %s%s | %s | %s |\n", code(name), shape(l), required, cell(upperFirst(k.Text)), example)
}

// isLeaf says that no section tells what is below the key.
func (l *level) isLeaf() bool {
	return len(l.names) == 0 && (l.below["*"] == nil || l.below["*"].isLeaf())
}

// shape says what the value of a key is.
func shape(l *level) string {
	k := l.key
	var parts []string
	switch {
	case len(k.Values) > 0:
		for _, v := range k.Values {
			parts = append(parts, code(v))
		}
		return strings.Join(parts, ", ")
	case k.Type == Map || k.Type == List:
		parts = append(parts, string(k.Type)+" of "+plural(l.below["*"].key.Type))
	default:
		parts = append(parts, string(k.Type))
	}
	if k.Short != "" {
		parts[0] = string(k.Short) + " or " + parts[0]
	}
	switch {
	case k.Type == Int && k.Most == k.Least && k.Most != 0: // both 0: no upper bound
		parts[0] = "always " + strconv.FormatInt(k.Least, 10)
	case k.Type == Int && k.Most > 0:
		parts = append(parts, strconv.FormatInt(k.Least, 10)+" to "+strconv.FormatInt(k.Most, 10))
	case k.Type == Int && k.Least != minInt:
		parts = append(parts, "at least "+strconv.FormatInt(k.Least, 10))
	}
	longest := k.Longest
	if k.Form != nil {
		longest = max(longest, k.Form.Longest)
	}
	if longest > 0 {
		parts = append(parts, "at most "+strconv.Itoa(longest)+" characters")
	}
	return strings.Join(parts, ", ")
}

func plural(t KeyType) string {
	switch t {
	case Any:
		return "anything"
	case Text, Line:
		return "texts"
	}
	return string(t) + "s"
}

// shownPath writes names of the vendor's choice in capitals, and items without.
func shownPath(path string) string {
	path = strings.ReplaceAll(path, ".*", ".NAME")
	for _, k := range Keys {
		if k.Type == List {
			shown := strings.ReplaceAll(k.Path, ".*", ".NAME")
			path = strings.Replace(path, shown+".NAME", shown+"[]", 1)
		}
	}
	return path
}

// block writes an example under the last keys of its path.
func block(path string, n *yaml.Node) string {
	n = spread(n)
	text := dump(n)
	parts := strings.Split(path, ".")
	name := parts[len(parts)-1]
	if name == "*" {
		return text
	}
	var b strings.Builder
	b.WriteString(name + ":")
	if n.Kind == yaml.ScalarNode || n.Style&yaml.FlowStyle != 0 {
		return b.String() + " " + text
	}
	b.WriteString("\n")
	for line := range strings.Lines(text) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// maxInline is the most characters of an example in a table, and of a line in a
// block.
const maxInline = 90

// spread writes what is too long for a line on several.
func spread(n *yaml.Node) *yaml.Node {
	out := *n
	if utf8.RuneCountInString(inline(n)) > maxInline {
		out.Style &^= yaml.FlowStyle
	}
	out.Content = nil
	for _, c := range n.Content {
		out.Content = append(out.Content, spread(c))
	}
	return &out
}

// inline writes an example on one line.
func inline(n *yaml.Node) string {
	flow := *n
	if n.Kind != yaml.ScalarNode {
		flow.Style |= yaml.FlowStyle
	}
	return strings.Join(strings.Fields(dump(&flow)), " ")
}

func dump(n *yaml.Node) string {
	text, err := yaml.Dump(n, yaml.WithIndent(2), yaml.WithCompactSeqIndent(true), yaml.WithLineWidth(-1))
	if err != nil {
		panic(err) // it was read from text
	}
	return string(text)
}

func cut(line string) string {
	if runes := []rune(line); len(runes) > maxInline {
		return string(runes[:maxInline-4]) + " ..."
	}
	return line
}

func code(text string) string {
	if text == "" {
		return ""
	}
	fence := "`"
	if strings.Contains(text, "`") {
		fence = "``"
	}
	return fence + strings.ReplaceAll(text, "|", `\|`) + fence
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func upperFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
