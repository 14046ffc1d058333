package nws_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/internal/golden/doors"
)

// A request is what a person says, the call that a model makes of it, and what
// the answer has to hold. The inputs are in the words of the person.
type request struct {
	said, tool string
	inputs     in
	// facts are by path: "periods.0.high". A text in ~ has to be a part of what
	// is there; no path is a part of the message that there is no answer.
	facts in
	// world is the backend; nil are the written exchanges.
	world world
}

var requests = []request{
	// By the written exchanges.
	{"What's it like out in Omaha right now?", current, in{"place": "Omaha"}, in{"place": "Omaha, Nebraska", "temperature": 45, "unit": "F", "wind": "15 mph NW", "age_minutes": 8, "station": "~KOFF"}, nil},
	{"Wie warm ist es in Boston? In Celsius, please.", current, in{"place": "Boston, MA", "units": "SI"}, in{"place": "Boston, Massachusetts", "temperature": 7, "unit": "C", "wind": "~km/h"}, nil},
	{"Is it windy in Chi-Town?", current, in{"place": "Chi-Town"}, in{"place": "Chicago, Illinois", "wind": "~mph"}, nil},
	{"How humid is it in NOLA?", current, in{"place": "NOLA"}, in{"place": "New Orleans, Louisiana", "humidity_percent": 56}, nil},
	{"Is it raining at 98101?", current, in{"place": "98101"}, in{"place": "Seattle, Washington", "conditions": "Light Rain"}, nil},
	{"What will the weather be in Manhattan tomorrow?", forecast, in{"place": "Manhattan, NY", "when": "tomorrow"}, in{"place": "Manhattan, New York", "periods.0.name": "Thursday", "periods.0.high": 44, "periods.1.low": 34, "periods.1.rain_percent": 80}, nil},
	{"And in Manhattan, Kansas?", forecast, in{"place": "Manhattan, Kansas", "when": "tomorrow"}, in{"place": "Manhattan, Kansas", "periods.0.date": "2026-11-19"}, nil},
	{"Do I need an umbrella in Boston on Friday?", forecast, in{"place": "boston massachusetts", "when": "on Friday"}, in{"place": "Boston, Massachusetts", "periods.0.name": "Friday", "periods.0.rain_percent": 30}, nil},
	{"Will it snow in Denver tomorrow night?", forecast, in{"place": "Denver CO", "when": "tomorrow night"}, in{"place": "Denver, Colorado", "periods.0.name": "Thursday Night", "periods.0.summary": "~Snow Likely", "periods.0.low": 32}, nil},
	{"How hot will LA get this weekend?", forecast, in{"place": "LA", "when": "this weekend"}, in{"place": "Los Angeles, California", "periods.0.date": "2026-11-21", "periods.2.date": "2026-11-22", "periods.3.name": "Sunday Night"}, nil},
	{"Give me the week in Springfield, Sangamon County, Illinois.", forecast, in{"place": "Springfield, Sangamon County, Illinois", "when": "the week"}, in{"place": "Springfield, Illinois", "periods.13.date": "2026-11-24"}, nil},
	{"What's the low in Philly tonight?", forecast, in{"place": "Philly", "when": "TONIGHT"}, in{"place": "Philadelphia, Pennsylvania", "periods.0.name": "Tonight", "periods.0.low": 37}, nil},
	{"Hour by hour for Denver today, please.", forecast, in{"place": "Denver", "when": "today", "hourly": true}, in{"place": "Denver, Colorado", "hours.0.time": "2026-11-18T12:00", "hours.0.temperature": 55, "hours.17.time": "2026-11-19T05:00"}, nil},
	{"Weather on November 20th in St Louis, Missouri?", forecast, in{"place": "St Louis Missouri", "when": "November 20th"}, in{"place": "St. Louis, Missouri", "periods.0.date": "2026-11-20"}, nil},
	{"We are at 41.26, -95.94. How is tonight?", forecast, in{"place": "41.26, -95.94", "when": "tonight"}, in{"place": "Omaha, Nebraska", "periods.0.low": 28}, nil},
	{"What's the weather in Portland?", forecast, in{"place": "Portland"}, in{"": "Portland, Maine"}, nil},
	{"Any warnings in Norman, OK, and what should I do?", warnings, in{"place": "Norman, OK"}, in{"place": "Norman, Oklahoma", "count": 2, "alerts.0.event": "Tornado Warning", "alerts.0.instruction": "~TAKE COVER NOW! Move to a basement", "alerts.0.ends": "2026-11-18T13:30:00-06:00"}, nil},
	{"Is there dangerous weather in Kansas?", warnings, in{"place": "Kansas"}, in{"place": "Kansas", "count": 12, "more": 4, "alerts.0.event": "Blizzard Warning", "alerts.7.areas": "Meade"}, nil},
	{"Fire danger in Beverly Hills 90210?", warnings, in{"place": "Beverly Hills, CA 90210"}, in{"place": "Beverly Hills, California", "alerts.0.event": "Red Flag Warning", "alerts.0.areas": "~Santa Monica Mountains"}, nil},
	{"Tomorrow's high in Omaha?", lookup, in{"city": "omaha ne", "period": "TOMORROW"}, in{"place": "Omaha", "state": "Nebraska", "temperature_f": 52, "figure": "HIGH", "period_name": "Thursday", "rain_percent": 0}, nil},

	// By a backend that says otherwise.
	{"Is it raining in Salem, Massachusetts?", current, in{"place": "Salem, Massachusetts"}, in{"place": "Salem, Massachusetts", "temperature": 72, "conditions": "Light Rain", "wind": "11 mph SW, gusts 23 mph", "station": "Station KCCC (KCCC)", "age_minutes": 25, "humidity_percent": 81}, elsewhere},
	{"How cold does it feel in NYC?", current, in{"place": "NYC"}, in{"place": "New York, New York", "temperature": 25, "feels_like": 13, "conditions": "Light Snow", "station": "~KNYC", "wind": "17 mph NW"}, elsewhere},
	{"Wind in Los Angeles now?", current, in{"place": "los angeles, ca, usa"}, in{"place": "Los Angeles, California", "wind": "calm", "conditions": "not reported", "age_minutes": 1}, elsewhere},
	{"Temperature in Eugene, Oregon right now?", current, in{"place": "Eugene, Oregon"}, in{"": "No weather station near"}, elsewhere},
	{"Weather in Eugene, OR?", forecast, in{"place": "Eugene, OR"}, in{"place": "Eugene, Oregon", "periods.0.name": "Independence Day", "periods.0.high": 88}, elsewhere},
	{"And on Sunday?", forecast, in{"place": "Eugene OR", "when": "Sunday"}, in{"periods.0.name": "Independence Day", "periods.1.low": 55}, elsewhere},
	{"When does it rain in 97401 on Tuesday?", forecast, in{"place": "97401", "when": "Tuesday", "hourly": true}, in{"place": "Eugene, Oregon", "periods.0.rain_percent": 90, "hours.0.time": "2027-07-06T15:00", "hours.0.rain_percent": 95}, elsewhere},
	{"Next weekend day in Eugene?", forecast, in{"place": "Eugene, Lane County, Oregon", "when": "weekend"}, in{"periods.0.date": "2027-07-04", "periods.1.date": "2027-07-04"}, elsewhere},
	{"Eugene on the 10th of July?", forecast, in{"place": "eugene oregon", "when": "10th of July"}, in{"periods.0.date": "2027-07-10", "periods.0.high": 84, "periods.1.name": "Saturday Night"}, elsewhere},
	{"Eugene on 7/6, how windy?", forecast, in{"place": "Eugene, Ore.", "when": "7/6"}, in{"place": "Eugene, Oregon", "periods.0.wind": "15 mph", "periods.1.rain_percent": 65}, elsewhere},
	{"How hot in Celsius tomorrow in Eugene?", forecast, in{"place": "Eugene, OR", "when": "TOMORROW", "units": "SI", "hourly": true}, in{"periods.0.high": 33, "unit": "C", "periods.0.wind": "16 km/h", "hours.0.temperature": 32, "hours.0.wind": "5 km/h SW"}, elsewhere},
	{"Will it be foggy in Portland, Maine tonight?", forecast, in{"place": "Portland, Maine", "when": "tonight"}, in{"place": "Portland, Maine", "periods.0.summary": "~Fog", "periods.0.low": 61, "periods.0.wind": "0 mph"}, elsewhere},
	{"Portland tonight?", forecast, in{"place": "portland", "when": "tonight"}, in{"": "Portland, Oregon; Portland, Maine"}, elsewhere},
	{"Storms tonight where I am? 39.05 N, 77.10 W", forecast, in{"place": "39.05° N, 77.10° W", "when": "this evening"}, in{"place": "Rockville, Maryland", "periods.0.summary": "~Thunderstorms", "periods.0.rain_percent": 60}, elsewhere},
	{"What's it like in Greenville?", forecast, in{"place": "Greenville"}, in{"": "Greenville, South Carolina; Greenville, North Carolina"}, elsewhere},
	{"Greenville, SC then. High today?", forecast, in{"place": "Greenville, SC", "when": "today"}, in{"place": "Greenville, South Carolina", "periods.0.high": 93}, elsewhere},
	{"Alerts in Maryland?", warnings, in{"place": "Maryland"}, in{"place": "Maryland", "count": 2, "alerts.0.event": "Tornado Warning", "alerts.0.instruction": "Take shelter now.", "alerts.1.ends": "2027-07-04T18:00:00-04:00"}, elsewhere},
	{"What should I do about the flood here? 39.05, -77.1", warnings, in{"place": "39.05, -77.1"}, in{"place": "Rockville, Maryland", "alerts.0.instruction": "Move to higher ground."}, elsewhere},
	{"Heat warnings in Los Angeles?", warnings, in{"place": "Los Angeles"}, in{"place": "Los Angeles, California", "alerts.0.event": "Heat Advisory", "alerts.0.instruction": "Drink plenty of fluids, and stay out of the sun."}, elsewhere},
	{"Hurricane warnings in Louisiana?", warnings, in{"place": "state of Louisiana"}, in{"place": "Louisiana", "count": 11, "more": 3, "alerts.7.event": "Hurricane Warning"}, elsewhere},
}

