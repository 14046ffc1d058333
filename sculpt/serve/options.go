package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A Protocol names one of the wire protocols that a handler speaks.
type Protocol string

// The wire protocols. Each has its prefix, "/" and its name, because A2T and
// OTC both claim GET /tools with different bodies.
const (
	// ProtocolA2T is draft-rosenberg-aiproto-a2t-00.
	ProtocolA2T Protocol = "a2t"
	// ProtocolNACT is draft-rosenberg-aiproto-nact-00: A2T without its name.
	ProtocolNACT Protocol = "nact"
	// ProtocolOTC is Open Tool Calling 1.0 and its successor OXP 1.0.
	ProtocolOTC Protocol = "otc"
	// ProtocolMCP is the Model Context Protocol, revisions 2025-03-26 to 2026-07-28,
	// tools only.
	ProtocolMCP Protocol = "mcp"
	// ProtocolATDF is the Agent Tool Description Format 1.x and 2.x with its server
	// profile 1: descriptions only, there are no calls in it.
	ProtocolATDF Protocol = "atdf"
)

// Limits bounds what callers may use. A zero field means its default.
type Limits struct {
	// Body is the longest request body in bytes; default 256 KiB.
	Body int64
	// Bodies is how many bytes the bodies of requests may take that are being read,
	// beside 4 KiB for each; default 48 MiB. One caller has a quarter of it. A request
	// that finds no room is refused (A2T 503).
	Bodies int
	// Connections is how many connections [Run] keeps open; default 8192. Where there
	// are more, the one that has been idle for longest is closed, else one whose request
	// has not come, else the new one. One address has three quarters of them.
	Connections int
	// Concurrent is how many calls may be under way at once, those included that wait;
	// the default is 1024 for each processor that the program may use, and at least
	// 2048. Further ones are refused at once (A2T 503). An eighth of them is never for
	// one authenticated principal alone (A2T 429), unless PerPrincipal allows it. Calls
	// mostly wait for their apis, so this bounds the memory of calls and their
	// connections, and not the use of processors.
	Concurrent int
	// PerAPI is how many upstream calls of one api may run at once; default half of
	// Concurrent. An api that hangs leaves room for the tools of others.
	PerAPI int
	// PerPrincipal is how many upstream calls of one authenticated principal may run
	// at one api at once; default three quarters of PerAPI, so that one caller alone
	// gets most of an api and never all of it. Anonymous callers cannot be told apart:
	// PerAPI bounds them.
	PerPrincipal int
	// Waiting is how many upstream calls may wait for a place at one api; default half
	// of PerAPI and at least 16, as far as Concurrent leaves an eighth for others.
	// Less than zero is for none. Principals who wait take turns, and one of them has
	// at most three quarters of the room. Who has waited for 5 s, or finds no room,
	// is refused: with A2T 429 where the share of the principal is used up, else
	// with A2T 503.
	Waiting int
	// Replay is how many calls of a toolset that had an effect are remembered
	// for ten minutes by their Idempotency-Key or call_id; default 262144. None is
	// forgotten earlier: while there is no room, calls with another key are refused
	// (A2T 503) before anything happens.
	Replay int
	// ReplayPerPrincipal is the share of one principal in that; default 65536, a
	// quarter. Further calls are refused (A2T 429). Anonymous callers have a share
	// for each address, or /64 of IPv6, that they come from.
	ReplayPerPrincipal int
	// ReplayBytes is about how many bytes of keys and results all remembered calls
	// may hold; default 256 MiB. A principal has the same part of it as of Replay.
	ReplayBytes int
	// Deadline bounds calls of tools that state none; default 30 s.
	Deadline time.Duration
}

const (
	defaultBody        = 256 << 10
	defaultBodies      = 48 << 20
	defaultConnections = 8192
	perProcessor       = 1024
	leastConcurrent    = 2048
	leastWaiting       = 16
	defaultReplay      = 256 << 10
	defaultReplayOne   = 64 << 10
	defaultReplayBytes = 256 << 20
	// DefaultDeadline bounds one call of a tool that states no deadline.
	DefaultDeadline = 30 * time.Second
)

