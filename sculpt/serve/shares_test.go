package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// handmade is a toolset of reads without inputs and outputs.
func handmade(calls map[string]func(context.Context) error) tool.Toolset {
	set := tool.Toolset{Handshake: tool.Handshake, Name: "Handmade", Title: "Handmade", Description: "Tools of a test."}
	for name, call := range calls {
		set.Tools = append(set.Tools, tool.Tool{
			ID: fmt.Sprintf("%08x-2222-5333-8444-555555555555", len(set.Tools)), Name: name, ToolName: "Tool" + name,
			Effects:  tool.Effects{ReadOnly: true, Idempotent: true},
			Call:     func(ctx context.Context, _ tool.Args) (tool.Result, error) { return tool.Result{}, call(ctx) },
			Versions: []tool.Version{{N: 1, Released: true}},
		})
	}
	set.Docs = documentsOf(&set)
	return set
}

// A town has two apis: one answers at once, the other when it is told to.
type town struct {
	// arrived counts the requests at the slow api, which open lets go.
	arrived atomic.Int64
	open    chan struct{}
	http.Handler
}

func newTown(t *testing.T, limits serve.Limits) *town {
	t.Helper()
	w := &town{open: make(chan struct{})}
	api := func(name string, h http.HandlerFunc) func(context.Context) error {
		u, err := upstream.New(upstream.Spec{Name: name, BaseURL: "http://" + name + ".invalid", Attempts: 1}, upstream.API{Handler: h})
		if err != nil {
			t.Fatal(err)
		}
		return func(ctx context.Context) error {
			c := u.Call(name, "GET", upstream.EffectRead)
			_, err := upstream.Do[struct{}](ctx, c, nil)
			return err
		}
	}
	quick := api("quick", func(http.ResponseWriter, *http.Request) {})
	slow := api("slow", func(_ http.ResponseWriter, r *http.Request) {
		w.arrived.Add(1)
		select {
		case <-w.open:
		case <-r.Context().Done():
		}
	})
	both := func(ctx context.Context) error {
		if err := quick(ctx); err != nil {
			return err
		}
		return slow(ctx)
	}
	var err error
	set := handmade(map[string]func(context.Context) error{"quick": quick, "slow": slow, "both": both})
	if w.Handler, err = serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet), serve.WithLimits(limits)); err != nil {
		t.Fatal(err)
	}
	return w
}

// ask begins n calls of a tool, each for the caller that who names, and returns
// where they end.
func (w *town) ask(t *testing.T, name string, n int, who func(int) string) chan error {
	ended := make(chan error, n)
	for i := range n {
		ctx := tool.WithPrincipal(t.Context(), &tool.Principal{ID: who(i)})
		go func() {
			_, err := serve.InvokeHandler(ctx, w.Handler, name, nil)
			ended <- err
		}()
	}
	return ended
}

func nobody(int) string      { return "" }
func ann(int) string         { return "ann" }
func bob(int) string         { return "bob" }
func everybody(i int) string { return fmt.Sprint("caller ", i) }

// ends counts how calls end.
func ends(ended <-chan error, n int) map[string]int {
	counts := map[string]int{}
	for range n {
		word := "ok"
		if err := <-ended; err != nil {
			word = tool.KindOf(err).String()
		}
		counts[word]++
	}
	return counts
}

// TestDeadAPI: what one caller has under way at an api that does not answer takes
// nothing of what the same caller may do at another one.
func TestDeadAPI(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits serve.Limits
		dead   int
		slow   string
	}{
		{"a few", serve.Limits{}, 20, "slow"},
		{"a few, with another api before it", serve.Limits{}, 20, "both"},
		{"as many as the operator allows", serve.Limits{PerPrincipal: 16}, 16, "slow"},
		{"more than there is room for", serve.Limits{Waiting: -1}, 3 * 1024, "slow"},
	} {
		for who, caller := range map[string]func(int) string{"one caller": ann, "nobody": nobody} {
			t.Run(c.name+"/"+who, func(t *testing.T) {
				w := newTown(t, c.limits)
				dead := w.ask(t, c.slow, c.dead, caller)
				for int(w.arrived.Load())+len(dead) < c.dead {
					time.Sleep(time.Millisecond)
				}
				arrived := int(w.arrived.Load())
				if got := ends(w.ask(t, "quick", 100, caller), 100); got["ok"] != 100 {
					t.Errorf("with %d calls at a dead api: %v", arrived, got)
				}
				close(w.open)
				if got := ends(dead, c.dead); got["ok"] != arrived {
					t.Errorf("%d calls were under way, and %v", arrived, got)
				}
			})
		}
	}
}

// TestHog: a caller who takes all that one caller can get at an api leaves room for
// another one, also in all.
func TestHog(t *testing.T) {
	w := newTown(t, serve.Limits{Waiting: -1})
	const calls = 3 * 1024
	hog := w.ask(t, "slow", calls, ann)
	for int(w.arrived.Load())+len(hog) < calls {
		time.Sleep(time.Millisecond)
	}
	taken := int(w.arrived.Load())
	other := w.ask(t, "slow", 100, bob)
	for int(w.arrived.Load())+len(other) < taken+100 {
		time.Sleep(time.Millisecond)
	}
	close(w.open)
	if got := ends(other, 100); got["ok"] != 100 {
		t.Errorf("beside a caller with %d calls: %v", taken, got)
	}
	if got := ends(hog, calls); got["ok"] != taken || got["rate_limited"] != calls-taken {
		t.Errorf("the caller with %d calls: %v", taken, got)
	}
}

// TestThousandCallers: 1,000 calls of one api at once are answered by a server
// of which nobody said anything, whoever makes them.
func TestThousandCallers(t *testing.T) {
	const calls = 1000
	for name, c := range map[string]struct {
		who func(int) string
		// atOnce of them run, the others wait.
		atOnce int64
	}{
		"anonymous": {nobody, calls}, "one key": {ann, 768}, "a key each": {everybody, calls},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t, serve.Limits{})
			ended := w.ask(t, "slow", calls, c.who)
			for w.arrived.Load() < c.atOnce && len(ended) == 0 {
				time.Sleep(time.Millisecond)
			}
			close(w.open)
			if got := ends(ended, calls); got["ok"] != calls {
				t.Errorf("%v", got)
			}
		})
	}
}
