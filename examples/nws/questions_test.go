package nws_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden/doors"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	good       = doors.Good
	leftOut    = doors.LeftOut
	missing    = doors.Missing
	unknown    = doors.Unknown
	wrongType  = doors.WrongType
	notAllowed = doors.NotAllowed
	noResult   = doors.NoResult
	down       = doors.Down
	garbage    = doors.Garbage
	oldVersion = doors.OldVersion
)

var sorts = []string{good, leftOut, missing, unknown, wrongType, notAllowed, noResult, down, garbage, oldVersion}

// asOf puts the question to one version; ok is false where that version answers
// otherwise, as those of the lookup before the third do.
func asOf(q question, version int) (_ *question, ok bool) {
	q.Version = version
	return &q, q.Tool != lookup || version == 3
}

// released puts questions without a version to the first two versions of the
// lookup, which keep the chain that they were released with. The first has one
// input and one output less.
func released(list []question) []question {
	var out []question
	for _, q := range list {
		if q.Version != 0 {
			out = append(out, q)
			continue
		}
		q.Version = 2
		out = append(out, q)
		if _, newer := q.Inputs["detailed"]; newer {
			continue
		}
		q.Version = 1
		q.Want.Outputs = maps.Clone(q.Want.Outputs)
		delete(q.Want.Outputs, "wind")
		out = append(out, q)
	}
	return out
}

const (
	lookup   = "lookup_weather_by_city"
	alerts   = "list_active_alerts_by_state"
	current  = "get_current_weather"
	forecast = "get_forecast"
	warnings = "get_weather_alerts"
)

type in = map[string]any

// values are outputs, written as JSON.
func values(text string) outcome {
	var o outcome
	if err := json.Unmarshal([]byte(text), &o.Outputs); err != nil {
		panic(err)
	}
	return o
}

func weather(place string, temperature int, summary, wind string) outcome {
	return outcome{Outputs: in{"place": place, "temperature_f": float64(temperature), "summary": summary, "wind": wind}}
}

// figures are the outputs of the third version of the lookup; rain of -1 is
// not known.
func figures(place, state, period string, temperature int, figure string, rain int, summary, wind string) outcome {
	o := weather(place, temperature, summary, wind)
	o.Outputs["state"], o.Outputs["period_name"], o.Outputs["figure"] = state, period, figure
	if rain >= 0 {
		o.Outputs["rain_percent"] = float64(rain)
	}
	return o
}

func invalid(issues ...issue) outcome {
	o := outcome{Kind: "invalid_input"}
	for _, i := range issues {
		o.Issues = append(o.Issues, doors.Issue(i))
	}
	return o
}

func ambiguous(name, states string) outcome {
	return outcome{Kind: "no_result", Reason: "ambiguous_place", Hint: "Ask the user for the state.",
		Message: fmt.Sprintf("Several US places are called %q: %s. Only US places are covered.", name, states)}
}

// A fault is an upstream that has the same answer for everyone, or none.
type fault func(*http.Request) (*http.Response, error)

func (f fault) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

var (
	refuses = fault(func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	})
	breaksOff = fault(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	busy      = fault(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 503, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: http.Header{"Retry-After": {"60"}}, Body: http.NoBody}, nil
	})
	noSuchArea = fault(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 400, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
			Header: http.Header{"Content-Type": {"application/problem+json"}},
			Body:   io.NopCloser(strings.NewReader(`{"type": "https://api.weather.gov/problems/InvalidParameter", "status": 400}`))}, nil
	})
	speaksHTML = canned{[]byte("<html><title>Down for maintenance</title></html>")}
	otherShape = canned{[]byte(`{"results": 5, "features": {"a": []}}`)}
	cutOff     = canned{[]byte(`{"results": [{"name": "Om`)}

	unavailable = outcome{Kind: "unavailable", Retry: true}
	waitAMinute = outcome{Kind: "unavailable", Retry: true, Wait: time.Minute}
	unusable    = outcome{Kind: "bad_backend"}

	periods  = []string{"NOW", "TONIGHT", "TOMORROW"}
	misspelt = issue{"perod", "unknown", `There is no such parameter. Did you mean "period"?`, nil, "period"}
)

func required(param string) issue {
	return issue{Param: param, Code: "missing", Detail: "This parameter is required."}
}

func noSuch(param string) issue {
	return issue{Param: param, Code: "unknown", Detail: "There is no such parameter."}
}

func wrong(param, code, detail string) issue { return issue{Param: param, Code: code, Detail: detail} }

