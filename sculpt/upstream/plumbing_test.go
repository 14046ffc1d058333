package upstream

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestHeadersAreShared: calls that add nothing send the same map, and what one of
// them adds is in no other.
func TestHeadersAreShared(t *testing.T) {
	var sent []http.Header
	u := newTestUpstream(t, Spec{
		Name: "geo", BaseURL: "http://geo.example", Headers: []Header{{"Accept", "application/geo+json"}},
		Credentials: []Credential{
			{Scheme: "key", In: "header", Name: "X-Key", Value: "secret-of-the-api"},
			{Scheme: "caller", In: "header", Name: "Authorization", Caller: true},
		},
	}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		sent = append(sent, r.Header)
		return respond(200, `{"names":[]}`), nil
	})})
	send := func(prepare func(*Call)) http.Header {
		t.Helper()
		c := u.Call("find", "GET", EffectRead)
		c.Path("/things")
		prepare(c)
		ctx := tool.WithPrincipal(t.Context(), &tool.Principal{Authorization: "Bearer of-a-caller"})
		if _, err := Do(ctx, c, scanNames); err != nil {
			t.Fatal(err)
		}
		return sent[len(sent)-1]
	}
	same := func(a, b http.Header) bool { return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() }
	plain := send(func(*Call) {})
	keyed := send(func(c *Call) { c.Credentials("key") })
	for what, h := range map[string]http.Header{
		"nothing": send(func(*Call) {}), "what the api says": send(func(c *Call) { c.Accept("application/geo+json") }),
	} {
		if !same(h, plain) {
			t.Errorf("a call that adds %s has headers of its own: %v", what, h)
		}
	}
	if again := send(func(c *Call) { c.Credentials("key") }); !same(again, keyed) || keyed.Get("X-Key") != "secret-of-the-api" || keyed.Get("Accept") != "application/geo+json" {
		t.Errorf("with the key of the api: %v", keyed)
	}
	own := send(func(c *Call) { c.Credentials("key"); c.Header("X-Own", "1"); c.Cookie("a", "b") })
	caller := send(func(c *Call) { c.Credentials("caller", "key") })
	cookie := send(func(c *Call) { c.Credentials("key"); c.Cookie("a", "b") })
	if own.Get("X-Own") != "1" || own.Get("X-Key") == "" || caller.Get("Authorization") != "Bearer of-a-caller" || caller.Get("X-Key") == "" || cookie.Get("Cookie") != "a=b" {
		t.Errorf("%v, %v", own, caller)
	}
	want := http.Header{"Accept": {"application/geo+json"}, "Accept-Encoding": {"gzip"}, "User-Agent": {"sculpt"}}
	if !reflect.DeepEqual(plain, want) || len(keyed) != 4 {
		t.Errorf("what calls share has changed: %v, %v", plain, keyed)
	}
}

// TestPackedRest: where nothing more is wanted of a packed answer, its rest is read
// as it is sent, and not unpacked: it may be a thousand times as long.
func TestPackedRest(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, `{"names": ["a", "b"`)
	noise := rand.New(rand.NewPCG(1, 2)) // so that it does not pack well
	for b.Len() < 200<<10 {
		fmt.Fprintf(z, `, "%x%x"`, noise.Uint64(), noise.Uint64())
	}
	_ = z.Flush()
	whole := append(b.Bytes(), bytes.Repeat([]byte("not gzip at all"), 500)...)
	for name, length := range map[string]int64{"a known length": int64(len(whole)), "an unknown length": -1} {
		var read atomic.Int64
		u := newTestUpstream(t, Spec{Name: "geo", BaseURL: "http://geo.example"}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			header := http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}
			return &http.Response{StatusCode: 200, Header: header, Body: countedBody{strings.NewReader(string(whole)), &read}, ContentLength: length, Request: r}, nil
		})})
		c := u.Call("find", "GET", EffectRead)
		c.Path("/things")
		if names, err := Do(context.Background(), c, scanNames); err != nil || fmt.Sprint(names) != "[a b]" {
			t.Errorf("%s: %v, %v", name, names, err)
		}
		if read.Load() != int64(len(whole)) {
			t.Errorf("%s: %d of %d bytes were read", name, read.Load(), len(whole))
		}
	}
}

// TestShareOfAnAPI: an api that hangs takes its own share of the calls, and leaves
// the others theirs; what is refused was not sent.
func TestShareOfAnAPI(t *testing.T) {
	var asked atomic.Int64
	hold := make(chan struct{})
	slow := newTestUpstream(t, Spec{Name: "slow", BaseURL: "http://slow.example"}, API{Transport: tripper(func(*http.Request) (*http.Response, error) {
		asked.Add(1)
		<-hold
		return respond(200, `{"names":[]}`), nil
	})})
	quick := newTestUpstream(t, Spec{Name: "quick", BaseURL: "http://quick.example"}, API{Transport: tripper(func(*http.Request) (*http.Response, error) {
		return respond(200, `{"names":[]}`), nil
	})})
	ask := func(u *Client, effect Effect) error {
		ctx, end := Within(t.Context(), time.Minute, 2, 0, 0)
		defer end()
		c := u.Call("find", "GET", effect)
		c.Path("/things")
		_, err := Do(ctx, c, scanNames)
		return err
	}
	done := make(chan error, 2)
	for range 2 {
		go func() { done <- ask(slow, EffectRead) }()
	}
	for asked.Load() != 2 {
		time.Sleep(time.Millisecond)
	}
	for _, effect := range []Effect{EffectRead, EffectUnsafe} {
		if e := tool.AsError(ask(slow, effect)); e.Kind != tool.KindUnavailable || !e.Retryable || e.Step != "find" {
			t.Errorf("a third call: %+v", e)
		}
	}
	if err := ask(quick, EffectRead); err != nil {
		t.Error("a call of another api:", err)
	}
	close(hold)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if err := ask(slow, EffectRead); err != nil || asked.Load() != 3 {
		t.Error("after the others:", err, asked.Load())
	}
}
