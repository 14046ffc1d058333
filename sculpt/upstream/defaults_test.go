package upstream

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

// TestDefaultsOfAClient: what an api has that says nothing, and that what it says
// stays.
func TestDefaultsOfAClient(t *testing.T) {
	u := newTestUpstream(t, Spec{}, API{})
	if u.timeout != 10*time.Second || u.attempts != 3 || u.maxBody != 8<<20 || u.personal {
		t.Errorf("%v, %d attempts, %d bytes", u.timeout, u.attempts, u.maxBody)
	}
	want := http.Header{"Accept-Encoding": {"gzip"}, "Accept": {"application/json"}, "User-Agent": {"sculpt"}}
	if fmt.Sprint(u.header) != fmt.Sprint(want) {
		t.Errorf("%v", u.header)
	}
	u = newTestUpstream(t, Spec{Timeout: 1, Attempts: 1, MaxBody: 1, Headers: []Header{{Name: "user-agent", Value: "me"}}}, API{Handler: http.NotFoundHandler()})
	if u.timeout != 1 || u.attempts != 1 || u.maxBody != 1 || !u.personal || !slices.Equal(u.header["User-Agent"], []string{"me"}) {
		t.Errorf("%+v", u)
	}
	if u = newTestUpstream(t, Spec{Attempts: 4}, API{}); u.attempts != 3 {
		t.Errorf("%d attempts", u.attempts)
	}
	tr, ok := NewTransport().(*http.Transport)
	if !ok || tr.Proxy != nil || tr.TLSHandshakeTimeout != 5*time.Second || tr.IdleConnTimeout != 90*time.Second || tr.MaxIdleConnsPerHost != 1024 ||
		tr.ReadBufferSize != 16<<10 || tr.MaxResponseHeaderBytes != 64<<10 || !tr.DisableCompression || tr.ForceAttemptHTTP2 || tr.DialContext == nil {
		t.Errorf("%+v", tr)
	}
}

// TestCredentialsWithoutAValue are left out of a request, wherever they would go,
// and nobody is asked to agree to those that users have no part in.
func TestCredentialsWithoutAValue(t *testing.T) {
	u := &Client{credentials: []credential{
		{Credential: Credential{Scheme: "a", In: "query", Name: "a"}}, {Credential: Credential{Scheme: "b", In: "cookie", Name: "b"}}, {Credential: Credential{Scheme: "c", In: "header", Name: "C"}},
		{Credential: Credential{Scheme: "d", In: "query", Name: "d"}, text: "4 2"}, {Credential: Credential{Scheme: "e", In: "cookie", Name: "e"}, text: "5"}, {Credential: Credential{Scheme: "f", In: "header", Name: "F"}, text: "6"},
	}, header: http.Header{"Accept": {"x"}}, base: origin{scheme: "http", host: "a.example"}}
	c := u.Call("find", "GET", EffectRead)
	for i := range u.credentials {
		c.asked = append(c.asked, &u.credentials[i])
	}
	c.Path("/x")
	header, err := c.prepare(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := http.Header{"Accept": {"x"}, "Cookie": {"e=5"}, "F": {"6"}}
	if fmt.Sprint(header) != fmt.Sprint(want) || c.target.String() != "http://a.example/x?d=4%202" || c.secretQuery != "d=4%202" {
		t.Errorf("%v, %s, %s", header, &c.target, c.secretQuery)
	}
	key := newTestUpstream(t, Spec{Credentials: []Credential{{Scheme: "key", In: "header", Name: "X-Key", Value: "s"}}}, API{})
	if err := key.Agreed(t.Context(), "find", "key"); err != nil {
		t.Error(err)
	}
}
