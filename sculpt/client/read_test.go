package client

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// shared reads a document of the protocols, and skips the test without them.
func shared(t *testing.T, name string) []byte {
	t.Helper()
	root := os.Getenv("SCULPT_SHARED")
	if root == "" {
		t.Skip("SCULPT_SHARED is not set: the documents of the protocols are there")
	}
	data, err := os.ReadFile(filepath.Join(root, "protocols", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// face writes what a call needs to know of a tool.
func face(t *Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d/%d", t.Name, t.Version, t.Current)
	for _, in := range t.Inputs {
		fmt.Fprintf(&b, " %s:%d", in.Name, in.Type)
		if in.Required {
			b.WriteByte('!')
		}
		switch in.Type {
		case tool.TypeInt:
			fmt.Fprintf(&b, "[%d,%d]", in.Min, in.Max)
		case tool.TypeString:
			fmt.Fprintf(&b, "[%d,%d]", in.MinLength, in.MaxLength)
		case tool.TypeEnum:
			fmt.Fprint(&b, in.Values)
		}
		if in.Default != nil {
			fmt.Fprintf(&b, "=%v", in.Default)
		}
	}
	return b.String()
}

// TestSignatures reads signatures leniently, with the defaults of the draft (A2T
// 5.1, 6.1): what is wrong in one way that callers can live with is read.
func TestSignatures(t *testing.T) {
	const whole = "lookup_weather_by_city 2/2 city:1![0,80] day:4[TODAY TOMORROW] hours_ahead:2[0,156]"
	for name, want := range map[string]string{
		"golden/a2t/signature-v2.json":              whole,
		"a2t/invalid/version-string.json":           whole,
		"a2t/invalid/allowed-values-object.json":    "",
		"a2t/invalid/enum-without-values.json":      "",
		"a2t/invalid/version-zero.json":             "",
		"a2t/invalid/number-input.json":             strings.Replace(whole, "city:1![0,80]", "city:5!", 1),
		"a2t/invalid/json-input.json":               strings.Replace(whole, "city:1![0,80]", "city:5!", 1),
		"a2t/invalid/int-without-bounds.json":       strings.Replace(whole, "[0,156]", fmt.Sprintf("[%d,156]", math.MinInt32), 1),
		"a2t/invalid/tool-id-not-uuid.json":         whole,
		"a2t/invalid/name-not-snake.json":           strings.Replace(whole, "lookup_weather_by_city", "Lookup Weather", 1),
		"a2t/invalid/enum-value-lower-case.json":    strings.Replace(whole, "TODAY", "today", 1),
		"a2t/invalid/description-2000-chars.json":   whole,
		"a2t/examples/draft-figure-2-repaired.json": "*",
	} {
		got := ""
		if read, err := readSignature(shared(t, name)); err == nil {
			got = face(read)
		}
		if got != want && (want != "*" || got == "") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for input, want := range map[string]string{
		`{"name":"n"}`:              "n:1![0,0]",
		`{"name":"n","type":"int"}`: "n:2![-2147483648,65535]",
		`{"name":"n","type":"Boolean","default":true,"required":false}`:                            "n:3=true",
		`{"name":"n","type":"int","min":"3","max":9,"default":"4"}`:                                "n:2![3,9]",
		`{"name":"n","type":"string","required":false,"minLength":2,"maxLength":4,"default":"ab"}`: "n:1[2,4]=ab",
		`{"name":"n","type":"enum","allowed_values":["A","B"]}`:                                    "n:4![A B]",
		`{"name":"n","type":"enum","allowed-values":{"A":"One.","B":"Two."}}`:                      "n:4![A B]",
		`{"name":"n","type":"enum","allowed-values":{"values":[{"name":"A"}]}}`:                    "n:4![A]",
		`{"name":"n","type":"date"}`:                                                               "n:5!",
		`{"type":"int"}`:                                                                           "",
	} {
		got := ""
		if read, err := readSignature([]byte(`{"toolID":"i","name":"t","version":"1","input_parameters":[` + input + `]}`)); err == nil {
			got = strings.TrimPrefix(face(read), "t 1/0 ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", input, got, want)
		}
	}
}

// TestDefinitions reads the lists of both shapes of OTC and of MCP as the same
// tool.
func TestDefinitions(t *testing.T) {
	const inputs = " city:1![0,80] day:4[TODAY TOMORROW] hours_ahead:2[0,156]"
	for name, want := range map[string]string{
		"golden/otc/list-otc-1.0.json": "lookup_weather_by_city 2/2" + inputs,
		"golden/otc/list-oxp-1.0.json": "lookup_weather_by_city 2/2" + inputs,
		"golden/otc/list-dual.json":    "lookup_weather_by_city 2/2" + inputs,
	} {
		var list struct{ Tools, Items []json.RawMessage }
		if err := json.Unmarshal(shared(t, name), &list); err != nil {
			t.Fatal(err)
		}
		read, err := readDefinition(append(list.Tools, list.Items...)[0])
		if err != nil || face(read) != want {
			t.Errorf("%s: %v, want %s: %v", name, read, want, err)
		}
	}
	read, err := readMCP(shared(t, "golden/mcp/tool.json"))
	if err != nil || face(read) != "lookup_weather_by_city 0/0"+inputs {
		t.Errorf("%v %v", read, err)
	}
	for schema, want := range map[string]string{
		`{"type":"string"}`:                                   "x:1[0,0]",
		`{"type":"string","format":"date"}`:                   "x:5",
		`{"type":"string","pattern":"(?=a)"}`:                 "x:5",
		`{"type":["string","null"]}`:                          "x:5",
		`{"type":"integer","minimum":1,"exclusiveMaximum":9}`: "x:5",
		`{"type":"integer","minimum":1.5}`:                    "x:5",
		`{"type":"integer","minimum":1,"maximum":9}`:          "x:2[1,9]",
		`{"type":"number"}`:                                   "x:5",
		`{"type":"string","enum":["a","b"],"default":"b"}`:    "x:4[a b]=b",
		`{"type":"string","enum":["a",1]}`:                    "x:5",
		`{"enum":["a"]}`:                                      "x:5",
		`{"type":"object","properties":{"a":{}}}`:             "x:5",
		`{"type":"boolean","title":"T","x-y":1}`:              "x:3",
		`true`:                                                "x:5",
	} {
		in, err := readInputs([]byte(`{"type":"object","properties":{"x":` + schema + `}}`))
		got := ""
		if err == nil {
			got = strings.TrimPrefix(face(&Tool{Inputs: in}), " 0/0 ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q (%v)", schema, got, want, err)
		}
	}
}

// TestReadArguments: what a model writes is read whole or not at all.
func TestReadArguments(t *testing.T) {
	args, err := ReadArguments([]byte(` {"a":1,"b":"x","c":null,"d":[1,{}],"e":1e3000000} `))
	if err != nil || args["a"] != json.Number("1") || args["b"] != "x" || len(args) != 5 {
		t.Errorf("%v %v", args, err)
	}
	for _, text := range []string{"", "null", "[]", `{"a":1`, `{"a":1}x`, `{"a":1}{}`, `{"a":1,"a":2}`, `{"a" 1}`, `{1:2}`} {
		if args, err := ReadArguments([]byte(text)); err == nil || tool.KindOf(err) != tool.KindBadRequest {
			t.Errorf("%q is read: %v %v", text, args, err)
		}
	}
}
