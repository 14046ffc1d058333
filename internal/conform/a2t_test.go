package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

type doc = map[string]any

// An a2tModel is what a good server knows: the versions of its tools, the oldest
// first.
type a2tModel struct{ tools [][]doc }

const (
	weatherID = "0479a45d-ad0a-49d4-94db-75edf00d2ca4"
	cancelID  = "5c0d7a60-63a4-4f6b-8b28-6f8f1ef1b9a1"
	roomsID   = "a8a6a2f5-0b51-4a53-9ff9-fb6f0a7c2a11"
)

func goodA2T() *a2tModel {
	city := doc{"id": "city", "name": "city", "type": "string", "description": "The city.", "required": true}
	temperature := doc{"id": "t", "name": "temperature", "type": "int", "description": "Degrees."}
	hours := doc{"id": "hours", "name": "hours", "type": "int", "description": "Hours ahead.", "required": false, "max": 48}
	period := doc{"id": "period", "name": "period", "type": "enum", "description": "Part of the day.", "required": false, "allowed-values": []any{
		doc{"name": "DAY", "description": "The day."}, doc{"name": "LATE_NIGHT", "description": "The night."},
	}}
	weather := doc{
		"toolId": weatherID, "name": "lookup_weather_by_city", "description": "Look up the weather of a city.", "version": 1, "currentVersion": 2,
		"tags": []any{"weather"}, "input_parameters": []any{city}, "output_parameters": []any{temperature},
	}
	second := clone(weather)
	second["version"], second["input_parameters"] = 2, []any{city, hours, period}
	cancel := doc{
		"toolId": cancelID, "name": "cancel_booking", "description": "Cancel a booking.", "version": 1, "currentVersion": 1,
		"input_parameters": []any{doc{"id": "b", "name": "booking", "description": "Its number."}}, "output_parameters": []any{doc{"id": "d", "name": "done", "type": "boolean", "description": "Whether it is."}},
	}
	rooms := doc{
		"toolId": roomsID, "name": "list_rooms", "description": "List rooms.", "version": 1, "currentVersion": 1,
		"input_parameters": []any{}, "output_parameters": []any{doc{"id": "r", "name": "rooms", "type": "json", "description": "The rooms."}},
	}
	return clone2(&a2tModel{[][]doc{{weather, second}, {cancel}, {rooms}}})
}

// clone2 makes every document of its own, so that a fault in one is in no other.
func clone2(m *a2tModel) *a2tModel { return &a2tModel{clone(m.tools)} }

// page is one page of a list.
func page(items []any, limit int, next any) answer {
	return answer{Status: 200, Body: doc{"items": items, "paging": doc{"pageLimit": limit, "next": next}}}
}

// invocation is the body of a call of the weather tool.
func invocation(inputs ...any) doc {
	return doc{"name": "lookup_weather_by_city", "input_parameters": append([]any{}, inputs...)}
}

var (
	omaha       = invocation(doc{"name": "city", "value": "Omaha"})
	a2tCalled   = post("/tools/"+weatherID+":invoke", omaha)
	a2tVersion2 = post("/tools/"+weatherID+"/versions/2:invoke", omaha)
	a2tNoJSON   = post("/tools/"+weatherID+":invoke", `{"name":`)
	a2tNoCity   = post("/tools/"+weatherID+":invoke", invocation())
)

func serveA2T(m *a2tModel) stub {
	s := stub{}
	var newest []any
	for _, versions := range m.tools {
		last := versions[len(versions)-1]
		newest = append(newest, last)
		path := "/tools/" + text(last["toolId"])
		s[get(path)] = answer{Status: 200, Body: last}
		var list []any
		for i := range versions {
			v := versions[len(versions)-1-i]
			list = append(list, v)
			s[get(fmt.Sprintf("%s/versions/%v", path, v["version"]))] = answer{Status: 200, Body: v}
		}
		s[get(path+"/versions")] = page(list, 50, nil)
	}
	s[get("/tools")] = page(newest, 50, nil)
	for i, at := range []string{"?pageLimit=1", "?pageCursor=c1&pageLimit=1", "?pageCursor=c2&pageLimit=1"} {
		var next any = fmt.Sprintf("c%d", i+1)
		if i == 2 {
			next = nil
		}
		s[get("/tools"+at)] = page(newest[i:i+1], 1, next)
	}
	result := answer{Status: 200, Body: doc{"output_parameters": []any{doc{"name": "temperature", "value": 80}}}}
	s[a2tCalled], s[a2tVersion2] = result, result
	s[a2tNoJSON] = answer{Status: 400, Body: doc{"title": "Bad request"}}
	s[a2tNoCity] = answer{Status: 422, Body: doc{"title": "Invalid input"}}
	return s
}

