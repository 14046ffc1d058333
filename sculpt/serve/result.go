package serve

import (
	"fmt"
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A ResultWriter collects the outputs of a chain. The zero value is ready for
// use.
type ResultWriter struct {
	names []string
	json  []*value.JSON
}

// Output returns the writer of the next output; its value must be written
// before the result is taken. An output that is never begun is null.
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

// declared returns a result with no value of an enum that a version does not
// declare: every version runs the chain of today, which may know more values
// than its callers. The given result may be shared and is not changed.
func declared(t *Tool, version int, result Result) (Result, error) {
	v := slices.IndexFunc(t.Versions, func(v Version) bool { return v.N == version })
	if v < 0 {
		return result, nil
	}
	slots, copied := t.Versions[v].Outputs, false
	for i := range slots {
		slot := &slots[i]
		at := result.find(slot.Name, i)
		if slot.Values == nil || at < 0 || slot.allows(result[at].JSON) {
			continue
		}
		if slot.Fallback == "" {
			return nil, value.ErrKind("", "output "+slot.Name, "", fmt.Sprintf("one of the values of v%d", version))
		}
		if !copied {
			result, copied = slices.Clone(result), true
		}
		result[at].JSON = appendText(nil, slot.Fallback)
	}
	return result, nil
}

// allows reports whether a value of an enum is declared, or none. Names of
// values need no escapes.
func (o *OutputSlot) allows(json []byte) bool {
	n := len(json)
	if n == 0 || string(json) == "null" {
		return true
	}
	return n > 1 && json[0] == '"' && json[n-1] == '"' && slices.Contains(o.Values, string(json[1:n-1]))
}
