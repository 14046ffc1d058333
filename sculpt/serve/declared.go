package serve

import (
	"fmt"
	"slices"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// declared returns a result with no value of an enum that a version does not
// declare: every version runs the chain of today, which may know more values
// than its callers. The given result may be shared and is not changed.
func declared(t *tool.Tool, version int, result tool.Result) (tool.Result, error) {
	v := slices.IndexFunc(t.Versions, func(v tool.Version) bool { return v.N == version })
	if v < 0 {
		return result, nil
	}
	slots, copied := t.Versions[v].Outputs, false
	for i := range slots {
		slot := &slots[i]
		at := indexOf(result, slot.Name, i)
		if slot.Values == nil || at < 0 || allows(slot, result[at].JSON) {
			continue
		}
		if slot.Fallback == "" {
			return nil, value.ErrKind("", "output "+slot.Name, "", fmt.Sprintf("one of the values of v%d", version))
		}
		if !copied {
			result, copied = slices.Clone(result), true
		}
		result[at].JSON = value.AppendText(nil, slot.Fallback)
	}
	return result, nil
}

// allows reports whether a value of an enum is declared, or none. Names of
// values need no escapes.
func allows(o *tool.OutputSlot, json []byte) bool {
	n := len(json)
	if n == 0 || string(json) == "null" {
		return true
	}
	return n > 1 && json[0] == '"' && json[n-1] == '"' && slices.Contains(o.Values, string(json[1:n-1]))
}
