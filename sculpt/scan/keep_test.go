package scan

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/golden"
)

// TestAllocations bounds what an answer costs, which no load of the machine
// moves: lists and texts share allocations, also where each of 1,000 elements has
// lists of its own.
func TestAllocations(t *testing.T) {
	if golden.Race {
		t.Skip("with the race detector pools forget things on purpose")
	}
	most := map[string]float64{"forecast": 5, "hourly": 8, "names": 4, "deep": 20, "list": 25}
	for _, shape := range shapes() {
		r := bytes.NewReader(nil)
		got := testing.AllocsPerRun(20, func() {
			r.Reset(shape.text)
			s := NewReader(r, Limits{})
			shape.scan(s)
			s.Release()
		})
		t.Logf("%s: %.0f allocations", shape.name, got)
		if got > most[shape.name] {
			t.Errorf("%s: %.0f allocations, more than %.0f", shape.name, got, most[shape.name])
		}
	}
}

func TestSkippingAllocatesNothing(t *testing.T) {
	for _, shape := range shapes() {
		s := &Scanner{}
		s.joins = new(joins)
		got := testing.AllocsPerRun(5, func() {
			s.pos, s.state = 0, state{}
			s.buf = shape.text
			s.limit(Limits{})
			s.Skip()
		})
		if got > 0 || s.Err() != nil {
			t.Errorf("%s: %v allocations, %v", shape.name, got, s.Err())
		}
	}
}

// TestTextsStay reads more texts than a chunk holds, over several answers, and
// looks at all of them afterwards.
func TestTextsStay(t *testing.T) {
	var want, got []string
	var pointers []*string
	for answer := range 20 {
		var list []string
		for i := range 300 {
			list = append(list, strconv.Itoa(answer)+"."+strings.Repeat("ä", i*7%600)+strconv.Itoa(i))
		}
		want = append(want, list...)
		text := `["` + strings.Join(list, `","`) + `"]`
		s := NewReader(strings.NewReader(text), Limits{})
		for _, p := range Pointers(s, List(s, (*Scanner).Text)) {
			got, pointers = append(got, *p), append(pointers, p)
		}
		if s.End(); s.Err() != nil {
			t.Fatal(s.Err())
		}
		if s.Release(); s.texts.Cap() > chunk+chunk/4 {
			t.Fatalf("%d bytes are kept", s.texts.Cap())
		}
	}
	for i := range want {
		if got[i] != want[i] || *pointers[i] != want[i] {
			t.Fatalf("text %d: got %q and %q, want %q", i, got[i], *pointers[i], want[i])
		}
	}
}

// TestPointersAreDistinct: a value that shares its allocation with others is
// still its own.
func TestPointersAreDistinct(t *testing.T) {
	s := NewBytes([]byte("["+strings.Repeat("1,2.5,true,null,", 200)+"0]"), Limits{})
	defer s.Release()
	var ints []*int64
	var floats []*float64
	var bools []*bool
	number, real, truth := Nullable((*Scanner).Int), Nullable((*Scanner).Float), Nullable((*Scanner).Bool)
	s.OpenList()
	for range 200 {
		s.NextElem()
		ints = append(ints, number(s))
		s.NextElem()
		floats = append(floats, real(s))
		s.NextElem()
		bools = append(bools, truth(s))
		s.NextElem()
		if number(s) != nil {
			t.Fatal("a null has a value")
		}
	}
	for i := range ints {
		if *ints[i] != 1 || *floats[i] != 2.5 || !*bools[i] {
			t.Fatalf("value %d: %d %v %v", i, *ints[i], *floats[i], *bools[i])
		}
		*ints[i], *floats[i], *bools[i] = 0, 0, false
	}
}

func TestOptional(t *testing.T) {
	there, missing := Optional[int64]{7, true}, Optional[int64]{}
	if p := there.Pointer(); p != &there.Value || there.Or(1) != 7 {
		t.Errorf("got %v and %d", p, there.Or(1))
	}
	if p := missing.Pointer(); p != nil || missing.Or(1) != 1 {
		t.Errorf("got %v and %d of what is missing", p, missing.Or(1))
	}
}

// A member of each form that decoders have.
type (
	knot struct {
		Name  Optional[string] `json:"name"`
		Leaf  Optional[leaf]   `json:"leaf"`
		Next  *knot            `json:"next"`
		Kids  []*knot          `json:"kids"`
		Rows  [][]*leaf        `json:"rows"`
		Gaps  []*string        `json:"gaps"`
		Named map[string]*leaf `json:"named"`
	}
	leaf struct {
		Size  Optional[int64] `json:"size"`
		Words []string        `json:"words"`
	}

	knotJSON struct {
		Name  *string              `json:"name"`
		Leaf  *leafJSON            `json:"leaf"`
		Next  *knotJSON            `json:"next"`
		Kids  []*knotJSON          `json:"kids"`
		Rows  [][]*leafJSON        `json:"rows"`
		Gaps  []*string            `json:"gaps"`
		Named map[string]*leafJSON `json:"named"`
	}
	leafJSON struct {
		Size  *int64   `json:"size"`
		Words []string `json:"words"`
	}
)

var (
	knotKeys = NewKeys("name", "leaf", "next", "kids", "rows", "gaps", "named")
	leafKeys = NewKeys("size", "words")
)

func scanKnot(s *Scanner) (v knot) {
	for s.Open(); s.Next(knotKeys); {
		switch s.Key() {
		case "name":
			v.Name = s.OptText()
		case "leaf":
			v.Leaf = Opt(s, scanLeaf)
		case "next":
			v.Next = Nullable(scanKnot)(s)
		case "kids":
			v.Kids = Pointers(s, List(s, scanKnot))
		case "rows":
			v.Rows = List(s, func(s *Scanner) []*leaf { return Pointers(s, List(s, scanLeaf)) })
		case "gaps":
			v.Gaps = List(s, Nullable((*Scanner).Text))
		case "named":
			v.Named = Map(s, Pointer(scanLeaf))
		}
	}
	return v
}

