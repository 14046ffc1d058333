package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/strictjson"
)

// A servedDocument is a signature as a server gives it.
type servedDocument struct{ members map[string]any }

func documentOf(doc any) (*servedDocument, bool) {
	members, ok := doc.(map[string]any)
	return &servedDocument{members}, ok
}

// version is the number that the document has, 0 for none.
func (s *servedDocument) version() int {
	n, _ := s.members["version"].(json.Number)
	version, _ := strconv.Atoi(n.String())
	return version
}

// promised is the document that a release makes of the end of the tool that
// this one states: dangers and the end are said in the description, after the
// locked text.
func (s *servedDocument) promised(record *history.Record) []byte {
	sig := *record.Signature
	end, _ := s.members["deprecated"].(map[string]any)
	text := func(name string) string {
		value, _ := end[name].(string)
		return value
	}
	sig.Notes.Deprecated = signature.Deprecation{Since: text("since"), Sunset: text("sunset"), Use: text("use")}
	return gen.Served(&sig, record.Version)
}

// locked leaves out what may change in a released version: currentVersion (A2T
// 6.1), and the notes that no release locks.
func locked(doc any) any {
	members, ok := doc.(map[string]any)
	if !ok {
		return doc
	}
	members = maps.Clone(members)
	delete(members, "currentVersion")
	delete(members, "prerequisites")
	if effects, ok := members["effects"].(map[string]any); ok {
		effects = maps.Clone(effects)
		for _, note := range []string{"creates", "modifies", "deletes", "cost", "duration"} {
			delete(effects, note)
		}
		members["effects"] = effects
	}
	return members
}

// differs returns the first place where the document is not what was released,
// with both values. What no release locks may change.
func (s *servedDocument) differs(released []byte) (at, was, is string) {
	want, err := strictjson.Read(released, maxNesting)
	if err != nil {
		return "signature", "an unreadable record", "something"
	}
	at, was, is = firstDifference("", locked(want), locked(s.members))
	return strings.TrimPrefix(at, "."), was, is
}

// absent stands for a part that one side does not have.
type absent struct{}

func firstDifference(at string, was, is any) (place, old, new string) {
	parts, ok := partsOf(was, is)
	if !ok {
		if reflect.DeepEqual(was, is) {
			return "", "", ""
		}
		return at, show(was), show(is)
	}
	for _, p := range parts {
		if place, old, new = firstDifference(at+p.name, p.was, p.is); place != "" {
			return place, old, new
		}
	}
	return "", "", ""
}

// A facing is what two values have in one place.
type facing struct {
	name    string
	was, is any
}

// partsOf takes two objects or two lists apart.
func partsOf(was, is any) (parts []facing, ok bool) {
	switch was := was.(type) {
	case map[string]any:
		is, ok := is.(map[string]any)
		if !ok {
			return nil, false
		}
		names := slices.AppendSeq(slices.Collect(maps.Keys(was)), maps.Keys(is))
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			parts = append(parts, facing{"." + plainName(name), memberOf(was, name), memberOf(is, name)})
		}
		return parts, true
	case []any:
		is, ok := is.([]any)
		if !ok {
			return nil, false
		}
		for i := range max(len(was), len(is)) {
			parts = append(parts, facing{fmt.Sprintf("[%d]", i), elementOf(was, i), elementOf(is, i)})
		}
		return parts, true
	}
	return nil, false
}

// plainName writes the name of a member so that it cannot be taken for
// anything else; an empty one is seen.
func plainName(name string) string {
	if plainMember().MatchString(name) {
		return shorten(name)
	}
	return strconv.Quote(shorten(name))
}

var plainMember = pattern.Of(`^[A-Za-z0-9_]+$`)

func memberOf(object map[string]any, name string) any {
	if v, ok := object[name]; ok {
		return v
	}
	return absent{}
}

func elementOf(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return absent{}
}

// show writes a value in a message.
func show(v any) string {
	if v == any(absent{}) {
		return "nothing"
	}
	data, err := json.Marshal(v)
	if err != nil {
		return "something"
	}
	return shorten(string(data))
}

// maxShownText is what messages show of the text of a server, in characters.
const maxShownText = 60

func shorten(text string) string {
	if runes := []rune(text); len(runes) > maxShownText {
		return string(runes[:maxShownText]) + "..."
	}
	return text
}
