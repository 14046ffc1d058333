package backend

import (
	"crypto/sha256"
	"fmt"
	"time"
)

// Members are named as in the document.

type patient struct {
	ID        string  `json:"id"`
	Tenant    string  `json:"tenant_id"`
	MRN       string  `json:"mrn"`
	GivenName string  `json:"given_name"`
	Family    string  `json:"family_name"`
	Contact   contact `json:"contact"`
	Pharmacy  *string `json:"home_pharmacy_id"`
	Created   string  `json:"created_at"`

	token, pin    string
	prescriptions []*prescription
	appointments  []*appointment
}

type contact struct {
	Preferred string `json:"preferred"`
	Email     string `json:"email,omitempty"`
}

type prescription struct {
	ID          string  `json:"id"`
	Drug        drug    `json:"drug"`
	Directions  string  `json:"directions"`
	RefillsLeft int     `json:"refills_left"`
	Expires     string  `json:"expires_on"`
	Prescriber  named   `json:"prescriber"`
	Pharmacy    string  `json:"pharmacy_id"`
	Refill      *refill `json:"refill"`
	Etag        string  `json:"etag"`
}

type drug struct {
	Name     string `json:"name"`
	Strength string `json:"strength"`
	Form     string `json:"form"`
	NDC      string `json:"ndc"`
}

type refill struct {
	ID        string  `json:"id"`
	State     string  `json:"state"`
	Requested string  `json:"requested_at"`
	Ready     *string `json:"ready_at"`
}

type named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type address struct {
	Street string `json:"street"`
	Town   string `json:"town"`
	State  string `json:"state"`
	Zip    string `json:"zip"`
}

type pharmacy struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Address address `json:"address"`
	Phone   string  `json:"phone"`
	Hours   string  `json:"hours_text"`
}

type site struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Address address `json:"address"`
	Zone    string  `json:"time_zone"`
}

type slot struct {
	ID        string `json:"id"`
	Site      string `json:"site_id"`
	Starts    string `json:"starts_at"`
	Ends      string `json:"ends_at"`
	Clinician named  `json:"clinician"`
	Fee       money  `json:"fee"`
	Hold      string `json:"hold_token"`

	visits []string
	taken  bool
}

type money struct {
	Cents    int    `json:"cents"`
	Currency string `json:"currency"`
}

type appointment struct {
	ID        string `json:"id"`
	Reference string `json:"reference"`
	State     string `json:"state"`
	Visit     string `json:"visit_type"`
	Slot      slot   `json:"slot"`
	Reason    string `json:"reason,omitempty"`
	Created   string `json:"created_at"`
	Etag      string `json:"etag"`
}

var elmPharmacy = pharmacy{"ph-elm", "Lakeside Pharmacy", address{"12 Elm Street", "Lakeside", "MN", "55000"}, "555-0142", "open 8:00 to 18:00"}

var sites = []site{
	{"st-elm", "Elm Street Clinic", address{"10 Elm Street", "Lakeside", "MN", "55000"}, "America/Chicago"},
	{"st-harbor", "Harbor Clinic", address{"3 Harbor Road", "Northport", "MN", "55001"}, "America/Chicago"},
}

// people are the two patients.
func people() []*patient {
	ready := "2026-11-20T15:10:00Z"
	home := elmPharmacy.ID
	mara := &patient{
		ID: id("mara"), Tenant: "lakeside", MRN: "LK-20391", GivenName: "Mara", Family: "Jensen",
		Contact: contact{"email", "mara@mail.example"}, Pharmacy: &home, Created: "2019-04-02T09:00:00Z", token: TokenMara, pin: PINMara,
	}
	mara.prescriptions = []*prescription{
		prescribed("lisinopril", drug{Name: "Lisinopril", Strength: "10 mg"}, "One tablet in the morning", 2, &refill{id("r1"), "ready", "2026-11-18T08:00:00Z", &ready}),
		prescribed("atorvastatin", drug{Name: "Atorvastatin", Strength: "20 mg"}, "One tablet in the evening", 0, &refill{id("r2"), "in_review", "2026-11-21T17:30:00Z", nil}),
		prescribed("metformin-500", drug{Name: "Metformin", Strength: "500 mg"}, "One tablet with breakfast", 3, nil),
		prescribed("metformin-1000", drug{Name: "Metformin", Strength: "1000 mg"}, "One tablet with dinner", 3, nil),
		prescribed("albuterol", drug{Name: "Albuterol", Strength: "90 mcg"}, "Two puffs when needed", 0, nil),
	}
	tomas := &patient{
		ID: id("tomas"), Tenant: "lakeside", MRN: "LK-20877", GivenName: "Tomas", Family: "Reed",
		Contact: contact{Preferred: "letter"}, Created: "2021-09-14T09:00:00Z", token: TokenTomas, pin: PINTomas,
	}
	tomas.prescriptions = []*prescription{prescribed("warfarin", drug{Name: "Warfarin", Strength: "5 mg"}, "As on the plan", 1, nil)}
	return []*patient{mara, tomas}
}

func prescribed(name string, d drug, directions string, left int, r *refill) *prescription {
	d.Form, d.NDC = "tablet", "00000-"+id(name)[:4]
	return &prescription{
		ID: id(name), Drug: d, Directions: directions, RefillsLeft: left, Expires: "2027-06-30",
		Prescriber: named{"cl-okafor", "Dr. Okafor"}, Pharmacy: elmPharmacy.ID, Refill: r, Etag: id(name)[:8],
	}
}

// id is a UUID made from a name, so that recordings stay as they are.
func id(name string) string {
	u := sha256.Sum256([]byte("lakeside " + name))
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
}

// rounds are the hours of a working day.
var rounds = []struct {
	site, clinician, name, at string
	cents                     int
	visits                    []string
}{
	{"st-elm", "cl-okafor", "Dr. Okafor", "09:20", 12000, []string{"checkup", "followup", "sick"}},
	{"st-harbor", "cl-reyes", "Dr. Reyes", "09:20", 12000, []string{"checkup", "sick"}},
	{"st-elm", "cl-lindqvist", "Nurse Lindqvist", "10:00", 2500, []string{"vaccination"}},
	{"st-elm", "cl-okafor", "Dr. Okafor", "14:40", 6000, []string{"followup"}},
	{"st-harbor", "cl-lindqvist", "Nurse Lindqvist", "15:00", 2500, []string{"vaccination"}},
}

// central is the time of the clinics, without summer.
var central = time.FixedZone("", -6*60*60)

// calendar has the slots of the next weeks, the earliest first.
func calendar(now time.Time) []*slot {
	var list []*slot
	y, m, d := now.In(central).Date()
	for n := 1; n <= 21; n++ {
		day := time.Date(y, m, d+n, 0, 0, 0, 0, central)
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			continue
		}
		for _, r := range rounds {
			clock, err := time.Parse("15:04", r.at)
			if err != nil {
				panic(err) // the table above
			}
			starts := day.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
			name := id(r.site + r.clinician + starts.Format(time.RFC3339))
			list = append(list, &slot{
				ID: "sl_" + name[:8], Site: r.site, Starts: starts.Format(time.RFC3339), Ends: starts.Add(20 * time.Minute).Format(time.RFC3339),
				Clinician: named{r.clinician, r.name}, Fee: money{r.cents, "USD"}, Hold: "hold_" + name[9:13], visits: r.visits,
			})
		}
	}
	return list
}
