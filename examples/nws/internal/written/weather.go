package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// written is the moment that all exchanges are of.
var written = time.Date(2026, 11, 18, 19, 0, 0, 0, time.UTC)

// hours are how many the hourly forecasts have; the service gives 156.
const hours = 48

// A period is half a day, or an hour, in US units.
type period struct {
	Name, StartTime, EndTime        string
	IsDaytime                       bool
	Temperature                     int
	ProbabilityOfPrecipitation      struct{ Value *float64 }
	WindSpeed, WindDirection        string
	ShortForecast, DetailedForecast string
}

// Rows that the weather is taken from, in turn.
var (
	chances    = []int{0, 5, 10, 20, 40, 70, 80, 55, 30, 15, 0, 0, 5, 25}
	winds      = []string{"5 to 10 mph", "5 mph", "10 mph", "10 to 15 mph", "15 to 20 mph", "15 mph", "10 mph", "5 mph"}
	directions = []string{"NW", "W", "SW", "S", "SSE", "E", "NE", "N"}
	drifts     = []int{0, 3, 5, 1, -4, -6, -2}
)

// point writes what the service says of a place, by four decimals and by two.
func (w *writer) point(p *place) {
	for _, digits := range []int{4, 2} {
		at := p.at(digits)
		name := "nws-point-" + p.slug
		if digits == 2 {
			name += "-near"
		}
		body := fmt.Sprintf(`{
      "id": "%[1]s/points/%[2]s",
      "type": "Feature",
      "geometry": {"type": "Point", "coordinates": [%[3]s]},
      "properties": {
        "cwa": "%[4]s",
        "type": "land",
        "forecastOffice": "%[1]s/offices/%[4]s",
        "gridId": "%[4]s",
        "gridX": %[5]d,
        "gridY": %[6]d,
        "forecast": "%[7]s/forecast",
        "forecastHourly": "%[7]s/forecast/hourly",
        "forecastGridData": "%[7]s",
        "observationStations": "%[7]s/stations",
        "relativeLocation": {
          "type": "Feature",
          "geometry": {"type": "Point", "coordinates": [%[3]s]},
          "properties": {"city": %[8]q, "state": %[9]q, "distance": {"unitCode": "wmoUnit:m", "value": 0}, "bearing": {"unitCode": "wmoUnit:degree_(angle)", "value": 0}}
        },
        "timeZone": %[10]q
      }
    }`, service, at, p.lonLat(digits), p.office, p.x, p.y, p.grid(), strings.Replace(p.name, " D.C.", "", 1), p.state, p.zone)
		w.answer(name, service+"/points/"+at, pointHeaders, body)
	}
}

func number(x float64, digits int) string {
	scale := math.Pow(10, float64(digits))
	return strconv.FormatFloat(math.Round(x*scale)/scale, 'f', -1, 64)
}

func (p *place) at(digits int) string {
	return number(p.latitude, digits) + "," + number(p.longitude, digits)
}

func (p *place) lonLat(digits int) string {
	return number(p.longitude, digits) + ", " + number(p.latitude, digits)
}

func (p *place) grid() string {
	return fmt.Sprintf("%s/gridpoints/%s/%d,%d", service, p.office, p.x, p.y)
}

// forecasts writes those in half days, in both units, and those in hours, which
// the tools ask for in US units alone. A place without figures has the forecast
// in US units that was written by hand.
func (w *writer) forecasts(p *place) {
	var halves []period
	if p.high != 0 {
		halves = p.halves()
		w.forecast(p, "forecast", "us", halves)
	} else {
		halves = w.byHand(p)
	}
	w.forecast(p, "forecast", "si", halves)
	w.forecast(p, "hourly", "us", p.hourly(halves))
}

// byHand reads the forecast that was written by hand.
func (w *writer) byHand(p *place) []period {
	var file struct {
		Response struct {
			Body struct{ Properties struct{ Periods []period } }
		}
	}
	data, err := os.ReadFile(filepath.Join(w.folder, "nws-forecast-"+p.slug+".json"))
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", p.slug, err)
	}
	return file.Response.Body.Properties.Periods
}

// halves are fourteen half days.
func (p *place) halves() []period {
	zone, err := time.LoadLocation(p.zone)
	if err != nil {
		panic(err)
	}
	start := written.In(zone)
	var out []period
	for i := range 14 {
		clock := 18
		if start.Hour() >= 18 || start.Hour() < 6 {
			clock = 6
		}
		end := time.Date(start.Year(), start.Month(), start.Day(), clock, 0, 0, 0, zone)
		if !end.After(start) {
			end = end.AddDate(0, 0, 1)
		}
		h := period{Name: nameOf(start, i), StartTime: start.Format(time.RFC3339), EndTime: end.Format(time.RFC3339), IsDaytime: clock == 18}
		h.fill(p, i)
		out = append(out, h)
		start = end
	}
	return out
}

func nameOf(start time.Time, i int) string {
	day := start.Hour() >= 6 && start.Hour() < 18
	switch {
	case i == 0 && day && start.Hour() < 12:
		return "Today"
	case i == 0 && day:
		return "This Afternoon"
	case i <= 1 && !day:
		return "Tonight"
	case day:
		return start.Weekday().String()
	}
	return start.Weekday().String() + " Night"
}

