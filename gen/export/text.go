package export

import (
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/signature"
)

// fullDescription is the description for protocols without a field for
// when_to_use.
func fullDescription(s *signature.Signature) string {
	if strings.HasSuffix(s.Description, s.WhenToUse) {
		return s.Description // said already, or nothing to say
	}
	return sentences(s.Description, s.WhenToUse)
}

// withValues adds what the values of an enum mean, for protocols that have no
// place for it: "NAME: text".
func withValues(description string, values []signature.Value) string {
	parts := []string{description}
	for _, v := range values {
		if v.Text != "" {
			parts = append(parts, v.Name+": "+v.Text)
		}
	}
	return sentences(parts...)
}

// sentences joins texts with a blank; what would run into the next one gets a
// full stop.
func sentences(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			if !strings.ContainsAny(b.String()[b.Len()-1:], ".!?:;,") {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(p)
	}
	return b.String()
}
