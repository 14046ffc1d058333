package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/oauth"
	"github.com/sculpt-tools/sculpt/internal/server"
)

// API is what the vendor configures per api of the manifest. The zero API
// calls the servers that the OpenAPI document names.
type API struct {
	// BaseURL replaces the base URL of the document; "" keeps it. Credentials
	// go to the origin of whichever is used, and nowhere else.
	BaseURL string
	// Transport sends the requests; nil means a transport of its own for this
	// api that uses no proxy and keeps connections. The context's deadline
	// bounds each call, and responses must come with Content-Encoding intact.
	// It may add what is the caller's by [tool.CallerOf]: what "cache:" keeps of an own
	// transport or handler is kept for each principal. What middleware knows of a
	// caller has to be in that principal, too.
	Transport http.RoundTripper
	// TokenURL replaces the token endpoint that the document names; "" keeps it.
	// It has to be given where BaseURL is and a credential has a Grant: what is
	// tested against a stand-in must not ask the real endpoint for a token.
	TokenURL string
	// Consent asks users for theirs, where a credential is what they have agreed to.
	// Without one an own Transport or Handler has to add what is the caller's.
	Consent *Consent
	// Handler, if set, answers the requests inside the process; it wins over
	// Transport.
	Handler http.Handler
}

// A Header is one header line that every request of an api carries.
type Header struct{ Name, Value string }

// A Credential is sent with the calls that ask for it, and only to the origin
// that the call is for.
type Credential struct {
	// Scheme is the name of its security scheme, by which [Call.Credentials]
	// asks for it.
	Scheme string
	// In is "header", "query" or "cookie"; Name the name there.
	In, Name string
	// Prefix is before the value, such as "Bearer ".
	Prefix string
	// Value is the secret. A credential without value that is not Caller's is
	// not sent.
	Value string
	// File, if Value was read from it, is looked at again, at most once a second and
	// where a call is refused with 401: a secret may be replaced while the program
	// runs. Another Value stays.
	File string
	// Caller sends what the caller presented, [tool.Principal.Authorization], in
	// place of Value: as it came where Name is Authorization, else behind
	// Prefix. A caller who presented nothing gets an Unauthorized error.
	Caller bool
	// Grant, unless empty, says that the credential is an access token, which
	// TokenURL gives for it: client_credentials, refresh_token, token_exchange,
	// which needs the token of the caller, or authorization_code, to which each user
	// agrees at AuthorizationURL, see [Consent]. ClientID and Value are those of the
	// client, which may have no secret; InBody sends them in the form. A token is
	// asked for when the first call needs it, renewed before it ends, and once more
	// where a call is refused with 401.
	Grant              string
	TokenURL, ClientID string
	AuthorizationURL   string
	// Issuer is the iss with which the authorization server sends users back (RFC
	// 9207), if it has promised to: an answer without it is refused. "" promises nothing.
	Issuer   string
	InBody   bool
	Refresh  string
	Scopes   []string
	Audience string
}

// A ServerVariable is a value for {name} in the address of a server. It has to be
// in Enum, or, where that is empty, to fit its place: a label of a host, a port,
// segments of a path. From says where the value comes from, for messages.
type ServerVariable struct {
	Name, Value string
	Enum        []string
	From        string
}

// Spec is what generated code knows about an api.
type Spec struct {
	// Name is the name of the api in the manifest.
	Name string
	// BaseURL is absolute, http or https, without user, query and fragment. It is
	// empty where each operation has a server of its own.
	BaseURL string
	// Servers are written like BaseURL: the servers that single operations have
	// instead of it, see [Call.Server].
	Servers []string
	// Variables are the values for {name} in BaseURL and Servers.
	Variables   []ServerVariable
	Headers     []Header
	Credentials []Credential
	// Timeout bounds one call with all its attempts; 0 means 10 s.
	Timeout time.Duration
	// Attempts is 1 to 3; 0 means 3.
	Attempts int
	// MaxBody is the longest answer in decoded bytes; 0 means 8 MiB.
	MaxBody int64
}

const (
	// DefaultCallTime bounds one call with all its attempts where nothing else
	// is stated.
	DefaultCallTime = 10 * time.Second
	// MaxAttempts is how often a call that is safe to repeat is tried at most,
	// and where nothing else is stated.
	MaxAttempts = 3

	defaultMaxBody = 8 << 20
)