func (l *Limits) fill() {
	if l.Body <= 0 {
		l.Body = defaultBody
	}
	if l.Bodies <= 0 {
		l.Bodies = defaultBodies
	}
	if l.Connections <= 0 {
		l.Connections = defaultConnections
	}
	if l.Concurrent <= 0 {
		l.Concurrent = max(leastConcurrent, perProcessor*runtime.GOMAXPROCS(0))
	}
	if l.PerAPI <= 0 {
		l.PerAPI = l.Concurrent - l.Concurrent/2
	}
	l.PerPrincipal = max(l.PerPrincipal, 0) // its default follows PerAPI, and that of Waiting both
	if l.Replay <= 0 {
		l.Replay = defaultReplay
	}
	if l.ReplayPerPrincipal <= 0 {
		l.ReplayPerPrincipal = defaultReplayOne
	}
	if l.ReplayBytes <= 0 {
		l.ReplayBytes = defaultReplayBytes
	}
	if l.Deadline <= 0 {
		l.Deadline = DefaultDeadline
	}
}

// replayShare is how many bytes the remembered calls of one principal may hold.
func (l *Limits) replayShare() int {
	return min(l.ReplayBytes, int(float64(l.ReplayBytes)*float64(l.ReplayPerPrincipal)/float64(l.Replay)))
}

// perPrincipal is PerPrincipal or its default.
func (l *Limits) perPrincipal() int {
	if l.PerPrincipal > 0 {
		return l.PerPrincipal
	}
	return max(1, l.PerAPI-max(1, l.PerAPI/4))
}

// waiting is Waiting or its default.
func (l *Limits) waiting() int {
	if l.Waiting != 0 {
		return max(0, l.Waiting)
	}
	return max(0, min(max(leastWaiting, l.PerAPI/2), l.forOne()-l.PerAPI))
}

// forOne is how many calls may be under way of one principal, or at one api.
func (l *Limits) forOne() int { return max(1, l.Concurrent-max(1, l.Concurrent/8)) }

// An Option changes what NewHandler builds.
type Option func(*settings)

// settings is what the options add up to. An option that is wrong puts its
// reason into errs, so that NewHandler can report all of them.
type settings struct {
	allowUnreleased bool
	clock           func() time.Time
	only            []Protocol
	mounts          map[Protocol]string
	base            string
	intercept       []func(CallFunc) CallFunc
	rootA2T         bool
	tags            []string
	keep            func(tool.Effects) bool
	auth            Authenticator
	limits          Limits
	log             *slog.Logger
	publicDiscovery bool
	leanMCP         bool
	otc401          bool
	otcShape        OTCShape
	challenges      map[string]string
	origins         []string
	// cross refuses cross-origin requests of browsers, but for origins.
	cross    *http.CrossOriginProtection
	resource *oauthResource
	errs     []error
}

func newSettings(options []Option) (*settings, error) {
	s := &settings{clock: time.Now, mounts: map[Protocol]string{}, challenges: map[string]string{}, cross: http.NewCrossOriginProtection()}
	for _, option := range options {
		option(s)
	}
	s.limits.fill()
	if s.log == nil {
		s.log = slog.Default()
	}
	if c, ok := s.auth.(interface{ check() error }); ok {
		if err := c.check(); err != nil {
			s.errs = append(s.errs, err)
		}
	}
	return s, errors.Join(s.errs...)
}

func (s *settings) bad(format string, args ...any) {
	s.errs = append(s.errs, fmt.Errorf("serve: %w", fmt.Errorf(format, args...)))
}

// WithUnreleased serves versions that are still being prepared. Without it
// NewHandler refuses them: a published version may never change (A2T 6.1).
func WithUnreleased() Option {
	return func(s *settings) { s.allowUnreleased = true }
}