func noVersion(tool string, current int) outcome {
	return outcome{Kind: "unknown_version", Message: fmt.Sprintf("The tool %s has no such version; its current version is %d.", tool, current)}
}

func unknownState(kind, state string) outcome {
	return outcome{Kind: kind, Reason: "unknown_state", Message: fmt.Sprintf("%q is no US state or territory.", state),
		Hint: "Give the name or the two-letter code, for example Nebraska or NE."}
}

// lookupThen are questions to the first two versions of the lookup.
var lookupThen = []question{
	{good, lookup, 0, in{"city": "Omaha, NE", "period": "TONIGHT", "detailed": true}, nil, weather("Omaha", 28, "Mostly Clear. Low around 28.", "5 to 10 mph NW")},
	{good, lookup, 0, in{"city": "Omaha, Nebraska", "period": "TOMORROW"}, nil, weather("Omaha", 52, "Sunny", "5 mph S")},
	{good, lookup, 0, in{"city": "Omaha, NE", "period": "TONIGHT"}, nil, weather("Omaha", 28, "Mostly Clear", "5 to 10 mph NW")},
	{good, lookup, 0, in{"city": "Portland, ME", "period": "NOW"}, nil, weather("Portland", 34, "Rain Likely", "5 to 10 mph E")},
	{good, lookup, 0, in{"city": "Portland, Oregon", "period": "NOW"}, nil, weather("Portland", 51, "Rain", "5 mph S")},
	{leftOut, lookup, 0, in{"city": "Omaha, Nebraska"}, nil, weather("Omaha", 47, "Mostly Sunny", "10 to 15 mph NW")},
	{leftOut, lookup, 0, in{"city": "Dededo", "period": nil, "detailed": false}, nil, weather("Dededo Village", 77, "Scattered Rain Showers", "10 mph E")},
	{missing, lookup, 0, in{"period": "NOW"}, nil, invalid(required("city"))},
	{missing, lookup, 0, in{"city": nil}, nil, invalid(required("city"))},
	{missing, lookup, 0, in{"perod": "NOW"}, nil, invalid(misspelt, required("city"))},
	{unknown, lookup, 0, in{"city": "Omaha, NE", "perod": "NOW"}, nil, invalid(misspelt)},
	{unknown, lookup, 0, in{"city": "Omaha, NE", "latitude": 41}, nil, invalid(noSuch("latitude"))}, // what is hidden stays so
	{unknown, lookup, 1, in{"city": "Omaha, NE", "detailed": true}, nil, invalid(noSuch("detailed"))},
	{wrongType, lookup, 0, in{"city": 68102}, nil, invalid(wrong("city", "type", "Must be a string, but is a whole number."))},
	{wrongType, lookup, 0, in{"city": "Omaha, NE", "period": false}, nil,
		invalid(issue{"period", "type", "Must be a string, one of the allowed values, but is a boolean.", periods, ""})},
	{wrongType, lookup, 0, in{"city": "Omaha, NE", "detailed": "true"}, nil, invalid(wrong("detailed", "type", "Must be true or false, but is a string."))},
	{notAllowed, lookup, 0, in{"city": "Omaha, NE", "period": "TOMOROW"}, nil,
		invalid(issue{"period", "not_allowed", `"TOMOROW" is not one of the allowed values. Did you mean "TOMORROW"?`, periods, "TOMORROW"})},
	{notAllowed, lookup, 0, in{"city": strings.Repeat("ä", 101)}, nil, invalid(wrong("city", "length", "Must have at most 100 characters, but has 101."))},
	{noResult, lookup, 0, in{"city": "Zzyzxburg"}, nil, outcome{Kind: "no_result", Reason: "no_such_place",
		Message: `No place called "Zzyzxburg" was found. Only US places are covered.`, Hint: "Give the city and its state with a comma between."}},
	{noResult, lookup, 0, in{"city": "Springfield"}, nil, ambiguous("Springfield", "Missouri, Massachusetts, Illinois, Oregon, Ohio, Virginia, Tennessee, Nebraska")},
	{noResult, lookup, 0, in{"city": "Paris"}, nil, ambiguous("Paris", "Texas, Tennessee, Kentucky, Illinois, Maine, Idaho")},
	{noResult, lookup, 0, in{"city": "Key Biscayne"}, nil, outcome{Kind: "no_result", Reason: "at_sea", Hint: "Ask for a town further inland.",
		Message: `The weather service takes "Key Biscayne" for a place at sea, and there are no forecasts for those.`}},
	{noResult, lookup, 0, in{"city": "Adak"}, nil, outcome{Kind: "rejected", Reason: "no_forecast",
		Message: `The forecast office has not delivered a forecast for "Adak".`}},
	{noResult, lookup, 0, in{"city": "Taulaga"}, nil, outcome{Kind: "no_result", Reason: "outside_us",
		Message: `The National Weather Service does not cover "Taulaga".`}},
	{down, lookup, 0, in{"city": "Omaha, NE"}, refuses, unavailable},
	{down, lookup, 0, in{"city": "Omaha, NE"}, breaksOff, unavailable},
	{down, lookup, 0, in{"city": "Omaha, NE"}, cutOff, unavailable},
	{down, lookup, 0, in{"city": "Omaha, NE"}, busy, waitAMinute},
	{garbage, lookup, 0, in{"city": "Omaha, NE"}, speaksHTML, unusable},
	{garbage, lookup, 0, in{"city": "Omaha, NE"}, otherShape, unusable},
	{oldVersion, lookup, 1, in{"city": "Omaha, NE"}, nil, values(`{"place": "Omaha", "temperature_f": 47, "summary": "Mostly Sunny"}`)},
}

