package clinic_test

import (
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
)

type (
	in      = map[string]any
	list    = []any
	outcome = doors.Outcome
)

// medicine is a prescription as the model reads it.
func medicine(name, directions string, left int, more in) in {
	p := in{"medicine": name, "directions": directions, "refills_left": float64(left)}
	maps.Copy(p, more)
	return p
}

var (
	lisinopril   = medicine("Lisinopril 10 mg", "One tablet in the morning", 2, in{"status": "READY", "ready_on": "2026-11-20"})
	atorvastatin = medicine("Atorvastatin 20 mg", "One tablet in the evening", 0, in{"status": "WITH_THE_DOCTOR"})
	metformin    = medicine("Metformin 500 mg", "One tablet with breakfast", 3, nil)
	requested    = medicine("Metformin 500 mg", "One tablet with breakfast", 2, in{"status": "REQUESTED"})
	evening      = medicine("Metformin 1000 mg", "One tablet with dinner", 3, nil)
	inhaler      = medicine("Albuterol 90 mcg", "Two puffs when needed", 0, nil)

	pharmacy = "Lakeside Pharmacy, 12 Elm Street, Lakeside, phone 555-0142, open 8:00 to 18:00"
	booked   = in{"reference": "LK-4E70", "starts": "2026-11-24 09:20", "clinician": "Dr. Okafor", "site": "Elm Street Clinic", "fee": "120.00 USD", "state": "BOOKED", "confirmation": "EMAIL"}
)

func checkup(starts, clinician, site string) in {
	return in{"starts": starts, "clinician": clinician, "site": site, "fee": "120.00 USD"}
}

func prescriptions(items ...any) outcome {
	return outcome{Outputs: in{"prescriptions": items, "count": float64(len(items)), "pharmacy": pharmacy, "contact": "EMAIL"}}
}

func refused(kind, reason, message, hint string) outcome {
	return outcome{Kind: kind, Reason: reason, Message: message, Hint: hint}
}

// story is what Mara asks for, in order: each step finds what the ones before it
// have done.
var story = []doors.Question{
	{Tool: "look_up_prescriptions", Inputs: in{}, Want: prescriptions(lisinopril, atorvastatin, metformin, evening, inhaler)},
	{Tool: "look_up_prescriptions", Inputs: in{"refill": "UNDER_WAY"}, Want: prescriptions(atorvastatin)},
	{Tool: "request_refill", Inputs: in{"medicine": "Metformin"}, Want: refused("no_result", "ambiguous_prescription",
		`Several prescriptions are of "Metformin": Metformin 500 mg, Metformin 1000 mg.`, "Ask the user which one is meant, and give the strength too.")},
	{Tool: "request_refill", Inputs: in{"medicine": "metformin 500 mg"}, Want: outcome{Outputs: in{"medicine": "Metformin 500 mg", "status": "REQUESTED"}}},
	{Tool: "request_refill", Inputs: in{"medicine": "metformin 500 mg"}, Want: refused("rejected", "refill_under_way",
		`A refill of "metformin 500 mg" is under way already.`, "Use look_up_prescriptions to see its status.")},
	{Tool: "request_refill", Inputs: in{"medicine": "Albuterol"}, Want: refused("rejected", "no_refills_left",
		`The prescription of "Albuterol" has no refills left.`, "Offer the user a visit, a FOLLOW_UP, for a new prescription.")},
	{Tool: "request_refill", Inputs: in{"medicine": "Aspirin"}, Want: refused("no_result", "no_such_prescription", `There is no active prescription of "Aspirin".`,
		"These are there: Lisinopril 10 mg, Atorvastatin 20 mg, Metformin 500 mg, Metformin 1000 mg, Albuterol 90 mcg.")},
	{Tool: "look_up_prescriptions", Inputs: in{"refill": "UNDER_WAY"}, Want: prescriptions(atorvastatin, requested)},
	{Tool: "check_refill_status", Inputs: in{"medicine": "Lisinopril"}, Want: outcome{Outputs: in{"status": "READY"}}},
	{Tool: "check_refill_status", Inputs: in{"medicine": "Albuterol"}, Want: outcome{Outputs: in{}}},

	{Tool: "find_free_slots", Inputs: in{"visit": "CHECKUP", "site": "moon"}, Want: refused("no_result", "no_such_site", `There is no clinic called "moon".`, "Leave it out to search all clinics.")},
	{Tool: "find_free_slots", Inputs: in{"visit": "CHECKUP", "day": "2026-11-24"}, Want: outcome{Outputs: in{"more": 0.0, "slots": list{
		checkup("2026-11-24 09:20", "Dr. Okafor", "Elm Street Clinic"), checkup("2026-11-24 09:20", "Dr. Reyes", "Harbor Clinic")}}}},
	{Tool: "book_appointment", Inputs: in{"visit": "CHECKUP", "starts": "2026-11-24 09:20", "confirmed": false}, Want: refused("no_result", "not_confirmed",
		"Nothing was booked, because the user has not agreed yet.", "Tell the user time, place and fee. Call again with confirmed once they say yes.")},
	{Tool: "book_appointment", Inputs: in{"visit": "CHECKUP", "starts": "2026-11-24 09:20", "confirmed": true}, Want: refused("no_result", "ambiguous_slot",
		"Several slots are free at 2026-11-24 09:20: Dr. Okafor, Elm Street Clinic; Dr. Reyes, Harbor Clinic.", "Ask the user, and give the clinician.")},
	{Tool: "book_appointment", Inputs: in{"visit": "CHECKUP", "starts": "2026-11-24 09:20", "clinician": "okafor", "reason": "My knee", "send_confirmation": true, "confirmed": true}, Want: outcome{Outputs: booked}},
	{Tool: "book_appointment", Inputs: in{"visit": "CHECKUP", "starts": "2026-11-24 09:20", "clinician": "okafor", "confirmed": true}, Want: refused("no_result", "no_such_slot",
		"No slot is free at 2026-11-24 09:20.", "Use find_free_slots and offer the user what it lists.")},
	{Tool: "list_appointments", Inputs: in{}, Want: outcome{Outputs: in{"count": 1.0, "appointments": list{
		in{"reference": "LK-4E70", "starts": "2026-11-24 09:20", "clinician": "Dr. Okafor", "visit": "CHECKUP", "certain": true}}}}},
	{Tool: "cancel_appointment", Inputs: in{"starts": "2026-11-24 09:20", "confirmed": false}, Want: refused("no_result", "not_confirmed",
		"Nothing was canceled, because the user has not agreed yet.", "Tell the user which appointment it is. Call again with confirmed once they say yes.")},
	{Tool: "cancel_appointment", Inputs: in{"starts": "2026-11-24 09:20", "confirmed": true}, Want: outcome{Outputs: in{"reference": "LK-4E70"}}},
	{Tool: "cancel_appointment", Inputs: in{"starts": "2026-11-24 09:20", "confirmed": true}, Want: refused("no_result", "no_such_appointment",
		"There is no appointment at 2026-11-24 09:20.", "Use list_appointments.")},
	{Tool: "list_appointments", Inputs: in{}, Want: outcome{Outputs: in{"count": 0.0, "appointments": list{}}}},
}

