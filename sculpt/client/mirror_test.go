package client

import (
	"encoding/json"
	"net/http"
	"testing"
)

// Marked arguments are repeated in headers, in Base64 where a header cannot hold them.
func TestMirror(t *testing.T) {
	marked := func(name, header string) Input {
		in := Input{Schema: json.RawMessage(`{"type":"string","x-mcp-header":"` + header + `"}`)}
		in.Name = name
		return in
	}
	plain := Input{Schema: json.RawMessage(`{"type":"string"}`)}
	plain.Name = "plain"
	it := &Tool{Inputs: []Input{marked("region", "Region"), marked("count", "count"), marked("all", "All"), marked("none", "None"), plain}}
	for value, want := range map[string]string{
		"us-west1": "us-west1", "": "", "\tx": "=?base64?CXg=?=", "é": "=?base64?w6k=?=", "a\r\nb": "=?base64?YQ0KYg==?=", "=?base64?x?=": "=?base64?PT9iYXNlNjQ/eD89?=",
	} {
		region, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		h := http.Header{}
		mirror(h, it, map[string]json.RawMessage{"region": region, "count": json.RawMessage("42"), "all": json.RawMessage("false"), "none": json.RawMessage("null"), "plain": json.RawMessage(`"x"`)})
		if got, there := h["Mcp-Param-Region"]; !there || got[0] != want || h.Get("Mcp-Param-Count") != "42" || h.Get("Mcp-Param-All") != "false" || len(h) != 3 {
			t.Errorf("%q: %v", value, h)
		}
	}
}
