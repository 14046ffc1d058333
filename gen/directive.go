package gen

import (
	"bytes"
	"path"
	"strings"
)

// A Directive is the line of a Go file that go generate runs sculpt for.
//
// go generate lists the Go files of a package before it runs anything, then
// reads them one by one, and fails if one is gone. So a file that is not needed
// any more goes only if it was read already. Another one becomes a stub with the
// same line in it: go generate, which still has to read it, runs sculpt for that
// line, and then the stub was read and goes.
type Directive struct {
	// File is the name of the file with the line, Package the name in its
	// package clause.
	File, Package string
	// Lines are the line, and before it those that define its command.
	Lines []string
}

// keep makes a stub of a stale file that go generate has not read yet. It
// reports whether the change still has something to do.
func (d *Directive) keep(c *change) bool {
	if d == nil || !c.stale || path.Ext(c.name) != ".go" || path.Dir(c.name) != "." || !readAfter(c.name, d.File) {
		return true
	}
	c.stale, c.data = false, d.stub()
	return !bytes.Equal(unified(c.old), c.data)
}

// readAfter reports whether go generate reads a file of a package after
// another one: tests come last, and otherwise names count.
func readAfter(name, other string) bool {
	if test := isTest(name); test != isTest(other) {
		return test
	}
	return name > other
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

func (d *Directive) stub() []byte {
	return []byte(header + "\npackage " + d.Package + "\n\n" +
		"// Nothing needs this file any more, but go generate has listed it and fails\n// without it. It goes when go generate has come to these lines.\n\n" +
		strings.Join(d.Lines, "\n") + "\n")
}
