package subschema

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"unicode/utf8"
)

// A truth is what is known of a value.
type truth uint8

const (
	no truth = iota
	yes
	perhaps
)

// values lists what a schema enumerates.
func values(s map[string]any) ([]any, bool) {
	if v, ok := s["const"]; ok {
		return []any{v}, true
	}
	list, ok := s["enum"].([]any)
	return list, ok
}

// listed holds each value of sub, which enumerates them, against the forms that
// take them.
func (j *judge) listed(sub map[string]any, list, forms []any, at string) []Difference {
	var out []Difference
	for _, v := range list {
		mine := valid(sub, v)
		if mine == no {
			continue
		}
		switch j.taken(forms, v) {
		case no:
			d := j.breaks(at, "is not taken as %s any more", "may now be %s", show(v))
			if mine == perhaps {
				d = doubtful(d)
			}
			out = append(out, d...)
		case perhaps:
			out = append(out, untold(at, "may be %s, and whether that is taken cannot be told", show(v))...)
		}
	}
	return out
}

// taken says whether one of several forms takes a value.
func (j *judge) taken(forms []any, v any) truth {
	result := no
	for _, form := range forms {
		followed, ok := j.wide.follow(form)
		s, isObject := followed.(map[string]any)
		is := perhaps
		switch {
		case followed == true:
			is = yes
		case followed == false:
			is = no
		case ok && isObject:
			is = valid(s, v)
		}
		if is == yes {
			return yes
		}
		if is == perhaps {
			result = perhaps
		}
	}
	return result
}

// mostEnumerated bounds a range of integers that is gone through one by one.
const mostEnumerated = 256

// narrowed compares what is not enumerated with what is.
func (j *judge) narrowed(sub, super map[string]any, types []string, at string) []Difference {
	if all, few := everyValue(sub, types); few {
		return j.listed(map[string]any{}, all, []any{super}, at)
	}
	list, _ := values(super)
	difference := j.breaks(at, "is taken as one of %s only", "was one of %s and may now be another value", show(list))
	if sub["pattern"] != nil || sub["maxLength"] != nil || sub["maxItems"] != nil || slices.Contains(types, "object") || sub["multipleOf"] != nil {
		return doubtful(difference)
	}
	return difference
}

// everyValue lists the values of a schema that has few.
func everyValue(s map[string]any, types []string) (all []any, few bool) {
	for _, t := range types {
		switch t {
		case "null":
			all = append(all, nil)
		case "boolean":
			all = append(all, true, false)
		case "integer":
			low, okLow := limitOf(s, "minimum", "exclusiveMinimum", 1)
			high, okHigh := limitOf(s, "maximum", "exclusiveMaximum", -1)
			if !okLow || !okHigh || low.at == nil || high.at == nil {
				return nil, false
			}
			low, high = low.whole(1), high.whole(-1)
			if new(big.Rat).Sub(high.at, low.at).Cmp(big.NewRat(mostEnumerated, 1)) > 0 {
				return nil, false
			}
			for n := new(big.Rat).Set(low.at); n.Cmp(high.at) <= 0; n.Add(n, big.NewRat(1, 1)) {
				all = append(all, json.Number(n.RatString()))
			}
		default:
			return nil, false
		}
	}
	return all, true
}

// valid says whether a schema takes a value. What is inside of lists and objects is
// not looked at, unless the schema enumerates it.
func valid(s map[string]any, v any) truth {
	if list, enumerated := values(s); enumerated && !slices.ContainsFunc(list, func(e any) bool { return equal(e, v) }) {
		return no
	}
	if !slices.ContainsFunc(typesOf(s), func(t string) bool { return isType(v, t) }) {
		return no
	}
	result := yes
	for _, key := range assertions(s) {
		if !slices.Contains(plainKeywords, key) {
			result = perhaps
		}
	}
	switch v := v.(type) {
	case string:
		if !textValid(s, v) {
			return no
		}
		if s["format"] != nil {
			result = perhaps
		}
		if text, ok := s["pattern"].(string); ok {
			pattern, err := regexp.Compile(text)
			switch {
			case err != nil:
				return perhaps
			case !pattern.MatchString(v):
				return no
			}
		}
	case map[string]any, []any:
		if _, enumerated := values(s); !enumerated {
			return perhaps
		}
		if len(assertions(s)) > 1 {
			return perhaps
		}
	case nil, bool:
	default:
		if !numberValid(s, numberOf(v)) {
			return no
		}
	}
	return result
}

func isType(v any, t string) bool {
	switch v := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "boolean"
	case string:
		return t == "string"
	case []any:
		return t == "array"
	case map[string]any:
		return t == "object"
	default:
		n := numberOf(v)
		return t == "number" || t == "integer" && n != nil && n.IsInt()
	}
}

func textValid(s map[string]any, text string) bool {
	n := limit{at: big.NewRat(int64(utf8.RuneCountInString(text)), 1)}
	return n.within(limit{at: numberOf(s["minLength"])}, 1) && n.within(limit{at: numberOf(s["maxLength"])}, -1)
}

func numberValid(s map[string]any, n *big.Rat) bool {
	if n == nil {
		return false
	}
	low, _ := limitOf(s, "minimum", "exclusiveMinimum", 1)
	high, _ := limitOf(s, "maximum", "exclusiveMaximum", -1)
	at := limit{at: n}
	step := numberOf(s["multipleOf"])
	return at.within(low, 1) && at.within(high, -1) && (step == nil || step.Sign() <= 0 || new(big.Rat).Quo(n, step).IsInt())
}
