package resolve

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// input resolves one input to its public face, to what the chain makes of it
// and to the type that expressions see.
func (t *toolResolver) input(m *manifest.Input) (signature.Input, *ir.Input, *types.Type) {
	in := signature.Input{
		ID: m.Name.Value, Name: m.Name.Value, Type: signature.String, Description: strings.TrimSpace(m.Description.Value),
		MaxLength: signature.DefaultMaxLength, Min: signature.DefaultMin, Max: signature.DefaultMax,
		Required: m.Optional.Value != "true" && !m.Default.IsSet(), MCPHeader: m.MCPHeader.Value,
	}
	if m.ID.IsSet() {
		in.ID = m.ID.Value
	}
	plan := &ir.Input{Name: in.Name}
	var inherited *operation.Param
	if m.From != nil {
		inherited = t.inherit(m, &in, plan)
	}
	t.inputType(m, &in)
	if len(m.Values) > 0 {
		t.enumValues(m, &in, plan)
	}
	stated := t.bounds(m, &in, inherited)
	if in.Description == "" {
		t.errorf(manifest.RuleMissingKey, m.Name.Span, "add description:", "input %s has no description: the model reads it to know what to fill in", in.Name)
	}
	t.defaultValue(m, &in)
	return in, plan, inputType(&in, plan, stated)
}

// inputType is the type in expressions: an enum input is what it sends. limits
// are the bounds that somebody stated, nil for none.
func inputType(in *signature.Input, plan *ir.Input, limits *types.Limits) *types.Type {
	switch in.Type {
	case signature.Int:
		return &types.Type{Kind: types.Int, Limits: limits}
	case signature.Boolean:
		return types.BoolType
	case signature.Enum:
		var sends []string
		for _, v := range in.Values {
			send := v.Name
			if s, ok := plan.Send[v.Name]; ok {
				send = s
			}
			sends = append(sends, send)
		}
		return types.EnumOf(sends...)
	}
	return &types.Type{Kind: types.String, Limits: limits}
}

func (t *toolResolver) inputType(m *manifest.Input, in *signature.Input) {
	switch m.Type.Value {
	case "int":
		in.Type = signature.Int
	case "boolean":
		in.Type = signature.Boolean
	case "string":
		in.Type = signature.String
	case "":
		if len(m.Values) > 0 {
			in.Type = signature.Enum
		}
		return
	}
	if len(m.Values) > 0 && in.Type != signature.String {
		t.errorf(expr.RuleWrongType, m.Type.Span, "remove type:", "an input with values is an enum, not %s", m.Type.Value)
	}
	if len(m.Values) > 0 {
		in.Type = signature.Enum
	}
}

// inherit takes text, bounds and enum from an upstream parameter.
func (t *toolResolver) inherit(m *manifest.Input, in *signature.Input, plan *ir.Input) *operation.Param {
	op, api := t.operationOf(fromCall(m.From), nil)
	if op == nil {
		t.checkAddress(fromCall(m.From), api)
		return nil
	}
	name := fromParameter(m.From)
	p, why := findParam(op, strings.TrimPrefix(m.From.In.Value+"."+name.Value, "."))
	if p == nil {
		t.errorf(ruleUnknownParameter, name.Span, "use a parameter of the operation", "%s", why)
		return nil
	}
	if in.Description == "" {
		in.Description = strings.TrimSpace(p.Description)
	}
	switch p.Type.Kind {
	case types.Int:
		in.Type = signature.Int
	case types.Bool:
		in.Type = signature.Boolean
	case types.String:
		in.Type = signature.String
		t.inheritEnum(m, p.Type.Enum, in, plan)
	default:
		t.errorf(expr.RuleWrongType, name.Span, "declare the input by hand and bind it with an expression", "an input cannot inherit a parameter of type %s", p.Type)
		return nil
	}
	return p
}

func (t *toolResolver) inheritEnum(m *manifest.Input, wire []string, in *signature.Input, plan *ir.Input) {
	if len(wire) == 0 || len(m.Values) > 0 {
		return
	}
	in.Type, plan.Send = signature.Enum, map[string]string{}
	for _, w := range wire {
		name := upperSnake(w)
		if first, taken := plan.Send[name]; taken || name == "" {
			t.errorf(ruleEnumNamesCollapse, m.From.Span, "write values: with send: for each", "the upstream values %q and %q give one name %q", first, w, name)
			return
		}
		plan.Send[name] = w
		in.Values = append(in.Values, signature.Value{Name: name, Text: "Upstream value " + w + "."})
	}
	t.warnf(ruleEnumWithoutTexts, m.From.Span, "write values: with a text for each", "the inherited values of %s have no texts for the model", in.Name)
}

