package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// refundID is the id of refund_payment.
const refundID = "ab30b64e-fd7e-5fac-b701-f7dbb83136ec"

// A kept is a log that a test reads while a server writes it.
type kept struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (k *kept) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.Write(p)
}

func (k *kept) String() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

// TestProduction holds what docs/production.md says of this program.
func TestProduction(t *testing.T) {
	paid := stub.Answer{Status: http.StatusCreated, Body: `{"id": "re_1", "status": "pending", "amount": {"currency": "EUR", "value": "19.50"}}`}
	api := stub.Serve(t, paid)
	variables := map[string]string{"MOLLIE_KEY": "live_1", "MOLLIE_BASE_URL": api.URL, "DESK_KEY": "d3sk"}
	lookup := func(name string) (string, bool) { v, ok := variables[name]; return v, ok }
	var said kept
	log := slog.New(slog.NewJSONHandler(&said, nil))
	handler, err := newHandler(lookup, log)
	if err != nil {
		t.Fatal(err)
	}
	base, stop, ended := start(t, handler, log)

	// Who has no key, another host or a page of a stranger gets no further.
	const body = `{"input_parameters": [{"name": "payment", "value": "tr_7UhSN1"}, {"name": "cents", "value": 1950}]}`
	for name, c := range map[string]struct {
		header map[string]string
		want   int
	}{
		"no key":         {nil, http.StatusUnauthorized},
		"another key":    {map[string]string{"X-API-Key": "guess"}, http.StatusUnauthorized},
		"another host":   {map[string]string{"X-API-Key": "d3sk", "Host": "evil.example"}, http.StatusForbidden},
		"another origin": {map[string]string{"X-API-Key": "d3sk", "Origin": "https://evil.example"}, http.StatusForbidden},
	} {
		if status, answer := ask(t, base, body, c.header); status != c.want {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	api.Sent(t)

	// A call that is repeated with its key is answered from memory.
	header := map[string]string{"X-API-Key": "d3sk", "Host": "tools.shop.example", "Origin": "https://desk.shop.example", "Idempotency-Key": "call-1",
		"Traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
	for range 2 {
		if status, answer := ask(t, base, body, header); status != http.StatusOK || !strings.Contains(answer, "19.50 EUR") {
			t.Fatalf("%d %s", status, answer)
		}
	}
	api.Sent(t, "POST /v2/payments/tr_7UhSN1/refunds\nAuthorization: Bearer live_1\n\n{\"amount\":{\"currency\":\"EUR\",\"value\":\"19.50\"}}")

	// The log says who called what and how it ended, and nothing of what was said.
	for _, want := range []string{`"tool":"refund_payment`, `"principal":"desk"`, `"outcome":"ok"`, `"outcome":"unauthorized"`} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("the log lacks %s: %s", want, said.String())
		}
	}
	for name := range recordOfPage(t, 0) {
		if !strings.Contains(said.String(), `"`+name+`":`) {
			t.Errorf("docs/production.md shows %s, and the log has none: %s", name, said.String())
		}
	}
	for _, secret := range []string{"tr_7UhSN1", "19.50", "live_1", "d3sk", "guess"} {
		if strings.Contains(said.String(), secret) {
			t.Errorf("the log has %s: %s", secret, said.String())
		}
	}
	if got := requests.Get("mollie 201"); got == nil || got.String() != "1" {
		t.Errorf("counted: %s", requests)
	}

	// It ends: not ready any more, still answering, then gone.
	if status := get(t, base+"/readyz"); status != http.StatusOK {
		t.Errorf("readyz says %d", status)
	}
	stop()
	for get(t, base+"/readyz") != http.StatusServiceUnavailable {
		time.Sleep(time.Millisecond)
	}
	if status := get(t, base+"/healthz"); status != http.StatusOK {
		t.Errorf("healthz says %d while it drains", status)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestWhatIsNotConfigured(t *testing.T) {
	for missing, variables := range map[string]map[string]string{"MOLLIE_KEY": {"DESK_KEY": "d3sk"}, "DESK_KEY": {"MOLLIE_KEY": "live_1"}} {
		_, err := newHandler(func(name string) (string, bool) { v, ok := variables[name]; return v, ok }, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

// TestFailedRecord compares the record of a failed call with that of docs/production.md.
func TestFailedRecord(t *testing.T) {
	down := stub.Answer{Status: http.StatusServiceUnavailable}
	api := stub.Serve(t, down, down, down)
	variables := map[string]string{"MOLLIE_KEY": "live_1", "MOLLIE_BASE_URL": api.URL, "DESK_KEY": "d3sk"}
	var said kept
	handler, err := newHandler(func(name string) (string, bool) { v, ok := variables[name]; return v, ok }, slog.New(slog.NewJSONHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/a2t/tools/"+refundID+":invoke",
		strings.NewReader(`{"input_parameters": [{"name": "payment", "value": "tr_7UhSN1"}, {"name": "cents", "value": 1950}]}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-API-Key", "d3sk")
	handler.ServeHTTP(httptest.NewRecorder(), r)
	var got map[string]any
	if err := json.Unmarshal([]byte(said.String()), &got); err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	for name, want := range recordOfPage(t, 1) {
		if name == "host" {
			want = strings.TrimPrefix(api.URL, "http://")
		}
		if got[name] != want {
			t.Errorf("docs/production.md shows %s=%v: %s", name, want, said.String())
		}
	}
}

// recordOfPage is one of the records of calls that docs/production.md shows, the nth
// from 0.
func recordOfPage(t *testing.T, n int) (record map[string]any) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(strings.Split(string(page), "```json\n")[n+1], "```")
	if err := json.Unmarshal([]byte(text), &record); err != nil || len(record) < 5 {
		t.Fatalf("%v: %s", err, text)
	}
	return record
}

// start runs the server on loopback, with its own options but for the time that a
// load balancer takes.
func start(t *testing.T, handler http.Handler, log *slog.Logger) (base string, stop func(), ended <-chan error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	opts := options(log)
	opts.DrainDelay = 2 * time.Second
	bound := make(chan string, 1)
	opts.Bound = func(a net.Addr) { bound <- "http://" + a.String() }
	done := make(chan error, 1)
	go func() { done <- serve.Run(ctx, "127.0.0.1:0", handler, opts) }()
	select {
	case base = <-bound:
	case err := <-done:
		t.Fatal(err)
	}
	return base, cancel, done
}

func ask(t *testing.T, base, body string, header map[string]string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, base+"/a2t/tools/"+refundID+":invoke", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	r.Host = header["Host"]
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func get(t *testing.T, url string) int {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode
}
