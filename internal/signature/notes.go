package signature

import "time"

// Notes are what some documents tell about a tool beside its promise: for
// people, catalogues and planners. They are published and not locked, so a
// vendor corrects them without a new version. The tags are for the vendor's
// own JSON of package ir.
type Notes struct {
	// Author, Category and Homepage are for catalogues.
	Author   string `json:"author,omitempty"`
	Category string `json:"category,omitempty"`
	Homepage string `json:"homepage,omitempty"`
	// Created and Updated are the days of the first and the newest release,
	// YYYY-MM-DD; "" before the first.
	Created string `json:"created,omitempty"`
	Updated string `json:"updated,omitempty"`
	// Deprecated announces the end of the tool: what the manifest says or, for
	// a tool that was retired, its tombstone.
	Deprecated Deprecation `json:"deprecated,omitzero"`
	// Success is the sentence that reports success.
	Success string `json:"success,omitempty"`
	// Failures are the errors that the vendor gave the tool, in the order of
	// its steps, each code once.
	Failures []Failure
	// Localization has texts in other languages, sorted by language.
	Localization  []Localization `json:"localization,omitempty"`
	Prerequisites `json:"prerequisites,omitzero"`
	Feedback      `json:"feedback,omitzero"`
	// Creates, Modifies and Deletes are the kinds of things that a call does
	// that to (ATIP 3.6).
	Creates  []string `json:"creates,omitempty"`
	Modifies []string `json:"modifies,omitempty"`
	Deletes  []string `json:"deletes,omitempty"`
	// Cost is free, low, medium or high, and Typical how long a call mostly
	// takes, such as 1-5s; "" where nobody said (ATIP 3.6).
	Cost    string `json:"cost,omitempty"`
	Typical string `json:"duration,omitempty"`
	// Deadline is the longest that a call takes.
	Deadline time.Duration
	// Restricted says that the provider admits some callers only. It is set where
	// documents are written: the plan has it.
	Restricted bool
}

// Prerequisites are the tools that are to be called before a tool, and the
// conditions that are to be met.
type Prerequisites struct {
	Tools      []string `json:"tools,omitempty"`
	Conditions []string `json:"conditions,omitempty"`
}

// Feedback says by what one sees that a tool works, and that it has ended.
type Feedback struct {
	Progress   []string `json:"progress,omitempty"`
	Completion []string `json:"completion,omitempty"`
}

// A Failure is an error of a tool. The parts of its text that depend on the
// call are an ellipsis: they say nothing before it.
type Failure struct {
	Code, Text string
}

// A Localization is the face of a tool in a language such as de or pt-BR.
type Localization struct {
	Language    string `json:"*"`
	Description string `json:"description"`
	WhenToUse   string `json:"when_to_use"`
}