// first changes every version of the first tool.
func first(change func(doc)) func(*a2tModel) {
	return func(m *a2tModel) {
		for _, v := range m.tools[0] {
			change(v)
		}
	}
}

// firstInput changes the first input of every version of the first tool.
func firstInput(change func(doc)) func(*a2tModel) {
	return first(func(v doc) { change(object(array(v["input_parameters"])[0])) })
}

// second changes the one version of the second tool.
func second(change func(doc)) func(*a2tModel) {
	return func(m *a2tModel) { change(m.tools[1][0]) }
}

// with sets a member.
func with(name string, v any) func(doc) { return func(m doc) { m[name] = v } }

// enumOf changes the first value of the enum of the weather tool.
func enumOf(change func(doc)) func(*a2tModel) {
	return func(m *a2tModel) {
		change(object(array(object(array(m.tools[0][1]["input_parameters"])[2])["allowed-values"])[0]))
	}
}

// replace answers a request otherwise.
func replace(key string, a answer) func(stub) { return func(s stub) { s[key] = a } }

// edit changes a copy of an answer.
func edit(key string, change func(doc)) func(stub) {
	return func(s stub) {
		a := s[key]
		if a.Body == nil {
			panic("the stub has no " + key)
		}
		a.Body = clone(a.Body)
		change(object(a.Body))
		s[key] = a
	}
}

var versionsOfWeather = get("/tools/" + weatherID + "/versions")

