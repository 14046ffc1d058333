package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"pgregory.net/rapid"
)

var testParams = []Param{
	{ID: "p1", Name: "city", Type: TypeString, Required: true, MinLength: 2, MaxLength: 5},
	{ID: "p2", Name: "count", Type: TypeInt, Min: -3, Max: 156},
	{ID: "p3", Name: "day", Type: TypeEnum, Values: []string{"TODAY", "TOMORROW"}},
	{ID: "p4", Name: "loud", Type: TypeBoolean},
	{ID: "p5", Name: "state", Type: TypeString, MaxLength: 10, Pattern: regexp.MustCompile(`^[A-Z]{2}$`)},
	{ID: "p6", Name: "wide", Type: TypeInt, Min: math.MinInt64, Max: math.MaxInt64},
	{ID: "p7", Name: "free", Type: TypeString},
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		args Args
		want string
	}{
		{Args{"city": "Bonn"}, ""},
		{Args{"city": "éééé"}, ""},
		{Args{"city": "Bonn", "count": int64(-3), "day": "TODAY", "loud": false, "state": "NE", "wide": int64(math.MinInt64)}, ""},
		{Args{"city": "Bonn", "count": nil, "day": nil}, ""},
		{Args{"city": "Bonn", "free": strings.Repeat("x", 1<<16)}, ""},
		{Args{}, "p1 missing"},
		{Args{"city": nil}, "p1 missing"},
		{Args{"city": ""}, "p1 length"},
		{Args{"city": "é"}, "p1 length"},
		{Args{"city": "éééééé"}, "p1 length"},
		{Args{"city": int64(5)}, "p1 type"},
		{Args{"city": true}, "p1 type"},
		{Args{"city": "x\xff"}, "p1 type"},
		{Args{"city": []string{"x"}}, "p1 type"},
		{Args{"city": "Bonn", "count": int64(157)}, "p2 range"},
		{Args{"city": "Bonn", "count": int64(-4)}, "p2 range"},
		{Args{"city": "Bonn", "count": "5"}, "p2 type"},
		{Args{"city": "Bonn", "count": 5.0}, "p2 type"},
		{Args{"city": "Bonn", "count": 5}, "p2 type"},
		{Args{"city": "Bonn", "day": "today"}, "p3 not_allowed"},
		{Args{"city": "Bonn", "day": ""}, "p3 not_allowed"},
		{Args{"city": "Bonn", "day": true}, "p3 type"},
		{Args{"city": "Bonn", "loud": "true"}, "p4 type"},
		{Args{"city": "Bonn", "loud": int64(1)}, "p4 type"},
		{Args{"city": "Bonn", "state": "ne"}, "p5 not_allowed"},
		{Args{"City": "Bonn", "xyz": 1}, " unknown,  unknown, p1 missing"},
		{Args{"city": "x", "count": int64(999), "zzz": nil}, "p1 length, p2 range,  unknown"},
	} {
		err := Validate(testParams, c.args)
		var e *Error
		if c.want == "" {
			if err != nil {
				t.Errorf("%v: %v", c.args, err)
			}
			continue
		}
		if !errors.As(err, &e) || e.Kind != KindInvalidInput {
			t.Errorf("%v: error %v", c.args, err)
			continue
		}
		var got []string
		for _, issue := range e.Issues {
			got = append(got, issue.ID+" "+issue.Code)
			if issue.Detail == "" || issue.Param == "" {
				t.Errorf("%v: issue %+v", c.args, issue)
			}
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%v: %s, want %s", c.args, text, c.want)
		}
	}
	if err := Validate(make([]Param, 1), Args{"": "x"}); KindOf(err) != KindInvalidInput {
		t.Errorf("a parameter without type takes a value: %v", err)
	}
}

func TestNullTwiceIsTwice(t *testing.T) {
	var inputs Inputs
	inputs.Null()
	inputs.Name("city")
	inputs.Text("Bonn")
	inputs.Name("city")
	if _, err := inputs.Bind(testParams); err == nil || err.Code != "duplicate_parameter" {
		t.Errorf("error %v", err)
	}
}

