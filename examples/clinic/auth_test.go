package clinic_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/examples/clinic/internal/signin"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// request sends a request to the tools, with lines of headers.
func request(s *doors.Served, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, line := range slices.Concat(s.Caller.Headers, headers) {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.Judged.ServeHTTP(w, r)
	return w
}

// lists are where each protocol lists the tools.
var lists = []string{"/a2t/tools", "/nact/tools", "/otc/tools", "/atdf/tools"}

const mcpList = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// TestNobodyIsRefused: without a token of the clinic there is neither a list nor a
// call over any protocol, and the clinic hears of no call.
func TestNobodyIsRefused(t *testing.T) {
	for name, who := range map[string]doors.Caller{
		"nobody": nobody, "forger": forger, "another scheme": {Headers: []string{"Authorization: Basic bWFyYTptYXJh"}},
		"no word": {Headers: []string{"Authorization: " + backend.TokenMara}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			clinic := backend.New(firstDay)
			s := overClinic(t, who, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v2/me" { // who is that, asks the authenticator
					asked++
				}
				clinic.ServeHTTP(w, r)
			}))
			invoke := "/a2t/tools/" + s.Tool(t, "look_up_prescriptions").ID + ":invoke"
			for _, w := range []*httptest.ResponseRecorder{
				request(s, "GET", lists[0], ""), request(s, "GET", lists[1], ""), request(s, "GET", lists[3], ""), request(s, "POST", invoke, `{"input_parameters":[]}`),
				request(s, "POST", "/mcp", mcpList), request(s, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look_up_prescriptions","arguments":{}}}`),
			} {
				if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer" {
					t.Errorf("status %d, challenge %q: %s", w.Code, w.Header().Get("WWW-Authenticate"), w.Body)
				}
			}
			for _, w := range []*httptest.ResponseRecorder{
				request(s, "GET", lists[2], ""), request(s, "POST", "/otc/tools/call", `{"request":{"tool_id":"Clinic.LookUpPrescriptions","input":{}}}`),
			} {
				if w.Code != http.StatusBadRequest || strings.Contains(w.Body.String(), "prescription") { // the text of OTC wants 400
					t.Errorf("status %d: %s", w.Code, w.Body)
				}
			}
			if asked != 0 {
				t.Errorf("the clinic was asked %d times", asked)
			}
		})
	}
}

// TestClinicIsDownAtTheDoor: who cannot be asked about lets nobody in.
func TestClinicIsDownAtTheDoor(t *testing.T) {
	for _, answer := range []brokenly{answers(503, problemMedia, secretsEchoed), answers(200, media, `{"id": ""}`), answers(200, "text/html", "<p>")} {
		s := overClinic(t, mara, &broken{backend.New(firstDay), "GET", "/me", answer})
		if w := request(s, "GET", lists[0], ""); w.Code != http.StatusServiceUnavailable {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	}
}

// TestSignedOutInside: at doors without an authenticator the clinic judges the
// token, and says what to do.
func TestSignedOutInside(t *testing.T) {
	q := &doors.Question{Tool: "list_appointments", Inputs: in{}, Want: refused("rejected", "not_signed_in",
		"The patient is not signed in, or the sign-in has ended.", "Have the user sign in, then call again.")}
	for i := range doors.All {
		switch d := &doors.All[i]; d.Name {
		case "method", "in process", "MCP on stdio", "command line", "agent":
			t.Run(d.Name, func(t *testing.T) { ask(t, d, overClinic(t, forger, backend.New(firstDay)), q) })
		}
	}
}

// TestNoPIN: a refill wants a secret of the patient, which is asked for before
// anything happens; it comes with the call, in OTC as a part of that.
func TestNoPIN(t *testing.T) {
	clinic := backend.New(firstDay)
	s := overClinic(t, doors.Caller{Headers: mara.Headers[:1]}, clinic)
	invoke := "/a2t/tools/" + s.Tool(t, "request_refill").ID + ":invoke"
	body := `{"input_parameters":[{"name":"medicine","value":"Metformin 500 mg"}]}`
	if w := request(s, "POST", invoke, body); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "This tool needs the secret patient_pin of its caller.") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	if w := request(s, "POST", invoke, body, signin.PINHeader+": "+tomas.Env["CLINIC_SECRET_PATIENT_PIN"]); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "wrong_pin") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	otc := `{"request":{"tool_id":"Clinic.RequestRefill","input":{"medicine":"Metformin 500 mg"},"context":{"secrets":[{"id":"patient_pin","value":"` + backend.PINMara + `"}]}}}`
	if w := request(s, "POST", "/otc/tools/call", otc); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "REQUESTED") {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// TestKeyOfTheProgram: what the program itself is known by is a different matter
// from who the patient is, and nobody is told of it.
func TestKeyOfTheProgram(t *testing.T) {
	hospital := backend.New(firstDay)
	s := serveFor(t, mara, upstream.API{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v2/me" {
			r.Header.Set("X-Api-Key", "revoked")
		}
		hospital.ServeHTTP(w, r)
	})})
	_, err := call(t, s, "find_free_slots", 0, `{"visit":"SICK"}`)
	if err == nil || err.Kind == tool.KindUnauthorized || strings.Contains(err.Explain(), "key") {
		t.Errorf("%v", err)
	}
}

