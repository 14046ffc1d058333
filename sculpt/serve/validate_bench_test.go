package serve

import (
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

var benchParams = []tool.Param{
	{ID: "city", Name: "city", Type: tool.TypeString, Required: true, MaxLength: 100},
	{ID: "day", Name: "day", Type: tool.TypeEnum, Values: []string{"TODAY", "TOMORROW"}},
}

func BenchmarkDecodeAndValidate(b *testing.B) {
	body := []byte(`{"input_parameters":[{"name":"city","value":"Bonn"},{"name":"day","value":"TODAY"}]}`)
	b.ReportAllocs()
	for b.Loop() {
		inv, fault := decodeInvocation(body)
		if fault != nil {
			b.Fatal(fault)
		}
		if _, fault = inv.inputs.Bind(benchParams); fault != nil {
			b.Fatal(fault)
		}
	}
}
