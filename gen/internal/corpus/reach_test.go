package corpus_test

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// TestNothingIsUnreachable runs the chains of the corpus under coverage, with
// parts of every answer changed, requests failing and inputs changed, and lists the
// statements that nothing reached. Each is one that the answers of its case do not
// lead to, for the reason in testdata/unreached.txt, or one that no answer ever
// leads to, and should not be written.
func TestNothingIsUnreachable(t *testing.T) {
	if os.Getenv("SCULPT_REACH") == "" {
		t.Skip("what is reached differs by a block or two where steps race, so this is not a gate: make reach runs it")
	}
	m := golden.NewModule(t)
	runs := runnable(t, m, loadCases(t, "cases"), "samples.json", func(c *corpusCase) any { return c.samples() })
	m.Write("run/main.go", runMain(t, "reach.go.txt", runs))
	profile := filepath.Join(m.Dir, "covered")
	if err := os.Mkdir(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCOVERDIR", profile)
	out, err := m.Go("run", "-cover", "-coverpkg=./...", "./run")
	if err != nil {
		t.Fatal(out, err)
	}
	t.Log(out)
	if out, err := m.Go("tool", "covdata", "textfmt", "-i="+profile, "-o=profile.txt"); err != nil {
		t.Fatal(out, err)
	}
	explained := explanations(t)
	got := unreached(t, m.Dir, filepath.Join(m.Dir, "profile.txt"))
	var strange []string
	for _, g := range got {
		if of, _, _ := strings.Cut(g, ":"); !explained[g] && !explained[of+": *"] {
			strange = append(strange, g)
		}
	}
	t.Logf("%d of the blocks are not reached", len(got))
	if len(strange) > 0 {
		t.Errorf("%d blocks are reached by no answer, and testdata/unreached.txt does not say why:\n%s", len(strange), strings.Join(strange, "\n"))
	}
}

// explanations are the blocks that testdata/unreached.txt says something of, or a
// case with a star for all of its blocks.
func explanations(t *testing.T) map[string]bool {
	data, err := os.ReadFile(filepath.Join("testdata", "unreached.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out[line] = true
		}
	}
	return out
}

// A sampleAnswer is an answer to requests that a case has no recording for.
type sampleAnswer struct {
	Method, URL string
	Body        any
}

func (c *corpusCase) samples() []sampleAnswer {
	var out []sampleAnswer
	for _, t := range c.program.Tools {
		for _, s := range t.Plan.Steps {
			url := regexp.MustCompile(`\\\{[^}]*\\\}`).ReplaceAllString(regexp.QuoteMeta(s.Op.Path), `[^/]*`) + "$"
			one := sampleAnswer{Method: s.Op.Method, URL: url, Body: map[string]any{}}
			if s.Answer != nil {
				one.Body = sampleOf(s.Answer, 3)
			}
			out = append(out, one)
		}
	}
	return out
}

// sampleOf is some value of a type.
func sampleOf(t *types.Type, depth int) any {
	switch t.Kind {
	case types.Optional:
		return sampleOf(t.Elem, depth)
	case types.Object:
		out := map[string]any{}
		for _, f := range t.Fields {
			if depth > 0 {
				out[f.Name] = sampleOf(f.Type, depth-1)
			}
		}
		return out
	case types.List:
		return []any{sampleOf(t.Elem, depth-1), sampleOf(t.Elem, depth-1)}
	case types.Map:
		return map[string]any{"en": sampleOf(t.Elem, depth-1), "a": sampleOf(t.Elem, depth-1)}
	case types.Union:
		return sampleOf(t.Variants[0], depth)
	case types.Bool:
		return true
	case types.Int, types.Uint:
		return 7
	case types.Double:
		return 1.5
	case types.String:
		if len(t.Enum) > 0 {
			return t.Enum[0]
		}
		return "z"
	case types.Timestamp:
		return "2026-01-02T03:04:05Z"
	}
	return map[string]any{"a": "b"}
}

var chainFunc = regexp.MustCompile(`^func \(t \*Tools\) [a-z]\w*\(ctx context\.Context, args`)

// unreached lists the blocks of chains with a count of 0, as case, file and the
// first line of the block.
func unreached(t *testing.T, dir, profile string) []string {
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	covered := map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		place, rest, ok := strings.Cut(s.Text(), " ")
		if _, count, _ := strings.Cut(rest, " "); ok && strings.Contains(place, "/tool_") {
			covered[place] = covered[place] || count != "0"
		}
	}
	if len(covered) < 1000 {
		t.Fatalf("only %d blocks", len(covered))
	}
	var out []string
	for place, done := range covered {
		if done {
			continue
		}
		file, at, _ := strings.Cut(strings.TrimPrefix(place, "vendor.example/tools/"), ":")
		first, _, _ := strings.Cut(at, ".")
		line, err := strconv.Atoi(first)
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := inChain(t, filepath.Join(dir, file), line); ok {
			out = append(out, strings.TrimPrefix(filepath.Dir(file), "cases/")+": "+text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inChain returns what a block of a chain is: its condition and its first
// statement.
func inChain(t *testing.T, file string, line int) (string, bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i := line - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "func ") {
			return strings.TrimSpace(lines[line-1]) + " " + strings.TrimSpace(lines[line]), chainFunc.MatchString(lines[i])
		}
	}
	return "", false
}
