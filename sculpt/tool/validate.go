package tool

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxIssues bounds how much of a hostile request comes back in its answer.
const maxIssues = 32

// An inputKind is the JSON kind of an input, with numbers split by what an int
// parameter makes of them.
type inputKind uint8

const (
	nullInput inputKind = iota
	textInput
	// intInput is an integer literal that fits an int64, hugeInput one that
	// does not, numberInput any other number (1.0 and 1e2 too: no coercion).
	intInput
	hugeInput
	numberInput
	boolInput
	listInput
	objectInput
	// brokenInput is a Go string that is not UTF-8; on the wire it is not JSON.
	brokenInput
	// alienInput is a Go value of a type that Args cannot hold.
	alienInput
)

var inputNouns = [...]string{
	"null", "a string", "a whole number", "a whole number", "a number with a fraction or an exponent",
	"a boolean", "a list", "an object", "not valid UTF-8", "of a type that arguments cannot have",
}

// Inputs are the values that a caller sent, before they are validated, in the
// order in which they came. Each value is added and then named. The zero value
// is ready for use.
type Inputs struct{ list []input }

type input struct {
	name string
	kind inputKind
	yes  bool
	num  int64
	text string
}

// Null adds a null.
func (in *Inputs) Null() { in.add(input{}) }

// Text adds a string.
func (in *Inputs) Text(text string) { in.add(input{kind: textInput, text: text}) }

// Bool adds a boolean.
func (in *Inputs) Bool(yes bool) { in.add(input{kind: boolInput, yes: yes}) }

// Number adds a number, as JSON writes it. Its value is computed for integers
// only, and never with an exponent: 1e3000000 must cost nothing.
func (in *Inputs) Number(literal []byte) {
	if bytes.ContainsAny(literal, ".eE") {
		in.add(input{kind: numberInput})
		return
	}
	n, err := strconv.ParseInt(string(literal), 10, 64)
	if err != nil {
		in.add(input{kind: hugeInput})
		return
	}
	in.add(input{kind: intInput, num: n})
}

// List adds a list, which no parameter takes, whatever is in it.
func (in *Inputs) List() { in.add(input{kind: listInput}) }

// Object adds an object, which no parameter takes, whatever is in it.
func (in *Inputs) Object() { in.add(input{kind: objectInput}) }

func (in *Inputs) add(v input) {
	if in.list == nil {
		in.list = make([]input, 0, 4) // most tools have a few
	}
	in.list = append(in.list, v)
}

// Name names the value that was added last.
func (in *Inputs) Name(name string) {
	if n := len(in.list); n > 0 {
		in.list[n-1].name = name
	}
}

// Value returns a string, int64 or bool that was added under a name, nil for a
// null or an absent one. plain is false for a value of any other kind.
func (in *Inputs) Value(name string) (v any, plain bool) {
	at := slices.IndexFunc(in.list, func(i input) bool { return i.name == name })
	if at < 0 {
		return nil, true
	}
	switch i := &in.list[at]; i.kind {
	case nullInput:
		return nil, true
	case textInput:
		return i.text, true
	case intInput:
		return i.num, true
	case boolInput:
		return i.yes, true
	}
	return nil, false
}

// Validate checks arguments against the parameters of one version, exactly as
// a call over the wire is checked (A2T 5.1, 6.1). A nil value of an optional
// parameter counts as absent. The error is an *Error of Kind InvalidInput whose
// Issues say what is wrong; args is not changed, defaults are not filled in.
func Validate(params []Param, args Args) error {
	if issues := issuesOf(params, InputsOf(params, args)); len(issues) > 0 {
		return &Error{Kind: KindInvalidInput, Issues: issues}
	}
	return nil
}

func issuesOf(params []Param, inputs Inputs) []Issue {
	_, err := inputs.Bind(params)
	if err == nil {
		return nil
	}
	return err.Issues
}

// InputsOf lists args in the order of the parameters, unknown ones after them
// by name, so that equal arguments give equal issues.
func InputsOf(params []Param, args Args) Inputs {
	in := Inputs{make([]input, 0, len(args))}
	for i := range params {
		if v, ok := args[params[i].Name]; ok {
			in.list = append(in.list, goInput(params[i].Name, v))
		}
	}
	if len(in.list) == len(args) {
		return in
	}
	var unknown []input
	for name, v := range args {
		if find(params, name) < 0 {
			unknown = append(unknown, goInput(name, v))
		}
	}
	slices.SortFunc(unknown, func(a, b input) int { return strings.Compare(a.name, b.name) })
	in.list = append(in.list, unknown...)
	return in
}

func goInput(name string, v any) input {
	switch v := v.(type) {
	case nil:
		return input{name: name}
	case string:
		if !utf8.ValidString(v) {
			return input{name: name, kind: brokenInput}
		}
		return input{name: name, kind: textInput, text: v}
	case int64:
		return input{name: name, kind: intInput, num: v}
	case bool:
		return input{name: name, kind: boolInput, yes: v}
	}
	return input{name: name, kind: alienInput}
}

func find(params []Param, name string) int {
	for i := range params {
		if params[i].Name == name {
			return i
		}
	}
	return -1
}

