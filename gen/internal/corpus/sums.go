package corpus

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

// SumsFile has a line for each Go file and for each folder of other files, with
// a digest of each of its declarations or files. That is small, and shows what
// is new where something differs. Its first line has the number of the emission.
const SumsFile = "testdata/generated.sums"

const emission = "emission"

// A group is what one line of the file speaks of.
type group []string

// groups puts what was built together by line.
func groups(built map[string]string) map[string]group {
	out := map[string]group{}
	for _, name := range slices.Sorted(maps.Keys(built)) {
		if IsGo(name) {
			out[name] = declarations(built[name])
		} else {
			out[path.Dir(name)] = append(out[path.Dir(name)], path.Base(name)+"\n"+built[name])
		}
	}
	return out
}

// declarations cuts a Go file before each line that follows an empty one and is
// not indented.
func declarations(source string) (all group) {
	for part := range strings.SplitSeq(source, "\n\n") {
		if len(all) > 0 && (part == "" || strings.ContainsAny(part[:1], "\t }")) {
			all[len(all)-1] += "\n\n" + part
		} else {
			all = append(all, part)
		}
	}
	return all
}

func sum(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:8] }

func (g group) sums() (all []string) {
	for _, text := range g {
		all = append(all, sum(text))
	}
	return all
}

// news is what was not there before.
func (g group) news(was []string) string {
	for _, text := range g {
		if !slices.Contains(was, sum(text)) {
			return "this is new:\n" + text
		}
	}
	return "something is gone, or in another order"
}

// Sums is the text of the file, for what is built now.
func Sums(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, emission, gen.Emission)
	all := groups(Build(t))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintln(&b, name, strings.Join(all[name].sums(), " "))
	}
	return b.String()
}

// Unraised names what differs between two texts of the file although what it is
// made from does not, if their emission does not either: packages that the older
// one sealed would be taken for fresh. New cases, and cases that were edited, are
// no change of the generator.
func Unraised(old, text string) (names []string) {
	was, is := readSums(old), readSums(text)
	before, _ := strconv.Atoi(strings.Join(was[emission], ""))
	if now, _ := strconv.Atoi(strings.Join(is[emission], "")); now > before {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
		inputs := name[:max(0, strings.Index(name, "/"))] + "/inputs"
		if said := path.Base(name) == "findings" || strings.Contains(name, "/broken/"); said && was[name] != nil {
			continue // nobody seals what something was found in
		}
		if was[inputs] != nil && slices.Equal(was[inputs], is[inputs]) && !slices.Equal(was[name], is[name]) {
			names = append(names, name)
		}
	}
	return names
}

func readSums(text string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) > 0 {
			out[fields[0]] = fields[1:]
		}
	}
	return out
}

// IsGo is for tests of packages that write Go.
func IsGo(name string) bool {
	return path.Ext(name) == ".go" || path.Base(name) == "findings" || path.Base(name) == "inputs"
}

// IsExport is for tests of packages that write documents and pages.
func IsExport(name string) bool { return !IsGo(name) }

// Check compares what is built now with what was built when the file was
// written. Names are those of Go files and of folders; wanted chooses.
func Check(t *testing.T, wanted func(name string) bool) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(golden.Root(t), filepath.FromSlash(SumsFile)))
	if err != nil {
		t.Fatal(err)
	}
	was, is := readSums(string(data)), groups(Build(t))
	if fmt.Sprint(was[emission]) != fmt.Sprint([]int{gen.Emission}) {
		t.Errorf("the sums are of emission %s, and gen.Emission is %d", was[emission], gen.Emission)
	}
	delete(was, emission)
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(union(was, is))) {
		if wanted(name) && !slices.Equal(was[name], is[name].sums()) {
			changed = append(changed, name)
		}
	}
	// The generated test has digests of all others, so it says least.
	slices.SortStableFunc(changed, func(a, b string) int { return cmp.Compare(guards(a), guards(b)) })
	for _, name := range changed[:min(3, len(changed))] {
		t.Errorf("%s has changed: %s", name, is[name].news(was[name]))
	}
	if len(changed) > 0 {
		t.Errorf("%d have changed. If that is meant, run go test ./gen/internal/corpus -run TestSums -update, and read what is new", len(changed))
	}
}

// guards is 1 for a test that holds a package against its history.
func guards(name string) int {
	if path.Base(name) == "compat_gen_test.go" {
		return 1
	}
	return 0
}

// union has the keys of both: a file that is gone has changed, too.
func union[V, W any](was map[string]V, is map[string]W) map[string]bool {
	out := map[string]bool{}
	for name := range was {
		out[name] = true
	}
	for name := range is {
		out[name] = true
	}
	return out
}

// Documented holds the words of rules against docs/rules.md, which is written
// from them.
func Documented(t *testing.T, rules []diag.Rule) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(golden.Root(t), "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		for _, words := range []string{"\n" + r.Summary + " *", "\n- Why: " + r.Why + "\n", "\n- Fix: " + r.Fix + "\n"} {
			if !strings.Contains(string(data), words) {
				t.Errorf("docs/rules.md does not say %q of %s: write it again with sculpt rules --format markdown", words, r.ID)
			}
		}
	}
}