// lookupNow are questions to its current version.
var lookupNow = []question{
	{good, lookup, 0, in{"city": "Omaha, NE", "period": "TONIGHT", "detailed": true}, nil, figures("Omaha", "Nebraska", "Tonight", 28, "LOW", 0, "Mostly Clear. Low around 28.", "5 to 10 mph NW")},
	{good, lookup, 0, in{"city": "omaha nebraska", "period": "TOMORROW"}, nil, figures("Omaha", "Nebraska", "Thursday", 52, "HIGH", 0, "Sunny", "5 mph S")},
	{good, lookup, 0, in{"city": "Portland, ME", "period": "NOW"}, nil, figures("Portland", "Maine", "Tonight", 34, "LOW", 72, "Rain Likely", "5 to 10 mph E")},
	{good, lookup, 0, in{"city": "Portland, Oregon", "period": "NOW"}, nil, figures("Portland", "Oregon", "Today", 51, "HIGH", 92, "Rain", "5 mph S")},
	{leftOut, lookup, 0, in{"city": "Omaha, Nebraska"}, nil, figures("Omaha", "Nebraska", "This Afternoon", 47, "HIGH", 0, "Mostly Sunny", "10 to 15 mph NW")},
	{leftOut, lookup, 0, in{"city": "Dededo", "period": nil, "detailed": false}, nil, figures("Dededo Village", "Guam", "Overnight", 77, "LOW", 33, "Scattered Rain Showers", "10 mph E")},
	{missing, lookup, 0, in{"period": "NOW"}, nil, invalid(required("city"))},
	{missing, lookup, 0, in{"city": nil}, nil, invalid(required("city"))},
	{missing, lookup, 0, in{"perod": "NOW"}, nil, invalid(misspelt, required("city"))},
	{unknown, lookup, 0, in{"city": "Omaha, NE", "perod": "NOW"}, nil, invalid(misspelt)},
	{unknown, lookup, 0, in{"city": "Omaha, NE", "latitude": 41}, nil, invalid(noSuch("latitude"))}, // what is hidden stays so
	{wrongType, lookup, 0, in{"city": 68102}, nil, invalid(wrong("city", "type", "Must be a string, but is a whole number."))},
	{wrongType, lookup, 0, in{"city": "Omaha, NE", "detailed": "true"}, nil, invalid(wrong("detailed", "type", "Must be true or false, but is a string."))},
	{notAllowed, lookup, 0, in{"city": "Omaha, NE", "period": "TOMOROW"}, nil,
		invalid(issue{"period", "not_allowed", `"TOMOROW" is not one of the allowed values. Did you mean "TOMORROW"?`, periods, "TOMORROW"})},
	{noResult, lookup, 0, in{"city": "Zzyzxburg"}, nil, noSuchPlace("Zzyzxburg")},
	{noResult, lookup, 0, in{"city": "Paris"}, nil, several("Paris", "state", "Paris, Texas; Paris, Tennessee; Paris, Kentucky; Paris, Illinois; Paris, Maine; Paris, Idaho")},
	{noResult, lookup, 0, in{"city": "Key Biscayne"}, nil, outcome{Kind: "no_result", Reason: "at_sea", Hint: "Ask for a town further inland.",
		Message: `The weather service takes "Key Biscayne" for a place at sea, and there are no forecasts for those.`}},
	{noResult, lookup, 0, in{"city": "Adak"}, nil, outcome{Kind: "rejected", Reason: "no_forecast",
		Message: `The forecast office has not delivered a forecast for "Adak".`}},
	{noResult, lookup, 0, in{"city": "Taulaga"}, nil, outside("Taulaga")},
	{down, lookup, 0, in{"city": "Omaha, NE"}, refuses, unavailable},
	{garbage, lookup, 0, in{"city": "Omaha, NE"}, speaksHTML, unusable},
	{garbage, lookup, 0, in{"city": "Omaha, NE"}, otherShape, unusable},
	{oldVersion, lookup, 99, in{"city": "Omaha, NE"}, nil, noVersion(lookup, 3)},
}