var notSnake = regexp.MustCompile(`[^A-Za-z0-9]+`)

// upperSnake makes an A2T enum name of a wire value: "us-east" gives US_EAST.
func upperSnake(wire string) string {
	name := strings.ToUpper(strings.Trim(notSnake.ReplaceAllString(wire, "_"), "_"))
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "N" + name
	}
	return name
}

func (t *toolResolver) enumValues(m *manifest.Input, in *signature.Input, plan *ir.Input) {
	in.Values, plan.Send = nil, nil
	for _, v := range m.Values {
		in.Values = append(in.Values, t.enumValue(v.Name, v.Text))
		if v.Send.IsSet() {
			if plan.Send == nil {
				plan.Send = map[string]string{}
			}
			plan.Send[v.Name.Value] = v.Send.Value
		}
	}
}

// enumValue is a value as callers see it: it needs a text (A2T 6.1).
func (t *toolResolver) enumValue(name, words manifest.Scalar) signature.Value {
	text := strings.TrimSpace(words.Value)
	if text == "" {
		t.errorf(manifest.RuleMissingKey, name.Span, "write what it means", "the value %s has no text: the model does not know what it means", name.Value)
	}
	return signature.Value{Name: name.Value, Text: text}
}

// bounds sets the limits of an input: written, inherited, or the defaults of
// the tool's rule set, with a warning where a text or number has no upper end. It returns those that are no defaults.
func (t *toolResolver) bounds(m *manifest.Input, in *signature.Input, p *operation.Param) *types.Limits {
	var l types.Limits
	if p != nil && p.Type.Limits != nil {
		l = *p.Type.Limits
	}
	isText, isInt := in.Type == signature.String, in.Type == signature.Int
	t.onlyFor(isText, in, m.MaxLength, m.MinLength, m.Pattern)
	t.onlyFor(isInt, in, m.Min, m.Max)
	if isText {
		// What could not be inherited is reported; bounds would be part of it.
		return t.textBounds(m, in, &l, m.From != nil && p == nil)
	}
	if isInt {
		return t.intBounds(m, in, &l)
	}
	return nil
}

func (t *toolResolver) onlyFor(fits bool, in *signature.Input, bounds ...manifest.Scalar) {
	for _, b := range bounds {
		if b.IsSet() && !fits {
			t.errorf(expr.RuleWrongType, b.Span, "remove it", "this bound does not fit an input of type %s", in.Type)
		}
	}
}

