package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// withValues adds what the values of an enum mean, for protocols that have no
// place for it: "NAME: text".
func withValues(description string, values []signature.Value) string {
	parts := []string{description}
	for _, v := range values {
		if v.Text != "" {
			parts = append(parts, v.Name+": "+v.Text)
		}
	}
	return signature.Sentences(parts...)
}
