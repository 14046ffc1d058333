package compat_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// foreign is a signature as the shared corpus writes it.
type foreign struct {
	ID, Name, Description string
	Tags                  []string
	Inputs, Outputs       []foreignParam
	Effects               map[string]bool
}

type foreignParam struct {
	ID, Name, Type, Description, Pattern string
	Required                             *bool
	Min, Max                             *int64
	MinLength                            int  `json:"min_length"`
	MaxLength                            *int `json:"max_length"`
	Default                              any
	Values                               []struct{ Name, Description string }
	AlwaysPresent                        bool `json:"always_present"`
	Nullable                             bool
}

// side fills in the defaults of rule set a2t/1 where the corpus says nothing.
func (f *foreign) side() *compat.Side {
	s := &signature.Signature{ID: f.ID, Name: f.Name, Description: f.Description, Tags: f.Tags, Version: 1}
	side := &compat.Side{Signature: s, Details: signature.Details{Outputs: map[string]signature.OutputDetails{}}}
	for i := range f.Inputs {
		s.Inputs = append(s.Inputs, f.Inputs[i].input())
	}
	for _, p := range f.Outputs {
		out := signature.Output{ID: p.ID, Name: p.Name, Type: signature.Type(p.Type), Description: p.Description, Optional: !p.AlwaysPresent}
		for _, v := range p.Values {
			out.Values = append(out.Values, signature.Value{Name: v.Name})
		}
		s.Outputs = append(s.Outputs, out)
		side.Details.Outputs[p.Name] = signature.OutputDetails{Nullable: p.Nullable, Min: p.Min, Max: p.Max}
	}
	s.Effects = signature.Effects{ReadOnly: f.Effects["read_only"], Destructive: f.Effects["destructive"], Idempotent: f.Effects["idempotent"]}
	return side
}

func (p *foreignParam) input() signature.Input {
	in := signature.Input{
		ID: p.ID, Name: p.Name, Type: signature.Type(p.Type), Description: p.Description, Pattern: p.Pattern, Default: p.Default,
		Required: p.Required == nil || *p.Required, MinLength: p.MinLength, MaxLength: signature.DefaultMaxLength,
		Min: signature.DefaultMin, Max: signature.DefaultMax,
	}
	for _, v := range p.Values {
		in.Values = append(in.Values, signature.Value{Name: v.Name, Text: v.Description})
	}
	if n, ok := p.Default.(float64); ok {
		in.Default = int64(n)
	}
	if p.MaxLength != nil {
		in.MaxLength = *p.MaxLength
	}
	if p.Min != nil {
		in.Min = *p.Min
	}
	if p.Max != nil {
		in.Max = *p.Max
	}
	return in
}

