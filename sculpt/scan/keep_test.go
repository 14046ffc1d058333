package scan

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
)

// TestAllocations bounds what an answer costs, which no load of the machine
// moves: pointers, lists and texts share allocations. The race detector counts
// each of the 729 empty lists of the tree.
func TestAllocations(t *testing.T) {
	most := map[string]float64{"forecast": 20, "hourly": 30, "names": 10, "deep": 1150, "list": 1200}
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
