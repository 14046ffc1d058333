package corpus_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sculpt-tools/sculpt/internal/cli"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/atip"
)

// A till is the backend of the program: it writes down what was asked.
type till struct {
	lock  sync.Mutex
	asked []string
}

// ServeHTTP answers every request.
func (b *till) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.lock.Lock()
	defer b.lock.Unlock()
	b.asked = append(b.asked, r.Method+" "+r.URL.Path+" "+string(body))
	w.Header().Set("Content-Type", "application/json")
	if strings.HasSuffix(r.URL.Path, "/gone") {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = io.WriteString(w, `{"refund":7}`)
}

// since returns what was asked since the last time.
func (b *till) since() []string {
	b.lock.Lock()
	defer b.lock.Unlock()
	asked := b.asked
	b.asked = nil
	return asked
}

// shopProgram is a package with a tool that deletes and costs money, generated,
// compiled and alone in a folder.
func shopProgram(t *testing.T) string {
	t.Helper()
	m := golden.NewModule(t)
	archive, err := txtar.ParseFile("testdata/destructive.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		m.Write(f.Name, string(f.Data))
	}
	var talk bytes.Buffer
	if code := cli.Main([]string{"generate", filepath.Join(m.Dir, "shop")}, strings.NewReader(""), &talk, &talk, os.LookupEnv); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &talk)
	}
	sums, err := os.ReadFile(filepath.Join(golden.Root(t), "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	m.Write("go.sum", string(sums))
	if _, err := m.Go("build", "-o", "bin/shop", "./cmd/shop"); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(m.Dir, "bin", "shop")
}

// TestDestructiveProgram holds a real program with a destructive, billable tool
// against the rules of ATIP's reference tools: what its linter finds, what its
// bridge tells a model, which command lines its executor makes, and who finds it
// by looking through PATH. Only the call that is wanted reaches the backend.
func TestDestructiveProgram(t *testing.T) {
	program, backend := shopProgram(t), &till{}
	server := httptest.NewServer(backend)
	defer server.Close()
	t.Setenv("SHOP_BASE_URL", server.URL)

	doc := []byte(runs(t, program, 0, "--agent"))
	golden.JudgeATIP(t, doc)
	if findings, err := golden.LintATIP(doc); err != nil || slices.ContainsFunc(findings, func(f golden.LintFinding) bool {
		return f.Rule != "consistent-naming" // of options, which are named as inputs are
	}) {
		t.Errorf("%v %v", findings, err)
	}
	effectsOf(t, doc)
	for _, strict := range []bool{false, true} {
		functions, names := bridged(t, string(doc), strict)
		if want := []string{"shop_cancel-order", "shop_show-order"}; !slices.Equal(slices.Sorted(slices.Values(names)), want) {
			t.Errorf("strict %v: %q", strict, names)
		}
		said := functions["shop_cancel-order"].Description
		for _, flag := range []string{"⚠️ DESTRUCTIVE", "⚠️ NOT REVERSIBLE", "⚠️ NOT IDEMPOTENT", "💰 BILLABLE"} {
			if strings.Count(said, flag) != 1 || strings.Contains(functions["shop_show-order"].Description, flag) {
				t.Errorf("strict %v: %s: %q, %q", strict, flag, said, functions["shop_show-order"].Description)
			}
		}
	}
	if asked := backend.since(); len(asked) > 0 {
		t.Errorf("a description asked the backend: %q", asked)
	}
	executed(t, program, doc, backend)
	found(t, program, backend)
}

// effectsOf holds what the document says of the dangers against the manifest.
func effectsOf(t *testing.T, doc []byte) {
	t.Helper()
	effects := at(at(at(parsed(t, doc), "commands"), "cancel-order"), "effects")
	for path, want := range map[string]any{
		"destructive": true, "reversible": false, "idempotent": false, "cost.billable": true, "cost.estimate": "high",
		"duration.typical": "1-5s", "network": true, "interactive.stdin": "none",
	} {
		if got := at(effects, path); !reflect.DeepEqual(got, want) {
			t.Errorf("effects.%s is %v, want %v", path, got, want)
		}
	}
	if got := at(effects, "deletes"); !reflect.DeepEqual(got, []any{"order"}) {
		t.Errorf("effects.deletes is %v", got)
	}
}

// executed runs the command lines of the reference executor, which validates
// nothing: what is wrong ends with code 2 before the backend is asked.
func executed(t *testing.T, program string, doc []byte, backend *till) {
	t.Helper()
	for _, c := range []struct {
		name  string
		args  map[string]any
		code  int
		asked []string
	}{
		{"whole", map[string]any{"order": "A-1", "reason": "--all", "notify": true}, 0, []string{`DELETE /orders/A-1 {"reason":"--all","notify":true}`}},
		{"null", map[string]any{"order": "A 2", "reason": "late", "notify": nil}, 0, []string{`DELETE /orders/A 2 {"reason":"late"}`}},
		{"refused", map[string]any{"order": "gone", "reason": "late"}, 1, []string{`DELETE /orders/gone {"reason":"late"}`}},
		{"empty", map[string]any{"order": "", "reason": "late"}, 2, nil},
		{"another place", map[string]any{"order": "../orders", "reason": "late"}, 1, nil},
		{"missing", map[string]any{"order": "A-1"}, 2, nil},
		{"too long", map[string]any{"order": "A-1", "reason": strings.Repeat("x", 41)}, 2, nil},
	} {
		argv, err := golden.ArgvATIP(doc, "shop_cancel-order", c.args)
		if err != nil || argv[0] != "shop" {
			t.Errorf("%s: %q %v", c.name, argv, err)
			continue
		}
		out := runs(t, program, c.code, argv[1:]...)
		if asked := backend.since(); !slices.Equal(asked, c.asked) {
			t.Errorf("%s: %q asked %q, want %q", c.name, argv, asked, c.asked)
		}
		if c.code == 0 && !json.Valid([]byte(out)) {
			t.Errorf("%s: %q", c.name, out)
		}
	}
}

// found looks for the program as agents do, and calls what it finds.
func found(t *testing.T, program string, backend *till) {
	t.Helper()
	f := atip.Finder{Machine: atip.Local(os.Environ()), Path: []string{filepath.Dir(program)}, Wait: time.Minute}
	programs, problems := f.Find(t.Context())
	if len(programs) != 1 || problems != nil || programs[0].Name != "shop" || programs[0].Source != "native" || programs[0].Partial {
		t.Fatalf("%+v %v", programs, problems)
	}
	tools := programs[0].Tools()
	slices.SortFunc(tools, func(a, b *client.Tool) int { return cmp.Compare(a.Name, b.Name) })
	if len(tools) != 2 || tools[0].Effects == nil || tools[1].Effects == nil {
		t.Fatalf("%+v", tools)
	}
	if e := tools[0].Effects; !e.Destructive || e.ReadOnly || e.Reversible || e.Idempotent || !e.Billable {
		t.Errorf("%s: %+v", tools[0].Name, e)
	}
	if e := tools[1].Effects; e.Destructive || e.Billable || !e.ReadOnly {
		t.Errorf("%s: %+v", tools[1].Name, e)
	}
	if asked := backend.since(); len(asked) > 0 {
		t.Errorf("looking for programs asked the backend: %q", asked)
	}
	r, err := programs[0].Invoke(t.Context(), tools[0], client.Call{Arguments: map[string]any{"order": "B", "reason": "r"}})
	if err != nil || !strings.Contains(string(r.Document()), `"refund":7`) {
		t.Errorf("%+v %v", r, err)
	}
	if asked := backend.since(); !slices.Equal(asked, []string{`DELETE /orders/B {"reason":"r"}`}) {
		t.Errorf("%q", asked)
	}
}

// runs starts the program and returns what it printed.
func runs(t *testing.T, program string, code int, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok || ok && exit.ExitCode() != code || err == nil && code != 0 {
		t.Errorf("%q: %v, want exit code %d: %s%s", args, err, code, &out, &talk)
	}
	return out.String()
}
