package tables

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func call(t *testing.T, api *stub.Server) (EuroRateOutput, error) {
	t.Helper()
	tools, err := New(Config{Ecb: upstream.API{BaseURL: api.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return tools.EuroRate(context.Background(), EuroRateInput{Currency: "USD"})
}

const sent = "GET /data/EXR/D.USD.EUR.SP00.A?format=csvdata&lastNObservations=5\nAccept: text/csv"

func csv(body string) stub.Answer {
	return stub.Answer{Header: map[string]string{"Content-Type": "text/csv"}, Body: body}
}

func TestRowsAreRecords(t *testing.T) {
	api := stub.Serve(t, csv("KEY,TIME_PERIOD,OBS_VALUE,TITLE\r\n"+
		"EXR.D.USD,2026-11-18,1.0790,\"US dollar, daily\"\r\n"+
		"EXR.D.USD,2026-11-20,1.0812,\"US dollar, daily\"\r\n"+
		"EXR.D.USD,2026-11-19,,\"US dollar, \"\"daily\"\"\"\r\n"))
	got, err := call(t, api)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(EuroRateOutput{Day: "2026-11-20", Rate: 1.0812, Before: []float64{1.0790}}, got); d != "" {
		t.Error(d)
	}
	api.Sent(t, sent)
}

func TestThereIsNoSuchSeries(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Status: http.StatusNotFound, Body: "No results found."})
	_, err := call(t, api)
	stub.Refused(t, err, "no_rate", "The bank has no rate for USD.")
	api.Sent(t, sent)
}

func TestTheTableIsEmpty(t *testing.T) {
	_, err := call(t, stub.Serve(t, csv("KEY,TIME_PERIOD,OBS_VALUE\r\nEXR.D.USD,2026-11-20,\r\n")))
	stub.Refused(t, err, "no_rate_yet", "The bank has no rate for USD these days.")
}

func TestARowWithoutTheColumn(t *testing.T) {
	_, err := call(t, stub.Serve(t, csv("KEY,TIME_PERIOD\r\nEXR.D.USD,2026-11-20\r\n")))
	stub.Refused(t, err, "bad_backend", "The backend gave an answer that this tool cannot use.")
}
