package upstream

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// A consentServer is an authorization server as one credential uses it. A code that
// came back for a state of this credential is redeemed at its token endpoint alone,
// so everything here decides whether the code is one of this server (RFC 9700 4.4).
type consentServer struct {
	tokenURL string
	// issuer is the iss that the server has promised to send, "" without a promise.
	issuer string
	// authorize is where users agree: an iss of a server that promised nothing has
	// to be of this origin.
	authorize string
	// redirect is where browsers come back to, and tail the end of its path, escaped,
	// that belongs to this server, "" where Redirect has no placeholder.
	redirect, tail string
}

// serve notes that a credential uses this Consent. Two authorization servers may
// have one redirect URL only if both tell in their answers who they are: otherwise
// one could have users come back with a code of the other one.
func (c *Consent) serve(api, tokenURL string, cred *Credential) (*consentServer, error) {
	s := &consentServer{tokenURL: tokenURL, issuer: cred.Issuer, authorize: cred.AuthorizationURL}
	if err := s.place(c.Redirect, api, cred.Scheme); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, other := range c.servers {
		switch {
		case other.redirect != s.redirect || other.tokenURL == s.tokenURL:
		case other.issuer == "" || s.issuer == "":
			return nil, errors.New("two authorization servers send users back to the same redirect URL, and each could get the codes of the other one: " +
				"end Redirect with /{api} or /{api}/{scheme}, give each a Consent with a Redirect of its own, or name the issuer of each (issuer:) if both send iss")
		case other.issuer == s.issuer:
			return nil, errors.New("two token endpoints have the same issuer and the same redirect URL: end Redirect with /{api} or /{api}/{scheme}")
		}
	}
	if c.servers == nil {
		c.servers = map[consentServer]*consentServer{}
	}
	if known := c.servers[*s]; known != nil {
		return known, nil
	}
	c.servers[*s] = s
	return s, nil
}

// place fills in the placeholders of a redirect URL.
func (s *consentServer) place(redirect, api, scheme string) error {
	begin, path, found := strings.Cut(redirect, "{")
	if !found {
		s.redirect = redirect
		return nil
	}
	slash := strings.LastIndexByte(begin, '/')
	if _, host, _ := strings.Cut(begin[:slash+1], "://"); host == "" || strings.ContainsAny(begin+path, "?#") {
		return errors.New("a placeholder of Redirect belongs into its path, which has to end the URL")
	}
	s.tail = strings.NewReplacer("{api}", url.PathEscape(api), "{scheme}", url.PathEscape(scheme)).Replace(redirect[slash:])
	if s.redirect = begin[:slash] + s.tail; strings.ContainsAny(s.tail, "{}") {
		return errors.New("the Redirect has another placeholder than {api} and {scheme}")
	}
	return nil
}

// answers reports whether a browser can have come from this server. A state tells
// whom it was made for, and a malicious server that has sent the user on to another
// one cannot change where that one sends the browser, nor its iss (RFC 9207 2.4).
func (s *consentServer) answers(r *http.Request, iss []string) bool {
	// What precedes the tail is for proxies and http.StripPrefix to change.
	if s.tail != "" && !strings.HasSuffix("/"+strings.TrimPrefix(r.URL.EscapedPath(), "/"), s.tail) {
		return false
	}
	switch {
	case len(iss) == 0:
		return s.issuer == ""
	case len(iss) > 1:
		return false
	case s.issuer != "":
		return iss[0] == s.issuer
	}
	said, err := url.Parse(iss[0])
	asked, askedErr := url.Parse(s.authorize)
	return err == nil && askedErr == nil && said.Scheme == asked.Scheme && strings.EqualFold(said.Host, asked.Host)
}
