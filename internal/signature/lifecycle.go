package signature

// Deprecation announces the end of a tool: it is active before Since,
// deprecated from then on, and ended from Sunset on. Dates are YYYY-MM-DD. The
// announcement is about the tool and not about a version, so it is told with
// every version, changes without a new one, and is not locked with any.
type Deprecation struct {
	// Since is the day from which the tool should no longer be used, Sunset the
	// first one on which it is not served any more, "" while that is open.
	Since  string `json:"since,omitempty"`
	Sunset string `json:"sunset,omitempty"`
	// Use names the tool to use instead.
	Use string `json:"use,omitempty"`
}

// Words says the announcement to a model, "" for none. They hold before each
// of the days and after it: documents are not written anew then.
func (d Deprecation) Words() string {
	if d == (Deprecation{}) {
		return ""
	}
	words := "Deprecated"
	if d.Since != "" {
		words += " from " + d.Since + " on"
	}
	if d.Sunset != "" {
		words += ", not available from " + d.Sunset + " on"
	}
	if d.Use != "" {
		words += "; use " + d.Use + " instead"
	}
	return words + "."
}
