package lower

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sculpt-tools/sculpt/internal/types"
)

// TestPruneKeepsOutcomes runs random blocks with and without the checks that
// prune leaves out, over random answers: the same statements see the same values,
// and the same checks fail.
func TestPruneKeepsOutcomes(t *testing.T) {
	removed := 0
	rapid.Check(t, func(t *rapid.T) {
		w := &blockWriter{T: t}
		b := w.block([]string{"xs", "ys"}, nil, 3)
		before := Dump(b)
		answers := map[string]any{}
		for _, name := range []string{"xs", "ys"} {
			answers[name] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) any {
				return map[string]any{"a": rapid.SampledFrom([]any{nil, "1", "2"}).Draw(t, "a"), "b": rapid.SampledFrom([]any{nil, "1"}).Draw(t, "b")}
			}), 0, 3).Draw(t, name)
		}
		answers["flag"] = rapid.Bool().Draw(t, "flag")
		answers["word"] = rapid.SampledFrom(words).Draw(t, "word")
		want := runBlock(b, answers)
		prune(b)
		if Dump(b) != before {
			removed++
		}
		if got := runBlock(b, answers); got != want {
			t.Fatalf("over %v\n%s\nwithout checks\n%s\ngives\n%s\nand not\n%s", answers, before, Dump(b), got, want)
		}
	})
	if removed < 10 {
		t.Errorf("%d blocks were changed: too few to say anything", removed)
	}
}

// A blockWriter writes random blocks over lists of things with the members a and
// b; n numbers variables and checks.
type blockWriter struct {
	*rapid.T
	n int
}

func (w *blockWriter) fresh(prefix string) string {
	w.n++
	return fmt.Sprint(prefix, w.n)
}

func (w *blockWriter) pick(name string, from []string) string {
	return rapid.SampledFrom(from).Draw(w.T, name)
}

// value is a value of a thing that may be missing.
func (w *blockWriter) value(lists, things []string) Value {
	var x Value
	if len(things) > 0 && rapid.Bool().Draw(w.T, "thing") {
		x = Local{w.pick("of", things)}
	} else {
		x = Index{Local{w.pick("list", lists)}, Const{rapid.IntRange(0, 1).Draw(w.T, "i")}}
	}
	return member(x, w.pick("member", []string{"a", "b"}))
}

// guards are checks that a value can be read, and is there.
func (w *blockWriter) guards(v Value) []Stmt {
	var out []Stmt
	if at, ok := v.(Field).X.(Index); ok {
		out = append(out, Guard{Cond: Binary{"<=", count(at.X), at.I}, Fail: Fail{Kind: FailIndex, Step: w.fresh("short")}})
	}
	return append(out, Guard{Cond: isNil(v), Fail: Fail{Step: w.fresh("missing")}})
}

func (w *blockWriter) block(lists, things []string, depth int) *Block {
	b := &Block{}
	for range rapid.IntRange(1, 4).Draw(w.T, "statements") {
		var more []Stmt
		form := rapid.IntRange(0, 8).Draw(w.T, "form")
		if depth == 0 {
			form %= 3
		}
		switch form {
		case 0, 1:
			v := w.value(lists, things)
			more = append(w.guards(v), spokenOf(v))
		case 2:
			name := w.fresh("l")
			more = []Stmt{Define{Name: name, V: Local{w.pick("from", lists)}, Type: things2}}
			lists = append(slices.Clip(lists), name)
		case 3:
			x := w.fresh("x")
			more = []Stmt{Range{Elem: x, Over: Local{w.pick("over", lists)}, Body: w.block(lists, append(slices.Clip(things), x), depth-1)}}
		case 4:
			more = []Stmt{If{Cond: w.condition(lists), Then: w.block(lists, things, depth-1), Else: w.block(lists, things, depth-1)}}
		case 5:
			var name string
			more, name = w.filter(lists, depth)
			lists = append(slices.Clip(lists), name)
		case 6:
			name := w.fresh("m")
			more = []Stmt{
				Define{Name: name, V: Local{w.pick("one", lists)}, Type: things2},
				If{Cond: w.condition(lists), Then: &Block{Stmts: []Stmt{Assign{name, Local{w.pick("other", lists)}}}}},
			}
			lists = append(slices.Clip(lists), name)
		case 7:
			more = []Stmt{Guard{Cond: w.condition(lists), Fail: Fail{Step: w.fresh("refused")}}}
		case 8:
			more = []Stmt{Assign{"word", Const{rapid.SampledFrom(words).Draw(w.T, "becomes")}}, spokenOf(Local{"word"})}
		}
		b.Stmts = append(b.Stmts, more...)
	}
	return b
}

