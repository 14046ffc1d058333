package compat

import (
	"fmt"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A Policy decides how strict the check is. Rules of class History are errors
// in all of them, and so is what is an error for ClientSafe: a policy may add
// errors to those, but takes none away.
type Policy uint8

const (
	// A2T is the default: the stricter of the two others, except for changes
	// of words and order and for bounds that let more in, which are judged as
	// ClientSafe does.
	A2T Policy = iota
	// Letter reads A2T 5.4 word for word: edited texts are errors too. Where the
	// words are silent, what breaks callers is still an error.
	Letter
	// ClientSafe has an error only where a caller that holds an old version
	// can be rejected, misread the answer or be misled about safety.
	ClientSafe
)

var policyNames = [...]string{"a2t", "letter", "client-safe"}

// String returns the name of the policy in the manifest.
func (p Policy) String() string { return policyNames[p] }

// ParsePolicy returns the policy of that name; "" is the default.
func ParsePolicy(name string) (Policy, error) {
	for p, n := range policyNames {
		if n == name || name == "" {
			return Policy(p), nil
		}
	}
	return 0, fmt.Errorf("there is no policy %q; there are a2t, letter and client-safe", name)
}

// A Level says what a change means under a policy.
type Level uint8

// The levels. A change of level None is allowed and not reported.
const (
	None Level = iota
	Note
	Warning
	Error
)

// String returns none, note, warning or error.
func (l Level) String() string { return [...]string{"none", "note", "warning", "error"}[l] }

// ParseLevel returns the level of that name.
func ParseLevel(name string) (Level, error) {
	for l := None; l <= Error; l++ {
		if l.String() == name {
			return l, nil
		}
	}
	return 0, fmt.Errorf("there is no level %q; there are none, note, warning and error", name)
}

// Severity is the level of a finding; None has none.
func (l Level) Severity() diag.Severity { return diag.Severity(Error - l) }

// A Class says whom a change concerns.
type Class uint8

const (
	// Wire changes are seen in requests and answers.
	Wire Class = iota
	// Type changes break code that was generated for a caller.
	Type
	// Prompt changes give the model other words.
	Prompt
	// Safety changes concern what an agent was allowed to do.
	Safety
	// History rules guard what is released. No policy and no accept entry
	// makes them weaker (A2T 6.1).
	History
)

// String returns the name of the class in capitals, as the documentation has
// it.
func (c Class) String() string {
	return [...]string{"WIRE", "TYPE", "PROMPT", "SAFETY", "HISTORY"}[c]
}

// Levels has one level for each policy.
type Levels struct {
	A2T, Letter, ClientSafe Level
}

// Of returns the level under a policy.
func (l Levels) Of(p Policy) Level { return [...]Level{l.A2T, l.Letter, l.ClientSafe}[p] }

// both gives a2t the stricter of the two levels.
func both(letter, clientSafe Level) Levels {
	return Levels{max(letter, clientSafe), letter, clientSafe}
}

// words is for changes that touch only words or order: a2t judges them as
// client-safe does, letter has an error.
func words(clientSafe Level) Levels { return Levels{clientSafe, Error, clientSafe} }

// wider is for bounds of inputs that let more in: max, min, lengths and
// patterns alike, whether the draft has a word for them or not. No call breaks
// and no code that was generated for a caller changes, so the new version is as
// "backwards compatible" as A2T 5.4 wants it; letter has an error, because it is
// not an addition.
var wider = Levels{Note, Error, Note}

// always is for rules of class History.
var always = both(Error, Error)

// A Rule is one row of the catalogue. Ids never change; texts may.
type Rule struct {
	ID     diag.RuleID
	Class  Class
	Levels Levels
	// Eased are the levels under the circumstance that EasedIf tells; EasedIf
	// is "" for most rules.
	Eased   Levels
	EasedIf string
	// Summary is one line: what changed. Why and Fix are sentences.
	Summary, Why, Fix string
	// exits are the ways out that the levels do not say; [Rule.Exits] has all.
	exits []Exit
	// newest compares with the newest release alone.
	newest bool
	// check reports what the rule finds between two versions; nil for rules
	// that other packages check.
	check func(*comparison)
}

// Allows reports whether a manifest may give the rule another level. What
// guards the history stays an error, and so does what breaks callers: single
// breaks are accepted, each with its reason. No rule can be turned off.
func (r *Rule) Allows(l Level) bool {
	return r.Class != History && (l == Error || l > None && r.Levels.ClientSafe < Error)
}

// RuleOf returns the row of that id.
func RuleOf(id string) (Rule, bool) {
	for i := range Rules {
		if Rules[i].ID.String() == id {
			return Rules[i], true
		}
	}
	return Rule{}, false
}

// Catalogue returns the rules in the form that all packages export theirs,
// with the levels of the default policy.
func Catalogue() []diag.Rule {
	out := make([]diag.Rule, 0, len(Rules))
	for i := range Rules {
		r := &Rules[i]
		out = append(out, diag.Rule{ID: r.ID, Severity: max(r.Levels.A2T, Note).Severity(), Summary: r.Summary, Why: r.Why, Fix: r.Fix})
	}
	return out
}