func scanLeaf(s *Scanner) (v leaf) {
	for s.Open(); s.Next(leafKeys); {
		switch s.Key() {
		case "size":
			v.Size = s.OptInt()
		case "words":
			v.Words = List(s, (*Scanner).Text)
		}
	}
	return v
}

// randomKnot makes a tree of the members of knot, some of them missing or null.
func randomKnot(r *rand.Rand, depth int) map[string]any {
	many := func() int { return []int{0, 1, 2, 3, 9, 40}[r.IntN(6)] >> (3 - min(depth, 3)) }
	text := func() string { return strings.Repeat("ü", r.IntN(20)) + strconv.Itoa(r.IntN(1000)) }
	aLeaf := func() any {
		words := make([]string, many())
		for i := range words {
			words[i] = text()
		}
		return map[string]any{"size": r.IntN(100), "words": words}
	}
	m := map[string]any{}
	parts := map[string]func() any{
		"name": func() any { return text() }, "leaf": aLeaf, "next": func() any { return randomKnot(r, depth-1) },
		"kids": func() any { return times(many(), func() any { return randomKnot(r, depth-1) }) },
		"rows": func() any { return times(many(), func() any { return times(many(), aLeaf) }) },
		"gaps": func() any { return times(many(), func() any { return []any{nil, text()}[r.IntN(2)] }) },
		"named": func() any {
			named := map[string]any{}
			for range many() {
				named[text()] = aLeaf()
			}
			return named
		},
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		switch r.IntN(6) {
		case 0:
		case 1:
			m[name] = nil
		default:
			if depth > 0 {
				m[name] = parts[name]()
			}
		}
	}
	return m
}

func times(n int, one func() any) []any {
	list := []any{}
	for range n {
		list = append(list, one())
	}
	return list
}

// TestRandomAnswers reads random answers one after another and looks at all of them afterwards:
// what scanners keep belongs to one of them only, and to one value of it.
func TestRandomAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want []string
	var got []knot
	for range 200 {
		text, _ := json.Marshal(randomKnot(r, 3))
		var theirs knotJSON
		if err := json.Unmarshal(text, &theirs); err != nil {
			t.Fatal(err)
		}
		rendered, _ := json.Marshal(theirs)
		want = append(want, string(rendered))
		s := NewReader(bytes.NewReader(text), Limits{})
		got = append(got, scanKnot(s))
		if s.End(); s.Err() != nil {
			t.Fatal(s.Err())
		}
		s.Release()
	}
	for i := range want {
		if text, _ := json.Marshal(got[i]); string(text) != want[i] {
			t.Fatalf("answer %d:\n got %s\nwant %s", i, text, want[i])
		}
	}
}

// TestLongLists: what is too long to be kept goes with its list.
func TestLongLists(t *testing.T) {
	text := []byte("[" + strings.TrimSuffix(strings.Repeat("[1,"+strings.Repeat("2,", 40_000)+"3],", 2), ",") + "]")
	var read [][]int64
	for range 3 {
		s := NewBytes(text, Limits{})
		for s.OpenList(); s.NextElem(); {
			read = append(read, List(s, (*Scanner).Int))
		}
		if s.Release(); s.Err() != nil {
			t.Fatal(s.Err())
		}
	}
	for i, list := range read {
		if len(list) != 40_002 || list[0] != 1 || slices.Contains(list[1:40_001], 3) || list[40_001] != 3 {
			t.Errorf("list %d has %d elements, or other ones", i, len(list))
		}
		clear(list)
	}
}

// TestManyTypes: scanners go from one package to another, and do not collect their types.
func TestManyTypes(t *testing.T) {
	s := NewBytes([]byte("[]"), Limits{})
	for range keepHomes + 1 {
		s.homes = append(s.homes, new(home[int]))
	}
	if s.Release(); len(s.homes) > 0 {
		t.Errorf("%d homes are kept", len(s.homes))
	}
}

// TestListsAreBounded: an answer of the allowed length cannot take memory without end.
func TestListsAreBounded(t *testing.T) {
	type wide [8]Optional[string]
	read := func(s *Scanner) (v wide) { s.Skip(); return v }
	text := []byte("[" + strings.Repeat("{},", 300_000) + "{}]")
	for range 3 { // a scanner that has read such a list before judges alike
		for bytes, fails := range map[int64]bool{1 << 20: true, 8 << 20: false, math.MaxInt64: false, -1: false} {
			s := NewBytes(text, Limits{Bytes: bytes})
			list := List(s, read)
			if err := s.Err(); (err != nil) != fails {
				t.Errorf("%d elements with a limit of %d: %v", len(list), bytes, err)
			} else if fails && err.Error() != "[174762]: the lists have too many elements (byte 524289)" {
				t.Errorf("got %q", err)
			}
			s.Release()
		}
	}
}

// TestShortTextsMayBeWide: a limit that is nearly used up is one of the text, not of what it becomes.
func TestShortTextsMayBeWide(t *testing.T) {
	type wide [100]Optional[string]
	text := []byte("[" + strings.Repeat("{},", 999) + "{}]")
	s := NewBytes(text, Limits{Bytes: int64(len(text))})
	defer s.Release()
	if list := List(s, func(s *Scanner) (v wide) { s.Skip(); return v }); len(list) != 1000 || s.Err() != nil {
		t.Errorf("%d elements, %v", len(list), s.Err())
	}
}
