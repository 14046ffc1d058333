package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// stations writes the stations around a place and what each has measured. Where
// there are two, the nearest is silent: it measures no temperature.
func (w *writer) stations(p *place, done map[string]bool) {
	var rows []string
	for i, text := range p.stations {
		id, name, _ := strings.Cut(text, " ")
		rows = append(rows, fmt.Sprintf(`{"id": "%[1]s/stations/%[2]s", "type": "Feature", "geometry": {"type": "Point", "coordinates": [%[3]s]}, "properties": {"elevation": {"unitCode": "wmoUnit:m", "value": 12.192}, "stationIdentifier": %[2]q, "name": %[4]q, "timeZone": %[5]q, "provider": "ASOS", "subProvider": "NWS/FAA", "distance": {"unitCode": "wmoUnit:m", "value": %[6]d}, "bearing": {"unitCode": "wmoUnit:degree_(angle)", "value": 122}}}`,
			service, id, p.lonLat(4), name, p.zone, 5200+9000*i))
		if !done[id] {
			done[id] = true
			w.observation(p, id, name, len(p.stations) > 1 && i == 0 && p.sky%2 == 0)
		}
	}
	body := fmt.Sprintf("{\n      \"type\": \"FeatureCollection\",\n      \"features\": [\n        %s\n      ],\n      \"observationStations\": []\n    }", strings.Join(rows, ",\n        "))
	w.answer("nws-stations-"+p.slug, p.grid()+"/stations", pointHeaders, body)
}

// observation writes what a station has measured eight minutes before; one that
// is silent has nothing but the time.
func (w *writer) observation(p *place, id, name string, silent bool) {
	now := w.now(p)
	heat, wind := fmt.Sprintf("%.1f", float64(now.Temperature-32)/1.8), "0"
	if text := digits.FindAllString(now.WindSpeed, -1); len(text) > 0 {
		wind = text[len(text)-1]
	}
	var speed float64
	_, _ = fmt.Sscan(wind, &speed)
	speed = math.Round(speed*16.09344) / 10
	sky := map[string]string{"Rain": "Light Rain", "Rain Likely": "Light Rain", "Snow": "Light Snow", "Snow Likely": "Light Snow", "Sunny": "Clear", "Mostly Clear": "Clear"}[now.ShortForecast]
	if sky == "" {
		sky = "Mostly Cloudy"
	}
	if silent {
		heat, sky = "null", ""
	}
	body := fmt.Sprintf(`{
      "id": "%[1]s/stations/%[2]s/observations/2026-11-18T18:52:00+00:00",
      "type": "Feature",
      "geometry": {"type": "Point", "coordinates": [%[3]s]},
      "properties": {
        "elevation": {"unitCode": "wmoUnit:m", "value": 12},
        "station": "%[1]s/stations/%[2]s",
        "stationId": %[2]q,
        "stationName": %[4]q,
        "timestamp": "2026-11-18T18:52:00+00:00",
        "rawMessage": "",
        "textDescription": %[5]q,
        "temperature": {"unitCode": "wmoUnit:degC", "value": %[6]s, "qualityControl": "V"},
        "dewpoint": {"unitCode": "wmoUnit:degC", "value": %[7]s, "qualityControl": "V"},
        "windDirection": {"unitCode": "wmoUnit:degree_(angle)", "value": %[8]d, "qualityControl": "V"},
        "windSpeed": {"unitCode": "wmoUnit:km_h-1", "value": %[9]g, "qualityControl": "V"},
        "windGust": {"unitCode": "wmoUnit:km_h-1", "value": null, "qualityControl": "Z"},
        "barometricPressure": {"unitCode": "wmoUnit:Pa", "value": 101320, "qualityControl": "V"},
        "seaLevelPressure": {"unitCode": "wmoUnit:Pa", "value": null, "qualityControl": "Z"},
        "visibility": {"unitCode": "wmoUnit:m", "value": 16093.44, "qualityControl": "C"},
        "relativeHumidity": {"unitCode": "wmoUnit:percent", "value": %[10]d.25, "qualityControl": "V"},
        "windChill": {"unitCode": "wmoUnit:degC", "value": null, "qualityControl": "V"},
        "heatIndex": {"unitCode": "wmoUnit:degC", "value": null, "qualityControl": "V"}
      }
    }`, service, id, p.lonLat(4), name, sky, heat, heat, bearings[now.WindDirection], speed, 45+len(p.name))
	w.answer("nws-observed-"+strings.ToLower(id), service+"/stations/"+id+"/observations/latest", newHeaders, body)
}