var a2tFaults = []fault[a2tModel]{
	{clause: "a2t-5.1-outputs", model: second(with("output_parameters", []any{}))},
	{clause: "a2t-5.1-outputs", model: second(with("output_parameters", []any{doc{"id": "x", "name": "x", "type": "float", "description": "X."}}))},
	{clause: "a2t-5.4-compatible", model: func(m *a2tModel) {
		object(array(m.tools[0][1]["input_parameters"])[1])["required"] = true
	}},
	{clause: "a2t-5.4-compatible", model: func(m *a2tModel) {
		m.tools[0][0]["output_parameters"] = append(array(m.tools[0][0]["output_parameters"]), doc{"id": "w", "name": "wind", "type": "string", "description": "Wind."})
	}},
	{clause: "a2t-5.4-compatible", model: func(m *a2tModel) {
		object(array(m.tools[0][0]["input_parameters"])[0])["type"] = "boolean"
	}},
	{clause: "a2t-6.1-enumeration", wire: replace(get("/tools"), answer{Status: 404})},
	{clause: "a2t-6.1-enumeration", wire: replace(get("/tools"), answer{Status: 200, Text: "<html>"})},
	{clause: "a2t-6.1-items", wire: edit(get("/tools"), func(d doc) { d["items"] = append(array(d["items"]), "a tool") })},
	{clause: "a2t-6.1-signature", model: second(func(d doc) { delete(d, "description") })},
	{clause: "a2t-6.1-signature", model: firstInput(func(d doc) { delete(d, "id") })},
	{clause: "a2t-6.1-name-length", model: second(with("name", strings.Repeat("n", 255)))},
	{clause: "a2t-6.1-name-unique", model: second(with("name", "list_rooms"))},
	{clause: "a2t-6.1-name-snake-case", model: second(with("name", "Cancel Booking"))},
	{clause: "a2t-6.1-description-length", model: second(with("description", strings.Repeat("d", 2000)))},
	{clause: "a2t-6.1-english", model: second(with("description", "Отменить бронирование."))},
	{clause: "a2t-6.1-locked", wire: edit(get("/tools/"+cancelID), with("description", "Cancel it."))},
	{clause: "a2t-6.1-locked", wire: edit(get("/tools/"+weatherID+"/versions/1"), with("tags", []any{}))},
	{clause: "a2t-6.1-version-positive", model: second(func(d doc) { d["currentVersion"] = "one" }), also: []string{"a2t-6.1-latest"}},
	{clause: "a2t-6.1-version-positive", model: second(func(d doc) { d["version"], d["currentVersion"] = 0, 0 }), also: []string{"a2t-6.1-version-monotonic"}},
	{clause: "a2t-6.1-version-monotonic", model: second(func(d doc) { d["version"], d["currentVersion"] = 7, 7 })},
	{clause: "a2t-6.1-version-monotonic", wire: edit(versionsOfWeather, func(d doc) { d["items"] = append(array(d["items"]), array(d["items"])[1]) })},
	{clause: "a2t-6.1-latest", model: second(with("currentVersion", 2))},
	{clause: "a2t-6.1-latest", also: []string{"a2t-6.2-current"}, wire: func(s stub) {
		old := s[get("/tools/"+weatherID+"/versions/1")].Body
		for _, key := range []string{get("/tools"), get("/tools?pageLimit=1")} {
			edit(key, func(d doc) { array(d["items"])[0] = clone(old) })(s)
		}
		s[post("/tools/"+weatherID+"/versions/1:invoke", omaha)] = s[a2tCalled]
	}},
	{clause: "a2t-6.1-input-type", model: func(m *a2tModel) { object(array(m.tools[0][1]["input_parameters"])[1])["type"] = "number" }},
	{clause: "a2t-6.1-int-max", model: func(m *a2tModel) { object(array(m.tools[0][1]["input_parameters"])[1])["max"] = "48" }},
	{clause: "a2t-6.1-allowed-values", model: func(m *a2tModel) {
		m.tools[0][1]["input_parameters"] = append(array(m.tools[0][1]["input_parameters"]), doc{"id": "e", "name": "e", "type": "enum", "description": "E.", "required": false})
	}},
	{clause: "a2t-6.1-allowed-values", model: enumOf(func(d doc) { delete(d, "description") })},
	{clause: "a2t-6.1-enum-names", model: enumOf(with("name", "day"))},
	{clause: "a2t-6.1-enum-lengths", model: enumOf(with("name", strings.Repeat("N", 256)))},
	{clause: "a2t-6.1-enum-lengths", model: enumOf(with("description", strings.Repeat("d", 2001)))},
	{clause: "a2t-6.1-input-ids", model: func(m *a2tModel) { object(array(m.tools[0][1]["input_parameters"])[1])["id"] = "city" }},
	{clause: "a2t-6.1-input-names", model: func(m *a2tModel) {
		m.tools[0][1]["input_parameters"] = append(array(m.tools[0][1]["input_parameters"]), doc{"id": "h", "name": "hours", "type": "int", "description": "H.", "required": false})
	}},
	{clause: "a2t-6.1-required", model: second(func(d doc) { object(array(d["input_parameters"])[0])["required"] = "yes" })},
	{clause: "a2t-6.2-current", wire: func(s stub) { s[get("/tools/"+weatherID)] = s[get("/tools/"+weatherID+"/versions/1")] }},
	{clause: "a2t-6.2-current", wire: replace(get("/tools/"+cancelID), answer{Status: 404})},
	{clause: "a2t-6.3-versions", wire: replace(get("/tools/"+roomsID+"/versions"), answer{Status: 404})},
	{clause: "a2t-6.3-versions", wire: edit(versionsOfWeather, func(d doc) { d["items"] = array(d["items"])[1:] })},
	{clause: "a2t-6.3-versions", also: []string{"a2t-6.1-locked"}, wire: edit(get("/tools/"+roomsID+"/versions"), firstOf("items", with("toolId", cancelID)))},
	{clause: "a2t-6.3-order", wire: edit(versionsOfWeather, func(d doc) { items := array(d["items"]); items[0], items[1] = items[1], items[0] })},
	{clause: "a2t-6.3-version", wire: replace(get("/tools/"+weatherID+"/versions/1"), answer{Status: 404})},
	{clause: "a2t-6.3-version", wire: func(s stub) { s[get("/tools/"+weatherID+"/versions/1")] = s[get("/tools/"+weatherID)] }},
	{clause: "a2t-6.4-paging", wire: edit(get("/tools"), func(d doc) { delete(d, "paging") })},
	{clause: "a2t-6.4-paging", wire: edit(versionsOfWeather, func(d doc) { object(d["paging"])["pageLimit"] = "50" })},
	{clause: "a2t-6.4-paging", wire: edit(versionsOfWeather, func(d doc) { object(d["paging"])["next"] = false })},
	{clause: "a2t-6.4-limit", wire: func(s stub) { s[get("/tools?pageLimit=1")] = s[get("/tools")] }},
	{clause: "a2t-6.4-cursor", wire: func(s stub) { s[get("/tools?pageCursor=c1&pageLimit=1")] = s[get("/tools?pageCursor=c2&pageLimit=1")] }},
	{clause: "a2t-6.4-cursor", wire: func(s stub) { s[get("/tools?pageCursor=c1&pageLimit=1")] = s[get("/tools?pageLimit=1")] }},
	{clause: "a2t-6.4-cursor", wire: replace(get("/tools?pageCursor=c1&pageLimit=1"), answer{Status: 400})},
	{clause: "a2t-7-invoke", wire: replace(a2tCalled, answer{Status: 404})},
	{clause: "a2t-7-invoke", wire: replace(a2tCalled, answer{Status: 200, Body: doc{"output_parameters": doc{"temperature": 80}}})},
	{clause: "a2t-7-output-names", wire: replace(a2tCalled, answer{Status: 200, Body: doc{"output_parameters": []any{
		doc{"name": "temperature", "value": 80}, doc{"name": "Temperature in Fahrenheit", "value": 80}}}})},
	{clause: "a2t-7-output-types", wire: replace(a2tCalled, answer{Status: 200, Body: doc{"output_parameters": []any{doc{"name": "temperature", "value": "80"}}}})},
	{clause: "a2t-7-version", wire: replace(a2tVersion2, answer{Status: 405})},
	{clause: "a2t-7-broken-request", wire: replace(a2tNoJSON, answer{Status: 500})},
	{clause: "a2t-7-bad-inputs", wire: func(s stub) { s[a2tNoCity] = s[a2tCalled] }},
	{clause: "a2t-6.1-tool-id", wire: func(s stub) {
		for key, a := range s {
			s[strings.ReplaceAll(key, cancelID, "cancel")] = clone(answer{a.Status, parse([]byte(strings.ReplaceAll(compact(a.Body), cancelID, "cancel"))), a.Text})
		}
	}},
}

