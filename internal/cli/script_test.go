package cli

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/frontend"
	"github.com/sculpt-tools/sculpt/internal/golden"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sculpt": func() { os.Exit(transcribed(os.Args[1:])) },
	})
}

// goFlags are those of the scripts. They share one build cache, so that the run
// time is compiled once for all of them, and each compiles its own small package
// and links it. That last step cannot be shared: a script such as guard changes
// the package before every build, because the build has to judge it. So it is
// made cheap: binaries that run once need no debug information, and that
// generated code passes vet is tested over the whole corpus.
const goFlags = "-mod=mod -ldflags=-w -vet=off"

// Every script works in a vendor's module of its own, which holds the package
// places (testdata/places) and reaches no network.
func TestScripts(t *testing.T) {
	goEnv, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Split(strings.TrimSpace(string(goEnv)), "\n")
	root := golden.Root(t)
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < 20 {
		t.Fatalf("%d scripts: %v", len(scripts), err)
	}
	if golden.Race { // what runs side by side; the others would take ten times as long
		scripts = []string{"testdata/script/preview.txtar", "testdata/script/watch.txtar", "testdata/script/record.txtar", "testdata/script/verify.txtar", "testdata/script/usage.txtar"}
	}
	transcripts := t.TempDir()
	testscript.Run(t, testscript.Params{
		Files:               scripts,
		RequireExplicitExec: true,
		Deadline:            deadline(t),
		Setup: func(e *testscript.Env) error {
			if t.Failed() && flag.Lookup("test.failfast").Value.String() == "true" {
				return errors.New("another script failed")
			}
			keepTranscript(t, e, transcripts, root)
			e.Values[serverKey{}] = &server{}
			e.Setenv("SCULPT_ROOT", root)
			e.Setenv("GOCACHE", dirs[0])
			e.Setenv("GOMODCACHE", dirs[1])
			e.Setenv("GOPATH", dirs[2])
			e.Setenv("GOPROXY", "off")
			e.Setenv("GOFLAGS", goFlags)
			e.Setenv("GOWORK", "off")
			e.Setenv("GOTOOLCHAIN", "local")
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				e.Setenv("GIT_"+who+"_NAME", "Vendor")
				e.Setenv("GIT_"+who+"_EMAIL", "vendor@tools.example")
			}
			return vendorModule(root, e.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serve": serveCommand, "halt": haltCommand, "hear": hearCommand, "begin": beginCommand, "ask": askCommand, "get": getCommand,
			"upstream": upstreamCommand, "answers": answersCommand, "code": codeCommand, "escaped": escapedCommand, "busy": busyCommand,
			"before": func(ts *testscript.TestScript, neg bool, args []string) {
				ts.Setenv("EVENT_BEFORE", strings.TrimSpace(ts.ReadFile(args[0])))
			},
			"unpack": unpackCommand, "digest": digestCommand,
			"shelf": shelfCommand, "bypass": bypassCommand, "follow": followCommand, "babble": babbleCommand,
			"action": func(ts *testscript.TestScript, neg bool, args []string) { actionCommand(readAction(t), ts, neg, args) },
		},
	})
}

func deadline(t *testing.T) time.Time {
	if d, ok := t.Deadline(); ok {
		return d
	}
	return time.Now().Add(5 * time.Minute)
}

// vendorModule writes go.mod and go.sum, and the package places.
func vendorModule(root, dir string) error {
	mod := "module vendor.example/tools\n\ngo 1.26\n\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => " + root +
		"\n\ntool " + modulePath + "/cmd/sculpt\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644); err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(dir, "places"), os.DirFS("testdata/places"))
}

// A server is a preview that runs beside a script.
type server struct {
	cmd    *exec.Cmd
	stderr heard
}

// heard is what a server says while it runs.
type heard struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

func (h *heard) Reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Reset()
}

type serverKey struct{}

// curlCommand is what preview prints for people to paste.
var curlCommand = regexp.MustCompile(`curl -sS (\S+) \\\n  -H 'Content-Type: application/json' \\\n  -d '(.*)'\n`)

// serveCommand starts a preview, waits until it has printed its addresses and
// keeps them: serve [ARGUMENTS]. $A2T, $NACT and $OTC are addresses, $ASK and $BODY are
// the URL and body of the printed curl.
func serveCommand(ts *testscript.TestScript, neg bool, args []string) {
	s, stdout := startPreview(ts, args)
	printed := ""
	for lines := bufio.NewScanner(stdout); !curlCommand.MatchString(printed); {
		if !lines.Scan() {
			_ = s.cmd.Wait()
			ts.Fatalf("preview ended: %s%s", printed, s.stderr.String())
		}
		printed += lines.Text() + "\n"
	}
	parts := curlCommand.FindStringSubmatch(printed)
	ts.Setenv("ASK", parts[1])
	ts.Setenv("BODY", strings.ReplaceAll(parts[2], `'\''`, "'"))
	a2t := strings.Fields(printed)[1]
	for name, prefix := range map[string]string{"A2T": "/a2t/", "NACT": "/nact/", "OTC": "/otc/", "PAGE": "/"} {
		ts.Setenv(name, strings.TrimSuffix(strings.Replace(a2t, "/a2t/", prefix, 1), map[string]string{"PAGE": "tools"}[name]))
	}
	ts.Check(os.WriteFile(ts.MkAbs("printed.txt"), []byte(printed), 0o644))
}

