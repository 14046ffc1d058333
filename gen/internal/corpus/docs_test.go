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

// TestQuotes looks up every quoted line in the file that it is quoted from, in
// order, so that the pages cannot drift.
func TestQuotes(t *testing.T) {
	root := golden.Root(t)
	for page, least := range map[string]int{"README.md": 4, "docs/questions.md": 20} {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		quotes := quoted.FindAllStringSubmatch(string(text), -1)
		if len(quotes) < least {
			t.Fatalf("only %d quotes were found in %s", len(quotes), page)
		}
		for _, q := range quotes {
			source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(q[1])))
			if err != nil {
				t.Fatal(err)
			}
			rest := string(source)
			for line := range strings.SplitSeq(strings.TrimSpace(q[2]), "\n") {
				line = strings.TrimSpace(line)
				i := strings.Index(rest, line)
				if i < 0 {
					t.Errorf("%s quotes %q, which is not in %s (any more, or in this order)", page, line, q[1])
					continue
				}
				rest = rest[i+len(line):]
			}
		}
	}
}

// TestQuestions finds at least 30 questions, each with an answer that holds a part
// of something that is tested: a quote, or commands ([TestDocumentedCommands] of
// the command line reads those), or JSON.
func TestQuestions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "questions.md"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(text), "\n### ")[1:]
	if len(sections) < 30 {
		t.Errorf("%d questions", len(sections))
	}
	fence := regexp.MustCompile("(?s)(<!-- from [^\n]+ -->\n)?```([a-z]+)\n(.*?)```")
	for _, section := range sections {
		title, body, _ := strings.Cut(section, "\n")
		found := fence.FindAllStringSubmatch(body, -1)
		if !strings.HasSuffix(title, "?") || len(found) == 0 {
			t.Errorf("%s has no answer that can be tried", title)
		}
		for _, f := range found {
			quoted, language := f[1] != "", f[2]
			if language != "sh" && language != "json" && !quoted {
				t.Errorf("%s: nothing tests this %s", title, language)
			}
			if language == "json" && !json.Valid([]byte(f[3])) {
				t.Errorf("%s: this is not JSON: %s", title, f[3])
			}
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
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md", "bench/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	followed := 0
	for _, page := range pages {
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