// elsewhere is what Tomas gets after each step of Mara's: nothing of hers.
var elsewhere = []doors.Question{
	{Tool: "look_up_prescriptions", Inputs: in{}, Want: outcome{Outputs: in{"prescriptions": list{medicine("Warfarin 5 mg", "As on the plan", 1, nil)}, "count": 1.0, "contact": "LETTER"}}},
	{Tool: "list_appointments", Inputs: in{}, Want: outcome{Outputs: in{"count": 0.0, "appointments": list{}}}},
	{Tool: "cancel_appointment", Inputs: in{"starts": "2026-11-24 09:20", "confirmed": true}, Want: refused("no_result", "no_such_appointment",
		"There is no appointment at 2026-11-24 09:20.", "Use list_appointments.")},
}

// ask puts a question at a door and wants what the door has to tell.
func ask(t *testing.T, d *doors.Door, s *doors.Served, q *doors.Question) {
	t.Helper()
	got := d.Ask(t, s, q)
	maps.DeleteFunc(got.Outputs, func(_ string, v any) bool { return v == nil }) // some doors say so of what is missing
	if diff := cmp.Diff(d.Tells(t, s, q), got); diff != "" {
		t.Errorf("%s: %s", q, diff)
	}
}

// TestStory tells the story at every door, with another patient beside it.
func TestStory(t *testing.T) {
	for i := range doors.All {
		d := &doors.All[i]
		t.Run(d.Name, func(t *testing.T) {
			hospital := backend.New(firstDay)
			hers, his := overClinic(t, mara, hospital), overClinic(t, tomas, hospital)
			for j := range story {
				ask(t, d, hers, &story[j])
				ask(t, d, his, &elsewhere[j%len(elsewhere)])
			}
			if hospital.Appointments() != 0 || hospital.Messages() != 1 {
				t.Errorf("%d appointments, %d messages", hospital.Appointments(), hospital.Messages())
			}
		})
	}
}

func invalid(param, code, detail string, allowed ...string) outcome {
	return outcome{Kind: "invalid_input", Issues: []doors.Issue{{Param: param, Code: code, Detail: detail, Allowed: allowed}}}
}

