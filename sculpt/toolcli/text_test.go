package toolcli

import (
	"os"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestText: what a person reads on a terminal.
func TestText(t *testing.T) {
	got := string(textResult(tool.Result{
		{Name: "place", JSON: []byte(`"Omaha"`)},
		{Name: "count", JSON: []byte(`3`)},
		{Name: "wind", JSON: nil},
		{Name: "gust", JSON: []byte(`null`)},
		{Name: "about", JSON: []byte(`"one\ntwo"`)},
		{Name: "bad", JSON: []byte(`"\u001b[2J\u202e\t<b>"`)},
		{Name: "list", JSON: []byte(`[{"a":1},"x"]`)},
		{Name: "none", JSON: []byte(`[]`)},
	}))
	want := "place: Omaha\ncount: 3\nwind: none\ngust: none\nabout: one\n  two\nbad: �[2J� <b>\n" +
		"list: [\n    {\n      \"a\": 1\n    },\n    \"x\"\n  ]\nnone: []\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPrintable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		shown := printable(text)
		for _, r := range shown {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q is shown as %q", text, shown)
			}
		}
		if printable(shown) != shown {
			t.Fatalf("%q changes again", shown)
		}
	})
}

// TestTerminal: a file and a pipe get JSON.
func TestTerminal(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	f, err := os.Create(t.TempDir() + "/answer.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(w) || isTerminal(f) || isTerminal(nil) {
		t.Error("a pipe, a file or nothing is taken for a terminal")
	}
}
