package subschema

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// mostSteps bounds the work: schemas come from strangers.
const mostSteps = 200_000

// A pair is two parts that are being compared.
type pair struct {
	narrow, wide uintptr
	root         bool
}

// A judge holds every value of one schema against another one.
type judge struct {
	narrow, wide *document
	// answers says that the values are answers, and arguments if not.
	answers bool
	// under holds what is being compared, outermost first: a schema that contains
	// itself holds where the rest of it does.
	under         map[pair]bool
	budget, depth int
}

// breaks is a difference that somebody lives through.
func (j *judge) breaks(at, argument, answer string, args ...any) []Difference {
	format := argument
	if j.answers {
		format = answer
	}
	return []Difference{{Place: at, What: here(at) + " " + fmt.Sprintf(format, args...)}}
}

// untold is a difference that may be nothing.
func untold(at, format string, args ...any) []Difference {
	return []Difference{{Place: at, What: here(at) + " " + fmt.Sprintf(format, args...), Untold: true}}
}

func here(at string) string {
	if at == "" {
		return "it"
	}
	return at
}

// doubtful makes of differences what may be nothing.
func doubtful(list []Difference) []Difference {
	for i := range list {
		list[i].Untold = true
	}
	return list
}

// compare lists why values of narrow are none of wide. At the root undeclared
// members are not sent, whatever the schema leaves open.
func (j *judge) compare(narrow, wide any, at string, root bool) []Difference {
	j.depth++
	defer func() { j.depth-- }()
	if j.budget--; j.budget < 0 || j.depth > mostDepth {
		return untold(at, "is too large to be compared")
	}
	if j.same(narrow, wide, map[pair]bool{}) {
		return nil
	}
	a, okA := j.narrow.follow(narrow)
	b, okB := j.wide.follow(wide)
	if !okA || !okB {
		return untold(at, "has references that are not compared")
	}
	if b == true || a == false {
		return nil
	}
	if b == false {
		return j.breaks(at, "is not taken any more", "may now be there")
	}
	if a == true {
		a = map[string]any{}
	}
	sub, okA := a.(map[string]any)
	super, okB := b.(map[string]any)
	if !okA || !okB {
		return untold(at, "is not a schema")
	}
	if len(assertions(super)) == 0 && (j.answers || !root) {
		return nil
	}
	if !wellFormed(sub) || !wellFormed(super) {
		return untold(at, "has a keyword that is not written as JSON Schema has it")
	}
	key := pair{reflect.ValueOf(sub).Pointer(), reflect.ValueOf(super).Pointer(), root}
	if j.under[key] {
		return nil
	}
	j.under[key] = true
	defer delete(j.under, key)
	return j.schemas(sub, super, at, root)
}

// schemas compares two schemas that are objects.
func (j *judge) schemas(sub, super map[string]any, at string, root bool) []Difference {
	if branches := j.narrow.branches(sub); branches != nil {
		var list []Difference
		for _, branch := range branches {
			list = append(list, j.compare(branch, super, at, root)...)
		}
		return compact(list)
	}
	if branches := j.wide.branches(super); branches != nil {
		return j.oneOf(sub, branches, at, root)
	}
	combined, list := j.combinations(sub, super, at)
	if values, enumerated := values(sub); enumerated {
		list = append(list, j.listed(sub, values, []any{super}, at)...)
	} else {
		list = append(list, j.plain(sub, super, at, root)...)
	}
	if combined { // what is left of the values may be fewer than it seems
		return doubtful(list)
	}
	return list
}

