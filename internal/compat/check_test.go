package compat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// release makes a version with one input a, as f leaves it.
func release(version int, f func(s *compat.Side, a *signature.Input)) *compat.Side {
	s := compat.SideOf(&signature.Signature{ID: "t", Name: "find", Version: version, Inputs: []signature.Input{
		{ID: "a", Name: "a", Type: signature.Int, Max: 100},
	}})
	s.Span = diag.Span{File: fmt.Sprintf("history/find/v%04d.json", version)}
	f(s, &s.Signature.Inputs[0])
	return s
}

func same(*compat.Side, *signature.Input) {}

func without(s *compat.Side, _ *signature.Input) { s.Signature.Inputs = nil }

func most(n int64) func(*compat.Side, *signature.Input) {
	return func(_ *compat.Side, a *signature.Input) { a.Max = n }
}

// known marks what a release recorded.
func known(f func(*compat.Side, *signature.Input), refs ...compat.Ref) func(*compat.Side, *signature.Input) {
	return func(s *compat.Side, a *signature.Input) {
		f(s, a)
		s.Known = refs
	}
}

func accepting(f func(*compat.Side, *signature.Input), entries ...compat.Accept) func(*compat.Side, *signature.Input) {
	return func(s *compat.Side, a *signature.Input) {
		f(s, a)
		s.Accept = entries
	}
}

func released(f func(*compat.Side, *signature.Input), entries ...compat.Accept) func(*compat.Side, *signature.Input) {
	return func(s *compat.Side, a *signature.Input) {
		f(s, a)
		s.Accepted = entries
	}
}

var (
	removed   = compat.Ref{Rule: "input-removed", Place: "inputs.a"}
	tightened = compat.Ref{Rule: "input-max-tightened", Place: "inputs.a"}
)

