package resolve

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// outputs resolves what leaves the tool.
func (t *toolResolver) outputs() {
	if len(t.m.Outputs) == 0 {
		t.errorf(manifest.RuleMissingKey, t.m.Name.Span, "add outputs:", "tool %s has no outputs (A2T 5.1 wants one or more)", t.m.Name.Value)
	}
	for _, m := range t.m.Outputs {
		o := &ir.Output{Name: m.Name.Value, Optional: m.Optional.Value == "true", Expr: t.value(m.Value, t.scope, nil)}
		if n, ok := t.bound(m.MaxItems, nil, 1, 1<<20); ok {
			o.MaxItems = int(n)
		}
		if n, ok := t.bound(m.MaxLength, nil, 1, 1<<20); ok {
			o.MaxLength = int(n)
		}
		face := signature.Output{ID: o.Name, Name: o.Name, Description: strings.TrimSpace(m.Description.Value), Optional: o.Optional}
		if m.ID.IsSet() {
			face.ID = m.ID.Value
		}
		t.outputType(m, o, &face)
		t.plan.Outputs = append(t.plan.Outputs, o)
		t.sig.Outputs = append(t.sig.Outputs, face)
	}
}

func (t *toolResolver) outputType(m *manifest.Output, o *ir.Output, face *signature.Output) {
	typ := o.Expr.Term.Type
	if typ.Kind == types.Optional {
		typ = typ.Elem
		if !o.Optional {
			t.errorf(expr.RuleMayBeMissing, span(o.Expr), "write .orValue(...), or declare the output optional: true", "output %s may be missing%s", o.Name, expr.WhyMissing(o.Expr.Term))
		}
	}
	o.Type = typ
	switch typ.Kind {
	case types.String:
		face.Type = signature.String
		if len(m.Values) > 0 {
			t.outputEnum(m, o, face, typ)
		}
	case types.Int:
		face.Type = signature.Int
	case types.Bool:
		face.Type = signature.Boolean
	default:
		face.Type, face.Schema = signature.JSON, typ
		t.leaves(o, typ)
	}
	if o.MaxItems > 0 && typ.Kind != types.List && typ.Kind != types.Invalid {
		t.errorf(expr.RuleWrongType, m.MaxItems.Span, "remove max_items:", "max_items bounds lists, output %s is %s", o.Name, typ)
	}
	if o.MaxLength > 0 && typ.Kind != types.String && typ.Kind != types.Invalid {
		t.errorf(expr.RuleWrongType, m.MaxLength.Span, "remove max_length:", "max_length bounds text, output %s is %s", o.Name, typ)
	}
	if len(m.Values) > 0 && typ.Kind != types.String && typ.Kind != types.Invalid {
		t.errorf(expr.RuleWrongType, m.Value.Span, "write string(...)", "an output with values is text, this is %s", typ)
	}
}

// leaves refuses parts of an answer that would leave the tool whole: a tool
// publishes what its manifest lists, not what its backend may send tomorrow.
func (t *toolResolver) leaves(o *ir.Output, typ *types.Type) {
	switch typ.Kind {
	case types.List, types.Map, types.Optional:
		t.leaves(o, typ.Elem)
	case types.Object:
		if !typ.Record {
			t.errorf(ruleWholeObjectOutput, span(o.Expr), `list the members: {"name": x.name}`, "output %s would pass on the whole object %s", o.Name, typ)
			return
		}
		for _, f := range typ.Fields {
			t.leaves(o, f.Type)
		}
	case types.Union:
		t.errorf(ruleWholeObjectOutput, span(o.Expr), "narrow it with string(...), int(...) or a field", "output %s can be %s", o.Name, typ)
	case types.Dyn:
		if typ.Opaque {
			t.errorf(expr.RuleNoType, span(o.Expr), "read the answer of another operation", "there is nothing to read for output %s (%s)", o.Name, typ.Why)
			return
		}
		t.errorf(expr.RuleNoType, span(o.Expr), "narrow it with string(...), int(...), double(...) or bool(...)", "the type of output %s is not known (%s)", o.Name, typ.Why)
	case types.Null:
		t.errorf(expr.RuleWrongType, span(o.Expr), "leave the output out, or write a value", "output %s is always null", o.Name)
	case types.Bytes, types.Timestamp, types.Duration:
		t.errorf(expr.RuleWrongType, span(o.Expr), "write string(...)", "output %s cannot be %s", o.Name, typ)
	}
}

func (t *toolResolver) outputEnum(m *manifest.Output, o *ir.Output, face *signature.Output, typ *types.Type) {
	face.Type = signature.Enum
	for _, v := range m.Values {
		wire := v.Wire.Value
		if typ.Enum != nil && !slices.Contains(typ.Enum, wire) {
			t.errorf(expr.RuleUnknownEnumValue, v.Name.Span, "use a value of the schema", "the value is never %q: the schema allows %s%s", wire, types.FewNames(typ.Enum), diag.DidYouMean(wire, typ.Enum))
		}
		o.Enum = append(o.Enum, ir.EnumValue{Wire: wire, Name: v.Name.Value})
		face.Values = append(face.Values, t.enumValue(v.Name, v.Text))
	}
	if m.Fallback.IsSet() {
		o.Fallback = m.Fallback.Value
		if !slices.Contains(enumNames(face.Values), o.Fallback) {
			t.errorf(expr.RuleUnknownEnumValue, m.Fallback.Span, "add it under values:", "the fallback %q is not a value of output %s", o.Fallback, o.Name)
		}
	}
}
