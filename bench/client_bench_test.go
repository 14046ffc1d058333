package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/bench/fixture"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// BenchmarkPair makes one call over loopback by sculpt/client to our server, and the
// same one by a client and a server that are written by hand with net/http and
// encoding/json: the inputs are checked on both sides of both pairs, and both servers
// ask the same backend in process. The ratio is of the medians of interleaved runs.
func BenchmarkPair(b *testing.B) {
	pairs := map[string]func() error{"by hand": handPair(b)}
	for _, p := range []client.Protocol{client.ProtocolA2T, client.ProtocolOTC, client.ProtocolMCP} {
		pairs[string(p)] = ourPair(b, p)
	}
	for _, name := range []string{"by hand", "a2t", "otc", "mcp"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := pairs[name](); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("ratio", func(b *testing.B) {
		ratios := map[string][]float64{}
		for b.Loop() {
			hand := timePair(b, pairs["by hand"])
			for _, name := range []string{"a2t", "otc", "mcp"} {
				ratios[name] = append(ratios[name], float64(timePair(b, pairs[name]))/float64(hand))
			}
		}
		for name, list := range ratios {
			slices.Sort(list)
			b.ReportMetric(list[len(list)/2], "x-hand-"+name)
		}
		b.ReportMetric(0, "ns/op")
	})
}

const callsInRow = 200

func timePair(b *testing.B, call func() error) time.Duration {
	began := time.Now()
	for range callsInRow {
		if err := call(); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(began)
}

const pairWant = "note=x&priority=42&region=us-west1&verbose=false"

func ourPair(b *testing.B, p client.Protocol) func() error {
	tools, err := fixture.New(fixture.Config{Backend: upstream.API{Handler: fixture.Backend()}})
	if err != nil {
		b.Fatal(err)
	}
	handler, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithUnreleased(), serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		b.Fatal(err)
	}
	at := httptest.NewServer(handler)
	b.Cleanup(at.Close)
	server, err := client.New(p, at.URL+"/"+string(p))
	if err != nil {
		b.Fatal(err)
	}
	list, err := server.Tools(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	i := slices.IndexFunc(list, func(t *client.Tool) bool {
		return strings.EqualFold(strings.ReplaceAll(t.Name, "_", ""), "testcustomheaders")
	})
	if i < 0 {
		b.Fatalf("%s lists no such tool", p)
	}
	return func() error {
		result, err := server.Invoke(b.Context(), list[i], client.Call{Arguments: map[string]any{"region": "us-west1", "priority": int64(42), "verbose": false, "note": "x"}})
		if err != nil {
			return err
		}
		var text string
		if len(result.Outputs) != 1 || json.Unmarshal(result.Outputs[0].JSON, &text) != nil || text != pairWant {
			return fmt.Errorf("%s: %v", p, result.Outputs)
		}
		return nil
	}
}

// handInputs are what the call by hand is given.
type handInputs struct {
	Region   *string `json:"region"`
	Priority *int64  `json:"priority"`
	Verbose  *bool   `json:"verbose"`
	Note     *string `json:"note"`
}

func (in *handInputs) check() error {
	switch {
	case in.Region == nil || len(*in.Region) > 100:
		return errors.New("region is required")
	case in.Priority == nil:
		return errors.New("priority is required")
	case in.Note != nil && len(*in.Note) > 100:
		return errors.New("note is too long")
	}
	return nil
}

type handAnswer struct {
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

func handPair(b *testing.B) func() error {
	at := httptest.NewServer(handServer(fixture.Backend()))
	b.Cleanup(at.Close)
	web := &http.Client{Timeout: 10 * time.Second}
	region, priority, verbose, note := "us-west1", int64(42), false, "x"
	return func() error {
		in := handInputs{&region, &priority, &verbose, &note}
		if err := in.check(); err != nil {
			return err
		}
		body, err := json.Marshal(in)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, at.URL, bytes.NewReader(body))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := web.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		var answer handAnswer
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK || answer.Text != pairWant {
			return fmt.Errorf("%d %+v", resp.StatusCode, answer)
		}
		return nil
	}
}

// handServer checks the inputs, asks the backend and passes its text on.
func handServer(backend http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		say := func(status int, answer handAnswer) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_ = json.NewEncoder(w).Encode(answer) // the caller is gone
		}
		var in handInputs
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
			say(http.StatusBadRequest, handAnswer{Error: err.Error()})
			return
		}
		if err := in.check(); err != nil {
			say(http.StatusUnprocessableEntity, handAnswer{Error: err.Error()})
			return
		}
		query := "region=" + *in.Region + "&priority=" + strconv.FormatInt(*in.Priority, 10) + "&verbose=" + strconv.FormatBool(*in.Verbose) + "&note=" + *in.Note
		asked, err := http.NewRequestWithContext(r.Context(), http.MethodGet, "http://backend/echo?"+query, http.NoBody)
		if err != nil {
			say(http.StatusInternalServerError, handAnswer{Error: err.Error()})
			return
		}
		got := httptest.NewRecorder()
		backend.ServeHTTP(got, asked)
		var answer handAnswer
		if err := json.Unmarshal(got.Body.Bytes(), &answer); err != nil {
			say(http.StatusBadGateway, handAnswer{Error: err.Error()})
			return
		}
		say(http.StatusOK, answer)
	})
}
