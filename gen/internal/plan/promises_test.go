package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// What the code of a tool promises of its releases: every part with the version
// since which it holds, before a release, after it, and where a break was let
// through, so that the file of the release goes on compiling.
func TestPromises(t *testing.T) {
	version := func(n int, change func(*signature.Signature)) *signature.Signature {
		s := &signature.Signature{
			Name: "find", Version: n,
			Inputs: []signature.Input{
				{Name: "word", Type: signature.String, Required: true, MinLength: 1, MaxLength: 40},
				{Name: "limit", Type: signature.Int, Min: 1, Max: 9},
				{Name: "open", Type: signature.Boolean},
				{Name: "kind", Type: signature.Enum, Values: []signature.Value{{Name: "NEW"}, {Name: "USED"}}},
			},
			Outputs: []signature.Output{{Name: "name", Type: signature.String}, {Name: "price", Type: signature.Int, Optional: true}},
			Effects: signature.Effects{ReadOnly: true, Idempotent: true, Reversible: true},
		}
		change(s)
		return s
	}
	same := func(*signature.Signature) {}
	wider := func(s *signature.Signature) {
		s.Inputs[0].MaxLength, s.Inputs[1].Max, s.Inputs[1].Min = 80, 20, 0
		s.Inputs[3].Values = append(s.Inputs[3].Values, signature.Value{Name: "LENT"})
		s.Outputs[1].Optional = false
	}
	tighter := func(s *signature.Signature) {
		s.Name, s.Inputs[0].MaxLength, s.Inputs[0].MinLength, s.Inputs[1].Required = "look", 20, 2, true
		s.Inputs[3].Values, s.Outputs = s.Inputs[3].Values[:1], s.Outputs[:1]
		s.Effects = signature.Effects{Destructive: true, Billable: true}
		s.Inputs = append(s.Inputs, signature.Input{Name: "place", Type: signature.String, Required: true, MaxLength: 5})
	}
	loosened := []string{"name", "inputs.word", "inputs.limit", "inputs.kind", "inputs.place", "outputs.price", "effects.read_only", "effects.billable"}
	var b strings.Builder
	for _, c := range []struct {
		name string
		tool *ir.Tool
	}{
		{"as released", &ir.Tool{Released: []*signature.Signature{version(1, same)}, Signature: version(1, same)}},
		{"pending, wider", &ir.Tool{Released: []*signature.Signature{version(1, same)}, Signature: version(2, wider)}},
		{"wider since 2, again in 3", &ir.Tool{Released: []*signature.Signature{version(1, same), version(2, wider), version(3, same)}, Signature: version(4, wider)}},
		{"edited after the release", &ir.Tool{Released: []*signature.Signature{version(1, same), version(2, wider)}, Signature: version(2, tighter)}},
		{"tighter, and let through", &ir.Tool{Released: []*signature.Signature{version(1, same), version(2, wider)}, Signature: version(3, tighter), Loosened: loosened}},
		{"tighter, one part let through", &ir.Tool{Released: []*signature.Signature{version(1, same)}, Signature: version(2, tighter), Loosened: loosened[1:2]}},
		{"wider, and let through", &ir.Tool{Released: []*signature.Signature{version(1, same)}, Signature: version(2, wider), Loosened: loosened}},
	} {
		fmt.Fprintf(&b, "== %s\n", c.name)
		dumpPromises(&b, current(c.tool))
		frozen := Freeze(&ir.Program{Tools: []*ir.Tool{c.tool}}, map[string]string{c.tool.Signature.Name: "v1 digest"})
		for _, f := range frozen {
			fmt.Fprintf(&b, "frozen in %s: %s v%d %s, %s\n", f.File, f.Tool, f.Version, f.Head, f.BoundType)
			dumpPromises(&b, &f.Promises)
		}
	}
	golden.Text(t, "testdata/promises.txt", b.String())
	fresh := &ir.Tool{Signature: version(1, same)}
	if current(fresh) != nil {
		t.Error("a tool without releases promises something")
	}
	old := &ir.Tool{Released: []*signature.Signature{version(1, same)}, Signature: version(1, same)}
	other := &ir.Tool{Released: []*signature.Signature{version(1, same)}, Signature: version(1, func(s *signature.Signature) { s.Name = "other" })}
	frozen := Freeze(&ir.Program{Tools: []*ir.Tool{fresh, old, other}}, map[string]string{"other": "v1 digest"})
	if len(frozen) != 1 || frozen[0].Head != "v1 digest" {
		t.Errorf("%d files are frozen", len(frozen))
	}
}

func dumpPromises(b *strings.Builder, p *Promises) {
	fmt.Fprintf(b, "%s(%s) %v\n", p.Needs, p.SendType, p.Required)
	for _, c := range p.List {
		fmt.Fprintf(b, "\t%d %d %s v%d: %s (%s)\n", c.Kind, c.Bound, c.Const, c.Since, c.Text, c.Part)
	}
}
