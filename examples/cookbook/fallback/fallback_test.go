package fallback

import (
	"context"
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func call(t *testing.T, banks, market *stub.Server) (ExchangeRateOutput, error) {
	t.Helper()
	tools, err := New(Config{Banks: upstream.API{BaseURL: banks.URL}, Market: upstream.API{BaseURL: market.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return tools.ExchangeRate(context.Background(), ExchangeRateInput{From: "EUR", To: "USD"})
}

const official, traded = "GET /latest?base=EUR&symbols=USD", "GET /latest/EUR"

var rates = stub.Answer{Body: `{"result": "success", "rates": {"EUR": 1, "USD": 1.09}}`}

func TestTheFirstAnswers(t *testing.T) {
	banks, market := stub.Serve(t, stub.Answer{Body: `{"date": "2026-11-20", "rates": {"USD": 1.0812}}`}), stub.Serve(t)
	got, err := call(t, banks, market)
	if err != nil || got != (ExchangeRateOutput{Rate: 1.0812, Source: "central banks"}) {
		t.Errorf("%+v, %v", got, err)
	}
	banks.Sent(t, official)
	market.Sent(t)
}

func TestTheSecondIsAskedWhereTheFirstHasNothing(t *testing.T) {
	for name, answers := range map[string][]stub.Answer{
		"not quoted": {{Status: http.StatusNotFound}},
		"down":       {{Status: http.StatusServiceUnavailable}}, // a status that errors: names is not tried again
		"another":    {{Body: `{"date": "2026-11-20", "rates": {"CHF": 0.93}}`}},
	} {
		banks, market := stub.Serve(t, answers...), stub.Serve(t, rates)
		got, err := call(t, banks, market)
		if err != nil || got != (ExchangeRateOutput{Rate: 1.09, Source: "market"}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		banks.Sent(t, official)
		market.Sent(t, traded)
	}
}

func TestNobodyKnows(t *testing.T) {
	missing := stub.Answer{Status: http.StatusNotFound}
	banks, market := stub.Serve(t, missing), stub.Serve(t, missing)
	_, err := call(t, banks, market)
	stub.Refused(t, err, "no_rate", "There is no currency EUR.")
	banks.Sent(t, official)
	market.Sent(t, traded)
}

func TestTheSecondDoesNotKnowEither(t *testing.T) {
	banks, market := stub.Serve(t, stub.Answer{Status: http.StatusNotFound}), stub.Serve(t, stub.Answer{Body: `{"result": "success", "rates": {"EUR": 1}}`})
	_, err := call(t, banks, market)
	stub.Refused(t, err, "no_rate", "There is no rate of EUR in USD.")
}
