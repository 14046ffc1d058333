package export

import "github.com/sculpt-tools/sculpt/internal/signature"

// What is announced of the end of a tool reaches callers as a member where a
// format has or takes one, and in words at the end of the description where
// models read nothing else. The words are not part of what a release locked.

// deprecated is the announcement as a member of a document, nil for none.
func deprecated(s *signature.Signature) object {
	d := s.Notes.Deprecated
	var o object
	for _, m := range []struct{ name, text string }{{"since", d.Since}, {"sunset", d.Sunset}, {"use", d.Use}} {
		if m.text != "" {
			o = o.with(m.name, m.text)
		}
	}
	return o
}

// isDeprecated reports whether something is announced. Documents do not know
// the day of their readers, so who asks before the day is told as well.
func isDeprecated(s *signature.Signature) bool { return s.Notes.Deprecated != signature.Deprecation{} }
