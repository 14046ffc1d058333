package scan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A shape is a text of a common form, with the same decoder over this package,
// written as generated code is, and over encoding/json.
type shape struct {
	name string
	text []byte
	scan func(*Scanner) any
	json func([]byte) (any, error)
}

func shapes() []shape {
	return []shape{
		{"forecast", hourly(14), decoder(scanForecastAnswer), unmarshal[forecastAnswerJSON]},
		{"hourly", hourly(156), decoder(scanForecastAnswer), unmarshal[forecastAnswerJSON]},
		{"deep", deepTree(6), decoder(scanTreeNode), unmarshal[treeNodeJSON]},
		{"names", randomNames(500), decoder(scanTreeNode), unmarshal[treeNodeJSON]},
		{"list", largeList(1000), func(s *Scanner) any { v := Pointers(s, List(s, scanIssue)); return &v }, unmarshal[[]*issueJSON]},
	}
}

func decoder[T any](scan func(*Scanner) T) func(*Scanner) any {
	return func(s *Scanner) any { v := Pointer(scan)(s); return v }
}

func unmarshal[T any](text []byte) (any, error) {
	v := new(T)
	return v, json.Unmarshal(text, v)
}

// hourly is a pretty-printed forecast of n periods as weather services send it.
func hourly(n int) []byte {
	var b strings.Builder
	b.WriteString("{\n    \"@context\": [\n        \"https://geojson.org/geojson-ld/geojson-context.jsonld\"\n    ],\n    \"type\": \"Feature\",\n" +
		"    \"geometry\": {\n        \"type\": \"Polygon\",\n        \"coordinates\": [[[-97.1, 39.7], [-97.2, 39.8]]]\n    },\n    \"properties\": {\n        \"units\": \"us\",\n        \"periods\": [")
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `
            {
                "number": %d,
                "name": "Tonight",
                "startTime": "2026-10-%02dT%02d:00:00-05:00",
                "endTime": "2026-10-%02dT%02d:00:00-05:00",
                "isDaytime": %v,
                "temperature": %d,
                "temperatureUnit": "F",
                "temperatureTrend": null,
                "probabilityOfPrecipitation": {
                    "unitCode": "wmoUnit:percent",
                    "value": %d
                },
                "dewpoint": {
                    "unitCode": "wmoUnit:degC",
                    "value": 7.222222222222222
                },
                "relativeHumidity": {
                    "unitCode": "wmoUnit:percent",
                    "value": 62
                },
                "windSpeed": "%d to 15 mph",
                "windDirection": "SSW",
                "icon": "https://api.weather.gov/icons/land/night/rain_showers,40?size=medium",
                "shortForecast": "Chance Rain Showers",
                "detailedForecast": "A chance of rain showers. Mostly cloudy, with a low around 54. South southwest wind 5 to 15 mph."
            }`, i+1, 1+i%28, i%24, 1+i%28, i%24, i%2 == 0, 40+i%30, i%100, i%10)
	}
	b.WriteString("\n        ]\n    }\n}\n")
	return []byte(b.String())
}

// Each type is there twice: with an Optional, as in generated code, and with pointers for
// encoding/json.
type (
	forecastAnswer struct {
		Properties Optional[forecastList] `json:"properties"`
	}
	forecastList struct {
		Periods []*period `json:"periods"`
	}
	period struct {
		StartTime     Optional[string] `json:"startTime"`
		IsDaytime     Optional[bool]   `json:"isDaytime"`
		Temperature   Optional[int64]  `json:"temperature"`
		WindSpeed     Optional[string] `json:"windSpeed"`
		ShortForecast Optional[string] `json:"shortForecast"`
	}

	forecastAnswerJSON struct {
		Properties *forecastListJSON `json:"properties"`
	}
	forecastListJSON struct {
		Periods []*periodJSON `json:"periods"`
	}
	periodJSON struct {
		StartTime     *string `json:"startTime"`
		IsDaytime     *bool   `json:"isDaytime"`
		Temperature   *int64  `json:"temperature"`
		WindSpeed     *string `json:"windSpeed"`
		ShortForecast *string `json:"shortForecast"`
	}
)

