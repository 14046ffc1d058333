package diag

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

var formats = map[string]func(io.Writer, List) error{
	"json": JSON, "github": GitHub, "markdown": Markdown, "junit": JUnit,
	"sarif": func(w io.Writer, l List) error { return SARIF(w, l, rules) },
	"text":  func(w io.Writer, l List) error { return Text(w, l, nil) },
}

var rules = []Rule{
	{ID: ID("input-removed"), Summary: "An input is gone.", Why: "Old calls fail.", Fix: "Keep it."},
	{ID: ID("loose"), Severity: Warning, Summary: "Loose.", Why: "Because.", Fix: "Tie it."},
}

// mixed has a finding of each severity; in place order the warning comes first.
var mixed = List{
	{Rule: ID("loose"), Severity: Warning, Span: at(1, 3, 2, 4), Message: "100% loose: a,b", Tool: "find"},
	{Rule: ID("input-removed"), Span: at(7, 3, 7, 7), Message: `input "word" (v1) is gone`, Fix: "put it back", Tool: "find", Place: "inputs.word", Version: 1,
		Related: []Related{{Span: Span{File: "history/find/v0001.json"}, Text: "released here"}}},
	{Rule: ID("unknown"), Severity: Note, Span: Span{File: "dir with space/a:b.json"}, Message: "a note"},
}

