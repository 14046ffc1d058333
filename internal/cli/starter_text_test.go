package cli

import "testing"

// A text of a document is words alone.
func TestPlainMarkup(t *testing.T) {
	for text, want := range map[string]string{
		"## Search\n![logo](https://x.example/l.png) Finds **pets**, see [the guide](https://x.example/(a)).": "Search Finds pets, see the guide.",
		"A `code` <b>bold</b> word":            "A code bold word",
		"snake_case_name stays, 2 * 3 * 4 too": "snake_case_name stays, 2 * 3 * 4 too",
		"_Note_: see\n\n* one\n* two":          "Note: see one two",
		"| a | b |\n|---|---|\n":               "| a | b |",
		"<!-- hidden ${input.x} --> shown":     "shown",
		"```json\n{\"a\": 1}\n```\nAfter.":     "After.",
		"reads ${input.x}":                     "reads $ {input.x}",
	} {
		if got := plain(text, 300); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// An api has a name that tells it from others.
func TestAPIName(t *testing.T) {
	for _, row := range []struct{ title, server, file, want string }{
		{"Stripe API", "https://api.stripe.com", "openapi.yaml", "stripe"},
		{"OpenAPI", "https://api.weather.gov", "openapi.yaml", "weather"},
		{"API", "https://shop.acme.co.uk/v1", "openapi.json", "acme"},
		{"", "", "library.yaml", "library"},
		{"", "", "openapi.yaml", "backend"},
		{"Pets REST API v2", "", "swagger.json", "pets"},
		{"Ветер", "https://api.wind.example", "openapi.json", "wind"},
		{"3 Body API", "", "x.json", "body"},
	} {
		if got := apiName(row.title, row.server, row.file); got != row.want {
			t.Errorf("%q %q %q: %q, want %q", row.title, row.server, row.file, got, row.want)
		}
	}
}
