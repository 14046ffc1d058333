package compat

import "regexp/syntax"

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

// takesAll reports whether a pattern takes every text, as no pattern does. It
// may match anywhere in a text (JSON Schema), so one that matches the empty text
// wherever it stands does.
func takesAll(pattern string) bool {
	if pattern == "" {
		return true
	}
	re := parsePattern(pattern)
	return re != nil && mayBeEmpty(re)
}

// mayBeEmpty reports whether a pattern matches the empty text in every place.
func mayBeEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpPlus:
		return mayBeEmpty(re.Sub[0])
	case syntax.OpAlternate, syntax.OpConcat:
		all := true
		for _, sub := range re.Sub {
			is := mayBeEmpty(sub)
			if is && re.Op == syntax.OpAlternate {
				return true
			}
			all = all && is
		}
		return all
	}
	return false // what is not simple, such as an anchor, is not decided
}