// words are what the variable word may be.
var words = []any{"", "a", "b"}

var things2 = types.ListOf(thing)

func (w *blockWriter) condition(lists []string) Value {
	switch rapid.IntRange(0, 4).Draw(w.T, "condition") {
	case 0:
		return Local{"flag"}
	case 1:
		return Binary{"!=", count(Local{w.pick("long", lists)}), Const{0}}
	case 2, 3:
		is := Binary{w.pick("comparison", []string{"==", "!="}), Local{"word"}, Const{rapid.SampledFrom(words).Draw(w.T, "than")}}
		if rapid.Bool().Draw(w.T, "alone") {
			return is
		}
		return Binary{w.pick("junction", []string{"&&", "||"}), is, Binary{"==", Local{"word"}, Const{rapid.SampledFrom(words).Draw(w.T, "or")}}}
	}
	return Unary{"!", Binary{">", count(Local{w.pick("longer", lists)}), Const{1}}}
}

// filter makes a list of some elements of others.
func (w *blockWriter) filter(lists []string, depth int) ([]Stmt, string) {
	name := w.fresh("f")
	out := []Stmt{Var{Name: name, Type: things2}}
	for range rapid.IntRange(1, 2).Draw(w.T, "loops") {
		x := w.fresh("x")
		body := w.block(lists, []string{x}, depth-1)
		var put Stmt = Append{name, Local{x}}
		if rapid.Bool().Draw(w.T, "some") {
			put = If{Cond: Binary{"!=", member(Local{x}, "b"), Nil{}}, Then: &Block{Stmts: []Stmt{put}}}
		}
		if rapid.Bool().Draw(w.T, "early") {
			body.Stmts = append([]Stmt{If{Cond: Local{"flag"}, Then: &Block{Stmts: []Stmt{Break{}}}}}, body.Stmts...)
		}
		body.Stmts = append(body.Stmts, put)
		out = append(out, Range{Elem: x, Over: Local{w.pick("over", lists)}, Body: body})
	}
	return out, name
}

// A machine runs blocks as Go would run what they become.
type machine struct {
	vars  map[string]any
	trace strings.Builder
}

func runBlock(b *Block, answers map[string]any) string {
	m := &machine{vars: map[string]any{}}
	maps.Copy(m.vars, answers)
	m.run(b)
	return m.trace.String()
}

// run returns false where the function has failed, or a loop is left.
func (m *machine) run(b *Block) bool {
	if b == nil {
		return true
	}
	for _, st := range b.Stmts {
		switch s := st.(type) {
		case Define:
			m.vars[s.Name] = m.eval(s.V)
		case Var:
			m.vars[s.Name] = []any(nil)
		case Assign:
			m.vars[s.Name] = m.eval(s.V)
		case Append:
			list := m.vars[s.List].([]any)
			m.vars[s.List] = append(slices.Clip(list), m.eval(s.V))
		case Guard:
			if m.eval(s.Cond).(bool) {
				fmt.Fprintln(&m.trace, "fails", s.Fail.Step)
				m.vars["failed"] = true
				return false
			}
		case If:
			arm := s.Else
			if m.eval(s.Cond).(bool) {
				arm = s.Then
			}
			if !m.run(arm) {
				return false
			}
		case Range:
			for _, x := range m.eval(s.Over).([]any) {
				m.vars[s.Elem] = x
				if !m.run(s.Body) {
					break
				}
			}
			if m.vars["failed"] != nil {
				return false
			}
		case Break:
			return false
		case Node:
			fmt.Fprintln(&m.trace, m.eval(s.Uses[0]))
		}
	}
	return true
}

func (m *machine) eval(v Value) any {
	switch v := v.(type) {
	case Local:
		return m.vars[v.Name]
	case Const:
		return v.V
	case Nil:
		return nil
	case Field:
		return m.eval(v.X).(map[string]any)[v.Name]
	case Index:
		return m.eval(v.X).([]any)[m.eval(v.I).(int)]
	case Unary:
		return !m.eval(v.X).(bool)
	case Call:
		return len(m.eval(v.Args[0]).([]any))
	case Binary:
		switch v.Op {
		case "&&":
			return m.eval(v.L).(bool) && m.eval(v.R).(bool)
		case "||":
			return m.eval(v.L).(bool) || m.eval(v.R).(bool)
		case "==":
			return m.eval(v.L) == m.eval(v.R)
		case "!=":
			return m.eval(v.L) != m.eval(v.R)
		case ">":
			return m.eval(v.L).(int) > m.eval(v.R).(int)
		}
		return m.eval(v.L).(int) <= m.eval(v.R).(int)
	}
	panic(fmt.Sprintf("no value for %T", v))
}
