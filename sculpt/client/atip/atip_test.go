//go:build unix

package atip

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// hub describes itself, and prints its words.
const hub = `#!/bin/sh
echo started >> "$0.log"
case "$1 $2" in
"--agent --commands=pr") echo '{"atip":{"version":"0.6"},"name":"hub","version":"1","description":"Work.","commands":{"pr":{"description":"P.","effects":{"idempotent":true}}}}'; exit;;
"--agent "*) cat <<'DOC'
{"atip":{"version":"0.6","features":[]},"name":"hub","version":"2.1","description":"Work with repositories.",
"effects":{"network":true},
"commands":{"pr":{"description":"Pull requests.","commands":{
 "merge":{"description":"Merge one.","effects":{"destructive":true,"reversible":false,"idempotent":false,"cost":{"billable":true}},
  "arguments":[{"name":"number","type":"integer","description":"Its number."},{"name":"into","type":"directory","description":"Where to.","required":false}],
  "options":[{"name":"method","flags":["-m","--method"],"type":"enum","enum":["squash","rebase"],"description":"How."},
   {"name":"label","flags":["-l","--label"],"type":"string","variadic":true,"description":"Labels."},
   {"name":"note","flags":["-n"],"type":"string","description":"A note."},
   {"name":"quiet","flags":["--quiet"],"type":"boolean","description":"Say nothing.","required":true}]},
 "list":{"description":"List.","effects":{"idempotent":true,"reversible":true,"destructive":false,"filesystem":{"read":true,"write":false,"delete":false}}}}},
 "show-it":{"description":"Show."}}}
DOC
exit;;
"pr list") echo '{"count":2,"items":["a"]}'; exit;;
"show-it "*) echo "plain text"; exit;;
esac
for word in "$@"; do echo "[$word]"; done >&2
exit 2
`

// program writes an executable script.
func program(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "bin")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func names(programs []*Program) string {
	var all []string
	for _, p := range programs {
		all = append(all, p.Name+"/"+p.Source)
	}
	return strings.Join(all, " ")
}

func find(t *testing.T, f Finder) ([]*Program, []Problem) {
	t.Helper()
	if f.Machine == nil {
		f.Machine = Local([]string{"PATH=/usr/bin:/bin"})
	}
	programs, problems := f.Find(t.Context())
	return programs, problems
}

