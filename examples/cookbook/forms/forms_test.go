package forms

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func call(t *testing.T, api *stub.Server) (MakePaymentLinkOutput, error) {
	t.Helper()
	tools, err := New(Config{Stripe: upstream.API{BaseURL: api.URL}, StripeKey: "sk_test_1"})
	if err != nil {
		t.Fatal(err)
	}
	return tools.MakePaymentLink(context.Background(), MakePaymentLinkInput{Order: "20417", Ware: MakePaymentLinkWareLamp, Quantity: 2})
}

const sent = `POST /v1/checkout/sessions
Authorization: Bearer sk_test_1
Content-Type: application/x-www-form-urlencoded

mode=payment&success_url=https%3A%2F%2Fshop.example%2Fthanks&line_items%5B0%5D%5Bprice%5D=price_lamp&line_items%5B0%5D%5Bquantity%5D=2&metadata%5Border%5D=20417&metadata%5Bsource%5D=agent`

func TestListsAndMapsAreBrackets(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Body: `{"id": "cs_1", "url": "https://checkout.example/cs_1", "amount_total": 5980, "currency": "eur"}`})
	got, err := call(t, api)
	if err != nil {
		t.Fatal(err)
	}
	if got.Link == nil || *got.Link != "https://checkout.example/cs_1" || got.Amount != "59.80 EUR" {
		t.Errorf("%+v", got)
	}
	api.Sent(t, sent)
	if !strings.Contains(api.Wire(t, 0, "Idempotency-Key"), "Idempotency-Key: ") {
		t.Error("a repeated call would make a second session")
	}
}

// What the API says is for engineers; the model is told what it can act on.
func TestTheAPIRefuses(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Status: http.StatusPaymentRequired, Body: `{"error": {"message": "Your account sk_test_1 is closed"}}`})
	_, err := call(t, api)
	stub.Refused(t, err, "not_payable", "The shop cannot take payments at the moment.")
	api.Sent(t, sent)
}
