package serve

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"
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
	Transport http.RoundTripper
	// Handler, if set, answers the requests inside the process; it wins over
	// Transport.
	Handler http.Handler
}

// A Header is one header line that every request of an api carries.
type Header struct{ Name, Value string }

// A Credential is sent with every request of an api, and only to the origin
// of its base URL.
type Credential struct {
	// In is "header", "query" or "cookie"; Name the name there.
	In, Name string
	// Prefix stands before the value, such as "Bearer ".
	Prefix string
	// Value is the secret. A credential without value that is not Caller's is
	// not sent.
	Value string
	// Caller sends what the caller presented, [Principal.Authorization], in
	// place of Value: as it came where Name is Authorization, else behind
	// Prefix. A caller who presented nothing gets an Unauthorized error.
	Caller bool
}

// UpstreamSpec is what generated code knows about an api.
type UpstreamSpec struct {
	// Name is the name of the api in the manifest.
	Name string
	// BaseURL is absolute, http or https, without user, query and fragment.
	BaseURL     string
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

// An Upstream calls one api. It is safe for concurrent use.
type Upstream struct {
	name         string
	scheme, host string
	// prefix is the escaped path of the base URL without a slash at its end;
	// plainPrefix the same unescaped.
	prefix, plainPrefix string
	// header is shared by all requests that add none; nobody writes to it.
	header      http.Header
	credentials []Credential
	// query and cookie hold the credentials that go there, ready to send.
	query, cookie string
	callers       bool
	timeout       time.Duration
	attempts      int
	maxBody       int64
	transport     http.RoundTripper
	budget        retryBudget
	cache         answerCache
}

// NewUpstream returns the client of one api. It refuses a base URL, header or
// credential that could not be sent.
func NewUpstream(spec UpstreamSpec, api API) (*Upstream, error) {
	base := spec.BaseURL
	if api.BaseURL != "" {
		base = api.BaseURL
	}
	u := &Upstream{
		name: spec.Name, timeout: spec.Timeout, attempts: spec.Attempts, maxBody: spec.MaxBody,
		header:    http.Header{"Accept-Encoding": {"gzip"}, "Accept": {"application/json"}, "User-Agent": {"sculpt"}},
		transport: api.Transport,
	}
	u.defaults(api.Handler)
	if err := u.base(base); err != nil {
		return nil, fmt.Errorf("api %s: %w", spec.Name, err)
	}
	for _, h := range spec.Headers {
		if why := headerFault(h.Name, h.Value); why != "" {
			return nil, fmt.Errorf("api %s: header %q %s", spec.Name, h.Name, why)
		}
		u.header[textproto.CanonicalMIMEHeaderKey(h.Name)] = []string{h.Value}
	}
	for _, c := range spec.Credentials {
		if err := u.credential(c); err != nil {
			return nil, fmt.Errorf("api %s: credential %q: %w", spec.Name, c.Name, err)
		}
	}
	if u.cookie != "" {
		u.header["Cookie"] = []string{u.cookie}
	}
	return u, nil
}

func (u *Upstream) defaults(handler http.Handler) {
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

// base takes the base URL apart. The texts do not quote it: it may come from
// the environment and hold what must not be logged.
func (u *Upstream) base(text string) error {
	b, err := url.Parse(text)
	if err != nil {
		return errors.New("the base URL is no URL")
	}
	switch {
	case b.Scheme != "http" && b.Scheme != "https", b.Host == "", b.Hostname() == "":
		return errors.New("the base URL must be absolute, http or https")
	case b.User != nil:
		return errors.New("the base URL must not hold a user or password")
	case b.RawQuery != "" || b.ForceQuery || b.Fragment != "" || strings.Contains(text, "#"):
		return errors.New("the base URL must not hold a query or fragment")
	case pathFault(strings.TrimPrefix(strings.TrimSuffix(b.Path, "/"), "/"), true) != "":
		return errors.New("the base URL has a path that cannot be sent")
	}
	u.scheme, u.host = b.Scheme, b.Host
	u.prefix = strings.TrimRight(b.EscapedPath(), "/")
	u.plainPrefix, err = url.PathUnescape(u.prefix)
	return err
}

func (u *Upstream) credential(c Credential) error {
	u.callers = u.callers || c.Caller
	if c.Value == "" && !c.Caller {
		return nil
	}
	value := c.Prefix + c.Value
	if c.Caller {
		value = strings.TrimSpace(c.Prefix) // the rest comes with each call
	}
	switch c.In {
	case "header":
		if why := headerFault(c.Name, value); why != "" {
			return errors.New(why)
		}
		c.Name = textproto.CanonicalMIMEHeaderKey(c.Name)
		if !c.Caller {
			u.header[c.Name] = []string{value}
		}
	case "query":
		if c.Caller || c.Name == "" {
			return errors.New("a caller's credential goes into a header, others need a name")
		}
		u.query = string(appendQuery([]byte(u.query), c.Name, value))
	case "cookie":
		if c.Caller || !isToken(c.Name) || !cookieSafe(value) {
			return errors.New("cannot be sent as a cookie")
		}
		u.cookie = string(appendCookie([]byte(u.cookie), c.Name, value))
	default:
		return fmt.Errorf("there is no place %q", c.In)
	}
	u.credentials = append(u.credentials, c)
	return nil
}

// secretHeader reports whether a credential owns the header.
func (u *Upstream) secretHeader(name string) bool {
	return slices.ContainsFunc(u.credentials, func(c Credential) bool { return c.In == "header" && c.Name == name })
}

// NewTransport returns what an [API] without Transport uses, for wrapping in
// [Record] or [Observe]. It never reads the environment, so it uses no proxy;
// HTTP/1.1 costs less than half of HTTP/2 for single answers. It leaves gzip
// alone, because answers are decoded in this package, behind a limit.
func NewTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		TLSHandshakeTimeout:    5 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConns:           512,
		MaxIdleConnsPerHost:    256,
		ReadBufferSize:         16 << 10,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}
}
