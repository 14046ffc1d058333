package conform

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	uuid      = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	capitals  = regexp.MustCompile(`^[A-Z0-9]+(_[A-Z0-9]+)*$`)
)

// A parameter is one input or output and where it was.
type parameter struct {
	at string
	m  map[string]any
}

// parameters are those of one list of a signature.
func (s signature) parameters(list string) []parameter {
	var all []parameter
	for i, p := range array(s.m[list]) {
		if m := object(p); m != nil {
			all = append(all, parameter{fmt.Sprintf("%s.%s[%d]", s.at, list, i), m})
		}
	}
	return all
}

// inputs are all inputs of all signatures.
func (t *a2tTalk) inputs() []parameter {
	var all []parameter
	for _, s := range t.signatures() {
		all = append(all, s.parameters("input_parameters")...)
	}
	return all
}

// kind is the type of a parameter; none means string.
func (p parameter) kind() string {
	if v, there := p.m["type"]; there {
		return text(v)
	}
	return "string"
}

func a2tEnumeration(r *recording, l *look) {
	l.saw("page")
	if x := r.a2t.list[0]; !x.ok() {
		l.fail("%s", x.told())
	}
}

func a2tItems(r *recording, l *look) {
	for _, x := range r.a2t.list {
		items, is := x.object()["items"].([]any)
		switch {
		case !x.ok():
			l.skip("%s", x.told())
			continue
		case !is:
			l.fail("%s: items is not an array", x.key)
		}
		for i, item := range items {
			if object(item) == nil {
				l.fail("%s: items[%d] is not an object", x.key, i)
			}
		}
		l.saw("list")
	}
}

func a2tSignature(r *recording, l *look) {
	for _, s := range r.a2t.signatures() {
		l.saw("signature")
		l.lacks(s.at, s.m, []member{
			{name: "toolId", kind: "string"}, {name: "name", kind: "string"}, {name: "description", kind: "string"}, {name: "version"}, {name: "currentVersion"},
			{name: "input_parameters", kind: "array"}, {name: "output_parameters", kind: "array"}, {name: "tags", kind: "array", optional: true},
		})
		for _, in := range s.parameters("input_parameters") {
			l.lacks(in.at, in.m, []member{{name: "id", kind: "string"}, {name: "name", kind: "string"}, {name: "description", kind: "string"}})
		}
	}
}

func a2tToolID(r *recording, l *look) {
	var ids []string
	for _, s := range itemsOf(r.a2t.list) {
		l.saw("id")
		id := text(s.m["toolId"])
		if ids = append(ids, id); id != "" && !uuid.MatchString(id) {
			l.fail("%s: %q is not a UUID", s.at, id)
		}
	}
	l.repeats("the list", "the toolId", ids)
}

// a2tLength bounds a member of signatures.
func a2tLength(name string, most int) func(*recording, *look) {
	return func(r *recording, l *look) {
		longest := 0
		for _, s := range r.a2t.signatures() {
			l.saw(name)
			n := utf8.RuneCountInString(text(s.m[name]))
			if longest = max(longest, n); n > most {
				l.fail("%s: the %s has %d characters", s.at, name, n)
			}
		}
		l.note = fmt.Sprintf("the longest has %d", longest)
	}
}

func a2tNamesUnique(r *recording, l *look) {
	var names []string
	for _, s := range itemsOf(r.a2t.list) {
		l.saw("name")
		names = append(names, text(s.m["name"]))
	}
	l.repeats("the list", "the name", names)
}

func a2tSnakeCase(r *recording, l *look) {
	for _, s := range itemsOf(r.a2t.list) {
		l.saw("name")
		if name := text(s.m["name"]); !snakeCase.MatchString(name) {
			l.fail("%s: %s", s.at, quoted(name))
		}
	}
}

// a2tEnglish finds what is written in other letters; whether Latin letters are
// English it does not know.
func a2tEnglish(r *recording, l *look) {
	for _, s := range r.a2t.signatures() {
		for _, name := range []string{"name", "description"} {
			l.saw("text")
			latin, other := 0, 0
			for _, c := range text(s.m[name]) {
				switch {
				case unicode.Is(unicode.Latin, c):
					latin++
				case unicode.IsLetter(c):
					other++
				}
			}
			if other > latin {
				l.fail("%s: the %s is not in Latin letters", s.at, name)
			}
		}
	}
}

func a2tLocked(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		first := map[int64]signature{}
		for _, s := range append([]signature{tool.listed}, tool.signatures()...) {
			n, _ := version(s.m["version"])
			was, seen := first[n]
			if !seen {
				first[n] = s
				continue
			}
			l.saw("comparison")
			if name := differsIn(without(was.m, "currentVersion"), without(s.m, "currentVersion")); name != "" {
				l.fail("%s and %s have another %s in version %d", was.at, s.at, name, n)
			}
		}
	}
}

func a2tVersionPositive(r *recording, l *look) {
	for _, s := range r.a2t.signatures() {
		for _, name := range []string{"version", "currentVersion"} {
			v, there := s.m[name]
			if !there {
				continue
			}
			l.saw("number")
			if n, ok := version(v); !ok || n < 1 {
				l.fail("%s: %s is %s", s.at, name, quoted(v))
			} else if text(v) != "" {
				l.note = "numbers are in quotes, as in the figure of the text"
			}
		}
	}
}

func a2tVersionMonotonic(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		numbers := tool.numbers()
		if len(numbers) == 0 {
			continue
		}
		l.saw("tool")
		if lowest := slices.Min(numbers); lowest != 1 {
			l.fail("%s: the first version is %d", tool.versions[0].key, lowest)
		}
		slices.Sort(numbers)
		if unique := len(slices.Compact(slices.Clone(numbers))); unique < len(numbers) {
			l.fail("%s: a number is there twice", tool.versions[0].key)
		}
	}
}

