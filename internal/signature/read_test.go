package signature_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// whole has every member that is locked.
func whole() (*signature.Signature, *signature.Details) {
	low, high := int64(-5), int64(5)
	shape := &types.Type{Kind: types.Object, Fields: []*types.Field{
		{Name: "name", Type: types.EnumOf("MON", "TUE"), Required: true, Doc: "The <day>\u2028."},
		{Name: "at", Type: types.TimestampType, Nullable: true}, {Name: "raw", Type: types.BytesType}, {Name: "n", Type: types.UintType},
		{Name: "list", Type: types.ListOf(types.OptionalOf(types.DoubleType))}, {Name: "map", Type: types.MapOf(types.StringType, types.BoolType)},
		{Name: "any", Type: types.DynOf("")}, {Name: "kind", Type: types.EnumOf("a"), Nullable: true},
		{Name: "either", Type: &types.Type{Kind: types.Union, Variants: []*types.Type{types.StringType, types.IntType, types.NullType}}},
	}, Extra: types.StringType}
	s := &signature.Signature{
		ID: "0479a45d", Name: "find", Toolkit: "Weather", ToolName: "Find", Title: "Find it", Description: "Finds & tells", WhenToUse: "Now.", Version: 3, Tags: []string{"a", "b"},
		Image: "https://shop.example/a.png",
		Inputs: []signature.Input{
			{ID: "s", Name: "s", Type: signature.String, Required: true, MinLength: 2, MaxLength: 9, Pattern: "^[a-z]+$", Description: "S."},
			{ID: "i", Name: "i", Type: signature.Int, Min: -3, Max: 70000, Default: int64(4)},
			{ID: "b", Name: "b", Type: signature.Boolean, Default: false},
			{ID: "e", Name: "e", Type: signature.Enum, Default: "A", Values: []signature.Value{{Name: "A", Text: "a"}, {Name: "B"}}},
			{ID: "t", Name: "t", Type: signature.String, MaxLength: 1000, Default: ""},
		},
		Outputs: []signature.Output{
			{ID: "n", Name: "n", Type: signature.Int, Optional: true}, {ID: "v", Name: "v", Type: signature.Enum, Values: []signature.Value{{Name: "X"}}},
			{ID: "j", Name: "j", Type: signature.JSON, Schema: shape},
		},
		Effects: signature.Effects{Idempotent: true, Billable: true},
		Needs:   signature.Needs{UserID: true, Secrets: []string{"K"}, Tokens: []string{"T"}, Claims: []string{"C"}},
	}
	d := &signature.Details{
		Network: true, Errors: []string{"gone"}, Plan: "sha256:1",
		Outputs:     map[string]signature.OutputDetails{"n": {Min: &low, Max: &high}, "v": {Open: true, Nullable: true}},
		Deprecation: signature.Deprecation{Since: "2026-01-01", Sunset: "2027-01-01", Use: "other"},
	}
	return s, d
}

// TestRoundTrip: what was released is read back whole, and written the same.
func TestRoundTrip(t *testing.T) {
	s, d := whole()
	document, contract := s.Document(7), s.Contract(d)
	if img := []byte(`,"img":"https://shop.example/a.png","version":3,`); !bytes.Contains(document, img) || bytes.Contains(s.Canonical(), img[:6]) {
		t.Errorf("the picture is not served, or locked twice: %s, %s", document, s.Canonical())
	}
	got, err := signature.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	details, err := signature.ReadContract(contract, got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Document(7), document) {
		t.Errorf("got %s\nwant %s", got.Document(7), document)
	}
	if again := got.Contract(details); !bytes.Equal(again, contract) {
		t.Errorf("got %s\nwant %s", again, contract)
	}
	want, wantDetails := whole()
	if diff := cmp.Diff(want.Outputs[2].Schema.JSONSchema(), got.Outputs[2].Schema.JSONSchema()); diff != "" {
		t.Error(diff)
	}
	want.Outputs[2].Schema, got.Outputs[2].Schema = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantDetails, details); diff != "" {
		t.Error(diff)
	}
}

