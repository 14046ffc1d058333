package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// laxer says what a document of tomorrow promises less of the members of an answer
// that a step reads: one that may be missing or null, and values that it may have
// beside those that it had.
func laxer(was, is *ir.Step) []string {
	var out []string
	said := map[string]bool{}
	for _, path := range was.Reads {
		a, b := was.Answer, is.Answer
		var way []string
		for name := range strings.SplitSeq(strings.ReplaceAll(path, "[]", ""), ".") {
			name, _, _ = strings.Cut(name, "(") // narrowed there
			a, b = element(a), element(b)
			if a == nil || b == nil || a.Field(name) == nil || b.Field(name) == nil {
				break
			}
			old, now := a.Field(name), b.Field(name)
			way = append(way, name)
			for _, more := range more(old, now) {
				if text := fmt.Sprintf("%s.%s of step %q %s", was.ID, strings.Join(way, "."), was.ID, more); !said[text] {
					said[text] = true
					out = append(out, text)
				}
			}
			a, b = old.Type, now.Type
		}
	}
	return out
}

// more lists what a member may be tomorrow that it cannot be today.
func more(was, is *types.Field) []string {
	var out []string
	if was.Required && !is.Required {
		out = append(out, "may be missing")
	}
	if !was.Nullable && is.Nullable {
		out = append(out, "may be null")
	}
	old, now := was.Type.Variant(types.String), is.Type.Variant(types.String)
	if old == nil || now == nil || old.Enum == nil {
		return out
	}
	if now.Enum == nil {
		return append(out, "may have any value")
	}
	for _, v := range now.Enum {
		if !slices.Contains(old.Enum, v) {
			out = append(out, fmt.Sprintf("may be %q", v))
		}
	}
	return out
}

// element is the object that members are read of, in lists, maps and optionals.
func element(t *types.Type) *types.Type {
	for t != nil {
		switch {
		case t.Kind == types.List, t.Kind == types.Map, t.Kind == types.Optional:
			t = t.Elem
		case t.Variant(types.Object) != nil:
			return t.Variant(types.Object)
		case t.Variant(types.List, types.Map) != nil:
			t = t.Variant(types.List, types.Map)
		default:
			return nil
		}
	}
	return nil
}
