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

import "github.com/sculpt-tools/sculpt/sculpt/diag"

// A Problem is one thing wrong with an expression. Start and End are byte
// offsets into the source text.
type Problem struct {
	Rule       string
	Start, End int
	Message    string
	Fix        string
}

// Rules documents the rule ids of this package.
var Rules = []diag.Rule{
	{ID: "syntax", Summary: "an expression cannot be read", Why: "the text does not follow the grammar of the expression language", Fix: "correct it at the marked place"},
	{ID: "unknown-name", Summary: "a name is not declared", Why: "expressions see inputs, steps, lets, constants and their own variables only", Fix: "use a declared name"},
	{ID: "unknown-field", Summary: "an object has no such field", Why: "fields come from the schema of the answer", Fix: "use a field of the schema"},
	{ID: "unknown-function", Summary: "a function does not exist", Why: "the language is closed", Fix: "use one of the functions of the language"},
	{ID: "wrong-type", Summary: "a value has the wrong type", Why: "expressions are checked before anything runs", Fix: "convert the value or use another one"},
	{ID: "not-an-object", Summary: "a field is read from something that has none", Why: "only objects have fields", Fix: "pick an element of a list first"},
	{ID: "may-be-missing", Summary: "a value that may be missing is used as if it were there", Why: "the input is optional or the path says .? or [?]", Fix: "give a default, or write .orValue(...)"},
	{ID: "unknown-enum-value", Summary: "a value is compared with text it can never be", Why: "the schema lists all values", Fix: "use one of the listed values"},
	{ID: "not-exhaustive", Summary: "a constant map lacks a value of the enum that indexes it", Why: "the value can occur, and then there would be no entry", Fix: "add the entry, or index with [?...]"},
	{ID: "no-type", Summary: "the type of a value is not known here", Why: "the schema leaves it open, so it can be read and compared, but nothing can be computed with it", Fix: "narrow it with string(...), int(...), double(...) or bool(...)"},
	{ID: "expression-not-supported", Summary: "a part of the expression language that is not built yet", Why: "it is refused rather than compiled wrongly", Fix: "write it another way"},
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