// beginCommand starts a preview that has nothing to serve yet: begin ARGUMENTS.
func beginCommand(ts *testscript.TestScript, neg bool, args []string) {
	_, stdout := startPreview(ts, args)
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
}

func startPreview(ts *testscript.TestScript, args []string) (*server, io.Reader) {
	s := ts.Value(serverKey{}).(*server)
	s.stderr.Reset()
	s.cmd = exec.Command(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], "sculpt"), append([]string{"preview"}, args...)...)
	s.cmd.Dir, s.cmd.Stderr = ts.MkAbs("."), &s.stderr
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOWORK", "GOTOOLCHAIN", "PLACES_KEY", "PLACES_CLIENT", "PLACES_BASE_URL"} {
		if v := ts.Getenv(name); v != "" {
			s.cmd.Env = append(s.cmd.Env, name+"="+v)
		}
	}
	stdout, err := s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	ts.Defer(func() { _ = s.cmd.Process.Kill() })
	return s, stdout
}

// haltCommand ends the preview with a signal and wants a clean end: halt INT.
// After KILL only the end of the server is wanted. It is not called stop, since
// that word ends a script.
func haltCommand(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serverKey{}).(*server)
	signals := map[string]os.Signal{"TERM": syscall.SIGTERM, "INT": os.Interrupt, "KILL": os.Kill}
	ts.Check(s.cmd.Process.Signal(signals[args[0]]))
	if err := s.cmd.Wait(); args[0] != "KILL" {
		ts.Check(err)
	}
	fmt.Fprint(ts.Stderr(), s.stderr.String())
	for range 100 {
		if _, err := http.Get(ts.Getenv("A2T")); err != nil {
			return
		}
		if args[0] != "KILL" {
			ts.Fatalf("the server still answers")
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("the server outlived its parent")
}

// hearCommand waits until the preview has said something on stderr that it has
// not said before the last hear: hear PATTERN.
func hearCommand(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serverKey{}).(*server)
	pattern := regexp.MustCompile(args[0])
	for end := time.Now().Add(45 * time.Second); !pattern.MatchString(s.stderr.String()); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%q is not said: %s", args[0], s.stderr.String())
		}
	}
	fmt.Fprint(ts.Stdout(), s.stderr.String())
	s.stderr.Reset()
}

// askCommand posts JSON: ask URL BODY. The answer is on stdout, after its
// status.
func askCommand(ts *testscript.TestScript, neg bool, args []string) {
	resp, err := http.Post(args[0], "application/json", strings.NewReader(args[1]))
	ts.Check(err)
	showAnswer(ts, resp)
}

// getCommand gets a URL: get URL [MEDIA-TYPE].
func getCommand(ts *testscript.TestScript, neg bool, args []string) {
	req, err := http.NewRequest(http.MethodGet, args[0], http.NoBody)
	ts.Check(err)
	if len(args) > 1 {
		req.Header.Set("Accept", args[1])
	}
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	showAnswer(ts, resp)
}

func showAnswer(ts *testscript.TestScript, resp *http.Response) {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%d %s\n", resp.StatusCode, body)
}

// babbleCommand starts a service that sends steering characters to everybody
// and puts its address into $BABBLE.
func babbleCommand(ts *testscript.TestScript, neg bool, args []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { listener.Close() })
	ts.Setenv("BABBLE", listener.Addr().String())
	go func() {
		for conn, err := listener.Accept(); err == nil; conn, err = listener.Accept() {
			// Who answers before it is asked makes net/http log that, or not: it is a race.
			_, _ = conn.Read(make([]byte, 64<<10))
			_, _ = io.WriteString(conn, "evil\x1b[2J\r\n\r\n")
			conn.Close()
		}
	}()
}

// upstreamCommand starts a service like that of the package places on loopback
// and puts its address into $UPSTREAM. What it was asked is in upstream.log.
func upstreamCommand(ts *testscript.TestScript, neg bool, args []string) {
	log, err := os.Create(ts.MkAbs("upstream.log"))
	ts.Check(err)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(log, "%s %s client=%s\n", r.Method, r.URL, r.Header.Get("X-Client"))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Query().Get("api_key") != "s3cret-key-of-mine":
			w.WriteHeader(http.StatusForbidden)
		case r.URL.Path == "/search":
			fmt.Fprint(w, `{"places":[{"id":7,"name":"Bar"}],"echo":"s3cret-key-of-mine"}`)
		default:
			fmt.Fprint(w, `{"id":7,"name":"Bar","open":false}`)
		}
	}))
	ts.Defer(func() { service.Close(); _ = log.Close() })
	ts.Setenv("UPSTREAM", service.URL)
}

