package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// weather is what a generated package looks like to this package, written by
// hand: typed inputs, chains over upstream calls, tables, documents. City names
// choose how its backend fails.
type weather struct {
	geo, office *upstream.Client
	backend     *weatherBackend
}

// A weatherBackend plays both upstream services.
type weatherBackend struct {
	reports atomic.Int64
	// hold, if set, keeps storm reports waiting until it is closed.
	hold chan struct{}
	// seen has the last Authorization header per path.
	mu   sync.Mutex
	seen map[string]string
}

func (b *weatherBackend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.seen[r.URL.Path] = r.Header.Get("Authorization")
	b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/search":
		b.search(w, r.URL.Query().Get("name"))
	case "/forecast":
		fmt.Fprint(w, `{"periods":[{"name":"Today","temperature":80,"forecast":"Sunny"}]}`)
	case "/reports":
		b.reports.Add(1)
		if b.hold != nil {
			<-b.hold
		}
		body, _ := io.ReadAll(r.Body)
		switch string(body) {
		case "place=Brokenville&severity=1":
			fmt.Fprint(w, `{"id":`)
		case "place=Oddville&severity=1":
			fmt.Fprint(w, `{"id":7}`)
		case "place=Sunnyville&severity=1":
			w.WriteHeader(http.StatusUnprocessableEntity)
		default:
			fmt.Fprintf(w, `{"id":"R-%d"}`, b.reports.Load())
		}
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (b *weatherBackend) search(w http.ResponseWriter, name string) {
	switch name {
	case "Downtown":
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
	case "Garbage":
		fmt.Fprint(w, `<html>`)
	case "Nowhere", "Omahaa":
		fmt.Fprint(w, `{"results":[]}`)
	default:
		fmt.Fprint(w, `{"results":[{"id":42}]}`)
	}
}

func newWeather(t testing.TB) *weather {
	t.Helper()
	w := &weather{backend: &weatherBackend{seen: map[string]string{}}}
	var err error
	if w.geo, err = upstream.New(upstream.Spec{Name: "geo", BaseURL: "http://geo.invalid", Attempts: 1}, upstream.API{Handler: w.backend}); err != nil {
		t.Fatal(err)
	}
	spec := upstream.Spec{Name: "office", BaseURL: "http://office.invalid", Attempts: 1,
		Credentials: []upstream.Credential{{Scheme: "caller", In: "header", Name: "Authorization", Caller: true}}}
	if w.office, err = upstream.New(spec, upstream.API{Handler: w.backend}); err != nil {
		t.Fatal(err)
	}
	return w
}

var (
	searchKeys = scan.NewKeys("results")
	placeKeys  = scan.NewKeys("id")
)

func scanPlaces(s *scan.Scanner) []int64 {
	var ids []int64
	for s.Open(); s.Next(searchKeys); {
		for s.OpenList(); s.NextElem(); {
			for s.Open(); s.Next(placeKeys); {
				ids = append(ids, s.Int())
			}
		}
	}
	return ids
}

func (w *weather) lookup(ctx context.Context, args tool.Args) (tool.Result, error) {
	city := args.Text("city")
	switch city {
	case "Panic":
		panic("the chain is broken")
	case "Slow":
		<-ctx.Done()
		return nil, ctx.Err()
	case "Plain":
		return nil, errors.New("secret detail of the server")
	case "Kinds":
		return nil, value.ErrKind("forecast", "periods[0].temperature", "sculpt.yaml:41:22", "a number")
	case "Math":
		return nil, value.ErrValue("", "", "sculpt.yaml:9:9", errors.New("overflow of 12345"))
	case "Limited":
		return nil, &tool.Error{Kind: tool.KindRateLimited, Retryable: true, RetryAfter: 1500 * time.Millisecond}
	case "Empty":
		return tool.Result{{Name: "temperature_f", JSON: []byte("80")}}, nil
	}
	call := w.geo.Call("places", "GET", upstream.EffectRead)
	call.Path("/search")
	call.Query("name", city)
	places, err := upstream.Do(ctx, call, scanPlaces)
	if err != nil {
		return nil, err
	}
	if city == "Pick" {
		return nil, value.ErrIndex("places", "results", "sculpt.yaml:40:7", 3, len(places))
	}
	if len(places) == 0 {
		return nil, &tool.Error{Kind: tool.KindNoResult, Code: "no_such_place", Message: "No city named " + city + " was found.",
			Hint: "Check the spelling of the city and add the state.", Developer: "geocoder returned 0 results", Step: "places"}
	}
	periods := `[{"name":"Today","temperature":80,"forecast":"Sunny"}]`
	if hours := args.OptInt("hours_ahead"); hours != nil {
		periods = `[{"name":"+` + strconv.FormatInt(*hours, 10) + `"}]`
	}
	return tool.Result{
		{Name: "temperature_f", JSON: []byte("80")},
		{Name: "short_forecast", JSON: []byte(`"Sunny"`)},
		{Name: "periods", JSON: []byte(periods)},
	}, nil
}

func (w *weather) report(ctx context.Context, args tool.Args) (tool.Result, error) {
	if args.Text("place") == "Panicville" {
		panic("after the report")
	}
	call := w.geo.Call("report", "POST", upstream.EffectUnsafe)
	call.Path("/reports")
	call.Form("place", args.Text("place"))
	call.Form("severity", strconv.FormatInt(args.Int("severity"), 10))
	id, err := upstream.Do(ctx, call, func(s *scan.Scanner) string {
		id := ""
		for s.Open(); s.Next(placeKeys); {
			id = s.Text()
		}
		return id
	})
	if err != nil {
		return nil, err
	}
	if args.Text("place") == "Lateville" {
		return nil, value.ErrMissing("report", "id", "sculpt.yaml:80:1")
	}
	return tool.Result{{Name: "report_id", JSON: strconv.AppendQuote(nil, id)}, {Name: "note"}}, nil
}

func (w *weather) mailbox(ctx context.Context, _ tool.Args) (tool.Result, error) {
	call := w.office.Call("read", "GET", upstream.EffectRead)
	call.Credentials("caller")
	call.Path("/forecast")
	if _, err := upstream.Do[bool](ctx, call, nil); err != nil {
		return nil, err
	}
	who := tool.CallerOf(ctx)
	return tool.Result{{Name: "owner", JSON: strconv.AppendQuote(nil, who.UserID+"/"+who.Tokens["mail"])}}, nil
}

const (
	lookupID  = "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11"
	reportID  = "11111111-2222-5333-8444-555555555555"
	mailboxID = "99999999-2222-5333-8444-555555555555"
)

var (
	cityParam  = tool.Param{ID: "city", Name: "city", Type: tool.TypeString, Required: true, MaxLength: 80}
	dayParam   = tool.Param{ID: "day", Name: "day", Type: tool.TypeEnum, Values: []string{"TODAY", "TOMORROW"}}
	hoursParam = tool.Param{ID: "hours_ahead", Name: "hours_ahead", Type: tool.TypeInt, Min: 0, Max: 156}

	temperatureSlot = tool.OutputSlot{ID: "temperature_f", Name: "temperature_f", Type: tool.TypeInt}
	shortSlot       = tool.OutputSlot{ID: "short_forecast", Name: "short_forecast", Type: tool.TypeString}
	periodsSlot     = tool.OutputSlot{ID: "periods", Name: "periods", Type: tool.TypeJSON}
)

func (w *weather) toolset() tool.Toolset {
	tools := []tool.Tool{
		{
			ID: lookupID, Name: "lookup_weather_by_city", ToolName: "LookupWeatherByCity", Tags: []string{"weather", "read_only"},
			Effects: tool.Effects{ReadOnly: true, Idempotent: true}, Call: w.lookup, Deadline: 300 * time.Millisecond,
			Versions: []tool.Version{
				{N: 1, Released: true, Inputs: []tool.Param{cityParam, dayParam}, Outputs: []tool.OutputSlot{temperatureSlot, shortSlot}},
				{N: 2, Released: true, Inputs: []tool.Param{cityParam, dayParam, hoursParam}, Outputs: []tool.OutputSlot{temperatureSlot, shortSlot, periodsSlot}},
			},
		},
		{
			ID: mailboxID, Name: "read_mailbox", ToolName: "ReadMailbox", Tags: []string{"mail"},
			Effects: tool.Effects{ReadOnly: true, Idempotent: true}, Call: w.mailbox,
			Needs: tool.Needs{UserID: true, Tokens: []string{"mail"}, Secrets: []string{"PIN"}},
			Versions: []tool.Version{{N: 1, Released: true,
				Outputs: []tool.OutputSlot{{ID: "owner", Name: "owner", Type: tool.TypeString}}}},
		},
		{
			ID: reportID, Name: "report_storm", ToolName: "ReportStorm", Tags: []string{"weather"}, Call: w.report,
			Versions: []tool.Version{{N: 1, Released: true,
				Inputs: []tool.Param{
					{ID: "place", Name: "place", Type: tool.TypeString, Required: true, MinLength: 2, MaxLength: 40},
					{ID: "severity", Name: "severity", Type: tool.TypeInt, Min: 1, Max: 5, Default: int64(1)},
					{ID: "confirmed", Name: "confirmed", Type: tool.TypeBoolean, Default: false},
				},
				Outputs: []tool.OutputSlot{
					{ID: "report_id", Name: "report_id", Type: tool.TypeString},
					{ID: "note", Name: "note", Type: tool.TypeString, Optional: true},
				}}},
		},
	}
	set := tool.Toolset{Handshake: tool.Handshake, Name: "Weather", Title: "Weather", Description: "Weather tools for US cities.", Tools: tools}
	set.Docs = documentsOf(&set)
	return set
}

// texts has the descriptions of the golden tool; others are made up.
var texts = map[string]string{
	"lookup_weather_by_city": "Look up the weather forecast for a city in the United States. Returns the temperature and a short forecast for the requested day.",
	"city":                   "City and state, for example Omaha, Nebraska.",
	"day":                    "Which day the forecast is for; today when omitted.",
	"TODAY":                  "The current day at the city.",
	"TOMORROW":               "The day after the current day at the city.",
	"hours_ahead":            "How many hours ahead of now to look; omitted means the whole day.",
	"temperature_f":          "Forecast temperature in degrees Fahrenheit.",
	"short_forecast":         "Forecast in a few words.",
	"periods":                "Up to three forecast periods, each with name, temperature and forecast.",
}

func textOf(name string) string {
	if text, ok := texts[name]; ok {
		return text
	}
	return "The " + name + "."
}

type object = map[string]any

// documentsOf renders the wire documents of a toolset the way a generator
// would, but without any care for the order of members.
func documentsOf(set *tool.Toolset) fstest.MapFS {
	docs := fstest.MapFS{}
	for i := range set.Tools {
		t := &set.Tools[i]
		for _, v := range t.Versions {
			put := func(name string, doc object) {
				raw, err := json.MarshalIndent(doc, "", "  ")
				if err != nil {
					panic(err)
				}
				docs[fmt.Sprintf("%s/%s.v%d.json", name, t.Name, v.N)] = &fstest.MapFile{Data: raw}
			}
			put("a2t", a2tDocument(t, v))
			put("otc", otcDocument(set.Name, t, v))
			put("mcp", mcpDocument(t, v))
		}
		for word, version := range map[string]string{"basic": "1.0.0", "enhanced": "2.0.0"} {
			raw, err := json.Marshal(atdfDocument(t, version))
			if err != nil {
				panic(err)
			}
			docs[fmt.Sprintf("atdf/%s.%s.json", t.Name, word)] = &fstest.MapFile{Data: raw}
		}
	}
	return docs
}

var typeWords = map[tool.Type]string{tool.TypeString: "string", tool.TypeInt: "int", tool.TypeBoolean: "boolean", tool.TypeEnum: "enum", tool.TypeJSON: "json"}

func a2tDocument(t *tool.Tool, v tool.Version) object {
	inputs, outputs := []object{}, []object{}
	for _, p := range v.Inputs {
		in := object{"id": p.ID, "name": p.Name, "type": typeWords[p.Type], "description": textOf(p.Name), "required": p.Required}
		switch p.Type {
		case tool.TypeString:
			in["maxLength"] = p.MaxLength
		case tool.TypeInt:
			in["min"], in["max"] = p.Min, p.Max
		case tool.TypeEnum:
			values := []object{}
			for _, name := range p.Values {
				values = append(values, object{"name": name, "description": textOf(name)})
			}
			in["allowed-values"] = values
		}
		inputs = append(inputs, in)
	}
	for _, o := range v.Outputs {
		outputs = append(outputs, object{"id": o.ID, "name": o.Name, "type": typeWords[o.Type], "description": textOf(o.Name)})
	}
	return object{"toolId": t.ID, "name": t.Name, "description": textOf(t.Name), "version": v.N,
		"currentVersion": t.Versions[len(t.Versions)-1].N, "tags": t.Tags, "input_parameters": inputs, "output_parameters": outputs}
}

func atdfDocument(t *tool.Tool, version string) object {
	inputs := []object{}
	if n := len(t.Versions); n > 0 {
		for _, p := range t.Versions[n-1].Inputs {
			inputs = append(inputs, object{"name": p.Name, "type": "string", "description": textOf(p.Name)})
		}
	}
	return object{"schema_version": version, "tool_id": t.Name, "description": textOf(t.Name), "when_to_use": "Now.",
		"how_to_use": object{"inputs": inputs, "outputs": object{"success": "It is done.", "failure": []object{}}}}
}

func otcDocument(toolkit string, t *tool.Tool, v tool.Version) object {
	schema := func() object {
		properties, required := object{}, []string{}
		for _, p := range v.Inputs {
			one := object{"type": "string", "description": textOf(p.Name)}
			switch p.Type {
			case tool.TypeString:
				one["maxLength"] = p.MaxLength
			case tool.TypeInt:
				one["type"], one["minimum"], one["maximum"] = "integer", p.Min, p.Max
			case tool.TypeBoolean:
				one["type"] = "boolean"
			case tool.TypeEnum:
				text := textOf(p.Name)
				for _, name := range p.Values {
					text += " " + name + ": " + textOf(name)
				}
				one["description"], one["enum"] = text, p.Values
			}
			if p.Required {
				required = append(required, p.Name)
			}
			properties[p.Name] = one
		}
		return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	input := schema()
	input["parameters"] = schema()
	outputs, required := object{}, []string{}
	for _, o := range v.Outputs {
		one := object{"type": "string", "description": textOf(o.Name)}
		switch o.Type {
		case tool.TypeInt:
			one["type"] = "integer"
		case tool.TypeJSON:
			one = object{"type": "array", "description": textOf(o.Name), "items": object{"type": "object", "required": []string{"name"},
				"properties": object{"name": object{"type": "string"}, "temperature": object{"type": "integer"}, "forecast": object{"type": "string"}}}}
		}
		if !o.Optional {
			required = append(required, o.Name)
		}
		outputs[o.Name] = one
	}
	version := strconv.Itoa(v.N) + ".0.0"
	return object{"id": toolkit + "." + t.ToolName + "@" + version, "name": t.Name, "description": textOf(t.Name), "version": version,
		"input_schema": input, "output_schema": object{"type": "object", "properties": outputs, "required": required, "additionalProperties": false}}
}

func mcpDocument(t *tool.Tool, v tool.Version) object {
	otc := otcDocument("", t, v)
	input := otc["input_schema"].(object)["parameters"]
	doc := object{"name": t.Name, "description": textOf(t.Name), "inputSchema": input, "outputSchema": otc["output_schema"],
		"annotations": object{"readOnlyHint": t.Effects.ReadOnly, "destructiveHint": t.Effects.Destructive,
			"idempotentHint": t.Effects.Idempotent, "openWorldHint": true}}
	for _, p := range v.Inputs {
		if p.MCPHeader != "" {
			input.(object)["properties"].(object)[p.Name].(object)["x-mcp-header"] = p.MCPHeader
		}
	}
	if t.Name == "lookup_weather_by_city" {
		doc["title"], doc["annotations"].(object)["title"] = "Weather by city", "Weather by city"
	}
	return doc
}

// echo succeeds with fixed outputs.
func echo(context.Context, tool.Args) (tool.Result, error) {
	return tool.Result{
		{Name: "temperature_f", JSON: []byte("80")},
		{Name: "short_forecast", JSON: []byte(`"Sunny"`)},
		{Name: "periods", JSON: []byte(`[]`)},
		{Name: "report_id", JSON: []byte(`"R"`)},
		{Name: "owner", JSON: []byte(`"me"`)},
	}, nil
}

// fixedOutput succeeds with a text that a backend gave.
func fixedOutput(text string) func(context.Context, tool.Args) (tool.Result, error) {
	return func(context.Context, tool.Args) (tool.Result, error) {
		return tool.Result{{Name: "temperature_f", JSON: []byte("80")}, {Name: "short_forecast", JSON: []byte(text)}, {Name: "periods", JSON: []byte(`[]`)}}, nil
	}
}
