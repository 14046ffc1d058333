package pins

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/oauth"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/atip"
)

// A Provider is a server of tools, or a program with tools.
type Provider struct {
	// Name is what the designer calls it.
	Name string
	// Protocol is "" where it has to be found out.
	Protocol client.Protocol
	// URL is the address of a server, Program a name in PATH or a path; the other one
	// is "".
	URL, Program string

	// found is the program, once it was looked for.
	known  *atip.Program
	header string
	// secret is a reference: env:NAME or file:PATH, "" for none.
	secret string
	grant  *oauth.Grant
}

// protocols are those that a file may name.
var protocols = []string{
	string(client.ProtocolA2T), string(client.ProtocolNACT), string(client.ProtocolOTC), string(client.ProtocolOXP), string(client.ProtocolMCP),
}

var (
	providerName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,31}$`)
	reference    = regexp.MustCompile(`^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$`)
)

// ReadProviders reads a file of providers:
//
//	providers:
//	  weather: {protocol: a2t, url: "https://tools.example/a2t", credential: "env:WEATHER_KEY"}
//	  clock: {program: clock}
func ReadProviders(name string, text []byte) ([]*Provider, diag.List) {
	r := &reader{file: name}
	var all []*Provider
	if root := r.load(text); root != nil {
		r.members(root, "the file", []key{{"providers", true, func(n *yaml.Node) {
			r.each(n, "providers", func(name, value *yaml.Node) { all = append(all, r.provider(name, value)) })
		}}})
	}
	return all, r.list
}

func (r *reader) provider(name, value *yaml.Node) *Provider {
	p := &Provider{Name: name.Value}
	if !providerName.MatchString(p.Name) {
		r.bad(name, "write lower case letters, digits, _ and -", "%q is not a name of a provider", p.Name)
	}
	what := fmt.Sprintf("provider %q", p.Name)
	if keyed(value, "program") {
		p.Protocol = atip.Protocol
		r.members(value, what, []key{{"program", true, r.text(&p.Program)}})
		return p
	}
	r.members(value, what, []key{
		{"protocol", false, r.protocol(p)},
		{"url", true, r.url(p)},
		{"header", false, r.text(&p.header)},
		{"credential", false, func(n *yaml.Node) { r.credential(p, n) }},
	})
	return p
}

// keyed reports whether a mapping has a key.
func keyed(n *yaml.Node, name string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return true
		}
	}
	return false
}

func (r *reader) protocol(p *Provider) func(*yaml.Node) {
	return func(n *yaml.Node) {
		p.Protocol = client.Protocol(n.Value)
		if _, err := client.New(p.Protocol, "https://tools.example"); err != nil {
			r.bad(n, "write one of "+strings.Join(protocols, ", "), "there is no protocol %q%s", n.Value, diag.DidYouMean(n.Value, protocols))
		}
	}
}

func (r *reader) url(p *Provider) func(*yaml.Node) {
	return func(n *yaml.Node) {
		p.URL = n.Value
		if _, err := client.New(client.ProtocolMCP, n.Value); err != nil {
			r.bad(n, "write https://host/path", "this is not the address of a server; credentials go into credential:")
		}
	}
}

func (r *reader) credential(p *Provider, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		r.reference(&p.secret)(n)
		return
	}
	r.members(n, "credential", []key{{"client_credentials", true, func(n *yaml.Node) {
		g := &oauth.Grant{Type: oauth.ClientCredentials}
		r.members(n, "client_credentials", []key{
			{"token_url", true, r.text(&g.URL)}, {"id", true, r.text(&g.ID)}, {"secret", true, r.reference(&g.Secret)},
			{"scopes", false, r.texts(&g.Scopes)}, {"audience", false, r.text(&g.Audience)},
		})
		p.grant = g
	}}})
}

// reference reads where a secret is. The text is not shown: it may be one.
func (r *reader) reference(into *string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		if !reference.MatchString(n.Value) {
			r.list.Add(diag.Finding{Rule: ruleFile, Span: r.span(n), Private: true, Fix: "write env:NAME or file:PATH", Message: "a credential is a reference to a secret, and not the secret"})
			return
		}
		*into = n.Value
	}
}

// An Opener speaks to providers.
type Opener struct {
	// Secret gives what a reference, env:NAME or file:PATH, means.
	Secret func(reference string) (string, error)
	// HTTP sends requests.
	HTTP *http.Client
	// Finder looks for programs.
	Finder *atip.Finder
}

// Open returns the server of a provider, and finds out what it speaks where that is
// not stated.
func (o *Opener) Open(ctx context.Context, p *Provider) (*client.Server, error) {
	if p.Program != "" {
		return nil, errors.New("it is a program, which has no server")
	}
	options, err := o.options(p)
	if err != nil {
		return nil, err
	}
	if p.Protocol == "" {
		return o.discover(ctx, p, options)
	}
	return client.New(p.Protocol, p.URL, options...)
}

func (o *Opener) options(p *Provider) ([]client.Option, error) {
	options := []client.Option{client.WithHTTPClient(o.HTTP)}
	switch {
	case p.grant != nil:
		grant := *p.grant
		var err error
		if grant.Secret, err = o.Secret(grant.Secret); err != nil {
			return nil, err
		}
		source, err := oauth.New(grant, http.DefaultTransport)
		if err != nil {
			return nil, fmt.Errorf("the credential cannot be used: %w", err)
		}
		options = append(options, client.WithHeader(func(ctx context.Context, h http.Header) error {
			token, err := source.Get(ctx, "")
			h.Set("Authorization", "Bearer "+token)
			return err
		}))
	case p.secret != "":
		secret, err := o.Secret(p.secret)
		if err != nil {
			return nil, err
		}
		name, value := p.header, secret
		if name == "" {
			name, value = "Authorization", "Bearer "+secret
		}
		options = append(options, client.WithHeader(func(_ context.Context, h http.Header) error {
			h.Set(name, value)
			return nil
		}))
	}
	return options, nil
}
