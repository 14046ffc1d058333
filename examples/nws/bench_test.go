package nws_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// alertList is an answer of the alerts endpoint of about 15 KB.
func alertList() []byte {
	var features []string
	for i := range 10 {
		features = append(features, fmt.Sprintf(`{"id": "urn:oid:2.49.0.1.840.0.%d", "type": "Feature", "geometry": null,
      "properties": {"areaDesc": "Douglas; Sarpy; Washington", "sent": "2026-11-20T03:1%d:00-06:00", "ends": "2026-11-21T03:00:00-06:00",
        "status": "Actual", "messageType": "Alert", "category": "Met", "severity": "%s", "certainty": "Likely", "urgency": "Expected",
        "event": "Winter Weather Advisory", "senderName": "NWS Omaha/Valley NE", "headline": "Winter Weather Advisory until early Saturday",
        "description": %q, "instruction": "Slow down and use caution while traveling.",
        "parameters": {"NWSheadline": ["WINTER WEATHER ADVISORY IN EFFECT"], "BLOCKCHANNEL": ["EAS", "NWEM"]}}}`,
			i, i, []string{"Minor", "Moderate", "Severe"}[i%3], strings.Repeat("Snow is expected, with totals of two to four inches. ", 14)))
	}
	return []byte(`{"@context": [], "type": "FeatureCollection", "title": "Current alerts", "features": [` + strings.Join(features, ",\n") + `]}`)
}

// canned answers every request with one body.
type canned struct{ body []byte }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/geo+json"}}, ContentLength: int64(len(c.body)),
		Body: io.NopCloser(bytes.NewReader(c.body)),
	}, nil
}

// alertsPath is where the tool of the benchmarks is invoked.
func alertsPath(tools *nws.Tools) string {
	set := tools.Toolset()
	at := slices.IndexFunc(set.Tools, func(t tool.Tool) bool { return t.Name == "list_active_alerts_by_state" })
	return "/a2t/tools/" + set.Tools[at].ID + ":invoke"
}

const alertsCall = `{"input_parameters":[{"name":"state","value":"NE"}]}`

