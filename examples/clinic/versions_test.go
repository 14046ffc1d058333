package clinic_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// without is an answer that lacks outputs which came later.
func without(o outcome, names ...string) outcome {
	o.Outputs = maps.Clone(o.Outputs)
	for _, name := range names {
		delete(o.Outputs, name)
	}
	return o
}

// TestThreeVersions asks each version at every door that has versions: the first
// has no input, the second chooses, the third says where and how.
func TestThreeVersions(t *testing.T) {
	all, ready := prescriptions(lisinopril, atorvastatin, metformin, evening, inhaler), prescriptions(lisinopril)
	const lookup = "look_up_prescriptions"
	questions := []doors.Question{
		{Tool: lookup, Version: 1, Inputs: in{}, Want: without(all, "pharmacy", "contact")},
		{Tool: lookup, Version: 1, Inputs: in{"refill": "READY"}, Want: invalid("refill", "unknown", "There is no such parameter.")},
		{Tool: lookup, Version: 2, Inputs: in{}, Want: without(all, "pharmacy", "contact")},
		{Tool: lookup, Version: 2, Inputs: in{"refill": "READY"}, Want: without(ready, "pharmacy", "contact")},
		{Tool: lookup, Version: 3, Inputs: in{"refill": "READY"}, Want: ready},
		{Tool: lookup, Version: 4, Inputs: in{}, Want: refused("unknown_version", "", "The tool look_up_prescriptions has no such version; its current version is 3.", "")},
	}
	for i := range doors.All {
		for j := range questions {
			if d, q := &doors.All[i], &questions[j]; d.Versioned {
				t.Run(fmt.Sprintf("%s/%d/%d", d.Name, q.Version, j), func(t *testing.T) { ask(t, d, overClinic(t, mara, backend.New(firstDay)), q) })
			}
		}
	}
}

// TestFrozenChains: what the third version asks for besides cannot fail the
// others.
func TestFrozenChains(t *testing.T) {
	s := overClinic(t, mara, &broken{backend.New(firstDay), "GET", "/ph-elm", answers(500, problemMedia, `{"type": "x/Fire", "title": "", "status": 500}`)})
	for version, works := range []bool{0: false, 1: true, 2: true, 3: false} {
		if _, err := call(t, s, "look_up_prescriptions", version, `{}`); (err == nil) != works {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// TestDocumentsOfVersions: each version tells of its own inputs and outputs only.
func TestDocumentsOfVersions(t *testing.T) {
	s := overClinic(t, mara, backend.New(firstDay))
	for version, want := range map[int][2]string{1: {"", "prescriptions count"}, 2: {"refill", "prescriptions count"}, 3: {"refill", "prescriptions count pharmacy contact"}} {
		var got struct {
			CurrentVersion int                     `json:"currentVersion"`
			Inputs         []struct{ Name string } `json:"input_parameters"`
			Outputs        []struct{ Name string } `json:"output_parameters"`
		}
		w := request(s, "GET", fmt.Sprintf("/a2t/tools/%s/versions/%d", s.Tool(t, "look_up_prescriptions").ID, version), "")
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		names := func(params []struct{ Name string }) string {
			var list []string
			for _, p := range params {
				list = append(list, p.Name)
			}
			return strings.Join(list, " ")
		}
		if has := [2]string{names(got.Inputs), names(got.Outputs)}; has != want || got.CurrentVersion != 3 {
			t.Errorf("version %d of %d has %q, want %q", version, got.CurrentVersion, has, want)
		}
	}
}

// TestDeprecated: whoever reads of the old tool, or calls it, is told which one to
// use instead; after the last day there is nothing but that.
func TestDeprecated(t *testing.T) {
	s := overClinic(t, mara, backend.New(firstDay))
	old, heir := s.Tool(t, "check_refill_status").ID, s.Tool(t, "look_up_prescriptions").ID
	const words = "Use look_up_prescriptions instead."
	for _, path := range []string{"/a2t/tools/" + old, "/nact/tools/" + old, "/otc/tools", "/atdf/tools/check_refill_status"} {
		if w := request(s, "GET", path, ""); !strings.Contains(w.Body.String(), words) {
			t.Errorf("%s does not name the tool to use instead: %s", path, w.Body)
		}
	}
	if w := request(s, "POST", "/mcp", mcpList); !strings.Contains(w.Body.String(), words) {
		t.Errorf("MCP does not name the tool to use instead")
	}
	body := `{"input_parameters":[{"name":"medicine","value":"Lisinopril"}]}`
	w := request(s, "POST", "/a2t/tools/"+old+":invoke", body)
	if w.Code != http.StatusOK || w.Header().Get("Deprecation") == "" || w.Header().Get("Sunset") != "Tue, 01 Jun 2027 00:00:00 GMT" ||
		!strings.Contains(w.Header().Get("Link"), heir) {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for _, args := range [][]string{{"check-refill-status", "--help"}, {"--agent", "--commands=check-refill-status"}} {
		if _, out, _ := s.RunConsole(args...); !strings.Contains(string(out), words) {
			t.Errorf("%q does not name the tool to use instead: %s", args, out)
		}
	}

	after := serveFor(t, mara, upstream.API{Handler: backend.New(firstDay)}, serve.WithClock(func() time.Time { return time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC) }))
	if w := request(after, "POST", "/a2t/tools/"+old+":invoke", body); w.Code != http.StatusGone || !strings.Contains(w.Body.String(), "look_up_prescriptions") {
		t.Errorf("after its end: %d %s", w.Code, w.Body)
	}
	if w := request(after, "GET", "/a2t/tools", ""); strings.Contains(w.Body.String(), old) || !strings.Contains(w.Body.String(), heir) {
		t.Errorf("after its end it is listed: %s", w.Body)
	}
}

// TestEveryToolIsPlayed: a tool that the story goes without would be one of which
// nobody knows what it answers.
func TestEveryToolIsPlayed(t *testing.T) {
	s := overClinic(t, mara, backend.New(firstDay))
	for _, served := range s.Set.Tools {
		if !slices.ContainsFunc(story, func(q doors.Question) bool { return q.Tool == served.Name }) {
			t.Errorf("the story goes without %s", served.Name)
		}
	}
}
