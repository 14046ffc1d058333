package serve

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// NewHandler serves the tools of the sets over every protocol, each under its
// prefix (/a2t, /nact, /otc, /mcp, /atdf), with /healthz and /readyz beside
// them. GET / names these doors, and GET /openapi.json describes the calls of
// A2T.
//
// It refuses to start, with all reasons in one error, when a set was generated
// for another version of this package, when two tools share a name, an id or
// an OTC id, when a wire document is missing or does not belong to its tool,
// when versions have gaps, when one is unreleased without [WithUnreleased], and
// when a tool would pass the key of this server on to an api.
//
// The handler works inside an existing server too. Mounted as
//
//	h, err := serve.NewHandler(sets, serve.WithProtocols(serve.ProtocolA2T), serve.WithPrefix(serve.ProtocolA2T, ""))
//	mux.Handle("/tools", h)
//	mux.Handle("/tools/", h)
//
// it is A2T at the root of that server, after its middleware; a principal that
// the middleware puts into the context by [tool.WithPrincipal] is the caller.
func NewHandler(sets []tool.Toolset, options ...Option) (*Handler, error) {
	set, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	tools, err := newCatalogue(sets, set)
	if err != nil {
		return nil, err
	}
	s := &Handler{settings: set, tools: tools, caps: newCaps(set.limits)}
	if err := s.mount(); err != nil {
		return nil, err
	}
	s.front = newFront(s)
	return s, nil
}

// Wrap puts middleware around a handler, which those who need more of it than
// ServeHTTP still find:
//
//	traced := serve.Wrap(h, func(next http.Handler) http.Handler { return otelhttp.NewHandler(next, "tools") })
//	err = serve.Run(ctx, addr, traced, serve.RunOptions{})
//
// Middleware may also be a mux with routes of its own that passes other requests to
// next. A type of your own is found through if it has a method Unwrap() http.Handler.
func Wrap(h http.Handler, middleware func(next http.Handler) http.Handler) http.Handler {
	return &wrapped{middleware(h), h}
}

// wrapped is a handler with middleware around it.
type wrapped struct {
	http.Handler
	inner http.Handler
}

// Unwrap returns the handler inside the middleware.
func (w *wrapped) Unwrap() http.Handler { return w.inner }

// mostWrapped bounds how deep a handler is looked for: one that unwraps to itself
// must not hang the start.
const mostWrapped = 100

// unwrap finds the handler of NewHandler in h.
func unwrap(h http.Handler) (*Handler, error) {
	at := h
	for range mostWrapped {
		if own, ok := at.(*Handler); ok && own != nil {
			return own, nil
		}
		outer, ok := at.(interface{ Unwrap() http.Handler })
		if !ok {
			break
		}
		at = outer.Unwrap()
	}
	return nil, fmt.Errorf("serve: there is no handler of NewHandler in a %T: put middleware and a mux around it by serve.Wrap, or give them a method Unwrap() http.Handler", h)
}

// A Handler serves tools over HTTP. [Run], [Stdio], [InvokeHandler] and the command
// line find it inside what [Wrap] puts around it.
type Handler struct {
	*settings
	tools  *catalogue
	mounts []mount
	front  *front
	caps   *caps
	bodies bodyRoom
}

type mount struct {
	prefix string
	p      protocol
}

func (s *Handler) mount() error {
	for _, word := range protocols {
		if len(s.only) > 0 && !slices.Contains(s.only, word) {
			continue
		}
		p := s.protocol(word)
		prefix, moved := s.settings.mounts[word]
		if !moved {
			prefix = "/" + string(word)
		}
		prefix = s.base + prefix
		s.mounts = append(s.mounts, mount{prefix, p})
		if word == ProtocolA2T && s.rootA2T && prefix != s.base {
			s.mounts = append(s.mounts, mount{s.base, p})
		}
	}
	if s.resource != nil {
		s.mounts = append(s.mounts, mount{s.resource.path, s.resource})
	}
	// The longest prefix wins: the root must not hide the others.
	slices.SortStableFunc(s.mounts, func(a, b mount) int { return len(b.prefix) - len(a.prefix) })
	for i, m := range s.mounts {
		for _, other := range s.mounts[:i] {
			if other.prefix == m.prefix {
				return fmt.Errorf("serve: %s and %s are both mounted at %q, and both claim GET /tools",
					other.p.word(), m.p.word(), m.prefix)
			}
		}
	}
	return nil
}

func (s *Handler) protocol(word Protocol) protocol {
	switch word {
	case ProtocolOTC:
		return newOTC(s)
	case ProtocolMCP:
		return newMCP(s)
	case ProtocolATDF:
		return newATDF(s)
	}
	return newA2T(s, word)
}

// ServeHTTP implements http.Handler.
func (s *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{s: s, w: w, r: r, start: time.Now()}
	defer x.recover()
	path := r.URL.EscapedPath()
	if s.isProbe(path) {
		s.health(w, r, strings.HasSuffix(path, "/readyz") && draining(r.Context()))
		return
	}
	if guarded(r.Context()) && s.cross.Check(r) != nil {
		foreign(x)
		return
	}
	if s.front.route(x, path) != nil {
		x.p = s.front
		x.serve(path)
		return
	}
	for i := range s.mounts {
		m := &s.mounts[i]
		if rest, ok := strings.CutPrefix(path, m.prefix); ok && (rest == "" || rest[0] == '/') {
			x.p = m.p
			x.serve(rest)
			return
		}
	}
	x.p = s.front
	x.fail(unknownPath())
}

// isProbe reports whether a path is that of a probe.
func (s *Handler) isProbe(path string) bool {
	rest, below := strings.CutPrefix(path, s.base)
	return below && (rest == "/healthz" || rest == "/readyz")
}

// recover keeps a panic in one request. What the tool itself panics is caught
// nearer to it; this is the net for everything else.
func (x *exchange) recover() {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http asks for this very value
		panic(p)
	}
	x.s.log.LogAttrs(x.r.Context(), slog.LevelError, "panic",
		slog.Any("value", p), slog.String("stack", string(debug.Stack())))
	if x.wrote {
		// A second answer behind half of the first would be read as part of
		// it. Cutting the connection is the only honest answer left.
		panic(http.ErrAbortHandler)
	}
	if x.p == nil {
		x.p = x.s.front
	}
	x.p.fail(x, &tool.Error{Kind: tool.KindInternal})
}

// health answers probes: /healthz while the process lives, /readyz until it
// begins to shut down. Both are open to everybody.
func (s *Handler) health(w http.ResponseWriter, r *http.Request, leaving bool) {
	h := w.Header()
	h["Cache-Control"] = noStore
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h["Allow"] = []string{"GET, HEAD"}
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	h["Content-Type"] = textType
	status, text := http.StatusOK, "ok\n"
	if leaving {
		status, text = http.StatusServiceUnavailable, "shutting down\n"
	}
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_, _ = w.Write([]byte(text))
	}
}

func (s *Handler) authenticated() bool                  { return s.auth != nil }
func (s *Handler) longestCall() (longest time.Duration) { return s.tools.longest }
