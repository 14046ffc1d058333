package gen

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestMergedIndex: an index that git put together of two branches, with markers
// or by the driver "union", lists what both wrote, so that generate goes on. A
// file that only looks like one lists nothing.
func TestMergedIndex(t *testing.T) {
	ours, theirs := indexOf([]File{{"a.json", []byte("1")}, {"b.json", []byte("1")}}), indexOf([]File{{"a.json", []byte("1")}, {"b.json", []byte("2")}, {"c.json", []byte("2")}})
	lines := func(f File) []string { return strings.SplitAfter(string(f.Data), "\n") }
	o, h := lines(ours), lines(theirs)
	markers := o[0] + o[1] + "<<<<<<< HEAD\n" + o[2] + "=======\n" + h[2] + h[3] + ">>>>>>> theirs\n]}\n"
	union := strings.ReplaceAll(o[0]+o[1]+o[2]+h[2]+h[3]+"]}\n", "\n", "\r\n")
	for _, text := range []string{markers, union} {
		b := newBox(t)
		b.put("exports/index.json", text)
		b.put("exports/a.json", "1")
		b.put("exports/b.json", "1")
		b.put("exports/c.json", "2")
		if got := fmt.Sprint(b.write(fresh("exports/a.json", "3", "exports/b.json", "3"))); got != "[exports/a.json exports/b.json exports/c.json exports/index.json]" {
			t.Errorf("%s:\n%s", text, got)
		}
	}
	for _, text := range []string{markers + "more\n", strings.Replace(markers, "sculpt", "carve", 1), "<<<<<<< HEAD\n" + markers, markers + `{"path":5}` + "\n"} {
		if listed, ours := readIndex([]byte(text)); ours || listed != nil {
			t.Errorf("%v of %s", listed, text)
		}
	}
}

// TestGivenUp: files that nobody generates are written over and removed only if
// they are named, and before a record is there.
func TestGivenUp(t *testing.T) {
	b := newBox(t)
	for _, name := range []string{"sculpt.yaml", "history/a/v0001.json", "history/a/examples/v0001-x.json", "history/a/mine.txt"} {
		b.put(name, "old")
	}
	files := append(weatherFiles(), File{"history/a/v0001.json", []byte("new")}, File{"sculpt.yaml", []byte("new")})
	before := b.content()
	if _, err := Write(b.root, files, nil); err == nil || !strings.Contains(err.Error(), "history/a/v0001.json was not written by sculpt") {
		t.Error(err)
	}
	b.same(before)
	changed, err := Write(b.root, files, nil, "history/a/v0001.json", "sculpt.yaml", "history/a/examples/v0001-x.json", "history/a/gone.json")
	if err != nil || !slices.Contains(changed, "history/a/examples/v0001-x.json") {
		t.Error(changed, err)
	}
	after := b.content()
	if _, there := after["history/a/examples/v0001-x.json"]; there || after["history/a/v0001.json"] != "new" || after["sculpt.yaml"] != "new" || after["history/a/mine.txt"] != "old" {
		t.Error(after)
	}
	turns := map[string]int{}
	for _, c := range inTurns([]change{{name: "sculpt.yaml", free: true}, {name: "history/a/v0001.json", free: true}, {name: "history/a/examples/v0001-x.json", free: true, stale: true}}) {
		turns[c.name] = c.turn
	}
	if turns["sculpt.yaml"] != evidenceTurn || turns["history/a/v0001.json"] != recordTurn || turns["history/a/examples/v0001-x.json"] != evidenceTurn {
		t.Error(turns)
	}
}
