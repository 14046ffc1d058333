package serve

import (
	"net/url"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// wellKnown is where clients look for the metadata of a resource (RFC 9728
// 3.1); the path of the resource follows.
const wellKnown = "/.well-known/oauth-protected-resource"

// WithOAuthResource tells clients of MCP where to get the token that the
// [Authenticator] wants: it serves the metadata of a protected resource (RFC
// 9728), and names it where a request comes without credentials. resource is
// the URL of the MCP endpoint as clients know it, servers are the issuers of
// its tokens. To accept only tokens that were issued for this resource is the
// authenticator's business.
func WithOAuthResource(resource string, servers []string, scopes ...string) Option {
	return func(s *settings) {
		at, err := url.Parse(resource)
		if err != nil || !isOrigin(at) || at.Fragment != "" || at.RawQuery != "" {
			s.bad("WithOAuthResource: %q is not a URL such as https://example.com/mcp", resource)
			return
		}
		if len(servers) == 0 {
			s.bad("WithOAuthResource needs an authorization server")
		}
		for _, server := range servers {
			if issuer, err := url.Parse(server); err != nil || !isOrigin(issuer) {
				s.bad("WithOAuthResource: %q is not an authorization server", server)
			}
		}
		for _, scope := range scopes {
			if scope == "" || strings.ContainsAny(scope, " \"\\") {
				s.bad("WithOAuthResource: %q is not a scope", scope)
			}
		}
		s.resource = newOAuthResource(at, servers, scopes)
	}
}

// isOrigin wants TLS, except for tries on one machine.
func isOrigin(u *url.URL) bool {
	return u.User == nil && (u.Scheme == "https" && u.Host != "" || u.Scheme == "http" && loopbackName(u.Hostname()))
}

// An oauthResource serves the metadata like a protocol of one document.
type oauthResource struct {
	path, challenge string
	metadata        *document
	endpoint        endpoint
}

func newOAuthResource(at *url.URL, servers, scopes []string) *oauthResource {
	b := value.AppendText([]byte(`{"resource":`), at.String())
	b = appendTexts(append(b, `,"authorization_servers":`...), servers)
	place := url.URL{Scheme: at.Scheme, Host: at.Host, Path: wellKnown + strings.TrimSuffix(at.Path, "/")}
	challenge := `Bearer resource_metadata="` + place.String() + `"`
	if len(scopes) > 0 {
		b = appendTexts(append(b, `,"scopes_supported":`...), scopes)
		challenge += `, scope="` + strings.Join(scopes, " ") + `"`
	}
	p := &oauthResource{path: place.EscapedPath(), challenge: challenge, metadata: newDocument(append(b, `,"bearer_methods_supported":["header"]}`...))}
	p.endpoint = endpoint{get: func(x *exchange) { x.serveDocument(p.metadata) }, allow: allowGet, open: true}
	return p
}

func (p *oauthResource) word() Protocol { return "" }

func (p *oauthResource) route(_ *exchange, path string) *endpoint {
	if path == "" {
		return &p.endpoint
	}
	return nil
}

func (p *oauthResource) fail(x *exchange, e *tool.Error) { failProblem(x, e, nil, "") }
