package lower

import "testing"

// A length that is at least some number decides comparisons, at the edges too; one
// of which nothing is known decides none.
func TestLonger(t *testing.T) {
	type want struct{ known, outcome bool }
	for _, c := range []struct {
		op       string
		n, least int
		want     want
	}{
		{">", 1, 2, want{true, true}}, {">", 2, 2, want{false, true}}, {">=", 2, 2, want{true, true}}, {">=", 3, 2, want{false, true}}, {">=", 0, 0, want{false, true}}, {">=", 1, 1, want{true, true}}, {">=", 0, 1, want{true, true}},
		{"<=", 1, 2, want{true, false}}, {"<=", 2, 2, want{false, false}}, {"<", 2, 2, want{true, false}}, {"<", 3, 2, want{false, false}}, {"<", 0, 0, want{false, false}}, {"<", 1, 1, want{true, false}},
		{"==", 1, 2, want{true, false}}, {"==", 2, 2, want{false, false}}, {"!=", 1, 2, want{true, true}}, {"!=", 2, 2, want{false, true}}, {"+", 1, 2, want{}},
	} {
		if known, outcome := longer(c.op, c.n, c.least); (want{known, outcome}) != c.want {
			t.Errorf("%d or more %s %d: %v %v", c.least, c.op, c.n, known, outcome)
		}
	}
}

// A test of a length is one of len against a number, also as int64.
func TestLengthTest(t *testing.T) {
	length := Call{Func{"", "len"}, []Value{Local{"a"}}}
	for _, c := range []struct {
		of   Binary
		n    int
		want bool
	}{
		{Binary{">", length, Const{2}}, 2, true}, {Binary{">", Call{Func{"", "int64"}, []Value{length}}, Const{int64(3)}}, 3, true}, {Binary{">", length, Const{int64(0)}}, 0, true}, {Binary{">", length, Const{int64(-1)}}, -1, false},
		{Binary{">", length, Const{int64(1<<30 - 1)}}, 1<<30 - 1, true}, {Binary{">", length, Const{int64(1 << 30)}}, 1 << 30, false}, {Binary{">", length, Const{"a"}}, 0, false}, {Binary{">", length, Local{"b"}}, 0, false}, {Binary{">", Local{"a"}, Const{1}}, 0, false},
		{Binary{">", Call{Func{"", "cap"}, []Value{Local{"a"}}}, Const{1}}, 0, false}, {Binary{">", Call{Func{"", "int64"}, []Value{Local{"a"}}}, Const{1}}, 0, false},
	} {
		list, op, n, ok := lengthTest(c.of)
		if ok != c.want || n != c.n || ok && (list != Value(Local{"a"}) || op != ">") {
			t.Errorf("%s: %v %s %d %v", Text(c.of), list, op, n, ok)
		}
	}
}
