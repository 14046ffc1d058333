package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A paged answer is {"items":[..],"next":".."}.
type paged struct {
	items []string
	next  string
}

var pagedKeys = scan.NewKeys("items", "next")

func scanPaged(s *scan.Scanner) (v paged) {
	for s.Open(); s.Next(pagedKeys); {
		if s.Key() == "items" {
			v.items = scan.List(s, (*scan.Scanner).Text)
		} else {
			v.next = s.Text()
		}
	}
	return v
}

// collectPaged collects from /list as generated code does.
func collectPaged(ctx context.Context, u *Client, r *Round, kept *Answer) ([]string, error) {
	r.Step, r.Max = "list", max(r.Max, 1)
	return Collect(ctx, r, func(ctx context.Context, r *Round) ([]string, error) {
		c := u.Call("list", "GET", EffectRead)
		c.Credentials("key")
		c.Path("/list")
		c.Query("q", "x y")
		c.Keep(kept)
		r.Send(c)
		p, err := Do(ctx, c, scanPaged)
		if err != nil {
			return nil, err
		}
		r.More, r.Next = true, p.next
		return p.items, nil
	})
}

func sendPage(w http.ResponseWriter, next string, items ...string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"items":["%s"],"next":%q}`, strings.Join(items, `","`), next)
}

// TestCollectIsBounded: whatever a server does, a list ends, and the error or the
// mark of a part says why it did.
func TestCollectIsBounded(t *testing.T) {
	cases := map[string]struct {
		page  func(w http.ResponseWriter, n int64)
		round Round
		body  int64
		// calls are made, got items are there, code is that of the error.
		calls int64
		got   int
		kind  tool.Kind
		code  string
	}{
		"fresh cursors for ever": {
			page:  func(w http.ResponseWriter, n int64) { sendPage(w, fmt.Sprint("t", n), "a") },
			round: Round{Token: "t", Max: 10000}, calls: 20, got: 20, kind: tool.KindRejected, code: "too_many",
		},
		"more items than the bound": {
			page:  func(w http.ResponseWriter, n int64) { sendPage(w, fmt.Sprint("t", n), "a", "b", "c") },
			round: Round{Token: "t", Max: 7}, calls: 3, got: 7, kind: tool.KindRejected, code: "too_many",
		},
		"more bytes than all pages may have": {
			page: func(w http.ResponseWriter, n int64) {
				sendPage(w, fmt.Sprint("t", n), strings.Repeat("a", 900))
			},
			round: Round{Token: "t", Max: 100}, body: 1000, calls: 5, got: 4, kind: tool.KindBadBackend, code: "upstream_too_large",
		},
		"a page that fails": {
			page: func(w http.ResponseWriter, n int64) {
				if n == 3 {
					w.WriteHeader(http.StatusConflict)
					return
				}
				sendPage(w, fmt.Sprint("t", n), "a")
			},
			round: Round{Token: "t", Max: 100}, calls: 3, got: 2, kind: tool.KindRejected,
		},
	}
	for name, k := range cases {
		for _, partial := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " partial=", partial), func(t *testing.T) {
				var calls atomic.Int64
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { k.page(w, calls.Add(1)) }))
				defer server.Close()
				u := newTestUpstream(t, Spec{BaseURL: server.URL, MaxBody: k.body}, API{})
				r, kept := k.round, &Answer{}
				r.Partial = partial
				got, err := collectPaged(t.Context(), u, &r, kept)
				if calls.Load() != k.calls || kept.Partial != partial {
					t.Errorf("%d calls, want %d; partial: %v", calls.Load(), k.calls, kept.Partial)
				}
				if partial {
					if err != nil || len(got) != k.got {
						t.Errorf("%d items, want %d, %v", len(got), k.got, err)
					}
				} else if e := tool.AsError(err); err == nil || got != nil || e.Kind != k.kind || e.Code != k.code || e.Step != "list" {
					t.Errorf("%d items, %v %q of %q", len(got), e.Kind, e.Code, e.Step)
				}
			})
		}
	}
}

// TestCollectAsksForNoMoreThanIsWanted: pages after the last one that matters are
// not asked for, and a list that has exactly the bound is whole.
func TestCollectAsksForNoMoreThanIsWanted(t *testing.T) {
	pages := map[string][2]string{"": {"b", "1"}, "b": {"c", "2"}, "c": {"", "3"}}
	for _, k := range []struct{ want, max, got, calls int }{{1, 9, 1, 1}, {2, 2, 2, 2}, {0, 3, 3, 3}, {3, 3, 3, 3}} {
		calls := 0
		u := newTestUpstream(t, Spec{}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			calls++
			page := pages[r.URL.Query().Get("t")]
			sendPage(w, page[0], page[1])
		})})
		got, err := collectPaged(t.Context(), u, &Round{Token: "t", Max: k.max, Want: k.want}, nil)
		if err != nil || len(got) != k.got || calls != k.calls || !slices.IsSorted(got) {
			t.Errorf("%+v: %v in %d calls, %v", k, got, calls, err)
		}
	}
}

// TestCollectStaysOnItsOrigin: no request leaves for another origin, and a
// credential in the query goes along on its own.
func TestCollectStaysOnItsOrigin(t *testing.T) {
	for next, wanted := range map[string]string{
		"http://evil.example/list": "", "https://api.example/list": "", "//evil.example/list": "", "http://api.example:81/list": "",
		"http://me:pw@api.example/list": "", "http:list": "", "mailto:a@api.example": "", "http://api.example\x7f/": "",
		"/v2/list?c=%2Fa+b#top": "/v2/list?c=%2Fa+b&key=s3cretkey", "?c=2&key=old": "/list?c=2&key=s3cretkey",
		"http://API.example:80/../list": "/list?key=s3cretkey", "next": "/next?key=s3cretkey",
	} {
		var asked []string
		u := newTestUpstream(t, Spec{Credentials: []Credential{{Scheme: "key", In: "query", Name: "key", Value: "s3cretkey"}}},
			API{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked = append(asked, r.Host+r.RequestURI); len(asked) > 1 {
					next = ""
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"items":["a"],"next":"`+strings.ReplaceAll(next, "\x7f", `\u007f`)+`"}`)
			})})
		name := next
		_, err := collectPaged(t.Context(), u, &Round{Max: 9}, nil)
		switch {
		case wanted == "":
			if tool.KindOf(err) != tool.KindBadBackend || !errors.Is(err, errForeign) || len(asked) != 1 {
				t.Errorf("%q: %v, asked %v", name, err, asked)
			}
		case err != nil || len(asked) != 2 || asked[1] != "api.example"+wanted:
			t.Errorf("%q: %v, asked %v", name, err, asked)
		}
	}
}

