package spec

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestLateTree makes trees at once and late, of random texts with faults in them: a
// late one has the same nodes at the same places, and refuses the same texts for
// the same reason.
func TestLateTree(t *testing.T) {
	refused, late := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		text := randomJSON(t, 0)
		if rapid.IntRange(0, 3).Draw(t, "broken") == 0 {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			text = text[:at] + rapid.SampledFrom([]string{"", ",", "}", `"`, "\\", "x", "\n"}).Draw(t, "fault") + text[at+1:]
		}
		p := &jsonParser{source: &source{text: text, file: 3}, all: true}
		p.space()
		var whole node
		failed := p.value(&whole, 1)
		p.space()
		root, err := jsonTree(3, text)
		if failed == nil && p.i == len(text) {
			if err != nil {
				t.Fatalf("%s\nis refused: %s", text, err.message)
			}
			if hasLate(root) {
				late++
			}
			if got, want := outline(root), outline(&whole); got != want {
				t.Fatalf("%s\ngives late\n%s\nand at once\n%s", text, got, want)
			}
			return
		}
		if refused++; err == nil || failed != nil && *err != *failed {
			t.Fatalf("%s\ngives late %v and at once %v", text, err, failed)
		}
	})
	if refused < 5 || late < 5 {
		t.Errorf("%d texts were refused, %d had late nodes: too few to say anything", refused, late)
	}
}

// TestLateTreeOfLargeDocument bounds what the tree of seven megabytes takes before
// anybody asks for an operation. All of it at once is 30 MB.
func TestLateTreeOfLargeDocument(t *testing.T) {
	data, err := os.ReadFile(golden.Shared(t, "openapi", "github.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	root, fail := jsonTree(0, text)
	runtime.ReadMemStats(&after)
	if fail != nil {
		t.Fatal(fail.message)
	}
	const most = 8 << 20
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("%d bytes, more than %d", took, most)
	}
	if root.get("paths") == nil {
		t.Error("no paths")
	}
}

// hasLate reports whether a node, or one below it that is there, is still text.
func hasLate(n *node) bool {
	for i := range n.own {
		if hasLate(&n.own[i]) {
			return true
		}
	}
	return n.rest != nil
}

// outline is all that a tree says.
func outline(n *node) string {
	var b strings.Builder
	var walk func(n *node, indent string)
	walk = func(n *node, indent string) {
		fmt.Fprintf(&b, "%s%q %d %s %q %d %v\n", indent, n.name, n.nameAt, n.kind, n.text, n.at, n.hasTwins())
		for i := range n.kids() {
			walk(&n.kids()[i], indent+" ")
		}
	}
	walk(n, "")
	return b.String()
}

func randomJSON(t *rapid.T, depth int) string {
	form := rapid.IntRange(0, 5).Draw(t, "form")
	if depth < 4 {
		form = 4 + form%2
	}
	if depth > 8 {
		form %= 4
	}
	var parts []string
	switch form {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "word")
	case 1:
		return rapid.SampledFrom([]string{"0", "-1", "1.5e3"}).Draw(t, "number")
	case 2, 3:
		return rapid.SampledFrom([]string{`""`, `"a"`, `"é"`, `"\n"`, `"\ud83d\ude00"`}).Draw(t, "text")
	case 4:
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			parts = append(parts, randomJSON(t, depth+1))
		}
		return "[" + strings.Join(parts, " ,\n") + "]"
	}
	for range rapid.IntRange(1, 3).Draw(t, "members") {
		parts = append(parts, rapid.SampledFrom([]string{`"a"`, `"b"`, `"\u0062"`}).Draw(t, "name")+": "+randomJSON(t, depth+1))
	}
	return "{" + strings.Join(parts, ", ") + " }"
}
