package meaning_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/meaning"
)

func guide(t *testing.T, edits ...string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"sculpt.yaml", "guide.yaml", "orders.yaml"} {
		data, err := os.ReadFile("testdata/guide/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for i := 0; i+2 < len(edits); i += 3 {
			if edits[i] != name {
				continue
			}
			if !strings.Contains(text, edits[i+1]) {
				t.Fatalf("%s does not contain %q", name, edits[i+1])
			}
			text = strings.ReplaceAll(text, edits[i+1], edits[i+2])
		}
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// compare lists what differs in all tools: "find outputs.total: ...".
func compare(t *testing.T, was, is fs.FS) []string {
	t.Helper()
	old, findings := frontend.Load(was, ".")
	if findings.HasErrors() {
		t.Fatalf("%+v", findings)
	}
	new, findings := frontend.Load(is, ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	var out []string
	for i, tool := range new.Program.Tools {
		a, b := meaning.Tool{Program: old.Program, Tool: old.Program.Tools[i]}, meaning.Tool{Program: new.Program, Tool: tool}
		changes := meaning.Compare(a, b)
		if same := meaning.Digest(a, a) == meaning.Digest(a, b); same != (len(changes) == 0) {
			t.Errorf("%d changes, and that the digests are the same is %t: %v", len(changes), same, changes)
		}
		for _, c := range changes {
			if !strings.HasPrefix(c.Part, "env.") && c.Span.IsZero() && !strings.Contains(c.What, "is gone") {
				t.Errorf("%s has no place", c.Part)
			}
			out = append(out, fmt.Sprintf("%s %s: %s", tool.Signature.Name, c.Part, c.What))
		}
	}
	return out
}

// TestChanges: none of these is silent, and each is named.
func TestChanges(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range changes {
		if seen[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			got := compare(t, guide(t), guide(t, c.edits...))
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", text, c.want)
			}
		})
	}
	if len(changes) < 60 {
		t.Errorf("only %d changes", len(changes))
	}
}

// TestHarmless: none of these says anything.
func TestHarmless(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range harmless {
		if seen[c.name] {
			t.Errorf("%s is there twice", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			if got := compare(t, guide(t), guide(t, c.edits...)); len(got) > 0 {
				t.Errorf("not silent: %s", strings.Join(got, "\n"))
			}
		})
	}
	if len(harmless) < 60 {
		t.Errorf("only %d harmless changes", len(harmless))
	}
}

// TestDigest: accept entries of vendors hold what Digest gives. Whoever changes
// it makes all of them void, and says so in the changelog.
func TestDigest(t *testing.T) {
	p, findings := frontend.Load(guide(t), ".")
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	for i, want := range []string{"sha256:6a91ed905440afa222a10d5d6843997f0834956b9e399f9fd6ae3a16e349f618", "sha256:0edbd025601f2f43993ba9bb5863f92c386a388b0119d35eda72d671dd3e250b"} {
		tool := meaning.Tool{Program: p.Program, Tool: p.Program.Tools[i]}
		if got := meaning.Digest(tool, tool); got != want {
			t.Errorf("%s has %s, and had %s", p.Program.Tools[i].Signature.Name, got, want)
		}
	}
}
