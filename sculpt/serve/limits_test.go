package serve_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// held is the status of a call while another one is under way, of a server whose
// program says one kind of limits and whose operator the other.
func held(t *testing.T, written, asked serve.Limits) (status int) {
	t.Helper()
	w := newWeather(t)
	w.backend.hold = make(chan struct{})
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet), serve.WithLimits(written))
	if err != nil {
		t.Fatal(err)
	}
	addr, stop := start(t, h, serve.RunOptions{DrainDelay: -1, Limits: asked})
	call := func(path, name, value string) int {
		resp, err := http.Post("http://"+addr+"/a2t"+path+":invoke", "application/json", strings.NewReader(invocation(name, value)))
		if err != nil {
			return 0
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	done := make(chan int, 1)
	go func() { done <- call(reportPath, "place", "Omaha") }()
	for w.backend.reports.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	second := make(chan int, 1)
	go func() { second <- call(reportPath, "place", "Lincoln") }()
	for w.backend.reports.Load() == 1 && len(second) == 0 {
		time.Sleep(time.Millisecond)
	}
	close(w.backend.hold)
	status = <-second
	if first := <-done; first != http.StatusOK {
		t.Errorf("the first call: %d", first)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	return status
}

// TestRunLimits: what the operator says wins over what the program says, limit by
// limit.
func TestRunLimits(t *testing.T) {
	for _, c := range []struct {
		written, asked serve.Limits
		want           int
	}{
		{serve.Limits{}, serve.Limits{}, 200},
		{serve.Limits{Concurrent: 1}, serve.Limits{}, 503},
		{serve.Limits{Concurrent: 1}, serve.Limits{Concurrent: 9}, 200},
		{serve.Limits{Concurrent: 1}, serve.Limits{PerPrincipal: 9}, 503},
		{serve.Limits{}, serve.Limits{Concurrent: 1}, 503},
		{serve.Limits{}, serve.Limits{PerAPI: 1, Waiting: -1}, 503},
		{serve.Limits{PerAPI: 1, Waiting: -1}, serve.Limits{PerAPI: 2}, 200},
		{serve.Limits{Concurrent: 4, PerAPI: 1}, serve.Limits{Concurrent: 8}, 200},
	} {
		if got := held(t, c.written, c.asked); got != c.want {
			t.Errorf("%+v, then %+v: %d, want %d", c.written, c.asked, got, c.want)
		}
	}
}

// TestDefaultLimits: 512 anonymous callers of one api are served by a server of
// which nobody said anything.
func TestDefaultLimits(t *testing.T) {
	const callers = 512
	w := newWeather(t)
	w.backend.hold = make(chan struct{})
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, callers)
	for range callers {
		go func() {
			_, err := serve.InvokeHandler(context.Background(), h, "report_storm", tool.Args{"place": "Omaha"})
			failed <- err
		}()
	}
	for w.backend.reports.Load() != callers && len(failed) == 0 {
		time.Sleep(time.Millisecond)
	}
	close(w.backend.hold)
	for range callers {
		if err := <-failed; err != nil {
			t.Fatal("a caller was refused:", err)
		}
	}
}
