package plan

import (
	"fmt"
	"slices"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Promise is one thing that callers of a release rely on and that Go can
// check: the generated code of today defines a constant for it, and the file
// that the release froze reads it. A promise that is gone, or a bound that
// tightened, does not compile.
type Promise struct {
	// Const is its name, in words that tell tool, parameter and the version that
	// first made it.
	Const string
	Kind  PromiseKind
	Bound int64
	// Since is the first version that it holds for.
	Since int
	// Part is the part of the tool that the promise is about: "inputs.city".
	Part string
	// Text says in the frozen file what is promised.
	Text string
}

// PromiseKind says how the frozen file reads a promise.
type PromiseKind uint8

const (
	// Present promises are there or not.
	Present PromiseKind = iota
	// Upper bounds may not get smaller.
	Upper
	// Lower bounds may not get greater.
	Lower
)

// Promises are what the generated code of a tool says about itself once the
// tool has a release.
type Promises struct {
	// Needs is the function that reads every required input of SendType, the
	// type that the frozen file declares.
	Needs, SendType string
	Required        []string
	List            []Promise
}

// A Frozen is the file that a release writes.
type Frozen struct {
	File, Tool, BoundType string
	Version               int
	// Head names the record of the version and its digest, in the form of
	// history.Anchor: whoever cuts off the history is found out by it.
	Head string
	Promises
}

// promisesOf returns what the last of some versions promises, the oldest
// first. Each promise is named after the version since which it holds: whoever
// breaks it reads who relies on it. Before that is the name of the first
// release, as before the folder of the history: that one never changes.
func promisesOf(tool string, versions []*signature.Signature) Promises {
	last := versions[len(versions)-1]
	p := promises(tool, last)
	since := map[string]int{}
	for _, s := range versions {
		holds := map[string]int{}
		for _, c := range promises(tool, s).List {
			holds[c.Const] = s.Version
			if first, kept := since[c.Const]; kept {
				holds[c.Const] = first
			}
		}
		since = holds
	}
	for i := range p.List {
		c := &p.List[i]
		c.Since = since[c.Const]
		c.Const = fmt.Sprintf("%s_since_v%d", c.Const, c.Since)
	}
	return p
}

// promises returns what a signature promises, named without versions.
func promises(tool string, s *signature.Signature) Promises {
	var p Promises
	part := ""
	add := func(kind PromiseKind, bound int64, name, text string, args ...any) {
		p.List = append(p.List, Promise{Const: tool + "_" + name, Kind: kind, Bound: bound, Part: part, Text: fmt.Sprintf(text, args...)})
	}
	part = "name"
	add(Present, 0, "is_named_"+s.Name, "callers know the tool as %s", s.Name)
	for i := range s.Inputs {
		in := &s.Inputs[i]
		part = "inputs." + in.Name
		if in.Required {
			p.Required = append(p.Required, in.Name)
		} else {
			add(Present, 0, "input_"+in.Name+"_may_be_omitted", "callers leave out the input %q of %s", in.Name, s.Name)
		}
		add(Present, 0, "input_"+in.Name+"_is_"+string(in.Type), "callers send the input %q of %s, of type %s", in.Name, s.Name, in.Type)
		inputBounds(in, func(kind PromiseKind, bound int64, part string) {
			add(kind, bound, "input_"+in.Name+"_"+part, "callers send the input %q of %s with %s %d", in.Name, s.Name, part, bound)
		})
		for _, v := range in.Values {
			add(Present, 0, "input_"+in.Name+"_takes_"+v.Name, "callers send %s as the input %q of %s", v.Name, in.Name, s.Name)
		}
	}
	for _, o := range s.Outputs {
		part = "outputs." + o.Name
		add(Present, 0, "output_"+o.Name+"_is_"+string(o.Type), "callers read the output %q of %s, of type %s", o.Name, s.Name, o.Type)
		if !o.Optional {
			add(Present, 0, "output_"+o.Name+"_is_always_there", "callers rely on the output %q of %s", o.Name, s.Name)
		}
	}
	for _, e := range []struct {
		on   bool
		flag string
		name string
	}{
		{s.Effects.ReadOnly, "read_only", "is_read_only"}, {s.Effects.Idempotent, "idempotent", "is_idempotent"},
		{!s.Effects.Destructive, "destructive", "is_not_destructive"}, {!s.Effects.Billable, "billable", "is_not_billable"},
	} {
		if part = "effects." + e.flag; e.on {
			add(Present, 0, e.name, "callers were told that %s %s", s.Name, e.name)
		}
	}
	return p
}

// inputBounds lists the bounds of an input, also those that exclude nothing:
// one that appears later tightens.
func inputBounds(in *signature.Input, add func(PromiseKind, int64, string)) {
	switch in.Type {
	case signature.String:
		add(Upper, int64(in.MaxLength), "max_length")
		add(Lower, int64(in.MinLength), "min_length")
	case signature.Int:
		add(Upper, in.Max, "max")
		add(Lower, in.Min, "min")
	}
}

// current are the promises that today's code makes.
func current(t *ir.Tool) *Promises {
	if len(t.Released) == 0 {
		return nil
	}
	newest := t.Released[len(t.Released)-1]
	versions := t.Released
	if t.Signature.Version > newest.Version {
		versions = append(slices.Clone(versions), t.Signature)
	} else {
		// What the code does now counts, and not what the record says.
		versions = append(slices.Clone(versions[:len(versions)-1]), t.Signature)
	}
	tool := firstName(t)
	p := promisesOf(tool, versions)
	p.let(promisesOf(tool, t.Released), t)
	p.Needs, p.SendType = tool+"_needs", sendType(tool, newest)
	return &p
}

// firstName is the name that a tool with releases had in the first of them.
func firstName(t *ir.Tool) string { return t.Released[0].Name }

// FrozenFile is the name of the file that releases write for a tool, by the
// name of its first release.
func FrozenFile(tool string) string { return "released_" + tool + "_gen.go" }

// sendType is the type of what callers of a release send.
func sendType(tool string, s *signature.Signature) string {
	return fmt.Sprintf("%s_callers_of_v%d_send", tool, s.Version)
}

// let keeps the words of a release where the tool may break them: the file
// that the release froze goes on reading them until the next one.
func (p *Promises) let(released Promises, t *ir.Tool) {
	loosened := func(part string) bool { return slices.Contains(t.Loosened, part) }
	p.Required = slices.DeleteFunc(p.Required, func(name string) bool {
		return !slices.Contains(released.Required, name) && loosened("inputs."+name)
	})
	for _, was := range released.List {
		if !loosened(was.Part) {
			continue
		}
		is := slices.IndexFunc(p.List, func(c Promise) bool { return c.Const == was.Const })
		switch {
		case is < 0:
			p.List = append(p.List, was)
		case was.Kind == Upper:
			p.List[is].Bound = max(p.List[is].Bound, was.Bound)
		case was.Kind == Lower:
			p.List[is].Bound = min(p.List[is].Bound, was.Bound)
		}
	}
}

// Freeze plans the files that the newest releases of tools with an anchor
// freeze. Older releases are covered: each release kept the promises of the one before.
func Freeze(program *ir.Program, anchors map[string]string) []*Frozen {
	var out []*Frozen
	for _, t := range program.Tools {
		if len(t.Released) == 0 || anchors[t.Signature.Name] == "" {
			continue
		}
		s, tool := t.Released[len(t.Released)-1], firstName(t)
		f := &Frozen{
			File: FrozenFile(tool), Tool: s.Name, BoundType: tool + "_bound_may_not_tighten", Version: s.Version, Head: anchors[t.Signature.Name],
			Promises: promisesOf(tool, t.Released),
		}
		f.Needs, f.SendType = tool+"_needs", sendType(tool, s)
		out = append(out, f)
	}
	return out
}