// codeCommand runs a command and wants an exit code: code 2 sculpt lint.
func codeCommand(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// actionCommand runs the steps of action.yml as a service does, with inputs
// given as name=value, and wants it to pass, or with ! to fail. What the steps
// print is on stdout.
func actionCommand(a *actionFile, ts *testscript.TestScript, neg bool, args []string) {
	inputs := map[string]string{}
	for name, in := range a.Inputs {
		inputs[name] = in.Default
	}
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		inputs[name] = value
	}
	fill := func(text string) string {
		return reference.ReplaceAllStringFunc(text, func(r string) string { return "\x00" + inputs[reference.FindStringSubmatch(r)[2]] })
	}
	failed := false
	for _, s := range a.Runs.Steps {
		if failed && s.If == "" {
			continue
		}
		for name, value := range s.Env {
			value = strings.TrimPrefix(fill(value), "\x00")
			if strings.Contains(value, "github.event") {
				value = ts.Getenv("EVENT_BEFORE")
			}
			ts.Setenv(name, strings.TrimSuffix(value, " }}"))
		}
		ts.Check(os.WriteFile(ts.MkAbs("step.sh"), []byte(s.Run), 0o644))
		if err := ts.Exec("bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"); err != nil {
			failed = true
		}
	}
	if failed != neg {
		ts.Fatalf("the action failed: %v", failed)
	}
}

// fixCommand finds the commands in the fix of a finding: in quotes, or after a
// colon to the end.
var fixCommand = regexp.MustCompile(`"((?:git|sculpt|go|sed|rm) [^"]+)"|: ((?:git|sculpt|go) [^";]+)|^(git [^";]+)`)

// followCommand does what the last output says, word for word: follow RULE runs
// the commands in the fix of the first finding of the rule, one after the other,
// as a shell does; follow in FOLDER RULE does so in a folder. Without a rule it
// follows the first fix of all. What comes after "; or" is another way. A merge that ends with conflicts is what a merge is
// for; everything else must pass.
func followCommand(ts *testscript.TestScript, neg bool, args []string) {
	said, in := ts.ReadFile("stdout")+ts.ReadFile("stderr"), "."
	if len(args) > 1 && args[0] == "in" {
		in, args = args[1], args[2:]
	}
	if len(args) > 0 {
		_, rest, found := strings.Cut(said, "["+args[0]+"]")
		if !found {
			ts.Fatalf("no finding of %s was printed", args[0])
		}
		said = rest
	}
	_, fix, _ := strings.Cut(said, "= fix: ")
	fix, _, _ = strings.Cut(fix, "\n")
	fix, _, _ = strings.Cut(fix, "; or")
	commands := fixCommand.FindAllStringSubmatch(fix, -1)
	if len(commands) == 0 {
		ts.Fatalf("no command in the fix: %s", fix)
	}
	for _, m := range commands {
		command := m[1] + m[2] + m[3]
		ts.Logf("following: %s", command)
		if strings.Contains(command, "YYYY") || strings.Contains(command, "<") {
			ts.Fatalf("this is not a command to type: %s", command)
		}
		if err := ts.Exec("bash", "--noprofile", "--norc", "-euo", "pipefail", "-c", "cd "+in+" && "+command); err != nil && !strings.HasPrefix(command, "git merge ") {
			ts.Fatalf("%s: %v", command, err)
		}
	}
}

// escapedCommand spells the colon of $ASK as some clients do.
func escapedCommand(ts *testscript.TestScript, neg bool, args []string) {
	ts.Setenv("ASK", strings.ReplaceAll(ts.Getenv("ASK"), ":invoke", "%3Ainvoke"))
}

// busyCommand takes a port and puts it into $BUSY.
func busyCommand(ts *testscript.TestScript, neg bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Setenv("BUSY", port)
}

// bypassCommand generates a package (shop) whatever the check says, as a
// generator would that does not know it: what is left to guard the releases is
// the build and the tests.
func bypassCommand(ts *testscript.TestScript, neg bool, args []string) {
	dir := "shop"
	if len(args) > 0 {
		dir = args[0]
	}
	project, _ := frontend.Load(os.DirFS(ts.MkAbs(".")), dir)
	files, findings := gen.Generate(project.Program, gen.Options{Guard: project.Promises()})
	if findings.HasErrors() {
		ts.Fatalf("%v", findings)
	}
	root, err := os.OpenRoot(ts.MkAbs(dir))
	ts.Check(err)
	defer root.Close()
	_, err = gen.Write(root, files, nil)
	ts.Check(err)
}
