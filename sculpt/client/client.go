package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A Protocol is what a server speaks.
type Protocol string

// The protocols. N-ACT is A2T under its older name; OTC and OXP have the same
// routes and differ in how a list is written, and either reads both.
const (
	ProtocolA2T  Protocol = "a2t"
	ProtocolNACT Protocol = "nact"
	ProtocolOTC  Protocol = "otc"
	ProtocolOXP  Protocol = "oxp"
	ProtocolMCP  Protocol = "mcp"
)

// A Server is one address that serves tools over one protocol. It is safe for
// concurrent use.
type Server struct {
	address  *url.URL
	protocol Protocol
	speak    speaker
	http     *http.Client
	header   func(ctx context.Context, h http.Header) error
	attempts int
	limit    int64

	// fresh keeps what was read with an ETag, by address.
	mu        sync.Mutex
	fresh     map[string]kept
	freshSize int
}

// A speaker is one protocol.
type speaker interface {
	// tools lists the newest versions, those with all the tags.
	tools(ctx context.Context, tags []string) ([]*Tool, error)
	// tool reads the newest version of one; nil without an error means that the
	// protocol can only list.
	tool(ctx context.Context, id string) (*Tool, error)
	versions(ctx context.Context, id string) ([]*Tool, error)
	version(ctx context.Context, id string, n int) (*Tool, error)
	invoke(ctx context.Context, t *Tool, c *prepared) (*Result, *Error)
}

// An Option changes how a server is spoken to.
type Option func(*Server) error

// WithHTTPClient sets what sends requests: certificates, proxies and limits of
// connections are its business. Its CheckRedirect is not used.
func WithHTTPClient(c *http.Client) Option {
	return func(s *Server) error {
		if c == nil {
			return errors.New("client: WithHTTPClient wants a client")
		}
		own := *c
		s.http = &own
		return nil
	}
}

// WithHeader is asked before every request for what goes into its header, such as
// credentials. It is given an empty header. Members that the protocol sets itself
// cannot be replaced.
func WithHeader(set func(ctx context.Context, h http.Header) error) Option {
	return func(s *Server) error {
		s.header = set
		return nil
	}
}

// WithBearer sends a token with every request.
func WithBearer(token string) Option {
	return WithHeader(func(_ context.Context, h http.Header) error {
		h.Set("Authorization", "Bearer "+token)
		return nil
	})
}

// WithAttempts bounds how often a call is sent that may be repeated; 3, unless
// stated, 1 for never again.
func WithAttempts(n int) Option {
	return func(s *Server) error {
		if n < 1 || n > 10 {
			return fmt.Errorf("client: %d attempts are not from 1 to 10", n)
		}
		s.attempts = n
		return nil
	}
}

// WithLimit bounds how many bytes of an answer are read: 16 MiB, unless stated. All
// pages of a list together may have 8 MiB, or half of it where that is more.
func WithLimit(bytes int64) Option {
	return func(s *Server) error {
		if bytes < 1 {
			return fmt.Errorf("client: a limit of %d bytes reads nothing", bytes)
		}
		s.limit = bytes
		return nil
	}
}

// New returns the server at an address: for A2T the root above /tools, for OTC the
// one above /tools and /tools/call, for MCP the endpoint itself. Nothing is sent.
func New(p Protocol, address string, options ...Option) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return nil, fmt.Errorf("client: %q is not the address of a server: write https://host/path", address)
	}
	if u.RawQuery != "" && p != ProtocolMCP {
		return nil, fmt.Errorf("client: the address of %s has no query, but %q has", p, address)
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	s := &Server{address: u, protocol: p, http: &http.Client{}, attempts: 3, limit: 16 << 20, fresh: map[string]kept{}}
	switch p {
	case ProtocolA2T, ProtocolNACT:
		s.speak = &a2t{s}
	case ProtocolOTC:
		s.speak = &otc{s, otcSchema}
	case ProtocolOXP:
		s.speak = &otc{s, oxpSchema}
	case ProtocolMCP:
		s.speak = &mcp{s: s, opening: make(chan struct{}, 1)}
	default:
		return nil, fmt.Errorf("client: there is no protocol %q", p)
	}
	for _, o := range options {
		if err := o(s); err != nil {
			return nil, err
		}
	}
	s.http.CheckRedirect = sameOrigin
	return s, nil
}

