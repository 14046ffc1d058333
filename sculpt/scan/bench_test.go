package scan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

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

type period struct {
	StartTime     string `json:"startTime"`
	IsDaytime     bool   `json:"isDaytime"`
	Temperature   int64  `json:"temperature"`
	WindSpeed     string `json:"windSpeed"`
	ShortForecast string `json:"shortForecast"`
}

type forecast struct {
	Properties struct {
		Periods []period `json:"periods"`
	} `json:"properties"`
}

var (
	benchOuter  = NewKeys("properties")
	benchInner  = NewKeys("periods")
	benchPeriod = NewKeys("startTime", "isDaytime", "temperature", "windSpeed", "shortForecast")
)

func scanBench(s *Scanner) (v forecast) {
	for s.Open(); s.Next(benchOuter); {
		for s.Open(); s.Next(benchInner); {
			for s.OpenList(); s.NextElem(); {
				var p period
				for s.Open(); s.Next(benchPeriod); {
					switch s.Key() {
					case "startTime":
						p.StartTime = s.Text()
					case "isDaytime":
						p.IsDaytime = s.Bool()
					case "temperature":
						p.Temperature = s.Int()
					case "windSpeed":
						p.WindSpeed = s.Text()
					case "shortForecast":
						p.ShortForecast = s.Text()
					}
				}
				v.Properties.Periods = append(v.Properties.Periods, p)
			}
		}
	}
	s.End()
	return v
}

func TestBenchDecodersAgree(t *testing.T) {
	text := hourly(20)
	var want forecast
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	s := NewReader(bytes.NewReader(text), Limits{})
	defer s.Release()
	if got := scanBench(s); s.Err() != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%v\n got %v\nwant %v", s.Err(), got, want)
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{14, 156} {
		text := hourly(n)
		run := func(name string, decode func()) {
			b.Run(fmt.Sprintf("%s/%dKB", name, len(text)>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					decode()
				}
			})
		}
		run("bytes", func() {
			s := NewBytes(text, Limits{})
			scanBench(s)
			if s.Err() != nil {
				b.Fatal(s.Err())
			}
			s.Release()
		})
		r := bytes.NewReader(nil)
		run("reader", func() {
			r.Reset(text)
			s := NewReader(r, Limits{})
			scanBench(s)
			s.Release()
		})
		run("skip", func() {
			s := NewBytes(text, Limits{})
			s.Skip()
			s.Release()
		})
		run("encodingjson", func() {
			var v forecast
			if err := json.Unmarshal(text, &v); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// BenchmarkRatio reports the time of a scanned decode as a share of
// encoding/json, the median of interleaved rounds: on a shared machine only
// ratios say something.
func BenchmarkRatio(b *testing.B) {
	text := hourly(156)
	r := bytes.NewReader(nil)
	round := func(decode func()) time.Duration {
		begin := time.Now()
		for range 20 {
			decode()
		}
		return time.Since(begin)
	}
	var ratios []float64
	for b.Loop() {
		ours := round(func() {
			r.Reset(text)
			s := NewReader(r, Limits{})
			scanBench(s)
			s.Release()
		})
		theirs := round(func() {
			var v forecast
			_ = json.Unmarshal(text, &v)
		})
		ratios = append(ratios, float64(ours)/float64(theirs))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "ratio")
}
