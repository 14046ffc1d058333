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
func NewHandler(sets []tool.Toolset, options ...Option) (http.Handler, error) {
	set, err := newSettings(options)
	if err != nil {
		return nil, err
	}
	tools, err := newCatalogue(sets, set)
	if err != nil {
		return nil, err
	}
	s := &server{settings: set, tools: tools, caps: newCaps(set.limits)}
	if err := s.mount(); err != nil {
		return nil, err
	}
	s.front = newFront(s)
	return s, nil
}

// A server is the handler that NewHandler returns.
type server struct {
	*settings
	tools  *catalogue
	mounts []mount
	front  *front
	caps   *caps
}

type mount struct {
	prefix string
	p      protocol
}

func (s *server) mount() error {
	for _, word := range protocols {
		if len(s.only) > 0 && !slices.Contains(s.only, word) {
			continue
		}
		p := s.protocol(word)
		prefix, moved := s.settings.mounts[word]
		if !moved {
			prefix = "/" + string(word)
		}
		s.mounts = append(s.mounts, mount{prefix, p})
		if word == ProtocolA2T && s.rootA2T && prefix != "" {
			s.mounts = append(s.mounts, mount{"", p})
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

func (s *server) protocol(word Protocol) protocol {
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
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{s: s, w: w, r: r, start: time.Now()}
	defer x.recover()
	path := r.URL.EscapedPath()
	if path == "/healthz" || path == "/readyz" {
		s.health(w, r, path == "/readyz" && draining(r.Context()))
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
func (s *server) health(w http.ResponseWriter, r *http.Request, leaving bool) {
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

func (s *server) authenticated() bool                  { return s.auth != nil }
func (s *server) longestCall() (longest time.Duration) { return s.tools.longest }
