package clinic_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

var update = flag.Bool("update", false, "write the folder replay anew")

// examples are the calls of the manifest, in an order in which each finds what
// the ones before it did.
var examples = []struct{ tool, inputs string }{
	{"look_up_prescriptions", `{}`},
	{"look_up_prescriptions", `{"refill":"READY"}`},
	{"check_refill_status", `{"medicine":"Lisinopril"}`},
	{"find_free_slots", `{"visit":"VACCINATION"}`},
	{"find_free_slots", `{"visit":"CHECKUP","site":"Elm Street","day":"2026-12-01"}`},
	{"book_appointment", `{"visit":"VACCINATION","starts":"2026-12-01 10:00","send_confirmation":true,"confirmed":true}`},
	{"list_appointments", `{}`},
	{"cancel_appointment", `{"starts":"2026-12-01 10:00","confirmed":true}`},
	{"cancel_appointment", `{"starts":"2026-12-02 10:00","confirmed":true}`},
	{"book_appointment", `{"visit":"CHECKUP","starts":"2026-12-01 09:20","confirmed":true}`},
	{"request_refill", `{"medicine":"Metformin 1000 mg"}`},
	{"request_refill", `{"medicine":"Albuterol"}`},
}

// atDocument sends requests to a handler as if it were at the address of the
// document, so that recordings are for that.
type atDocument struct{ http.Handler }

func (a atDocument) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	asked := r.Clone(r.Context())
	if asked.Body == nil {
		asked.Body = http.NoBody // as a server has it
	}
	a.ServeHTTP(w, asked)
	answer := w.Result()
	answer.Request = r
	return answer, nil
}

// TestReplay: what the folder replay answers, of which preview and the examples
// of the releases live, is what the clinic says.
func TestReplay(t *testing.T) {
	files := map[string][]byte{}
	seen := map[string]bool{}
	keep := func(name string, data []byte) error {
		var x replay.Exchange
		if err := json.Unmarshal(data, &x); err != nil {
			return err
		}
		if key := x.Request.Method + x.Request.URL + string(x.Request.Body); !seen[key] {
			seen[key] = true
			at := strings.LastIndex(name, "-") // the number in between counts repetitions, too
			files[fmt.Sprintf("clinic-%03d%s", len(files)+1, name[at:])] = data
		}
		return nil
	}
	recorder := replay.Record(atDocument{backend.New(firstDay)}, keep)
	s := serveOver(t, upstream.API{Transport: recorder})
	for _, x := range examples {
		s.call(t, mara, x.tool, 0, x.inputs) // some are refused, which is recorded, too
	}
	if *update {
		old, err := filepath.Glob("replay/*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range old {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, data := range files {
		file := filepath.Join("replay", name)
		if *update {
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, data) {
			t.Errorf("%s: %v; go test -run TestReplay -update writes it", file, err)
		}
		for _, secret := range secrets {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s", file, secret)
			}
		}
	}
	if have, err := filepath.Glob("replay/*.json"); err != nil || len(have) != len(files) {
		t.Errorf("%d files where %d were recorded: %v", len(have), len(files), err)
	}
}