func TestManyParams(t *testing.T) {
	params := make([]Param, 100)
	args := Args{}
	for i := range params {
		params[i] = Param{ID: fmt.Sprint(i), Name: fmt.Sprint("p", i), Type: TypeBoolean, Required: true}
		args[params[i].Name] = true
	}
	if err := Validate(params, args); err != nil {
		t.Error(err)
	}
	var e *Error
	if err := Validate(params, nil); !errors.As(err, &e) || len(e.Issues) != maxIssues {
		t.Errorf("issues are not bounded: %v", err)
	}
}

// testSchema is what the parameters say in JSON Schema, written by hand.
const testSchema = `{"type":"object","additionalProperties":false,"required":["city"],"properties":{
	"city":{"type":"string","minLength":2,"maxLength":5},
	"count":{"type":"integer","minimum":-3,"maximum":156},
	"day":{"type":"string","enum":["TODAY","TOMORROW"]},
	"loud":{"type":"boolean"},
	"state":{"type":"string","maxLength":10,"pattern":"^[A-Z]{2}$"},
	"wide":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},
	"free":{"type":"string"}}}`

// TestValidatorAgainstJSONSchema lets a foreign validator judge ours: on any
// input both must accept or both refuse. Integers that are spelled with a
// fraction are left out, where ours is stricter on purpose, and null, which
// JSON Schema does not know as absent.
func TestValidatorAgainstJSONSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("schemas load nothing") }
	if err := c.AddResource("urn:test", strings.NewReader(testSchema)); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("urn:test")
	literals := []string{`"Bonn"`, `""`, `"é"`, `"ééééé"`, `"éééééé"`, `"\u00e9\ud83d\ude00"`, `"NE"`, `"ne"`, `"TODAY"`, `"today"`, `0`, `-3`, `-4`, `156`, `157`,
		`-0`, `9007199254740993`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`, `-9223372036854775809`, `1.5`, `true`, `false`, `[]`, `{}`, `[1]`}
	names := []string{"city", "count", "day", "loud", "state", "wide", "free", "City", "other"}
	rapid.Check(t, func(t *rapid.T) {
		chosen := rapid.MapOf(rapid.SampledFrom(names), rapid.SampledFrom(literals)).Draw(t, "input")
		if rapid.Bool().Draw(t, "with city") {
			chosen["city"] = `"Bonn"`
		}
		members := make([]string, 0, len(chosen))
		var inputs Inputs
		for name, literal := range chosen {
			members = append(members, fmt.Sprintf("%q:%s", name, literal))
			addLiteral(t, &inputs, literal)
			inputs.Name(name)
		}
		_, refused := inputs.Bind(testParams)
		decoder := json.NewDecoder(strings.NewReader(`{` + strings.Join(members, ",") + `}`))
		decoder.UseNumber() // the literals above are short
		var doc any
		if err := decoder.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		if theirs := schema.Validate(doc); (theirs == nil) != (refused == nil) {
			t.Fatalf("%q: ours %v, theirs %v", members, refused, theirs)
		}
	})
}

// addLiteral adds a value as a decoder of a protocol does.
func addLiteral(t *rapid.T, to *Inputs, literal string) {
	switch literal[0] {
	case '"':
		var text string
		if err := json.Unmarshal([]byte(literal), &text); err != nil {
			t.Fatal(err)
		}
		to.Text(text)
	case 't', 'f':
		to.Bool(literal == "true")
	case '[':
		to.List()
	case '{':
		to.Object()
	default:
		to.Number([]byte(literal))
	}
}

func TestNearest(t *testing.T) {
	candidates := []string{"TODAY", "TOMORROW", "NEXT_WEEK"}
	for word, want := range map[string]string{
		"today": "TODAY", "TODAI": "TODAY", "tomorow": "TOMORROW", "next week": "NEXT_WEEK", "Next-Week": "NEXT_WEEK",
		"YESTERDAY": "", "": "", "X": "", strings.Repeat("TODAY", 100): "", "İİİİİİİİİİİİİİİİİİİİİİİİİİİİİİİİ": "",
	} {
		if got := Nearest(word, candidates); got != want {
			t.Errorf("Nearest(%q) is %q, want %q", word, got, want)
		}
	}
}