// TestCollectEndsInTime: the time of one call is that of all pages together.
func TestCollectEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int64 // a request that was given up may still be running
		u := newTestUpstream(t, Spec{Timeout: 10 * time.Second}, API{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n := calls.Add(1)
			time.Sleep(4 * time.Second)
			sendPage(w, fmt.Sprint("t", n), "a")
		})})
		begin := time.Now()
		_, err := collectPaged(t.Context(), u, &Round{Token: "t", Max: 99}, nil)
		if took := time.Since(begin); tool.KindOf(err) != tool.KindTimeout || took != 10*time.Second || calls.Load() != 3 {
			t.Errorf("%v after %v and %d calls", err, took, calls.Load())
		}
		got, err := collectPaged(t.Context(), u, &Round{Token: "t", Max: 99, Partial: true}, &Answer{})
		if len(got) != 2 || err != nil {
			t.Errorf("of a part: %v, %v", got, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		got, err = collectPaged(ctx, u, &Round{Token: "t", Max: 99, Partial: true}, &Answer{})
		if got != nil || tool.KindOf(err) != tool.KindTimeout {
			t.Errorf("after the end of the tool a part is of no use to anybody: %v, %v", got, err)
		}
		time.Sleep(time.Minute)
	})
}

func TestNextLink(t *testing.T) {
	for header, want := range map[string]string{
		``: "", `<a>; rel=next`: "a", `<a>; rel="next"`: "a", `<a>;rel=prev,<b>;rel=NEXT`: "b",
		`<a>; rel="last", </b,c;d>; title="x, <y>; rel=next"; rel="prev next"`: "/b,c;d",
		`<a>; title="\"; rel=next"`: "", `<a>; rel=prev; rel=next`: "", `<a>; rel=next; anchor="#x", <b>; rel=next`: "b",
		`<a>; REL=next`: "a", `<a`: "", `a; rel=next`: "", `<a>; rel`: "", `<a>; rel="next`: "a", `<a> ; rel = next`: "a", `<a>; relx=next`: "",
		`<a>;;;rel=next`: "a", `<>; rel=next`: "",
	} {
		if got := nextLink(http.Header{"Link": {header}}); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	if got := nextLink(http.Header{"Link": {`<a>; rel=prev`, `<b>; rel=next`}}); got != "b" {
		t.Errorf("of two headers: %q", got)
	}
}
