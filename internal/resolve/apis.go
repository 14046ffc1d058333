package resolve

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

func (r *resolver) environment() []*ir.Env {
	var out []*ir.Env
	for _, e := range r.m.Env {
		v := &ir.Env{Name: e.Name.Value, Description: e.Description.Value}
		if e.Default.IsSet() {
			v.Default = &e.Default.Value
		}
		r.env[v.Name] = v
		out = append(out, v)
	}
	return out
}

func (r *resolver) envNames() []string {
	var names []string
	for _, e := range r.m.Env {
		names = append(names, e.Name.Value)
	}
	return names
}

func (r *resolver) apis() []*ir.API {
	r.apiByID = map[string]*ir.API{}
	var out []*ir.API
	for _, a := range r.m.APIs {
		api := &ir.API{Name: a.Name.Value, File: a.OpenAPI.Value, Timeout: r.duration(a.Timeout), Attempts: r.count(a.Retry.Attempts)}
		var doc *spec.API
		if r.set != nil {
			doc = r.set.APIs[api.Name]
		}
		use := &apiUse{m: a, schemes: map[string]bool{}, answers: map[string]bool{}, variables: r.serverVariables(a)}
		r.apiUses[api.Name] = use
		if doc != nil {
			api.Title, api.BaseURL = doc.Title, r.address(use, &doc.Server)
		}
		if a.BaseURL.IsSet() {
			api.BaseURL = r.baseURL(a.BaseURL)
		}
		for _, h := range a.Headers {
			if !r.contentType(use, h) {
				api.Headers = append(api.Headers, r.header(h))
			}
		}
		for _, c := range a.Auth {
			if cred, ok := r.credential(c, doc); ok {
				api.Credentials = append(api.Credentials, cred)
			}
		}
		slices.SortFunc(api.Credentials, func(a, b ir.Credential) int { return strings.Compare(a.Scheme.Name, b.Scheme.Name) })
		r.clashingHeaders(api, a.Headers)
		r.apiByID[api.Name] = api
		out = append(out, api)
	}
	return out
}

func (r *resolver) baseURL(s manifest.Scalar) string {
	u, err := url.Parse(s.Value)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		r.errorf(ruleWrongBaseURL, s.Span, "write https://host or https://host/path", "base_url %q is not an absolute http or https URL without user, query and fragment", s.Value)
		return ""
	}
	return s.Value
}

func (r *resolver) duration(s manifest.Scalar) time.Duration {
	return r.durationUpTo(s, 1)
}

// durationUpTo reads a duration of at most some hours.
func (r *resolver) durationUpTo(s manifest.Scalar, hours int) time.Duration {
	if !s.IsSet() {
		return 0
	}
	d, err := time.ParseDuration(s.Value)
	if err != nil || d <= 0 || d > time.Duration(hours)*time.Hour {
		r.errorf(ruleWrongDuration, s.Span, "write a time such as 10s or 500ms", "%q is not a duration between 0 and %dh", s.Value, hours)
		return 0
	}
	return d
}

func (r *resolver) count(s manifest.Scalar) int {
	n, _ := parseInt(s.Value) // unset or a number, by the key table
	return int(n)
}

// header resolves a header of an api: literal text and ${env.NAME}.
func (r *resolver) header(p manifest.Pair) ir.Header {
	h := ir.Header{Name: http.CanonicalHeaderKey(p.Key.Value)}
	if slices.Contains(OwnHeaders, h.Name) {
		r.errorf(ruleWrongHeader, p.Key.Span, "remove it", "the header %s belongs to the connection, and is set by the run time alone", p.Key.Value)
	}
	h.Parts = r.configured(p.Value.Scalar, ruleWrongHeader, "write ${env.NAME}, or bind the header in a step", "a header of an api")
	return h
}

// configured reads text with ${env.NAME}, which is all that apis may hold.
func (r *resolver) configured(s manifest.Scalar, rule diag.RuleID, fix, what string) ir.HeaderParts {
	tmpl, problems := expr.ParseTemplate(s.Value)
	r.report(s, problems)
	if problems != nil {
		return nil
	}
	var parts ir.HeaderParts
	for _, part := range tmpl.Parts {
		if part.Expr == nil {
			parts = append(parts, ir.HeaderPart{Text: part.Text})
			continue
		}
		n := part.Expr
		if n.Kind != expr.NSelect || n.Opt || n.Args[0].Kind != expr.NName || n.Args[0].Name != "env" {
			r.errorf(rule, s.At(n.Start, n.End), fix, "%s may hold text and ${env.NAME} only", what)
			continue
		}
		if r.env[n.Name] == nil {
			r.unknownEnv(s.At(n.NameAt, n.End), n.Name)
		}
		parts = append(parts, ir.HeaderPart{Env: n.Name})
	}
	return parts
}

func (r *resolver) unknownEnv(at diag.Span, name string) {
	r.errorf(ruleUnknownEnv, at, "add it to env: "+name+": {description: What it is for.}", "environment variable %q is not declared%s", name, diag.DidYouMean(name, r.envNames()))
}

