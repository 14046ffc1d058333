package serve

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// The end of a tool is announced long before. Until then callers are told by
// headers and in documents; from the day on calls and requests for a document
// are answered with 410 and the tool to use instead, and lists do without it.

// toolEnded is the reason of a call of a tool whose day has come.
const toolEnded = "tool_ended"

// An ending is what is announced of a tool.
type ending struct {
	// at is when the tool ends, zero while that is open.
	at time.Time
	// deprecation and sunset are values of headers (RFC 9745, RFC 8594).
	deprecation, sunset []string
}

func endingOf(t *tool.Tool) (ending, error) {
	var e ending
	for _, day := range []struct{ name, text string }{{"Deprecated", t.Deprecated}, {"Sunset", t.Sunset}} {
		if day.text == "" {
			continue
		}
		at, err := time.Parse(time.DateOnly, day.text)
		if err != nil {
			return e, fmt.Errorf("%s is not a day: %w", day.name, err)
		}
		if day.name == "Deprecated" {
			e.deprecation = []string{"@" + strconv.FormatInt(at.Unix(), 10)}
			continue
		}
		e.at, e.sunset = at, []string{at.Format("Mon, 02 Jan 2006 15:04:05 GMT")}
	}
	return e, nil
}

// ended says that the day of a tool has come, nil if it has not.
func (s *Handler) ended(t *servedTool) *tool.Error {
	if t.ending.at.IsZero() || s.clock().Before(t.ending.at) {
		return nil
	}
	text := "The tool " + t.Name + " has ended on " + t.Sunset + "."
	if t.Use != "" {
		text += " Use " + t.Use + " instead."
	}
	return &tool.Error{Kind: tool.KindUnknownTool, Code: toolEnded, Message: text}
}

// announce says in headers what is known of the end of a tool. The day from
// which it is deprecated may lie ahead (RFC 9745 2.1).
func (x *exchange) announce(t *servedTool) {
	h := x.w.Header()
	if t.ending.deprecation != nil {
		h["Deprecation"] = t.ending.deprecation
	}
	if t.ending.sunset != nil {
		h["Sunset"] = t.ending.sunset
	}
	if t.Use == "" {
		return
	}
	instead := slices.IndexFunc(x.s.tools.tools, func(other *servedTool) bool { return other.Name == t.Use })
	if at, ok := x.documents(); ok && instead >= 0 {
		h.Set("Link", "<"+at+"/tools/"+x.s.tools.tools[instead].ID+`>; rel="successor-version"`)
	}
}

// documents finds where tools have a document each: in the protocol of the
// exchange or, where that has lists alone, in another one of this server.
func (x *exchange) documents() (prefix string, ok bool) {
	for _, word := range []Protocol{x.p.word(), ProtocolA2T, ProtocolNACT, ProtocolATDF} {
		at := slices.IndexFunc(x.s.mounts, func(m mount) bool { return m.p.word() == word })
		if word != ProtocolOTC && at >= 0 {
			return x.s.mounts[at].prefix, true
		}
	}
	return "", false
}

// A phase is the time between two days on which tools end: lists are the same
// all through it.
type phase struct {
	// from is when it begins, zero for the first.
	from time.Time
	// tools are those that have not ended, digest is that of their documents.
	tools  []*servedTool
	digest [sha256.Size]byte
}

// phasesOf are the phases of a catalogue, from its beginning.
func phasesOf(tools []*servedTool) []phase {
	days := []time.Time{{}}
	for _, t := range tools {
		if !t.ending.at.IsZero() {
			days = append(days, t.ending.at)
		}
	}
	slices.SortFunc(days, time.Time.Compare)
	var all []phase
	for _, day := range slices.CompactFunc(days, time.Time.Equal) {
		p := phase{from: day}
		for _, t := range tools {
			if t.ending.at.IsZero() || day.Before(t.ending.at) {
				p.tools = append(p.tools, t)
			}
		}
		p.digest = catalogueDigest(p.tools)
		all = append(all, p)
	}
	return all
}

// phase is the index of the phase that the clock is in.
func (s *Handler) phase() int {
	last := len(s.tools.phases) - 1
	if last == 0 {
		return 0
	}
	for now := s.clock(); last > 0 && now.Before(s.tools.phases[last].from); {
		last--
	}
	return last
}

// perPhase makes something for each phase of a catalogue.
func perPhase[T any](c *catalogue, of func(*phase) T) []T {
	all := make([]T, len(c.phases))
	for i := range c.phases {
		all[i] = of(&c.phases[i])
	}
	return all
}
