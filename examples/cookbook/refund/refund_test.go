package refund

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func newTools(t *testing.T, api *stub.Server) *Tools {
	t.Helper()
	tools, err := New(Config{Mollie: upstream.API{BaseURL: api.URL}, MollieKey: "live_1"})
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func call(t *testing.T, api *stub.Server) (RefundPaymentOutput, error) {
	t.Helper()
	return newTools(t, api).RefundPayment(context.Background(), RefundPaymentInput{Payment: "tr_7UhSN1", Cents: 1950})
}

const sent = `POST /v2/payments/tr_7UhSN1/refunds
Authorization: Bearer live_1
Content-Type: application/json

{"amount":{"currency":"EUR","value":"19.50"}}`

var paid = stub.Answer{Status: http.StatusCreated, Body: `{"id": "re_1", "status": "pending", "amount": {"currency": "EUR", "value": "19.50"}}`}

func TestARepeatedRefundHasTheSameKey(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Status: http.StatusServiceUnavailable}, paid)
	got, err := call(t, api)
	if err != nil {
		t.Fatal(err)
	}
	if got.Refunded != "19.50 EUR" {
		t.Errorf("%+v", got)
	}
	api.Sent(t, sent, sent)
	first, second := api.Wire(t, 0, "Idempotency-Key"), api.Wire(t, 1, "Idempotency-Key")
	if first != second || !strings.Contains(first, "Idempotency-Key: ") {
		t.Errorf("it may be paid twice:\n%s\n%s", first, second)
	}
}

func TestMoreThanWasPaid(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Status: http.StatusUnprocessableEntity, Body: `{"detail": "The amount is higher than the remaining amount"}`})
	_, err := call(t, api)
	stub.Refused(t, err, "too_much", "The customer has not paid that much.")
	api.Sent(t, sent)
}

func TestTheServiceIsDown(t *testing.T) {
	down := stub.Answer{Status: http.StatusServiceUnavailable}
	api := stub.Serve(t, down, down, down)
	_, err := call(t, api)
	stub.Refused(t, err, "backend_unavailable", "It is not known whether the call took effect. Check before you repeat it.")
	api.Sent(t, sent, sent, sent)
}

// TestANamedCallMayBeRepeated: a caller who names the call may try again, with the
// same name and so with the same key.
func TestANamedCallMayBeRepeated(t *testing.T) {
	down := stub.Answer{Status: http.StatusServiceUnavailable}
	api := stub.Serve(t, down, down, down, paid)
	tools := newTools(t, api)
	ctx := tool.WithInvocation(context.Background(), &tool.Invocation{IdempotencyKey: "refund 7"})
	in := RefundPaymentInput{Payment: "tr_7UhSN1", Cents: 1950}
	_, err := tools.RefundPayment(ctx, in)
	stub.Refused(t, err, "unavailable", "The backend is not available at the moment. Try again later.")
	for range 2 { // the second one is not sent
		if got, err := tools.RefundPayment(ctx, in); err != nil || got.Refunded != "19.50 EUR" {
			t.Errorf("%+v, %v", got, err)
		}
	}
	api.Sent(t, sent, sent, sent, sent)
	if first, last := api.Wire(t, 0, "Idempotency-Key"), api.Wire(t, 3, "Idempotency-Key"); first != last {
		t.Errorf("it may be paid twice:\n%s\n%s", first, last)
	}
}

// ask is the call of a model, of which a person is asked.
func ask(t *testing.T, api *stub.Server, yes bool) (answer string, why []string) {
	t.Helper()
	handler, err := serve.NewHandler([]tool.Toolset{newTools(t, api).Toolset()}, serve.WithUnreleased())
	if err != nil {
		t.Fatal(err)
	}
	listener := httptest.NewServer(handler)
	defer listener.Close()
	server, err := client.New(client.ProtocolA2T, listener.URL+"/a2t")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := server.Tools(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	box, err := agent.New([]agent.Entry{{Server: server, Tool: tools[0]}}, agent.WithPolicy(agent.Policy{
		Confirm: func(_ context.Context, _ agent.Call, _ *client.Tool, reasons []string) (bool, error) {
			why = reasons
			return yes, nil
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	results := box.Run(context.Background(), []agent.Call{{Name: "refund_payment", Arguments: []byte(`{"payment": "tr_7UhSN1", "cents": 1950}`)}})
	return string(results[0].Content), why
}

func TestAPersonIsAsked(t *testing.T) {
	api := stub.Serve(t, paid)
	if answer, why := ask(t, api, false); strings.Contains(answer, "19.50") || len(why) == 0 {
		t.Errorf("%s %q", answer, why)
	}
	api.Sent(t)
	if answer, why := ask(t, api, true); !strings.Contains(answer, "19.50 EUR") || !slices.ContainsFunc(why, func(s string) bool { return strings.Contains(s, "money") }) {
		t.Errorf("%s %q", answer, why)
	}
	api.Sent(t, sent)
}
