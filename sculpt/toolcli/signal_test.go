//go:build unix

package toolcli_test

import (
	"bufio"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/toolcli"
)

const servesItself = "SCULPT_TEST_SERVES"

// TestSecondSignal: the first SIGTERM lets calls end, the second one does not wait
// for them.
func TestSecondSignal(t *testing.T) {
	if os.Getenv(servesItself) != "" {
		docs := fstest.MapFS{"atip/atip.json": {Data: []byte(`{"atip":{"version":"0.6"},"name":"slow","version":"1.0.0","description":"Slow.","commands":{}}`)}}
		os.Args = []string{"slow", "serve", "--addr", "127.0.0.1:0"}
		toolcli.Main(toolcli.Program{Docs: docs, Handler: func() (http.Handler, error) { return serve.NewHandler(nil) },
			Serve: serve.RunOptions{DrainDelay: time.Hour}})
	}
	cmd := exec.Command(os.Args[0], "-test.run", "TestSecondSignal")
	cmd.Env = append(os.Environ(), servesItself+"=1")
	talk, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	lines := bufio.NewScanner(talk)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "listening on ") {
		t.Fatalf("%q, %v", lines.Text(), lines.Err())
	}
	address := strings.TrimPrefix(lines.Text(), "listening on ")
	signal := func() {
		t.Helper()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	signal()
	for {
		resp, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			t.Fatal("the first signal ended the process:", err)
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusServiceUnavailable {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	signal()
	err = cmd.Wait()
	exit := (*exec.ExitError)(nil)
	if !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
		t.Errorf("the second signal: %v", err)
	}
}
