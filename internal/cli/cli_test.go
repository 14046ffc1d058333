package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/format"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func noEnv(string) (string, bool) { return "", false }

func TestEveryVerbHasHelp(t *testing.T) {
	files, err := fs.Glob(helpTexts, "help/*.txt")
	if err != nil || len(files) < len(verbs) {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".txt")
		text := helpText(name)
		if n := strings.Count(text, "\n"); n > 40 {
			t.Errorf("help of %s has %d lines", name, n)
		}
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line) > 81 {
				t.Errorf("help of %s: %q is too wide", name, line)
			}
		}
		if !strings.Contains(text, "Usage: sculpt ") || name != "version" && !strings.Contains(text, "Example") {
			t.Errorf("help of %s lacks usage or example", name)
		}
	}
	for _, v := range verbs {
		for _, f := range v.flags() {
			if flagsInHelp(v.name)["--"+f.Names()[0]].text == "" {
				t.Errorf("help of %s does not name --%s", v.name, f.Names()[0])
			}
		}
	}
}

func TestTemplatesAreFormatted(t *testing.T) {
	values := struct{ Package, ImportPath string }{"tools", "example.com/x/tools"}
	for _, tmpl := range goFiles.Templates() {
		if tmpl.Tree == nil || len(tmpl.Root.Nodes) == 0 {
			continue
		}
		var b bytes.Buffer
		if err := tmpl.Execute(&b, values); err != nil {
			t.Fatal(err)
		}
		want, err := format.Source(b.Bytes())
		if err != nil {
			t.Fatalf("%s: %v", tmpl.Name(), err)
		}
		if !bytes.Equal(want, b.Bytes()) {
			t.Errorf("%s is not formatted", tmpl.Name())
		}
	}
}

// What release prints for programs has the published form.
func TestReleaseReport(t *testing.T) {
	schema, err := jsonschema.Compile(filepath.Join("..", "..", "docs", "findings.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	args := []string{"release", "--dry-run", "--format", "json", filepath.Join("..", "..", "examples", "nws")}
	if code := Main(args, strings.NewReader(""), &stdout, &stderr, noEnv); code != exitFine {
		t.Fatal(code, stderr.String())
	}
	var doc map[string]any
	if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil || doc["files"] == nil || doc["written"] != false {
		t.Errorf("%#v: %s", err, &stdout)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A result that nobody got is not a success.
func TestLostResult(t *testing.T) {
	for _, args := range [][]string{{"schema"}, {"version"}, {"--help"}} {
		var stderr bytes.Buffer
		if code := Main(args, strings.NewReader(""), brokenWriter{}, &stderr, noEnv); code != exitUnable {
			t.Errorf("%v: exit code %d", args, code)
		}
		if !strings.Contains(stderr.String(), "the result cannot be written: disk full") {
			t.Errorf("%v: %q", args, stderr.String())
		}
	}
}

// A fault of sculpt is one line and no stack.
func TestPanic(t *testing.T) {
	saved := verbs
	defer func() { verbs = saved }()
	verbs = append(verbs, &verb{name: "fail", flags: noFlags, run: func(*command) error { panic("a\x1b[2Jb") }})
	var stderr bytes.Buffer
	code := Main([]string{"fail"}, strings.NewReader(""), io.Discard, &stderr, noEnv)
	if code != exitUnable || stderr.String() != "sculpt: this is a fault of sculpt, please report it: a\\x1b[2Jb\n" {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

func TestSortArguments(t *testing.T) {
	cases := []struct{ in, want string }{
		{"lint a --format json", "--format json -- a"},
		{"lint --format=json a", "--format=json -- a"},
		{"lint -format json -- -a", "-format json -- -a"},
		{"lint -", "-- -"},
		{"generate a --check", "--check -- a"},
		{"call a b=-1 --live", "--live -- a b=-1"},
		{"init a --operation --dir", "--operation --dir -- a"},
	}
	for _, c := range cases {
		got, err := sortArguments(strings.Fields(c.in))
		if err != nil || strings.Join(got.args, " ") != c.want {
			t.Errorf("%s: got %q, %v", c.in, got.args, err)
		}
	}
}

func TestSafeJSON(t *testing.T) {
	for _, text := range []string{"plain é 日本", "\u202e\u2066", "\U000e0041x", "\x1b[2J", "line\nend", "\u0085"} {
		encoded := plainJSON(text)
		for _, r := range encoded {
			if r < ' ' || r == 0x202e || r == 0xe0041 || r == 0x85 {
				t.Errorf("%q holds %U", encoded, r)
			}
		}
		var back string
		if err := json.Unmarshal([]byte(encoded), &back); err != nil || back != text {
			t.Errorf("%q came back as %q, %v", text, back, err)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"getHTTPStatus": "get_http_status", "GET /a/{b}": "get_a_b", "": "x", "9lives": "x9lives", "a--b": "a_b",
		"ÄÖ": "x", strings.Repeat("ab_", 30): strings.TrimRight(strings.Repeat("ab_", 16), "_"),
	} {
		if got := snake(in, 48); got != want {
			t.Errorf("snake(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"My Tools": "mytools", "map": "maptools", "internal": "internaltools", "nws": "nws"} {
		if got := packageName(in); got != want {
			t.Errorf("packageName(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"us-east": "US_EAST", "": "NONE", "404": "N404", "a__b": "A_B"} {
		if got := enumName(in); got != want {
			t.Errorf("enumName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a\n b\t<b>c</b>": "a b c", "${input.x}": "$ {input.x}", "a\u202eb\x00": "ab", "\xff": "",
		"One sentence. Another one that is far too long": "One sentence.",
		"a\u3164b\U000e0041 \u2764\ufe01":                "ab \u2764",
	} {
		if got := plain(in, 24); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got := plain(strings.Repeat("word ", 20), 24); len(got) > 24 || !strings.HasSuffix(got, " ...") {
		t.Errorf("got %q", got)
	}
}