// alertQuestions are those about the alerts of a state.
var alertQuestions = []question{
	{good, alerts, 0, in{"state": "Nebraska"}, nil, values(`{"count": 2, "alerts": [
		{"event": "Winter Storm Watch", "severity": "Severe", "areas": "Cherry; Keya Paha; Boyd", "ends": "2026-11-22T12:00:00-06:00",
			"headline": "Winter Storm Watch issued November 18 at 12:34PM CST by NWS North Platte NE"},
		{"event": "Special Weather Statement", "severity": "Moderate", "areas": "Douglas; Sarpy; Cass"}]}`)},
	{good, alerts, 0, in{"state": "guam"}, nil, values(`{"count": 0, "alerts": []}`)},
	{missing, alerts, 0, nil, nil, invalid(required("state"))},
	{missing, alerts, 0, in{"stat": "NE"}, nil,
		invalid(issue{"stat", "unknown", `There is no such parameter. Did you mean "state"?`, nil, "state"}, required("state"))},
	{unknown, alerts, 0, in{"state": "NE", "severity": "Severe"}, nil, invalid(noSuch("severity"))},
	{wrongType, alerts, 0, in{"state": true}, nil, invalid(wrong("state", "type", "Must be a string, but is a boolean."))},
	{notAllowed, alerts, 0, in{"state": strings.Repeat("N", 41)}, nil, invalid(wrong("state", "length", "Must have at most 40 characters, but has 41."))},
	{noResult, alerts, 0, in{"state": "PK"}, refuses, unknownState("no_result", "PK")}, // waters of Alaska; nobody is asked
	{noResult, alerts, 0, in{"state": "Atlantis"}, refuses, unknownState("no_result", "Atlantis")},
	{noResult, alerts, 0, in{"state": "NE"}, noSuchArea, unknownState("rejected", "NE")},
	{down, alerts, 0, in{"state": "NE"}, refuses, unavailable},
	{down, alerts, 0, in{"state": "NE"}, busy, waitAMinute},
	{garbage, alerts, 0, in{"state": "NE"}, speaksHTML, unusable},
	{garbage, alerts, 0, in{"state": "NE"}, otherShape, unusable},
	{garbage, alerts, 0, in{"state": "NE"}, canned{[]byte("{}")}, unusable},
	{oldVersion, alerts, 1, in{"state": "GU"}, nil, values(`{"count": 0, "alerts": []}`)},
	{oldVersion, alerts, 99, in{"state": "GU"}, nil, noVersion(alerts, 1)},
}

