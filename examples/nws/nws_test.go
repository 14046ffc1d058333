package nws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// replay answers from the recorded exchanges.
func replay(t testing.TB) http.RoundTripper {
	t.Helper()
	transport, err := serve.Replay(os.DirFS("replay"))
	if err != nil {
		t.Fatal(err)
	}
	return transport
}

func toolsOver(t testing.TB, transport http.RoundTripper) *nws.Tools {
	t.Helper()
	tools, err := nws.New(nws.Config{Geo: serve.API{Transport: transport}, NWS: serve.API{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// handlerOver serves the tools; every answer is judged by its protocol's schema.
func handlerOver(t testing.TB, tools *nws.Tools) http.Handler {
	t.Helper()
	return golden.Judged(t, plainHandler(t, tools))
}

func plainHandler(t testing.TB, tools *nws.Tools) http.Handler {
	t.Helper()
	h, err := serve.NewHandler([]serve.Toolset{tools.Toolset()}, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// answer is what a caller learns, whatever the protocol.
type answer struct {
	Place, Summary string
	Temperature    int64
	// Message says what went wrong.
	Message string
}

var questions = []struct {
	city, period string
	want         answer
}{
	{"Omaha, Nebraska", "NOW", answer{Place: "Omaha", Temperature: 47, Summary: "Mostly Sunny"}},
	{"Omaha, NE", "TONIGHT", answer{Place: "Omaha", Temperature: 28, Summary: "Mostly Clear"}},
	{"Portland, ME", "NOW", answer{Place: "Portland", Temperature: 34, Summary: "Rain Likely"}},
	{"Portland, Oregon", "NOW", answer{Place: "Portland", Temperature: 51, Summary: "Rain"}},
	{"Dededo", "NOW", answer{Place: "Dededo Village", Temperature: 77, Summary: "Scattered Rain Showers"}},
	{"Springfield", "NOW", answer{Message: `Several US places are called "Springfield": Missouri, Massachusetts, Illinois, Oregon, Ohio, Virginia, Tennessee, Nebraska. Only US places are covered.`}},
	{"Paris", "NOW", answer{Message: `Several US places are called "Paris": Texas, Tennessee, Kentucky, Illinois, Maine, Idaho. Only US places are covered.`}},
	{"Key Biscayne", "NOW", answer{Message: `The weather service takes "Key Biscayne" for a place at sea, and there are no forecasts for those.`}},
	{"Adak", "NOW", answer{Message: `The forecast office has not delivered a forecast for "Adak".`}},
	{"Taulaga", "NOW", answer{Message: `The National Weather Service does not cover "Taulaga".`}},
}

const lookupID = "06c324c8-68b5-5df9-8726-03197c61e053"

// TestSameAnswerEverywhere asks the same over every door.
func TestSameAnswerEverywhere(t *testing.T) {
	tools := toolsOver(t, replay(t))
	h := handlerOver(t, tools)
	doors := map[string]func(testing.TB, string, string) answer{
		"in process":      func(t testing.TB, city, period string) answer { return inProcess(t, tools, city, period) },
		"A2T":             a2tDoor(h, "/a2t/tools/"+lookupID+":invoke"),
		"A2T escaped":     a2tDoor(h, "/a2t/tools/"+lookupID+"%3Ainvoke"),
		"A2T version":     a2tDoor(h, "/a2t/tools/"+lookupID+"/versions/1:invoke"),
		"N-ACT":           a2tDoor(h, "/nact/tools/"+lookupID+":invoke"),
		"OTC":             otcDoor(h, "/otc/tools/call", "Weather.LookupWeatherByCity"),
		"OTC alias":       otcDoor(h, "/otc/call", "Weather.LookupWeatherByCity@1"),
		"OTC exact":       otcDoor(h, "/otc/tools/call", "Weather.LookupWeatherByCity@1.0.0"),
		"MCP":             mcpDoor(h),
		"MCP 2026-07-28":  mcpDoor(h, "2026-07-28"),
		"MCP on stdio":    stdioDoor(plainHandler(t, tools)),
		"generic invoker": func(t testing.TB, city, period string) answer { return generic(t, tools, city, period) },
	}
	for door, ask := range doors {
		for _, q := range questions {
			t.Run(door+"/"+q.city, func(t *testing.T) {
				if diff := cmp.Diff(q.want, ask(t, q.city, q.period)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func inProcess(t testing.TB, tools *nws.Tools, city, period string) answer {
	p := nws.LookupWeatherByCityPeriod(period)
	out, err := tools.LookupWeatherByCity(context.Background(), nws.LookupWeatherByCityInput{City: city, Period: &p})
	var e *serve.Error
	if errors.As(err, &e) {
		return answer{Message: e.Message}
	}
	if err != nil {
		t.Fatal(err)
	}
	return answer{Place: out.Place, Temperature: out.TemperatureF, Summary: out.Summary}
}

func generic(t testing.TB, tools *nws.Tools, city, period string) answer {
	result, err := serve.Invoke(context.Background(), tools.Toolset(), "lookup_weather_by_city", 1, serve.Args{"city": city, "period": period})
	var e *serve.Error
	if errors.As(err, &e) {
		return answer{Message: e.Message}
	}
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]json.RawMessage{}
	for _, o := range result {
		values[o.Name] = o.JSON
	}
	return fromValues(t, values)
}

func fromValues(t testing.TB, values map[string]json.RawMessage) (a answer) {
	for name, into := range map[string]any{"place": &a.Place, "temperature_f": &a.Temperature, "summary": &a.Summary} {
		if err := json.Unmarshal(values[name], into); err != nil {
			t.Fatalf("output %s: %v", name, err)
		}
	}
	return a
}

func post(t testing.TB, h http.Handler, path string, body, into any, headers ...string) int {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", path, bytes.NewReader(data))
	r.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v: %s", path, err, w.Body)
	}
	return w.Code
}

func a2tDoor(h http.Handler, path string) func(testing.TB, string, string) answer {
	type pair struct {
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
	}
	return func(t testing.TB, city, period string) answer {
		var got struct {
			Outputs []pair `json:"output_parameters"`
			Detail  string `json:"detail"`
		}
		body := map[string]any{"name": "lookup_weather_by_city", "input_parameters": []map[string]string{
			{"name": "city", "value": city}, {"name": "period", "value": period},
		}}
		if status := post(t, h, path, body, &got); status != http.StatusOK {
			return answer{Message: got.Detail}
		}
		values := map[string]json.RawMessage{}
		for _, o := range got.Outputs {
			values[o.Name] = o.Value
		}
		return fromValues(t, values)
	}
}

func otcDoor(h http.Handler, path, tool string) func(testing.TB, string, string) answer {
	return func(t testing.TB, city, period string) answer {
		var got struct {
			Result struct {
				Success bool                       `json:"success"`
				Value   map[string]json.RawMessage `json:"value"`
				Error   struct {
					Message string `json:"message"`
				} `json:"error"`
			} `json:"result"`
		}
		body := map[string]any{"request": map[string]any{"tool_id": tool, "input": map[string]string{"city": city, "period": period}}}
		if status := post(t, h, path, body, &got); status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
		if !got.Result.Success {
			return answer{Message: got.Result.Error.Message}
		}
		return fromValues(t, got.Result.Value)
	}
}

// mcpCall is a tools/call; 2026-07-28 says of itself what it is.
func mcpCall(city, period string, revision ...string) map[string]any {
	params := map[string]any{"name": "lookup_weather_by_city", "arguments": map[string]string{"city": city, "period": period}}
	if len(revision) > 0 {
		params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": revision[0], "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	}
	return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
}

// An mcpAnswer is the answer to a tools/call.
type mcpAnswer struct {
	Result struct {
		Content           []struct{ Type, Text string }
		StructuredContent map[string]json.RawMessage
		IsError           bool
	}
}

// hints are what MCP adds to the message, for it has no other place for them.
var hints = map[string]string{
	"Springfield": "Ask the user for the state.", "Paris": "Ask the user for the state.", "Key Biscayne": "Ask for a town further inland.",
}

// read takes an answer apart; its text has to say the same as its values.
func (a *mcpAnswer) read(t testing.TB, city string) answer {
	if len(a.Result.Content) != 1 || a.Result.Content[0].Type != "text" {
		t.Fatalf("%+v", a)
	}
	text := a.Result.Content[0].Text
	if a.Result.IsError {
		message, hinted := strings.CutSuffix(text, " "+hints[city])
		if hints[city] == "" {
			return answer{Message: text}
		}
		if !hinted {
			t.Errorf("%s: no hint in %q", city, text)
		}
		return answer{Message: message}
	}
	var said map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &said); err != nil || !cmp.Equal(said, a.Result.StructuredContent) {
		t.Errorf("text %s, values %s: %v", text, a.Result.StructuredContent, err)
	}
	return fromValues(t, a.Result.StructuredContent)
}

func mcpDoor(h http.Handler, revision ...string) func(testing.TB, string, string) answer {
	var headers []string
	if len(revision) > 0 {
		headers = []string{"MCP-Protocol-Version: " + revision[0], "Mcp-Method: tools/call", "Mcp-Name: lookup_weather_by_city"}
	}
	return func(t testing.TB, city, period string) answer {
		var got mcpAnswer
		if status := post(t, h, "/mcp", mcpCall(city, period, revision...), &got, headers...); status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
		return got.read(t, city)
	}
}

func stdioDoor(h http.Handler) func(testing.TB, string, string) answer {
	return func(t testing.TB, city, period string) answer {
		line, err := json.Marshal(mcpCall(city, period))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := serve.Stdio(context.Background(), h, bytes.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		var got mcpAnswer
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		return got.read(t, city)
	}
}

// TestCatalogue fetches every document there is; the judge validates each.
func TestCatalogue(t *testing.T) {
	h := handlerOver(t, toolsOver(t, replay(t)))
	for _, path := range []string{
		"/a2t/tools", "/a2t/tools?tag=alerts", "/nact/tools", "/a2t/tools/" + lookupID, "/a2t/tools/" + lookupID + "/versions",
		"/a2t/tools/" + lookupID + "/versions/1", "/otc/tools",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != http.StatusOK || w.Body.Len() == 0 {
			t.Errorf("GET %s: status %d", path, w.Code)
		}
	}
}

// TestAlerts covers lists of records, optional members and the empty answer.
func TestAlerts(t *testing.T) {
	tools := toolsOver(t, replay(t))
	out, err := tools.ListActiveAlertsByState(context.Background(), nws.ListActiveAlertsByStateInput{State: "Nebraska"})
	if err != nil {
		t.Fatal(err)
	}
	if out.Count != 2 || len(out.Alerts) != 2 || out.Alerts[0].Event == "" || out.Alerts[0].Areas == "" {
		t.Errorf("alerts of Nebraska: %+v", out)
	}
	out, err = tools.ListActiveAlertsByState(context.Background(), nws.ListActiveAlertsByStateInput{State: "guam"})
	if err != nil || out.Count != 0 || len(out.Alerts) != 0 {
		t.Errorf("alerts of Guam: %+v, %v", out, err)
	}
	_, err = tools.ListActiveAlertsByState(context.Background(), nws.ListActiveAlertsByStateInput{State: "Atlantis"})
	if e := (*serve.Error)(nil); !errors.As(err, &e) || e.Code != "unknown_state" {
		t.Errorf("alerts of Atlantis: %v", err)
	}
}

// TestInsideAnotherServer mounts A2T at the root of a server that has routes
// of its own, behind its own middleware, with that server's handler as the
// upstream: no socket is opened, and the caller's header reaches the handler
// through the server's middleware alone.
func TestInsideAnotherServer(t *testing.T) {
	var seen []string
	recorded := replay(t)
	backend := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("User-Agent"))
		resp, err := recorded.RoundTrip(upstreamRequest(r))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		var b bytes.Buffer
		_, _ = b.ReadFrom(resp.Body)
		_, _ = w.Write(b.Bytes())
	})
	tools, err := nws.New(nws.Config{Geo: serve.API{Handler: backend}, NWS: serve.API{Handler: backend}, NWSUserAgent: "own (me@example.com)"})
	if err != nil {
		t.Fatal(err)
	}
	a2t, err := serve.NewHandler([]serve.Toolset{tools.Toolset()}, serve.Only(serve.A2T), serve.At(serve.A2T, ""))
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /about", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "about") })
	mux.Handle("/tools", a2t)
	mux.Handle("/tools/", a2t)
	calls := 0
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { calls++; mux.ServeHTTP(w, r) })

	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "/about", nil))
	if w.Body.String() != "about" {
		t.Errorf("the server's own route answers %q", w.Body)
	}
	got := a2tDoor(server, "/tools/"+lookupID+":invoke")(t, "Omaha, NE", "NOW")
	if got.Temperature != 47 || calls != 2 {
		t.Errorf("answer %+v after %d requests", got, calls)
	}
	if len(seen) != 3 || seen[2] != "own (me@example.com)" {
		t.Errorf("the upstream saw %q", seen)
	}
}

// upstreamRequest gives a request that came to a handler the absolute URL that
// the exchanges were recorded under.
func upstreamRequest(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	out.RequestURI = ""
	out.URL.Scheme, out.URL.Host = "https", "api.weather.gov"
	if strings.HasPrefix(r.URL.Path, "/v1/") {
		out.URL.Host = "geocoding-api.open-meteo.com"
	}
	return out
}