// mistakes are refused before anything is asked of the clinic.
var mistakes = []doors.Question{
	{Sort: doors.Missing, Tool: "request_refill", Inputs: in{}, Want: invalid("medicine", "missing", "This parameter is required.")},
	{Sort: doors.Unknown, Tool: "look_up_prescriptions", Inputs: in{"account": "bb5d4024"}, Want: invalid("account", "unknown", "There is no such parameter.")},
	{Sort: doors.WrongType, Tool: "cancel_appointment", Inputs: in{"starts": "2026-11-24 09:20", "confirmed": "yes"}, Want: invalid("confirmed", "type", "Must be true or false, but is a string.")},
	{Sort: doors.NotAllowed, Tool: "find_free_slots", Inputs: in{"visit": "SURGERY"}, Want: invalid("visit", "not_allowed",
		`"SURGERY" is not one of the allowed values.`, "CHECKUP", "FOLLOW_UP", "SICK", "VACCINATION")},
	{Sort: doors.NotAllowed, Tool: "look_up_prescriptions", Inputs: in{"refill": "LOST"}, Want: invalid("refill", "not_allowed",
		`"LOST" is not one of the allowed values.`, "NONE", "UNDER_WAY", "READY")},
}

// TestMistakes puts them at every door that can.
func TestMistakes(t *testing.T) {
	for i := range doors.All {
		for j := range mistakes {
			if d, q := &doors.All[i], &mistakes[j]; d.Can(q) {
				t.Run(d.Name+"/"+q.String(), func(t *testing.T) { ask(t, d, overClinic(t, mara, backend.New(firstDay)), q) })
			}
		}
	}
}

// What a clinic answers in despair: all that it was asked with.
const media, problemMedia = "application/json", "application/problem+json"

var secretsEchoed = `{"type": "https://api.lakeside-clinic.example/problems/` + backend.TokenMara + `", "title": "` + backend.APIKey + `", "status": 500, "detail": "` + strings.Join(secrets, " ") + `"}`

// accidents are what the clinic may do otherwise, and what is told of it.
var accidents = []struct {
	name         string
	method, path string
	instead      brokenly
	question     doors.Question
}{
	{"down", "GET", "/prescriptions", answers(503, problemMedia, secretsEchoed), doors.Question{Tool: "look_up_prescriptions", Inputs: in{}, Want: outcome{Kind: "unavailable", Retry: true}}},
	{"another shape", "GET", "/prescriptions", answers(200, media, `{"items": {"id": "`+backend.TokenMara+`"}}`), doors.Question{Tool: "look_up_prescriptions", Inputs: in{}, Want: outcome{Kind: "bad_backend"}}},
	{"HTML", "GET", "/slots", answers(200, "text/html", "<h1>"+backend.APIKey+"</h1>"), doors.Question{Tool: "find_free_slots", Inputs: in{"visit": "SICK"}, Want: outcome{Kind: "bad_backend"}}},
	{"slow", "GET", "/sites", hangs, doors.Question{Tool: "find_free_slots", Inputs: in{"visit": "SICK"}, Want: outcome{Kind: "timeout", Retry: true}}},
	{"no confirmation", "POST", "/messages", answers(503, problemMedia, secretsEchoed), doors.Question{Tool: "book_appointment",
		Inputs: in{"visit": "VACCINATION", "starts": "2026-11-24 10:00", "send_confirmation": true, "confirmed": true},
		Want:   outcome{Kind: "unknown_outcome", Reason: "backend_unavailable", Hint: "Do not repeat the call. Find out first whether it took effect.", Done: []string{"booked"}}}},
	{"taken meanwhile", "POST", "/appointments", answers(409, problemMedia, `{"type": "https://api.lakeside-clinic.example/problems/SlotTaken", "title": "Conflict", "status": 409}`), doors.Question{Tool: "book_appointment",
		Inputs: in{"visit": "VACCINATION", "starts": "2026-11-24 10:00", "confirmed": true},
		Want:   refused("rejected", "slot_taken", "The slot at 2026-11-24 10:00 has just been taken.", "Use find_free_slots again and offer the user another one.")}},
	{"no answer to a booking", "POST", "/appointments", worksAndHangs, doors.Question{Tool: "book_appointment",
		Inputs: in{"visit": "VACCINATION", "starts": "2026-11-24 10:00", "confirmed": true}, Want: outcome{Kind: "unknown_outcome", Hint: "Do not repeat the call. Find out first whether it took effect."}}},
}

// TestAccidents tells at every door what went wrong, and nothing more. Time is
// not that of the clock, because a clinic that is slow is waited for.
func TestAccidents(t *testing.T) {
	for i := range doors.All {
		for j := range accidents {
			d, a := &doors.All[i], &accidents[j]
			t.Run(d.Name+"/"+a.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					ask(t, d, overClinic(t, mara, &broken{backend.New(firstDay), a.method, a.path, a.instead}), &a.question)
				})
			})
		}
	}
}
