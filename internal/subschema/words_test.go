package subschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/golden/front"
	"github.com/sculpt-tools/sculpt/internal/subschema"
)

// forms are schemas of every keyword that is compared, and of some that are not.
var forms = []string{
	`true`, `false`, `{}`, `{"type":"string"}`, `{"type":["string","null"]}`, `{"type":"string","minLength":1,"maxLength":9}`, `{"type":"string","maxLength":5}`, `{"type":"string","minLength":5,"maxLength":5}`, `{"type":"string","pattern":"^a"}`, `{"type":"string","format":"date"}`, `{"enum":["a","b"]}`, `{"enum":["a","b","c",1,null]}`, `{"const":"a"}`,
	`{"type":"integer"}`, `{"type":"number"}`, `{"type":"integer","minimum":1,"maximum":9}`, `{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":9}`, `{"type":"number","minimum":0.5,"multipleOf":0.5}`, `{"type":"number","minimum":1,"exclusiveMaximum":9}`, `{"type":"integer","multipleOf":2}`, `{"type":"boolean"}`, `{"type":"null"}`,
	`{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3}`, `{"type":"array","uniqueItems":true}`, `{"type":"array","maxItems":1}`, `{"type":"array","maxItems":1,"uniqueItems":false}`, `{"type":"array","items":[{"type":"string"}]}`, `{"type":"array","prefixItems":[{"type":"string"}]}`, `{"type":"array","items":[{"type":"string"}],"additionalItems":false}`, `{"type":"array","contains":{"type":"string"}}`,
	`{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`, `{"type":"object","additionalProperties":{"type":"integer"}}`,
	`{"type":"object","minProperties":1,"maxProperties":2}`, `{"type":"object","patternProperties":{"^a":{"type":"string"}}}`, `{"type":"object","propertyNames":{"maxLength":3}}`, `{"type":"object","properties":{"a":{"properties":{"b":{"enum":[1,2]}},"required":["b"]}}}`, `{"type":"object","properties":{"a":{"properties":{"b":{"enum":[1]}}}}}`, `{"type":"object","dependentRequired":{"a":["b"]}}`,
	`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, `{"allOf":[{"type":"string"},{"maxLength":5}]}`, `{"not":{"type":"string"}}`, `{"if":{"type":"string"},"then":{"maxLength":3}}`, `{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, `{"type":"array","items":{"$ref":"#"}}`,
	`{"enum":["a","b","long"],"maxLength":3}`, `{"enum":[1,2,3],"type":"string"}`, `{"enum":["a"],"pattern":"("}`, `{"enum":["a","b"],"not":{"const":"b"}}`, `{"enum":[{"a":1},[1]]}`, `{"type":"integer","minimum":1,"maximum":51}`, `{"type":"integer","minimum":1,"maximum":50}`, `{"type":"integer","minimum":1,"maximum":3}`, `{"enum":[1,2,3]}`, `{"enum":[true,false]}`, `{"enum":[true,false,null]}`, `{"type":["boolean","null"]}`,
	`{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":4}`, `{"type":"number","minimum":1,"maximum":3}`, `{"type":["string","integer"],"pattern":".*"}`, `{"type":["integer","number"]}`, `{"anyOf":[{"type":"string"}]}`, `{"allOf":[{"type":"string"}]}`, `{"anyOf":[true,false]}`, `{"anyOf":[{"const":"a"},{"const":"b"}]}`, `{"oneOf":[{"const":"a","title":"A"},{"const":"b"}]}`,
	`{"type":"integer","minimum":0,"maximum":256}`, `{"type":"integer","minimum":0,"maximum":257}`, `{"type":"integer","minimum":0,"maximum":256,"not":{"const":3}}`, `{"type":"string","maxLength":0}`, `{"enum":[""]}`, `{"enum":["","a"]}`, `{"type":"integer","multipleOf":0}`, `{"type":"integer","multipleOf":-2}`, `{"type":"integer","multipleOf":4}`,
	`{"$id":"https://a.example/s","type":"string"}`, `{"type":"object","properties":{"a":{"$id":"x","type":"string"}}}`, `{"$anchor":"a","type":"string"}`, `{"$dynamicRef":"#a"}`, `{"type":"object","required":["b"],"additionalProperties":false}`, `{"type":"array","items":{"enum":["a","b"]},"minItems":2}`, `{"type":"array","minItems":2,"maxItems":2}`,
	`{"enum":["` + strings.Repeat("x", 70) + `"]}`, `{"type":"string","minLength":"x"}`, `{"type":"integer","minimum":"x"}`, `{"type":"number","minimum":1e400}`, `{"type":"string","contentEncoding":"base64"}`, `{"type":"string","title":"T","description":"D","default":"a","examples":["b"],"deprecated":true,"readOnly":true}`,
}

// TestWords holds what is said of every pair of forms, for arguments and for answers.
func TestWords(t *testing.T) {
	golden.NotRaced(t)
	var sections []front.Section
	for _, old := range forms {
		var b strings.Builder
		for _, new := range forms {
			fmt.Fprintf(&b, "-> %s\n%+v\n%+v\n", new, subschema.Inputs(json.RawMessage(old), json.RawMessage(new)), subschema.Outputs(json.RawMessage(old), json.RawMessage(new)))
		}
		sections = append(sections, front.Section{Name: strings.ReplaceAll(old, " ", ""), Text: b.String()})
	}
	var b strings.Builder
	for _, c := range corpus {
		fmt.Fprintf(&b, "%s\n%+v\n%+v\n", c.name, subschema.Inputs(json.RawMessage(c.old), json.RawMessage(c.new)), subschema.Outputs(json.RawMessage(c.old), json.RawMessage(c.new)))
	}
	golden.Text(t, "testdata/words.txt", b.String())
	front.Hold(t, "testdata/words.sums.txt", sections)
}
