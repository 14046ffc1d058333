package diag

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// Findings have their colours, and nothing that only looks like a part of one.
func TestPaint(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.yaml:3:29: error[unknown-field]: No.\n":      "a/b.yaml:3:29: \x1b[1;31merror\x1b[0m[unknown-field]: No.\n",
		"warning[long-list]: Hm.\n":                       "\x1b[1;33mwarning\x1b[0m[long-list]: Hm.\n",
		"a.yaml:1:1: note[x]: y\n":                        "a.yaml:1:1: \x1b[1;34mnote\x1b[0m[x]: y\n",
		"   38 |       name: x\n":                         "   38 |       name: x\n",
		"      |       ^^^\n":                             "      |       \x1b[1;31m^^^\x1b[0m\n",
		"   = fix: write it\n":                            "   = \x1b[32mfix\x1b[0m: write it\n",
		"   = see: a.yaml:1:2: here\n":                    "   = \x1b[32msee\x1b[0m: a.yaml:1:2: here\n",
		"sculpt: error[x]: y\n":                           "sculpt: error[x]: y\n",
		"   3 | # error[x]: y ^^^\n":                      "   3 | # error[x]: y ^^^\n",
		`{"a": "b.yaml:1:1: error[x]: "}` + "\n":          `{"a": "b.yaml:1:1: error[x]: "}` + "\n",
		"one\n\nwarning[a]: b\nno end":                    "one\n\n\x1b[1;33mwarning\x1b[0m[a]: b\nno end",
		"2 errors, 1 warning\n":                           "2 errors, 1 warning\n",
		"a.yaml:1:1: error[x]: \\x1b[31m is not a colour": "a.yaml:1:1: \x1b[1;31merror\x1b[0m[x]: \\x1b[31m is not a colour",
	} {
		var got bytes.Buffer
		if n, err := Paint(&got).Write([]byte(in)); n != len(in) || err != nil || got.String() != want {
			t.Errorf("%q: %q, %d, %v; want %q", in, got.String(), n, err, want)
		}
	}
	// The rest of a line that comes later is no line of its own.
	var got bytes.Buffer
	w := Paint(&got)
	for part := range strings.SplitSeq("sculpt: |error[x]: y\n|error[x]: z\n", "|") {
		if _, err := io.WriteString(w, part); err != nil {
			t.Fatal(err)
		}
	}
	if want := "sculpt: error[x]: y\n\x1b[1;31merror\x1b[0m[x]: z\n"; got.String() != want {
		t.Errorf("%q, want %q", got.String(), want)
	}
	if _, err := Paint(broken{}).Write([]byte("a")); err == nil {
		t.Error("an error of the writer is lost")
	}
}
