package nws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// served is the tools over one upstream, as doors want them.
type served struct {
	tools *nws.Tools
	set   tool.Toolset
	// plain serves over all protocols; what judged answers is also held against
	// the schemas.
	plain, judged http.Handler
}

func serveOver(t testing.TB, upstream http.RoundTripper) *served {
	t.Helper()
	tools := toolsOver(t, upstream)
	return &served{tools, tools.Toolset(), plainHandler(t, tools), handlerOver(t, tools)}
}

func (s *served) tool(t testing.TB, name string) *tool.Tool {
	t.Helper()
	at := slices.IndexFunc(s.set.Tools, func(t tool.Tool) bool { return t.Name == name })
	if at < 0 {
		t.Fatalf("there is no tool %q", name)
	}
	return &s.set.Tools[at]
}

// An outcome is all that a caller learns. A question wants one, in the words of
// tool.Error; each door tells of it what its protocol has room for.
type outcome struct {
	// Status is that of HTTP, 0 where there is none.
	Status int
	// Outputs are the values of the outputs, as encoding/json reads them.
	Outputs map[string]any
	// Kind is the word of tool.Kind, "" for no error; A2T has words of its own.
	Kind string
	// Reason is the code that the manifest gives to an error.
	Reason string
	// Message is empty in what a question wants where the run time has a
	// sentence for the kind.
	Message, Hint string
	Retry         bool
	Wait          time.Duration
	Issues        []issue
}

// An issue is what is wrong with one input.
type issue struct {
	Param, Code, Detail string
	Allowed             []string
	Nearest             string
}

// sentences are what the model reads where nobody said anything better.
var sentences = map[string]string{
	"invalid_input": "Some input parameters are invalid",
	"unavailable":   "The backend is not available at the moment. Try again later.",
	"bad_backend":   "The backend gave an answer that this tool cannot use.",
}

func (o *outcome) sentence() string {
	if o.Message == "" {
		return sentences[o.Kind]
	}
	return o.Message
}

// A door is a way to ask, over a protocol or in process.
type door struct {
	name string
	// versioned doors can name a version; the others ask for the current one.
	versioned bool
	// cannot lists the sorts of questions that nobody can put here.
	cannot []string
	ask    func(testing.TB, *served, *question) outcome
	// tells is what the door has to tell of the outcome that the question wants.
	tells func(testing.TB, *served, *question) outcome
}

var doors = []door{
	{"method", false, []string{missing, unknown, wrongType}, askMethod, tellAll},
	{"in process", true, nil, askGeneric, tellAll},
	{"A2T", true, nil, askA2T("/a2t", ":"), tellA2T},
	{"A2T escaped", true, nil, askA2T("/a2t", "%3A"), tellA2T},
	{"N-ACT", true, nil, askA2T("/nact", ":"), tellA2T},
	{"OTC", true, nil, askOTC("/otc/tools/call", "@%d.0.0"), tellOTC},
	{"OTC alias", true, nil, askOTC("/otc/call", "@%d"), tellOTC},
	{"MCP", false, nil, askMCP(""), tellMCP},
	{"MCP 2026-07-28", false, nil, askMCP("2026-07-28"), tellMCP},
	{"MCP on stdio", false, nil, askStdio(""), tellStdio},
	{"MCP 2026-07-28 on stdio", false, nil, askStdio("2026-07-28"), tellStdio},
	{"command line", false, []string{wrongType}, askConsole(false), tellConsole},
	{"command line as JSON", false, []string{wrongType}, askConsole(true), tellProblem},
	{"agent", false, []string{unknown, wrongType}, askAgent, tellAgent},
}

// can says whether the question can be put at this door.
func (d *door) can(q *question) bool {
	return (d.versioned || q.version == 0) && !slices.Contains(d.cannot, q.sort)
}

// tellAll is for doors in process, which hand over the error itself.
func tellAll(_ testing.TB, _ *served, q *question) outcome { return q.want }

