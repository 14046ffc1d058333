package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// cachedThing asks for a thing with a cache of a minute.
func cachedThing(ctx context.Context, u *Client, path string, change func(*Call)) (thing, error) {
	c := authorized(u, "GET")
	c.Path(path)
	c.Cache(time.Minute)
	if change != nil {
		change(c)
	}
	return Do(ctx, c, scanThing)
}

func TestCacheAnswersAgain(t *testing.T) {
	tests := []struct {
		name   string
		answer http.HandlerFunc
		after  time.Duration
		asked  int64 // for two calls, the second after the wait
	}{
		{"plain", answer(200, "application/json", thingJSON), 59 * time.Second, 1},
		{"too old", answer(200, "application/json", thingJSON), time.Minute, 2},
		{"its own age", answer(200, "application/json", thingJSON, "Cache-Control", "public, max-age=10"), 9 * time.Second, 1},
		{"past its own age", answer(200, "application/json", thingJSON, "Cache-Control", "public, max-age=10"), 10 * time.Second, 2},
		{"longer than asked for", answer(200, "application/json", thingJSON, "Cache-Control", "max-age=3600"), time.Minute, 2},
		{"shared age", answer(200, "application/json", thingJSON, "Cache-Control", "s-maxage=5, max-age=50"), 6 * time.Second, 2},
		{"old on arrival", answer(200, "application/json", thingJSON, "Cache-Control", "max-age=30", "Age", "25"), 6 * time.Second, 2},
		{"no-store", answer(200, "application/json", thingJSON, "Cache-Control", "No-Store"), 0, 2},
		{"no-cache", answer(200, "application/json", thingJSON, "Cache-Control", "no-cache"), 0, 2},
		{"private", answer(200, "application/json", thingJSON, "Cache-Control", `private="x", max-age=10`), 0, 2},
		{"nonsense", answer(200, "application/json", thingJSON, "Cache-Control", "max-age=soon"), 0, 2},
		{"varies", answer(200, "application/json", thingJSON, "Vary", "*"), 0, 2},
		{"too long", answer(200, "application/json", `{"other":"`+strings.Repeat("x", cacheEntryBytes)+`","name":"found"}`), 0, 2},
		{"not decoded", answer(200, "application/json", `{"name":7}`), 0, 2},
		{"no JSON", answer(200, "text/html", "<p>"), 0, 2},
		{"failed", answer(404, "application/json", `{}`), 0, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Int64
				u := newTestUpstream(t, Spec{Attempts: 1}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked.Add(1)
					test.answer(w, r)
				})})
				first, failed := cachedThing(t.Context(), u, "/things", nil)
				time.Sleep(test.after)
				again, err := cachedThing(t.Context(), u, "/things", nil)
				if again != first || fmt.Sprint(err) != fmt.Sprint(failed) {
					t.Errorf("%v %v, then %v %v", first, failed, again, err)
				}
				if asked.Load() != test.asked {
					t.Errorf("asked %d times, want %d", asked.Load(), test.asked)
				}
			})
		})
	}
}

func TestCacheTellsRequestsApart(t *testing.T) {
	var asked atomic.Int64
	u := newTestUpstream(t, Spec{Credentials: []Credential{{In: "header", Name: "Authorization", Caller: true}}}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		sendThing(w)
	})})
	as := func(who string) context.Context {
		return tool.WithPrincipal(t.Context(), &tool.Principal{Authorization: who})
	}
	calls := []func() (thing, error){
		func() (thing, error) { return cachedThing(as("ann"), u, "/things", nil) },
		func() (thing, error) { return cachedThing(as("bob"), u, "/things", nil) },
		func() (thing, error) { return cachedThing(as("ann"), u, "/others", nil) },
		func() (thing, error) {
			return cachedThing(as("ann"), u, "/things", func(c *Call) { c.Query("a", "1") })
		},
		func() (thing, error) {
			return cachedThing(as("ann"), u, "/things", func(c *Call) { c.Header("X-Lang", "en") })
		},
		func() (thing, error) {
			return cachedThing(as("ann"), u, "/things", func(c *Call) { c.Cookie("lang", "en") })
		},
		func() (thing, error) {
			return cachedThing(as("ann"), u, "/things", func(c *Call) { c.Body("application/json", []byte(`{}`)) })
		},
	}
	for range 2 {
		for i, call := range calls {
			if v, err := call(); err != nil || v.name != "found" {
				t.Error(i, v, err)
			}
		}
	}
	if int(asked.Load()) != len(calls) {
		t.Errorf("%d requests for %d different calls", asked.Load(), len(calls))
	}
}

func TestCacheSharesWhatIsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked, cancelled atomic.Int64
		u := newTestUpstream(t, Spec{Attempts: 1}, API{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			asked.Add(1)
			select {
			case <-time.After(5 * time.Second):
				w := &answerWriter{header: http.Header{}}
				sendThing(w)
				return w.response(r), nil
			case <-r.Context().Done():
				cancelled.Add(1)
				return nil, r.Context().Err()
			}
		})})
		// The one who began it leaves; the others get the answer.
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := cachedThing(short, u, "/things", func(c *Call) { c.Timeout(20 * time.Second) }); tool.KindOf(err) != tool.KindTimeout {
				t.Error(err)
			}
		})
		synctest.Wait()
		for range 10 {
			wg.Go(func() {
				if v, err := cachedThing(t.Context(), u, "/things", nil); err != nil || v.name != "found" {
					t.Error(v, err)
				}
			})
		}
		wg.Wait()
		if asked.Load() > 2 || cancelled.Load() > 1 {
			t.Errorf("%d requests, %d cancelled", asked.Load(), cancelled.Load())
		}
		// When all have left nobody waits for the answer.
		gone, leave := context.WithCancel(t.Context())
		wg.Go(func() {
			if _, err := cachedThing(gone, u, "/nobody", nil); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		before := cancelled.Load()
		leave()
		wg.Wait()
		synctest.Wait()
		if cancelled.Load() != before+1 {
			t.Error("the request goes on though nobody waits for it")
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestCacheIsBounded(t *testing.T) {
	body := `{"name":"found","other":"` + strings.Repeat("x", 100<<10) + `"}`
	u := newTestUpstream(t, Spec{}, API{Handler: answer(200, "application/json", body)})
	for i := range 2 * cacheBytes / len(body) {
		if _, err := cachedThing(t.Context(), u, fmt.Sprint("/things/", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	s := &u.cache
	sum := 0
	for e := s.recent.Front(); e != nil; e = e.Next() {
		sum += e.Value.(*cachedAnswer).answer.size()
	}
	if s.bytes > cacheBytes || s.bytes != sum || s.recent.Len() != len(s.entries) || len(s.flights) != 0 {
		t.Errorf("%d bytes counted, %d there, in %d entries, %d of them known, %d requests left", s.bytes, sum, s.recent.Len(), len(s.entries), len(s.flights))
	}
	small := newTestUpstream(t, Spec{}, API{Handler: answer(200, "application/json", thingJSON)})
	for i := range cacheEntries + 10 {
		if _, err := cachedThing(t.Context(), small, fmt.Sprint("/things/", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(small.cache.entries); n != cacheEntries {
		t.Error(n, "entries")
	}
}

// TestCacheKeepsCallersApart has a transport that sends on what the caller
// brought, which no request that is put together here shows.
func TestCacheKeepsCallersApart(t *testing.T) {
	callers := []*tool.Principal{
		nil, {ID: "app"}, {ID: "app", UserID: "ann"}, {ID: "app", UserID: "bob"}, {ID: "app", Authorization: "Bearer a"},
		{ID: "app", Tokens: map[string]string{"crm": "1"}}, {ID: "app", Tokens: map[string]string{"crm": "2"}}, {ID: "app", Tokens: map[string]string{"cr": "m1"}},
		{ID: "app", Secrets: map[string]string{"crm": "1"}}, {ID: "app", Claims: map[string]string{"crm": "1"}}, {ID: "appann"},
	}
	body := func(r *http.Request) string {
		return fmt.Sprintf(`{"name":%q}`, fmt.Sprint(*tool.CallerOf(r.Context())))
	}
	for name, api := range map[string]API{
		"transport": {Transport: tripper(func(r *http.Request) (*http.Response, error) { return respond(200, body(r)), nil })},
		"handler":   {Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(200, "application/json", body(r))(w, r) })},
	} {
		t.Run(name, func(t *testing.T) {
			u := newTestUpstream(t, Spec{}, api)
			var wg sync.WaitGroup
			for range 3 { // the first ones side by side, the later ones from what is kept
				for _, p := range callers {
					wg.Go(func() {
						ctx := tool.WithPrincipal(t.Context(), p)
						got, err := cachedThing(ctx, u, "/things", nil)
						if want := fmt.Sprint(*tool.CallerOf(ctx)); err != nil || got.name != want {
							t.Errorf("%s is answered with what is for %s (%v)", want, got.name, err)
						}
					})
				}
				wg.Wait()
			}
			if n := len(u.cache.entries); n != len(callers) {
				t.Errorf("%d answers are kept for %d callers", n, len(callers))
			}
		})
	}
	// What this package sends alone shows in the request, so that callers share.
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		sendThing(w)
	}))
	defer server.Close()
	shared := newTestUpstream(t, Spec{BaseURL: server.URL}, API{})
	for _, p := range callers {
		if _, err := cachedThing(tool.WithPrincipal(t.Context(), p), shared, "/things", nil); err != nil {
			t.Error(err)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}
