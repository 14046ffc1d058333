package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// hostileBodies are refused with 400, whatever a lenient reader would make of
// them.
func hostileBodies() map[string]string {
	value := func(v string) string { return `{"input_parameters":[{"name":"city","value":` + v + `}]}` }
	return map[string]string{
		"empty":               "",
		"space":               " ",
		"not json":            "city=x",
		"null":                "null",
		"list":                "[]",
		"two texts":           invocation("city", "x") + "{}",
		"open":                `{"input_parameters":[`,
		"trailing comma":      `{"input_parameters":[],}`,
		"no parameters":       `{}`,
		"wrong case":          `{"Input_Parameters":[{"name":"city","value":"x"}]}`,
		"wrong case name":     `{"input_parameters":[{"Name":"city","value":"x"}]}`,
		"wrong case beside":   `{"input_parameters":[{"name":"city","Value":"y","value":"x"}]}`,
		"member twice":        `{"input_parameters":[],"input_parameters":[{"name":"city","value":"x"}]}`,
		"unknown twice":       `{"x":1,"x":2,"input_parameters":[{"name":"city","value":"x"}]}`,
		"value twice":         `{"input_parameters":[{"name":"city","value":"x","value":"y"}]}`,
		"escaped twice":       `{"input_parameters":[{"name":"city","value":"x","v\u0061lue":"y"}]}`,
		"no value":            `{"input_parameters":[{"name":"city"}]}`,
		"extra member":        `{"input_parameters":[{"name":"city","value":"x","type":"string"}]}`,
		"name is a number":    `{"input_parameters":[{"name":1,"value":"x"}]}`,
		"parameters object":   `{"input_parameters":{"city":"x"}}`,
		"bad utf-8":           value("\"\xff\""),
		"overlong utf-8":      value("\"\xc0\x80\""),
		"encoded surrogate":   value("\"\xed\xa0\x80\""),
		"lone surrogate":      value(`"\ud800"`),
		"lone low surrogate":  value(`"\udc00x"`),
		"reversed surrogates": value(`"\udc00\ud800"`),
		"control character":   value("\"\x01\""),
		"byte order mark":     "\ufeff" + value(`"x"`),
		"deep":                value(strings.Repeat("[", 40) + strings.Repeat("]", 40)),
		"deep and open":       strings.Repeat("[", 100000),
		"33 digits":           value(strings.Repeat("9", 33)),
		"33 digits fraction":  value("0." + strings.Repeat("1", 32)),
		"huge exponent":       value("1e3000000"),
		"huge exponent -":     value("1E-999999999999999999999"),
		"nan":                 value("NaN"),
		"leading zero":        value("01"),
		"plus":                value("+1"),
		"hex":                 value("0x10"),
		"single quotes":       `{'input_parameters':[]}`,
		"comment":             `{/**/"input_parameters":[]}`,
	}
}

func TestHostileBodies(t *testing.T) {
	h, _ := newServer(t)
	for name, body := range hostileBodies() {
		for _, path := range []string{"/a2t" + lookupPath + ":invoke", "/otc/tools/call"} {
			t.Run(name+path[:4], func(t *testing.T) {
				if path == "/otc/tools/call" {
					body = `{"request":{"tool_id":"Weather.LookupWeatherByCity","input":` + body + `}}`
					if !strings.Contains(body, "input_parameters") || strings.Contains(body, "Input_Parameters") {
						body = strings.Replace(body, `"input":{}`, `"input":[]`, 1)
					}
				}
				c := wireCase{request: "POST " + path, body: body}
				begin := time.Now()
				rec := c.send(h)
				if path[1] == 'a' && rec.Code != 400 || rec.Code/100 != 4 {
					t.Errorf("status %d: %s", rec.Code, rec.Body)
				}
				if took := time.Since(begin); took > 10*time.Second {
					t.Errorf("it took %v", took)
				}
			})
		}
	}
}

// TestHostileButLegal are well-formed texts that must be answered fast.
func TestHostileButLegal(t *testing.T) {
	h, _ := newServer(t)
	numbers := "[" + strings.TrimSuffix(strings.Repeat("1e999999,", 1000), ",") + "]"
	var many, unknown strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&many, `"n%d":%d,`, i, i)
		fmt.Fprintf(&unknown, `{"name":"cit%d","value":1},`, i)
	}
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"1000 huge numbers":  {`{"input_parameters":[{"name":"city","value":` + numbers + `}]}`, 422},
		"many members":       {`{` + many.String() + `"input_parameters":[{"name":"city","value":"x"}]}`, 200},
		"many unknown":       {`{"input_parameters":[` + strings.TrimSuffix(unknown.String(), ",") + `]}`, 422},
		"long unknown names": {`{"input_parameters":[{"name":"` + strings.Repeat("cit\U0001F600", 20000) + `","value":1}]}`, 422},
		"nul":                {invocation("city", "a\x00b"), 200},
	} {
		t.Run(name, func(t *testing.T) {
			one := wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: c.body, status: c.status}
			begin := time.Now()
			rec := one.send(h)
			// Such a body once kept a validator busy for a minute. The bound
			// is wide: it tells a fault from a slow machine.
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			one.check(t, rec)
			if rec.Body.Len() > 16<<10 {
				t.Errorf("the answer has %d bytes", rec.Body.Len())
			}
		})
	}
}

