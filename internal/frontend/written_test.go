package frontend

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// rawOf are the texts of values.
func rawOf(list []*written) string {
	var out []string
	for _, w := range list {
		out = append(out, w.key+"="+string(w.raw))
	}
	return strings.Join(out, " ")
}

// TestWritten: every value knows the place of its text, however it is laid out.
func TestWritten(t *testing.T) {
	const text = ` {"a": 1, "b" :{"c": ["x",  {"d":true} ], "e.f": null}, "g": "h"} `
	var walk func(w *written)
	var got []string
	walk = func(w *written) {
		if string(w.raw) != strings.TrimSpace(text) && w.up != nil && text[w.from:w.to] != string(w.raw) {
			t.Errorf("%s is said to be at %q", w.raw, text[w.from:w.to])
		}
		got = append(got, fmt.Sprintf("%s %v", w.key, w.isList))
		for _, k := range w.kids {
			if k.up != w {
				t.Errorf("%s is not in %s", k.raw, w.raw)
			}
			walk(k)
		}
	}
	walk(read([]byte(text)))
	if want := " false, a false, b false, c true,  false,  false, d false, e.f false, g false"; strings.Join(got, ", ") != want {
		t.Errorf("got %q\nwant %q", strings.Join(got, ", "), want)
	}
	if w := read([]byte(`{"a": 1, "b": x}`)); len(w.kids) != 1 {
		t.Errorf("what is no JSON ends it: %s", rawOf(w.kids))
	}
	if read([]byte(`["a"]`)).kid("") != nil {
		t.Error("a list has a member")
	}
}

// TestFind: parts of changes by their names, in the tool, around it, and in the
// flow that a step runs.
func TestFind(t *testing.T) {
	const long = `{"env": {"KEY": {"default": "k"}}, "constants": {"a.b": {"c": 1}}, "flows": {"f": {"steps": {"q": {"call": "s.x", "with": {"id": 1}}}, "let": {"m": "in let"}, "results": {"r": "in results"}}},
		"tools": {"one": {"allow": "x", "let": {"n": 2}, "steps": {"s": {"cache": "1s"}, "cost": {"flow": "f", "with": {"w": "given"}}, "odd": {"flow": 7}, "none": {"flow": "gone"}}, "outputs": {"o.p": {"value": 3}}}, "two": {"allow": "y"}}}`
	const short = `{"tools": {"one": {"call": "s.x", "with": {"steps": 1, "id": 2}}}}`
	for _, c := range []struct{ text, part, want string }{
		{long, "allow", `allow="x"`}, {long, "let.n", "n=2"}, {long, "steps.s.cache", `cache="1s"`}, {long, "outputs.o.p.value", "value=3"},
		{long, "constants.a.b", `a.b={"c": 1}`}, {long, "constants.a.b.c", "c=1"}, {long, "env.KEY.default", `default="k"`},
		{long, "steps.cost.q.with.id", "id=1"}, {long, "let.cost.m", `m="in let"`}, {long, "let.cost.r", `r="in results"`}, {long, "let.cost.w", `w="given"`},
		{long, "steps.cost.flow", `flow="f"`}, {long, "steps.cost.m", ""}, {long, "let.cost", ""}, {long, "let.cost.x", ""}, {long, "steps.odd.q", ""},
		{long, "let.none.m", ""}, {long, "steps.none.q", ""}, {long, "steps.gone.q", ""}, {long, "outputs.cost.m", ""}, {long, "nothing", ""}, {long, "two.allow", ""}, {long, "tools.two.allow", `allow="y"`},
		{short, "steps.one.with.id", "id=2"}, {short, "steps.one.with", `with={"steps": 1, "id": 2}`}, {short, "with.steps", "steps=1"}, {short, "steps.one.call", `call="s.x"`},
		{`{"tools": {}, "allow": 1}`, "allow", ""}, {`{"allow": 1}`, "allow", ""}, {`[]`, "allow", ""},
	} {
		got := ""
		if w := read([]byte(c.text)).find(c.part); w != nil {
			got = rawOf([]*written{w})
		}
		if got != c.want {
			t.Errorf("%s in %.30s: %s, want %s", c.part, c.text, got, c.want)
		}
	}
}

