package nws

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/scan"
)

// forecastOf is an answer of the forecast endpoint with periods of the members
// that it documents.
func forecastOf(periods int) []byte {
	var list []string
	for i := range periods {
		list = append(list, fmt.Sprintf(`{"number": %d, "name": "Hour %d", "startTime": "2026-11-20T0%d:00:00-06:00", "endTime": "2026-11-20T0%d:00:00-06:00",
          "isDaytime": %t, "temperature": %d, "temperatureUnit": "F", "probabilityOfPrecipitation": {"unitCode": "wmoUnit:percent", "value": %d},
          "windSpeed": "%d mph", "windDirection": "NW", "icon": "https://api.weather.example/icons/%d", "shortForecast": "Sunny, part %d", "detailedForecast": ""}`,
			i, i, i%10, i%10, i%2 == 0, i%60, i%100, i%30, i, i))
	}
	return []byte(`{"type": "Feature", "geometry": {"type": "Polygon"}, "properties": {"units": "us", "periods": [` + strings.Join(list, ",\n") + `]}}`)
}

// TestDecodeAllocations bounds what decoding costs, which no load of the machine
// moves: texts and lists of one answer share allocations, so that their number
// grows with the logarithm of its length. The last one has 7.9 MiB, of the 8 that are read by default.
func TestDecodeAllocations(t *testing.T) {
	if golden.Race {
		t.Skip("with the race detector pools forget things on purpose")
	}
	for _, test := range []struct {
		periods int
		most    float64
	}{{1, 5}, {14, 6}, {156, 9}, {1560, 15}, {19_000, 25}} {
		text, r := forecastOf(test.periods), bytes.NewReader(nil)
		read := 0
		got := testing.AllocsPerRun(20, func() {
			r.Reset(text)
			s := scan.NewReader(r, scan.Limits{})
			defer s.Release()
			read = len(scanNWSForecastFeature(s).properties.Value.periods)
			if s.End(); s.Err() != nil {
				t.Fatal(s.Err())
			}
		})
		t.Logf("%d periods: %.0f allocations", test.periods, got)
		if got > test.most || read != test.periods {
			t.Errorf("%d of %d periods: %.0f allocations, more than %.0f", read, test.periods, got, test.most)
		}
	}
}
