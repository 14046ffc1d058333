package backend

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

func getMe(_ *Clinic, _ *http.Request, who *patient, _ []byte) answer {
	return answer{http.StatusOK, who}
}

// underWay are the states of refills that are neither ready nor over.
var underWay = []string{"requested", "in_review", "filling"}

func listPrescriptions(_ *Clinic, r *http.Request, who *patient, _ []byte) answer {
	wanted := r.URL.Query().Get("refill_state")
	var list []*prescription
	for _, p := range who.prescriptions {
		state := "none"
		switch {
		case p.Refill == nil:
		case slices.Contains(underWay, p.Refill.State):
			state = "under_way"
		default:
			state = p.Refill.State
		}
		if wanted == "" || wanted == state {
			list = append(list, p)
		}
	}
	return page(r, "items", list)
}

func requestRefill(c *Clinic, r *http.Request, who *patient, body []byte) answer {
	if r.Header.Get("X-Patient-Pin") != who.pin {
		return problem(http.StatusForbidden, "WrongPin")
	}
	at := slices.IndexFunc(who.prescriptions, func(p *prescription) bool { return p.ID == r.PathValue("prescription") })
	var wanted struct {
		Pharmacy string `json:"pharmacy_id"`
	}
	switch {
	case at < 0:
		return problem(http.StatusNotFound, "NoSuchPrescription")
	case json.Unmarshal(body, &wanted) != nil || wanted.Pharmacy != who.prescriptions[at].Pharmacy:
		return problem(http.StatusUnprocessableEntity, "UnknownPharmacy")
	}
	p := who.prescriptions[at]
	switch {
	case p.Refill != nil:
		return problem(http.StatusConflict, "RefillUnderWay")
	case p.RefillsLeft == 0:
		return problem(http.StatusUnprocessableEntity, "NoRefillsLeft")
	}
	p.RefillsLeft--
	p.Refill = &refill{id("refill " + p.ID), "requested", c.now().UTC().Format(time.RFC3339), nil}
	return answer{http.StatusAccepted, p.Refill}
}

func getPharmacy(_ *Clinic, r *http.Request, _ *patient, _ []byte) answer {
	if r.PathValue("pharmacy") != elmPharmacy.ID {
		return problem(http.StatusNotFound, "NoSuchPharmacy")
	}
	return answer{http.StatusOK, elmPharmacy}
}

func listSites(_ *Clinic, r *http.Request, _ *patient, _ []byte) answer {
	wanted := strings.ToLower(r.URL.Query().Get("q"))
	list := []site{}
	for _, s := range sites {
		if strings.Contains(strings.ToLower(s.Name+", "+s.Address.Town), wanted) {
			list = append(list, s)
		}
	}
	return answer{http.StatusOK, map[string]any{"sites": list}}
}

func searchSlots(c *Clinic, r *http.Request, _ *patient, _ []byte) answer {
	q := r.URL.Query()
	var list []*slot
	for _, s := range c.slots {
		if !s.taken && slices.Contains(s.visits, q.Get("visit_type")) && strings.HasPrefix(s.Starts, q.Get("day")) &&
			(len(q["site_id"]) == 0 || slices.Contains(q["site_id"], s.Site)) {
			list = append(list, s)
		}
	}
	return page(r, "slots", list)
}

func listAppointments(_ *Clinic, r *http.Request, who *patient, _ []byte) answer {
	wanted := r.URL.Query().Get("state")
	var list []*appointment
	for _, a := range who.appointments {
		if wanted == "" || wanted == a.State {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b *appointment) int { return strings.Compare(a.Slot.Starts, b.Slot.Starts) })
	return page(r, "items", list)
}

func createAppointment(c *Clinic, _ *http.Request, who *patient, body []byte) answer {
	var wanted struct {
		Slot   string `json:"slot_id"`
		Visit  string `json:"visit_type"`
		Reason string `json:"reason"`
	}
	if json.Unmarshal(body, &wanted) != nil {
		return problem(http.StatusBadRequest, "NotJSON")
	}
	at := slices.IndexFunc(c.slots, func(s *slot) bool { return s.ID == wanted.Slot && slices.Contains(s.visits, wanted.Visit) })
	switch {
	case at < 0:
		return problem(http.StatusUnprocessableEntity, "NoSuchSlot")
	case c.slots[at].taken:
		return problem(http.StatusConflict, "SlotTaken")
	}
	c.slots[at].taken = true
	name := id(wanted.Slot)
	a := &appointment{
		ID: name, Reference: "LK-" + strings.ToUpper(name[:4]), State: "booked", Visit: wanted.Visit, Slot: *c.slots[at], Reason: wanted.Reason,
		Created: c.now().UTC().Format(time.RFC3339), Etag: name[24:],
	}
	if wanted.Visit == "followup" {
		a.State = "pending"
	}
	who.appointments = append(who.appointments, a)
	return answer{http.StatusCreated, a}
}

// find looks among the appointments of the patient only.
func (p *patient) find(r *http.Request) *appointment {
	at := slices.IndexFunc(p.appointments, func(a *appointment) bool { return a.ID == r.PathValue("appointment") })
	if at < 0 {
		return nil
	}
	return p.appointments[at]
}

func getAppointment(_ *Clinic, r *http.Request, who *patient, _ []byte) answer {
	a := who.find(r)
	if a == nil {
		return problem(http.StatusNotFound, "NoSuchAppointment")
	}
	return answer{http.StatusOK, a}
}

func cancelAppointment(c *Clinic, r *http.Request, who *patient, _ []byte) answer {
	a := who.find(r)
	if a == nil {
		return problem(http.StatusNotFound, "NoSuchAppointment")
	}
	if want := r.Header.Get("If-Match"); want != "" && want != a.Etag {
		return problem(http.StatusPreconditionFailed, "ChangedMeanwhile")
	}
	for _, s := range c.slots {
		s.taken = s.taken && s.ID != a.Slot.ID
	}
	who.appointments = slices.DeleteFunc(who.appointments, func(other *appointment) bool { return other == a })
	return answer{http.StatusNoContent, nil}
}

func sendMessage(c *Clinic, _ *http.Request, who *patient, body []byte) answer {
	var wanted struct {
		About   string `json:"about"`
		Channel string `json:"channel"`
	}
	if json.Unmarshal(body, &wanted) != nil || wanted.About == "" {
		return problem(http.StatusUnprocessableEntity, "NothingToSay")
	}
	if wanted.Channel == "" {
		wanted.Channel = who.Contact.Preferred
	}
	c.messages++
	return answer{http.StatusAccepted, map[string]any{
		"id": id(fmt.Sprintf("message %d", c.messages)), "channel": wanted.Channel, "queued_at": c.now().UTC().Format(time.RFC3339),
	}}
}