func (t *toolResolver) textBounds(m *manifest.Input, in *signature.Input, l *types.Limits, lost bool) *types.Limits {
	stated := &types.Limits{}
	maxLength, hasMax := t.bound(m.MaxLength, l.MaxLength, 1, 1<<20)
	minLength, hasMin := t.bound(m.MinLength, l.MinLength, 0, 1<<20)
	if hasMax {
		in.MaxLength, stated.MaxLength = int(maxLength), &maxLength
	} else if !m.MaxLength.IsSet() && !lost {
		t.warnf(ruleUnboundedInput, m.Name.Span, fmt.Sprintf("add max_length: %d or less", signature.DefaultMaxLength), "input %s has no max_length, %d is assumed", in.Name, signature.DefaultMaxLength)
	}
	if in.MinLength = int(minLength); !hasMin {
		in.MinLength = min(in.MaxLength, signature.DefaultMinLength(t.rules(t.m), in.Required))
	}
	if in.MinLength > in.MaxLength {
		t.errorf(ruleWrongBounds, m.MinLength.Span, "swap them", "min_length %d is above max_length %d", in.MinLength, in.MaxLength)
	}
	in.Pattern = m.Pattern.Value
	if !m.Pattern.IsSet() {
		in.Pattern = l.Pattern
	}
	if in.Pattern == "" {
		return stated
	}
	if _, err := regexp.Compile(in.Pattern); err != nil {
		at := m.Pattern.Span
		if !m.Pattern.IsSet() {
			at = m.From.Span
		}
		t.errorf(ruleWrongPattern, at, "write a pattern that RE2 and ECMA-262 both know", "the pattern is wrong: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		in.Pattern = ""
	}
	return stated
}

func (t *toolResolver) intBounds(m *manifest.Input, in *signature.Input, l *types.Limits) *types.Limits {
	stated := &types.Limits{}
	lo, hasMin := t.bound(m.Min, wholeBound(l.Minimum, l.ExclusiveMin, math.Ceil, 1), -1<<53, 1<<53)
	hi, hasMax := t.bound(m.Max, wholeBound(l.Maximum, l.ExclusiveMax, math.Floor, -1), -1<<53, 1<<53)
	if hasMin {
		least := float64(lo)
		in.Min, stated.Minimum = lo, &least
	}
	if hasMax {
		most := float64(hi)
		in.Max, stated.Maximum = hi, &most
	}
	if !hasMin && !m.Min.IsSet() || !hasMax && !m.Max.IsSet() {
		t.warnf(ruleUnboundedInput, m.Name.Span, "add min: and max:", "input %s has no min or max, %d to %d is assumed", in.Name, in.Min, in.Max)
	}
	if in.Min > in.Max {
		at := m.Name.Span // where both bounds are inherited
		switch {
		case m.Min.IsSet():
			at = m.Min.Span
		case m.Max.IsSet():
			at = m.Max.Span
		}
		t.errorf(ruleWrongBounds, at, "correct min or max", "min %d is above max %d", in.Min, in.Max)
	}
	return stated
}

// wholeBound returns the nearest integer that a bound of numbers allows; bounds
// that no double tells apart from their neighbours are none.
func wholeBound(b *float64, exclusive bool, round func(float64) float64, step int64) *int64 {
	if b == nil || math.Abs(*b) > 1<<53 {
		return nil
	}
	v := int64(round(*b))
	if exclusive && float64(v) == *b {
		v += step
	}
	return &v
}

// bound returns a written bound, else the inherited one.
func (t *toolResolver) bound(s manifest.Scalar, inherited *int64, lo, hi int64) (int64, bool) {
	if !s.IsSet() {
		if inherited != nil {
			return *inherited, true
		}
		return 0, false
	}
	v, ok := parseInt(s.Value)
	if !ok || v < lo || v > hi {
		t.errorf(ruleWrongBounds, s.Span, fmt.Sprintf("write an integer from %d to %d", lo, hi), "%q is not a possible bound", s.Value)
		return 0, false
	}
	return v, true
}

func (t *toolResolver) defaultValue(m *manifest.Input, in *signature.Input) {
	if !m.Default.IsSet() {
		return
	}
	if m.Optional.Value == "false" {
		t.errorf(ruleWrongDefault, m.Optional.Span, "remove optional: or default:", "an input with a default is optional")
	}
	v, why := accepts(in, m.Default)
	if why != "" {
		t.errorf(ruleWrongDefault, m.Default.Span, "write a value that the input accepts", "the default of %s %s", in.Name, why)
		return
	}
	in.Default = v
}

// accepts returns the value of a literal for an input, or why it is refused.
func accepts(in *signature.Input, s manifest.Scalar) (any, string) {
	v, typ := constant(s)
	switch in.Type {
	case signature.Int:
		i, ok := v.(int64)
		if !ok {
			return nil, "wants an integer, this is " + typ.String()
		}
		if i < in.Min || i > in.Max {
			return nil, fmt.Sprintf("allows %d to %d", in.Min, in.Max)
		}
		return v, ""
	case signature.Boolean:
		if _, ok := v.(bool); !ok {
			return nil, "wants true or false, this is " + typ.String()
		}
		return v, ""
	}
	text, ok := v.(string)
	if !ok {
		return nil, "wants text, this is " + typ.String()
	}
	if in.Type == signature.Enum {
		names := enumNames(in.Values)
		if !slices.Contains(names, text) {
			return nil, fmt.Sprintf("allows %s, not %q%s", types.FewNames(names), text, diag.DidYouMean(text, names))
		}
		return v, ""
	}
	return v, textFits(in, text)
}

func textFits(in *signature.Input, text string) string {
	n := len([]rune(text))
	if n < in.MinLength || n > in.MaxLength {
		return fmt.Sprintf("allows %d to %d characters, this has %d", in.MinLength, in.MaxLength, n)
	}
	if in.Pattern != "" && !regexp.MustCompile(in.Pattern).MatchString(text) {
		return "wants text that matches " + in.Pattern
	}
	return ""
}

func enumNames(values []signature.Value) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = v.Name
	}
	return names
}
