package operation

import (
	"net/url"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/server"
)

// A Server is an address that a document gives.
type Server struct {
	// URL has {name} for each variable. It is "" if the document names no server,
	// and may be relative.
	URL       string
	Variables []ServerVariable
}

// A ServerVariable is one that the document declares.
type ServerVariable struct {
	Name string
	// Default is "" if the document gives none.
	Default string
	// Enum are the only values, unless it is empty.
	Enum []string
}

// BaseURL is the address with the defaults of its variables.
func (s *Server) BaseURL() string { return s.Address(nil) }

// Address is the absolute URL with its variables replaced by what values has for
// them, which may be {name} again, and else by their defaults. It is "" if there
// is none. Relative ones cannot be resolved: nothing says where the document was
// published.
func (s *Server) Address(values map[string]string) string {
	raw, open := s.URL, false
	for _, name := range server.Names(raw) {
		value, ok := values[name]
		if v := s.Variable(name); !ok && v == nil {
			return ""
		} else if !ok {
			value = v.Default
		}
		open = open || value == "{"+name+"}"
		raw = strings.ReplaceAll(raw, "{"+name+"}", value)
	}
	u, err := url.Parse(server.Sample(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !open && strings.ContainsAny(raw, "{}") {
		return ""
	}
	if u.RawQuery, u.Fragment, u.User = "", "", nil; !open {
		return strings.TrimSuffix(u.String(), "/")
	}
	raw, _, _ = strings.Cut(raw, "#")
	raw, _, _ = strings.Cut(raw, "?")
	return strings.TrimSuffix(raw, "/")
}

// Variable returns what the document declares of a variable, or nil.
func (s *Server) Variable(name string) *ServerVariable {
	if i := slices.IndexFunc(s.Variables, func(v ServerVariable) bool { return v.Name == name }); i >= 0 {
		return &s.Variables[i]
	}
	return nil
}
