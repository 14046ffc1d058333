package resolve

import (
	"regexp"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var statusForm = regexp.MustCompile(`^(?:([1-5])xx|([1-5][0-9][0-9])|default)(?: ([A-Za-z0-9._~-]+))?$`)

// failure checks what the caller is told. Package manifest lets code and message
// be left out beside missing:, which may say false.
func (t *toolResolver) failure(m manifest.Failure) ir.Failure {
	switch {
	case !m.Code.IsSet() && !m.Message.IsSet():
		t.errorf(manifest.RuleMissingKey, m.Span, "add code: and message:", "an error needs a code and a message")
	case !m.Code.IsSet():
		t.errorf(manifest.RuleMissingKey, m.Span, "add code: no_such_place or the like", "an error needs a code")
	case !m.Message.IsSet():
		t.errorf(manifest.RuleMissingKey, m.Code.Span, "add message: with a sentence for the model", "an error needs a message")
	}
	return ir.Failure{
		Code: m.Code.Value, Message: t.text(m.Message), Developer: t.text(m.DeveloperMessage), Hint: t.text(m.Hint),
		Retry: m.Retry.Value, RetryAfter: t.duration(m.RetryAfter),
	}
}

// text checks a template that must give text.
func (t *toolResolver) text(s manifest.Scalar) *ir.Expr {
	if !s.IsSet() {
		return nil
	}
	v := t.value(s, t.within, types.StringType)
	if k := v.Term.Type.Kind; k != types.String && k != types.Invalid {
		t.errorf(expr.RuleWrongType, span(v), "write string(...), or put it inside text", "a text is wanted, this is %s", v.Term.Type)
		v.Term = poisoned(s)
	}
	return v
}

// errorCase reads the key of an errors entry: 404, 4xx, default, or a status
// and the last part of a problem type.
func (t *toolResolver) errorCase(m *manifest.ErrorCase) *ir.ErrorCase {
	c := &ir.ErrorCase{Span: m.Key.Span, Missing: m.Missing.Value == "true"}
	if c.Missing {
		t.onlyMissing(m)
	} else {
		c.Failure = t.failure(m.Failure)
	}
	parts := statusForm.FindStringSubmatch(m.Key.Value)
	if parts == nil {
		t.errorf(ruleWrongStatus, m.Key.Span, "write 404, 4xx, default or '404 InvalidPoint'", "%q is not a status", m.Key.Value)
		return nil
	}
	c.Problem = parts[3]
	switch {
	case parts[1] != "":
		n, _ := parseInt(parts[1])
		c.Status, c.Class = int(n), true
	case parts[2] != "":
		n, _ := parseInt(parts[2])
		c.Status = int(n)
	}
	if c.Status == 2 && c.Class || !c.Class && c.Status/100 == 2 {
		t.errorf(ruleWrongStatus, m.Key.Span, "use expect: for answers that succeed", "%s is not an error", m.Key.Value)
		return nil
	}
	return c
}

// onlyMissing reports texts of an error case that is not an error.
func (t *toolResolver) onlyMissing(m *manifest.ErrorCase) {
	for _, s := range []manifest.Scalar{m.Code, m.Message, m.DeveloperMessage, m.Hint, m.Retry, m.RetryAfter} {
		if s.IsSet() {
			t.errorf(ruleWrongStatus, s.Span, "remove it, or missing: true", "the case %s is not an error: the value of the step is missing then", m.Key.Value)
			return
		}
	}
}
