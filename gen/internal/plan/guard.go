package plan

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/history"
)

// A Guard is the generated test that holds a package against its history.
type Guard struct {
	Manifest string
	// Inputs and Code are sorted by name.
	Inputs, Code []Digest
	Heads        []Head
	// Levels are those of single rules, sorted by id.
	Levels []Level
	// APIs are the fields of Config for the apis, Secrets those for values that
	// have no default. Rehearsed says that the examples can be called: every
	// api has a base URL.
	APIs      []string
	Secrets   []StandIn
	Rehearsed bool
	Tools     []Served
}

// A StandIn is what a field of Config is where nothing is sent.
type StandIn struct{ Field, Value string }

// noSecret is as good as any secret where nothing is sent.
const noSecret = "sculpt-stand-in"

// A Served is what a tool promises now; its Places are in the table PartsVar.
type Served struct {
	history.Current
	PartsVar string
}

// SetParts gives the tools the places of what the test speaks of.
func (p *Package) SetParts(of *history.Package) {
	for i := range of.Tools {
		p.Tools[i].Parts = of.Tools[i].Places
	}
}

// A Level is that of a rule.
type Level struct{ Rule, Level string }

// A Digest is that of a file.
type Digest struct{ Name, Sum string }

// A Head is the newest release of a tool.
type Head struct {
	Tool    string
	Version int
	Digest  string
}

// NewGuard plans the test of a package with the given generated files.
func NewGuard(p *Package, of *history.Package, code map[string]string) *Guard {
	g := &Guard{Manifest: of.Manifest, Inputs: digests(of.Inputs), Code: digests(code), Rehearsed: true}
	for _, a := range p.APIs {
		g.APIs, g.Rehearsed = append(g.APIs, a.Field), g.Rehearsed && a.BaseURL != ""
		for _, c := range a.Credentials {
			if c.File != "" {
				g.Secrets = append(g.Secrets, StandIn{c.Field, noSecret})
			}
		}
	}
	for _, e := range p.Env {
		if !e.HasDefault {
			g.Secrets = append(g.Secrets, StandIn{e.Field, cmp.Or(p.standIns[e.Name], noSecret)})
		}
	}
	for i, t := range of.Tools {
		t.Signature, t.Contract = history.Folded(t.Signature), history.Folded(t.Contract)
		g.Tools = append(g.Tools, Served{t, p.Tools[i].PartsVar})
	}
	for _, rule := range slices.Sorted(maps.Keys(of.Levels)) {
		g.Levels = append(g.Levels, Level{rule, of.Levels[rule]})
	}
	for _, name := range slices.Sorted(maps.Keys(of.Heads)) {
		g.Heads = append(g.Heads, Head{name, of.Heads[name].Version, of.Heads[name].Digest})
	}
	return g
}

func digests(sums map[string]string) []Digest {
	var out []Digest
	for name, sum := range sums {
		out = append(out, Digest{name, sum})
	}
	slices.SortFunc(out, func(a, b Digest) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