// TestTools makes tools of commands: those below others, with the effects that they
// or those above them tell.
func TestTools(t *testing.T) {
	dir := folder(t)
	program(t, dir, "hub", hub)
	programs, problems := find(t, Finder{Path: []string{dir}})
	if len(programs) != 1 || problems != nil {
		t.Fatalf("%v %v", programs, problems)
	}
	var got []string
	for _, one := range programs[0].Tools() {
		got = append(got, fmt.Sprintf("%s|%s|%v", one.ID, one.Name, one.Effects))
	}
	want := []string{
		"pr list|hub_pr_list|&{true true false true false}",
		"pr merge|hub_pr_merge|&{false false true false true}",
		"show-it|hub_show_it|&{false false true false false}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	merge := programs[0].Tools()[1]
	if n := merge.Input("number"); n.Type != tool.TypeInt || !n.Required || merge.Input("into").Required || merge.Input("into").Description != "Where to. (directory path)" ||
		merge.Input("label").Type != tool.TypeJSON || merge.Input("method").Required {
		t.Errorf("%+v", merge.Inputs)
	}
	tools, err := programs[0].Load(t.Context(), "pr")
	if err != nil || len(tools) != 1 || tools[0].ID != "pr" {
		t.Errorf("%v %v", tools, err)
	}
	if _, err := programs[0].Load(t.Context(), "--version"); err == nil {
		t.Error("a flag is a command")
	}
}

// TestInvoke: the words of a command line, exactly, and what becomes of each end.
func TestInvoke(t *testing.T) {
	dir := folder(t)
	program(t, dir, "hub", hub)
	programs, _ := find(t, Finder{Path: []string{dir}})
	hub, tools := programs[0], programs[0].Tools()
	r, err := hub.Invoke(t.Context(), tools[0], client.Call{})
	if err != nil || string(r.Document()) != `{"count":2,"items":["a"]}` {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = hub.Invoke(t.Context(), tools[2], client.Call{}); err != nil || r.Text != "plain text" || r.Outputs != nil {
		t.Errorf("%+v %v", r, err)
	}
	for _, c := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"number": 4, "quiet": true}, "pr merge --quiet 4"},
		{map[string]any{"number": json.Number("4"), "quiet": false, "into": "-rf", "method": "squash"}, "pr merge --method squash -- 4 -rf"},
		{map[string]any{"number": int64(-4), "quiet": false, "label": []any{"a b", "-c", "$(id)", "x;y"}}, "pr merge --label a b --label=-c --label $(id) --label x;y -- -4"},
		{map[string]any{"number": 4, "quiet": false, "note": "; reboot"}, "pr merge -n ; reboot 4"},
	} {
		_, err := hub.Invoke(t.Context(), tools[1], client.Call{Arguments: c.args})
		e, ok := errors.AsType[*client.Error](err)
		if !ok || e.Fault.Kind != tool.KindInvalidInput {
			t.Errorf("%v: %v", c.args, err)
			continue
		}
		if got := strings.NewReplacer("[", "", "]", "", "\n", " ").Replace(e.Fault.Message); got != c.want {
			t.Errorf("%v\ngot  %s\nwant %s", c.args, got, c.want)
		}
	}
	for _, args := range []map[string]any{
		{"quiet": true}, {"number": 4, "quiet": true, "method": "merge"}, {"number": 4, "quiet": true, "note": "-x"}, {"number": 4, "quiet": true, "note": "a\x00b"},
		{"number": 4, "quiet": true, "label": map[string]any{}},
	} {
		before := started(t, dir)
		if _, err := hub.Invoke(t.Context(), tools[1], client.Call{Arguments: args}); tool.KindOf(err) != tool.KindInvalidInput || started(t, dir) != before {
			t.Errorf("%v: %v", args, err)
		}
	}
}

// started counts how often a program was.
func started(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "hub.log"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "started")
}

// TestManyPrograms finds two programs among 200 that hang, write without end, fail,
// or say other things, in less than the time that the slow ones would take one
// after the other, and leaves none of them running.
func TestManyPrograms(t *testing.T) {
	dir := folder(t)
	for i := range 200 {
		text := []string{"sleep 600", "while :; do echo 0123456789012345678901234567890123456789; done", "exit 3", "echo hello", `echo '{"name":"x"}'`}[i%5]
		if i%5 == 1 && i > 20 {
			text = "sleep 600" // a few chatty ones keep a processor busy enough
		}
		program(t, dir, fmt.Sprintf("p%03d", i), "#!/bin/sh\n"+text+"\n")
	}
	program(t, dir, "hub", hub)
	program(t, dir, "sudo", "#!/bin/sh\ntouch "+dir+"/ran\n")
	program(t, dir, "bad", "#!/bin/sh\necho '{\"atip\":\"0.3\"}'\n")
	start := time.Now()
	programs, problems := find(t, Finder{Path: []string{dir, "relative", dir + "/none"}, Wait: 4 * time.Second}) // of a busy machine
	t.Logf("%v", time.Since(start))
	if names(programs) != "hub/native" || len(problems) != 1 || !strings.HasSuffix(problems[0].Path, "/bad") {
		t.Errorf("%s %v", names(programs), problems)
	}
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("sudo was started")
	}
	if time.Since(start) > time.Minute {
		t.Error("programs were waited for one after the other")
	}
}

