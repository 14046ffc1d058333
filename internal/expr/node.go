// Package expr is the expression language of chains: a closed, statically
// typed subset of CEL. It lexes, parses and prints expressions and text
// templates, checks them against types, and reports which paths they touch.
// It never evaluates: package gen/lower turns checked terms into statements.
//
//	n, problems := expr.Parse(`places.results[0].latitude`)
//	term, problems := expr.Check(n, scope, nil)
//
// Problems carry byte offsets into the source, so that a caller can point at
// the token inside its YAML scalar.
//
// The package imports diag and types only.
package expr

import "github.com/sculpt-tools/sculpt/internal/diag"

// A Problem is one thing wrong with an expression. Start and End are byte
// offsets into the source text.
type Problem struct {
	Rule       diag.RuleID
	Start, End int
	Message    string
	Fix        string
}

// The rule ids of this package.
var (
	ruleExpressionNotSupported = diag.ID("expression-not-supported")
	RuleMayBeMissing           = diag.ID("may-be-missing")
	RuleNoType                 = diag.ID("no-type")
	ruleNotAnObject            = diag.ID("not-an-object")
	ruleNotExhaustive          = diag.ID("not-exhaustive")
	ruleSyntax                 = diag.ID("syntax")
	RuleUnknownEnumValue       = diag.ID("unknown-enum-value")
	ruleUnknownField           = diag.ID("unknown-field")
	ruleUnknownFunction        = diag.ID("unknown-function")
	ruleUnknownName            = diag.ID("unknown-name")
	RuleWrongType              = diag.ID("wrong-type")
)

// Rules documents the rule ids of this package.
var Rules = []diag.Rule{
	{ID: ruleSyntax, Summary: "An expression follows the grammar of the language.", Why: "Nothing can be read from it otherwise.", Fix: "Correct it at the marked place."},
	{ID: ruleUnknownName, Summary: "Expressions read names that are declared.", Why: "They see inputs, steps, lets, constants and their own variables only.", Fix: "Use a declared name."},
	{ID: ruleUnknownField, Summary: "A field is one of its object.", Why: "Fields come from the schema of the answer; another one would be missing in every call.", Fix: "Use a field of the schema."},
	{ID: ruleUnknownFunction, Summary: "A function is one of the language.", Why: "The language is closed, so that everything in it can be checked and compiled.", Fix: "Use one of the functions that docs/expressions.md lists."},
	{ID: RuleWrongType, Summary: "A value has the type that its place wants.", Why: "Expressions are checked before anything runs.", Fix: "Convert the value, or use another one."},
	{ID: ruleNotAnObject, Summary: "Fields are read from objects.", Why: "Nothing else has any.", Fix: "Pick an element of the list first."},
	{ID: RuleMayBeMissing, Summary: "A value that may be missing is guarded where it has to be there.", Why: "The input is optional, the step may not run, or the path says .? or [?].", Fix: "Give a default, or write .orValue(...)."},
	{ID: RuleUnknownEnumValue, Summary: "A value is compared with texts that it can be.", Why: "The schema lists all values, so the comparison would never be true.", Fix: "Use one of the listed values."},
	{ID: ruleNotExhaustive, Summary: "A constant map has an entry for every value of the enum that indexes it.", Why: "Any of the values can occur, and there would be no entry for it.", Fix: "Add the entry, or index with [?...]."},
	{ID: RuleNoType, Summary: "Values of unknown type are narrowed before they are used.", Why: "The schema leaves the type open, so the value can be read and compared, but nothing can be computed with it.", Fix: "Narrow it with string(...), int(...), double(...) or bool(...)."},
	{ID: ruleExpressionNotSupported, Summary: "An expression uses the parts of CEL that sculpt compiles.", Why: "The others are refused rather than compiled wrongly.", Fix: "Write it another way."},
}

// NodeKind says what a Node is.
type NodeKind uint8

// The node kinds.
const (
	NLit NodeKind = iota
	NName
	NSelect // Args[0].Name, with Opt for .?
	NIndex  // Args[0][Args[1]], with Opt for [?
	NCall   // Name(Args...); with Member, Args[0] is the receiver
	NList
	NMap // Args are key, value, key, value
	NUnary
	NBinary
	NCond
)

// A Node is a parsed expression.
type Node struct {
	Kind       NodeKind
	Start, End int
	// Name is the identifier, field, function or operator; it starts at NameAt.
	Name   string
	NameAt int
	Args   []*Node
	Member bool
	Opt    bool
	// Opts marks the optional elements of a list or entries of a map.
	Opts []bool
	// Lit is nil, bool, int64, uint64, float64, string or []byte.
	Lit any
}

func (n *Node) nameEnd() int {
	if n.Kind == NName || n.NameAt+len(n.Name) > n.End {
		return n.End
	}
	return n.NameAt + len(n.Name)
}
