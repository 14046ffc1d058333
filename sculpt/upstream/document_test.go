package upstream

import (
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// TestDocument: what is written is sent, and what cannot be written is an error
// that names the step, before anything is sent.
func TestDocument(t *testing.T) {
	var sent []string
	u := newTestUpstream(t, Spec{Name: "shop", BaseURL: "http://shop.example"}, API{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		sent = append(sent, string(body))
		if err != nil {
			return nil, err
		}
		return respond(200, `{"names":[]}`), nil
	})})
	send := func(price float64) error {
		var j value.JSON
		j.Open()
		j.Name("price")
		j.Float(price)
		j.Close()
		c := u.Call("order", "POST", EffectUnsafe)
		c.Path("/orders")
		c.Body("application/json", c.Document(&j))
		_, err := Do(t.Context(), c, scanNames)
		return err
	}
	if err := send(1.5); err != nil || len(sent) != 1 || sent[0] != `{"price":1.5}` {
		t.Errorf("sent %q, %v", sent, err)
	}
	err := send(math.NaN())
	if err == nil || len(sent) != 1 || !strings.Contains(err.Error(), "order") || !strings.Contains(err.Error(), "body") {
		t.Errorf("sent %q, %v", sent, err)
	}
}