// TestDefaults: what A2T documents leave out has a meaning (A2T 6.1).
func TestDefaults(t *testing.T) {
	s, err := signature.Parse([]byte(`{"toolId":"t","name":"t","version":1,"input_parameters":[{"id":"s","name":"s"},{"id":"i","name":"i","type":"int"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []signature.Input{
		{ID: "s", Name: "s", Type: signature.String, Required: true, MaxLength: signature.DefaultMaxLength},
		{ID: "i", Name: "i", Type: signature.Int, Required: true, Min: signature.DefaultMin, Max: signature.DefaultMax},
	}
	if diff := cmp.Diff(want, s.Inputs); diff != "" {
		t.Error(diff)
	}
}

// TestParseErrors gives reason and place; ^ marks where.
func TestParseErrors(t *testing.T) {
	for doc, want := range map[string]string{
		`^`:                                     "the document is not JSON: unexpected end of JSON input",
		`^[]`:                                   "the document must be an object",
		`{"name":^1,"version":1}`:               `"name" must be a text`,
		`{"version":1,^"version":1}`:            `member "version" is there twice`,
		`{"version":1,"owner":^"x"}`:            `the document has the unknown member "owner"`,
		`^{"name":"x"}`:                         `the document has no "version"`,
		`^{"version":-1}`:                       `"version" must be a positive integer`,
		`{"version":^1.5}`:                      `"version" must be an integer`,
		`{"version":1} ^{}`:                     "the document is not JSON: invalid character '{' after top-level value",
		`{"version":1,"input_parameters":^{}}`:  `"input_parameters" must be a list`,
		`{"version":1,"input_parameters":[^1]}`: "an input must be an object",
		`{"version":1,"tags":["a",^2]}`:         `"tags" must be a text`,
		`{"version":1,"input_parameters":[{"id":"a","name":"a","required":^"yes"}]}`:       `"required" must be true or false`,
		`{"version":1,"input_parameters":[{"id":"a","name":"a","format":^"x"}]}`:           `an input has the unknown member "format"`,
		`^{"version":1,"input_parameters":[{"id":"a","name":"a"},{"id":"b","name":"a"}]}`:  `input "a" has a name or an id that another one has`,
		`^{"version":1,"output_parameters":[{"id":"a","name":"a"},{"id":"a","name":"b"}]}`: `output "b" has a name or an id that another one has`,
		`{"version":1 ^x}`: "the document is not JSON: ",
		`^` + "\xff":       "the document is not UTF-8",
	} {
		at := strings.IndexByte(doc, '^')
		_, err := signature.Parse([]byte(strings.Replace(doc, "^", "", 1)))
		var read *signature.ReadError
		if !errors.As(err, &read) || !strings.HasPrefix(read.Reason, want) || read.Offset != at {
			t.Errorf("%s: got %v (%+v), want %s", doc, err, read, want)
		}
	}
	for _, n := range []int{101, 102, 103, 200, 5000} {
		for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			deep := strings.Repeat(brackets[0], n) + "1" + strings.Repeat(brackets[1], n)
			if _, err := signature.Parse([]byte(deep)); err == nil {
				t.Error("no error for deep nesting")
			}
		}
	}
}

func TestContractErrors(t *testing.T) {
	for doc, want := range map[string]string{
		`{"inputs":{"x":{}}}`:                                          `inputs has the unknown member "x"`,
		`{"inputs":{"s":{"default":1.5}}}`:                             `"default" must be a text, an integer or a boolean`,
		`{"inputs":{"s":{"max":1}}}`:                                   `input s has the unknown member "max"`,
		`{"outputs":{"j":{"present":true,"schema":{"$ref":"#"}}}}`:     `a schema has the unknown member "$ref"`,
		`{"outputs":{"j":{"present":true,"schema":{"type":["a",1]}}}}`: `"type" must be a text`,
		`{"effects":{"safe":true}}`:                                    `effects has the unknown member "safe"`,
		`{"steps":[]}`:                                                 `the contract has the unknown member "steps"`,
	} {
		s, _ := whole()
		if _, err := signature.ReadContract([]byte(doc), s); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", doc, err, want)
		}
	}
}

func TestParseSchema(t *testing.T) {
	s, err := signature.ParseSchema([]byte(`{"type":"array","items":{"type":"integer","minimum":0}}`))
	if err != nil || s.Types[0] != "array" || *s.Items.Minimum != 0 {
		t.Errorf("got %+v, %v", s, err)
	}
	if _, err := signature.ParseSchema([]byte(`{"not":{}}`)); err == nil {
		t.Error("no error for a keyword that outputs do not have")
	}
}

// TestExamples reads what the example exports: all members of the draft come back.
func TestExamples(t *testing.T) {
	bundle, err := os.ReadFile("../../examples/nws/exports/documents.json")
	if err != nil {
		t.Fatal(err)
	}
	documents := tool.Documents(string(bundle))
	files, err := fs.Glob(documents, "a2t/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(documents, name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := signature.Parse(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var current struct{ CurrentVersion int }
		if err := json.Unmarshal(data, &current); err != nil || current.CurrentVersion < s.Version {
			t.Fatalf("%s: version %d of %d, %v", name, s.Version, current.CurrentVersion, err)
		}
		var got, want any
		if err := errors.Join(json.Unmarshal(s.Document(current.CurrentVersion), &got), json.Unmarshal(data, &want)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(golden.Drafted(got), golden.Drafted(want)) {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	s, d := whole()
	f.Add(s.Canonical(), s.Contract(d))
	f.Fuzz(func(t *testing.T, document, contract []byte) {
		s, err := signature.Parse(document)
		if err != nil {
			return
		}
		d, err := signature.ReadContract(contract, s)
		if err != nil {
			return
		}
		// What was read is a fixed point of writing.
		again, err := signature.Parse(s.Canonical())
		if err != nil {
			t.Fatalf("%v in %s", err, s.Canonical())
		}
		if _, err := signature.ReadContract(s.Contract(d), again); err != nil {
			t.Fatalf("%v in %s", err, s.Contract(d))
		}
	})
}