var a2tSuite = suite[a2tModel]{
	protocol: "a2t", build: goodA2T, render: serveA2T, faults: a2tFaults,
	invoke: []Invocation{{Tool: "lookup_weather_by_city", Inputs: doc{"city": "Omaha"}}},
}

func nactSuite() *suite[a2tModel] {
	s := a2tSuite
	s.protocol, s.faults = "nact", renamed(a2tFaults, "a2t", "nact", nactRows())
	return &s
}

func TestA2TBites(t *testing.T) { a2tSuite.bites(t) }

func TestNACTBites(t *testing.T) { nactSuite().bites(t) }

// TestManyTools: what a long list is not asked about is counted, and what is named is
// found wherever it is.
func TestManyTools(t *testing.T) {
	items := make([]any, 0, mostTools+3)
	for i := range mostTools + 3 {
		id := fmt.Sprintf("6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b%04x", i)
		items = append(items, doc{"toolId": id, "name": fmt.Sprintf("tool_%d", i), "description": "A tool.", "version": 1, "currentVersion": 1})
	}
	list, err := json.Marshal(doc{"items": items, "paging": doc{"pageLimit": len(items), "next": nil}})
	if err != nil {
		t.Fatal(err)
	}
	called := 0
	client := &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
		body := []byte(`{}`)
		switch {
		case r.URL.Path == "/tools":
			body = list
		case r.Method == http.MethodPost:
			called++
		}
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
	})}
	base := &url.URL{Scheme: "http", Host: "tools.example"}
	for name, unasked := range map[string]int{"": 3, "tool_101": 2} {
		o := Options{Client: client}
		if name != "" {
			o.Invoke = []Invocation{{Tool: name, Inputs: doc{}}}
		}
		report, err := Server(t.Context(), "a2t", base, o)
		if err != nil || report.Unasked != unasked || (called > 0) != (name != "") {
			t.Errorf("%q: %v, called %d times: %+v", name, err, called, report)
		}
		called = 0
	}
}