// placeQuestions are those to the tools that take a place; requests_test.go has
// what people ask of them.
var placeQuestions = slices.Concat(aboutPlace(current), aboutPlace(forecast), aboutPlace(warnings), []question{
	{good, current, 0, in{"place": "Omaha, NE", "units": "SI"}, nil, values(`{"place": "Omaha, Nebraska", "temperature": 7, "unit": "C", "conditions": "Mostly Cloudy", "humidity_percent": 50,
		"wind": "24 km/h NW", "station": "Offutt Air Force Base (KOFF)", "observed_at": "2026-11-18T18:52:00+00:00", "age_minutes": 8}`)},
	{leftOut, current, 0, in{"place": "Omaha, NE"}, nil, values(`{"place": "Omaha, Nebraska", "temperature": 45, "unit": "F", "conditions": "Mostly Cloudy", "humidity_percent": 50,
		"wind": "15 mph NW", "station": "Offutt Air Force Base (KOFF)", "observed_at": "2026-11-18T18:52:00+00:00", "age_minutes": 8}`)},
	{notAllowed, current, 0, in{"place": "Omaha, NE", "units": "KELVIN"}, nil, invalid(issue{"units", "not_allowed", `"KELVIN" is not one of the allowed values.`, []string{"US", "SI"}, ""})},
	{good, forecast, 0, in{"place": "Omaha, NE", "when": "tonight", "hourly": false}, nil, values(`{"place": "Omaha, Nebraska", "unit": "F", "periods": [
		{"name": "Tonight", "date": "2026-11-18", "low": 28, "rain_percent": 0, "wind": "5 to 10 mph NW", "summary": "Mostly Clear. Low around 28."}]}`)},
	{leftOut, forecast, 0, in{"place": "68102"}, nil, values(`{"place": "Omaha, Nebraska", "unit": "F", "periods": [
		{"name": "This Afternoon", "date": "2026-11-18", "high": 47, "rain_percent": 0, "wind": "10 to 15 mph NW", "summary": "Mostly Sunny. High near 47."}]}`)},
	{notAllowed, forecast, 0, in{"place": "Omaha, NE", "when": strings.Repeat("x", 41)}, nil, invalid(wrong("when", "length", "Must have at most 40 characters, but has 41."))},
	{noResult, forecast, 0, in{"place": "Omaha, NE", "when": "one day"}, refuses, outcome{Kind: "no_result", Reason: "unknown_time", Message: `It is not clear when "one day" is.`,
		Hint: "Use NOW, TODAY, TONIGHT, TOMORROW, WEEKEND, WEEK, a day of the week, or a date such as 2026-11-20."}},
	{noResult, forecast, 0, in{"place": "Omaha, NE", "when": "2026-12-24"}, nil, outcome{Kind: "no_result", Reason: "no_forecast",
		Message: `There is no forecast for "2026-12-24": it reaches from 2026-11-18 to 2026-11-24.`}},
	{good, warnings, 0, in{"place": "Nebraska"}, nil, values(`{"place": "Nebraska", "count": 2, "more": 0, "alerts": [
		{"event": "Winter Storm Watch", "severity": "Severe", "areas": "Cherry; Keya Paha; Boyd", "starts": "2026-11-21T18:00:00-06:00", "ends": "2026-11-22T12:00:00-06:00",
			"headline": "Winter Storm Watch issued November 18 at 12:34PM CST by NWS North Platte NE", "instruction": "Keep an eye on the forecast.",
			"description": "Heavy snow possible. Five to eight inches of snow and gusts as high as 45 mph."},
		{"event": "Special Weather Statement", "severity": "Moderate", "areas": "Douglas; Sarpy; Cass", "starts": "2026-11-18T11:52:00-06:00", "ends": "2026-11-18T15:00:00-06:00",
			"description": "Gusts of 40 to 45 mph are possible this afternoon."}]}`)},
	{noResult, warnings, 0, in{"place": "LA"}, refuses, outcome{Kind: "no_result", Reason: "ambiguous_place", Message: `"LA" is a state and a city.`,
		Hint: `Ask the user which one is meant, and give "Louisiana State" or "Los Angeles, CA".`}},
})

// aboutPlace are the questions that all tools with a place answer the same way.
func aboutPlace(tool string) []question {
	list := []question{
		{missing, tool, 0, in{"place": nil}, nil, invalid(required("place"))},
		{unknown, tool, 0, in{"place": "Omaha, NE", "latitude": 41}, nil, invalid(noSuch("latitude"))},
		{wrongType, tool, 0, in{"place": 68102}, nil, invalid(wrong("place", "type", "Must be a string, but is a whole number."))},
		{notAllowed, tool, 0, in{"place": strings.Repeat("x", 101)}, nil, invalid(wrong("place", "length", "Must have at most 100 characters, but has 101."))},
		{noResult, tool, 0, in{"place": "Zzyzxburg"}, nil, noSuchPlace("Zzyzxburg")},
		{noResult, tool, 0, in{"place": "Portland"}, nil, several("Portland", "state", "Portland, Oregon; Portland, Maine; Portland, Texas; Portland, Tennessee; Portland, Connecticut; Portland, Michigan")},
		{noResult, tool, 0, in{"place": "Union, WI"}, nil, several("Union, WI", "county between city and state", "Union, Rock, Wisconsin; Union, Grant, Wisconsin")},
		{noResult, tool, 0, in{"place": "Taulaga"}, nil, outside("Taulaga")},
		{down, tool, 0, in{"place": "Omaha, NE"}, refuses, unavailable},
		{down, tool, 0, in{"place": "Omaha, NE"}, busy, waitAMinute},
		{garbage, tool, 0, in{"place": "Omaha, NE"}, speaksHTML, unusable},
		{garbage, tool, 0, in{"place": "Omaha, NE"}, otherShape, unusable},
		{oldVersion, tool, 99, in{"place": "Omaha, NE"}, nil, noVersion(tool, 1)},
	}
	if tool != warnings {
		list = append(list, question{noResult, tool, 0, in{"place": "Nebraska"}, refuses, outcome{Kind: "no_result", Reason: "state_only",
			Message: `"Nebraska" is a whole state, and its weather is not the same everywhere.`, Hint: "Name a city in it, or ask the user for one."}})
	}
	return list
}

