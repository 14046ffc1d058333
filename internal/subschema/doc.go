// Package subschema says whether one JSON Schema may follow another: whether all
// arguments that callers of the old one send are taken by the new one, and whether
// readers of the old one understand every answer of the new one.
//
//	differences := subschema.Inputs(old, new)   // none: every call works as before
//
// It holds schemas of anybody, of draft 4 to 2020-12, to what package compat says
// of single inputs and outputs, at any depth. Callers send the members that a
// schema names, and others only where it says that there may be others; readers
// pass over members that they do not know. What follows from the keywords is
// decided; combinations (oneOf, not, if, patternProperties ...) have to be equal on
// both sides, and what neither follows nor is equal is a difference that cannot be
// told, and never one that works.
//
// It imports strictjson.
package subschema

import "encoding/json"

// A Difference is one reason why the old side is not served by the new one.
type Difference struct {
	// Place is the member concerned, such as "filter.tags[]"; "" is the whole.
	Place string
	// What happened, in words.
	What string
	// Untold says that it may be nothing: whether it breaks anybody does not follow
	// from the two schemas.
	Untold bool
}

// Inputs lists why a call that was made for the old schema may be refused, or
// partly passed over, under the new one. No schema is a tool without arguments.
func Inputs(old, new json.RawMessage) []Difference {
	return judgement(arguments(old), arguments(new), false)
}

func arguments(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage(`{"type":"object"}`)
	}
	return raw
}

// Outputs lists why a reader of the old schema may not understand an answer of the
// new one. Where the old one promised nothing, there is nothing to break.
func Outputs(old, new json.RawMessage) []Difference {
	return judgement(new, old, true)
}

// judgement compares two documents: every value of narrow has to be one of wide.
func judgement(narrow, wide json.RawMessage, answers bool) []Difference {
	a, errA := read(narrow)
	b, errB := read(wide)
	if errA != nil || errB != nil {
		return []Difference{{What: "one of the schemas cannot be read", Untold: true}}
	}
	j := &judge{narrow: a, wide: b, answers: answers, under: map[pair]bool{}, budget: mostSteps}
	return j.compare(a.root, b.root, "", true)
}
