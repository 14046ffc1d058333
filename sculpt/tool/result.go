package tool

import (
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A ResultWriter collects the outputs of a chain. The zero value is ready for
// use. What generated code calls for each output is not inlined into it: a
// package of many tools would take twice as long to compile.
type ResultWriter struct {
	// json writes all outputs one behind the other into a buffer that is used
	// again; what is returned is a copy of just their size.
	json   value.JSON
	buffer *[]byte
	parts  []resultPart
	few    [4]resultPart
	// err is that of the first value that has no JSON form.
	err error
}

// A resultPart is an output and where it begins.
type resultPart struct {
	name  string
	begin int
}

// resultBuffers holds buffers of answers; keepResult is the longest that is kept.
var resultBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

const keepResult = 64 << 10

// Output returns the writer of the next output; its value must be written
// before the next one is begun or the result is taken. An output that is never
// begun is null.
//
//go:noinline
func (w *ResultWriter) Output(name string) *value.JSON {
	if w.buffer == nil {
		w.buffer, w.parts = resultBuffers.Get().(*[]byte), w.few[:0]
		w.json.Reuse((*w.buffer)[:0])
	}
	b := w.end()
	w.json.Reuse(b)
	w.parts = append(w.parts, resultPart{name: name, begin: len(b)})
	return &w.json
}

// end notes how the last output went, and returns what is written.
func (w *ResultWriter) end() []byte {
	b, err := w.json.Bytes()
	if err != nil && w.err == nil {
		w.err = value.ErrValue("", "output "+w.parts[len(w.parts)-1].name, "", err)
	}
	return b
}

// Result returns the outputs, or the first error of a value that has no JSON
// form. The writer is empty again after it.
func (w *ResultWriter) Result() (Result, error) {
	if w.buffer == nil {
		return Result{}, nil
	}
	out := make(Result, len(w.parts))
	written := w.end()
	if cap(written) <= keepResult {
		*w.buffer = written
	}
	kept := make([]byte, len(written))
	copy(kept, written)
	resultBuffers.Put(w.buffer)
	parts, err := w.parts, w.err
	w.buffer, w.parts, w.err = nil, nil, nil
	if err != nil {
		return nil, err
	}
	for i, part := range parts {
		end := len(kept)
		if i+1 < len(parts) {
			end = parts[i+1].begin
		}
		out[i] = Output{Name: part.name}
		if part.begin < end {
			out[i].JSON = kept[part.begin:end:end]
		}
	}
	return out, nil
}