// MarshalJSON makes what is compared with the values of encoding/json.
func (o Optional[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.Pointer()) }

var (
	answerKeys         = NewKeys("properties")
	forecastKeys       = NewKeys("periods")
	forecastPeriodKeys = NewKeys("startTime", "isDaytime", "temperature", "windSpeed", "shortForecast")
)

func scanForecastAnswer(s *Scanner) (v forecastAnswer) {
	for s.Open(); s.Next(answerKeys); {
		v.Properties = Opt(s, scanForecastList)
	}
	return v
}

func scanForecastList(s *Scanner) (v forecastList) {
	for s.Open(); s.Next(forecastKeys); {
		v.Periods = Pointers(s, List(s, scanPeriod))
	}
	return v
}

func scanPeriod(s *Scanner) (v period) {
	for s.Open(); s.Next(forecastPeriodKeys); {
		switch s.Key() {
		case "startTime":
			v.StartTime = s.OptText()
		case "isDaytime":
			v.IsDaytime = s.OptBool()
		case "temperature":
			v.Temperature = s.OptInt()
		case "windSpeed":
			v.WindSpeed = s.OptText()
		case "shortForecast":
			v.ShortForecast = s.OptText()
		}
	}
	return v
}

// deepTree is a tree without white space of three children per node.
func deepTree(levels int) []byte {
	var b strings.Builder
	n := 0
	var node func(level int)
	node = func(level int) {
		n++
		fmt.Fprintf(&b, `{"id":%d,"kind":"folder","owner":{"login":"user%d","admin":false,"teams":["a","b"]},"name":"node %d","size":%d,"tags":{},"children":[`, n, n%7, n, n*31)
		for i := range 3 {
			if level == 0 {
				break
			}
			if i > 0 {
				b.WriteByte(',')
			}
			node(level - 1)
		}
		b.WriteString(`],"access":{"read":true,"write":null,"links":[[1,2],[3,4]]}}`)
	}
	node(levels)
	return []byte(b.String())
}

type (
	treeNode struct {
		ID       Optional[int64]  `json:"id"`
		Name     Optional[string] `json:"name"`
		Children []*treeNode      `json:"children"`
	}

	treeNodeJSON struct {
		ID       *int64          `json:"id"`
		Name     *string         `json:"name"`
		Children []*treeNodeJSON `json:"children"`
	}
)

var treeKeys = NewKeys("id", "name", "children")

func scanTreeNode(s *Scanner) (v treeNode) {
	for s.Open(); s.Next(treeKeys); {
		switch s.Key() {
		case "id":
			v.ID = s.OptInt()
		case "name":
			v.Name = s.OptText()
		case "children":
			v.Children = Pointers(s, List(s, scanTreeNode))
		}
	}
	return v
}

