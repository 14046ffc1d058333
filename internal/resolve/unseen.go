package resolve

import (
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// unseen refuses hidden characters in what the signature takes from documents;
// the vendor's own texts were read with the manifest. Documents come from
// others, and models read what people do not see.
func (t *toolResolver) unseen() {
	for i, m := range t.m.Inputs {
		if m.From == nil {
			continue
		}
		in := &t.sig.Inputs[i]
		at := m.From.Span
		if !m.Description.IsSet() {
			t.seen(at, "write description:", "the description of input "+in.Name+", which comes from the document, holds", in.Description)
		}
		if !m.Pattern.IsSet() {
			t.seen(at, "write pattern:", "the pattern of input "+in.Name+", which comes from the document, holds", in.Pattern)
		}
		if len(m.Values) == 0 {
			t.seen(at, "write values: with send: for each", "the values of input "+in.Name+", which come from the document, hold", valueTexts(in.Values)...)
		}
	}
	for i, m := range t.m.Outputs {
		if s := t.sig.Outputs[i].Schema; s != nil {
			t.seen(m.Value.Span, "fix the document", "the values of output "+m.Name.Value+", which come from the document, hold", enums(s.JSONSchema())...)
		}
	}
}

// seen reports the first hidden character of some texts.
func (t *toolResolver) seen(at diag.Span, fix, where string, texts ...string) {
	for _, text := range texts {
		if i := value.Hidden(text, 0); i >= 0 {
			r, _ := utf8.DecodeRuneInString(text[i:])
			t.errorf(manifest.RuleControlCharacter, at, fix, "%s the hidden character U+%04X", where, r)
			return
		}
	}
}

func valueTexts(values []signature.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text)
	}
	return out
}

// enums lists the values that a schema names; the names of members are those of
// the manifest.
func enums(s *types.Schema) []string {
	if s == nil {
		return nil
	}
	out := append(append([]string(nil), s.Enum...), enums(s.Items)...)
	for _, p := range s.Properties {
		out = append(out, enums(p.Schema)...)
	}
	for _, alternative := range s.AnyOf {
		out = append(out, enums(alternative)...)
	}
	return append(out, enums(s.Extra)...)
}
