package upstream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A counter is an api that lets its requests go one by one.
type counter struct {
	u *Client
	// at has the paths of the requests in the order in which they came.
	mu  sync.Mutex
	at  []string
	let chan struct{}
}

func newCounter(t *testing.T) *counter {
	k := &counter{let: make(chan struct{})}
	k.u = newTestUpstream(t, Spec{Attempts: 1, Timeout: time.Hour}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		k.mu.Lock()
		k.at = append(k.at, r.URL.Path)
		k.mu.Unlock()
		select {
		case <-k.let:
			return respond(200, "{}"), nil
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	})})
	return k
}

func (k *counter) arrived() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.at)
}

// ask begins a call of a caller and returns where it ends.
func (k *counter) ask(ctx context.Context, who, path string, s share) chan error {
	ended := make(chan error, 1)
	go func() {
		ctx, end := Within(tool.WithPrincipal(ctx, &tool.Principal{ID: who}), time.Hour, s.perAPI, s.perCaller, s.waiting)
		defer end()
		c := k.u.Call("ask", "GET", EffectRead)
		c.Path(path)
		_, err := Do[struct{}](ctx, c, nil)
		ended <- err
	}()
	return ended
}

// empty reports what is left of the calls that have ended.
func (k *counter) empty(t *testing.T) {
	t.Helper()
	g := &k.u.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running != 0 || len(g.by) != 0 || len(g.lines) != 0 || g.turn.Len() != 0 || g.waiting != 0 || g.bytes != 0 {
		t.Errorf("left: %d run, %v, %d lines, %d turns, %d wait with %d bytes", g.running, g.by, len(g.lines), g.turn.Len(), g.waiting, g.bytes)
	}
}

// TestTurns: callers who wait take turns, and the calls of one are first come, first
// served.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newCounter(t)
		s := share{perAPI: 2, perCaller: 2, waiting: 16}
		var ended []chan error
		for _, path := range []string{"/ann1", "/ann2", "/ann3", "/ann4", "/ann5", "/bob1", "/bob2", "/1", "/cat1"} {
			who := strings.Trim(path, "/12345")
			ended = append(ended, k.ask(t.Context(), who, path, s))
			synctest.Wait()
		}
		want := []string{"/ann1", "/ann2", "/ann3", "/bob1", "/1", "/cat1", "/ann4", "/bob2", "/ann5"}
		for n := 2; n <= len(want); n++ {
			if got := k.arrived(); !slices.Equal(got, want[:n]) {
				t.Fatalf("%v, want %v", got, want[:n])
			}
			if n < len(want) {
				k.let <- struct{}{}
				synctest.Wait()
			}
		}
		close(k.let)
		for _, e := range ended {
			if err := <-e; err != nil {
				t.Error(err)
			}
		}
		k.empty(t)
	})
}

// TestShareOfACaller: who has as many calls under way as one caller may have waits, and
// the next one in the queue does not.
func TestShareOfACaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newCounter(t)
		s := share{perAPI: 3, perCaller: 1, waiting: 16}
		ended := []chan error{k.ask(t.Context(), "ann", "/ann1", s)}
		synctest.Wait()
		ended = append(ended, k.ask(t.Context(), "ann", "/ann2", s))
		synctest.Wait()
		ended = append(ended, k.ask(t.Context(), "bob", "/bob1", s), k.ask(t.Context(), "", "/x", s))
		synctest.Wait()
		if got := k.arrived(); len(got) != 3 || slices.Contains(got, "/ann2") {
			t.Errorf("%v run", got)
		}
		// A call of the program itself has no bound, and stands in no queue.
		ended = append(ended, k.ask(t.Context(), "ann", "/own", share{}))
		synctest.Wait()
		if got := k.arrived(); !slices.Contains(got, "/own") {
			t.Errorf("%v run", got)
		}
		close(k.let)
		for _, e := range ended {
			if err := <-e; err != nil {
				t.Error(err)
			}
		}
		k.empty(t)
	})
}

