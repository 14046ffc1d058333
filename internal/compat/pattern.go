package compat

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// samePattern reports whether two patterns are the same, written in two ways:
// [0-9] and \d, a{2} and aa, groups that nothing refers to. Patterns that are
// not the same may still take the same texts.
func samePattern(a, b string) bool {
	x, y := parsePattern(a), parsePattern(b)
	return x != nil && y != nil && x.Equal(y)
}

// takesAll reports whether a pattern takes every text and says so, as no pattern
// does. [a-z]* takes every text as well, because a pattern may match anywhere in
// a text; whoever wrote it meant something else, so that is not assumed.
func takesAll(pattern string) bool {
	if pattern == "" || pattern == ".*" {
		return true
	}
	re := parsePattern(pattern)
	return re != nil && re.Op == syntax.OpStar && anyCharacter(re.Sub[0])
}

func anyCharacter(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	case syntax.OpCharClass:
		return len(re.Rune) == 2 && re.Rune[0] == 0 && re.Rune[1] == unicode.MaxRune
	}
	return false
}

// parsePattern returns a pattern in its plainest form; nil for one that Go
// cannot read, as foreign signatures have them, or whose letters mean both
// cases, which [syntax.Regexp.Equal] does not see.
func parsePattern(pattern string) *syntax.Regexp {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || folds(re) {
		return nil
	}
	return plain(re.Simplify())
}

func folds(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase != 0 {
		return true
	}
	return slices.ContainsFunc(re.Sub, folds)
}

// plain drops the groups that capture, because a pattern only accepts or
// rejects, and joins what they kept apart.
func plain(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpCapture {
		return plain(re.Sub[0])
	}
	var subs []*syntax.Regexp
	for _, sub := range re.Sub {
		sub = plain(sub)
		switch last := len(subs) - 1; {
		case sub.Op == re.Op && (re.Op == syntax.OpConcat || re.Op == syntax.OpAlternate):
			subs = append(subs, sub.Sub...)
		case re.Op == syntax.OpConcat && sub.Op == syntax.OpLiteral && last >= 0 && subs[last].Op == syntax.OpLiteral:
			joined := *subs[last]
			joined.Rune = slices.Concat(joined.Rune, sub.Rune)
			subs[last] = &joined
		default:
			subs = append(subs, sub)
		}
	}
	if re.Op == syntax.OpConcat && len(subs) == 1 {
		return subs[0]
	}
	out := *re
	out.Sub = subs
	return &out
}