// credential resolves one entry of auth.
func (r *resolver) credential(a *manifest.Auth, doc *spec.API) (ir.Credential, bool) {
	var c ir.Credential
	if doc == nil {
		return c, false
	}
	scheme := a.Scheme
	c.Scheme = doc.Schemes[scheme.Value]
	if c.Scheme == nil {
		var names []string
		for n := range doc.Schemes {
			names = append(names, n)
		}
		r.errorf(ruleUnknownScheme, scheme.Span, "use a security scheme of the document", "the document has no security scheme %q%s", scheme.Value, diag.DidYouMean(scheme.Value, names))
		return c, false
	}
	if !a.Source.IsSet() {
		grant, ok := r.grant(a, c.Scheme)
		c.Grant = grant
		return c, ok
	}
	s := a.Source
	kind, rest, _ := strings.Cut(s.Value, ":")
	switch {
	case s.Value == "caller":
		c.Caller = true
	case kind == "env":
		c.Env = rest
		if r.env[rest] == nil {
			r.unknownEnv(s.At(len("env:"), len(s.Value)), rest)
		}
	default:
		c.File = rest
	}
	if why := supported(c.Scheme); why != "" {
		r.errorf(ruleWrongAuth, scheme.Span, "leave it out, and configure the transport of the api in Go", "the security scheme %q %s", scheme.Value, why)
		return c, false
	}
	if c.Caller && c.Scheme.Type == "apiKey" && c.Scheme.In != operation.Header {
		r.errorf(ruleWrongAuth, s.Span, "write env:NAME or file:PATH", "what a caller presents can be sent in a header only, this scheme wants it in the %s", c.Scheme.In)
		return c, false
	}
	return c, true
}

// grant resolves what a token endpoint gives an access token for.
func (r *resolver) grant(a *manifest.Auth, scheme *operation.Scheme) (*ir.Grant, bool) {
	types := []string{"client_credentials", "refresh_token", "token_exchange", "authorization_code"}
	var m *manifest.Grant
	g := &ir.Grant{}
	for i, one := range []*manifest.Grant{a.ClientCredentials, a.RefreshToken, a.TokenExchange, a.AuthorizationCode} {
		switch {
		case one == nil:
		case m != nil:
			r.errorf(ruleWrongAuth, one.Span, "keep one of them", "a credential comes from one place, and %s is there too", g.Type)
			return nil, false
		default:
			m, g.Type = one, types[i]
		}
	}
	switch {
	case m == nil:
		r.errorf(ruleWrongAuth, a.Scheme.Span, "write env:NAME, file:PATH, caller or client_credentials:", "auth says nothing of where the credential of %s comes from", a.Scheme.Value)
		return nil, false
	case scheme.Type != "oauth2" && scheme.Type != "openIdConnect" && scheme.HTTP != "bearer":
		r.errorf(ruleWrongAuth, m.Span, "write env:NAME, file:PATH or caller", "the security scheme %q wants no access token", a.Scheme.Value)
		return nil, false
	}
	g.ID, g.Secret, g.Refresh = r.variable(m.ID), r.variable(m.Secret), r.variable(m.Token)
	g.Audience, g.InBody, g.TokenURL = m.Audience.Value, m.Send.Value == "body", cmp.Or(m.TokenURL.Value, scheme.TokenURL)
	for _, s := range m.Scopes {
		g.Scopes = append(g.Scopes, s.Value)
	}
	ok := r.endpoint(m, m.TokenURL, "token", g.TokenURL, a.Scheme.Value)
	if g.Type == "authorization_code" {
		g.Issuer = m.Issuer.Value
		g.AuthorizationURL = cmp.Or(m.AuthorizationURL.Value, scheme.AuthorizationURL)
		ok = r.endpoint(m, m.AuthorizationURL, "authorization", g.AuthorizationURL, a.Scheme.Value) && ok
	}
	return g, ok
}

// endpoint checks the address of an authorization server, which the document or,
// instead, the manifest names.
func (r *resolver) endpoint(m *manifest.Grant, stated manifest.Scalar, kind, address, scheme string) bool {
	u, err := url.Parse(address)
	at := cmp.Or(stated.Span, m.Span)
	switch {
	case address == "":
		r.errorf(ruleWrongAuth, at, "add "+kind+"_url:", "the document names no %s endpoint for %s", kind, scheme)
	case err != nil || u.Scheme != "https" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" || u.User != nil:
		r.errorf(ruleWrongAuth, at, "write "+kind+"_url: https://...", "the %s endpoint %s is not an https URL without user", kind, address)
	default:
		return true
	}
	return false
}

// variable is the name in env:NAME.
func (r *resolver) variable(s manifest.Scalar) string {
	name := strings.TrimPrefix(s.Value, "env:")
	if name != "" && r.env[name] == nil {
		r.unknownEnv(s.At(len("env:"), len(s.Value)), name)
	}
	return name
}

// title names an operation in a message.
func title(op *operation.Operation) string {
	if op.ID != "" {
		return op.ID
	}
	return op.Method + " " + op.Path
}
