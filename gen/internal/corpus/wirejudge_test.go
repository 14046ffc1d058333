package corpus_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// judge has openapi3filter read what a row sends: the document that it gets
// allows the value of the row and no other.
func (r *wireRow) judge(t *testing.T) error {
	t.Helper()
	sent, why := r.request(t)
	if sent == nil {
		t.Fatalf("wire.txt:%d: %s", r.line, why)
	}
	only := *r
	only.only = true
	doc, err := openapi3.NewLoader().LoadFromData(only.document(t))
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(sent.Method, sent.URL, strings.NewReader(sent.Body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = sent.Header
	item := doc.Paths.Value(r.template())
	in := &openapi3filter.RequestValidationInput{
		Request: req, Route: &routers.Route{Spec: doc, Path: r.template(), PathItem: item, Method: "POST", Operation: item.Post},
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if r.place == "path" {
		in.PathParams = map[string]string{"color": strings.TrimSuffix(strings.TrimPrefix(req.URL.Path, "/"), "/x")}
	}
	return openapi3filter.ValidateRequest(t.Context(), in)
}

// TestWireTableJudged has the rows of the table read back by openapi3filter, but
// for those that are marked: these it must not accept, or the mark goes.
func TestWireTableJudged(t *testing.T) {
	judged := 0
	for _, r := range wireRows(t) {
		if r.version == "2.0" || r.open || strings.HasPrefix(r.want, "refused") {
			continue
		}
		t.Run(fmt.Sprintf("%d/%s", r.line, r.version), func(t *testing.T) {
			switch err := r.judge(t); {
			case err == nil && r.unread:
				t.Errorf("%s %s %s %s is read: take the mark away", r.place, r.style, r.explode, r.value)
			case err == nil:
				judged++
			case !r.unread:
				t.Errorf("%s %s %s %s: %v", r.place, r.style, r.explode, r.value, err)
			}
		})
	}
	if t.Logf("%d rows", judged); judged < 180 {
		t.Errorf("only %d rows are judged", judged)
	}
}

// randomRow is a row with a random value of some shape. Names and texts have no
// character that openapi3filter takes for one between them (see wire.txt).
func randomRow(r *rand.Rand) wireRow {
	styles := []wireRow{
		{place: "path", style: "simple"}, {place: "path", style: "label"}, {place: "path", style: "matrix"},
		{place: "query", style: "form"}, {place: "query", style: "deepObject"}, {place: "query", style: "content/application/json"},
		{place: "header", style: "simple"}, {place: "cookie", style: "form"}, {place: "body", style: "multipart/form-data"},
		{place: "body", style: "application/json"}, {place: "body", style: "application/x-www-form-urlencoded"},
	}
	row := styles[r.IntN(len(styles))]
	row.version, row.explode = []string{"3.0", "3.1"}[r.IntN(2)], fmt.Sprint(r.IntN(2) == 0 && row.place != "cookie")
	deep := row.style == "content/application/json" || row.style == "application/json"
	value := randomValue(r, &row, 3, deep)
	if strings.Contains(row.style, "deepObject") {
		value = randomObject(r, &row, 3, true)
	}
	if row.place == "body" {
		row.explode = "-"
		object := tree{"n": r.IntN(9), "color": value}
		if row.style == "application/x-www-form-urlencoded" {
			row.explode = "{color: {style: form, explode: false}}"
			if r.IntN(2) == 0 {
				object["color"], row.explode = randomObject(r, &row, 3, true), "{color: {style: deepObject, explode: true}}"
			}
		}
		value = object
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	row.value = string(text)
	return row
}

func randomText(r *rand.Rand, row *wireRow) string {
	letters := []rune("abXYZ019-_~&+/:;=?@#%[]{}<>|\\^'\"")
	switch {
	case row.place == "path" && row.style != "simple":
		letters = []rune("abXYZ019-_~&+:?@#%[]{}<>|^'\"é ")
	case row.place == "path":
		letters = append(letters, 'é')
	case row.place == "cookie":
		letters = []rune("abXYZ019-_~")
	case row.place != "header":
		letters = append(letters, 'é', ' ', '\n', '😀')
	}
	out := []rune("t")
	for range r.IntN(9) {
		c := letters[r.IntN(len(letters))]
		if c == '=' && (row.place == "path" || row.place == "header") {
			c = '-' // is what separates name and value
		}
		out = append(out, c)
	}
	return string(append(out, 't'))
}

func randomScalar(r *rand.Rand, row *wireRow) any {
	switch r.IntN(5) {
	case 0:
		return r.IntN(2000) - 1000
	case 1:
		if strings.Contains(row.style, "label") {
			return 7 // not a dot, which separates
		}
		return float64(r.IntN(1000)) + 0.5
	case 2:
		return r.IntN(2) == 0
	}
	return randomText(r, row)
}

func randomObject(r *rand.Rand, row *wireRow, levels int, deep bool) any {
	out := tree{}
	for i := range 1 + r.IntN(3) {
		name := fmt.Sprintf("k%d", i)
		if out[name] = randomScalar(r, row); deep && levels > 0 && r.IntN(3) == 0 {
			out[name] = randomObject(r, row, levels-1, true)
		}
	}
	return out
}

func randomValue(r *rand.Rand, row *wireRow, levels int, deep bool) any {
	switch r.IntN(3) {
	case 0:
		return randomObject(r, row, levels, deep)
	case 1:
		var out []any
		for range 1 + r.IntN(4) {
			out = append(out, randomText(r, row))
		}
		return out
	}
	return randomScalar(r, row)
}

// TestWireRandomJudged has openapi3filter read random values back.
func TestWireRandomJudged(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for i := range 250 {
		row := randomRow(r)
		row.line = i
		if err := row.judge(t); err != nil {
			sent, _ := row.request(t)
			t.Errorf("%s %s %s %s sends %s %s: %v", row.place, row.style, row.explode, row.value, sent.URL, sent.text(), err)
		}
	}
}
