package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A module in which the test of one package notices every change, that of
// another one none, and a package below a tested one has no tests.
var small = map[string]string{
	"go.mod":                 "module example.com/m\n\ngo 1.26\n\nrequire pgregory.net/rapid v1.3.0\n\nreplace pgregory.net/rapid => ./rapid\n",
	"good/good.go":           "// Package good is tested.\npackage good\n\n// Less compares.\nfunc Less(a, b int) bool { return a < b }\n",
	"good/good_test.go":      "package good\n\nimport \"testing\"\n\nfunc TestLess(t *testing.T) {\n\tif !Less(1, 2) || Less(2, 2) {\n\t\tt.Fail()\n\t}\n}\n",
	"good/table_gen.go":      "package good\n\nconst unused = 1\n",
	"bad/bad.go":             "package bad\n\n// Less compares.\nfunc Less(a, b int) bool { return a < b }\n",
	"bad/bad_test.go":        "package bad_test\n\nimport \"testing\"\n\nfunc TestNothing(*testing.T) {}\n",
	"bad/below/below.go":     "package below\n\n// Mode is 1.\nconst Mode = 1\n",
	"untested/untested.go":   "package untested\n\n// Unused does not compile without its import.\nvar Unused = 1\n",
	"stuck/stuck.go":         "package stuck\n\n// Steps counts down.\nfunc Steps(n int) (all int) {\n\tfor n > 0 {\n\t\tn--\n\t\tall++\n\t}\n\treturn all\n}\n",
	"stuck/stuck_test.go":    "package stuck\n\nimport \"testing\"\n\nfunc TestSteps(t *testing.T) {\n\tif Steps(3) != 3 {\n\t\tt.Fail()\n\t}\n}\n",
	"examples/shop/shop.go":  "package shop\n\n// A is skipped.\nconst A = 1\n",
	"failing/failing.go":     "package failing\n\n// A is 1.\nconst A = 1\n",
	"failing/fails_test.go":  "package failing\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Fatal(\"as always\") }\n",
	"rapid/go.mod":           "module pgregory.net/rapid\n\ngo 1.26\n",
	"rapid/rapid.go":         rapid,
	"random/random.go":       "package random\n\n// A is 1.\nconst A = 1\n",
	"random/random_test.go":  "package random_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m/random\"\n\t\"pgregory.net/rapid\"\n)\n\nfunc TestA(t *testing.T) { rapid.Check(t, random.A == 1) }\n",
	"uncompiled/compiled.go": "package uncompiled\n\nimport \"strings\"\n\n// F cuts.\nfunc F(s string) string { return strings.TrimSpace(s) }\n",
}

// rapid behaves like the package of that name: it writes a file where a test
// fails, unless it is told not to, and without a seed every run is another one.
const rapid = `package rapid

import (
	"flag"
	"os"
	"testing"
	"time"
)

var (
	no     = flag.Bool("rapid.nofailfile", false, "")
	seed   = flag.Uint64("rapid.seed", 0, "")
	shrink = flag.Duration("rapid.shrinktime", 30*time.Second, "")
)

// Check fails if a property does not hold.
func Check(t *testing.T, ok bool) {
	if ok && *seed == 5 && *shrink == 0 {
		return
	}
	if !*no {
		os.WriteFile("values.fail", nil, 0o600)
	}
	t.Fail()
}
`

