package manifest

import (
	"slices"
	"strings"
)

// A level is a row of the table with the rows below it.
type level struct {
	key   *Key
	below map[string]*level
	// names are the keys below in the order of the table, those not built yet
	// left out.
	names []string
}

var table = indexKeys(Keys)

// partTable is the table for a file that a manifest includes. What it does not
// name, and the manifest may have, is below all the same.
var partTable = &level{key: table.key, below: table.below, names: slices.DeleteFunc(slices.Clone(table.names), func(name string) bool {
	return !table.below[name].key.Part
})}

// tool is the row of a single tool, step that of a step with the rows of its
// keys below it.
func (l *level) tool() *level { return l.below["tools"].below["*"] }
func (l *level) step() *level { return l.tool().below["steps"].below["*"] }

func indexKeys(keys []Key) *level {
	root := &level{key: &Key{Type: Object, Text: "A sculpt manifest."}}
	for i := range keys {
		at := root
		for name := range strings.SplitSeq(keys[i].Path, ".") {
			at = at.child(name)
		}
		at.key = &keys[i]
	}
	root.order(keys, "")
	return root
}

func (l *level) child(name string) *level {
	if l.below == nil {
		l.below = map[string]*level{}
	}
	if l.below[name] == nil {
		l.below[name] = &level{}
	}
	return l.below[name]
}

// order fills names; the table may list a child far from its parent.
func (l *level) order(keys []Key, prefix string) {
	for i := range keys {
		rest, found := strings.CutPrefix(keys[i].Path, prefix)
		if found && !strings.Contains(rest, ".") && rest != "*" && keys[i].Status == Built {
			l.names = append(l.names, rest)
		}
	}
	for name, child := range l.below {
		child.order(keys, prefix+name+".")
	}
}