// largeList is a list without white space of n issues as code hosts send them.
func largeList(n int) []byte {
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"url":"https://api.example.com/repos/a/b/issues/%[1]d","repository_url":"https://api.example.com/repos/a/b",`+
			`"labels_url":"https://api.example.com/repos/a/b/issues/%[1]d/labels{/name}","id":%[2]d,"node_id":"I_kwDOB%[2]dX","number":%[1]d,`+
			`"title":"Fault number %[1]d in the \"reader\"","user":{"login":"user%[3]d","id":%[4]d,"avatar_url":"https://avatars.example.com/u/%[4]d?v=4",`+
			`"gravatar_id":"","type":"User","site_admin":false},"labels":[{"id":%[4]d,"name":"bug","color":"d73a4a","default":true}],"state":"open",`+
			`"locked":false,"assignee":null,"assignees":[],"milestone":null,"comments":%[3]d,"created_at":"2026-01-02T03:04:05Z",`+
			`"author_association":"CONTRIBUTOR","body":"### Steps\r\n\r\n1. Open the page\r\n2. See \"nothing\" – at all\r\n\r\nIt should have shown the list of %[1]d entries.",`+
			`"reactions":{"total_count":%[3]d,"+1":0,"-1":0,"laugh":0,"heart":%[3]d},"score":1.0}`, i+1, 1000000+i*17, i%9, 5000+i)
	}
	b.WriteByte(']')
	return []byte(b.String())
}

type (
	issue struct {
		Number   Optional[int64]   `json:"number"`
		Title    Optional[string]  `json:"title"`
		User     Optional[issueBy] `json:"user"`
		State    Optional[string]  `json:"state"`
		Comments Optional[int64]   `json:"comments"`
		Created  Optional[string]  `json:"created_at"`
		Score    Optional[float64] `json:"score"`
		Labels   []*issueLabel     `json:"labels"`
	}
	issueBy struct {
		Login Optional[string] `json:"login"`
	}
	issueLabel struct {
		Name Optional[string] `json:"name"`
	}

	issueJSON struct {
		Number   *int64            `json:"number"`
		Title    *string           `json:"title"`
		User     *issueByJSON      `json:"user"`
		State    *string           `json:"state"`
		Comments *int64            `json:"comments"`
		Created  *string           `json:"created_at"`
		Score    *float64          `json:"score"`
		Labels   []*issueLabelJSON `json:"labels"`
	}
	issueByJSON struct {
		Login *string `json:"login"`
	}
	issueLabelJSON struct {
		Name *string `json:"name"`
	}
)

var (
	issueKeys   = NewKeys("number", "title", "user", "state", "comments", "created_at", "score", "labels")
	issueByKeys = NewKeys("login")
	labelKeys   = NewKeys("name")
)

func scanIssue(s *Scanner) (v issue) {
	for s.Open(); s.Next(issueKeys); {
		switch s.Key() {
		case "number":
			v.Number = s.OptInt()
		case "title":
			v.Title = s.OptText()
		case "user":
			v.User = Opt(s, scanIssueBy)
		case "state":
			v.State = s.OptText()
		case "comments":
			v.Comments = s.OptInt()
		case "created_at":
			v.Created = s.OptText()
		case "score":
			v.Score = s.OptFloat()
		case "labels":
			v.Labels = Pointers(s, List(s, scanLabel))
		}
	}
	return v
}

func scanIssueBy(s *Scanner) (v issueBy) {
	for s.Open(); s.Next(issueByKeys); {
		v.Login = s.OptText()
	}
	return v
}

func scanLabel(s *Scanner) (v issueLabel) {
	for s.Open(); s.Next(labelKeys); {
		v.Name = s.OptText()
	}
	return v
}

// randomNames is an object of n members whose names nobody has seen: here the
// scanner's memory of members costs and does not help.
func randomNames(n int) []byte {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		fmt.Fprintf(&b, `"%x":%d,`, uint32(i)*2654435761>>(i%9), i)
	}
	b.WriteString(`"id":1}`)
	return []byte(b.String())
}

// TestShapesAgree decodes every shape in both ways, through windows of several
// sizes.
func TestShapesAgree(t *testing.T) {
	for _, shape := range shapes() {
		want, err := shape.json(shape.text)
		if err != nil {
			t.Fatal(shape.name, err)
		}
		rendered, _ := json.Marshal(want)
		_, err = everyWay(t, string(shape.text[:min(len(shape.text), 20_000)]), Limits{}, func(s *Scanner) string {
			got, _ := json.Marshal(shape.scan(s))
			return string(got)
		})
		if len(shape.text) <= 20_000 && err != nil {
			t.Error(shape.name, err)
		}
		s := NewBytes(shape.text, Limits{})
		got, _ := json.Marshal(shape.scan(s))
		if s.End(); s.Err() != nil || string(got) != string(rendered) {
			t.Errorf("%s: %v\n got %.300s\nwant %.300s", shape.name, s.Err(), got, rendered)
		}
		s.Release()
	}
}
