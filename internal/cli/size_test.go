package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/history"
)

// manyTools is a package of tools that have one operation each. Every fifth
// version of a tool has one more output, the others other texts.
func manyTools(tools, version int) fstest.MapFS {
	const perDocument = 10
	files := fstest.MapFS{}
	var manifest, document strings.Builder
	manifest.WriteString("sculpt: 1\npackage: many\ntoolkit: Many\ntitle: Many\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11\napis:\n")
	for i := range tools / perDocument {
		fmt.Fprintf(&manifest, "  items%d: {openapi: api%d.yaml}\n", i, i)
	}
	manifest.WriteString("tools:\n")
	for i := range tools {
		if i%perDocument == 0 {
			document.Reset()
			document.WriteString("openapi: 3.0.3\ninfo: {title: Items, version: '1'}\nservers: [{url: 'https://items.example'}]\npaths:\n")
		}
		fmt.Fprintf(&manifest, "  find_item_%03d:\n    version: %d\n    description: Find an item of kind %d, in edition %d of the catalogue.\n    inputs:\n", i, version, i, version)
		manifest.WriteString("      word: {description: What it is called., max_length: 40}\n      limit: {type: int, description: How many., min: 1, max: 9, default: 3}\n      kind: {description: Its kind., values: {NEW: Nobody had it., USED: Somebody had it.}, default: NEW}\n")
		fmt.Fprintf(&manifest, "    call: items%d.find%d\n    with: {q: '${input.word}', n: '${input.limit}', kind: '${input.kind}'}\n    outputs:\n", i/perDocument, i)
		for n := range 3 + version/5 {
			fmt.Fprintf(&manifest, "      field_%d: {value: '${result.f%d}', description: Field %d of the item.}\n", n, n, n)
		}
		fmt.Fprintf(&document, "  /items%d:\n    get:\n      operationId: find%d\n      description: Finds items of kind %d by their name.\n      parameters:\n", i, i, i)
		document.WriteString("        - {name: q, in: query, required: true, schema: {type: string}}\n        - {name: n, in: query, schema: {type: integer}}\n        - {name: kind, in: query, schema: {type: string}}\n")
		document.WriteString("      responses:\n        '200':\n          description: Found.\n          content:\n            application/json:\n              schema:\n                type: object\n                required: [f0, f1, f2, f3, f4, f5, f6, f7]\n                properties:\n")
		for n := range 40 {
			fmt.Fprintf(&document, "                  f%d: {type: string, description: Field %d of an item of kind %d.}\n", n, n, i)
		}
		files[fmt.Sprintf("many/api%d.yaml", i/perDocument)] = &fstest.MapFile{Data: []byte(document.String())}
	}
	files["many/sculpt.yaml"] = &fstest.MapFile{Data: []byte(manifest.String())}
	return files
}

// exampleOfItem is a call with an answer of some kilobytes.
func exampleOfItem(tool string, version int) *history.Example {
	body := map[string]string{}
	for n := range 40 {
		body[fmt.Sprintf("f%d", n)] = strings.Repeat(tool+" ", 5)
	}
	data, _ := json.Marshal(body) // texts always encode
	return &history.Example{Tool: tool, Version: version, Goal: "A cup", Inputs: json.RawMessage(`{"word": "cup"}`), Answer: json.RawMessage(`{"outputs": {"field_0": "a", "field_1": "b", "field_2": "c"}}`),
		Exchanges: []json.RawMessage{asked("GET", "https://items.example/"+tool, "", 200, string(data))}}
}

// releaseAll adds a release of all tools. Plans that are there did not change.
func releaseAll(t *testing.T, dir string, plans map[string]*history.Plan) {
	t.Helper()
	files := os.DirFS(dir)
	p, findings := frontend.Load(files, "many", frontend.NewestOnly())
	if findings.HasErrors() {
		t.Fatal(findings[0])
	}
	for _, tool := range p.Program.Tools {
		s := tool.Signature
		if plans[s.Name] == nil {
			if plans[s.Name], findings = p.Plan(files, s.Name); findings.HasErrors() {
				t.Fatal(findings)
			}
		}
		plan := plans[s.Name]
		record, err := p.History.Next(p.Side(tool), history.Options{}, "2026-11-21", history.Evidence{Plan: plan, Examples: []*history.Example{exampleOfItem(s.Name, s.Version)}})
		if err != nil {
			t.Fatal(err)
		}
		writeAt(t, filepath.Join(dir, record.Name), record.Data)
	}
}

func writeAt(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// size is that of all files of a history.
func size(t *testing.T, dir string) (all int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all += info.Size()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var manyFlag = flag.Int("many.tools", 30, "how many tools TestManyReleases releases")

// TestManyReleases: 200 tools with 20 versions each are 40 MB of history at most,
// and are checked. To measure with all of them: -many.tools 200.
func TestManyReleases(t *testing.T) {
	if golden.Race || testing.Short() {
		t.Skip("it makes hundreds of releases")
	}
	const versions, mostOf200 = 20, 40 << 20
	tools := *manyFlag
	most := int64(tools) * mostOf200 / 200
	dir := t.TempDir()
	writeAt(t, filepath.Join(dir, "go.mod"), []byte("module vendor.example/tools\n"))
	plans := map[string]*history.Plan{}
	for v := 1; v <= versions; v++ {
		for name, f := range manyTools(tools, v) {
			writeAt(t, filepath.Join(dir, name), f.Data)
		}
		if v%5 == 0 { // one more output
			plans = map[string]*history.Plan{}
		}
		releaseAll(t, dir, plans)
	}
	all := size(t, filepath.Join(dir, "many", "history"))
	t.Logf("%d bytes of history", all)
	if all > most {
		t.Errorf("the history has %d bytes, more than %d", all, most)
	}
	for range 2 {
		before, began := cpu(), time.Now()
		if code := Main([]string{"check", filepath.Join(dir, "many")}, strings.NewReader(""), io.Discard, os.Stderr, os.LookupEnv); code != 0 {
			t.Fatal("check ended with", code)
		}
		t.Logf("check took %s of CPU in %s", cpu()-before, time.Since(began))
	}
}

// cpu is what this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // it knows of itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