func writeSmall(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range small {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mutate runs the command over the small module, and sees to it that no file of
// it was changed or added.
func mutate(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir := writeSmall(t)
	var out, talk bytes.Buffer
	code = run(context.Background(), append([]string{"-dir", dir, "-seed", "5"}, args...), &out, &talk)
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if want, ok := small[filepath.ToSlash(name)]; err == nil && (!ok || want != string(data)) {
			t.Errorf("%s was changed", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return code, out.String(), talk.String()
}

func TestNoticed(t *testing.T) {
	code, out, _ := mutate(t, "-packages", "good")
	if code != 0 || !strings.Contains(out, "good     2/2") || !strings.Contains(out, "100 %") || !strings.Contains(out, "seed 5") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestSurvived(t *testing.T) {
	code, out, talk := mutate(t, "-packages", "bad,below")
	if !strings.Contains(talk, "survived: bad/bad.go:4: operator\n- func Less") {
		t.Errorf("it is not told at once: %s", talk)
	}
	for _, want := range []string{
		"bad        0/2", "bad/below  0/1", "0 % is below the bar of 85 %",
		"bad/bad.go:4: operator\n- func Less(a, b int) bool { return a < b }\n+ func Less(a, b int) bool { return a <= b }\n",
		"bad/below/below.go:4: number\n- const Mode = 1\n+ const Mode = 2\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code != 1 {
		t.Errorf("exit %d", code)
	}
}

// Packages are chosen by the ends of their paths, and left out by them too.
func TestWanted(t *testing.T) {
	names := []string{"good", "bad", "bad/below", "examples/nws"}
	for packages, want := range map[string]string{
		"": "good bad bad/below", "bad": "bad", "below": "bad/below", "bad,good": "good bad", "!bad": "good bad/below", "!bad,!good": "bad/below",
		"bad,below,!bad": "bad/below", "nws": "",
	} {
		var ends, got []string
		if packages != "" {
			ends = strings.Split(packages, ",")
		}
		for _, name := range names {
			p := &listed{ImportPath: "example.com/m/" + name}
			if p.Module.Path = "example.com/m"; p.wanted(ends) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", packages, got, want)
		}
	}
}

// A package without tests, and none above it, notices nothing.
func TestUntested(t *testing.T) {
	if code, out, _ := mutate(t, "-packages", "untested", "-bar", "0"); code != 0 || !strings.Contains(out, "untested  0/1") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Random tests repeat themselves, and write nothing: see the helper mutate.
func TestRandom(t *testing.T) {
	if code, out, talk := mutate(t, "-packages", "random"); code != 0 || !strings.Contains(out, "random   1/1") {
		t.Errorf("exit %d:\n%s%s", code, out, talk)
	}
}

// What does not compile does not count: there is nothing else here.
func TestNotCompiled(t *testing.T) {
	if code, out, _ := mutate(t, "-packages", "uncompiled"); code != 1 || !regexp.MustCompile(`all +0/0`).MatchString(out) {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

// Loops that a mutant makes endless end, and are noticed.
func TestTimeout(t *testing.T) {
	code, out, talk := mutate(t, "-packages", "stuck", "-timeout", "2s")
	late := strings.Count(talk, "T")
	if code != 0 || late == 0 || !strings.Contains(out, fmt.Sprintf("100 %%  seed 5  %d by a timeout", late)) {
		t.Errorf("exit %d:\n%s%s", code, out, talk)
	}
}

// The same seed breaks the same places, whoever is faster.
func TestDeterministic(t *testing.T) {
	_, one, _ := mutate(t, "-n", "4", "-packages", "good,bad,below,untested", "-p", "1")
	_, two, _ := mutate(t, "-n", "4", "-packages", "good,bad,below,untested", "-p", "2")
	if one != two || one == "" {
		t.Errorf("%s\nand\n%s", one, two)
	}
}

func TestCannot(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"failing before": {[]string{"-packages", "failing"}, "the tests of example.com/m/failing fail without a mutant"},
		"no such":        {[]string{"-packages", "goood"}, `no package "goood" has a place to break`},
		"skipped":        {[]string{"-packages", "shop"}, `no package "shop" has a place to break`},
		"argument":       {[]string{"good"}, "takes flags alone"},
		"nothing":        {[]string{"-n", "0"}, "at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, out, talk := mutate(t, c.args...); code != 2 || !strings.Contains(talk, c.want) || out != "" {
				t.Errorf("exit %d: %s%s", code, out, talk)
			}
		})
	}
}
