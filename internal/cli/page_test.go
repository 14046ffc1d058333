package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// shownPage is the page of a front with two tools.
func shownPage(t *testing.T, f *front) (string, http.Header) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.Header.Set("Accept", "text/html")
	f.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body)
	}
	return w.Body.String(), w.Header()
}

func builtFront(reloads bool) *front {
	look := &signature.Signature{
		ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: "look", Description: `Look <up> "it".`, WhenToUse: "Now.", Version: 1,
		Inputs:   []signature.Input{{Name: "word", Type: signature.String, Description: "A word.", Required: true}},
		Effects:  signature.Effects{ReadOnly: true},
		Examples: []signature.Example{{Inputs: map[string]any{"word": "a"}}},
	}
	f := &front{reloads: reloads}
	f.hand(&build{
		p:        &project{Project: &frontend.Project{Program: &ir.Program{Title: "Tools of a test", Tools: []*ir.Tool{{Signature: look}, {Signature: &signature.Signature{Name: "change", Version: 2}}}}}},
		recorded: []recording{{text: "api.read id: 1"}},
	}, "a warning\n")
	return f
}

// TestPreviewPage: what assistive technology needs of the page, in each state of the
// build, and that nothing loads it anew.
func TestPreviewPage(t *testing.T) {
	states := map[string]func(*front){
		"The newest edit answers.":                                          func(*front) {},
		"Working on the newest edit: compiling.":                            func(f *front) { f.begin("compiling") },
		"The newest edit does not build. The previous build still answers.": func(f *front) { f.begin("compiling"); f.fault("a mistake\n") },
		"The newest edit does not build. Nothing answers.":                  func(f *front) { f.hand(nil, "it ended\n") },
	}
	for status, change := range states {
		f := builtFront(true)
		change(f)
		html, header := shownPage(t, f)
		for what, n := range map[string]int{
			`<html lang="en">`: 1, "<title>": 1, "<main>": 1, "<h1": 1, `role="status"`: 1, `<p data-part="status" role="status">` + status + `</p>`: 1,
			"http-equiv": 0, "autofocus": 0, "<dl>\n</dl>": 0, "<script>": 1, "role=\"alert\"": 0,
		} {
			if got := strings.Count(html, what); got != n {
				t.Errorf("%s %d times of %s, want %d:\n%s", status, got, what, n, html)
			}
		}
		title := regexp.MustCompile(`<title>([^<]+)</title>`).FindStringSubmatch(html)
		if title == nil || !strings.Contains(html, `<h1 data-part="title">`+title[1]+`</h1>`) {
			t.Errorf("%s the title is %q", status, title)
		}
		checkLabels(t, html)
		digest := sha256.Sum256([]byte(pageScript))
		if !strings.Contains(html, "<script>"+pageScript+"</script>") || !strings.Contains(header.Get("Content-Security-Policy"), "'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'") {
			t.Error("the policy of the page does not run its script")
		}
	}
	if html, _ := shownPage(t, builtFront(false)); strings.Contains(html, "<script") {
		t.Error("a page that is not watched has a script")
	}
	if html, _ := shownPage(t, &front{}); strings.Count(html, "<main>") != 1 {
		t.Error("a page without a build has no main part")
	}
}

// checkLabels: all is in main, whatever scrolls can be reached with the keyboard and
// has a name, what is named by an id is there, headings do not leave out a level, and
// every part is there once.
func checkLabels(t *testing.T, html string) {
	t.Helper()
	_, body, _ := strings.Cut(html, "<body>")
	before, rest, _ := strings.Cut(body, "<main>")
	_, after, _ := strings.Cut(rest, "</main>")
	after, _, _ = strings.Cut(after, "<script>")
	if strings.TrimSpace(before+after) != "" && !strings.HasPrefix(strings.TrimSpace(after), "</body>") {
		t.Errorf("beside main: %q %q", before, after)
	}
	for _, pre := range regexp.MustCompile(`<pre[^>]*>`).FindAllString(html, -1) {
		if !strings.Contains(pre, `tabindex="0" role="region" aria-label="`) {
			t.Errorf("%s cannot be reached, or has no name", pre)
		}
	}
	for _, named := range regexp.MustCompile(`aria-labelledby="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if strings.Count(html, ` id="`+named[1]+`"`) != 1 {
			t.Errorf("%s names nothing", named[0])
		}
	}
	if regexp.MustCompile(`<h[3-6]`).MatchString(html) {
		t.Error("a heading leaves out a level")
	}
	seen := map[string]bool{}
	for _, part := range regexp.MustCompile(` data-part="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		if seen[part[1]] {
			t.Errorf("two parts %s", part[1])
		}
		seen[part[1]] = true
	}
}

// TestPreviewScript: the page asks for itself and exchanges parts; one with the focus
// or a selection is not exchanged, moved or removed.
func TestPreviewScript(t *testing.T) {
	for _, never := range []string{"location", ".focus(", "blur(", "scrollTo", "scrollIntoView", "innerHTML =", "outerHTML", "document.write", "{{", "</script"} {
		if strings.Contains(pageScript, never) {
			t.Errorf("the script has %s", never)
		}
	}
	for line := range strings.Lines(pageScript) {
		for _, change := range []string{".remove()", ".replaceChildren(", ".after("} {
			if strings.Contains(line, change) && !strings.Contains(line, "!inUse(") {
				t.Errorf("a part that is in use is changed: %s", line)
			}
		}
	}
}

// TestPreviewColours: texts have a contrast of 7 with the page, lines one of 3, in
// the light and in the dark (WCAG 2.2, 1.4.3, 1.4.6 and 1.4.11).
func TestPreviewColours(t *testing.T) {
	schemes := regexp.MustCompile(`:root \{[^}]*\}`).FindAllString(pageText, -1)
	if len(schemes) != 2 || !strings.Contains(pageText, "@media (prefers-color-scheme: dark)") {
		t.Fatalf("%q", schemes)
	}
	for _, scheme := range schemes {
		colours := map[string]float64{}
		for _, c := range regexp.MustCompile(`--([a-z]+): #([0-9a-f]{6});`).FindAllStringSubmatch(scheme, -1) {
			colours[c[1]] = luminance(t, c[2])
		}
		for name, least := range map[string]float64{"ink": 7, "soft": 7, "link": 7, "bad": 7, "line": 3} {
			a, b := colours[name], colours["paper"]
			if got := (max(a, b) + .05) / (min(a, b) + .05); got < least || len(colours) != 6 {
				t.Errorf("%s: the contrast of %s is %.2f, less than %.0f", scheme, name, got, least)
			}
		}
	}
	style, _, _ := strings.Cut(pageText, "</style>")
	_, rules, _ := strings.Cut(style, "body {")
	if got := regexp.MustCompile(`#[0-9a-f]{3,8}\b|opacity`).FindAllString(rules, -1); got != nil {
		t.Errorf("colours that no scheme has: %q", got)
	}
}

// luminance is the relative luminance of WCAG.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// TestProgress: what takes long is no message of a build that has ended.
func TestProgress(t *testing.T) {
	var talk, told bytes.Buffer
	s := &session{stderr: &talk}
	s.proceed("compiling the package")
	if talk.String() != "sculpt: compiling the package\n" {
		t.Errorf("%q", talk.String())
	}
	talk.Reset()
	s.progress = func(text string) { fmt.Fprint(&told, text) }
	s.proceed("compiling the package")
	if talk.Len() > 0 || told.String() != "compiling the package" {
		t.Errorf("%q, %q", talk.String(), told.String())
	}
}
