package types

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Assignable says whether a value of type from may go where target is wanted.
// It returns "" if so, and otherwise the reason in words, such as `wants an
// integer, the value is a double`. An optional from is judged by its element.
func Assignable(from, target *Type) string {
	if from.Kind == Optional {
		from = from.Elem
	}
	if from.Kind == Invalid || target == nil || target.Kind == Invalid || target.Kind == Dyn {
		return ""
	}
	switch target.Kind {
	case Union:
		for _, v := range target.Variants {
			if Assignable(from, v) == "" {
				return ""
			}
		}
		return fmt.Sprintf("wants %s, the value is %s", target, from)
	case List:
		if from.Kind == List && (!from.NullableElem || target.NullableElem) {
			return Assignable(from.Elem, target.Elem)
		}
	case Double:
		if from.Kind == Int {
			return ""
		}
	case String:
		if from.Kind == String {
			return enumSubset(from, target)
		}
		if l := target.Limits; from.Kind == Bytes && l != nil && (l.Format == "binary" || l.Format == "byte" || l.Encoding == "base64") {
			return ""
		}
	case Map:
		if from.Kind == Map && Same(from.Key, target.Key) && (!from.NullableElem || target.NullableElem) {
			return Assignable(from.Elem, target.Elem)
		}
	case Object:
		if from.Kind == Object {
			return objectAssignable(from, target)
		}
	}
	if from.Kind == target.Kind && target.Kind != List && target.Kind != Map && target.Kind != Object {
		return ""
	}
	if from.Kind == Dyn {
		return fmt.Sprintf("wants %s, the type of the value is not known (%s): narrow it with string(...), int(...), double(...) or bool(...)", target, from.Why)
	}
	return fmt.Sprintf("wants %s, the value is %s", target, from)
}

func enumSubset(from, target *Type) string {
	if target.Enum == nil || from.Enum == nil {
		return ""
	}
	for _, v := range from.Enum {
		if !slices.Contains(target.Enum, v) {
			return fmt.Sprintf("does not allow %q, only %s", v, FewNames(target.Enum))
		}
	}
	return ""
}

func objectAssignable(from, target *Type) string {
	if from == target {
		return ""
	}
	for _, f := range from.Fields {
		t := target.Field(f.Name)
		switch {
		case t == nil && target.Extra == nil && len(target.Fields) > 0:
			return fmt.Sprintf("has no member %q", f.Name)
		case t == nil:
			continue
		}
		if why := Assignable(f.Type, t.Type); why != "" {
			return "member " + f.Name + " " + why
		}
	}
	for _, t := range target.Fields {
		if f := from.Field(t.Name); t.Required && !t.ReadOnly && (f == nil || f.Optional) {
			return fmt.Sprintf("wants a member %q", t.Name)
		}
	}
	return ""
}

// FewNames joins at most twelve names.
func FewNames(names []string) string {
	if len(names) > 12 {
		return strings.Join(names[:12], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// Allows says whether the constant v (bool, int64, float64 or string) keeps
// the enum and limits of t. It returns "" or the reason in words.
func (t *Type) Allows(v any) string {
	if s, ok := v.(string); ok && t.Enum != nil && !slices.Contains(t.Enum, s) {
		return fmt.Sprintf("does not allow %q, only %s", s, FewNames(t.Enum))
	}
	if t.Limits == nil {
		return ""
	}
	switch v := v.(type) {
	case string:
		return t.Limits.allowsLength(int64(len([]rune(v))))
	case int64:
		if t.Limits.Format == "int32" && (v < math.MinInt32 || v > math.MaxInt32) {
			return fmt.Sprintf("is a 32-bit integer, %d does not fit", v)
		}
		return t.Limits.allowsNumber(float64(v))
	case float64:
		return t.Limits.allowsNumber(v)
	}
	return ""
}

// Exceeds says what of the limits of t goes beyond those of target: a caller
// may send it and the target refuses it. It returns "" if nothing does, or
// where one of the two states no limit.
func (t *Type) Exceeds(target *Type) string {
	from, to := t.Limits, target.Limits
	if from == nil || to == nil {
		return ""
	}
	most := to.Maximum
	if limit := float64(math.MaxInt32); to.Format == "int32" && most == nil {
		most = &limit
	}
	switch {
	case from.MaxLength != nil && to.MaxLength != nil && *from.MaxLength > *to.MaxLength:
		return fmt.Sprintf("allows at most %d characters, not %d", *to.MaxLength, *from.MaxLength)
	case from.Maximum != nil && most != nil && (*from.Maximum > *most || to.ExclusiveMax && *from.Maximum == *most):
		return fmt.Sprintf("allows at most %v, not %v", *most, *from.Maximum)
	case from.Minimum != nil && to.Minimum != nil && (*from.Minimum < *to.Minimum || to.ExclusiveMin && *from.Minimum == *to.Minimum):
		return fmt.Sprintf("wants at least %v, not %v", *to.Minimum, *from.Minimum)
	}
	return ""
}

func (l *Limits) allowsLength(n int64) string {
	switch {
	case l.MaxLength != nil && n > *l.MaxLength:
		return fmt.Sprintf("allows at most %d characters", *l.MaxLength)
	case l.MinLength != nil && n < *l.MinLength:
		return fmt.Sprintf("wants at least %d characters", *l.MinLength)
	}
	return ""
}

func (l *Limits) allowsNumber(v float64) string {
	switch {
	case l.Minimum != nil && (v < *l.Minimum || l.ExclusiveMin && v == *l.Minimum):
		return fmt.Sprintf("wants at least %v", *l.Minimum)
	case l.Maximum != nil && (v > *l.Maximum || l.ExclusiveMax && v == *l.Maximum):
		return fmt.Sprintf("allows at most %v", *l.Maximum)
	case l.MultipleOf != nil && *l.MultipleOf != 0 && !isMultiple(v, *l.MultipleOf):
		return fmt.Sprintf("wants a multiple of %v", *l.MultipleOf)
	}
	return ""
}

// isMultiple allows for the error of decimal fractions: 40.7833 is a multiple
// of 0.0001.
func isMultiple(v, of float64) bool {
	q := v / of
	return math.Abs(q-math.Round(q)) < 1e-9*math.Max(1, math.Abs(q))
}
