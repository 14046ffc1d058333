package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func at(line, col, endLine, endCol int) Span {
	return Span{File: "a.yaml", Start: Pos{line, col}, End: Pos{endLine, endCol}}
}

func text(t *testing.T, list List, src string) string {
	t.Helper()
	var b bytes.Buffer
	err := Text(&b, list, func(file string) []byte {
		if file != "a.yaml" {
			return nil
		}
		return []byte(src)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	src := "one\n  lat: '${place.latitud}'\n\tx: 日本 ${y}\n" + strings.Repeat("long ", 100) + "here " + strings.Repeat("tail ", 100) + "\na: \x1b[2J\u202eb\r\n"
	cases := []struct {
		name string
		f    Finding
		want string
	}{
		{"the form", Finding{Rule: ID("unknown-field"), Span: at(2, 17, 2, 24), Message: `no field "latitud"`, Fix: `write "latitude"`}, `a.yaml:2:17: error[unknown-field]: no field "latitud"
    2 |   lat: '${place.latitud}'
      |                 ^^^^^^^
   = fix: write "latitude"
1 error
`},
		{"tab and wide characters", Finding{Rule: ID("r"), Severity: Warning, Span: at(3, 8, 3, 12), Message: "m"}, `a.yaml:3:8: warning[r]: m
    3 |     x: 日本 ${y}
      |             ^^^^
1 warning
`},
		{"no end", Finding{Rule: ID("r"), Severity: Note, Span: at(1, 2, 0, 0), Message: "m"}, "a.yaml:1:2: note[r]: m\n    1 | one\n      |  ^\n1 note\n"},
		{"several lines", Finding{Rule: ID("r"), Span: at(1, 2, 3, 1), Message: "m"}, "a.yaml:1:2: error[r]: m\n    1 | one\n      |  ^^\n1 error\n"},
		{"behind the line", Finding{Rule: ID("r"), Span: at(1, 4, 1, 4), Message: "m"}, "a.yaml:1:4: error[r]: m\n    1 | one\n      |    ^\n1 error\n"},
		{"far outside", Finding{Rule: ID("r"), Span: at(99, 400, 99, 500), Message: "m"}, "a.yaml:99:400: error[r]: m\n1 error\n"},
		{"whole file", Finding{Rule: ID("r"), Span: Span{File: "a.yaml"}, Message: "m"}, "a.yaml: error[r]: m\n1 error\n"},
		{"no file", Finding{Rule: ID("r"), Message: "m"}, "error[r]: m\n1 error\n"},
		{"unknown file", Finding{Rule: ID("r"), Span: Span{File: "b", Start: Pos{1, 1}}, Message: "m"}, "b:1:1: error[r]: m\n1 error\n"},
		{"private", Finding{Rule: ID("r"), Span: at(1, 1, 1, 3), Message: "m", Private: true}, "a.yaml:1:1: error[r]: m\n1 error\n"},
		{"related", Finding{Rule: ID("r"), Span: at(1, 1, 1, 4), Message: "m", Related: []Related{{Span: at(2, 3, 2, 6), Text: "first written here"}}}, `a.yaml:1:1: error[r]: m
    1 | one
      | ^^^
   = see: a.yaml:2:3: first written here
1 error
`},
		{"hostile", Finding{Rule: ID("r"), Span: at(5, 4, 5, 5), Message: "x\n::error::y\x1b[2J", Fix: "a\rb\u2066"}, `a.yaml:5:4: error[r]: x\n::error::y\x1b[2J
    5 | a: \x1b[2J\u202eb
      |    ^^^^
   = fix: a\rb\u2066
1 error
`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := text(t, List{c.f}, src); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
	got := text(t, List{{Rule: ID("r"), Span: at(4, 501, 4, 505), Message: "m"}}, src)
	lines := strings.Split(got, "\n")
	i := strings.Index(lines[2], "^")
	if len(lines[1]) > 200 || lines[1][i:i+4] != "here" || !strings.Contains(lines[2], "^^^^") || strings.Contains(lines[2], "^^^^^") {
		t.Errorf("got:\n%s", got)
	}
}

func TestTextOfMany(t *testing.T) {
	var list List
	for i := range 53 {
		list.Errorf(ID("r"), at(1, i+1, 0, 0), "", "m")
		list.Errorf(ID("r"), at(1, i+1, 0, 0), "", "m")
	}
	list.Warnf(ID("w"), at(9, 1, 0, 0), "", "m")
	got := text(t, list, "")
	if !strings.HasSuffix(got, "... and 4 more\n53 errors, 1 warning\n") || strings.Count(got, "error[") != 50 {
		t.Errorf("got:\n%s", got)
	}
	if got := text(t, nil, ""); got != "" {
		t.Errorf("got %q for no findings", got)
	}
}

func TestJSON(t *testing.T) {
	list := List{
		{Rule: ID("b"), Severity: Warning, Span: at(2, 1, 0, 0), Message: "<two>", Tool: "find", Related: []Related{{Span: at(1, 1, 1, 3), Text: "first"}}},
		{Rule: ID("a"), Span: Span{File: "a.yaml"}, Message: "one", Fix: "do it"},
	}
	var b bytes.Buffer
	if err := JSON(&b, list); err != nil {
		t.Fatal(err)
	}
	var c bytes.Buffer
	if err := json.Compact(&c, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	want := `{"findings":[` +
		`{"rule":"a","severity":"error","message":"one","file":"a.yaml","line":0,"column":0,"endLine":0,"endColumn":0,"fix":"do it","fingerprint":"457dca6c77de","related":[]},` +
		`{"rule":"b","severity":"warning","message":"<two>","file":"a.yaml","line":2,"column":1,"endLine":2,"endColumn":2,"tool":"find",` +
		`"fingerprint":"148068164ada","related":[{"message":"first","file":"a.yaml","line":1,"column":1,"endLine":1,"endColumn":3}]}],"errors":1,"warnings":1}`
	if c.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", c.String(), want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, fmt.Errorf("disk full") }

func TestWriteErrors(t *testing.T) {
	list := List{{Rule: ID("r"), Message: "m"}}
	if Text(broken{}, list, nil) == nil || JSON(broken{}, list) == nil {
		t.Error("an error of the writer was lost")
	}
}

func TestNearest(t *testing.T) {
	names := []string{"description", "max_length", "min_length", "tags"}
	for name, want := range map[string]string{"maxLength": "max_length", "descripton": "description", "tasg": "tags", "tag": "tags", "x": "", "tags": ""} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\tb\x1b\u202e日", 1, 2, 1, 4)
	f.Fuzz(func(t *testing.T, src string, line, col, endLine, endCol int) {
		got := text(t, List{{Rule: ID("r"), Span: at(line, col, endLine, endCol), Message: src, Fix: src}}, src)
		for _, r := range got {
			if r != '\n' && escapeRune(r) != "" {
				t.Fatalf("%q holds %U", got, r)
			}
		}
		for l := range strings.Lines(got) {
			if strings.HasPrefix(l, "::") {
				t.Fatalf("%q speaks to a build service", got)
			}
		}
	})
}