// compact leaves one of equal differences.
func compact(list []Difference) []Difference {
	var out []Difference
	for _, d := range list {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// branches are the schemas whose values together are those of s, nil where it is
// not such a choice. A oneOf is one if its branches have no type in common.
func (doc *document) branches(s map[string]any) []any {
	if list, ok := s["anyOf"].([]any); ok && only(s, "anyOf") {
		return list
	}
	list, ok := s["oneOf"].([]any)
	if !ok || !only(s, "oneOf") {
		return nil
	}
	seen := map[string]bool{}
	for _, branch := range list {
		followed, ok := doc.follow(branch)
		m, isObject := followed.(map[string]any)
		if !ok || !isObject || m["type"] == nil {
			return nil
		}
		for _, t := range typesOf(m) {
			if t == "integer" {
				t = "number"
			}
			if seen[t] {
				return nil
			}
			seen[t] = true
		}
	}
	return list
}

// oneOf finds a branch that takes all values. Where one branch alone has their
// type, what it does not take is told; several may share the values, which is not
// decided.
func (j *judge) oneOf(sub map[string]any, branches []any, at string, root bool) []Difference {
	if list, enumerated := values(sub); enumerated {
		return j.listed(sub, list, branches, at)
	}
	var out []Difference
	if types := typesOf(sub); len(types) > 1 {
		for _, t := range types {
			one := maps.Clone(sub)
			one["type"] = t
			out = append(out, j.oneOf(one, branches, at, root)...)
		}
		return compact(out)
	}
	alike := 0
	for _, branch := range branches {
		if j.otherType(sub, branch) {
			continue
		}
		alike++
		if out = j.compare(sub, branch, at, root); len(out) == 0 {
			return nil
		}
	}
	switch alike {
	case 0:
		return j.breaks(at, "is not taken as %s any more", "may now be %[1]s", typesOf(sub)[0])
	case 1:
		return out
	}
	return untold(at, "has several forms, and none of them alone takes what there was")
}

// otherType reports whether no value of sub has a type of the branch.
func (j *judge) otherType(sub map[string]any, branch any) bool {
	followed, ok := j.wide.follow(branch)
	m, isObject := followed.(map[string]any)
	if !ok || !isObject {
		return false
	}
	return !slices.ContainsFunc(typesOf(sub), func(t string) bool {
		return slices.ContainsFunc(typesOf(m), func(u string) bool { return t == u || numeric(t) && numeric(u) })
	})
}

func numeric(t string) bool { return t == "integer" || t == "number" }

// plainKeywords are compared one by one; see [judge.plain].
var plainKeywords = []string{
	"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
	"items", "minItems", "maxItems", "uniqueItems", "properties", "required", "additionalProperties", "minProperties", "maxProperties",
}

// groups are keywords that only mean something together.
var groups = [][]string{
	{"if", "then", "else"}, {"contains", "minContains", "maxContains"},
	{"patternProperties", "properties", "additionalProperties"}, {"prefixItems", "additionalItems", "items"},
}

// narrowing keywords let through less than there would be without them, so a narrow
// side that has them is no wider for it. Of any other that is not known.
var narrowing = []string{
	"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "patternProperties", "dependentRequired", "dependentSchemas", "dependencies",
	"propertyNames", "unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains", "prefixItems", "additionalItems",
}

// combinations looks at the keywords that are compared as a whole: what both sides
// say equally holds. It reports whether narrow has any of them.
func (j *judge) combinations(sub, super map[string]any, at string) (combined bool, list []Difference) {
	for _, key := range assertions(sub) {
		if slices.Contains(plainKeywords, key) {
			continue
		}
		combined = true
		if !slices.Contains(narrowing, key) && !j.sameKeywords(sub, super, []string{key}) {
			list = append(list, untold(at, "had %q, and what that means cannot be told", key)...)
		}
	}
	for _, key := range assertions(super) {
		if _, told := sub[key]; slices.Contains(plainKeywords, key) || told && !slices.Contains(narrowing, key) {
			continue
		}
		whole := strings.HasPrefix(key, "unevaluated") || key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef"
		if whole || !j.sameKeywords(sub, super, groupOf(key)) {
			list = append(list, untold(at, "has %q, and whether that takes what there was cannot be told", key)...)
		}
	}
	return combined, list
}

func groupOf(key string) []string {
	for _, group := range groups {
		if slices.Contains(group, key) {
			return group
		}
	}
	return []string{key}
}

func (j *judge) sameKeywords(sub, super map[string]any, keys []string) bool {
	for _, key := range keys {
		a, inA := sub[key]
		b, inB := super[key]
		if inA != inB || !j.same(a, b, map[pair]bool{}) {
			return false
		}
	}
	return true
}

// same reports whether two parts say the same, their references included.
func (j *judge) same(a, b any, seen map[pair]bool) bool {
	if j.budget--; j.budget < 0 {
		return false
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && j.sameObjects(a, b, seen)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, func(x, y any) bool { return j.same(x, y, seen) })
	}
	return equal(a, b)
}

func (j *judge) sameObjects(a, b map[string]any, seen map[pair]bool) bool {
	key := pair{narrow: reflect.ValueOf(a).Pointer(), wide: reflect.ValueOf(b).Pointer()}
	if seen[key] {
		return true
	}
	seen[key] = true
	if !slices.Equal(assertions(a), assertions(b)) {
		return false
	}
	for _, name := range assertions(a) {
		if name == "enum" || name == "const" {
			if !equal(a[name], b[name]) {
				return false
			}
			continue
		}
		if name == "properties" || name == "patternProperties" || name == "dependentSchemas" {
			if !j.sameMembers(a[name], b[name], seen) {
				return false
			}
			continue
		}
		if !j.same(a[name], b[name], seen) {
			return false
		}
	}
	ref, refers := a["$ref"].(string)
	if !refers {
		return true
	}
	x, okX := j.narrow.target(ref)
	y, okY := j.wide.target(ref)
	return okX && okY && j.same(x, y, seen)
}

// sameMembers compares schemas by name, where no name is an annotation.
func (j *judge) sameMembers(a, b any, seen map[pair]bool) bool {
	x, okX := a.(map[string]any)
	y, okY := b.(map[string]any)
	if !okX || !okY || !slices.Equal(sortedKeys(x), sortedKeys(y)) {
		return false
	}
	for name := range x {
		if !j.same(x[name], y[name], seen) {
			return false
		}
	}
	return true
}

// equal compares two JSON values; numbers by what they are.
func equal(a, b any) bool {
	x, y := numberOf(a), numberOf(b)
	if x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	return reflect.DeepEqual(a, b)
}

// show writes a value for a message.
func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	if r := []rune(string(text)); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return string(text)
}
