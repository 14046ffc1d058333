package cli

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// --color may stand anywhere, and what it does not take is named.
func TestTakeColor(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "auto []",
		"lint a":                            "auto [lint a]",
		"--color always lint a":             "always [lint a]",
		"lint --color=never a":              "never [lint a]",
		"lint a -color never":               "never [lint a]",
		"lint --color never --color always": "always [lint]",
		"call -- --color never":             "auto [call -- --color never]",
		"lint --colors":                     "auto [lint --colors]",
		"lint --color":                      `unknown color ""`,
		"lint --color alwys":                `unknown color "alwys", did you mean "always"?`,
		"lint --color=":                     `unknown color ""`,
	} {
		mode, rest, err := takeColor(strings.Fields(in))
		got := fmt.Sprint(mode, " ", rest)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// Colours are for terminals of people who want them.
func TestColors(t *testing.T) {
	device, err := os.Open(os.DevNull) // a character device, as terminals are
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		mode, env string
		terminal  bool
		want      bool
	}{
		{"auto", "TERM=xterm", true, true}, {"auto", "TERM=xterm", false, false}, {"auto", "TERM=dumb", true, false}, {"auto", "", true, false},
		{"auto", "TERM=xterm NO_COLOR=1", true, false}, {"auto", "TERM=xterm NO_COLOR=", true, true},
		{"always", "TERM=dumb NO_COLOR=1", false, true}, {"never", "TERM=xterm", true, false},
	} {
		s := &session{lookup: func(name string) (string, bool) {
			for pair := range strings.FieldsSeq(c.env) {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value, true
				}
			}
			return "", false
		}}
		w := file
		if c.terminal {
			w = device
		}
		if got := s.colors(c.mode, w); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is a terminal")
	}
}

// Findings have colours where they are wanted, and only there.
func TestColoredFindings(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/sculpt.yaml", []byte("sculpt: 1\nnonsense: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		var out, talk bytes.Buffer
		Main(append(args, dir), strings.NewReader(""), &out, &talk, noEnv)
		return out.String() + talk.String()
	}
	if plain := run("lint"); strings.Contains(plain, "\x1b") {
		t.Errorf("%q", plain)
	}
	if painted := run("lint", "--color", "always"); !strings.Contains(painted, "\x1b[") {
		t.Errorf("%q", painted)
	}
	if json := run("lint", "--color", "always", "--format", "json"); strings.Contains(json, "\x1b") {
		t.Errorf("%q", json)
	}
}

// Who waits is told so, on a line that makes place for what is said.
func TestPulse(t *testing.T) {
	var out bytes.Buffer
	began := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	p := &pulse{w: &out, what: "sculpt lint", began: began, quiet: began}
	w := pulsed{&out, p}
	at := func(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }
	p.beat(at(0.9))
	p.beat(at(1.1))
	p.beat(at(2.6))
	if _, err := w.Write([]byte("said\n")); err != nil {
		t.Fatal(err)
	}
	p.quiet = at(3)
	p.beat(at(3.9))
	p.beat(at(4.5))
	p.end(at(5))
	p.beat(at(9))
	want := "\r\x1b[Ksculpt lint: 1 s\r\x1b[Ksculpt lint: 2 s\r\x1b[Ksaid\n\r\x1b[Ksculpt lint: 4 s\r\x1b[K"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