// TestListsAreAsPublicAsOneWants: a vendor may show what there is to everybody.
func TestListsAreAsPublicAsOneWants(t *testing.T) {
	s := serveFor(t, nobody, upstream.API{Handler: backend.New(firstDay)}, serve.WithPublicDiscovery())
	for _, path := range lists {
		if w := request(s, "GET", path, ""); w.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
		}
	}
	if w := request(s, "POST", "/a2t/tools/"+s.Tool(t, "list_appointments").ID+":invoke", `{}`); w.Code != http.StatusUnauthorized {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

// TestNothingIsTold: every document of every version, for everybody to search.
func TestNothingIsTold(t *testing.T) {
	s := overClinic(t, mara, backend.New(firstDay)) // which searches what it answers
	paths := append([]string{"/", "/openapi.json", "/healthz", "/readyz", "/otc/health", "/atdf/health", "/otc/tools?versions=all"}, lists...)
	for _, served := range s.Set.Tools {
		paths = append(paths, "/a2t/tools/"+served.ID, "/a2t/tools/"+served.ID+"/versions", "/atdf/tools/"+served.Name)
	}
	for _, path := range paths {
		w := request(s, "GET", path, "")
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
		}
		for _, hidden := range []string{"slot_id", "X-Tenant", "X-Trace-Id", "next_cursor", "X-Api-Key", "lakeside-clinic.example/v2"} {
			if strings.Contains(w.Body.String(), hidden) {
				t.Errorf("%s tells of %s", path, hidden)
			}
		}
	}
	for _, args := range [][]string{{"--agent"}, {"--help"}, {"book-appointment", "--help"}} {
		_, out, talk := s.RunConsole(args...)
		searchSecrets(t, strings.Join(args, " "), append(out, talk...))
	}
}

// TestWhatIsMissing: who calls without a server is told what to set. What a host sets
// to nothing is not set.
func TestWhatIsMissing(t *testing.T) {
	blank := doors.Caller{Env: map[string]string{"CLINIC_AUTHORIZATION": "", "CLINIC_SECRET_PATIENT_PIN": ""}}
	for _, who := range []doors.Caller{nobody, blank} {
		whatIsMissing(t, who)
	}
}

func whatIsMissing(t *testing.T, who doors.Caller) {
	t.Helper()
	s := overClinic(t, who, backend.New(firstDay))
	for command, want := range map[string]string{
		"list-appointments": "clinic: The service behind this tool needs the caller's credentials.\n   = fix: set CLINIC_AUTHORIZATION\n",
		"request-refill":    "clinic: This tool needs the secret patient_pin of its caller.\n   = fix: set CLINIC_SECRET_PATIENT_PIN\n",
	} {
		args := []string{command}
		if command == "request-refill" {
			args = append(args, "--medicine", "Metformin")
		}
		if code, out, talk := s.RunConsole(args...); code != 1 || len(out) > 0 || string(talk) != want {
			t.Errorf("%s: exit code %d, %q, %q", command, code, out, talk)
		}
	}
	if _, err := s.Method(t.Context(), "request_refill", in{"medicine": "Metformin"}); err == nil || !strings.HasPrefix(tool.AsError(err).Message, "This tool needs the secret patient_pin") {
		t.Errorf("%v", err)
	}
}
