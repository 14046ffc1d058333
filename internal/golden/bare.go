package golden

import (
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// Drafted takes from the signatures in a document what A2T 6.1 has no member
// for. The schema of the draft is closed and names none of it.
func Drafted(doc any) any {
	switch doc := doc.(type) {
	case []any:
		for i := range doc {
			doc[i] = Drafted(doc[i])
		}
	case map[string]any:
		if _, ok := doc["toolId"]; !ok {
			if _, list := doc["paging"]; list {
				Drafted(doc["items"])
			}
			return doc
		}
		drop(doc, signature.Extensions)
		inputs, _ := doc["input_parameters"].([]any)
		for _, in := range inputs {
			if in, ok := in.(map[string]any); ok {
				drop(in, signature.InputExtensions)
			}
		}
	}
	return doc
}

func drop(doc map[string]any, names []string) {
	for _, name := range names {
		delete(doc, name)
	}
}

// Unsaid takes sentences out of every text of a document: those that a document
// which somebody else wrote does not have.
func Unsaid(doc any, sentences ...string) any {
	switch doc := doc.(type) {
	case string:
		for _, s := range sentences {
			doc = strings.ReplaceAll(doc, " "+s, "")
		}
		return doc
	case []any:
		for i := range doc {
			doc[i] = Unsaid(doc[i], sentences...)
		}
	case map[string]any:
		for name := range doc {
			doc[name] = Unsaid(doc[name], sentences...)
		}
	}
	return doc
}

// WeatherWords are the sentences about the tool of the golden documents that
// these leave unsaid in some formats.
var WeatherWords = []string{
	"TODAY: The current day at the city. TOMORROW: The day after the current day at the city.",
	"At most 80 characters.", "Optional; nothing stands in for it.", "Null leaves it out.",
}
