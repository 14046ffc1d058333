package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// documented finds command lines in pages, scripts and help texts.
var documented = regexp.MustCompile(`(?m)(?:^|[\s"'` + "`" + `(])(?:go tool sculpt|go run \./cmd/sculpt|\$SCULPT|sculpt) ((?:` + strings.Join(verbNames(), "|") + `)\b[^\n` + "`" + `)]*)`)

// Every command line that is written down is one that sculpt takes.
func TestDocumentedCommands(t *testing.T) {
	root := golden.Root(t)
	texts := map[string]string{}
	read := func(fsys fs.FS, names ...string) {
		for _, name := range names {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(data)
		}
	}
	read(os.DirFS(root), "README.md", "docs/ci.md", "docs/pins.md", "docs/questions.md", "docs/first-tool.md", "docs/cookbook.md", "docs/production.md", "docs/connect.md", "docs/agents.md",
		"action.yml", ".pre-commit-hooks.yaml", "CONTRIBUTING.md", "Makefile")
	help, err := fs.Glob(helpTexts, "help/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	read(helpTexts, help...)
	found := 0
	for name, text := range texts {
		examples := text
		if _, after, ok := strings.Cut(text, "Example"); ok && strings.HasSuffix(name, ".txt") {
			examples = after
		}
		for _, m := range documented.FindAllStringSubmatch(examples, -1) {
			line, _, _ := strings.Cut(m[1], "  ")
			for _, end := range []string{" #", " > ", " >> ", " || ", " && ", " | ", "\""} {
				if !strings.HasPrefix(end, "\"") || strings.Count(line, "\"")%2 == 1 {
					line, _, _ = strings.Cut(line, end)
				}
			}
			words := strings.Fields(line)
			if strings.HasSuffix(name, ".md") && len(words) == 1 || strings.ContainsAny(line, "[<") {
				continue // the verb as a word, or its synopsis
			}
			found++
			if _, err := sortArguments(quotedWords(words)); err != nil {
				t.Errorf("%s: sculpt %s: %v", name, line, err)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d command lines were found", found)
	}
}

// quotedWords joins what stands in quotes to one argument.
func quotedWords(words []string) []string {
	var out []string
	open := ""
	for _, w := range words {
		if open != "" {
			out[len(out)-1] += " " + w
		} else {
			out = append(out, w)
		}
		for _, q := range []string{`"`, `'`} {
			if strings.Count(w, q)%2 == 1 && (open == "" || open == q) {
				if open == "" {
					open = q
				} else {
					open = ""
				}
			}
		}
	}
	return out
}

type actionStep struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	If    string            `yaml:"if"`
	Shell string            `yaml:"shell"`
	Dir   string            `yaml:"working-directory"`
	Env   map[string]string `yaml:"env"`
	Run   string            `yaml:"run"`
}

type actionFile struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

func readAction(t testing.TB) *actionFile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(golden.Root(t), "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a actionFile
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

var reference = regexp.MustCompile(`\$\{\{ *(inputs|steps)\.([a-z-]+)`)

// The action is a composite one whose references lead somewhere, and no text
// of a caller becomes part of a script.
func TestAction(t *testing.T) {
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) != 5 {
		t.Fatalf("%+v", a.Runs)
	}
	steps := map[string]bool{}
	refer := func(text string) {
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			if _, ok := a.Inputs[m[2]]; m[1] == "inputs" && !ok || m[1] == "steps" && !steps[m[2]] {
				t.Errorf("%s.%s is not there", m[1], m[2])
			}
		}
	}
	for _, s := range a.Runs.Steps {
		steps[s.ID] = true
		if s.Shell != "bash" || s.Run == "" || strings.Contains(s.Run, "${{") {
			t.Errorf("%+v", s)
		}
		refer(s.Dir)
		for name, value := range s.Env {
			refer(value)
			if !strings.Contains(s.Run, "$"+name) && !strings.Contains(s.Run, "${"+name) {
				t.Errorf("%s: %s is not read", s.ID, name)
			}
		}
	}
	for name, o := range a.Outputs {
		refer(o.Value)
		if o.Description == "" {
			t.Errorf("output %s has no description", name)
		}
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
}

func TestPreCommitHooks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(golden.Root(t), ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []struct {
		ID, Name, Entry, Language, Files string
		PassFilenames                    *bool `yaml:"pass_filenames"`
	}
	if err := yaml.Unmarshal(data, &hooks); err != nil || len(hooks) != 3 {
		t.Fatal(err, len(hooks))
	}
	for _, h := range hooks {
		files, err := regexp.Compile(h.Files)
		if err != nil || !files.MatchString("weather/sculpt.yaml") || !files.MatchString("sculpt.yaml") || files.MatchString("main.go") {
			t.Errorf("%s: files %q: %v", h.ID, h.Files, err)
		}
		if h.ID == "" || h.Name == "" || h.Language != "system" || h.PassFilenames == nil || *h.PassFilenames || !strings.HasPrefix(h.Entry, "go tool sculpt ") {
			t.Errorf("%+v", h)
		}
	}
}

// The command that proves without sculpt that releases were only added is the
// one that a script runs.
func TestAppendOnlyProof(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/script/check.txtar")
	if err != nil {
		t.Fatal(err)
	}
	proof := regexp.MustCompile(`(?m)git diff --name-status .*$`).FindString(string(page))
	if proof == "" || strings.Count(string(script), "exec "+proof+"\n") < 2 {
		t.Errorf("no script runs %q", proof)
	}
}