// askGeneric calls the tool by its name.
func askGeneric(t testing.TB, s *served, q *question) outcome {
	args := tool.Args{}
	for name, v := range q.inputs {
		if n, is := v.(int); is {
			v = int64(n)
		}
		args[name] = v
	}
	result, err := serve.Invoke(context.Background(), s.set, q.tool, q.version, args)
	if err != nil {
		return told(t, err)
	}
	values := map[string]any{}
	for _, o := range result {
		if len(o.JSON) == 0 { // missing
			continue
		}
		var v any
		if err := json.Unmarshal(o.JSON, &v); err != nil {
			t.Fatalf("output %s: %v", o.Name, err)
		}
		values[o.Name] = v
	}
	return outcome{Outputs: values}
}

// methods call the generated methods.
var methods = map[string]func(context.Context, *nws.Tools, map[string]any) (any, error){
	lookup: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		in := nws.LookupWeatherByCityInput{City: inputs["city"].(string), Period: optional[nws.LookupWeatherByCityPeriod](inputs, "period")}
		if v, ok := inputs["detailed"].(bool); ok {
			in.Detailed = &v
		}
		return tools.LookupWeatherByCity(ctx, in)
	},
	alerts: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		return tools.ListActiveAlertsByState(ctx, nws.ListActiveAlertsByStateInput{State: inputs["state"].(string)})
	},
	current: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		return tools.GetCurrentWeather(ctx, nws.GetCurrentWeatherInput{Place: inputs["place"].(string), Units: optional[nws.GetCurrentWeatherUnits](inputs, "units")})
	},
	forecast: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		in := nws.GetForecastInput{Place: inputs["place"].(string), When: optional[string](inputs, "when"), Units: optional[nws.GetForecastUnits](inputs, "units")}
		if v, ok := inputs["hourly"].(bool); ok {
			in.Hourly = &v
		}
		return tools.GetForecast(ctx, in)
	},
	warnings: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		return tools.GetWeatherAlerts(ctx, nws.GetWeatherAlertsInput{Place: inputs["place"].(string)})
	},
}

// optional is a text that may be left out.
func optional[T ~string](inputs map[string]any, name string) *T {
	if v, ok := inputs[name].(string); ok {
		return new(T(v))
	}
	return nil
}

// jsonOf is a value of Go as the other doors have it: fields go back to the names
// of the outputs, and what is nil is left out.
func jsonOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return jsonOf(v.Elem())
	case reflect.Int64:
		return float64(v.Int())
	case reflect.String:
		return v.String()
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, jsonOf(v.Index(i)))
		}
		return list
	}
	out := map[string]any{}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() != reflect.Pointer && f.Kind() != reflect.Slice || !f.IsNil() {
			name := regexp.MustCompile("[A-Z]").ReplaceAllString(v.Type().Field(i).Name, "_$0")
			out[strings.ToLower(name[1:])] = jsonOf(f)
		}
	}
	return out
}

func askMethod(t testing.TB, s *served, q *question) outcome {
	call := methods[q.tool]
	if call == nil {
		t.Fatalf("nobody calls the method of %s", q.tool)
	}
	outputs, err := call(context.Background(), s.tools, q.inputs)
	if err != nil {
		return told(t, err)
	}
	return outcome{Outputs: jsonOf(reflect.ValueOf(outputs)).(map[string]any)}
}

// told is what an error says in process.
func told(t testing.TB, err error) outcome {
	var e *tool.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no error of the run time", err)
	}
	o := outcome{Kind: e.Kind.String(), Reason: e.Code, Message: e.Message, Hint: e.Hint, Retry: e.Retryable, Wait: e.RetryAfter}
	for _, i := range e.Issues {
		o.Issues = append(o.Issues, issue{i.Param, i.Code, i.Detail, i.Allowed, i.Nearest})
	}
	return o
}

func post(t testing.TB, h http.Handler, path string, body, into any, headers ...string) *httptest.ResponseRecorder {
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
	return w
}

// A problem is the document of an error in A2T (RFC 9457).
type problem struct {
	Code, Reason, Detail, Hint string
	Retryable                  bool
	Wait                       int64 `json:"retry_after_ms"`
	Errors                     []struct {
		Parameter, Code, Detail string
		Allowed                 []string
	}
}

func (p *problem) outcome() outcome {
	o := outcome{Kind: p.Code, Reason: p.Reason, Message: p.Detail, Hint: p.Hint,
		Retry: p.Retryable, Wait: time.Duration(p.Wait) * time.Millisecond}
	for _, e := range p.Errors {
		o.Issues = append(o.Issues, issue{Param: e.Parameter, Code: e.Code, Detail: e.Detail, Allowed: e.Allowed})
	}
	return o
}

