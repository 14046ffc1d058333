package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// A script says of each run of sculpt what it must print. What else it prints is
// read by people too, so all of it is kept in testdata/transcript: command line,
// exit code, result ("> "), talk ("! ") and the files that were written ("+ "),
// changed ("~ ") or deleted ("- "). After a change that is meant to show, run the
// scripts with -golden.accept and read the difference.

// transcriptFile is the variable that names the file that the runs of one script
// are added to.
const transcriptFile = "SCULPT_TEST_TRANSCRIPT"

// untold are scripts whose only runs are servers.
var untold = []string{"preview.txt", "watch.txt"}

// keepTranscript adds to the setup of a script that its runs are kept, and
// compares them when it has ended.
func keepTranscript(t *testing.T, e *testscript.Env, dir, root string) {
	t.Helper()
	file := filepath.Join(dir, strings.TrimPrefix(filepath.Base(e.WorkDir), "script-")+".txt")
	e.Setenv(transcriptFile, file)
	e.Setenv(transcriptFile+"_ROOT", root)
	e.Defer(func() {
		said, err := os.ReadFile(file)
		if err != nil && slices.Contains(untold, filepath.Base(file)) {
			return
		}
		if err != nil {
			t.Error(err)
		}
		golden.Text(t, filepath.Join("testdata", "transcript", filepath.Base(file)), string(said))
	})
}

// transcribed runs sculpt, and keeps what it said and did.
func transcribed(args []string) int {
	file, work := os.Getenv(transcriptFile), os.Getenv("WORK")
	if file == "" {
		return Main(args, os.Stdin, os.Stdout, os.Stderr, os.LookupEnv)
	}
	before := sumsOf(work)
	var result, talk, entry bytes.Buffer
	code := Main(args, os.Stdin, io.MultiWriter(os.Stdout, &result), io.MultiWriter(os.Stderr, &talk), os.LookupEnv)
	fmt.Fprintf(&entry, "$ sculpt %s\n", strings.Join(args, " "))
	quote(&entry, "> ", result.String())
	quote(&entry, "! ", talk.String())
	after := sumsOf(work)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if old, ok := before[name]; !ok {
			fmt.Fprintf(&entry, "+ %s\n", name)
		} else if old != after[name] {
			fmt.Fprintf(&entry, "~ %s\n", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[name]; !ok {
			fmt.Fprintf(&entry, "- %s\n", name)
		}
	}
	fmt.Fprintf(&entry, "exit %d\n\n", code)
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.WriteString(lasting(entry.String(), work))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 99
	}
	return code
}

// quote writes lines with a mark before each. Of very long results, such as the
// schema, which other tests hold, the beginning is enough.
func quote(w io.Writer, mark, text string) {
	const most = 60
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if i == most {
			fmt.Fprintf(w, "%s...\n", mark)
			return
		}
		if line != "" {
			fmt.Fprintf(w, "%s%s\n", mark, strings.TrimSuffix(line, "\n"))
		}
	}
}

// sumsOf has a digest of each file below a folder that is not the business of
// git or of the script.
func sumsOf(dir string) map[string][sha256.Size]byte {
	sums := map[string][sha256.Size]byte{}
	_ = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a folder that cannot be read holds nothing
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".tmp") {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			sums[name] = sha256.Sum256(data)
		}
		return nil
	})
	return sums
}

var passing = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`(?m)^! sculpt: compiling the package\n`), ""}, // said where that takes long
	{regexp.MustCompile(`127\.0\.0\.1:\d{4,5}\b`), "127.0.0.1:PORT"},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "DIGEST"},
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "COMMIT"},
	{regexp.MustCompile(`( records? of | git checkout | git show )[0-9a-f]{12}\b`), "${1}COMMIT"},
	{regexp.MustCompile(`\.sculpt-\d+`), ".sculpt-RANDOM"},
	{regexp.MustCompile(`\bgo1\.\d+(\.\d+)?\S*`), "go1.x"},
}

// lasting replaces what differs from run to run and from machine to machine.
func lasting(text, work string) string {
	text = strings.NewReplacer(work, "$WORK", os.Getenv(transcriptFile+"_ROOT"), "$ROOT").Replace(text)
	for _, p := range passing {
		text = p.pattern.ReplaceAllString(text, p.text)
	}
	return text
}
