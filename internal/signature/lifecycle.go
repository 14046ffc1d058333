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
	return Sentences(d.sinceWords(), d.sunsetWords(), d.useWords())
}

func (d Deprecation) sinceWords() string {
	switch {
	case d == Deprecation{}:
		return ""
	case d.Since == "":
		return "Deprecated."
	}
	return "Deprecated from " + d.Since + " on."
}

func (d Deprecation) sunsetWords() string {
	if d.Sunset == "" {
		return ""
	}
	return "Not available from " + d.Sunset + " on."
}

func (d Deprecation) useWords() string {
	if d.Use == "" {
		return ""
	}
	return "Use " + d.Use + " instead."
}
