package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// withValues adds what the values of an enum mean, for protocols that have no
// place for it: "NAME: text".
func withValues(description string, values []signature.Value) string {
	return signature.Sentences(description, signature.ValueWords(values))
}