// askA2T invokes a tool below a prefix; the colon before the verb may be escaped.
func askA2T(prefix, colon string) func(testing.TB, *served, *question) outcome {
	return func(t testing.TB, s *served, q *question) outcome {
		var got struct {
			problem
			Outputs []struct {
				Name  string
				Value any
			} `json:"output_parameters"`
		}
		params := []map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(q.inputs)) {
			params = append(params, map[string]any{"name": name, "value": q.inputs[name]})
		}
		path := prefix + "/tools/" + s.tool(t, q.tool).ID
		if q.version != 0 {
			path += fmt.Sprintf("/versions/%d", q.version)
		}
		w := post(t, s.judged, path+colon+"invoke", map[string]any{"name": q.tool, "input_parameters": params}, &got)
		if w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
		o := got.outcome()
		o.Status = w.Code
		for _, v := range got.Outputs {
			if o.Outputs == nil {
				o.Outputs = map[string]any{}
			}
			o.Outputs[v.Name] = v.Value
		}
		return o
	}
}

// a2tKinds has the status and the word of each kind in A2T.
var a2tKinds = map[string]struct {
	status int
	code   string
}{
	"":                {200, ""},
	"unknown_version": {404, "unknown_version"},
	"invalid_input":   {422, "invalid_parameters"},
	"no_result":       {422, "no_result"},
	"rejected":        {422, "backend_rejected"},
	"bad_backend":     {502, "backend_invalid_response"},
	"unavailable":     {503, "backend_unavailable"},
}

func tellA2T(t testing.TB, s *served, q *question) outcome {
	o := q.want
	kind, known := a2tKinds[o.Kind]
	if !known {
		t.Fatalf("what is %q in A2T?", o.Kind)
	}
	o.Message = o.sentence()
	if n := len(o.Issues); n > 0 {
		version, are := q.version, "parameters are"
		if version == 0 {
			versions := s.tool(t, q.tool).Versions
			version = versions[len(versions)-1].N
		}
		if n == 1 {
			are = "parameter is"
		}
		o.Message = fmt.Sprintf("%d input %s not valid for %s version %d.", n, are, q.tool, version)
		o.Issues = slices.Clone(o.Issues)
		for i := range o.Issues {
			o.Issues[i].Nearest = "" // the detail has it
		}
	}
	o.Status, o.Kind = kind.status, kind.code
	return o
}

// otcNames are the names of the tools in OTC.
var otcNames = map[string]string{
	lookup: "Weather.LookupWeatherByCity", alerts: "Weather.ListActiveAlertsByState",
	current: "Weather.GetCurrentWeather", forecast: "Weather.GetForecast", warnings: "Weather.GetWeatherAlerts",
}

func askOTC(path, version string) func(testing.TB, *served, *question) outcome {
	return func(t testing.TB, s *served, q *question) outcome {
		var got struct {
			Result struct {
				Success bool
				Value   map[string]any
				Error   struct {
					Message, Code string
					Hint          string `json:"additional_prompt_content"`
					Retry         bool   `json:"can_retry"`
					Wait          int64  `json:"retry_after_ms"`
				}
			}
			Message string
			Params  map[string]string `json:"parameter_errors"`
		}
		id := otcNames[q.tool]
		if q.version != 0 {
			id += fmt.Sprintf(version, q.version)
		}
		w := post(t, s.judged, path, map[string]any{"request": map[string]any{"tool_id": id, "input": q.inputs}}, &got)
		e := &got.Result.Error
		o := outcome{Status: w.Code, Outputs: got.Result.Value, Reason: e.Code, Message: got.Message + e.Message, Hint: e.Hint,
			Retry: e.Retry, Wait: time.Duration(e.Wait) * time.Millisecond}
		if got.Result.Success != (o.Message == "") {
			t.Errorf("success is %t beside the message %q", got.Result.Success, o.Message)
		}
		for _, name := range slices.Sorted(maps.Keys(got.Params)) {
			o.Issues = append(o.Issues, issue{Param: name, Detail: got.Params[name]})
		}
		return o
	}
}