var bearings = map[string]int{"N": 0, "NE": 50, "E": 90, "SSE": 160, "SE": 140, "S": 180, "SW": 230, "W": 270, "NW": 310, "ENE": 70, "NNW": 340, "ESE": 110, "SSW": 200, "WNW": 290, "WSW": 250, "NNE": 20}

// now is the first hour of the forecast.
func (w *writer) now(p *place) period {
	halves := p.halves()
	if p.high == 0 {
		halves = w.byHand(p)
	}
	if len(halves) == 0 {
		return period{}
	}
	first := halves[0]
	first.Temperature = p.hourly(halves)[0].Temperature
	return first
}

// alertsAt writes the alerts at a place, by four decimals, and by two where there
// are some.
func (w *writer) alertsAt(p *place) {
	var here []alert
	for _, a := range alerts {
		if slices.Contains(a.slugs, p.slug) {
			here = append(here, a)
		}
	}
	w.alertList("nws-alerts-at-"+p.slug, "point="+p.at(4), here)
	if len(here) > 0 {
		w.alertList("nws-alerts-at-"+p.slug+"-near", "point="+p.at(2), here)
	}
}

// alertsIn writes the alerts of every state but those of which there is a file
// that was written by hand, and the refusal of a point that is too far south.
func (w *writer) alertsIn() {
	w.exchange("nws-alerts-at-taulaga", service+"/alerts/active?point=-11.0553,-171.0814&status=actual", 400, problemHeaders,
		`{"correlationId": "written", "title": "Bad Request", "type": "https://api.weather.gov/problems/InvalidParameter", "status": 400, "detail": "Parameter \"point\" is invalid: out of bounds", "instance": "https://api.weather.gov/requests/written"}`)
	for _, state := range slices.Sorted(maps.Keys(stateNames)) {
		if state == "ME" || state == "NE" || state == "GU" {
			continue
		}
		var here []alert
		for _, a := range alerts {
			if a.state == state {
				here = append(here, a)
			}
		}
		w.alertList("nws-alerts-"+strings.ToLower(state), "area="+state, here)
	}
}

func (w *writer) alertList(name, query string, list []alert) {
	rows := "[]"
	for i, a := range list {
		if i == 0 {
			rows = "["
		}
		rows += a.row(i)
		if i < len(list)-1 {
			rows += ","
		} else {
			rows += "\n      ]"
		}
	}
	body := fmt.Sprintf("{\n      \"type\": \"FeatureCollection\",\n      \"title\": \"Current watches, warnings, and advisories\",\n      \"updated\": \"2026-11-18T19:05:00+00:00\",\n      \"features\": %s\n    }", rows)
	w.answer(name, service+"/alerts/active?"+query+"&status=actual", newHeaders, body)
}

func (a *alert) row(i int) string {
	id := fmt.Sprintf("urn:oid:2.49.0.1.840.0.written.%s.%03d.1", strings.ToLower(a.state), i+1)
	return fmt.Sprintf(`
        {"id": "%[1]s/alerts/%[2]s", "type": "Feature", "geometry": null, "properties": {"id": %[2]q, "areaDesc": %[3]q, "sent": "2026-11-18T12:40:00-06:00", "effective": "2026-11-18T12:40:00-06:00", "onset": %[4]q, "expires": %[5]q, "ends": %[5]q, "status": "Actual", "messageType": "Alert", "category": "Met", "severity": %[6]q, "certainty": %[7]q, "urgency": %[8]q, "event": %[9]q, "senderName": %[10]q, "headline": %[11]q, "description": %[12]q, "instruction": %[13]q, "response": "Prepare"}}`,
		service, id, a.areas, a.onset, a.ends, a.severity, a.certainty, a.urgency, a.event, a.office, a.event+" issued November 18 at 12:40PM CST by "+a.office, a.description, a.instruction)
}
