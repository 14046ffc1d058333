package gen

import (
	"fmt"
	"strings"
	"testing"
)

// TestDirective: what go generate has read goes, and what it still has to read
// stays as a file that compiles and brings go generate back to us.
func TestDirective(t *testing.T) {
	const line = "//go:generate go tool sculpt generate"
	b := newBox(t)
	b.write(fresh("compat_broken_gen.go", goFile, "doc_gen.go", goFile, "tool_a_gen.go", goFile, "tool_b_gen.go", goFile, "tools_gen.go", goFile,
		"compat_gen_test.go", goFile, "exports/docs/x.md", "# x\n"))
	next := fresh("tools_gen.go", goFile)
	run := func(file, want string) {
		t.Helper()
		changed, err := Write(b.root, next, &Directive{File: file, Package: "nws", Lines: []string{line}})
		if err != nil || fmt.Sprint(changed) != want {
			t.Errorf("%s: changed %v, %v, want %s", file, changed, err, want)
		}
	}
	gone := func(want ...string) {
		t.Helper()
		left := b.content()
		for _, name := range want {
			if _, ok := left[name]; ok {
				t.Errorf("%s is there", name)
			}
		}
	}
	run("doc.go", "[compat_broken_gen.go compat_gen_test.go doc_gen.go exports/docs/x.md exports/index.json tool_a_gen.go tool_b_gen.go]")
	gone("compat_broken_gen.go", "exports/docs/x.md")
	for _, name := range []string{"compat_gen_test.go", "doc_gen.go", "tool_a_gen.go", "tool_b_gen.go"} {
		if stub := b.content()[name]; !strings.HasPrefix(stub, goFile) || !strings.HasSuffix(stub, "\n"+line+"\n") {
			t.Errorf("%s is\n%s", name, stub)
		}
	}
	if b.diff(next) == "" {
		t.Error("stubs are taken for fresh")
	}
	run("doc.go", "[]")
	run("doc_gen.go", "[doc_gen.go]")
	run("tool_b_gen.go", "[tool_a_gen.go tool_b_gen.go]")
	run("compat_gen_test.go", "[compat_gen_test.go]")
	if text := b.diff(next); text != "" {
		t.Error(text)
	}
}