// FuzzCallers sends any body to every protocol: no panic, no 5xx, an answer
// that its schema allows, and what a lenient reader and we both understand has
// the same meaning.
func FuzzCallers(f *testing.F) {
	for _, body := range hostileBodies() {
		f.Add([]byte(body))
	}
	f.Add([]byte(invocation("city", "Omaha", "day", "TODAY", "hours_ahead", 3)))
	f.Add([]byte(otcCall("Weather.LookupWeatherByCity@2", `{"city":"x","day":"TOMORROW","hours_ahead":156}`, `"call_id":"1"`, `"context":{"user_id":"u"}`)))
	f.Add([]byte(legacyCall(lookup, `{"city":"x","day":"TODAY"}`)))
	f.Add([]byte(modernCall(lookup, `{"city":"x","hours_ahead":1}`)))
	f.Add([]byte(`[` + rpc("ping", "") + "," + rpc("tools/list", `{"cursor":""}`) + `]` + "\n" + rpc("initialize", `{"protocolVersion":"2025-03-26"}`)))
	w := newWeather(f)
	inner, err := serve.NewHandler([]tool.Toolset{echoSet(w)}, serve.WithLogger(quiet))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		h := golden.Judged(t, inner)
		for _, path := range []string{"/a2t" + lookupPath + ":invoke", "/a2t" + lookupPath + "/versions/1:invoke", "/otc/tools/call"} {
			c := wireCase{request: "POST " + path, body: string(body)}
			rec := c.send(h)
			if rec.Code >= 500 {
				t.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
			}
			if rec.Code == http.StatusOK && !json.Valid(body) {
				t.Fatalf("%s accepts what is not JSON: %q", path, body)
			}
		}
		for _, headers := range [][]string{nil, modernHeaders("tools/call", lookup), modernHeaders("tools/list", "")} {
			c := wireCase{request: mcpPost, body: string(body)}
			rec := c.send(h, headers...)
			if rec.Code >= 500 || rec.Code < 300 && !json.Valid(body) {
				t.Fatalf("%q: %d %s", body, rec.Code, rec.Body)
			}
		}
		talk(t, inner, bytes.NewReader(body))
	})
}

// echoSet is the weather toolset without a backend: whatever is valid succeeds.
func echoSet(w *weather) tool.Toolset {
	set := w.toolset()
	for i := range set.Tools {
		set.Tools[i].Call = echo
	}
	return set
}

// BenchmarkBodyLatency reports the slowest answers among ordinary and hostile
// bodies.
func BenchmarkBodyLatency(b *testing.B) {
	w := newWeather(b)
	h, err := serve.NewHandler([]tool.Toolset{echoSet(w)}, serve.WithLogger(quiet))
	if err != nil {
		b.Fatal(err)
	}
	bodies := []string{invocation("city", "Omaha")}
	for _, body := range hostileBodies() {
		bodies = append(bodies, body)
	}
	var took []time.Duration
	for b.Loop() {
		for _, body := range bodies {
			c := wireCase{request: "POST /a2t" + lookupPath + ":invoke", body: body}
			begin := time.Now()
			c.send(h)
			took = append(took, time.Since(begin))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

func BenchmarkInvoke(b *testing.B) {
	w := newWeather(b)
	h, err := serve.NewHandler([]tool.Toolset{echoSet(w)}, serve.WithLogger(quiet))
	if err != nil {
		b.Fatal(err)
	}
	body := invocation("city", "Omaha, Nebraska", "day", "TOMORROW")
	reader := strings.NewReader(body)
	r := httptest.NewRequest("POST", "/a2t"+lookupPath+":invoke", reader)
	r.Header.Set("Content-Type", "application/json")
	b.ReportAllocs()
	for b.Loop() {
		reader.Reset(body)
		h.ServeHTTP(discard{}, r)
	}
}

func BenchmarkList(b *testing.B) {
	w := newWeather(b)
	h, err := serve.NewHandler([]tool.Toolset{w.toolset()}, serve.WithLogger(quiet))
	if err != nil {
		b.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/a2t/tools", nil)
	b.ReportAllocs()
	for b.Loop() {
		h.ServeHTTP(discard{http.Header{}}, r)
	}
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header {
	if d.header == nil {
		return http.Header{}
	}
	return d.header
}
func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) WriteHeader(int)             {}
