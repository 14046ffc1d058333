package upstream

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
)

var listKeys = scan.NewKeys("names")

// scanNames wants the first two of a list.
func scanNames(s *scan.Scanner) (names []string) {
	for s.Open(); s.Next(listKeys); {
		names = scan.First(s, 2, (*scan.Scanner).Text)
	}
	return names
}

// countedBody counts what is read of a body.
type countedBody struct {
	io.Reader
	read *atomic.Int64
}

func (b countedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.read.Add(int64(n))
	return n, err
}

func (countedBody) Close() error { return nil }

// TestStopsEarly: what comes after the last wanted element is not read where the
// request can be made again, and is read and judged everywhere else.
func TestStopsEarly(t *testing.T) {
	const start = `{"names": ["a", "b", `
	rest := strings.Repeat(`"long", `, 1<<18)
	for _, test := range []struct {
		name, method string
		effect       Effect
		strict       bool
		end          string
		early        bool
	}{
		{"a read", "GET", EffectRead, false, "here it breaks", true},
		{"a whole answer", "GET", EffectRead, false, `"z"]}`, true},
		{"a strict read", "GET", EffectRead, true, `"z"]}`, false},
		{"a strict read of a broken answer", "GET", EffectRead, true, "here it breaks", false},
		{"an effect", "GET", EffectUnsafe, false, "here it breaks", false},
		{"a POST that reads", "POST", EffectRead, false, "here it breaks", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var read atomic.Int64
			whole := start + rest + test.end
			u := newTestUpstream(t, Spec{Name: "geo", BaseURL: "http://geo.example"}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
				header := http.Header{"Content-Type": {"application/json"}}
				return &http.Response{StatusCode: 200, Header: header, Body: countedBody{strings.NewReader(whole), &read}, ContentLength: -1, Request: r}, nil
			})})
			c := u.Call("find", test.method, test.effect)
			c.Path("/things")
			if test.strict {
				c.Strict()
			}
			names, err := Do(context.Background(), c, scanNames)
			if broken := !test.early && test.end != `"z"]}`; broken != (err != nil) || !broken && fmt.Sprint(names) != "[a b]" {
				t.Errorf("got %v, %v", names, err)
			}
			// What a connection can be used again for is drained.
			if most := int64(maxDrain + 64<<10); test.early != (read.Load() < most) {
				t.Errorf("%d of %d bytes were read", read.Load(), len(whole))
			}
		})
	}
}

// TestStopsEarlyKeepsConnections: where the rest is short the connection serves the
// next call; a long one is given up with it.
func TestStopsEarlyKeepsConnections(t *testing.T) {
	connections := map[string]bool{}
	size := 100
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connections[r.RemoteAddr] = true
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"names": ["a", "b"`+strings.Repeat(`, "c"`, size)+`]}`)
	}))
	defer server.Close()
	u := newTestUpstream(t, Spec{Name: "geo", BaseURL: server.URL, MaxBody: 1 << 30}, API{})
	ask := func() {
		t.Helper()
		c := u.Call("find", "GET", EffectRead)
		c.Path("/things")
		if names, err := Do(context.Background(), c, scanNames); err != nil || len(names) != 2 {
			t.Fatalf("%v, %v", names, err)
		}
	}
	for range 5 {
		ask()
	}
	if len(connections) != 1 {
		t.Errorf("%d connections for short answers", len(connections))
	}
	size = 4 << 20
	ask()
	ask()
	if len(connections) < 2 {
		t.Error("a long rest was read to its end")
	}
}