func a2tLatest(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		l.saw("tool")
		n, _ := version(tool.listed.m["version"])
		if current, _ := version(tool.listed.m["currentVersion"]); current != n {
			l.fail("%s: version is %d, currentVersion %d", tool.listed.at, n, current)
		}
		if numbers := tool.numbers(); len(numbers) > 0 && slices.Max(numbers) > n {
			l.fail("%s has version %d, there is a version %d", tool.listed.at, n, slices.Max(numbers))
		}
	}
}

func a2tOutputs(r *recording, l *look) {
	types := []string{"string", "int", "boolean", "enum", "json"}
	for _, s := range r.a2t.signatures() {
		l.saw("signature")
		if len(array(s.m["output_parameters"])) == 0 {
			l.fail("%s has no output", s.at)
		}
		for _, out := range s.parameters("output_parameters") {
			l.lacks(out.at, out.m, []member{{name: "name", kind: "string"}, {name: "description", kind: "string"}})
			if !slices.Contains(types, strings.ToLower(out.kind())) {
				l.fail("%s has the type %s", out.at, quoted(out.m["type"]))
			}
		}
	}
}

func a2tInputType(r *recording, l *look) {
	for _, in := range r.a2t.inputs() {
		l.saw("input")
		if !slices.Contains([]string{"string", "int", "boolean", "enum"}, in.kind()) {
			l.fail("%s has the type %s", in.at, quoted(in.m["type"]))
		}
	}
}

func a2tIntMax(r *recording, l *look) {
	l.skip("no input of type int has a max")
	for _, in := range r.a2t.inputs() {
		most, there := in.m["max"]
		if in.kind() != "int" || !there {
			continue
		}
		l.saw("bound")
		if _, ok := whole(most); !ok {
			l.fail("%s: max is %s", in.at, quoted(most))
		}
	}
}

// enums are the values of the inputs and outputs that have the type enum.
func (t *a2tTalk) enums() []parameter {
	var all []parameter
	for _, s := range t.signatures() {
		for _, p := range append(s.parameters("input_parameters"), s.parameters("output_parameters")...) {
			if p.kind() != "enum" {
				continue
			}
			for i, v := range array(p.m["allowed-values"]) {
				all = append(all, parameter{fmt.Sprintf("%s.allowed-values[%d]", p.at, i), object(v)})
			}
		}
	}
	return all
}

func a2tAllowedValues(r *recording, l *look) {
	l.skip("no input has the type enum")
	for _, in := range r.a2t.inputs() {
		if in.kind() != "enum" {
			continue
		}
		l.saw("enum")
		if len(array(in.m["allowed-values"])) == 0 {
			l.fail("%s has no array of allowed-values", in.at)
		}
	}
	for _, v := range r.a2t.enums() {
		l.lacks(v.at, v.m, []member{{name: "name", kind: "string"}, {name: "description", kind: "string"}})
	}
}

func a2tEnumNames(r *recording, l *look) {
	l.skip("nothing has the type enum")
	for _, v := range r.a2t.enums() {
		l.saw("value")
		if name, is := v.m["name"].(string); is && !capitals.MatchString(name) {
			l.fail("%s: %s", v.at, quoted(name))
		}
	}
}

func a2tEnumLengths(r *recording, l *look) {
	l.skip("nothing has the type enum")
	for _, v := range r.a2t.enums() {
		l.saw("value")
		for name, most := range map[string]int{"name": 255, "description": 2000} {
			if n := utf8.RuneCountInString(text(v.m[name])); n > most {
				l.fail("%s: the %s has %d characters", v.at, name, n)
			}
		}
	}
}

func a2tUnique(name string) func(*recording, *look) {
	return func(r *recording, l *look) {
		for _, s := range r.a2t.signatures() {
			l.saw("signature")
			var all []string
			for _, in := range s.parameters("input_parameters") {
				if v, is := in.m[name].(string); is {
					all = append(all, v)
				}
			}
			l.repeats(s.at, "the input "+name, all)
		}
	}
}

func a2tRequired(r *recording, l *look) {
	for _, in := range r.a2t.inputs() {
		l.saw("input")
		l.lacks(in.at, in.m, []member{{name: "required", kind: "boolean", optional: true}})
	}
}

// byName are the parameters of one list by their names.
func (s signature) byName(list string) map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, p := range s.parameters(list) {
		all[text(p.m["name"])] = p.m
	}
	return all
}

func a2tCompatible(r *recording, l *look) {
	l.skip("no tool has more than one version")
	for _, tool := range r.a2t.tools {
		versions := itemsOf(tool.versions)
		slices.SortStableFunc(versions, func(a, b signature) int {
			x, _ := version(a.m["version"])
			y, _ := version(b.m["version"])
			return int(x - y)
		})
		for i := 1; i < len(versions); i++ {
			l.saw("new version")
			l.onlyAdds(versions[i-1], versions[i])
		}
	}
}

// onlyAdds fails where a version takes something away from the one before it.
func (l *look) onlyAdds(before, after signature) {
	for _, list := range []string{"input_parameters", "output_parameters"} {
		old, young := before.byName(list), after.byName(list)
		for _, name := range slices.Sorted(maps.Keys(old)) {
			switch {
			case young[name] == nil:
				l.fail("%s does not have %s of the version before", after.at, quoted(name))
			case parameter{m: old[name]}.kind() != (parameter{m: young[name]}).kind():
				l.fail("%s: %s has another type than before", after.at, quoted(name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(young)) {
			if list == "input_parameters" && old[name] == nil && young[name]["required"] != false {
				l.fail("%s: the new input %s is required", after.at, quoted(name))
			}
		}
	}
}