// sameOrigin lets redirects of reads stay with the server: credentials go along.
func sameOrigin(next *http.Request, before []*http.Request) error {
	first := before[0]
	if len(before) > 3 || next.URL.Scheme != first.URL.Scheme || next.URL.Host != first.URL.Host || first.Method != http.MethodGet {
		return http.ErrUseLastResponse
	}
	return nil
}

// Address returns where the server is.
func (s *Server) Address() string { return s.address.String() }

// Protocol returns what it speaks.
func (s *Server) Protocol() Protocol { return s.protocol }

// Tools lists the newest versions of all tools, or of those that have every one
// of the tags, in the order of the server (A2T 6.1, 6.4). It reads all pages, within
// bounds that no honest list reaches: a minute, 1,000 pages, 10,000 tools, 50,000
// inputs, outputs, values and tags, and the bytes that [WithLimit] has. Beyond one of
// them there is no list, and the error names it.
func (s *Server) Tools(ctx context.Context, tags ...string) ([]*Tool, error) {
	return s.owned(inTime(ctx, func(ctx context.Context) ([]*Tool, error) { return s.speak.tools(ctx, tags) }))
}

// Tool reads the newest version of a tool by its id, which over MCP is its name.
// What was read before is asked for with its ETag, so asking again before every
// call is cheap where nothing has changed (A2T 5.2).
func (s *Server) Tool(ctx context.Context, id string) (*Tool, error) {
	t, err := inTime(ctx, func(ctx context.Context) (*Tool, error) { return s.speak.tool(ctx, id) })
	if err != nil {
		return nil, err
	}
	return s.own(t), nil
}

// Versions lists the versions of a tool, newest first. OTC and MCP tell the newest
// one alone, unless the server lists more.
func (s *Server) Versions(ctx context.Context, id string) ([]*Tool, error) {
	return s.owned(inTime(ctx, func(ctx context.Context) ([]*Tool, error) { return s.speak.versions(ctx, id) }))
}

// Version reads one version of a tool.
func (s *Server) Version(ctx context.Context, id string, n int) (*Tool, error) {
	t, err := inTime(ctx, func(ctx context.Context) (*Tool, error) { return s.speak.version(ctx, id, n) })
	if err != nil {
		return nil, err
	}
	return s.own(t), nil
}

func (s *Server) own(t *Tool) *Tool {
	t.Protocol = s.protocol
	return t
}

func (s *Server) owned(tools []*Tool, err error) ([]*Tool, error) {
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		s.own(t)
	}
	return tools, nil
}

// A Call is what a caller wants of a tool.
type Call struct {
	// Arguments by input name, as what json.Marshal makes of them; null is absent.
	Arguments map[string]any
	// Key names the call, so that a server which knows it does not run it twice.
	// Unless stated, one is made for each Invoke of a tool that is not read-only.
	Key string
	// Caller is what a tool needs of who calls (OTC).
	Caller Caller
	// Traceparent is that of the trace the call belongs to (W3C).
	Traceparent string
}

// A Caller is who a tool works for: its values go to the server alone (OTC
// context). A2T and MCP have no place for them.
type Caller struct {
	UserID string
	// Secrets by id, Tokens by the id of their provider.
	Secrets, Tokens map[string]string
}

// Invoke checks the arguments, calls the version that t describes and returns its
// outputs. Every error is an [Error].
//
// A failed call is repeated, at most as often as [WithAttempts] says and never
// after the deadline of ctx, if the server says that it is worth it ("retryable",
// can_retry with a time to wait), if the tool is said to be read-only, or if it
// never left this machine; a 5xx of a server that says no more is not enough for
// a tool that changes something (A2T 5.3 lets executors repeat it). The error is of
// the kind UnknownOutcome then, so that the model is told not to just try again.
func (s *Server) Invoke(ctx context.Context, t *Tool, c Call) (*Result, error) {
	p, fault := t.prepare(c)
	if fault != nil {
		return nil, fault
	}
	for attempt := 1; ; attempt++ {
		result, fault := s.speak.invoke(ctx, t, p)
		if fault == nil {
			result.Attempts = attempt
			return result, nil
		}
		fault.Attempts = attempt
		if attempt == s.attempts || !fault.repeatable(t) || !pause(ctx, fault.wait(attempt)) {
			return nil, fault.settled(t)
		}
	}
}

// pause waits, and reports false at once if ctx would end before.
func pause(ctx context.Context, d time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
