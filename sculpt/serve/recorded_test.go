package serve_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// A recorded test holds the whole of every answer that its cases get, in a file
// under testdata/wire: the facts of a case say what matters, and the file sees
// what nobody thought of.
type recorded struct {
	text       strings.Builder
	cases, ran int
}

var notInFileNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

var recordings = map[string]*recorded{}

// recordingOf is that of a test, compared when the test has ended.
func recordingOf(t *testing.T) *recorded {
	name := t.Name()
	if recordings[name] == nil {
		r := &recorded{}
		recordings[name] = r
		t.Cleanup(func() {
			delete(recordings, name)
			if r.ran == r.cases { // else some were left out with -run
				golden.Text(t, filepath.Join("testdata", "wire", notInFileNames.ReplaceAllString(name, "-")+".txt"), r.text.String())
			}
		})
	}
	return recordings[name]
}

func (r *recorded) run(t *testing.T, h http.Handler, c *wireCase, header []string) {
	t.Helper()
	r.cases++
	t.Run(c.name, func(t *testing.T) {
		r.ran++
		rec := c.send(h, header...)
		r.add(c, rec)
		c.check(t, rec)
	})
}

// longestRecorded is how many bytes of an answer are written; what is longer is
// a list, and is told by its digest.
const longestRecorded = 900

func (r *recorded) add(c *wireCase, rec *httptest.ResponseRecorder) {
	fmt.Fprintf(&r.text, "== %s: %s\n%d\n", c.name, c.request, rec.Code)
	for _, name := range slices.Sorted(maps.Keys(rec.Header())) {
		for _, v := range rec.Header()[name] {
			if name == "Content-Length" && v == strconv.Itoa(rec.Body.Len()) {
				v = "that of the body"
			}
			fmt.Fprintf(&r.text, "%s: %s\n", name, steady(v))
		}
	}
	body := steady(rec.Body.String())
	if len(body) > longestRecorded {
		body = fmt.Sprintf("%s… %x\n", strings.ToValidUTF8(body[:longestRecorded/3], ""), sha256.Sum256([]byte(body)))
	}
	fmt.Fprintf(&r.text, "%s\n", body)
}

var chance = []struct {
	form *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`), "<uuid>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`"duration":[0-9.e-]+`), `"duration":<n>`},
	{regexp.MustCompile(`"uptime_seconds":\d+`), `"uptime_seconds":<n>`},
}

// steady takes out what is another each time.
func steady(text string) string {
	for _, c := range chance {
		text = c.form.ReplaceAllString(text, c.text)
	}
	return text
}

// compareSaid compares whole errors with a file.
func compareSaid(t *testing.T, file string, said map[string]error) {
	t.Helper()
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(said)) {
		fmt.Fprintf(&b, "== %s\n%v\n", name, said[name])
	}
	golden.Text(t, filepath.Join("testdata", file), b.String())
}