// A Client calls one api. It is safe for concurrent use.
type Client struct {
	name string
	base origin
	// own are the servers of single operations; they are empty where the program
	// was given another base URL, which then holds for all.
	own map[string]origin
	// header is shared by all requests that add none; nobody writes to it.
	header      http.Header
	credentials []credential
	timeout     time.Duration
	attempts    int
	maxBody     int64
	transport   http.RoundTripper
	budget      retryBudget
	gate        gate
	cache       answerCache
	// personal: a transport of the vendor may add what is the caller's.
	personal bool
}

// An origin is a base URL, taken apart.
type origin struct {
	scheme, host string
	// prefix is the escaped path without a slash at its end; plain is the same
	// unescaped.
	prefix, plain string
}

// A credential is one that was checked.
type credential struct {
	Credential
	// text is prefix and value.
	text string
	// header are the shared headers of the api and this one, nil where it is not
	// a header with a value of its own.
	header http.Header
	// file has the value where that may change.
	file *secretFile
	// tokens gives the value, nil for a credential that has one.
	tokens *oauth.Source
	// consent asks for what users have to agree to, nil for other grants; scope
	// begins the keys of their tokens, and server is the one that asks them.
	consent *Consent
	scope   string
	server  *consentServer
}

// New returns the client of one api. It refuses a base URL, header or
// credential that could not be sent.
func New(spec Spec, api API) (*Client, error) {
	u := &Client{
		name: spec.Name, timeout: spec.Timeout, attempts: spec.Attempts, maxBody: spec.MaxBody,
		header:    http.Header{"Accept-Encoding": {"gzip"}, "Accept": {"application/json"}, "User-Agent": {"sculpt"}},
		transport: api.Transport, personal: api.Transport != nil || api.Handler != nil,
	}
	u.defaults(api.Handler)
	if err := u.servers(spec, api.BaseURL); err != nil {
		return nil, fmt.Errorf("api %s: %w", spec.Name, err)
	}
	for _, h := range spec.Headers {
		if why := headerFault(h.Name, h.Value); why != "" {
			return nil, fmt.Errorf("api %s: header %q %s", spec.Name, h.Name, why)
		}
		u.header[textproto.CanonicalMIMEHeaderKey(h.Name)] = []string{h.Value}
	}
	for _, c := range spec.Credentials {
		if err := u.credential(c, api); err != nil {
			return nil, fmt.Errorf("api %s: credential %q: %w", spec.Name, c.Name, err)
		}
	}
	return u, nil
}

func (u *Client) defaults(handler http.Handler) {
	if u.timeout <= 0 {
		u.timeout = DefaultCallTime
	}
	if u.attempts <= 0 || u.attempts > MaxAttempts {
		u.attempts = MaxAttempts
	}
	if u.maxBody <= 0 {
		u.maxBody = defaultMaxBody
	}
	switch {
	case handler != nil:
		u.transport = inProcess{handler}
	case u.transport == nil:
		u.transport = NewTransport()
	}
}

// servers takes the base URL of the api apart, and the servers of single
// operations. A base URL that the program was given replaces them all: what is
// tested against a stand-in must not reach the real service by another door.
func (u *Client) servers(spec Spec, given string) (err error) {
	if given != "" {
		u.base, err = originOf(given)
		return err
	}
	if spec.BaseURL != "" || len(spec.Servers) == 0 {
		if u.base, err = spec.origin(spec.BaseURL); err != nil {
			return err
		}
	}
	u.own = make(map[string]origin, len(spec.Servers))
	for _, text := range spec.Servers {
		if u.own[text], err = spec.origin(text); err != nil {
			return err
		}
	}
	return nil
}

// origin fills the variables of an address in.
func (spec *Spec) origin(text string) (origin, error) {
	values := make([]server.Variable, len(spec.Variables))
	for i, v := range spec.Variables {
		values[i] = server.Variable{Name: v.Name, Value: v.Value, Enum: v.Enum, From: v.From}
	}
	text, err := server.Fill(text, values)
	if err != nil {
		return origin{}, err
	}
	return originOf(text)
}

