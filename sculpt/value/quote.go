package value

import "strings"

var quoteEscapes = strings.NewReplacer(
	"\a", `\a`, "\b", `\b`, "\f", `\f`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, `\`, `\\`, `"`, `\"`,
)

// Quote returns s between double quotes with its control characters escaped;
// bytes that are not UTF-8 become U+FFFD.
func Quote(s string) string {
	return `"` + quoteEscapes.Replace(strings.ToValidUTF8(s, "\uFFFD")) + `"`
}

// Anys returns the elements of a list as values of any type, for Format.
func Anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// AnyMap returns a map with values of any type, for Format.
func AnyMap[T any](m map[string]T) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}
