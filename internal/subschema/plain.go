package subschema

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// plain compares keyword by keyword, for each type that a value may have.
func (j *judge) plain(sub, super map[string]any, at string, root bool) []Difference {
	types := typesOf(sub)
	if list := j.types(sub, super, types, at); list != nil {
		return list
	}
	if _, enumerated := values(super); enumerated {
		return j.narrowed(sub, super, types, at)
	}
	var list []Difference
	if slices.ContainsFunc(types, numeric) {
		list = append(list, j.numbers(sub, super, at, !slices.Contains(types, "number"))...)
	}
	if slices.Contains(types, "string") {
		list = append(list, j.texts(sub, super, at)...)
	}
	if slices.Contains(types, "array") {
		list = append(list, j.arrays(sub, super, at)...)
	}
	if slices.Contains(types, "object") {
		list = append(list, j.objects(sub, super, at, root)...)
	}
	return list
}

// types wants every type of sub in super.
func (j *judge) types(sub, super map[string]any, types []string, at string) []Difference {
	takes := typesOf(super)
	for _, t := range types {
		whole := t == "integer" || t == "number" && wholeNumbers(sub)
		if slices.Contains(takes, t) || t == "integer" && slices.Contains(takes, "number") || whole && slices.Contains(takes, "integer") {
			continue
		}
		if len(types) > 1 {
			return j.breaks(at, "is not taken as %s any more", "may now be %[1]s", t)
		}
		was, is := strings.Join(types, " or "), strings.Join(takes, " or ")
		if j.answers {
			was, is = is, was
		}
		return j.breaks(at, "was %s and is now %s", "was %s and may now be %s", was, is)
	}
	return nil
}

func wholeNumbers(s map[string]any) bool {
	n := numberOf(s["multipleOf"])
	return n != nil && n.IsInt()
}

// A limit is one end of a range; nil has none.
type limit struct {
	at   *big.Rat
	open bool
}

// limitOf reads the lower (sign 1) or the upper end (sign -1) of numbers, in both
// forms that drafts give the exclusive one, and reports what cannot be read.
func limitOf(s map[string]any, inclusive, exclusive string, sign int) (l limit, ok bool) {
	v, stated := s[inclusive]
	if l.at = numberOf(v); stated && l.at == nil {
		return l, false
	}
	switch e := s[exclusive].(type) {
	case nil:
	case bool:
		l.open = e && l.at != nil
	default:
		n := numberOf(e)
		if n == nil {
			return l, false
		}
		if l.at == nil || n.Cmp(l.at)*sign >= 0 {
			l = limit{n, true}
		}
	}
	return l, true
}

// whole moves a limit to the next integer inside.
func (l limit) whole(sign int) limit {
	if l.at == nil {
		return l
	}
	n := new(big.Int).Div(l.at.Num(), l.at.Denom()) // rounds down: denominators are positive
	at := new(big.Rat).SetInt(n)
	switch {
	case l.open && l.at.IsInt():
		at.Add(at, big.NewRat(int64(sign), 1))
	case !l.at.IsInt() && sign > 0:
		at.Add(at, big.NewRat(1, 1))
	}
	return limit{at: at}
}

// within reports whether a limit is not beyond another one.
func (l limit) within(other limit, sign int) bool {
	if other.at == nil {
		return true
	}
	if l.at == nil {
		return false
	}
	c := l.at.Cmp(other.at) * sign
	return c > 0 || c == 0 && (l.open || !other.open)
}

func (j *judge) numbers(sub, super map[string]any, at string, whole bool) []Difference {
	var list []Difference
	for _, end := range []struct {
		inclusive, exclusive string
		sign                 int
		argument, answer     string
	}{
		{"minimum", "exclusiveMinimum", 1, "must now be %s or more", "may now be less than %s"},
		{"maximum", "exclusiveMaximum", -1, "must now be %s or less", "may now be more than %s"},
	} {
		a, okA := limitOf(sub, end.inclusive, end.exclusive, end.sign)
		b, okB := limitOf(super, end.inclusive, end.exclusive, end.sign)
		if !okA || !okB {
			list = append(list, untold(at, "has a bound that cannot be read")...)
			continue
		}
		if whole || wholeNumbers(sub) {
			a, b = a.whole(end.sign), b.whole(end.sign)
		}
		if !a.within(b, end.sign) {
			list = append(list, j.breaks(at, end.argument, end.answer, b.at.RatString())...)
		}
	}
	return append(list, j.multiples(sub, super, at, whole)...)
}

