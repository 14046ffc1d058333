package main

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// territories have a country code of their own.
var territories = map[string]string{"GU": "Guam", "PR": "Puerto Rico"}

// asked are names by which a place is searched that are not its own.
var asked = map[string][]string{
	"washington-dc": nil, "dededo": nil, // by hand
	"st-louis": {"St Louis", "Saint Louis"},
}

// geocoder writes a search for each name and each ZIP code.
func (w *writer) geocoder() {
	byName := map[string][]*place{}
	add := func(p *place) {
		for _, name := range append([]string{p.name}, asked[p.slug]...) {
			byName[name] = append(byName[name], p)
		}
	}
	for i := range places {
		add(&places[i])
	}
	for i := range namesakes {
		add(&namesakes[i])
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		file := "geo-" + slug(name)
		if by, err := os.ReadFile(filepath.Join(w.folder, file+".json")); err == nil && strings.Contains(string(by), `"id": 91`) {
			continue // by hand
		}
		found := byName[name]
		slices.SortStableFunc(found, func(a, b *place) int { return cmp.Compare(b.population, a.population) })
		var rows []string
		for _, p := range found {
			rows = append(rows, p.result(""))
		}
		w.search(file, name, rows)
	}
	for i := range places {
		p := &places[i]
		abroad := fmt.Sprintf(`{"id": 8%s, "name": "Code %s", "latitude": 50.1%s, "longitude": 8.6%s, "elevation": 110.0, "feature_code": "PPL", "country_code": "DE", "timezone": "Europe/Berlin", "country": "Germany", "postcodes": ["%s"]}`, p.zip, p.zip, p.zip[3:], p.zip[3:], p.zip)
		w.search("geo-zip-"+p.zip, p.zip, []string{p.result(p.zip), abroad})
	}
}

func slug(name string) string {
	return strings.NewReplacer(" ", "-", ".", "").Replace(strings.ToLower(name))
}

func (w *writer) search(file, name string, rows []string) {
	address := geocoder + "/v1/search?name=" + strings.ReplaceAll(url.QueryEscape(name), "+", "%20") + "&count=100"
	w.answer(file, address, geoHeaders, "{\n      \"results\": [\n        "+strings.Join(rows, ",\n        ")+"\n      ],\n      \"generationtime_ms\": 0.61\n    }")
}

// result is the place as the geocoder has it.
func (p *place) result(zip string) string {
	code := "PPL"
	if p.population > 400_000 {
		code = "PPLA2"
	}
	id := 7_000_000 + int(p.latitude*10_000) + int(-p.longitude*100)
	text := fmt.Sprintf(`{"id": %d, "name": %q, "latitude": %g, "longitude": %g, "elevation": %d.0, "feature_code": %q, `, id, p.name, p.latitude, p.longitude, id%300, code)
	if name := territories[p.state]; name != "" {
		text += fmt.Sprintf(`"country_code": %q, "timezone": %q, "population": %d, "country": %q`, p.state, p.zone, p.population, name)
	} else {
		text += fmt.Sprintf(`"country_code": "US", "timezone": %q, "population": %d, "country": "United States", "admin1": %q`, p.zone, p.population, stateNames[p.state])
	}
	if p.county != "" {
		text += fmt.Sprintf(`, "admin2": %q`, p.county)
	}
	if zip != "" {
		text += fmt.Sprintf(`, "postcodes": [%q]`, zip)
	}
	return text + "}"
}
