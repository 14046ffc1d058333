package token

import (
	"context"
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func tools(t *testing.T, api *stub.Server) *Tools {
	t.Helper()
	tools, err := New(Config{
		Paypal:   upstream.API{BaseURL: api.URL, TokenURL: api.URL + "/v1/oauth2/token"},
		PaypalID: "shop", PaypalSecret: "s3cret",
	})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

const (
	asked = `POST /v1/oauth2/token
Authorization: Basic c2hvcDpzM2NyZXQ=
Content-Type: application/x-www-form-urlencoded

grant_type=client_credentials`
	order = "GET /v2/checkout/orders/5O190127TN\nAuthorization: Bearer "
)

var (
	token = stub.Answer{Body: `{"access_token": "A1", "token_type": "Bearer", "expires_in": 32400}`}
	paid  = stub.Answer{Body: `{"status": "COMPLETED", "purchase_units": [{"amount": {"currency_code": "EUR", "value": "12.00"}}]}`}
)

func TestOneTokenServesManyCalls(t *testing.T) {
	api := stub.Serve(t, token, paid, paid)
	tools := tools(t, api)
	for range 2 {
		got, err := tools.OrderState(context.Background(), OrderStateInput{Order: "5O190127TN"})
		if err != nil {
			t.Fatal(err)
		}
		if got.State != OrderStateStatePaid || got.Amount == nil || *got.Amount != "12.00 EUR" {
			t.Errorf("%+v", got)
		}
	}
	api.Sent(t, asked, order+"A1", order+"A1")
}

func TestATokenThatWasRevokedIsReplaced(t *testing.T) {
	api := stub.Serve(t, token, stub.Answer{Status: http.StatusUnauthorized}, stub.Answer{Body: `{"access_token": "A2", "token_type": "Bearer"}`}, paid)
	if _, err := tools(t, api).OrderState(context.Background(), OrderStateInput{Order: "5O190127TN"}); err != nil {
		t.Fatal(err)
	}
	api.Sent(t, asked, order+"A1", asked, order+"A2")
}

// Who calls the tool has no part in the credentials of the program, and is told
// nothing of them.
func TestTheTokenEndpointRefuses(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Status: http.StatusUnauthorized, Body: `{"error": "invalid_client"}`})
	_, err := tools(t, api).OrderState(context.Background(), OrderStateInput{Order: "5O190127TN"})
	stub.Refused(t, err, "upstream_auth", "The service behind this tool did not accept the credentials of this server.")
	api.Sent(t, asked)
}
