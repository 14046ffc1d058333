package history

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A File is a file to be written, with its path in the file system that the
// history was read from.
type File struct {
	Name string
	Data []byte
}

var date = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`)

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil && date.MatchString(text)
}

// Next returns the record that a release of the tool would add: a pure
// function of the history, the tool and the date. It does not judge; run
// [Check] first. It refuses what could not be read back: a number that is not
// the next one, a broken history, a retired tool. The examples get their names.
func (h *History) Next(side *compat.Side, opts Options, released string, e Evidence) (File, error) {
	s := side.Signature
	t, _ := h.folder(s)
	if t == nil {
		t = &Tool{Name: s.Name, sound: true}
	}
	switch {
	case !isDay(released):
		return File{}, fmt.Errorf("the date of the release must be YYYY-MM-DD, not %q", released)
	case !t.sound:
		return File{}, fmt.Errorf("the history of %q has findings; fix it first", t.Name)
	case t.Retired != nil:
		return File{}, fmt.Errorf("%q was retired on %s; it gets no new version", t.Name, t.Retired.Retired)
	case s.Version != t.Version()+1:
		return File{}, fmt.Errorf("the next version of %q is %d, not %d", t.Name, t.Version()+1, s.Version)
	}
	history, findings := h.sides(t)
	if len(findings) > 0 {
		return File{}, fmt.Errorf("the history of %q has findings; fix it first", t.Name)
	}
	nameExamples(e.Examples)
	details := e.details(side.Details)
	details.Deprecation = signature.Deprecation{} // see [History.Announce]
	r := &Record{
		format: Format, Rules: h.Rules(s, opts.Rules), Policy: opts.of(s.Name).Policy, Tool: t.Name, Version: s.Version, Released: released, Prev: t.Head().Digest,
		Signature: s, Details: details,
	}
	if len(history) > 0 {
		r.Accepted = compat.Accepted(history, side, opts.of(s.Name))
		for _, c := range compat.Changes(history, side, opts.of(s.Name)) {
			if c.Place != "deprecated" { // not of this version
				r.change(c.Ref)
			}
		}
	}
	h.keep(t, r, &e)
	file := File{Name: path.Join(h.dir, t.Name, recordName(s.Version)), Data: r.encode()}
	if _, m := parseRecord(file.Data); m != nil {
		return File{}, fmt.Errorf("the record of %q could not be read back: %s", t.Name, m.message)
	}
	return file, nil
}

// change records a ref once.
func (r *Record) change(ref compat.Ref) {
	if slices.Contains(r.Changes, ref) {
		return
	}
	r.Changes = append(r.Changes, ref)
}

// Retire returns the tombstone of a tool: from the sunset date on it need not
// be served any more. Its name and its id stay taken. The versions stay
// invocable until then (A2T 5.4), and that has to be known the days of notice
// before, 0 for [DefaultNotice]; a [*NoticeError] says that it is not.
func (h *History) Retire(tool, retired string, end signature.Deprecation, notice int) (File, error) {
	t := h.Tool(tool)
	switch {
	case t == nil || !t.sound || t.Newest == nil:
		return File{}, fmt.Errorf("%q has no sound history", tool)
	case t.Retired != nil:
		return File{}, fmt.Errorf("%q was retired on %s", tool, t.Retired.Retired)
	case !isDay(retired), !isDay(end.Sunset):
		return File{}, fmt.Errorf("dates must be YYYY-MM-DD, not %q and %q", retired, end.Sunset)
	}
	if err := t.inTime(retired, end.Sunset, notice); err != nil {
		return File{}, err
	}
	if was := t.Announced().Sunset; end.Sunset < was {
		return File{}, &NoticeError{Sunset: end.Sunset, Earliest: was, reason: "callers were told that it is served until " + was}
	}
	head := t.Head()
	stone := Tombstone{Tool: t.Name, ToolID: t.ID(), Version: head.Version, Prev: head.Digest, Retired: retired, Sunset: end.Sunset, Use: end.Use}
	return File{Name: path.Join(h.dir, t.Name, RetiredName), Data: stone.encode()}, nil
}
