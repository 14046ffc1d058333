package corpus_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// written are the chains that were written by hand, each with the functions that
// are its body, and with how often a flow of them is inlined by design.
var written = []struct {
	pkg, file, generated string
	by                   []string
	most                 float64
}{
	{"nws", "tool_lookup_weather_by_city_gen.go", "lookupWeatherByCity", []string{"LookupWeatherByCity", "fits", "degrees"}, 1.6},
	{"nws", "tool_list_active_alerts_by_state_gen.go", "listActiveAlertsByState", []string{"ListActiveAlertsByState"}, 1.6},
	{"error_cases", "tool_get_gen.go", "get", []string{"Get"}, 1.6},
	{"chain_when", "tool_find_or_make_gen.go", "findOrMake", []string{"FindOrMake"}, 1.6},
	{"chain_each", "tool_prices_gen.go", "prices", []string{"Prices"}, 1.6},
	// A flow is inlined where it is used, three times here; a function by hand
	// is written once. What that costs is printed, and has no bound.
	{"chain_flows", "tool_two_gen.go", "two", []string{"Two", "priceOf"}, 0},
}

// TestReferences holds generated chains against chains that were written by hand
// from the same manifest: equal answers and errors, whatever is missing in an
// answer, and at most 1.6 times the lines.
func TestReferences(t *testing.T) {
	golden.NotRaced(t)
	m := golden.NewModule(t)
	packages := map[string]map[string]string{"nws": {}}
	copyTree(t, m, os.DirFS(filepath.Join(golden.Root(t), "examples", "nws")), "replay", "run/nws")
	for _, f := range weatherByHand(t) {
		packages["nws"][f.Name] = string(f.Data)
		m.Write("cases/nws/"+f.Name, string(f.Data))
	}
	for _, c := range loadCases(t, "cases") {
		for _, w := range written {
			if w.pkg != c.Name {
				continue
			}
			packages[c.Name] = map[string]string{}
			for _, f := range c.files {
				packages[c.Name][f.Name] = string(f.Data)
				m.Write("cases/"+c.Name+"/"+f.Name, string(f.Data))
			}
			copyTree(t, m, c.FS, "replay", "run/"+c.Name)
		}
	}
	m.Write("run/states.json", states(t, packages["nws"]["tools_gen.go"]))
	hand := map[string]string{}
	for _, name := range []string{"read", "weather", "shop", "main"} {
		data, err := os.ReadFile(filepath.Join("testdata", "reference", name+".go.txt"))
		if err != nil {
			t.Fatal(err)
		}
		if name == "main" {
			m.Write("run/main.go", string(data))
			continue
		}
		hand[name] = string(data)
		m.Write("reference/"+name+".go", string(data))
	}
	out, err := m.Go("run", "./run")
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(out, "DIFFERENT"); i >= 0 {
		t.Errorf("%d calls differ:\n%s", strings.Count(out, "DIFFERENT"), out[i:min(len(out), i+4000)])
	}
	t.Log(out[strings.LastIndex(out, "compared"):])
	for _, w := range written {
		got := bodyLines(t, packages[w.pkg][w.file], w.generated)
		want := 0
		for _, name := range w.by {
			for _, text := range hand {
				want += bodyLines(nil, text, name)
			}
		}
		ratio := float64(got) / float64(want)
		t.Logf("%s: %d lines generated, %d by hand: %.2f", w.generated, got, want, ratio)
		if w.most > 0 && ratio > w.most {
			t.Errorf("%s has %.2f times the lines of what was written by hand, at most %.1f", w.generated, ratio, w.most)
		}
	}
}

// weatherByHand generates the weather tools from the manifest that the chains by
// hand follow, over the documents of the example.
func weatherByHand(t *testing.T) []gen.File {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, file := range map[string]string{
		"sculpt.yaml":      "gen/internal/corpus/testdata/reference/weather.yaml",
		"openapi/nws.yaml": exampleDir + "/openapi/nws.yaml", "openapi/geocoding.yaml": exampleDir + "/openapi/geocoding.yaml",
	} {
		data, err := os.ReadFile(filepath.Join(golden.Root(t), filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		fsys[name] = &fstest.MapFile{Data: data}
	}
	files, findings := build(fsys, ".")
	if len(findings) > 0 {
		t.Fatal(render(t, fsys, findings))
	}
	return files
}

// bodyLines counts the lines in the body of a function or method, without
// comments and blank ones. Without t, a function that is not there has none.
func bodyLines(t *testing.T, text, name string) int {
	body := regexp.MustCompile(`(?ms)^func (?:\([^)]*\) )?` + name + `\([^\n]*\{\n(.*?)^\}$`).FindStringSubmatch(text)
	if body == nil {
		if t != nil {
			t.Fatalf("no function %s", name)
		}
		if regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?` + name + `\(.*\}$`).MatchString(text) {
			return 1
		}
		return 0
	}
	n := 0
	for line := range strings.Lines(body[1]) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

// states is the table of the example as JSON.
func states(t *testing.T, tools string) string {
	_, table, ok := strings.Cut(tools, "var states = map[string]string{")
	table, _, end := strings.Cut(table, "\n}")
	if !ok || !end {
		t.Fatal("the example has no table of states")
	}
	return fmt.Sprintf("{%s}", strings.TrimSuffix(strings.TrimSpace(table), ","))
}

// copyTree copies a folder into a module.
func copyTree(t *testing.T, m *golden.Module, from fs.FS, dir, to string) {
	t.Helper()
	sub, err := fs.Sub(from, dir)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sub, name)
		if err != nil {
			return err
		}
		m.Write(to+"/"+name, string(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
