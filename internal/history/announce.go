package history

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// announcedName is the file name of the n-th announcement of the end of a tool.
// Announcements are about the tool and not about a version, so they are outside
// of the chain of records, and like them never changed: the newest one counts.
func announcedName(n int) string { return fmt.Sprintf("deprecated%04d.json", n) }

var announcedForm = regexp.MustCompile(`^deprecated[0-9]{4,}\.json$`)

// DefaultNotice is how many days are between the announcement that a tool ends
// and its end, at least, where a manifest does not say.
const DefaultNotice = 90

type announcedDoc struct {
	Format    int    `json:"format"`
	Tool      string `json:"tool"`
	Announced string `json:"announced"`
	Prev      string `json:"prev"`
	signature.Deprecation
}

// Announce returns the file that records what the manifest says of the end of
// a tool, on a day, and whether that is something else than what is recorded.
// It does not judge; run [Check] first.
func (h *History) Announce(side *compat.Side, day string) (file File, changed bool) {
	t := h.Of(side.Signature)
	now := side.Details.Deprecation
	if t == nil || t.Retired != nil || now == t.Announced() {
		return File{}, false
	}
	prev, n := "", len(t.announcements)
	if n > 0 {
		prev = t.announcements[n-1].Digest
	}
	return File{Name: path.Join(h.dir, t.Name, announcedName(n+1)), Data: spell(announcedDoc{inPieces, t.Name, day, prev, now})}, true
}

// Announced is what callers were told last of the end of the tool: the
// tombstone, the announcement beside the records, or what the newest record of
// before there were such files says.
func (t *Tool) Announced() signature.Deprecation {
	var d signature.Deprecation
	switch {
	case len(t.announcements) > 0:
		d = t.announcements[len(t.announcements)-1].Deprecation
	case t.Newest != nil:
		d = t.Newest.Details.Deprecation
	}
	return t.ending(d)
}

// ending is what callers are told of the end of a tool about which something is
// announced: a tombstone has the last word.
func (t *Tool) ending(d signature.Deprecation) signature.Deprecation {
	if stone := t.Retired; stone != nil {
		d.Sunset, d.Use = stone.Sunset, cmp.Or(stone.Use, d.Use)
		if d.Since == "" || d.Since > stone.Retired {
			d.Since = stone.Retired
		}
	}
	return d
}

// Ending is what callers are told of the end of a tool of the manifest, which
// announces d.
func (h *History) Ending(s *signature.Signature, d signature.Deprecation) signature.Deprecation {
	if t := h.Of(s); t != nil {
		return t.ending(d)
	}
	return d
}

// An announcement is a file that says of the end of a tool what its callers
// were told.
type announcement struct {
	signature.Deprecation
	Digest string
}

// announcements reads what was announced, the oldest first.
func (r *toolReader) announcements() {
	var found []string
	for name := range r.others {
		if announcedForm.MatchString(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	prev := ""
	for i, name := range found {
		data, err := read(r.dir, name, r.buffer)
		if err != nil {
			r.add(compat.RuleHistoryUnreadable, r.file(name), "look at its permissions", "the announcement cannot be read: %s", diag.Cause(err))
			return
		}
		doc, m := parseAnnouncement(data)
		switch {
		case m != nil:
			r.findings.Add(m.finding(r.file(name), r.tool.Name, data))
			return
		case doc.Tool != r.tool.Name:
			r.add(compat.RuleHistoryTampered, r.file(name), "put it back where it belongs", "this is an announcement of the tool %q, not of %q", doc.Tool, r.tool.Name)
			return
		case name != announcedName(i+1) || doc.Prev != prev:
			r.add(compat.RuleHistoryTampered, r.file(name), restore(r.file(name)), "the announcement before this one is gone, or another one")
			return
		}
		prev = digestOf(data)
		r.tool.announcements = append(r.tool.announcements, announcement{doc.Deprecation, prev})
	}
}

func parseAnnouncement(data []byte) (doc announcedDoc, m *mistake) {
	if m = visible(data); m == nil {
		_, m = members(data, &doc, "format", "tool", "announced", "prev")
	}
	if m == nil {
		m = sameSpelling(data, spell(doc))
	}
	return doc, m
}

// notice judges the day on which a tool ends, where it is newly written: callers
// have to be told early. What is recorded is not judged again, so nothing turns
// red by waiting.
func (c *checker) notice(t *Tool, side *compat.Side) {
	today, is := c.opts.Compat.Today, side.Details.Deprecation
	if today == "" || t.Retired != nil {
		return
	}
	if err := t.inTime(today, is.Sunset, c.opts.Notice); err != nil {
		c.add(compat.RuleNoticeTooShort, where{t.Name, at(side, "deprecated.sunset")}, "sunset: "+err.Earliest+", and sculpt release on the same day", "%q %s", t.Name, err)
	}
}

// A NoticeError says that a tool would end too early.
type NoticeError struct {
	// Sunset is the day that was wanted, Earliest the first that is allowed.
	Sunset, Earliest string
	reason           string
}

func (e *NoticeError) Error() string { return "would end on " + e.Sunset + ": " + e.reason }

// inTime says what is wrong with a sunset that is written on a day. A day that
// was announced before may stay, or move away.
func (t *Tool) inTime(day, sunset string, notice int) *NoticeError {
	e := &NoticeError{Sunset: sunset, Earliest: earliest(day, notice)}
	was := t.Announced().Sunset
	switch {
	case sunset == "", sunset == was, sunset >= e.Earliest:
		return nil
	case sunset <= day:
		e.reason = "that day is not in the future"
	case was != "" && sunset > was:
		return nil
	default:
		e.reason = fmt.Sprintf("callers have to know it %d days before", noticeOf(notice))
	}
	return e
}

// earliest is the first day on which a tool may end whose end is announced on
// a day.
func earliest(day string, notice int) string {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day // whoever passed it has refused it
	}
	return d.AddDate(0, 0, noticeOf(notice)).Format(time.DateOnly)
}

func noticeOf(days int) int {
	if days == 0 {
		return DefaultNotice
	}
	return days
}