// Bind turns the inputs of a call into its arguments, checked against the
// parameters. The error has all issues at once, so that a model can repair the
// call in one go; it is [KindBadRequest] where an input is given twice.
func (in *Inputs) Bind(params []Param) (Args, *Error) {
	inputs := in.list
	const given, valued = 1, 2
	var few [32]uint8
	seen := few[:]
	if len(params) > len(few) {
		seen = make([]uint8, len(params))
	}
	args := make(Args, len(params))
	var issues []Issue
	for i := range inputs {
		at := find(params, inputs[i].name)
		if at < 0 {
			if len(issues) < maxIssues { // suggestions cost time
				issues = append(issues, unknownIssue(params, inputs[i].name))
			}
			continue
		}
		p := &params[at]
		if seen[at] != 0 {
			return nil, &Error{Kind: KindBadRequest, Code: "duplicate_parameter",
				Message: fmt.Sprintf("The parameter %q is given twice.", p.Name)}
		}
		if inputs[i].kind == nullInput {
			seen[at] = given // null for an optional input is absent, for a required one missing
			continue
		}
		seen[at] = valued
		if v, issue := check(p, &inputs[i]); issue != nil {
			issue.Param, issue.ID = p.Name, p.ID
			issues = addIssue(issues, *issue)
		} else {
			args[p.Name] = v
		}
	}
	for i := range params {
		if p := &params[i]; p.Required && seen[i] != valued {
			issues = addIssue(issues, Issue{Param: p.Name, ID: p.ID, Code: "missing", Detail: "This parameter is required."})
		}
	}
	if issues != nil {
		return nil, &Error{Kind: KindInvalidInput, Issues: issues}
	}
	return args, nil
}

func addIssue(issues []Issue, issue Issue) []Issue {
	if len(issues) == maxIssues {
		return issues
	}
	return append(issues, issue)
}

func unknownIssue(params []Param, name string) Issue {
	issue := Issue{Param: Clip(name), Code: "unknown", Detail: "There is no such parameter."}
	names := make([]string, len(params))
	for i := range params {
		names[i] = params[i].Name
	}
	issue.Nearest = Nearest(name, names)
	issue.Detail += didYouMean(issue.Nearest)
	return issue
}

// checks has the rules of each parameter type: the one place that decides
// what a legal value is, for every version and every protocol.
var checks = [...]struct {
	kind inputKind
	noun string
	rule func(p *Param, v *input) (any, *Issue)
}{
	TypeString:  {textInput, "a string", checkText},
	TypeInt:     {intInput, "a whole number", checkInt},
	TypeBoolean: {boolInput, "true or false", func(_ *Param, v *input) (any, *Issue) { return v.yes, nil }},
	TypeEnum:    {textInput, "a string, one of the allowed values", checkEnum},
}

func check(p *Param, v *input) (any, *Issue) {
	if p.Type == 0 || int(p.Type) >= len(checks) {
		return nil, &Issue{Code: "type", Detail: "This parameter takes no value."}
	}
	c := &checks[p.Type]
	if p.Type == TypeInt && v.kind == hugeInput {
		return nil, rangeIssue(p)
	}
	if v.kind != c.kind {
		issue := &Issue{Code: "type", Detail: "Must be " + c.noun + ", but is " + inputNouns[v.kind] + "."}
		if p.Type == TypeEnum {
			issue.Allowed = p.Values
		}
		return nil, issue
	}
	return c.rule(p, v)
}

func checkText(p *Param, v *input) (any, *Issue) {
	// A code point has at most four bytes, so most texts need no counting.
	if n := len(v.text); p.MinLength > 0 || p.MaxLength > 0 && n > p.MaxLength {
		n = utf8.RuneCountInString(v.text)
		if p.MaxLength > 0 && n > p.MaxLength {
			return nil, &Issue{Code: "length", Detail: "Must have at most " + characters(p.MaxLength) + ", but has " + strconv.Itoa(n) + "."}
		}
		if n < p.MinLength {
			return nil, &Issue{Code: "length", Detail: "Must have at least " + characters(p.MinLength) + ", but has " + strconv.Itoa(n) + "."}
		}
	}
	if p.Pattern != nil && !p.Pattern.MatchString(v.text) {
		return nil, &Issue{Code: "not_allowed", Detail: "Must match the pattern " + p.Pattern.String() + ", but is " + Quote(v.text) + "."}
	}
	return v.text, nil
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return strconv.Itoa(n) + " characters"
}

func checkInt(p *Param, v *input) (any, *Issue) {
	if v.num < p.Min || v.num > p.Max {
		return nil, rangeIssue(p)
	}
	return v.num, nil
}

func rangeIssue(p *Param) *Issue {
	return &Issue{Code: "range", Detail: "Must be from " + strconv.FormatInt(p.Min, 10) + " to " + strconv.FormatInt(p.Max, 10) + "."}
}

func checkEnum(p *Param, v *input) (any, *Issue) {
	if slices.Contains(p.Values, v.text) {
		return v.text, nil
	}
	issue := &Issue{Code: "not_allowed", Allowed: p.Values, Nearest: Nearest(v.text, p.Values)}
	issue.Detail = Quote(v.text) + " is not one of the allowed values." + didYouMean(issue.Nearest)
	return nil, issue
}

func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return ` Did you mean "` + word + `"?`
}

// clipped is how much of a caller's text an answer repeats.
const clipped = 64

// Clip shortens a text of a caller that an answer repeats.
func Clip(s string) string {
	if len(s) <= clipped {
		return s
	}
	n := clipped
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// Quote returns a text of a caller in quotes, shortened.
func Quote(s string) string { return `"` + Clip(s) + `"` }

// Nearest returns the candidate that word was probably meant to be, "" if none
// is near. It only ever feeds a suggestion: values are matched exactly.
func Nearest(word string, candidates []string) string {
	if word == "" || len(word) > clipped {
		return ""
	}
	folded := fold(word)
	best, least := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if len(c) > clipped {
			continue
		}
		if d := distance(folded, fold(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(s))
}

// distance is the Levenshtein distance of a and b in bytes.
func distance(a, b string) int {
	var buf [4 * clipped]int
	row := buf[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