func noSuchPlace(place string) outcome {
	return outcome{Kind: "no_result", Reason: "no_such_place", Message: fmt.Sprintf("No place called %q was found. Only US places are covered.", place),
		Hint: "Give city and state, a ZIP code, or latitude and longitude."}
}

func several(place, what, candidates string) outcome {
	return outcome{Kind: "no_result", Reason: "ambiguous_place", Message: fmt.Sprintf("Several US places are called %q: %s.", place, candidates),
		Hint: fmt.Sprintf("Ask the user which one, and give its %s.", what)}
}

func outside(place string) outcome {
	return outcome{Kind: "no_result", Reason: "outside_us", Message: fmt.Sprintf("The National Weather Service does not cover %q.", place)}
}

var questions = slices.Concat(lookupNow, released(lookupThen), alertQuestions, placeQuestions)

// TestSameAnswerEverywhere asks every tool the same at every door. What a
// question without a version wants is also wanted of each version by number
// that answers the same.
func TestSameAnswerEverywhere(t *testing.T) {
	recorded := recorded(t)
	set := toolsOver(t, recorded).Toolset()
	for i := range questions {
		q := &questions[i]
		askAll(t, recorded, q)
		at := slices.IndexFunc(set.Tools, func(t tool.Tool) bool { return t.Name == q.Tool })
		if at < 0 || q.Version != 0 {
			continue
		}
		for _, v := range set.Tools[at].Versions {
			if numbered, ok := asOf(*q, v.N); ok {
				askAll(t, recorded, numbered)
			}
		}
	}
}

// asked is when all questions are: a few minutes after the stations measured.
var asked = time.Date(2026, 11, 18, 19, 0, 0, 0, time.UTC)

// askAll puts a question at all doors that can put it. Time is not that of the
// clock, because a backend that is down is asked again after a while.
func askAll(t *testing.T, recorded http.RoundTripper, own *question) {
	q := (*doors.Question)(own)
	for i := range doors.All {
		d := &doors.All[i]
		if !d.Can(q) {
			continue
		}
		t.Run(d.Name+"/"+q.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				upstream := q.Upstream
				if upstream == nil {
					upstream = recorded
				}
				s := serveOver(t, upstream)
				time.Sleep(time.Until(asked))
				got := d.Ask(t, s, q)
				maps.DeleteFunc(got.Outputs, func(_ string, v any) bool { return v == nil }) // some doors say so of what is missing
				if diff := cmp.Diff(d.Tells(t, s, q), got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// TestEveryToolIsAsked: a tool without a question of some sort, at some door,
// would be one of which nobody knows what it answers.
func TestEveryToolIsAsked(t *testing.T) {
	set := toolsOver(t, recorded(t)).Toolset()
	for _, served := range set.Tools {
		newest := served.Versions[len(served.Versions)-1]
		choice := slices.ContainsFunc(newest.Inputs, func(p tool.Param) bool { return !p.Required })
		for _, sort := range sorts {
			asked := slices.ContainsFunc(questions, func(q question) bool { return q.Tool == served.Name && q.Sort == sort })
			if asked != (sort != leftOut || choice) {
				t.Errorf("%s: question of the sort %q: %t", served.Name, sort, asked)
			}
		}
		for _, v := range served.Versions {
			if !slices.ContainsFunc(questions, func(q question) bool { return q.Tool == served.Name && (q.Version == v.N || v.N == newest.N) }) {
				t.Errorf("%s: no question names version %d", served.Name, v.N)
			}
		}
	}
	for _, d := range doors.All {
		for _, sort := range sorts {
			able := slices.ContainsFunc(questions, func(q question) bool { return q.Sort == sort && d.Can((*doors.Question)(&q)) })
			if !able && !slices.Contains(d.Cannot, sort) && (d.Versioned || sort != oldVersion) {
				t.Errorf("nobody asks a question of the sort %q at the door %s", sort, d.Name)
			}
		}
	}
}
