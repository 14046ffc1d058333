package upstream

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// pollThing asks for a thing as generated code does, until its name is done.
func pollThing(ctx context.Context, u *Client, r *Round) (thing, error) {
	r.Step = "wait"
	return Poll(ctx, r, func(ctx context.Context, r *Round) (none thing, err error) {
		c := u.Call("wait", "GET", EffectRead)
		c.Path("/things")
		c.MayBeEmpty(ErrSkip)
		c.Attempts(1)
		r.Send(c)
		v, err := Do(ctx, c, scanThing)
		if err != nil {
			return none, err
		}
		r.More = v.name != "done"
		return v, nil
	})
}

// A state is one answer of a service that is asked again and again.
type state struct {
	status     int
	name       string
	retryAfter string
	takes      time.Duration
}

func TestPoll(t *testing.T) {
	running, none, done := state{name: "running"}, state{status: 204}, state{name: "done"}
	for name, k := range map[string]struct {
		states []state
		tool   time.Duration
		calls  int
		took   time.Duration
		kind   tool.Kind
	}{
		"done at once":                       {states: []state{done}, calls: 1},
		"done in the end":                    {states: []state{running, none, done}, calls: 3, took: 4 * time.Second},
		"never done":                         {states: []state{running}, calls: 5, took: 8 * time.Second, kind: tool.KindTimeout},
		"asked to wait":                      {states: []state{{name: "running", retryAfter: "7"}, done}, calls: 2, took: 7 * time.Second},
		"asked to wait less":                 {states: []state{{name: "running", retryAfter: "1"}, done}, calls: 2, took: 2 * time.Second},
		"asked to wait too long":             {states: []state{{name: "running", retryAfter: "10"}, done}, calls: 1, kind: tool.KindTimeout},
		"missing, asked to wait too long":    {states: []state{{status: 204, retryAfter: "99"}}, calls: 1, kind: tool.KindTimeout},
		"an answer that hangs":               {states: []state{running, {name: "done", takes: time.Minute}}, calls: 2, took: 10 * time.Second, kind: tool.KindTimeout},
		"a failure":                          {states: []state{running, {status: 409}, done}, calls: 2, took: 2 * time.Second, kind: tool.KindRejected},
		"the tool has less time":             {states: []state{running}, tool: 5 * time.Second, calls: 3, took: 4 * time.Second, kind: tool.KindTimeout},
		"another answer than was documented": {states: []state{running, {name: "\x01"}}, calls: 2, took: 2 * time.Second, kind: tool.KindBadBackend},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var calls atomic.Int64 // a request that was given up may still be running
				u := newTestUpstream(t, Spec{Timeout: time.Minute}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					s := k.states[min(int(calls.Add(1)), len(k.states))-1]
					time.Sleep(s.takes)
					if s.retryAfter != "" {
						w.Header().Set("Retry-After", s.retryAfter)
					}
					w.Header().Set("Content-Type", "application/json")
					if s.status != 0 {
						w.WriteHeader(s.status)
						return
					}
					_, _ = w.Write([]byte(`{"name":"` + s.name + `"}`))
				})})
				ctx := t.Context()
				if k.tool > 0 {
					bounded, cancel := Within(ctx, k.tool, 0, 0, 0)
					defer cancel()
					ctx = bounded
				}
				begin := time.Now()
				v, err := pollThing(ctx, u, &Round{Every: 2 * time.Second, Within: 10 * time.Second})
				if took := time.Since(begin); int(calls.Load()) != k.calls || took != k.took {
					t.Errorf("%d calls in %v, want %d in %v", calls.Load(), took, k.calls, k.took)
				}
				if e := tool.AsError(err); k.kind == 0 && (err != nil || v.name != "done") || k.kind != 0 && (err == nil || e.Kind != k.kind || e.Retryable != (k.kind == tool.KindTimeout)) {
					t.Errorf("%+v, %v", v, err)
				}
				time.Sleep(2 * time.Minute) // what hangs ends
			})
		})
	}
}

// TestPollEndsWithItsCaller: nobody waits for a caller who has gone.
func TestPollEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := newTestUpstream(t, Spec{}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { sendThing(w) })})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		begin := time.Now()
		_, err := pollThing(ctx, u, &Round{Every: 2 * time.Second, Within: time.Hour})
		if !errors.Is(err, context.Canceled) || time.Since(begin) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}
