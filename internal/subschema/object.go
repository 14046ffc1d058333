package subschema

import (
	"maps"
	"math/big"
	"slices"
)

// extra is the schema of members that a schema does not name: what it says of
// them, anything for an object of which nothing is known, and nothing for one that
// names its members, which are those that callers send and servers answer with.
func extra(s map[string]any, root bool) any {
	if more, stated := s["additionalProperties"]; stated {
		return more
	}
	return !root && len(properties(s)) == 0
}

func (j *judge) objects(sub, super map[string]any, at string, root bool) []Difference {
	list := j.sizes(sub, super, at, root)
	if sub["patternProperties"] != nil || super["patternProperties"] != nil {
		if !j.sameKeywords(sub, super, []string{"patternProperties", "properties", "additionalProperties"}) {
			list = append(list, untold(at, "has members by pattern, which are not compared")...)
		}
		return append(list, j.required(sub, super, at)...)
	}
	list = append(list, j.required(sub, super, at)...)
	list = append(list, j.members(sub, super, at, root)...)
	list = append(list, j.unnamed(sub, super, at, root)...)
	return list
}

// sizes compares how many members there may be: as many as are named, where there
// are no others, and as few as are required.
func (j *judge) sizes(sub, super map[string]any, at string, root bool) []Difference {
	if super["minProperties"] == nil && super["maxProperties"] == nil {
		return nil
	}
	known := maps.Clone(sub)
	named := numberOf(sub["maxProperties"])
	if all := big.NewRat(int64(len(properties(sub))), 1); extra(sub, root) == false && (named == nil || named.Cmp(all) > 0) {
		delete(known, "maxProperties")
		if most := numberOf(super["maxProperties"]); most != nil && all.Cmp(most) <= 0 {
			known["maxProperties"] = super["maxProperties"]
		}
	}
	needed := big.NewRat(int64(len(textsAt(sub, "required"))), 1)
	if least := numberOf(super["minProperties"]); least != nil && needed.Cmp(least) >= 0 {
		known["minProperties"] = super["minProperties"]
	}
	return j.counts(known, super, at, anyMembers)
}

// required wants what super requires of sub.
func (j *judge) required(sub, super map[string]any, at string) []Difference {
	var list []Difference
	always := textsAt(sub, "required")
	for _, name := range textsAt(super, "required") {
		if slices.Contains(always, name) {
			continue
		}
		if _, named := properties(sub)[name]; !named && j.answers && properties(super)[name] != nil {
			continue // it is gone, which is said of it as a member
		}
		list = append(list, j.breaks(member(at, name), "must now be given", "may now be missing")...)
	}
	return list
}

func member(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// members compares what either side names.
func (j *judge) members(sub, super map[string]any, at string, root bool) []Difference {
	var list []Difference
	a, b := properties(sub), properties(super)
	names := append(slices.Collect(maps.Keys(a)), slices.Collect(maps.Keys(b))...)
	names = append(names, textsAt(sub, "required")...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		narrow, inA := a[name]
		wide, inB := b[name]
		required := slices.Contains(textsAt(sub, "required"), name)
		if !inA {
			if narrow = extra(sub, root); narrow == false && required {
				narrow = true // named by required alone
			}
		}
		place := member(at, name)
		switch {
		case narrow == false: // nobody sends it, and no server answers with it
			if j.answers && inB && !inA {
				list = append(list, j.breaks(place, "", "is gone")...)
			}
		case inB:
			list = append(list, j.compare(narrow, wide, place, false)...)
		default:
			list = append(list, j.unknown(narrow, super, place, root)...)
		}
	}
	return list
}

// unknown compares a member that super does not name. Readers pass over it; a
// server that takes it without naming it does not heed it.
func (j *judge) unknown(narrow any, super map[string]any, at string, root bool) []Difference {
	more, stated := super["additionalProperties"]
	if more == false || !stated || more == true {
		free := !root && len(properties(super)) == 0 && more != false
		if j.answers || free {
			return nil
		}
		return j.breaks(at, "is gone", "")
	}
	return j.compare(narrow, more, at, false)
}

// unnamed compares the members that neither side names.
func (j *judge) unnamed(sub, super map[string]any, at string, root bool) []Difference {
	more := extra(sub, root)
	wide, stated := super["additionalProperties"]
	switch {
	case more == false || !stated || wide == true:
		return nil
	case wide == false && j.answers:
		return nil
	case wide == false:
		return j.breaks(at, "takes no members any more but those that it names", "")
	}
	return j.compare(more, wide, member(at, "*"), false)
}
