package clinic_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sculpt-tools/sculpt/examples/clinic/internal/backend"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	bookBody = `{"input_parameters":[{"name":"visit","value":"VACCINATION"},{"name":"starts","value":"2026-11-24 10:00"},{"name":"confirmed","value":true}]}`
	bookOTC  = `{"request":{"call_id":"call-7","tool_id":"Clinic.BookAppointment","input":{"visit":"VACCINATION","starts":"2026-11-24 10:00","confirmed":true}}}`
)

func book(t *testing.T, s *doors.Served, headers ...string) *httptest.ResponseRecorder {
	return request(s, "POST", "/a2t/tools/"+s.Tool(t, "book_appointment").ID+":invoke", bookBody, headers...)
}

// TestOneKeyIsOneBooking: who repeats a call by its name gets the first answer,
// of this replica or of another.
func TestOneKeyIsOneBooking(t *testing.T) {
	for name, once := range map[string]func(*testing.T, *doors.Served) *httptest.ResponseRecorder{
		"A2T": func(t *testing.T, s *doors.Served) *httptest.ResponseRecorder {
			return book(t, s, "Idempotency-Key: k-1")
		},
		"OTC": func(_ *testing.T, s *doors.Served) *httptest.ResponseRecorder {
			return request(s, "POST", "/otc/tools/call", bookOTC)
		},
	} {
		t.Run(name, func(t *testing.T) {
			hospital := backend.New(firstDay)
			s := overClinic(t, mara, hospital)
			first, again := once(t, s), once(t, s)
			if first.Code != http.StatusOK || !strings.Contains(first.Body.String(), "LK-09D8") || hospital.Appointments() != 1 {
				t.Fatalf("%d appointments: %d %s", hospital.Appointments(), first.Code, first.Body)
			}
			if again.Code != first.Code || !strings.Contains(again.Body.String(), "LK-09D8") || hospital.Appointments() != 1 {
				t.Errorf("%d appointments after the same call again: %d %s", hospital.Appointments(), again.Code, again.Body)
			}
		})
	}
}

// TestKeysOfOthers: the same key of another patient is another key.
func TestKeysOfOthers(t *testing.T) {
	hospital := backend.New(firstDay)
	hers, his := book(t, overClinic(t, mara, hospital), "Idempotency-Key: k-1"), book(t, overClinic(t, tomas, hospital), "Idempotency-Key: k-1")
	if hers.Code != http.StatusOK || his.Code != http.StatusUnprocessableEntity || !strings.Contains(his.Body.String(), "no_such_slot") || hospital.Appointments() != 1 {
		t.Errorf("%d appointments: %d %s; %d %s", hospital.Appointments(), hers.Code, hers.Body, his.Code, his.Body)
	}
}

// TestKeysReachTheClinic: what goes to the clinic as key is the same for a call
// that is repeated at another replica, another one for other calls, and never the
// caller's own word.
func TestKeysReachTheClinic(t *testing.T) {
	hospital := backend.New(firstDay)
	var keys []string
	heard := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			keys = append(keys, r.Header.Get("Idempotency-Key"))
			answers(409, problemMedia, `{"type": "x/SlotTaken", "title": "", "status": 409}`)(w, r, nil)
			return
		}
		hospital.ServeHTTP(w, r)
	})
	for _, key := range []string{"k-1", "k-1", "k-2"} {
		book(t, overClinic(t, mara, heard), "Idempotency-Key: "+key)
	}
	if len(keys) != 3 || keys[0] != keys[1] || keys[1] == keys[2] || len(keys[0]) != 36 {
		t.Errorf("the keys were %q", keys)
	}
}

// TestUnknownOutcome: the clinic has booked and never says so. The caller is told
// that nobody knows, the same key does not book again, and the list of
// appointments tells what came of it.
func TestUnknownOutcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hospital := backend.New(firstDay)
		s := overClinic(t, mara, &broken{hospital, "POST", "/appointments", worksAndHangs})
		for range 2 {
			w := book(t, s, "Idempotency-Key: k-1")
			if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), `"outcome_unknown"`) || !strings.Contains(w.Body.String(), `"retryable":false`) {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		}
		if hospital.Appointments() != 1 {
			t.Errorf("%d appointments", hospital.Appointments())
		}
		found, err := call(t, s, "list_appointments", 0, `{}`)
		if err != nil || found["count"] != 1.0 {
			t.Errorf("%v, %v", found, err)
		}
	})
}

// TestConfirmationHangs: the appointment is there, and the message may be. What
// has happened is told, so that nobody books again.
func TestConfirmationHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hospital := backend.New(firstDay)
		s := overClinic(t, mara, &broken{hospital, "POST", "/messages", hangs})
		_, err := call(t, s, "book_appointment", 0, `{"visit":"VACCINATION","starts":"2026-11-24 10:00","confirmed":true,"send_confirmation":true}`)
		if err == nil || err.Kind != tool.KindUnknownOutcome || len(err.EffectsDone) != 1 || err.EffectsDone[0] != "booked" || err.Retryable || hospital.Appointments() != 1 {
			t.Errorf("%d appointments: %+v", hospital.Appointments(), err)
		}
	})
}

// TestNothingHappenedYet: what fails before the booking may be repeated.
func TestNothingHappenedYet(t *testing.T) {
	s := overClinic(t, mara, &broken{backend.New(firstDay), "GET", "/slots", answers(503, problemMedia, `{"type": "x/Down", "title": "", "status": 503}`)})
	_, err := call(t, s, "book_appointment", 0, `{"visit":"VACCINATION","starts":"2026-11-24 10:00","confirmed":true}`)
	if err == nil || err.Kind != tool.KindUnavailable || !err.Retryable || len(err.EffectsDone) != 0 {
		t.Errorf("%+v", err)
	}
}

// TestCanceledTwice: a cancellation whose answer is lost is sent again, and the
// second one finds nothing to cancel, which is what was wanted.
func TestCanceledTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hospital := backend.New(firstDay)
		if w := book(t, overClinic(t, mara, hospital)); w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		lost := false
		s := overClinic(t, mara, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodDelete && !lost {
				lost = true
				hospital.ServeHTTP(httptest.NewRecorder(), r)
				answers(503, problemMedia, `{"type": "x/Lost", "title": "", "status": 503}`)(w, r, nil)
				return
			}
			hospital.ServeHTTP(w, r)
		}))
		got, err := call(t, s, "cancel_appointment", 0, `{"starts":"2026-11-24 10:00","confirmed":true}`)
		if err != nil || got["reference"] != "LK-09D8" || !lost || hospital.Appointments() != 0 {
			t.Errorf("%v, %v; %d appointments", got, err, hospital.Appointments())
		}
	})
}
