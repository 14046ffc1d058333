package compat

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A Side is one version of one tool: a release, or what the manifest says now.
type Side struct {
	// Signature is complete: what A2T serves and what it does not.
	Signature *signature.Signature
	// Details are the facts that the signature has no member for.
	Details signature.Details
	// Span is the tool in the manifest, or the record of the release.
	Span diag.Span
	// Places has the spans of parts in the manifest by place and part, such as
	// "inputs.days" and "inputs.days.max". What is missing here is reported at
	// the next part around it that is not, Span at last.
	Places map[string]diag.Span
	// Accept lists the accept entries of the manifest.
	Accept []Accept
	// Known lists what a release changed, accepted breaks included: it has
	// happened and is not reported again for the releases before.
	Known []Ref
	// Accepted lists the accept entries that a release was made under.
	Accepted []Accept
	// Plan says how the plan differs from that of the newest release; nil where
	// nobody compared them, and then the digest of the details counts.
	Plan *Replan
}

// A Replan is what has become of the plan of the newest release. What a plan
// says is hidden from this package: it has words and digests of it.
type Replan struct {
	// Digest is that of the released plan where both mean the same, else one of
	// what the plan means now.
	Digest string
	// Changes says of each part that does something else how.
	Changes []string
	// Runs are the releases that run the chain of today.
	Runs []int
}

// PlanDigest is what the plan is known by, "" where nothing is known of it.
func (s *Side) PlanDigest() string {
	if s.Plan != nil {
		return s.Plan.Digest
	}
	return s.Details.Plan
}

// SideOf returns the side of a signature about which nothing more is known.
func SideOf(s *signature.Signature) *Side { return &Side{Signature: s} }

// Version is the number of the version (A2T 6.1).
func (s *Side) Version() int { return s.Signature.Version }

// A Ref names a change without its words: words may change, refs never.
type Ref struct {
	// Rule is the id of a rule.
	Rule string
	// Place is a part of the tool in the words of the manifest, such as
	// "inputs.days" or "effects.read_only". Parts have the name they were
	// released with.
	Place string
}

// String returns the ref as records write it: "input-removed inputs.days".
func (r Ref) String() string { return r.Rule + " " + r.Place }

// An Accept entry of the manifest lets one break pass. It is matched by rule,
// place and version and never by text.
type Accept struct {
	Rule, At string
	// Since is the oldest release that may be broken.
	Since int
	// Reason is mandatory and goes into the record.
	Reason string
	// Until is the last day (YYYY-MM-DD) on which the entry counts; "" is for
	// ever.
	Until string
	// Span is the entry in the manifest.
	Span diag.Span
}

func (a *Accept) ref() Ref { return Ref{a.Rule, a.At} }

// same reports whether two entries speak of the same break.
func (a *Accept) same(b *Accept) bool { return a.ref() == b.ref() && a.Since == b.Since }

// place returns the innermost known span of a place.
func (s *Side) place(place, part string) diag.Span {
	if part != "" {
		if at, ok := s.Places[place+"."+part]; ok {
			return at
		}
	}
	for p := place; p != ""; p = outer(p) {
		if at, ok := s.Places[p]; ok {
			return at
		}
	}
	return s.Span
}

// outer cuts the last name off a place.
func outer(place string) string {
	for i := len(place) - 1; i >= 0; i-- {
		if place[i] == '.' {
			return place[:i]
		}
	}
	return ""
}

// filled returns a copy in which everything that may be left out has the
// value that it means: type string (A2T 5.1), and no bounds that the type of a
// parameter does not have.
func filled(s *signature.Signature) *signature.Signature {
	c := *s
	c.Inputs, c.Outputs = slices.Clone(s.Inputs), slices.Clone(s.Outputs)
	for i := range c.Inputs {
		in := &c.Inputs[i]
		if in.Type == "" {
			in.Type = signature.String
		}
		if in.Type != signature.String || takesAll(in.Pattern) {
			in.Pattern = ""
		}
		if in.Type != signature.String {
			in.MinLength, in.MaxLength = 0, 0
		}
		if !numeric(in.Type) {
			in.Min, in.Max = 0, 0
		}
		if in.Type != signature.Enum {
			in.Values = nil
		}
	}
	for i := range c.Outputs {
		out := &c.Outputs[i]
		if out.Type == "" {
			out.Type = signature.String
		}
		if out.Type != signature.Enum {
			out.Values = nil
		}
	}
	return &c
}

// number is a type that A2T does not have; foreign signatures do, and it is
// wider than int.
const number signature.Type = "number"

func numeric(t signature.Type) bool { return t == signature.Int || t == number }
