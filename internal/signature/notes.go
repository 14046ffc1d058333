package signature

import "time"

// Notes are what some documents tell about a tool beside its promise: for
// people, catalogues and planners. They are published and not locked, so a
// vendor corrects them without a new version.
type Notes struct {
	// Author, Category and Homepage are for catalogues.
	Author, Category, Homepage string
	// Created and Updated are the days of the first and the newest release,
	// YYYY-MM-DD; "" before the first.
	Created, Updated string
	// Success is the sentence that reports success.
	Success string
	// Failures are the errors that the vendor gave the tool, in the order of
	// its steps, each code once.
	Failures []Failure
	// Localization has texts in other languages, sorted by language.
	Localization []Localization
	// Tools are to be called before this one, and Conditions to be met.
	Tools, Conditions []string
	// Progress and Completion say by what one sees that the tool works, and
	// that it has ended.
	Progress, Completion []string
	// Creates, Modifies and Deletes are the kinds of things that a call does
	// that to (ATIP 3.6).
	Creates, Modifies, Deletes []string
	// Cost is free, low, medium or high, and Typical how long a call mostly
	// takes, such as 1-5s; "" where nobody said (ATIP 3.6).
	Cost, Typical string
	// Deadline is the longest that a call takes.
	Deadline time.Duration
}

// A Failure is an error of a tool. The parts of its text that depend on the
// call are an ellipsis: they say nothing before it.
type Failure struct {
	Code, Text string
}

// A Localization is the face of a tool in a language such as de or pt-BR.
type Localization struct {
	Language, Description, WhenToUse string
}