func render(t *testing.T, format string, list List) string {
	t.Helper()
	var b bytes.Buffer
	if err := formats[format](&b, list); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGitHub(t *testing.T) {
	want := "::error title=input-removed,file=a.yaml,line=7,endLine=7,col=3,endColumn=6::input \"word\" (v1) is gone%0AFix: put it back\n" +
		"::warning title=loose,file=a.yaml,line=1,endLine=2::100%25 loose: a,b\n" +
		"::notice title=unknown,file=dir with space/a%3Ab.json::a note\n" +
		"1 error, 1 warning, 1 note\n"
	if got := render(t, "github", mixed); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := render(t, "github", nil); got != "" {
		t.Errorf("got %q for no findings", got)
	}
}

func TestMarkdown(t *testing.T) {
	want := "**1 error, 1 warning, 1 note**\n" +
		"\n### The package as a whole\n\n| | where | what | fix |\n|---|---|---|---|\n" +
		"| note unknown | dir with space/a&#58;b.json | a note |  |\n" +
		"\n### find\n\n| | where | what | fix |\n|---|---|---|---|\n" +
		"| warning loose | a.yaml:1:3 | 100% loose: a,b |  |\n" +
		"| error input-removed | a.yaml:7:3 | input \"word\" (v1) is gone | put it back |\n"
	if got := render(t, "markdown", mixed); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got := render(t, "markdown", nil); got != "No findings.\n" {
		t.Errorf("got %q for no findings", got)
	}
}

func TestJUnit(t *testing.T) {
	var got junitSuites
	if err := xml.Unmarshal([]byte(render(t, "junit", mixed)), &got); err != nil {
		t.Fatal(err)
	}
	s := got.Suite
	if s.Tests != 3 || s.Failures != 1 || len(s.Cases) != 3 || s.Cases[0].Failure != nil || s.Cases[1].Failure == nil {
		t.Fatalf("%+v", s)
	}
	f := s.Cases[1]
	if f.Class != "find" || f.Name != "input-removed a.yaml:7:3" || f.Failure.Type != "input-removed" || !strings.Contains(f.Failure.Text, "Fix: put it back") {
		t.Errorf("%+v %+v", f, f.Failure)
	}
	if err := xml.Unmarshal([]byte(render(t, "junit", nil)), &got); err != nil || got.Suite.Failures != 0 || got.Suite.Tests != 1 {
		t.Errorf("%v %+v", err, got.Suite)
	}
}

func TestSARIF(t *testing.T) {
	log := sarif(t, mixed)
	run := log.Runs[0]
	if len(run.Results) != 3 || len(run.Tool.Driver.Rules) != 3 {
		t.Fatalf("%+v", run)
	}
	loose, removed, unknown := run.Results[0], run.Results[1], run.Results[2]
	if loose.Level != "warning" || *loose.Locations[0].Physical.Region != (sarifRegion{1, 3, 2, 4}) {
		t.Errorf("%+v", loose)
	}
	if removed.Level != "error" || removed.Message.Text != "input \"word\" (v1) is gone\nFix: put it back" ||
		*removed.Locations[0].Physical.Region != (sarifRegion{7, 3, 7, 7}) || removed.Related[0].Message.Text != "released here" ||
		removed.Related[0].Physical.Artifact.URI != "history/find/v0001.json" {
		t.Errorf("%+v", removed)
	}
	if at := unknown.Locations[0].Physical; unknown.Level != "note" || at.Artifact.URI != "dir%20with%20space/a:b.json" || at.Region != nil {
		t.Errorf("%+v", unknown)
	}
	if r := run.Tool.Driver.Rules[removed.RuleIndex]; r.Help.Text != "Old calls fail.\n\nFix: Keep it." || r.Default.Level != "error" {
		t.Errorf("%+v", r)
	}
	if empty := sarif(t, nil); len(empty.Runs) != 1 || len(empty.Runs[0].Results) != 0 {
		t.Errorf("%+v", empty)
	}
}

// sarif renders the findings and holds the log against the rules of SARIF
// 2.1.0 for the members that are written: no others, the required ones there,
// indexes that point to the rule, references that are references, lines and
// columns from 1.
func sarif(t *testing.T, list List) sarifLog {
	t.Helper()
	text := render(t, "sarif", list)
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var log sarifLog
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || log.Runs[0].Tool.Driver.Name == "" || log.Runs[0].ColumnKind != "unicodeCodePoints" {
		t.Fatal(text)
	}
	if !strings.Contains(text, `"results": [`) || !strings.Contains(text, `"rules": [`) {
		t.Fatal("a list is null:\n" + text)
	}
	run := log.Runs[0]
	for _, r := range run.Results {
		if r.Message.Text == "" || run.Tool.Driver.Rules[r.RuleIndex].ID != r.Rule || r.Fingerprints["sculpt/v1"] == "" {
			t.Fatalf("%+v", r)
		}
		for _, place := range append(r.Locations, r.Related...) {
			if u, err := url.Parse(place.Physical.Artifact.URI); err != nil || u.IsAbs() || u.Host != "" {
				t.Fatalf("%q is no reference to a file: %v", place.Physical.Artifact.URI, err)
			}
			if g := place.Physical.Region; g != nil && (g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn <= g.StartColumn) {
				t.Fatalf("%+v", g)
			}
		}
	}
	return log
}

// The published schema of the JSON form accepts what is written.
func TestFindingsSchema(t *testing.T) {
	schema, err := jsonschema.Compile(filepath.Join("..", "..", "docs", "findings.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []List{nil, mixed} {
		var doc any
		if err := json.Unmarshal([]byte(render(t, "json", list)), &doc); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%#v", err)
		}
	}
	for _, bad := range []string{`{}`, `{"findings":[{}],"errors":0,"warnings":0}`, `{"findings":[],"errors":-1,"warnings":0}`, `{"findings":[],"errors":0,"warnings":0,"more":1}`} {
		var doc any
		if err := json.Unmarshal([]byte(bad), &doc); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(doc) == nil {
			t.Errorf("the schema accepts %s", bad)
		}
	}
}

// A finding is known again after it was reworded and moved, and told apart
// from others like it.
func TestFingerprints(t *testing.T) {
	f := mixed[1]
	identity := func(f Finding) string { return List{f}.fingerprints()[0] }
	moved := f
	moved.Message, moved.Fix, moved.Span.Start.Line = "other words", "", 99
	if identity(moved) != identity(f) || len(identity(f)) != 12 {
		t.Errorf("%s %s", identity(moved), identity(f))
	}
	for name, change := range map[string]func(*Finding){
		"rule": func(f *Finding) { f.Rule = ID("other") }, "tool": func(f *Finding) { f.Tool = "other" },
		"place": func(f *Finding) { f.Place = "inputs.other" }, "version": func(f *Finding) { f.Version = 2 },
	} {
		other := f
		if change(&other); identity(other) == identity(f) {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	if two := (List{f, f}).fingerprints(); two[0] == two[1] {
		t.Error("two findings have one fingerprint")
	}
}

// hostile texts try what each format must not let through.
var hostile = []string{
	"x\n::error::owned", "x\r\n::set-output name=a::b", "%0A::error::owned", "a::b,file=/etc/passwd", "\x1b[2J\u202e",
	"| a | b |", "<script>alert(1)</script>", "[click](https://evil.example)", "![](//evil.example/x.png)", "https://evil.example", "www.evil.example",
	"@everyone #1 `code` *bold* _em_ ~~x~~", "&lt;b&gt; &#60;", "]]> <failure/>", "\x00\xff", "```\n# head",
}

func TestHostileTexts(t *testing.T) {
	for _, text := range hostile {
		notHostile(t, text)
	}
}

func FuzzFormats(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(notHostile)
}

var (
	command  = regexp.MustCompile(`^::error title=[^:,%]*(%[0-9A-F]{2}[^:,%]*)*,file=[^:,%]*(%[0-9A-F]{2}[^:,%]*)*,line=1,endLine=1,col=1,endColumn=1::[^%]*(%(25|0A)[^%]*)*$`)
	markdown = regexp.MustCompile("[`<>\\[\\]*~@\\\\]|(?i:www)\\.|:[^ \n0-9-]|_[^A-Za-z0-9]|[^A-Za-z0-9]_")
)

func notHostile(t *testing.T, text string) {
	list := List{{Rule: ID(text), Span: Span{File: text, Start: Pos{1, 1}}, Message: text, Fix: text, Tool: text, Related: []Related{{Text: text, Span: Span{File: "f"}}}}}
	for name := range formats {
		got := render(t, name, list)
		for _, r := range got {
			if escapeRune(r) != "" && r != '\n' && name != "json" && name != "sarif" {
				t.Fatalf("%s: %q holds %U", name, got, r)
			}
		}
		switch lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n"); name {
		case "github":
			if len(lines) != 2 || text != "" && !command.MatchString(lines[0]) {
				t.Fatalf("%q", got)
			}
		case "markdown":
			if len(lines) != 7 || markdown.MatchString(strings.Join(lines[1:], "\n")) || strings.Count(lines[6], "|") != 5 {
				t.Fatalf("%q", got)
			}
		case "json", "sarif":
			if !json.Valid([]byte(got)) {
				t.Fatalf("%s: %q", name, got)
			}
		case "junit":
			var s junitSuites
			if err := xml.Unmarshal([]byte(got), &s); err != nil || len(s.Suite.Cases) != 1 || s.Suite.Cases[0].Failure == nil {
				t.Fatalf("%v: %q", err, got)
			}
		}
	}
}

func TestFormatsKeepWriteErrors(t *testing.T) {
	for name, write := range formats {
		if write(broken{}, mixed) == nil {
			t.Errorf("%s lost the error of the writer", name)
		}
	}
}
