package compat

import (
	"regexp/syntax"
	"slices"
)

// samePattern reports whether two patterns are the same, written in two ways:
// [0-9] and \d, a{2} and aa, groups that nothing refers to. Patterns that are
// not the same may still take the same texts.
func samePattern(a, b string) bool {
	x, y := parsePattern(a), parsePattern(b)
	return x != nil && y != nil && x.String() == y.String()
}

// parsePattern returns a pattern in its simplest form; nil for one that Go
// cannot read, as foreign signatures have them.
func parsePattern(pattern string) *syntax.Regexp {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	// What is written out once more is free of the nesting that groups and
	// repeats left.
	plain, err := syntax.Parse(ungroup(re).Simplify().String(), syntax.Perl)
	if err != nil {
		return nil
	}
	return plain.Simplify()
}

// ungroup drops the groups that capture: a pattern only accepts or rejects.
func ungroup(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return ungroup(re.Sub[0])
	}
	for i, sub := range re.Sub {
		re.Sub[i] = ungroup(sub)
	}
	return re
}

// allTexts are the ways to write that every text is taken.
var allTexts = []string{".*", "(?s:.*)", `[\s\S]*`}

// takesAll reports whether a pattern takes every text and says so, as no pattern
// does. [a-z]* takes every text as well, because a pattern may match anywhere in
// a text; whoever wrote it meant something else, so that is not assumed.
func takesAll(pattern string) bool {
	return pattern == "" || slices.ContainsFunc(allTexts, func(all string) bool { return samePattern(pattern, all) })
}