func (j *judge) multiples(sub, super map[string]any, at string, whole bool) []Difference {
	step, stated := super["multipleOf"]
	if !stated {
		return nil
	}
	of, have := numberOf(step), numberOf(sub["multipleOf"])
	if have == nil && whole {
		have = big.NewRat(1, 1)
	}
	switch {
	case of == nil || of.Sign() <= 0:
		return untold(at, "has a multipleOf that cannot be read")
	case have != nil && new(big.Rat).Quo(have, of).IsInt():
		return nil
	case have != nil && (sub["minimum"] != nil || sub["maximum"] != nil || sub["exclusiveMinimum"] != nil || sub["exclusiveMaximum"] != nil):
		return untold(at, "has other steps within its bounds")
	}
	return j.breaks(at, "must now be a multiple of %s", "was a multiple of %s and may now be another number", of.RatString())
}

func (j *judge) texts(sub, super map[string]any, at string) []Difference {
	list := j.counts(sub, super, at, characters)
	if sub["pattern"] != nil {
		list = doubtful(list) // it may say the same of the length
	}
	if super["pattern"] != nil && !equal(sub["pattern"], super["pattern"]) {
		list = append(list, j.patterns(sub, super, at)...)
	}
	if format := super["format"]; format != nil && !equal(sub["format"], format) {
		list = append(list, untold(at, "has the format %s, which servers may check", show(format))...)
	}
	return list
}

// patterns looks for a text that one pattern takes and the other does not.
func (j *judge) patterns(sub, super map[string]any, at string) []Difference {
	text, _ := super["pattern"].(string)
	if text == ".*" {
		return nil
	}
	wide, err := regexp.Compile(text)
	if err != nil {
		return untold(at, "has a pattern that cannot be compared")
	}
	for _, one := range []string{"a", "A", "0", " ", "é", "-", "a1", "Zz_9.,"} {
		one = fitted(one, sub)
		if valid(sub, one) == yes && !wide.MatchString(one) {
			return j.breaks(at, "must now match %s", "was a text that matches %s and may now be another one", show(text))
		}
	}
	return untold(at, "has another pattern, and which texts it takes cannot be told")
}

// fitted repeats or cuts a text to the length that a schema wants.
func fitted(text string, s map[string]any) string {
	least, most := numberOf(s["minLength"]), numberOf(s["maxLength"])
	if least != nil && least.IsInt() && least.Num().IsInt64() {
		if n := least.Num().Int64(); n <= 10_000 {
			for int64(utf8.RuneCountInString(text)) < n {
				text += text
			}
		}
	}
	if most != nil && most.IsInt() && most.Num().IsInt64() {
		if r := []rune(text); most.Num().Int64() >= 0 && int64(len(r)) > most.Num().Int64() {
			text = string(r[:most.Num().Int64()])
		}
	}
	return text
}

// An amount is how many there may be of something, by the keywords that bound it.
type amount struct{ least, most, of string }

var (
	characters = amount{"minLength", "maxLength", "characters"}
	elements   = amount{"minItems", "maxItems", "elements"}
	anyMembers = amount{"minProperties", "maxProperties", "members"}
)

// counts compares how many there may be of something.
func (j *judge) counts(sub, super map[string]any, at string, many amount) []Difference {
	var list []Difference
	for _, end := range []struct {
		key              string
		sign             int
		argument, answer string
	}{
		{many.least, 1, "must now have %s %s or more", "may now have fewer than %s %s"},
		{many.most, -1, "must now have %s %s or fewer", "may now have more than %s %s"},
	} {
		v, stated := super[end.key]
		n := numberOf(v)
		switch have := (limit{at: numberOf(sub[end.key])}); {
		case !stated || n != nil && end.sign > 0 && n.Sign() == 0:
		case n == nil:
			list = append(list, untold(at, "has a bound that cannot be read")...)
		case !have.within(limit{at: n}, end.sign):
			list = append(list, j.breaks(at, end.argument, end.answer, n.RatString(), many.of)...)
		}
	}
	return list
}

func (j *judge) arrays(sub, super map[string]any, at string) []Difference {
	list := j.counts(sub, super, at, elements)
	few := numberOf(sub["maxItems"])
	if super["uniqueItems"] == true && sub["uniqueItems"] != true && (few == nil || few.Cmp(big.NewRat(1, 1)) > 0) {
		list = append(list, j.breaks(at, "must now have no element twice", "may now have an element twice")...)
	}
	_, listA := sub["items"].([]any)
	_, listB := super["items"].([]any)
	switch group := []string{"prefixItems", "additionalItems", "items"}; {
	case j.sameKeywords(sub, super, group):
	case listA || listB || sub["prefixItems"] != nil || super["prefixItems"] != nil:
		list = append(list, untold(at, "has elements by position, which are not compared")...)
	case super["items"] != nil:
		a, stated := sub["items"]
		if !stated {
			a = true
		}
		list = append(list, j.compare(a, super["items"], at+"[]", false)...)
	}
	return list
}