// tellOTC: the kind shows only in the status, which is 200 as soon as the tool
// runs. What a hint may help with can be retried.
func tellOTC(_ testing.TB, _ *served, q *question) outcome {
	o := q.want
	o.Message, o.Status, o.Kind, o.Issues = o.sentence(), http.StatusOK, "", nil
	switch q.want.Kind {
	case "invalid_input":
		o.Status = http.StatusUnprocessableEntity
		for _, i := range q.want.Issues {
			if len(i.Allowed) > 0 {
				i.Detail += " Allowed: " + strings.Join(i.Allowed, ", ") + "."
			}
			o.Issues = append(o.Issues, issue{Param: i.Param, Detail: i.Detail})
		}
		slices.SortFunc(o.Issues, func(a, b issue) int { return strings.Compare(a.Param, b.Param) })
	case "unknown_version":
		o.Status = http.StatusBadRequest
		o.Message = fmt.Sprintf("Tool '%s' has no version %d.0.0", otcNames[q.tool], q.version)
	case "no_result", "rejected":
		o.Retry = o.Hint != ""
	}
	return o
}

// mcpCall is a tools/call; 2026-07-28 says of itself what it is.
func mcpCall(q *question, revision string) map[string]any {
	params := map[string]any{"name": q.tool, "arguments": q.inputs}
	if revision != "" {
		params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	}
	return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
}

// An mcpAnswer is the answer to a tools/call.
type mcpAnswer struct {
	Result struct {
		Content           []struct{ Type, Text string }
		StructuredContent map[string]any
		IsError           bool
	}
}

// read takes an answer apart; its text has to say the same as its values.
func (a *mcpAnswer) read(t testing.TB) outcome {
	if len(a.Result.Content) != 1 || a.Result.Content[0].Type != "text" {
		t.Fatalf("%+v", a)
	}
	text := a.Result.Content[0].Text
	if a.Result.IsError {
		return outcome{Message: text, Outputs: a.Result.StructuredContent}
	}
	var said map[string]any
	if err := json.Unmarshal([]byte(text), &said); err != nil || !cmp.Equal(said, a.Result.StructuredContent) {
		t.Errorf("text %s, values %s: %v", text, a.Result.StructuredContent, err)
	}
	return outcome{Outputs: a.Result.StructuredContent}
}

func askMCP(revision string) func(testing.TB, *served, *question) outcome {
	return func(t testing.TB, s *served, q *question) outcome {
		var headers []string
		if revision != "" {
			headers = []string{"MCP-Protocol-Version: " + revision, "Mcp-Method: tools/call", "Mcp-Name: " + q.tool}
		}
		var got mcpAnswer
		w := post(t, s.judged, "/mcp", mcpCall(q, revision), &got, headers...)
		o := got.read(t)
		o.Status = w.Code
		return o
	}
}

func askStdio(revision string) func(testing.TB, *served, *question) outcome {
	return func(t testing.TB, s *served, q *question) outcome {
		line, err := json.Marshal(mcpCall(q, revision))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := serve.Stdio(context.Background(), s.plain, nil, bytes.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		var got mcpAnswer
		var doc any
		if err := errors.Join(json.Unmarshal(out.Bytes(), &got), json.Unmarshal(out.Bytes(), &doc)); err != nil {
			t.Fatal(err)
		}
		golden.JudgeMCP(t, "on stdio", doc)
		return got.read(t)
	}
}

func tellMCP(t testing.TB, s *served, q *question) outcome {
	o := tellStdio(t, s, q)
	o.Status = http.StatusOK
	return o
}

// tellStdio: all there is to an error is one text, in whole sentences.
func tellStdio(_ testing.TB, _ *served, q *question) outcome {
	if q.want.Kind == "" {
		return outcome{Outputs: q.want.Outputs}
	}
	text := q.want.sentence()
	for at, i := range q.want.Issues {
		if at == 0 {
			text += ":"
		}
		text += " " + i.Param + ": " + i.Detail
		if len(i.Allowed) > 0 {
			text += " Allowed: " + strings.Join(i.Allowed, ", ") + "."
		}
	}
	if q.want.Hint != "" {
		text += " " + q.want.Hint
	}
	if q.want.Wait > 0 {
		text = strings.Replace(text, "Try again later.", fmt.Sprintf("Try again in %.0f s.", q.want.Wait.Seconds()), 1)
	}
	return outcome{Message: text}
}
