package serving

import (
	"encoding/json"
	"fmt"
	"time"
)

// Numbers of periods in an answer, which make about 15 and 167 KB.
const (
	halfDays = 14
	hours    = 156

	// callTime bounds a call of a server written by hand.
	callTime = 30 * time.Second
)

type quantity struct {
	UnitCode string `json:"unitCode"`
	Value    any    `json:"value"`
}

type period struct {
	Number                     int       `json:"number"`
	Name                       string    `json:"name"`
	StartTime                  string    `json:"startTime"`
	EndTime                    string    `json:"endTime"`
	IsDaytime                  bool      `json:"isDaytime"`
	Temperature                int       `json:"temperature"`
	TemperatureUnit            string    `json:"temperatureUnit"`
	TemperatureTrend           *string   `json:"temperatureTrend"`
	ProbabilityOfPrecipitation quantity  `json:"probabilityOfPrecipitation"`
	Dewpoint                   *quantity `json:"dewpoint,omitempty"`
	RelativeHumidity           *quantity `json:"relativeHumidity,omitempty"`
	WindSpeed                  string    `json:"windSpeed"`
	WindDirection              string    `json:"windDirection"`
	Icon                       string    `json:"icon"`
	ShortForecast              string    `json:"shortForecast"`
	DetailedForecast           string    `json:"detailedForecast"`
}

var (
	skies = []string{"Sunny", "Mostly Clear", "Chance Rain Showers", "Slight Chance Snow then Cloudy", "Areas Of Fog", "Partly Sunny"}
	winds = []string{"N", "NNE", "E", "SE", "S", "SSW", "W", "NW"}
)

// forecast makes an answer in the form that weather services have: GeoJSON,
// indented, with many members of which few are wanted.
func forecast(n int, step time.Duration) []byte {
	begin := time.Date(2026, 11, 20, 6, 0, 0, 0, time.FixedZone("", -6*3600))
	periods := make([]period, n)
	for i := range periods {
		at := begin.Add(time.Duration(i) * step)
		sky, wind, speed := skies[i%len(skies)], winds[i*3%len(winds)], 5+i*7%20
		p := period{
			Number: i + 1, StartTime: at.Format(time.RFC3339), EndTime: at.Add(step).Format(time.RFC3339),
			IsDaytime: at.Hour() >= 6 && at.Hour() < 18, Temperature: 20 + i*13%45, TemperatureUnit: "F",
			ProbabilityOfPrecipitation: quantity{"wmoUnit:percent", i * 11 % 100},
			WindSpeed:                  fmt.Sprintf("%d mph", speed), WindDirection: wind,
			Icon: "https://weather.example/icons/land/day/sct,20?size=small", ShortForecast: sky,
		}
		if step > time.Hour {
			p.Name = at.Format("Monday")
			p.DetailedForecast = fmt.Sprintf("%s, with a high near %d. Winds from the %s at around %d mph, with gusts as high as %d mph. "+
				"New precipitation amounts of less than a tenth of an inch possible. Snow level above 400 feet in places.", sky, p.Temperature, wind, speed, speed+10)
		} else {
			p.Dewpoint = &quantity{"wmoUnit:degC", float64(i*17%200)/10 + 0.5555555555555556}
			p.RelativeHumidity = &quantity{"wmoUnit:percent", 40 + i*7%60}
		}
		periods[i] = p
	}
	b, err := json.MarshalIndent(map[string]any{
		"@context": []any{"https://geojson.org/geojson-ld/geojson-context.jsonld", map[string]string{"@version": "1.1", "unit": "http://codes.wmo.int/common/unit/"}},
		"type":     "Feature",
		"geometry": map[string]any{"type": "Polygon", "coordinates": [][][2]float64{{{-96.02, 41.23}, {-96.03, 41.21}, {-96, 41.2}, {-95.99, 41.23}, {-96.02, 41.23}}}},
		"properties": map[string]any{
			"units": "us", "forecastGenerator": "Generator", "generatedAt": begin.Format(time.RFC3339), "updateTime": begin.Format(time.RFC3339),
			"elevation": quantity{"wmoUnit:m", 321.8688}, "periods": periods,
		},
	}, "", "    ")
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return b
}