// TestDiffering: the values that only one of two has, without the texts for people.
func TestDiffering(t *testing.T) {
	for _, c := range []struct{ was, is, added, gone string }{
		{`{"a": 1}`, `{"a": 1}`, "", ""},
		{`{"a": 1, "b": 2}`, `{"a": 3, "b": 2}`, "a=3", ""},
		{`{"a": 1, "b": {"c": 2, "d": 3}}`, `{"a": 1}`, "", "c=2 d=3"},
		{`{"a": 1}`, `{"a": 1, "b": {"c": 2, "text": "prose"}}`, "c=2", ""},
		{`{"a": {"b": 1}}`, `{"a": 7}`, "a=7", ""},
		{`{"a": 7}`, `{"a": {"b": 1}}`, "b=1", ""},
		{`{"a": [1, 2, 3]}`, `{"a": [1, 4, 3]}`, "=4", ""},
		{`{"a": [1, 2, 3]}`, `{"a": [1, 3]}`, "", "=2"},
		{`{"a": [1, 3]}`, `{"a": [1, 2, 3]}`, "=2", ""},
		{`{"a": [1]}`, `{"a": [2, 3]}`, "=2 =3", ""},
		{`{"a": [1, 2]}`, `{"a": [3]}`, "=3", "=2"},
		{`{"a": [1, 1]}`, `{"a": [1]}`, "", "=1"},
		{`{"a": [1]}`, `{"a": [1, 1]}`, "=1", ""},
		{`{"a": [{"b": 1, "c": 2}]}`, `{"a": [{"b": 1, "c": 3}]}`, "c=3", ""},
		{`{"a": [1]}`, `{"a": {"b": 1}}`, "b=1", "=1"},
		{`{"description": "a", "text": "a", "message": "a", "developer": "a", "hint": "a", "title": "a", "because": "a", "call": "a", "id": "a"}`,
			`{"description": "b", "text": "b", "message": "b", "developer": "b", "hint": "b", "title": "b", "because": "b", "call": "b", "id": "b", "x": 1}`, "x=1", ""},
		{`{"with": {"id": 1, "title": 1}}`, `{"with": {"id": 2, "title": 2}}`, "id=2 title=2", ""},
	} {
		added, gone := differing(read([]byte(c.was)), read([]byte(c.is)))
		if rawOf(added) != c.added || rawOf(gone) != c.gone {
			t.Errorf("%s to %s: added %q, gone %q, want %q and %q", c.was, c.is, rawOf(added), rawOf(gone), c.added, c.gone)
		}
	}
	old := read([]byte(`{"a": 1, "b": 2}`))
	if added, gone := differing(nil, old); rawOf(added) != "a=1 b=2" || len(gone) > 0 {
		t.Errorf("new: %q and %q", rawOf(added), rawOf(gone))
	}
	if added, gone := differing(old, nil); len(added) > 0 || rawOf(gone) != "a=1 b=2" {
		t.Errorf("gone: %q and %q", rawOf(added), rawOf(gone))
	}
}

// TestOthers: what is tried in the place of a value.
func TestOthers(t *testing.T) {
	wrapped := func(form, e string) []string {
		var out []string
		for _, other := range []string{"(E) + 1", "(E) + 1.5", `(E) + "~"`, "!(E)", "(E).take(0)", "(E).orValue(0) + 1", "(E).orValue(0.0) + 1.5", `(E).orValue("") + "~"`, "!((E).orValue(false))", "(E).orValue([]).take(0)"} {
			out = append(out, plain(strings.ReplaceAll(strings.ReplaceAll(form, "FORM", other), "E", e)))
		}
		return append(out, `"~"`)
	}
	text := func(of ...string) []string { return of }
	for _, c := range []struct {
		key, raw string
		want     []string
	}{
		{"max", "7", text("8", "6")}, {"max", "-1", text("0", "-2")}, {"x", "1.5", text("1.51")}, {"x", "true", text("false")}, {"x", "false", text("true")},
		{"x", "null", text(`"~"`, `"_x"`, `"_X"`, `"1"`)}, {"x", "[]", nil}, {"x", "{}", nil},
		{"x", `"a"`, text(`"a~"`, `"a_x"`, `"a_X"`, `"1"`)}, {"x", `"a ${b}"`, text(`"a ${b}~"`, `"a ${b}_x"`, `"a ${b}_X"`, `"1"`)},
		{"x", `"${b} ${c}"`, text(`"${b} ${c}~"`, `"${b} ${c}_x"`, `"${b} ${c}_X"`, `"1"`)},
		{"x", `"10s"`, text(`"110s"`)}, {"x", `"5ms"`, text(`"15ms"`)}, {"x", `"2m"`, text(`"12m"`)}, {"x", `"3h"`, text(`"13h"`)}, {"x", `"3d"`, text(`"3d~"`, `"3d_x"`, `"3d_X"`, `"1"`)},
		{"x", `"${b}"`, wrapped("${FORM}", "b")}, {"x", `"${b\n+ c}"`, wrapped("${FORM}", "b\n+ c")},
		{"check", `"b > 1"`, wrapped("FORM", "b > 1")}, {"when", `"b"`, wrapped("FORM", "b")}, {"until", `"b"`, wrapped("FORM", "b")}, {"items", `"b"`, wrapped("FORM", "b")},
		{"next", `"b"`, wrapped("FORM", "b")}, {"in", `"b"`, wrapped("FORM", "b")}, {"for_each", `"b"`, wrapped("FORM", "b")}, {"allow", `"b"`, wrapped("FORM", "b")},
	} {
		if got := (&written{key: c.key, raw: []byte(c.raw)}).others(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s becomes %q, want %q", c.key, c.raw, got, c.want)
		}
	}
	output := read([]byte(`{"fallback": "B", "values": {"a": {"name": "A", "text": "x"}, "b": {"name": "B"}, "c": {"name": "C"}, "d": {"name": 7}}}`))
	if got, want := strings.Join(output.kid("fallback").others(), " "), `"A" "C" "B~" "B_x" "B_X" "1"`; got != want {
		t.Errorf("a fallback becomes %s, want %s", got, want)
	}
}
