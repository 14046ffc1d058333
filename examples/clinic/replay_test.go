package clinic_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
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

// TestReplay: what the folder replay answers, of which preview and the examples
// of the releases live, is what the clinic says.
func TestReplay(t *testing.T) {
	files := map[string][]byte{}
	for n, x := range recordAll(t) {
		files[fmt.Sprintf("clinic-%03d%s", n+1, x.name[strings.LastIndex(x.name, "-"):])] = x.data
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
		searchSecrets(t, file, data)
	}
	if have, err := filepath.Glob("replay/*.json"); err != nil || len(have) != len(files) {
		t.Errorf("%d files where %d were recorded: %v", len(have), len(files), err)
	}
}

// An exchange is a file of the folder replay: what it answers, its name and text.
type exchange struct {
	key, name string
	data      []byte
}

// recordAll calls the examples and returns the exchanges that they took, each of
// them once. Those of one call are sorted, since some run side by side.
func recordAll(t *testing.T) (all []exchange) {
	var mu sync.Mutex
	var fresh []exchange
	seen := map[string]bool{}
	s := serveFor(t, mara, upstream.API{Transport: replay.Record(atDocument{backend.New(firstDay)}, func(name string, data []byte) error {
		var x replay.Exchange
		if err := json.Unmarshal(data, &x); err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if key := x.Request.Method + " " + x.Request.URL + string(x.Request.Body); !seen[key] {
			seen[key] = true
			fresh = append(fresh, exchange{key, name, data})
		}
		return nil
	})}, serve.WithUnreleased())
	for _, x := range examples {
		_, _ = call(t, s, x.tool, 0, x.inputs) // some are refused, which is recorded, too
		slices.SortFunc(fresh, func(a, b exchange) int { return strings.Compare(a.key, b.key) })
		all, fresh = append(all, fresh...), nil
	}
	return all
}