// BenchmarkOneStep serves one tool call with one upstream call, without
// sockets: the generated tool and a handler as one writes it by hand with
// net/http and encoding/json. The ratio is of the medians of interleaved runs.
func BenchmarkOneStep(b *testing.B) {
	body := alertList()
	tools := toolsOver(b, canned{body})
	generated, err := serve.NewHandler([]tool.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		b.Fatal(err)
	}
	path := alertsPath(tools)
	byHand := handWritten(&http.Client{Transport: canned{body}})
	for name, h := range map[string]http.Handler{"generated": generated, "by hand": byHand} {
		w := invokeOnce(h, path)
		if w.Code != 200 || !strings.Contains(w.Body.String(), "Winter Weather Advisory") {
			b.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	b.Run("generated", func(b *testing.B) { benchHandler(b, generated, path) })
	b.Run("by-hand", func(b *testing.B) { benchHandler(b, byHand, path) })
	b.Run("ratio", func(b *testing.B) {
		var ratios []float64
		for b.Loop() {
			mine := timeOf(func() *httptest.ResponseRecorder { return invokeOnce(generated, path) })
			other := timeOf(func() *httptest.ResponseRecorder { return invokeOnce(byHand, path) })
			ratios = append(ratios, float64(mine)/float64(other))
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], "x-by-hand")
		b.ReportMetric(0, "ns/op")
	})
}

// alertRoutes call the same tool over MCP, in both eras, and over A2T. It fails
// where one does not answer: no other test would see that a benchmark is of nothing.
func alertRoutes(t testing.TB) map[string]func() *httptest.ResponseRecorder {
	t.Helper()
	tools := toolsOver(t, canned{alertList()})
	h := plainHandler(t, tools)
	path := alertsPath(tools)
	routes := map[string]func() *httptest.ResponseRecorder{
		"a2t":            func() *httptest.ResponseRecorder { return invokeOnce(h, path) },
		"mcp-2025-11-25": func() *httptest.ResponseRecorder { return mcpOnce(h, "2025-11-25") },
		"mcp-2026-07-28": func() *httptest.ResponseRecorder { return mcpOnce(h, "2026-07-28") },
	}
	for name, once := range routes {
		if w := once(); w.Code != 200 || strings.Contains(w.Body.String(), `"isError":true`) || !strings.Contains(w.Body.String(), "Winter Weather Advisory") {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	return routes
}

func TestAlertRoutes(t *testing.T) { alertRoutes(t) }

// BenchmarkMCP compares the routes. The ratios are of the medians of interleaved runs.
func BenchmarkMCP(b *testing.B) {
	routes := alertRoutes(b)
	for name, once := range routes {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				once()
			}
		})
	}
	for _, name := range []string{"mcp-2025-11-25", "mcp-2026-07-28"} {
		b.Run("ratio/"+name, func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				mine, other := timeOf(routes[name]), timeOf(routes["a2t"])
				ratios = append(ratios, float64(mine)/float64(other))
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "x-a2t")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func timeOf(once func() *httptest.ResponseRecorder) time.Duration {
	start := time.Now()
	for range 100 {
		once()
	}
	return time.Since(start)
}

const mcpParams = `"name":"list_active_alerts_by_state","arguments":{"state":"NE"}`

func mcpOnce(h http.Handler, revision string) *httptest.ResponseRecorder {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + mcpParams + `}}`
	if revision == "2026-07-28" {
		body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
			`"io.modelcontextprotocol/clientCapabilities":{}},` + mcpParams + `}}`
	}
	r := httptest.NewRequest("POST", "/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("MCP-Protocol-Version", revision)
	r.Header.Set("Mcp-Method", "tools/call")
	r.Header.Set("Mcp-Name", "list_active_alerts_by_state")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func invokeOnce(h http.Handler, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, strings.NewReader(alertsCall))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func benchHandler(b *testing.B, h http.Handler, path string) {
	b.ReportAllocs()
	for b.Loop() {
		invokeOnce(h, path)
	}
}

type nameValue struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

type handAlert struct {
	Properties struct {
		Event    string  `json:"event"`
		Severity string  `json:"severity"`
		Headline *string `json:"headline"`
		AreaDesc string  `json:"areaDesc"`
		Ends     *string `json:"ends"`
	} `json:"properties"`
}

// handWritten is the same tool as a careful programmer writes it without a
// generator: strict request, escaped query, typed answer, sorted and cut.
func handWritten(client *http.Client) http.Handler {
	rank := map[string]int{"Extreme": 0, "Severe": 1, "Moderate": 2, "Minor": 3}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Inputs []nameValue `json:"input_parameters"`
		}
		dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<18))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil || len(in.Inputs) != 1 {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		state, ok := in.Inputs[0].Value.(string)
		if !ok || len(state) > 40 {
			http.Error(w, "bad state", http.StatusUnprocessableEntity)
			return
		}
		code := stateCode(state)
		if code == "" {
			http.Error(w, "unknown state", http.StatusUnprocessableEntity)
			return
		}
		alerts, err := fetchAlerts(r, client, code)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		sort.SliceStable(alerts, func(i, j int) bool { return rank[alerts[i].Properties.Severity] < rank[alerts[j].Properties.Severity] })
		items := []map[string]any{}
		for _, a := range alerts[:min(10, len(alerts))] {
			p := a.Properties
			items = append(items, map[string]any{"event": p.Event, "severity": p.Severity, "headline": p.Headline, "areas": p.AreaDesc, "ends": p.Ends})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"output_parameters": []nameValue{{"count", len(alerts)}, {"alerts", items}}})
	})
}

// stateCodes stands for the table of all states and territories.
var stateCodes = func() map[string]string {
	m := map[string]string{"NE": "Nebraska"}
	for i := range 57 {
		m[fmt.Sprintf("X%d", i)] = fmt.Sprintf("State number %d", i)
	}
	return m
}()

func stateCode(state string) string {
	state = strings.TrimSpace(state)
	for code, name := range stateCodes {
		if strings.EqualFold(code, state) || strings.EqualFold(name, state) {
			return code
		}
	}
	return ""
}

func fetchAlerts(r *http.Request, client *http.Client, state string) ([]handAlert, error) {
	q := url.Values{"area": {state}, "status": {"actual"}}
	req, err := http.NewRequestWithContext(r.Context(), "GET", "https://api.weather.gov/alerts/active?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/geo+json")
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		return nil, fmt.Errorf("status %d", resp.StatusCode)
	}
	var answer struct {
		Features []handAlert `json:"features"`
	}
	err = json.NewDecoder(resp.Body).Decode(&answer)
	return answer.Features, err
}
