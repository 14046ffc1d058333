package clinic_test

import (
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/internal/conform"
)

// TestConforms: a server that asks who calls misses no MUST and no SHOULD, with a
// call that is answered and, where the protocol keeps them apart from refusals,
// one whose tool fails.
func TestConforms(t *testing.T) {
	look := conform.Invocation{Tool: "look_up_prescriptions", Inputs: in{"refill": "READY"}}
	for protocol, path := range map[string]string{"a2t": "/a2t", "nact": "/nact", "otc": "/otc", "oxp": "/otc", "atdf": "/atdf"} {
		t.Run(protocol, func(t *testing.T) {
			server := httptest.NewServer(overClinic(t, mara, backend.New(firstDay)).Plain)
			defer server.Close()
			base, err := url.Parse(server.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			o := conform.Options{Header: map[string]string{"Authorization": "Bearer " + backend.TokenMara}}
			switch protocol { // what is called is called more than once
			case "a2t", "nact":
				o.Invoke = []conform.Invocation{look}
			case "otc", "oxp":
				o.Invoke = []conform.Invocation{look, {Tool: "cancel_appointment", Inputs: in{"starts": "2026-11-25 10:00", "confirmed": true}}}
			}
			report, err := conform.Server(t.Context(), protocol, base, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range report.Results {
				if x.Verdict == conform.Fail {
					t.Errorf("%s: %s: %s", x.ID, x.Gist, x.Saw)
				}
			}
			if n := report.Count(); n.Passed < 10 {
				t.Errorf("only %d clauses pass", n.Passed)
			}
		})
	}
}