// corpus decodes a file of the shared corpus.
func corpus(t testing.TB, v any, parts ...string) {
	t.Helper()
	data, err := os.ReadFile(golden.Shared(t, append([]string{"compat-corpus"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// rules returns the rules of the changes, sorted; once lists each one once.
func rules(changes []compat.Change, once bool) []string {
	out := []string{}
	for _, c := range changes {
		out = append(out, c.Rule)
	}
	slices.Sort(out)
	if once {
		out = slices.Compact(out)
	}
	return out
}

func highest(changes []compat.Change) compat.Level {
	top := compat.None
	for _, c := range changes {
		top = max(top, c.Level)
	}
	return top
}

type mutation struct {
	Case     string
	Revision foreign
	Expect   struct {
		Rules  []string
		Letter string
		Safe   string `json:"client_safe"`
		A2T    string
	}
	Peers map[string][]json.RawMessage
}

// A correction replaces a verdict of the corpus: from the level that it expects
// to ours.
type correction struct {
	policy   compat.Policy
	from, to compat.Level
}

// corrected are the cases that are judged otherwise than the corpus expects.
//
// The first three have none under letter there, since A2T 5.4 says nothing of
// optional or null outputs and of effects. Each is an error under client-safe: a
// caller that holds the old version would be misled, and no policy may be laxer
// there. Otherwise the policy that sounds strictest would be the one that lets
// such a break pass.
//
// The others are bounds that let more in. The corpus tells max, which the draft
// has a word for, from min, lengths and patterns, which it has not; callers see
// no difference, so all have one level under each policy.
var corrected = map[string]correction{
	"output-became-optional": {compat.Letter, compat.None, compat.Error},
	"output-became-nullable": {compat.Letter, compat.None, compat.Error},
	"tool-effects-worsened":  {compat.Letter, compat.None, compat.Error},

	"input-max-loosened":        {compat.A2T, compat.Error, compat.Note},
	"input-max-removed":         {compat.A2T, compat.Error, compat.Note},
	"input-min-loosened":        {compat.Letter, compat.None, compat.Error},
	"input-min-removed":         {compat.Letter, compat.None, compat.Error},
	"input-max-length-loosened": {compat.Letter, compat.None, compat.Error},
	"input-max-length-removed":  {compat.Letter, compat.None, compat.Error},
	"input-min-length-loosened": {compat.Letter, compat.None, compat.Error},
	"input-pattern-removed":     {compat.Letter, compat.None, compat.Error},
	"input-pattern-any":         {compat.Letter, compat.None, compat.Error},
}

// TestMutations runs 72 single changes of one signature: exactly the rules
// and, in each policy, exactly the level. It prints how six other programs did
// on the same changes.
func TestMutations(t *testing.T) {
	var file struct {
		Base  foreign
		Cases []mutation
	}
	corpus(t, &file, "mutations", "cases.json")
	board, exact := newScoreboard(), 0
	for _, c := range file.Cases {
		wanted := map[compat.Policy]string{compat.Letter: c.Expect.Letter, compat.ClientSafe: c.Expect.Safe, compat.A2T: c.Expect.A2T}
		if fix, ok := corrected[c.Case]; ok {
			if wanted[fix.policy] != fix.from.String() {
				t.Errorf("%s: the corpus needs no correction", c.Case)
			}
			wanted[fix.policy] = fix.to.String()
		}
		ok := t.Run(c.Case, func(t *testing.T) {
			want := slices.Sorted(slices.Values(c.Expect.Rules))
			for policy, level := range wanted {
				changes := compat.Compare(file.Base.side(), c.Revision.side(), compat.Options{Policy: policy})
				if got := rules(changes, true); !slices.Equal(got, want) {
					t.Errorf("%v, want %v", got, want)
				}
				if got := highest(changes).String(); got != level {
					t.Errorf("%s: level %s, want %s", policy, got, level)
				}
			}
		})
		if ok {
			exact++
		}
		ours := highest(compat.Compare(file.Base.side(), c.Revision.side(), compat.Options{Policy: compat.ClientSafe}))
		board.count(&c, ours)
	}
	t.Logf("exact: %d of %d\n%s", exact, len(file.Cases), board)
	if len(file.Cases) != 72 {
		t.Errorf("%d cases, want 72", len(file.Cases))
	}
}

// scoreboard counts who finds what really breaks callers.
type scoreboard struct {
	breaking, safe int
	found, alarms  map[string]int
}

const sculpt = "sculpt"

var peers = []string{sculpt, "oasdiff-param", "oasdiff-body", "buf-FILE", "graphql-inspector", "mcp-compat", "mcp-diff", "apidiff"}

func newScoreboard() *scoreboard {
	return &scoreboard{found: map[string]int{}, alarms: map[string]int{}}
}

func (b *scoreboard) count(c *mutation, ours compat.Level) {
	breaks, safe := c.Expect.Safe == "error", c.Expect.Safe == "note" || c.Expect.Safe == "none"
	alarmed := map[string]bool{sculpt: ours == compat.Error}
	for peer, verdicts := range c.Peers {
		for _, v := range verdicts {
			alarmed[peer] = alarmed[peer] || alarms(peer, string(v))
		}
	}
	for peer, alarm := range alarmed {
		switch {
		case alarm && breaks:
			b.found[peer]++
		case alarm && safe:
			b.alarms[peer]++
		}
	}
	if breaks {
		b.breaking++
	}
	if safe {
		b.safe++
	}
}

// alarms reports whether a verdict of a peer stops a release or asks for a
// look at it.
func alarms(peer, verdict string) bool {
	for _, quiet := range map[string][]string{
		"oasdiff-param": {`"info"`}, "oasdiff-body": {`"info"`}, "graphql-inspector": {"NON_BREAKING"},
		"mcp-compat": {"SAFE", "WARN"}, "mcp-diff": {"INFO", "WARNING"}, "apidiff": {`"COMPATIBLE"`},
	}[peer] {
		if strings.Contains(verdict, quiet) {
			return false
		}
	}
	return true
}

// String writes the scoreboard as a table.
func (b *scoreboard) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%-18s %12s %12s\n", "checker", fmt.Sprintf("finds of %d", b.breaking), fmt.Sprintf("false of %d", b.safe))
	for _, p := range peers {
		fmt.Fprintf(&w, "%-18s %12d %12d\n", p, b.found[p], b.alarms[p])
	}
	return w.String()
}

// TestDefaults compares meanings where members are left out.
func TestDefaults(t *testing.T) {
	var file struct {
		Cases []struct {
			Case     string
			Old, New json.RawMessage
			Rules    []string
		}
	}
	data, err := os.ReadFile(golden.Shared(t, "compat-corpus", "a2t-defaults", "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	read := func(t *testing.T, param json.RawMessage) *compat.Side {
		doc := `{"toolId":"t","name":"t","description":"","version":1,"input_parameters":[`
		if string(param) != "null" {
			doc += string(param)
		}
		s, err := signature.Parse([]byte(doc + `],"output_parameters":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		return compat.SideOf(s)
	}
	for _, c := range file.Cases {
		t.Run(c.Case, func(t *testing.T) {
			got := rules(compat.Compare(read(t, c.Old), read(t, c.New), compat.Options{}), true)
			if !slices.Equal(got, slices.Sorted(slices.Values(c.Rules))) {
				t.Errorf("got %v, want %v", got, c.Rules)
			}
		})
	}
	t.Logf("%d cases", len(file.Cases))
}

// TestOasdiff runs the pairs of its test data on which we agree, and the four
// on which we differ for a reason.
func TestOasdiff(t *testing.T) {
	type pair struct {
		From, Operation string
		Old, New        foreign
		Oasdiff         []struct{ ID string }
		Expect          []string
		Why             string
	}
	var file struct{ Agreed, Disputed []pair }
	corpus(t, &file, "oasdiff", "converted.json")
	var toOurs map[string]*string
	corpus(t, &toOurs, "oasdiff", "rule-map.json")
	check := func(t *testing.T, p *pair) []string {
		got := rules(compat.Compare(p.Old.side(), p.New.side(), compat.Options{}), false)
		if want := slices.Sorted(slices.Values(p.Expect)); !slices.Equal(got, want) {
			t.Errorf("%s %s: got %v, want %v", p.From, p.Operation, got, want)
		}
		return slices.Compact(got)
	}
	for i := range file.Agreed {
		p := &file.Agreed[i]
		got := check(t, p)
		var mapped []string
		for _, o := range p.Oasdiff {
			if ours := toOurs[o.ID]; ours != nil {
				mapped = append(mapped, *ours)
			}
		}
		slices.Sort(mapped)
		if mapped = slices.Compact(mapped); !slices.Equal(got, mapped) {
			t.Errorf("%s %s: got %v, mapped %v", p.From, p.Operation, got, mapped)
		}
	}
	for i := range file.Disputed {
		if check(t, &file.Disputed[i]); file.Disputed[i].Why == "" {
			t.Errorf("%s is disputed without a reason", file.Disputed[i].From)
		}
	}
	t.Logf("%d agreed, %d disputed", len(file.Agreed), len(file.Disputed))
}
