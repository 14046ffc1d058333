package resolve

import (
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/wording"
)

// mostOptional is how many inputs a tool can leave to the choice of a model
// before it begins to fill in what nobody asked for.
const mostOptional = 5

// wordings warns of what models read: instructions in the place of a
// description, texts that are not English, and too much to choose from.
func (t *toolResolver) wordings() {
	known := map[string]bool{}
	for _, other := range t.resolver.m.Tools {
		known[other.Name.Value] = true
	}
	for _, in := range t.m.Inputs {
		known[in.Name.Value] = true
	}
	for _, out := range t.m.Outputs {
		known[out.Name.Value] = true
	}
	foreign := false
	judge := func(own manifest.Scalar, inherited diag.Span, what, text string) {
		at, from := own.Span, ""
		if !own.IsSet() {
			at, from = inherited, ", which comes from the document,"
		}
		if sign, i := wording.Suspicious(text, known); sign != "" {
			if own.IsSet() && i < len(own.Value) {
				at = own.At(i, len(own.Value))
			}
			t.warnf(ruleSuspiciousText, at, "say what it is, and nothing else", "%s%s looks like an instruction to models: %s", what, from, sign)
		}
		if !foreign && wording.Foreign(text) {
			foreign = true
			t.warnf(ruleNotEnglish, at, "write it in English, and the other languages under localization:", "%s%s is not English, as A2T wants it", what, from)
		}
	}
	judge(t.m.Description, t.m.Name.Span, "the description", t.m.Description.Value)
	judge(t.m.WhenToUse, t.m.Name.Span, "when_to_use", t.m.WhenToUse.Value)
	optional := 0
	for i, m := range t.m.Inputs {
		in := &t.sig.Inputs[i]
		place := m.Name.Span
		if m.From != nil {
			place = m.From.Span
		}
		judge(m.Description, place, "the description of input "+in.Name, in.Description)
		for _, v := range in.Values {
			judge(manifest.Scalar{}, place, "the text of "+in.Name+" "+v.Name, v.Text)
		}
		if !in.Required {
			optional++
		}
	}
	for _, o := range t.m.Outputs {
		judge(o.Description, o.Name.Span, "the description of output "+o.Name.Value, o.Description.Value)
	}
	if optional > mostOptional {
		t.warnf(ruleManyOptional, t.m.Name.Span, "make two tools of it, or choose for the model", "the tool has %d optional inputs: models fill in what nobody asked for", optional)
	}
}
