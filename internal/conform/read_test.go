package conform

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestMisfits: what does not fit a schema is found, and what a schema leaves open
// is not.
func TestMisfits(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{}`, `7`, ""},
		{`{"type":"integer"}`, `7`, ""},
		{`{"type":"number"}`, `7`, ""},
		{`{"type":"integer"}`, `7.5`, `v is number, the schema has "integer"`},
		{`{"type":["string","null"]}`, `null`, ""},
		{`{"type":["string","null"]}`, `true`, `v is boolean, the schema has ["string","null"]`},
		{`{"enum":["a","b"]}`, `"b"`, ""},
		{`{"enum":["a","b"]}`, `"c"`, "v is not in the enum of the schema"},
		{`{"required":["a"]}`, `{}`, "v has no a"},
		{`{"properties":{"a":{"type":"string"}}}`, `{"a":1,"b":2}`, `v.a is integer, the schema has "string"`},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"b":2}`, "v has the member b, which the schema does not allow"},
		{`{"items":{"type":"string"}}`, `["x",[]]`, `v[1] is array, the schema has "string"`},
	} {
		if got := misfits("v", object(parse([]byte(c.schema))), parse([]byte(c.value))); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.value, c.schema, got, c.want)
		}
	}
}

// TestBadInputs: what is sent to be refused is refused by the schema, and nothing
// is sent where everything is allowed.
func TestBadInputs(t *testing.T) {
	inputs := doc{"a": "x"}
	for _, c := range []struct{ schema, want string }{
		{`{"required":["a"],"properties":{"a":{"type":"string"}}}`, `{}`},
		{`{"properties":{"a":{"type":"integer"}}}`, `{"a":"not of kind integer"}`},
		{`{"properties":{"a":{"type":"string"}}}`, `{"a":{"not":"a text"}}`},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":"x","no_such_input":true}`},
		{`{}`, `null`},
	} {
		if got := compact(unfit(object(parse([]byte(c.schema))), inputs)); got != c.want {
			t.Errorf("%s: %s, want %s", c.schema, got, c.want)
		}
	}
	for _, c := range []struct{ signature, want string }{
		{`{"input_parameters":[{"name":"b","required":false,"type":"int"},{"name":"a"}]}`, `{"b":"not of kind int"}`},
		{`{"input_parameters":[{"name":"a","required":false,"type":"enum"}]}`, `{"a":{"not":"a text"}}`},
		{`{"input_parameters":[]}`, `null`},
	} {
		if got := compact(badInputs(object(parse([]byte(c.signature))), inputs)); got != c.want {
			t.Errorf("%s: %s, want %s", c.signature, got, c.want)
		}
	}
	if !reflect.DeepEqual(inputs, doc{"a": "x"}) {
		t.Errorf("the inputs were changed: %v", inputs)
	}
}

// TestParse: a body is one JSON value and nothing else.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{`{"a":1}`: "object", ` [] `: "array", `{} {}`: "null", `{`: "null", ``: "null", `12345678901234567890`: "number"} {
		if got := kindOf(parse([]byte(text))); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}

// TestReport: what fails a run, and what JUnit is told of it.
func TestReport(t *testing.T) {
	r := &Report{Protocol: "a2t", Target: "http://x", Results: []Result{
		{Clause{ID: "a", Level: Must}, Pass, "1 page"}, {Clause{ID: "b", Level: Should}, Fail, "<b>"}, {Clause{ID: "c", Level: Must}, NotChecked, "no"},
		{Clause{ID: "d", Level: May}, Fail, "perhaps"},
	}}
	if r.Failed(false) || !r.Failed(true) || r.Count() != (Counts{Passed: 1, NotChecked: 1, Should: 1}) {
		t.Errorf("%v %v %+v", r.Failed(false), r.Failed(true), r.Count())
	}
	for strict, want := range map[bool]string{false: `<testsuite name="a2t http://x" tests="4" failures="0" skipped="1">`, true: `<failure message="&lt;b&gt;">`} {
		var b strings.Builder
		if err := r.JUnit(&b, strict); err != nil || !strings.Contains(b.String(), want) || !strings.Contains(b.String(), `<skipped message="no">`) {
			t.Errorf("%v: %s", err, &b)
		}
	}
	r.Results = append(r.Results, Result{Clause{ID: "e", Level: Must}, Fail, "wrong"})
	if !r.Failed(false) || r.Count().Must != 1 {
		t.Error("a MUST that fails does not fail the run")
	}
}

// TestServerProtocols: programs are no servers.
func TestServerProtocols(t *testing.T) {
	if got := ServerProtocols(); !slices.Equal(got, []string{"a2t", "nact", "otc", "oxp", "atdf"}) {
		t.Error(got)
	}
}

// TestManyFaults: a report stays short.
func TestManyFaults(t *testing.T) {
	var l look
	for _, text := range []string{"a", "b", "b", "c", "d", "e"} {
		l.fail("%s", text)
	}
	if verdict, saw := l.verdict(); verdict != Fail || saw != "a; b; c; and 2 more" {
		t.Errorf("%s: %s", verdict, saw)
	}
}
