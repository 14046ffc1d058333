package value

import (
	"errors"
	"fmt"
	"strings"
)

// Why says what is wrong with the value that an expression wanted.
type Why uint8

const (
	// Missing says that the value is absent or null.
	Missing Why = iota + 1
	// WrongKind says that the value has another JSON kind than the expression needs.
	WrongKind
	// NoElement says that no element matches, an index is out of range, a key is unknown.
	NoElement
	// BadValue says that a function refused the value (overflow, bad number text, ...).
	BadValue
)

// PathError says which value of which step a compiled expression could not
// get. It is for logs and for in-process callers; no wire format carries it.
type PathError struct {
	// Tool and Version name the tool that was called. serve fills them in.
	Tool    string
	Version int
	// Step is the id of the step whose answer was read, or "" where the value
	// belongs to no single step.
	Step string
	// Path leads from the step's answer to the value, such as
	// "properties.periods[0].temperature".
	Path string
	// Why is the class, Text the sentence ("is missing").
	Why  Why
	Text string
	// At is the manifest position of the expression: "sculpt.yaml:41:22". Chains
	// give the part, "let.name:17", whose place serve fills in from the table of
	// the tool.
	At string
	// Err is the cause, if there is one.
	Err error
}

func (e *PathError) Error() string {
	var b strings.Builder
	if e.Tool != "" {
		fmt.Fprintf(&b, "%s: ", e.Tool)
	}
	switch {
	case e.Step != "" && e.Path != "":
		fmt.Fprintf(&b, "step %s: %s ", e.Step, e.Path)
	case e.Step != "":
		fmt.Fprintf(&b, "step %s: ", e.Step)
	case e.Path != "":
		fmt.Fprintf(&b, "%s ", e.Path)
	}
	b.WriteString(e.Text)
	if e.At != "" {
		fmt.Fprintf(&b, " (%s)", e.At)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *PathError) Unwrap() error { return e.Err }

// ErrMissing returns the error for a value that is absent or null.
func ErrMissing(step, path, at string) error {
	return &PathError{Step: step, Path: path, Why: Missing, Text: "is missing", At: at}
}

// ErrNoElement returns the error for a pick that found nothing: no element
// matches, the index is out of range, the key is unknown.
func ErrNoElement(step, path, at, text string) error {
	return &PathError{Step: step, Path: path, Why: NoElement, Text: text, At: at}
}

// ErrIndex returns the error for index i of a list of n elements.
func ErrIndex(step, path, at string, i int64, n int) error {
	return ErrNoElement(step, path, at, fmt.Sprintf("has no element %d, it has %d", i, n))
}

// ErrKind returns the error for a value of an unwanted JSON kind.
func ErrKind(step, path, at, want string) error {
	return &PathError{Step: step, Path: path, Why: WrongKind, Text: "is not " + want + " in this answer", At: at}
}

// ErrValue wraps the error of a function of this package.
func ErrValue(step, path, at string, err error) error {
	why := BadValue
	if known, ok := errors.AsType[*whyError](err); ok {
		why = known.why
	}
	return &PathError{Step: step, Path: path, Why: why, Text: err.Error(), At: at, Err: err}
}

// IsMissing reports whether err says that a value is missing. Outputs that
// are declared optional leave themselves out on such an error, and only then.
func IsMissing(err error) bool {
	var p *PathError
	return errors.As(err, &p) && p.Why == Missing
}