// TestRegistry: what was found is kept, a program is started again only after it has
// changed, and what somebody wrote over a description wins.
func TestRegistry(t *testing.T) {
	dir, data, config := folder(t), t.TempDir(), t.TempDir()
	path := program(t, dir, "hub", hub)
	program(t, dir, "old", "#!/bin/sh\necho started >> "+dir+"/hub.log\nexit 1\n")
	f := Finder{Path: []string{dir}, Data: data, Config: config}
	for range 3 {
		if programs, problems := find(t, f); names(programs) != "hub/native" || problems != nil {
			t.Fatalf("%s %v", names(programs), problems)
		}
		if n := started(t, dir); n != 2 {
			t.Fatalf("they were started %d times", n)
		}
	}
	var kept struct {
		Version string
		Tools   map[string]struct{ Path, Hash, Source string }
	}
	text, err := os.ReadFile(filepath.Join(data, "registry.json"))
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Version != "2" || kept.Tools["hub"].Path != path || kept.Tools["hub"].Source != "native" {
		t.Errorf("%s %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(data, "tools", strings.Replace(kept.Tools["hub"].Hash, ":", "-", 1)+".json")); err != nil {
		t.Error(err)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hash, err := Local(nil).Hash(filepath.Join(dir, "old"))
	if err != nil {
		t.Fatal(err)
	}
	shim := `{"atip":{"version":"0.6"},"name":"old","version":"1","description":"Old.","trust":{"source":"vendor"},"binary":{"hash":"sha256:` + hash + `"},"commands":{"":{"description":"All."}}}`
	write(filepath.Join(data, "shims", "sha256", hash+".json"), shim)
	programs, _ := find(t, f)
	if names(programs) != "hub/native old/vendor" || started(t, dir) != 2 || programs[1].Tools()[0].ID != "" || programs[1].Tools()[0].Name != "old" {
		t.Errorf("%s, started %d times", names(programs), started(t, dir))
	}
	write(filepath.Join(config, "overrides", "sha256", hash+".json"), strings.Replace(shim, `"source":"vendor"`, `"source":"user"`, 1))
	if programs, _ := find(t, f); names(programs) != "hub/native old/user" {
		t.Errorf("%s", names(programs))
	}
	write(filepath.Join(config, "overrides", "sha256", hash+".json"), strings.Replace(shim, hash, strings.Repeat("0", 64), 1))
	if programs, problems := find(t, f); names(programs) != "hub/native" || len(problems) != 1 {
		t.Errorf("%s %v", names(programs), problems)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(hub, "2.1", "2.2", 1)+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if programs, _ := find(t, f); programs[0].Version != "2.2" || started(t, dir) != 3 {
		t.Errorf("%s, started %d times", programs[0].Version, started(t, dir))
	}
}

// TestSafeFolders: programs of folders that everybody may write to are not started.
func TestSafeFolders(t *testing.T) {
	dir := folder(t)
	program(t, dir, "hub", hub)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if programs, _ := find(t, Finder{Path: []string{dir}}); programs != nil {
		t.Error(names(programs))
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, f := range []Finder{{Path: []string{dir}, Skip: []string{"hub"}}, {Path: []string{dir}, Allow: []string{"other"}}} {
		if programs, _ := find(t, f); programs != nil {
			t.Error(names(programs))
		}
	}
}

// TestRun: a program ends with its call, and with it what it has started.
func TestRun(t *testing.T) {
	dir := folder(t)
	path := program(t, dir, "slow", "#!/bin/sh\nsleep 600 &\nsleep 600\n")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := Local(nil).Run(ctx, path, nil, 10); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	path = program(t, dir, "chatty", "#!/bin/sh\nwhile :; do echo 0123456789; done\n")
	out, err := Local(nil).Run(t.Context(), path, nil, 25)
	if !errors.Is(err, ErrChatty) || string(out.Stdout) != "0123456789\n0123456789\n012" {
		t.Errorf("%q %v", out.Stdout, err)
	}
	path = program(t, dir, "eof", "#!/bin/sh\ncat; echo \"$#:$1:$HOME\"; exit 7\n")
	if out, err := Local([]string{"HOME=h"}).Run(t.Context(), path, []string{"a b"}, 99); err != nil || string(out.Stdout) != "1:a b:h\n" || out.Exit != 7 {
		t.Errorf("%+v %v", out, err)
	}
	if _, err := Local(nil).Run(t.Context(), dir+"/none", nil, 9); err == nil {
		t.Error("what is not there ran")
	}
}