// originOf takes a base URL apart. The texts do not quote it: it may come from
// the environment and hold what must not be logged.
func originOf(text string) (origin, error) {
	b, err := url.Parse(text)
	if err != nil {
		return origin{}, errors.New("the base URL is not a URL")
	}
	switch {
	case b.Scheme != "http" && b.Scheme != "https", b.Hostname() == "":
		return origin{}, errors.New("the base URL must be absolute, http or https")
	case b.User != nil:
		return origin{}, errors.New("the base URL must not hold a user or password")
	case b.RawQuery != "" || b.ForceQuery || b.Fragment != "" || strings.Contains(text, "#"):
		return origin{}, errors.New("the base URL must not hold a query or fragment")
	case pathFault(strings.TrimPrefix(strings.TrimSuffix(b.Path, "/"), "/"), true) != "":
		return origin{}, errors.New("the base URL has a path that cannot be sent")
	}
	prefix := strings.TrimRight(b.EscapedPath(), "/")
	plain, err := url.PathUnescape(prefix)
	return origin{b.Scheme, b.Host, prefix, plain}, err
}

func (u *Client) credential(c Credential, api API) error {
	if c.Value == "" && !c.Caller && c.Grant == "" {
		return nil
	}
	if c.Grant != "" {
		return u.granted(c, api)
	}
	value := c.Prefix + c.Value
	if c.Caller {
		value = strings.TrimSpace(c.Prefix) // the rest comes with each call
	}
	if err := sendable(&c, value); err != nil {
		return err
	}
	if c.In == "header" {
		c.Name = textproto.CanonicalMIMEHeaderKey(c.Name)
	}
	ready := credential{Credential: c, text: value}
	if c.In == "header" && !c.Caller {
		ready.header = maps.Clone(u.header)
		ready.header[c.Name] = []string{value}
	}
	if !c.Caller {
		ready.file = watch(&ready.Credential, u.header)
	}
	u.credentials = append(u.credentials, ready)
	return nil
}

// sendable refuses the value of a credential that its place cannot hold.
func sendable(c *Credential, value string) error {
	switch c.In {
	case "header":
		if why := headerFault(c.Name, value); why != "" {
			return errors.New(why)
		}
	case "query":
		if c.Caller || c.Name == "" {
			return errors.New("a caller's credential goes into a header, others need a name")
		}
	case "cookie":
		if c.Caller || !isToken(c.Name) || !cookieSafe(value) {
			return errors.New("cannot be sent as a cookie")
		}
	default:
		return fmt.Errorf("there is no place %q", c.In)
	}
	return nil
}

// granted adds a credential that a token endpoint gives.
func (u *Client) granted(c Credential, api API) error {
	if api.BaseURL != "" && api.TokenURL == "" {
		return errors.New("the base URL was replaced and the token URL was not: both or none, so that a stand-in gets no real token")
	}
	g := oauth.Grant{
		Type: c.Grant, URL: cmp.Or(api.TokenURL, c.TokenURL), ID: c.ClientID, Secret: c.Value, InBody: c.InBody,
		Refresh: c.Refresh, Scopes: c.Scopes, Audience: c.Audience,
	}
	ready := credential{}
	switch {
	case c.Grant != oauth.AuthorizationCode:
	case api.Consent == nil && u.personal:
		return nil
	case api.Consent == nil:
		return errors.New("users have to agree: set Consent of the API")
	default:
		if err := api.Consent.check(); err != nil {
			return err
		}
		server, err := api.Consent.serve(u.name, g.URL, &c)
		if err != nil {
			return err
		}
		g.Authorize, g.Redirect, g.Store = c.AuthorizationURL, server.redirect, userTokens{api.Consent.Store}
		ready.server, ready.consent, ready.scope = server, api.Consent, consentScope(u.name, &c, g.URL)
	}
	tokens, err := oauth.New(g, tokenTransport{u.transport, u.name, c.Grant == oauth.ClientCredentials || c.Grant == oauth.TokenExchange})
	if err != nil {
		return err
	}
	if why := headerFault(c.Name, strings.TrimSpace(c.Prefix)); c.In != "header" || why != "" {
		return errors.New("an access token goes into a header")
	}
	c.TokenURL = g.URL
	c.Name, c.Value, c.Refresh = textproto.CanonicalMIMEHeaderKey(c.Name), "", ""
	c.Caller = c.Grant == oauth.TokenExchange || c.Grant == oauth.AuthorizationCode
	ready.Credential, ready.tokens = c, tokens
	u.credentials = append(u.credentials, ready)
	return nil
}

// NewTransport returns what an [API] without Transport uses, for wrapping in
// [replay.Record] or [replay.Tap]. It never reads the environment, so it uses no proxy;
// HTTP/1.1 costs less than half of HTTP/2 for single answers. It leaves gzip
// alone, because answers are decoded in this package, behind a limit.
func NewTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    1024,
		ReadBufferSize:         16 << 10,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}
}