// TestQueueIsBounded: what finds no room to wait is refused at once, what has waited
// for 5 s then, each with the reason of its caller; nothing was sent.
func TestQueueIsBounded(t *testing.T) {
	const busy, own = "unavailable The service behind this tool is busy. Try again in a moment.", "rate_limited Too many of your calls run at once. Wait for one to end."
	synctest.Test(t, func(t *testing.T) {
		k := newCounter(t)
		s := share{perAPI: 3, perCaller: 2, waiting: 4}
		begin := time.Now()
		check := func(what string, ended chan error, want string, after time.Duration) {
			t.Helper()
			e := tool.AsError(<-ended)
			if got := e.Kind.String() + " " + e.Message; got != want || !e.Retryable || e.Step != "ask" || e.Developer == "" || time.Since(begin) != after {
				t.Errorf("%s: %s after %v, want %s after %v: %+v", what, got, time.Since(begin), want, after, e)
			}
		}
		var run, wait []chan error
		for i := range 5 { // two run, three wait, which is all that one caller gets
			ended := k.ask(t.Context(), "ann", fmt.Sprint("/ann", i), s)
			synctest.Wait()
			if run = append(run, ended); i > 1 {
				wait = append(wait, ended)
			}
		}
		check("a sixth call of ann", k.ask(t.Context(), "ann", "/", s), own, 0)
		run = append(run[:2], k.ask(t.Context(), "bob", "/bob", s))
		synctest.Wait()
		last := k.ask(t.Context(), "cat", "/cat", s)
		synctest.Wait()
		check("a call of bob, with nothing free", k.ask(t.Context(), "bob", "/", s), busy, 0)
		check("a call of nobody", k.ask(t.Context(), "", "/", s), busy, 0)
		for _, ended := range wait {
			check("a call of ann that has waited", ended, own, longestQueue)
		}
		check("a call of cat that has waited", last, busy, longestQueue)
		if got := k.arrived(); len(got) != 3 {
			t.Errorf("%v were sent", got)
		}
		close(k.let)
		for _, ended := range run {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		k.empty(t)
	})
}

// TestQueueOfBytes: long requests wait in a bounded number of bytes, of which one
// caller gets a part.
func TestQueueOfBytes(t *testing.T) {
	long := make([]byte, 20<<20)
	synctest.Test(t, func(t *testing.T) {
		u := newTestUpstream(t, Spec{}, API{Handler: http.NotFoundHandler()})
		u.gate.running = 1
		wait := func(who string) chan error {
			ended := make(chan error, 1)
			go func() {
				ctx, end := Within(tool.WithPrincipal(t.Context(), &tool.Principal{ID: who}), time.Second, 1, 1, 100)
				defer end()
				c := u.Call("ask", "POST", EffectUnsafe)
				c.Body("application/json", long)
				_, err := Do[struct{}](ctx, c, nil)
				ended <- err
			}()
			synctest.Wait()
			return ended
		}
		waiting := []chan error{wait("ann"), wait("ann")}
		if e := tool.AsError(<-wait("ann")); e.Kind != tool.KindRateLimited {
			t.Errorf("60 MB of one caller: %+v", e)
		}
		waiting = append(waiting, wait("bob"))
		if e := tool.AsError(<-wait("cat")); e.Kind != tool.KindUnavailable {
			t.Errorf("80 MB of all: %+v", e)
		}
		begin := time.Now()
		for _, ended := range waiting {
			if e := tool.AsError(<-ended); e.Kind != tool.KindUnavailable || time.Since(begin) != time.Second {
				t.Errorf("at the end of the call: %+v after %v", e, time.Since(begin))
			}
		}
	})
}

// TestWaiterLeaves: a call whose caller hangs up leaves the queue at once, and the
// next one has its turn.
func TestWaiterLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newCounter(t)
		s := share{perAPI: 1, perCaller: 1, waiting: 3}
		first := k.ask(t.Context(), "ann", "/ann", s)
		synctest.Wait()
		ctx, hangUp := context.WithCancel(t.Context())
		gone := []chan error{k.ask(ctx, "bob", "/bob", s), k.ask(ctx, "bob", "/bob", s)}
		synctest.Wait()
		next := k.ask(t.Context(), "cat", "/cat", s)
		synctest.Wait()
		begin := time.Now()
		hangUp()
		for _, ended := range gone {
			if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(begin) != 0 {
				t.Errorf("%v after %v", err, time.Since(begin))
			}
		}
		k.let <- struct{}{}
		synctest.Wait()
		if got := k.arrived(); !slices.Equal(got, []string{"/ann", "/cat"}) {
			t.Errorf("%v", got)
		}
		close(k.let)
		if err := errors.Join(<-first, <-next); err != nil {
			t.Error(err)
		}
		k.empty(t)
	})
}

// TestQueueUnderLoad: whatever comes, goes and hangs up at the same time, no place
// and no turn is lost.
func TestQueueUnderLoad(t *testing.T) {
	k := newCounter(t)
	close(k.let)
	s := share{perAPI: 4, perCaller: 2, waiting: 64}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range 200 {
				ctx, hangUp := context.WithCancel(t.Context())
				ended := k.ask(ctx, []string{"", "ann", "bob"}[random.IntN(3)], "/", s)
				if random.IntN(3) == 0 {
					hangUp()
				}
				<-ended
				hangUp()
			}
		})
	}
	wg.Wait()
	k.empty(t)
}

// TestTokensCount: a call that waits for an access token has its place at the api,
// so that a dead token endpoint takes the places of its own api alone.
func TestTokensCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newTestUpstream(t, Spec{Credentials: []Credential{{
			Scheme: "o", In: "header", Name: "Authorization", Prefix: "Bearer ", Grant: "client_credentials", TokenURL: "https://sign.example/token", ClientID: "c", Value: "s",
		}}}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})})
		ask := func() error {
			ctx, end := Within(t.Context(), time.Minute, 1, 1, 0)
			defer end()
			c := u.Call("ask", "GET", EffectRead)
			c.Credentials("o")
			_, err := Do[struct{}](ctx, c, nil)
			return err
		}
		first := make(chan error, 1)
		go func() { first <- ask() }()
		synctest.Wait()
		begin := time.Now()
		if e := tool.AsError(ask()); e.Kind != tool.KindUnavailable || time.Since(begin) != 0 {
			t.Errorf("%+v after %v", e, time.Since(begin))
		}
		if err := <-first; err == nil {
			t.Error("a call without a token was sent")
		}
	})
}