// WithClock tells the time by now instead of [time.Now]: on which day a tool
// ends is judged by it. Tests want another day.
func WithClock(now func() time.Time) Option {
	return func(s *settings) {
		if now == nil {
			s.bad("WithClock(nil)")
			return
		}
		s.clock = now
	}
}

// WithProtocols serves these protocols and no other.
func WithProtocols(protocols ...Protocol) Option {
	return func(s *settings) {
		if len(protocols) == 0 {
			s.bad("WithProtocols needs a protocol")
		}
		for _, p := range protocols {
			if !isProtocol(p) {
				s.bad("WithProtocols: there is no protocol %q", p)
			}
		}
		s.only = append(s.only, protocols...)
	}
}

// WithPrefix serves the protocol under prefix instead of "/" and its name. The empty
// prefix is the root; other prefixes begin with a slash and do not end in one.
// The prefix counts from the root of the server, or from [WithBase], so that a
// handler can be mounted in an [http.ServeMux] without StripPrefix.
func WithPrefix(p Protocol, prefix string) Option {
	return func(s *settings) {
		if !isProtocol(p) {
			s.bad("WithPrefix: there is no protocol %q", p)
		}
		s.mounts[p] = s.prefix("WithPrefix", prefix)
	}
}

// WithBase serves everything below a path, such as /tools, for a handler that is
// mounted there without StripPrefix:
//
//	h, err := serve.NewHandler(sets, serve.WithBase("/tools"))
//	mux.Handle("/tools/", h)
//
// The doors are /tools/a2t, /tools/mcp and so on, GET /tools/ names them, and the
// probes are /tools/healthz and /tools/readyz. The metadata of [WithOAuthResource]
// stay where clients look for them, below /.well-known/ of the host.
func WithBase(path string) Option {
	return func(s *settings) { s.base = s.prefix("WithBase", path) }
}

// prefix checks the path of an option; "/" is the root, as "" is.
func (s *settings) prefix(option, path string) string {
	if path == "/" {
		path = ""
	}
	bad := strings.HasSuffix(path, "/") || strings.ContainsAny(path, "?#% ") || strings.Contains(path, "//")
	if path != "" && (path[0] != '/' || bad) {
		s.bad("%s: %q is not a prefix such as /agents", option, path)
	}
	return path
}

// A Call is a call of one version of a tool. Its arguments are valid and hold
// defaults.
type Call struct {
	Tool    *tool.Tool
	Version int
	Args    tool.Args
}

// A CallFunc makes a call. [tool.CallerOf] and [tool.InvocationOf] of ctx say who
// makes it, and how. An error that is no [*tool.Error] is one of the server.
type CallFunc func(ctx context.Context, call *Call) (tool.Result, error)

// WithInterceptor puts a function around every call that runs, at every door: for
// traces, metrics, checks of your own. The first interceptor is the outermost one.
//
//	serve.WithInterceptor(func(next serve.CallFunc) serve.CallFunc {
//		return func(ctx context.Context, call *serve.Call) (tool.Result, error) {
//			begin := time.Now()
//			defer func() { took.Record(call.Tool.Name, time.Since(begin)) }()
//			return next(ctx, call)
//		}
//	})
//
// A call that is refused before it runs does not come here, nor does a repeated one
// that gets the first answer.
func WithInterceptor(intercept func(next CallFunc) CallFunc) Option {
	return func(s *settings) {
		if intercept == nil {
			s.bad("WithInterceptor(nil)")
			return
		}
		s.intercept = append(s.intercept, intercept)
	}
}

// WithRootA2T serves A2T at the root as well, at /tools: the place that a client
// tries which knows nothing but the host.
func WithRootA2T() Option {
	return func(s *settings) { s.rootA2T = true }
}

