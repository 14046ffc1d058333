package corpus_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/manifest"
)

var quoted = regexp.MustCompile("(?s)<!-- from ([^ ]+) -->\n```[a-z]*\n(.*?)```")

// pages are the documentation that is written by hand and by us.
func pages(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md", "bench/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	return out
}

// guides are the pages that lead a reader through something, with the number of
// quotes that they have at least. What stands in their boxes is tested; the
// configurations of connect.md are started by TestConnect of the example.
var guides = map[string]int{
	"docs/questions.md": 20, "docs/first-tool.md": 12, "docs/cookbook.md": 20, "docs/production.md": 6, "docs/connect.md": 0, "docs/agents.md": 3,
}

// TestQuotes looks up every quoted line in the file that it is quoted from, in
// order, so that the pages cannot drift.
func TestQuotes(t *testing.T) {
	root := golden.Root(t)
	found := map[string]int{}
	for _, page := range pages(t, root) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(root, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range quoted.FindAllStringSubmatch(string(text), -1) {
			found[filepath.ToSlash(name)]++
			lookUp(t, root, name, q[1], q[2])
		}
	}
	if found["README.md"] < 4 {
		t.Errorf("only %d quotes were found in README.md", found["README.md"])
	}
	for name, least := range guides {
		if found[name] < least {
			t.Errorf("only %d quotes were found in %s", found[name], name)
		}
	}
}

// lookUp finds the lines of a quote in the file that it is from.
func lookUp(t *testing.T, root, page, from, quote string) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(from)))
	if err != nil {
		t.Error(err)
		return
	}
	rest := string(source)
	for line := range strings.SplitSeq(strings.TrimSpace(quote), "\n") {
		line = strings.TrimSpace(line)
		i := strings.Index(rest, line)
		if i < 0 {
			t.Errorf("%s quotes %q, which is not in %s (any more, or in this order)", page, line, from)
			continue
		}
		rest = rest[i+len(line):]
	}
}

var box = regexp.MustCompile("(?s)(<!-- from [^\n]+ -->\n)?```([a-z]+)\n(.*?)```")

// TestGuides finds nothing in a box that no test has seen: it is a quote, or
// commands ([TestDocumentedCommands] of the command line reads those), or JSON.
func TestGuides(t *testing.T) {
	for name := range guides {
		text, err := os.ReadFile(filepath.Join(golden.Root(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range box.FindAllStringSubmatch(string(text), -1) {
			isQuote, language := f[1] != "", f[2]
			if language != "sh" && language != "json" && !isQuote {
				t.Errorf("%s: nothing tests this %s: %s", name, language, f[3])
			}
			if language == "json" && !isQuote && !json.Valid([]byte(f[3])) {
				t.Errorf("%s: this is not JSON: %s", name, f[3])
			}
		}
	}
}

// TestQuestions finds at least 30 questions, each with an answer that can be tried.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "questions.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n### ")[1:]
	if len(sections) < 30 {
		t.Errorf("%d questions", len(sections))
	}
	for _, section := range sections {
		title, body, _ := strings.Cut(section, "\n")
		if !strings.HasSuffix(title, "?") || !box.MatchString(body) {
			t.Errorf("%s has no answer that can be tried", title)
		}
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]+)?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced  = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	noSlug  = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// anchors are the headings of a page as links name them.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		out["#"+strings.ReplaceAll(noSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-")] = true
	}
	return out
}

// TestLinks follows every link of a page into the repository.
func TestLinks(t *testing.T) {
	root := golden.Root(t)
	followed := 0
	for _, page := range pages(t, root) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], ":") {
				continue // of others
			}
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s: %s leads nowhere", filepath.Base(page), m[1])
					continue
				}
			}
			if followed++; m[2] == "" {
				continue
			}
			if body, err := os.ReadFile(target); err != nil || !anchors(string(body))[m[2]] {
				t.Errorf("%s: %s%s leads to no heading", filepath.Base(page), m[1], m[2])
			}
		}
	}
	if followed < 40 {
		t.Errorf("only %d links were followed", followed)
	}
}

// TestEditorSchema keeps docs/sculpt.schema.json equal to what "sculpt schema"
// prints.
func TestEditorSchema(t *testing.T) {
	got, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "sculpt.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(got)) != strings.TrimSpace(string(manifest.Schema())) {
		t.Error(`docs/sculpt.schema.json is stale: run "go run ./cmd/sculpt schema > docs/sculpt.schema.json"`)
	}
}
