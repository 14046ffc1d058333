package tool

import "github.com/sculpt-tools/sculpt/sculpt/value"

// A ResultWriter collects the outputs of a chain. The zero value is ready for
// use. What generated code calls for each output is not inlined into it: a
// package of many tools would take twice as long to compile.
type ResultWriter struct {
	names []string
	json  []*value.JSON
}

// Output returns the writer of the next output; its value must be written
// before the result is taken. An output that is never begun is null.
//
//go:noinline
func (w *ResultWriter) Output(name string) *value.JSON {
	j := &value.JSON{}
	w.names, w.json = append(w.names, name), append(w.json, j)
	return j
}

// Result returns the outputs, or the first error of a value that has no JSON
// form.
func (w *ResultWriter) Result() (Result, error) {
	out := make(Result, len(w.names))
	for i, j := range w.json {
		b, err := j.Bytes()
		if err != nil {
			return nil, value.ErrValue("", "output "+w.names[i], "", err)
		}
		out[i] = Output{Name: w.names[i], JSON: b}
	}
	return out, nil
}