// WithTags serves only the tools that carry every one of the tags.
func WithTags(tags ...string) Option {
	return func(s *settings) { s.tags = append(s.tags, tags...) }
}

// WithEffects serves only the tools whose effects keep accepts:
//
//	serve.WithEffects(func(e tool.Effects) bool { return e.ReadOnly })
func WithEffects(keep func(tool.Effects) bool) Option {
	return func(s *settings) {
		if keep == nil {
			s.bad("WithEffects(nil)")
			return
		}
		before := s.keep
		s.keep = func(e tool.Effects) bool { return (before == nil || before(e)) && keep(e) }
	}
}

// WithAuthenticator lets only callers in whom a accepts. Nil is an error:
// a server that was meant to be closed must not be open by accident.
func WithAuthenticator(a Authenticator) Option {
	return func(s *settings) {
		if a == nil {
			s.bad("WithAuthenticator(nil): leave the option out for an open server")
			return
		}
		s.auth = a
	}
}

// WithPublicDiscovery lets everybody read the catalogue (A2T, OTC and ATDF GET
// routes); only calls need credentials then. MCP has one route for all, and
// stays closed.
func WithPublicDiscovery() Option {
	return func(s *settings) { s.publicDiscovery = true }
}

// WithLimits replaces the default limits.
func WithLimits(l Limits) Option {
	return func(s *settings) { s.limits = l }
}

// WithLogger sends the call log to log instead of [slog.Default]. There is
// one record per call, without any input or output value.
func WithLogger(log *slog.Logger) Option {
	return func(s *settings) {
		if log == nil {
			s.bad("WithLogger(nil): slog.DiscardHandler makes a silent logger")
			return
		}
		s.log = log
	}
}

// WithLeanMCP lists the tools of MCP without what models are not shown: titles,
// the schema of answers, and hints that are what MCP assumes. That is half of the
// tokens for clients that put the list into every prompt. Calls are answered as
// before.
func WithLeanMCP() Option {
	return func(s *settings) { s.leanMCP = true }
}

// WithOTCUnauthorized401 answers missing or wrong credentials on OTC with 401, as
// the OpenAPI document and the security page of OTC 1.0 say. The default is
// the 400 of its text.
func WithOTCUnauthorized401() Option {
	return func(s *settings) { s.otc401 = true }
}

// WithOTCShape chooses the form of the tool list for OTC clients that name
// no $schema, which most do not; OTCDual is the default, which clients of both
// forms read. OTC10 and OXP10 are for clients that refuse what they do not
// know. Who names a $schema gets the shape of it.
func WithOTCShape(shape OTCShape) Option {
	return func(s *settings) {
		if shape > OTCShapeOXP10 {
			s.bad("WithOTCShape: there is no shape %d", shape)
			return
		}
		s.otcShape = shape
	}
}

// WithAuthorizationURL tells where a user gets the token of an authorization
// provider that a tool needs. An OTC call without that token is answered with
// the URL in missing_requirements (OXP 1.0 ToolAuthorizationChallenge).
func WithAuthorizationURL(provider, url string) Option {
	return func(s *settings) { s.challenges[provider] = url }
}

// WithOrigins lets pages of these origins ("https://example.com") call the
// handler. Under [Run] all other cross-origin calls of browsers are refused;
// elsewhere MCP refuses them, as it has to, and the server that the handler is
// mounted in sees to the rest.
func WithOrigins(origins ...string) Option {
	return func(s *settings) {
		for _, origin := range origins {
			if err := s.cross.AddTrustedOrigin(origin); err != nil {
				s.bad("WithOrigins: %w", err)
			}
		}
		s.origins = append(s.origins, origins...)
	}
}

// protocols are all of them, in the order in which they are mounted.
var protocols = []Protocol{ProtocolA2T, ProtocolNACT, ProtocolOTC, ProtocolMCP, ProtocolATDF}

func isProtocol(p Protocol) bool { return slices.Contains(protocols, p) }
