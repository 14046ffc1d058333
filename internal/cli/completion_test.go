package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completionOf is what sculpt prints for a shell, in a file.
func completionOf(t *testing.T, shell string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if code := Main([]string{"completion", shell}, strings.NewReader(""), &out, &talk, noEnv); code != exitFine || talk.Len() > 0 {
		t.Fatalf("%d: %s", code, talk.String())
	}
	name := filepath.Join(t.TempDir(), "sculpt."+shell)
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A shell that has read the completions offers what can come next.
func TestCompletionOfBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not there")
	}
	script := completionOf(t, "bash")
	for line, want := range map[string]string{
		"sculpt ":                                  "init lint generate check release status retire diff changelog verify conform tools pin client export preview call record operations rules explain completion schema version help",
		"sculpt ge":                                "generate",
		"sculpt --a":                               "--agent",
		"sculpt help pre":                          "preview",
		"sculpt preview --w":                       "--watch",
		"sculpt lint --format ":                    "text json github sarif markdown junit",
		"sculpt changelog --format j":              "json",
		"sculpt lint --fail-on ":                   "error warning",
		"sculpt --color never lint --format sarif": "sarif",
		"sculpt lint --color ":                     "auto always never",
		"sculpt export ope":                        "openai openapi",
		"sculpt export openai --api r":             "responses",
		"sculpt export openai ":                    "",
		"sculpt explain input-rem":                 "input-removed",
		"sculpt completion z":                      "zsh",
		"sculpt lint ":                             "",
		"sculpt nonsense --":                       "",
	} {
		words := strings.Split(line, " ")
		run := `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sculpt; echo "${COMPREPLY[*]}"`
		out, err := exec.Command(bash, append([]string{"--noprofile", "--norc", "-uc", run, "bash", script}, words...)...).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", line, got, err, want)
		}
	}
}

// zsh reads what is printed for it.
func TestCompletionOfZsh(t *testing.T) {
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not there")
	}
	run := `autoload -Uz compinit && compinit -D && source "$1" && print "${_comps[sculpt]}"`
	out, err := exec.Command(zsh, "-fc", run, "zsh", completionOf(t, "zsh")).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "_sculpt" {
		t.Errorf("%s, %v", out, err)
	}
}

// Every command is completed, with the words that the help has for it.
func TestCompleted(t *testing.T) {
	s := &session{verbs: verbs}
	for i, c := range s.completed() {
		if c.Name != verbs[i].name || c.About == "" || !slices.Contains(c.Flags, "--help") || len(c.Flags) != len(verbs[i].flags())+2 {
			t.Errorf("%+v", c)
		}
	}
	var talk bytes.Buffer
	if code := Main([]string{"completion", "fish"}, strings.NewReader(""), &talk, &talk, noEnv); code != exitUnable || !strings.Contains(talk.String(), `not for "fish"`) {
		t.Errorf("%d %s", code, talk.String())
	}
}
