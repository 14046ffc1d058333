package history_test

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// announce makes the manifest say d, and records it.
func (w *world) announce(d signature.Deprecation) history.File {
	w.t.Helper()
	w.tools[0].Details.Deprecation = d
	h, findings := history.Read(w.files, dir)
	f, changed := h.Announce(w.tools[0], today)
	if len(findings) > 0 || !changed {
		w.t.Fatal(changed, findings)
	}
	w.files[f.Name] = &fstest.MapFile{Data: f.Data}
	if list := w.check(); len(list) > 0 {
		w.t.Fatal(render(list))
	}
	return f
}

func announcement(n int) string { return path.Join(dir, tool, fmt.Sprintf("deprecated%04d.json", n)) }

// TestAnnounce: what is announced of a tool is in no record of a version, and the
// newest announcement counts.
func TestAnnounce(t *testing.T) {
	w := newWorld(t)
	record := w.files[name(3)].Data
	late, later := signature.Deprecation{Since: "2026-12-01", Sunset: "2027-06-30"}, signature.Deprecation{Since: "2026-12-01", Sunset: "2027-12-31"}
	if f := w.announce(late); f.Name != announcement(1) {
		t.Error(f.Name)
	}
	if f := w.announce(later); f.Name != announcement(2) {
		t.Error(f.Name)
	}
	h, _ := history.Read(w.files, dir)
	if _, changed := h.Announce(w.tools[0], today); changed || h.Tool(tool).Announced() != later || !bytes.Equal(record, w.files[name(3)].Data) {
		t.Errorf("%v, %+v", changed, h.Tool(tool).Announced())
	}
	next := draft(4, "a", "b", "c", "d")
	next.Details.Deprecation = later
	f, err := h.Next(next, w.opts, today, history.Evidence{})
	if err != nil || strings.Contains(string(f.Data), "2027") || strings.Contains(string(f.Data), "deprecated") {
		t.Errorf("%v: %s", err, f.Data)
	}
	for d, want := range map[signature.Deprecation]string{
		{}:   "",
		late: "tool-sunset-nearer",
		{Since: "2026-12-01", Sunset: "2026-12-31"}: "tool-sunset-nearer notice-too-short",
		{Since: "2027-01-01", Sunset: "2028-01-01"}: "",
	} {
		w.tools[0].Details.Deprecation = d
		var got []string
		for _, f := range w.check() {
			got = append(got, f.Rule.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%+v: %v, want %s", d, got, want)
		}
	}
}

// TestAnnouncedInRecord: the records of before hold an announcement, are read
// byte for byte as they are, and bind no more than one that is kept beside them.
func TestAnnouncedInRecord(t *testing.T) {
	w := newWorld(t)
	w.releaseInPieces(draft(4, "a", "b", "c"))
	w.edit(4, `"auth": {}`, `"auth": {},`+"\n"+`    "deprecated": {`+"\n"+`      "since": "2026-01-01",`+"\n"+`      "sunset": "2030-01-01"`+"\n    }")
	w.anchor()
	if list := w.check(); len(list) > 0 {
		t.Errorf("taking it back needs a version: %s", render(list))
	}
	w.tools[0].Details.Deprecation = signature.Deprecation{Since: "2026-01-01", Sunset: "2029-12-31"}
	if list := w.check(); len(list) != 1 || list[0].Rule.String() != "tool-sunset-nearer" {
		t.Error(render(list))
	}
	w.announce(signature.Deprecation{Since: "2026-01-01", Sunset: "2030-06-30"})
	w.tools[0].Details.Deprecation.Sunset = "2030-01-01"
	if list := w.check(); len(list) != 1 || !strings.Contains(list[0].Message, "promised until 2030-06-30") {
		t.Error(render(list))
	}
}

// TestAnnouncementsStay: they are kept as records are.
func TestAnnouncementsStay(t *testing.T) {
	announced := func() *world {
		w := newWorld(t)
		w.announce(signature.Deprecation{Since: "2026-12-01", Sunset: "2027-06-30"})
		w.announce(signature.Deprecation{Since: "2026-12-01", Sunset: "2027-12-31"})
		w.opts.Base, w.opts.Ref = history.Digests(w.files, dir), "abc"
		return w
	}
	for what, c := range map[string]struct {
		spoil func(*world)
		want  string
	}{
		"the first is gone":  {func(w *world) { delete(w.files, announcement(1)) }, "history-tampered"},
		"the newest is gone": {func(w *world) { delete(w.files, announcement(2)) }, "history-truncated"},
		"another day": {func(w *world) {
			f := w.files[announcement(2)]
			f.Data = bytes.Replace(f.Data, []byte("2027-12-31"), []byte("2027-01-31"), 1)
		}, "history-rewritten"},
		"the first says other": {func(w *world) {
			f := w.files[announcement(1)]
			f.Data = bytes.Replace(f.Data, []byte("2027-06-30"), []byte("2027-01-31"), 1)
		}, "history-tampered"},
		"spelled otherwise": {func(w *world) { w.files[announcement(2)].Data = append(w.files[announcement(2)].Data, '\n') }, "history-tampered"},
		"unknown member": {func(w *world) {
			f := w.files[announcement(2)]
			f.Data = bytes.Replace(f.Data, []byte(`"since"`), []byte(`"seen"`), 1)
		}, "history-unreadable"},
		"a merge": {func(w *world) { w.files[announcement(2)].Data = []byte("<<<<<<< ours\n") }, "history-conflict"},
		"of another tool": {func(w *world) {
			f := w.files[announcement(1)]
			f.Data = bytes.Replace(f.Data, []byte(tool), []byte("get_sky"), 1)
		}, "history-tampered"},
		"nothing is spoilt": {func(*world) {}, ""},
	} {
		w := announced()
		c.spoil(w)
		got := ""
		if list := w.check(); len(list) > 0 {
			got = list[0].Rule.String()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
	for _, name := range []string{"find/deprecated0001.json", "find/retired.json", "find/v0001.json"} {
		if !history.IsRecord(name) {
			t.Errorf("%s may change", name)
		}
	}
}