// fill invents the weather of half a day.
func (h *period) fill(p *place, i int) {
	drift := drifts[(i/2+p.sky)%len(drifts)]
	if i < 2 {
		drift = 0
	}
	h.Temperature = p.low + drift
	if h.IsDaytime {
		h.Temperature = p.high + drift
	}
	chance := float64(chances[(i+p.sky)%len(chances)])
	h.ProbabilityOfPrecipitation.Value = &chance
	h.WindSpeed, h.WindDirection = winds[(i+p.sky)%len(winds)], directions[(i/2+p.sky)%len(directions)]
	h.ShortForecast = sky(chance, h.IsDaytime, h.Temperature)
	extreme := "a low around"
	if h.IsDaytime {
		extreme = "a high near"
	}
	h.DetailedForecast = fmt.Sprintf("%s, with %s %d. Wind from the %s, %s.", h.ShortForecast, extreme, h.Temperature, h.WindDirection, h.WindSpeed)
	if chance >= 20 {
		h.DetailedForecast += fmt.Sprintf(" Chance of precipitation is %g%%.", chance)
	}
}

func sky(chance float64, day bool, temperature int) string {
	water := "Rain"
	if temperature <= 34 {
		water = "Snow"
	}
	switch {
	case chance >= 75:
		return water
	case chance >= 55:
		return water + " Likely"
	case chance >= 30:
		return "Chance " + water + " Showers"
	case chance >= 15:
		return "Mostly Cloudy"
	case day:
		return "Sunny"
	}
	return "Mostly Clear"
}

// hourly are the hours of half days.
func (p *place) hourly(halves []period) []period {
	var out []period
	for _, h := range halves {
		start, err := time.Parse(time.RFC3339, h.StartTime)
		end, err2 := time.Parse(time.RFC3339, h.EndTime)
		if err != nil || err2 != nil {
			panic(h.StartTime)
		}
		for at := start; at.Before(end) && len(out) < hours; at = at.Add(time.Hour) {
			hour := h
			hour.Name, hour.DetailedForecast = "", ""
			hour.StartTime, hour.EndTime = at.Format(time.RFC3339), at.Add(time.Hour).Format(time.RFC3339)
			hour.Temperature += distance(at.Hour(), h.IsDaytime)
			out = append(out, hour)
		}
	}
	return out
}

// distance is how far an hour is from the high at three in the afternoon, or
// from the low at five in the morning.
func distance(hour int, day bool) int {
	if day {
		return -max(hour-15, 15-hour)
	}
	return min((29-hour)%24/2, 5)
}

// forecast writes one forecast; periods are in US units.
func (w *writer) forecast(p *place, kind, units string, periods []period) {
	generator, address, name := "BaselineForecastGenerator", p.grid()+"/forecast", "nws-forecast-"+p.slug
	if kind == "hourly" {
		generator, address, name = "HourlyForecastGenerator", address+"/hourly", "nws-hourly-"+p.slug
	}
	if units == "si" {
		name += "-si"
	}
	var rows []string
	for i, h := range periods {
		rows = append(rows, h.row(i+1, units, kind == "hourly"))
	}
	body := fmt.Sprintf(`{
      "type": "Feature",
      "geometry": {"type": "Point", "coordinates": [%s]},
      "properties": {
        "units": %q,
        "forecastGenerator": %q,
        "generatedAt": "2026-11-18T19:11:00+00:00",
        "updateTime": "2026-11-18T18:23:00+00:00",
        "validTimes": "2026-11-18T18:00:00+00:00/P7DT12H",
        "elevation": {"unitCode": "wmoUnit:m", "value": 120.0912},
        "periods": [
          %s
        ]
      }
    }`, p.lonLat(4), units, generator, strings.Join(rows, ",\n          "))
	w.answer(name, address+"?units="+units, forecastHeaders, body)
}

var (
	digits = regexp.MustCompile(`[0-9]+`)
	bound  = regexp.MustCompile(`(near|around) -?[0-9]+`)
)

func (h *period) row(n int, units string, hourly bool) string {
	temperature, unit, wind, detail := h.Temperature, "F", h.WindSpeed, h.DetailedForecast
	if units == "si" {
		temperature, unit, wind = celsius(h.Temperature), "C", metric(wind)
		detail = strings.ReplaceAll(bound.ReplaceAllStringFunc(detail, func(s string) string {
			at := strings.LastIndexByte(s, ' ') + 1
			n, _ := strconv.Atoi(s[at:])
			return s[:at] + strconv.Itoa(celsius(n))
		}), h.WindSpeed, wind)
	}
	chance, more := "null", ""
	if v := h.ProbabilityOfPrecipitation.Value; v != nil {
		chance = fmt.Sprint(*v)
	}
	if hourly {
		more = fmt.Sprintf(`"dewpoint": {"unitCode": "wmoUnit:degC", "value": %.2f}, "relativeHumidity": {"unitCode": "wmoUnit:percent", "value": %d}, `,
			float64(h.Temperature-44)/1.8, 45+n%30)
	}
	return fmt.Sprintf(`{"number": %d, "name": %q, "startTime": %q, "endTime": %q, "isDaytime": %t, "temperature": %d, "temperatureUnit": %q, "temperatureTrend": null, "probabilityOfPrecipitation": {"unitCode": "wmoUnit:percent", "value": %s}, %s"windSpeed": %q, "windDirection": %q, "shortForecast": %q, "detailedForecast": %q}`,
		n, h.Name, h.StartTime, h.EndTime, h.IsDaytime, temperature, unit, chance, more, wind, h.WindDirection, h.ShortForecast, detail)
}

func celsius(fahrenheit int) int { return int(math.Round(float64(fahrenheit-32) / 1.8)) }

// metric is a wind in km/h.
func metric(wind string) string {
	return strings.Replace(digits.ReplaceAllStringFunc(wind, func(s string) string {
		n, _ := strconv.Atoi(s)
		return strconv.Itoa(int(math.Round(float64(n) * 1.609344)))
	}), "mph", "km/h", 1)
}