// TestRequests puts every request at every door.
func TestRequests(t *testing.T) {
	written := recorded(t)
	scripted := 0
	for i := range requests {
		r := &requests[i]
		q := &doors.Question{Sort: good, Tool: r.tool, Inputs: r.inputs}
		upstream := written
		if r.world != nil {
			scripted++
			upstream = r.world
		}
		for j := range doors.All {
			t.Run(doors.All[j].Name+"/"+r.said, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					time.Sleep(time.Until(asked))
					got := doors.All[j].Ask(t, serveOver(t, upstream), q)
					for _, path := range sortedPaths(r.facts) {
						holds(t, &got, path, r.facts[path])
					}
				})
			})
		}
	}
	if len(requests) != 40 || scripted != 20 {
		t.Errorf("%d requests, %d of them over a scripted backend", len(requests), scripted)
	}
}

func sortedPaths(facts in) []string {
	var paths []string
	for path := range maps.Keys(facts) {
		paths = append(paths, path)
	}
	return paths
}

// holds wants a fact of what a door tells.
func holds(t *testing.T, got *outcome, path string, want any) {
	t.Helper()
	text := fmt.Sprint(want)
	if path == "" {
		if got.Outputs != nil || !strings.Contains(got.Message, text) {
			t.Errorf("%v and the message %q, want %q in it", got.Outputs, got.Message, text)
		}
		return
	}
	var at any = got.Outputs
	for part := range strings.SplitSeq(path, ".") {
		switch v := at.(type) {
		case map[string]any:
			at = v[part]
		case []any:
			if n, err := strconv.Atoi(part); err == nil && n < len(v) {
				at = v[n]
			} else {
				at = nil
			}
		}
	}
	is := fmt.Sprint(at)
	if inside, part := strings.CutPrefix(text, "~"); is != text && (!part || !strings.Contains(is, inside)) {
		t.Errorf("%s is %q, want %q in %v %s", path, is, text, got.Outputs, got.Message)
	}
}
