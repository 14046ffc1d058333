package meaning_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden/guide"
	"github.com/sculpt-tools/sculpt/internal/meaning"
)

func edited(t *testing.T, edits ...string) fs.FS {
	t.Helper()
	files, err := guide.Files(edits...)
	if err != nil {
		t.Fatal(err)
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
	for _, c := range guide.Changes {
		if seen[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			got := compare(t, edited(t), edited(t, c.Edits...))
			if text := strings.Join(got, "\n"); text != c.Want {
				t.Errorf("got:\n%s\nwant:\n%s", text, c.Want)
			}
		})
	}
	if len(guide.Changes) < 60 {
		t.Errorf("only %d changes", len(guide.Changes))
	}
}

// TestHarmless: none of these says anything.
func TestHarmless(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range guide.Harmless {
		if seen[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			if got := compare(t, edited(t), edited(t, c.Edits...)); len(got) > 0 {
				t.Errorf("not silent: %s", strings.Join(got, "\n"))
			}
		})
	}
	if len(guide.Harmless) < 60 {
		t.Errorf("only %d harmless changes", len(guide.Harmless))
	}
}

// TestDigest: accept entries of vendors hold what Digest gives. Whoever changes
// it makes all of them void, and says so in the changelog.
func TestDigest(t *testing.T) {
	p, findings := frontend.Load(edited(t), ".")
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
