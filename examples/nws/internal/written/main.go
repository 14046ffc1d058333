// Command written writes the exchanges in the folder replay of the example,
// all but those that were written by hand. They have the shape of real answers:
// the places and stations exist, and the weather is invented. The same table
// gives the same files.
//
//	go run ./internal/written
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	folder := "replay"
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	w := &writer{folder: folder}
	w.geocoder()
	done := map[string]bool{}
	for i := range places {
		p := &places[i]
		w.point(p)
		w.forecasts(p)
		w.stations(p, done)
		w.alertsAt(p)
	}
	w.alertsIn()
	if w.err != nil {
		log.Fatal(w.err)
	}
}

// A writer writes files of exchanges; after the first error nothing.
type writer struct {
	folder string
	err    error
}

const (
	geocoder = "https://geocoding-api.open-meteo.com"
	service  = "https://api.weather.gov"
)

// answer writes the exchange of a GET that succeeds; body is JSON.
func (w *writer) answer(name, url, headers, body string) { w.exchange(name, url, 200, headers, body) }

func (w *writer) exchange(name, url string, status int, headers, body string) {
	if w.err != nil {
		return
	}
	api := "nws"
	if strings.HasPrefix(url, geocoder) {
		api = "geo"
	}
	text := fmt.Sprintf(`{
  "request": {"api": %q, "method": "GET", "url": %q},
  "response": {
    "status": %d,
    "headers": %s,
    "body": %s
  }
}
`, api, url, status, headers, body)
	w.err = os.WriteFile(filepath.Join(w.folder, name+".json"), []byte(text), 0o644)
}

// Headers of answers.
const (
	geoHeaders      = `{"Content-Type": "application/json; charset=utf-8"}`
	pointHeaders    = `{"Content-Type": "application/geo+json", "Cache-Control": "public, max-age=86217, s-maxage=120"}`
	forecastHeaders = `{"Content-Type": "application/geo+json", "Cache-Control": "public, max-age=3600, s-maxage=3600"}`
	newHeaders      = `{"Content-Type": "application/geo+json", "Cache-Control": "public, max-age=30, s-maxage=30"}`
	problemHeaders  = `{"Content-Type": "application/problem+json"}`
)