func TestCheck(t *testing.T) {
	entry := func(ref compat.Ref, since int, until string) compat.Accept {
		return compat.Accept{Rule: ref.Rule, At: ref.Place, Since: since, Reason: "nobody uses it", Until: until}
	}
	for _, c := range []struct {
		name    string
		history []*compat.Side
		next    func(*compat.Side, *signature.Input)
		// Lines of rule, message and related record; levels below warning are
		// left out.
		want []string
	}{
		{"nothing", []*compat.Side{release(1, same)}, same, nil},
		{"oldest once", []*compat.Side{release(1, same), release(2, same), release(3, same)}, without,
			[]string{`input-removed: input "a" (v1) is gone; callers of v1..v3 that send it are rejected (v0001)`}},
		{"some releases", []*compat.Side{release(1, same), release(2, known(most(50), tightened)), release(3, known(same, compat.Ref{Rule: "input-max-loosened", Place: "inputs.a"}))}, most(70),
			[]string{`input-max-tightened: max of input "a" fell from 100 (v3) to 70; 71 to 100 are rejected (v0003)`}},
		{"transitive", []*compat.Side{release(1, same), release(2, known(without, removed))}, func(_ *compat.Side, a *signature.Input) { a.Type, a.MaxLength = signature.String, 9 },
			[]string{`input-type-changed: input "a" was int in v1 and is now string; 0 is rejected (v0001)`}},
		{"id comes back with another name", []*compat.Side{release(1, same), release(2, known(without, removed))}, func(_ *compat.Side, a *signature.Input) { a.Name = "b" },
			[]string{`input-renamed: input id "a" was released as "a" (v1) and is now "b"; callers of v1 send names (v0001)`}},
		{"a break that was released", []*compat.Side{release(1, same), release(2, known(without, removed))}, without, nil},
		{"a break that was released under an entry", []*compat.Side{release(1, same), release(2, released(without, entry(removed, 1, "")))}, without, nil},
		{"accepted", []*compat.Side{release(1, same)}, accepting(without, entry(removed, 1, "2026-06-30")), nil},
		{"accepted since later", []*compat.Side{release(1, same), release(2, same)}, accepting(without, entry(removed, 2, "")),
			[]string{`input-removed: input "a" (v1) is gone; callers of v1 that send it are rejected (v0001)`}},
		{"expired", []*compat.Side{release(1, same)}, accepting(without, entry(removed, 1, "2026-06-29")), []string{
			`input-removed: input "a" (v1) is gone; callers of v1 that send it are rejected (v0001)`,
			`accept-expired: this accept entry (input-removed inputs.a) ended on 2026-06-29`,
		}},
		{"unused", []*compat.Side{release(1, same)}, accepting(same, entry(removed, 1, "")), []string{`accept-unused: this accept entry (input-removed inputs.a) matches nothing`}},
		{"misspelt", []*compat.Side{release(1, same)}, accepting(same, entry(compat.Ref{Rule: "input-remove"}, 1, "")),
			[]string{`accept-unused: there is no rule "input-remove" to accept, did you mean "input-removed"?`}},
		{"other place", []*compat.Side{release(1, same)}, accepting(without, entry(compat.Ref{Rule: "input-removed", Place: "inputs.b"}, 1, "")), []string{
			`input-removed: input "a" (v1) is gone; callers of v1 that send it are rejected (v0001)`,
			`accept-unused: this accept entry (input-removed inputs.b) matches nothing`,
		}},
		{"without reason", []*compat.Side{release(1, same)}, accepting(without, compat.Accept{Rule: removed.Rule, At: removed.Place, Since: 1}), []string{
			`input-removed: input "a" (v1) is gone; callers of v1 that send it are rejected (v0001)`,
			`accept-without-reason: this accept entry (input-removed inputs.a) gives no reason; the record of the release keeps it`,
		}},
		{"history rule", []*compat.Side{release(1, same)}, accepting(same, entry(compat.Ref{Rule: "history-tampered"}, 1, "")),
			[]string{`accept-not-allowed: history-tampered cannot be accepted; what is released is locked (A2T 6.1)`}},
		{"spent entry may stay", []*compat.Side{release(1, same), release(2, released(without, entry(removed, 1, "2026-01-01")))}, accepting(without, entry(removed, 1, "2026-01-01")), nil},
		{"spent entry does not cover the next break", []*compat.Side{release(1, same), release(2, released(most(50), entry(tightened, 1, "")))}, accepting(most(20), entry(tightened, 1, "")),
			[]string{`input-max-tightened: max of input "a" fell from 50 (v2) to 20; 21 to 50 are rejected (v0002)`}},
		{"a second entry does", []*compat.Side{release(1, same), release(2, released(most(50), entry(tightened, 1, "")))},
			accepting(most(20), entry(tightened, 1, ""), entry(tightened, 2, "")), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			next := release(len(c.history)+1, c.next)
			next.Span = diag.Span{File: "sculpt.yaml", Start: diag.Pos{Line: 1, Col: 1}}
			var got []string
			for _, f := range compat.Check(c.history, next, compat.Options{Today: "2026-06-30"}) {
				if f.Severity == diag.Note {
					continue
				}
				line := f.Rule.String() + ": " + f.Message
				if len(f.Related) > 0 {
					line += " (" + strings.TrimSuffix(strings.TrimPrefix(f.Related[0].Span.File, "history/find/"), ".json") + ")"
				}
				if f.Span.File != "sculpt.yaml" || f.Tool != "find" || f.Fix == "" {
					t.Errorf("%s stands at %v, tool %q, fix %q", f.Rule.String(), f.Span, f.Tool, f.Fix)
				}
				got = append(got, line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestAccepted: a release is made under the entries that it needs, and records
// each change once.
func TestAccepted(t *testing.T) {
	old := compat.Accept{Rule: removed.Rule, At: removed.Place, Since: 1, Reason: "unused"}
	history := []*compat.Side{release(1, same), release(2, released(same, old))}
	entry := compat.Accept{Rule: removed.Rule, At: removed.Place, Since: 2, Reason: "unused"}
	next := release(3, accepting(without, old, entry))
	if got := compat.Accepted(history, next, compat.Options{}); len(got) != 1 || got[0] != entry {
		t.Errorf("got %v", got)
	}
	changes := compat.Changes(history, next, compat.Options{})
	if len(changes) != 1 || changes[0].Ref != removed || !slices.Equal(changes[0].From, []int{2}) {
		t.Errorf("got %v", changes)
	}
}

// TestPlaces points findings at the innermost place that is known.
func TestPlaces(t *testing.T) {
	at := func(line int) diag.Span { return diag.Span{File: "sculpt.yaml", Start: diag.Pos{Line: line, Col: 1}} }
	history := []*compat.Side{release(1, same)}
	for places, want := range map[string]int{"inputs.a.max inputs.a inputs": 1, "inputs.a inputs": 1, "inputs": 1, "inputs.b": 99, "": 99} {
		next := release(2, most(50))
		next.Span, next.Places = at(99), map[string]diag.Span{}
		for i, p := range strings.Fields(places) {
			next.Places[p] = at(i + 1)
		}
		if got := compat.Check(history, next, compat.Options{}); got[0].Span != at(want) {
			t.Errorf("%q: got %v, want line %d", places, got[0].Span, want)
		}
	}
	// A renamed input stands under its new name.
	next := release(2, func(_ *compat.Side, a *signature.Input) { a.Name = "b" })
	next.Places = map[string]diag.Span{"inputs.b.name": at(7)}
	if got := compat.Check(history, next, compat.Options{}); got[0].Span != at(7) {
		t.Errorf("got %v", got[0].Span)
	}
}

func TestLevels(t *testing.T) {
	history := []*compat.Side{release(1, same)}
	next := release(2, func(_ *compat.Side, a *signature.Input) { a.Default = int64(1) })
	gone := release(2, without)
	for _, c := range []struct {
		next  *compat.Side
		rule  string
		level compat.Level
		want  compat.Level
	}{
		{next, "input-default-changed", compat.Note, compat.Note},
		{next, "input-default-changed", compat.Warning, compat.Warning},
		{next, "input-default-changed", compat.Error, compat.Error},
		{next, "input-default-changed", compat.None, compat.Warning}, // nothing can be turned off
		{next, "input-removed", compat.Error, compat.Warning},
		{gone, "input-removed", compat.Note, compat.Error}, // breaks of callers are accepted one by one
		{gone, "input-removed", compat.Warning, compat.Error},
	} {
		got := compat.Check(history, c.next, compat.Options{Levels: map[string]compat.Level{c.rule: c.level}})
		if len(got) != 1 || got[0].Severity.String() != c.want.String() {
			t.Errorf("%s %s: want %s, got %v", c.rule, c.level, c.want, got)
		}
	}
	for _, r := range compat.Rules {
		for level := compat.None; level <= compat.Error; level++ {
			if r.Allows(level) && (level == compat.None || r.Class == compat.History || r.Levels.ClientSafe == compat.Error && level < compat.Error) {
				t.Errorf("%s may be %s", r.ID, level)
			}
		}
	}
	for _, name := range []string{"none", "note", "warning", "error"} {
		if l, err := compat.ParseLevel(name); err != nil || l.String() != name {
			t.Errorf("%q: got %v, %v", name, l, err)
		}
	}
	if _, err := compat.ParseLevel("off"); err == nil {
		t.Error("there is no level off")
	}
	for _, name := range []string{"", "a2t", "letter", "client-safe"} {
		p, err := compat.ParsePolicy(name)
		if err != nil || name != "" && p.String() != name {
			t.Errorf("%q: got %v, %v", name, p, err)
		}
	}
	if _, err := compat.ParsePolicy("off"); err == nil {
		t.Error("there must be no way to turn the check off")
	}
}
