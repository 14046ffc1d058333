package nws_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// A world is a scripted backend: other places, another season and other weather
// than in the written exchanges. What it has no answer for is a 404.
type world map[string]string

func (w world) RoundTrip(r *http.Request) (*http.Response, error) {
	key := r.URL.Path
	for _, name := range []string{"name", "point", "area", "units"} {
		if v := r.URL.Query().Get(name); v != "" {
			key += "?" + v
		}
	}
	body, status := w[key], 200
	if body == "" {
		body, status = `{"type": "https://api.weather.gov/problems/NotFound", "title": "Not Found", "status": 404, "detail": "nothing", "instance": "", "correlationId": ""}`, 404
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		ContentLength: int64(len(body)), Header: http.Header{"Content-Type": {mediaOf(r, status)}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

func mediaOf(r *http.Request, status int) string {
	switch {
	case status != 200:
		return "application/problem+json"
	case strings.HasPrefix(r.URL.Path, "/v1/"):
		return "application/json"
	}
	return "application/geo+json"
}

// found is a place of the geocoder.
func found(name, state, county string, latitude, longitude float64, population int) string {
	return fmt.Sprintf(`{"id": 1, "name": %q, "latitude": %g, "longitude": %g, "feature_code": "PPL", "country_code": "US", "country": "United States", "admin1": %q, "admin2": %q, "population": %d}`,
		name, latitude, longitude, state, county, population)
}

func results(places ...string) string { return `{"results": [` + strings.Join(places, ",") + `]}` }

func cell(office string, x, y int, city, state string) string {
	return fmt.Sprintf(`{"type": "Feature", "geometry": null, "properties": {"type": "land", "gridId": %q, "gridX": %d, "gridY": %d,
		"relativeLocation": {"type": "Feature", "geometry": null, "properties": {"city": %q, "state": %q}}, "timeZone": "America/New_York"}}`, office, x, y, city, state)
}

// half is half a day of July 2027; of rain below zero nothing is known.
func half(name string, day, clock int, heat, unit string, rain int, wind, sky string) string {
	chance, length := fmt.Sprint(rain), 12
	if rain < 0 {
		chance = "null"
	}
	end := fmt.Sprintf("2027-07-%02dT%02d:00:00-04:00", day+(clock+length)/24, (clock+length)%24)
	return fmt.Sprintf(`{"number": 1, "name": %q, "startTime": "2027-07-%02dT%02d:00:00-04:00", "endTime": %q, "isDaytime": %t, "temperature": %s, "temperatureUnit": %q,
		"temperatureTrend": "", "probabilityOfPrecipitation": {"unitCode": "wmoUnit:percent", "value": %s}, "windSpeed": %q, "windDirection": "", "shortForecast": %q, "detailedForecast": %q}`,
		name, day, clock, end, clock == 6, heat, unit, chance, wind, sky, sky+". Wind "+wind+".")
}

func hour(day, clock int, heat string, rain int, sky string) string {
	return fmt.Sprintf(`{"number": 1, "name": "", "startTime": "2027-07-%02dT%02d:00:00-04:00", "endTime": "2027-07-%02dT%02d:59:00-04:00", "isDaytime": true, "temperature": %s, "temperatureUnit": "F",
		"probabilityOfPrecipitation": {"unitCode": "wmoUnit:percent", "value": %d}, "windSpeed": "3 mph", "windDirection": "SW", "shortForecast": %q, "detailedForecast": ""}`,
		day, clock, day, clock, heat, rain, sky)
}

func periodsOf(list ...string) string {
	return `{"type": "Feature", "geometry": null, "properties": {"periods": [` + strings.Join(list, ",") + `]}}`
}

func stationsOf(ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf(`{"properties": {"stationIdentifier": %q, "name": "Station %s"}}`, id, id))
	}
	return `{"type": "FeatureCollection", "features": [` + strings.Join(list, ",") + `]}`
}

// seen is an observation; values are JSON, null where there are none.
func seen(id, at, heat, speed, direction, gust, chill, sky string) string {
	return fmt.Sprintf(`{"properties": {"station": "https://api.weather.gov/stations/%[1]s", "stationId": %[1]q, "stationName": "Station %[1]s", "timestamp": %[2]q, "textDescription": %[8]q,
		"temperature": {"unitCode": "wmoUnit:degC", "value": %[3]s}, "windSpeed": {"unitCode": "wmoUnit:km_h-1", "value": %[4]s}, "windDirection": {"unitCode": "wmoUnit:degree_(angle)", "value": %[5]s},
		"windGust": {"unitCode": "wmoUnit:km_h-1", "value": %[6]s}, "windChill": {"unitCode": "wmoUnit:degC", "value": %[7]s}, "heatIndex": {"unitCode": "wmoUnit:degC", "value": null},
		"relativeHumidity": {"unitCode": "wmoUnit:percent", "value": 80.6}}}`, id, at, heat, speed, direction, gust, chill, sky)
}

func inForce(event, severity, areas, ends, instruction string) string {
	return fmt.Sprintf(`{"type": "Feature", "geometry": null, "properties": {"event": %q, "severity": %q, "areaDesc": %q, "onset": "2027-07-04T10:00:00-04:00", "expires": "2027-07-04T18:00:00-04:00",
		"ends": %s, "headline": %q, "description": "What is expected.", "instruction": %s}}`, event, severity, areas, ends, event+" issued", instruction)
}

func alertsOf(list ...string) string {
	return `{"type": "FeatureCollection", "features": [` + strings.Join(list, ",") + `]}`
}

// elsewhere is the world of the scripted requests: Sunday, 4 July 2027.
var elsewhere = world{
	"/v1/search?Eugene":   results(found("Eugene", "Oregon", "Lane", 44.05207, -123.08675, 176000), found("Eugene", "Missouri", "Cole", 38.35337, -92.40463, 150)),
	"/v1/search?Portland": results(found("Portland", "Oregon", "Multnomah", 45.52345, -122.67621, 650000), found("Portland", "Maine", "Cumberland", 43.65737, -70.2589, 68000)),
	"/v1/search?Salem": results(found("Salem", "Oregon", "Marion", 44.9429, -123.0351, 175000), found("Salem", "Massachusetts", "Essex", 42.51954, -70.89672, 44000),
		found("Salem", "New Hampshire", "Rockingham", 42.78842, -71.20089, 30000)),
	"/v1/search?97401":       results(found("Eugene", "Oregon", "Lane", 44.05207, -123.08675, 176000)),
	"/v1/search?New York":    results(found("New York", "New York", "", 40.71427, -74.00597, 8804190), found("New York Mills", "Minnesota", "Otter Tail", 46.51802, -95.37615, 1200)),
	"/v1/search?Los Angeles": results(found("Los Angeles", "California", "Los Angeles", 34.05223, -118.24368, 3820000)),
	"/v1/search?Greenville":  results(found("Greenville", "South Carolina", "Greenville", 34.85262, -82.39401, 72000), found("Greenville", "North Carolina", "Pitt", 35.61266, -77.36635, 88000)),

	"/points/44.0521,-123.0868": cell("PQR", 80, 40, "Eugene", "OR"),
	"/points/43.6574,-70.2589":  cell("GYX", 1, 2, "Portland", "ME"),
	"/points/42.5195,-70.8967":  cell("BOX", 7, 9, "Salem", "MA"),
	"/points/40.7143,-74.006":   cell("OKX", 33, 35, "Hoboken", "NJ"),
	"/points/34.0522,-118.2437": cell("LOX", 154, 44, "Los Angeles", "CA"),
	"/points/39.05,-77.1":       cell("LWX", 90, 80, "Rockville", "MD"),
	"/points/34.8526,-82.394":   cell("GSP", 3, 4, "Greenville", "SC"),

	"/gridpoints/PQR/80,40/forecast?us": periodsOf(half("Independence Day", 4, 6, "88", "F", 0, "5 mph", "Sunny"), half("Tonight", 4, 18, "55", "F", 0, "5 mph", "Clear"),
		half("Monday", 5, 6, "91", "F", -1, "10 mph", "Hot"), half("Monday Night", 5, 18, "58", "F", 20, "5 mph", "Breezy"),
		half("Tuesday", 6, 6, "75", "F", 90, "15 mph", "Heavy Rain"), half("Tuesday Night", 6, 18, "52", "F", 65, "10 mph", "Rain"),
		half("Wednesday", 7, 6, "77", "F", 10, "5 mph", "Sunny"), half("Wednesday Night", 7, 18, "53", "F", 5, "5 mph", "Clear"),
		half("Thursday", 8, 6, "79", "F", 5, "5 mph", "Sunny"), half("Thursday Night", 8, 18, "54", "F", 5, "5 mph", "Clear"),
		half("Friday", 9, 6, "81", "F", 5, "5 mph", "Sunny"), half("Friday Night", 9, 18, "55", "F", 5, "5 mph", "Clear"),
		half("Saturday", 10, 6, "84", "F", 15, "5 mph", "Sunny"), half("Saturday Night", 10, 18, "56", "F", 5, "5 mph", "Clear")),
	"/gridpoints/PQR/80,40/forecast?si": periodsOf(half("Independence Day", 4, 6, "31", "C", 0, "8 km/h", "Sunny"), half("Tonight", 4, 18, "13", "C", 0, "8 km/h", "Clear"),
		half("Monday", 5, 6, "33", "C", 0, "16 km/h", "Hot")),
	"/gridpoints/PQR/80,40/forecast/hourly?us": periodsOf(hour(4, 13, "85", 0, "Sunny"), hour(4, 14, "86", 0, "Sunny"), hour(5, 15, "90", 3, "Hot"), hour(6, 15, "74", 95, "Heavy Rain")),
	"/gridpoints/GYX/1,2/forecast?us":          periodsOf(half("Tonight", 4, 18, "61", "F", 35, "0 mph", "Fog"), half("Monday", 5, 6, "79", "F", 45, "10 mph", "Showers")),
	"/gridpoints/LWX/90,80/forecast?us":        periodsOf(half("Today", 4, 6, "97", "F", 30, "10 mph", "Hot"), half("Tonight", 4, 18, "78", "F", 60, "5 mph", "Thunderstorms")),
	"/gridpoints/GSP/3,4/forecast?us":          periodsOf(half("Today", 4, 6, "93", "F", 25, "5 mph", "Hazy")),

	"/gridpoints/BOX/7,9/stations":       stationsOf("KAAA", "KBBB", "KCCC"),
	"/stations/KBBB/observations/latest": seen("KBBB", "2026-11-18T18:40:00+00:00", "null", "null", "null", "null", "null", ""),
	"/stations/KCCC/observations/latest": seen("KCCC", "2026-11-18T18:35:00+00:00", "22.2", "18.36", "225", "37.08", "null", "Light Rain"),
	"/gridpoints/OKX/33,35/stations":     stationsOf("KOLD", "KNYC"),
	"/stations/KOLD/observations/latest": seen("KOLD", "2026-11-17T02:00:00+00:00", "30", "5", "10", "null", "null", "Haze"),
	"/stations/KNYC/observations/latest": seen("KNYC", "2026-11-18T18:51:00+00:00", "-3.9", "27.72", "320", "null", "-10.6", "Light Snow"),
	"/gridpoints/LOX/154,44/stations":    stationsOf("KCQT"),
	"/stations/KCQT/observations/latest": seen("KCQT", "2026-11-18T18:59:00+00:00", "21", "0", "null", "null", "null", ""),
	"/gridpoints/PQR/80,40/stations":     stationsOf("KEUG"),
	"/alerts/active?34.0522,-118.2437":   alertsOf(inForce("Heat Advisory", "Moderate", "Los Angeles County", `"2027-07-05T20:00:00-07:00"`, `"Drink plenty of fluids,\nand stay out of the sun."`)),
	"/alerts/active?44.0521,-123.0868":   alertsOf(),
	"/alerts/active?MD":                  alertsOf(inForce("Flood Watch", "Severe", "Montgomery", "null", "null"), inForce("Tornado Warning", "Extreme", "Howard", "null", `"Take shelter now."`)),
	"/alerts/active?39.05,-77.1":         alertsOf(inForce("Flood Watch", "Severe", "Montgomery", "null", `"Move to higher ground."`)),
	"/alerts/active?LA":                  alertsOf(slices.Repeat([]string{inForce("Hurricane Warning", "Extreme", "Orleans", "null", `"Evacuate if told to."`)}, 11)...),
}
