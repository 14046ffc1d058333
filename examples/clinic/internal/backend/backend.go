package backend

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What the clinic knows its callers by. None of these is secret, since nothing
// of this clinic is real. Tests search all that is said for them, so they are not
// what a random id may hold.
const (
	APIKey     = "demo-application-key"
	TokenMara  = "demo-token-of-mara" //nolint:gosec // it opens nothing
	TokenTomas = "demo-token-of-tomas"
	PINMara    = "mara-4821-93"
	PINTomas   = "tomas-9017-26"
)

// A Clinic is the backend with its state. It is an http.Handler.
type Clinic struct {
	now func() time.Time
	mux *http.ServeMux

	mu       sync.Mutex
	patients []*patient
	slots    []*slot
	// kept are the answers to requests with a key, by patient and key.
	kept map[string]kept
	// messages counts what was sent.
	messages int
}

// New opens a clinic whose calendar begins tomorrow.
func New(now func() time.Time) *Clinic {
	c := &Clinic{now: now, mux: http.NewServeMux(), kept: map[string]kept{}}
	c.patients = people()
	c.slots = calendar(now())
	for pattern, h := range map[string]operation{
		"GET /v2/me": getMe,
		"GET /v2/patients/{patient}/prescriptions":                         listPrescriptions,
		"POST /v2/patients/{patient}/prescriptions/{prescription}/refills": requestRefill,
		"GET /v2/pharmacies/{pharmacy}":                                    getPharmacy,
		"GET /v2/sites":                                                    listSites,
		"GET /v2/slots":                                                    searchSlots,
		"GET /v2/patients/{patient}/appointments":                          listAppointments,
		"POST /v2/patients/{patient}/appointments":                         createAppointment,
		"GET /v2/patients/{patient}/appointments/{appointment}":            getAppointment,
		"DELETE /v2/patients/{patient}/appointments/{appointment}":         cancelAppointment,
		"POST /v2/patients/{patient}/messages":                             sendMessage,
	} {
		c.mux.HandleFunc(pattern, c.serve(h))
	}
	return c
}

// ServeHTTP implements http.Handler.
func (c *Clinic) ServeHTTP(w http.ResponseWriter, r *http.Request) { c.mux.ServeHTTP(w, r) }

// Appointments counts what is booked, of all patients.
func (c *Clinic) Appointments() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, p := range c.patients {
		n += len(p.appointments)
	}
	return n
}

// Messages counts what was sent to patients.
func (c *Clinic) Messages() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.messages
}

// An operation answers a request; who is nil where no patient is needed.
type operation func(c *Clinic, r *http.Request, who *patient, body []byte) answer

// An answer is a status with a document, nil for none.
type answer struct {
	status int
	body   any
}

// serve lets in who may call, one request after the other.
func (c *Clinic) serve(op operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
		if err != nil {
			problem(http.StatusRequestEntityTooLarge, "TooLarge").write(w)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		who, refused := c.admit(r)
		if refused != nil {
			refused.write(w)
			return
		}
		out := c.once(r, who, body, op)
		out.write(w)
	}
}

// admit finds out who calls. The paths of a patient are for nobody else: to
// others they do not exist.
func (c *Clinic) admit(r *http.Request) (*patient, *answer) {
	refuse := func(status int, kind string) (*patient, *answer) {
		p := problem(status, kind)
		return nil, &p
	}
	if r.Header.Get("X-Api-Key") != APIKey {
		return refuse(http.StatusUnauthorized, "UnknownApplication")
	}
	if r.Header.Get("X-Tenant") != "lakeside" {
		return refuse(http.StatusForbidden, "OtherTenant")
	}
	if strings.HasPrefix(r.URL.Path, "/v2/sites") || strings.HasPrefix(r.URL.Path, "/v2/slots") {
		return nil, nil
	}
	token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	at := slices.IndexFunc(c.patients, func(p *patient) bool { return isBearer && p.token == token })
	if at < 0 {
		return refuse(http.StatusUnauthorized, "UnknownToken")
	}
	if named := r.PathValue("patient"); named != "" && named != c.patients[at].ID {
		return refuse(http.StatusNotFound, "NoSuchPatient")
	}
	return c.patients[at], nil
}

// A kept answer belongs to a request.
type kept struct {
	request [sha256.Size]byte
	answer  answer
}

// once answers a request with a key that was seen before as it was answered then.
func (c *Clinic) once(r *http.Request, who *patient, body []byte, op operation) answer {
	key := r.Header.Get("Idempotency-Key")
	if r.Method != http.MethodPost {
		return op(c, r, who, body)
	}
	if key == "" {
		return problem(http.StatusBadRequest, "KeyMissing")
	}
	name := who.ID + " " + key
	request := sha256.Sum256([]byte(r.URL.Path + "\n" + string(body)))
	if before, seen := c.kept[name]; seen {
		switch {
		case before.request != request:
			return problem(http.StatusUnprocessableEntity, "KeyReused")
		case before.answer.status == http.StatusCreated:
			return answer{http.StatusOK, before.answer.body}
		}
		return before.answer
	}
	out := op(c, r, who, body)
	if out.status < 300 {
		c.kept[name] = kept{request, out}
	}
	return out
}

// problem is an error as the document describes it.
func problem(status int, kind string) answer {
	return answer{status, map[string]any{
		"type": "https://api.lakeside-clinic.example/problems/" + kind, "title": http.StatusText(status), "status": status,
	}}
}

func (a answer) write(w http.ResponseWriter) {
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	media := "application/json"
	if a.status >= 400 {
		media = "application/problem+json"
	}
	data, err := json.Marshal(a.body)
	if err != nil {
		panic(err) // all documents are made here
	}
	w.Header().Set("Content-Type", media)
	w.WriteHeader(a.status)
	_, _ = w.Write(data) // who hung up reads nothing
}

// page cuts a list; the cursor is where the next page begins.
func page[T any](r *http.Request, member string, list []T) answer {
	from, size := 0, 20
	if cursor := r.URL.Query().Get("cursor"); cursor != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(cursor, "c-"))
		if err != nil || n < 0 || n > len(list) {
			return problem(http.StatusBadRequest, "BadCursor")
		}
		from = n
	}
	if n, err := strconv.Atoi(r.URL.Query().Get("page_size")); err == nil && n > 0 && n <= 50 {
		size = n
	}
	to := min(from+size, len(list))
	out := map[string]any{member: append([]T{}, list[from:to]...), "next_cursor": nil}
	if to < len(list) {
		out["next_cursor"] = fmt.Sprintf("c-%d", to)
	}
	return answer{http.StatusOK, out}
}
