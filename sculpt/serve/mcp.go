package serve

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// Revisions of MCP. 2026-07-28 has no session: each request says in _meta what
// it speaks, over HTTP in headers too. The ones before, which most clients
// speak, begin with initialize; they get no session either, for nothing here
// has a state.
const (
	mcpModern = "2026-07-28"
	mcpLegacy = "2025-11-25"
	// mcpBatches is the one revision with batches, and the one that a request
	// without the header speaks (2025-06-18, Transports).
	mcpBatches = "2025-03-26"

	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	// metaKey names a call that must not be made twice, where no header can.
	metaKey = "io.github.sculpt-tools/idempotencyKey"
)

// mcpRevisions are what server/discover names. 2024-11-05 is not among them:
// it had another transport over HTTP. A client that initializes with it is
// answered all the same, for its messages have the same form.
var mcpRevisions = []string{mcpModern, mcpLegacy, "2025-06-18", mcpBatches}

const mcpFirst = "2024-11-05"

// mcp serves the tools of the Model Context Protocol, of which a server may
// offer any part: over HTTP here, over stdin and stdout by [Stdio]. It sends
// nothing but answers, so every answer is plain JSON and no stream.
//
// MCP has no versions of tools: the newest version is listed and called under
// the name of the tool, unless a client pins another one. What an older list
// promised it keeps, since a version only adds optional inputs and outputs
// (A2T 5.4).
type mcp struct {
	s *Handler
	// whole shows every tool, views are what some clients see of them.
	whole *mcpView
	views mcpViews
	// fixed has the results that never change and are the same in each view, by
	// method.
	fixed map[string]*fixedResult
	// tasks are calls that go on behind a handle; waits says that a tool has any.
	tasks mcpTasks
	waits bool
	// tail ends every result of 2026-07-28.
	tail []byte

	endpoint endpoint
}

// How long clients of 2026-07-28 may keep what they were told, in ms. A new
// version of a tool may stay unseen for that long.
const (
	mcpListTTL     = 5 * 60 * 1000
	mcpDiscoverTTL = 60 * 60 * 1000
)

func newMCP(s *Handler) *mcp {
	p := &mcp{s: s, fixed: map[string]*fixedResult{}}
	p.endpoint = endpoint{post: p.postMessage, allow: allowPost}
	newest := 1
	var offers []mcpOffer
	for _, t := range s.tools.tools {
		offers = append(offers, t.newestOffer())
		newest = max(newest, t.current().N)
		p.waits = p.waits || t.Polls
	}
	info := fmt.Appendf(nil, `{"name":%s,"version":"%d.0.0"}`, value.AppendText(nil, s.tools.name), newest)
	p.tail = fmt.Appendf(nil, `,"_meta":{"io.modelcontextprotocol/serverInfo":%s}}`, info)
	p.whole = p.newView(offers)
	// Many clients ask for these whatever the capabilities say, and show an
	// error as one of the server.
	p.fix("prompts/list", []byte(`"prompts":[]`), mcpListTTL)
	p.fix("resources/list", []byte(`"resources":[]`), mcpListTTL)
	p.fix("resources/templates/list", []byte(`"resourceTemplates":[]`), mcpListTTL)
	var says []byte
	if text := s.tools.description; text != "" {
		says = value.AppendText([]byte(`,"instructions":`), text)
	}
	face := append([]byte(`"capabilities":{"tools":{}}`), says...)
	modern := face
	if p.waits {
		modern = append([]byte(`"capabilities":{"tools":{},"extensions":{"`+tasksExtension+`":{}}}`), says...)
	}
	p.fix("server/discover", append(appendTexts([]byte(`"supportedVersions":`), mcpRevisions), append([]byte{','}, modern...)...), mcpDiscoverTTL)
	p.fixed["server/discover"].legacy = false
	p.fixed["ping"] = &fixedResult{members: ready(nil), legacy: true}
	// What initialize says first is the revision that was asked for.
	p.fixed["initialize"] = &fixedResult{members: ready(fmt.Appendf(nil, `,"serverInfo":%s,%s`, info, face)), legacy: true}
	return p
}

// A fixedResult is a result that is the same for everybody, but for what
// surrounds its members in 2026-07-28.
type fixedResult struct {
	// members may be long, and are kept once.
	members func() ([]byte, error)
	// legacy says that the revisions up to 2025-11-25 have the method; tail is
	// what 2026-07-28 has behind the members, nil where it has no such method.
	legacy bool
	tail   []byte
}

func ready(members []byte) func() ([]byte, error) {
	return func() ([]byte, error) { return members, nil }
}

// append appends the result.
func (r *fixedResult) append(b []byte, modern bool) ([]byte, error) {
	members, err := r.members()
	if err != nil {
		return b, err
	}
	if !modern {
		return append(append(append(b, '{'), members...), '}'), nil
	}
	return append(append(append(b, `{"resultType":"complete",`...), members...), r.tail...), nil
}

// fix sets the results of a method with these members.
func (p *mcp) fix(method string, members []byte, ttl int) { p.fixed[method] = p.result(members, ttl) }

func (p *mcp) result(members []byte, ttl int) *fixedResult {
	scope := "public"
	if p.s.auth != nil && !p.s.publicDiscovery {
		scope = "private"
	}
	return &fixedResult{members: ready(members), legacy: true, tail: fmt.Appendf(nil, `,"ttlMs":%d,"cacheScope":"%s"%s`, ttl, scope, p.tail)}
}

func (p *mcp) word() Protocol { return ProtocolMCP }

// route knows one place, and one method: GET would open a stream of messages
// from the server, of which there are none.
func (p *mcp) route(_ *exchange, path string) *endpoint {
	if path == "" {
		return &p.endpoint
	}
	return nil
}

// postMessage answers one message, or a batch where the revision has them.
func (p *mcp) postMessage(x *exchange) {
	if p.foreign(x.r) {
		x.fail(&tool.Error{Kind: tool.KindForbidden, Message: "This origin may not call this server."})
		return
	}
	messages, batch, fault := decodeMCP(x.body)
	view := p.whole
	if x.r.URL.RawQuery != "" && fault == nil {
		view, fault = p.view(x.r.URL.Query())
	}
	if fault == nil && batch {
		stated := x.r.Header.Get("MCP-Protocol-Version")
		if stated == "" || stated == mcpBatches || stated == mcpFirst {
			p.postBatch(x, view, messages)
			return
		}
		fault = &rpcError{code: rpcInvalid, message: "MCP " + tool.Clip(stated) + " has no batches."}
	}
	if fault != nil {
		x.refuseMessage(known(messages), fault)
		return
	}
	m, turn := &messages[0], x.turn(view)
	if fault = m.fault; fault == nil || fault.code != rpcInvalid {
		fault = turn.openHTTP(x.r.Header, m)
	}
	if fault != nil {
		x.refuseMessage(m.id, fault)
		return
	}
	buffer := bodies.Get().(*[]byte)
	b, fault := turn.answer(x.r.Context(), (*buffer)[:0], m)
	switch {
	case len(b) == 0:
		x.wrote = true
		x.w.WriteHeader(http.StatusAccepted)
	case turn.modern && fault != nil && fault.code == rpcUnknownMethod:
		x.write(http.StatusNotFound, jsonType, b)
	case turn.modern && fault != nil:
		x.write(http.StatusBadRequest, jsonType, b)
	default:
		x.write(http.StatusOK, jsonType, b)
	}
	*buffer = b
	bodies.Put(buffer)
}

func (p *mcp) postBatch(x *exchange, view *mcpView, messages []rpcMessage) {
	b := p.batch(messages, func(m *rpcMessage) []byte {
		b, _ := x.turn(view).answer(x.r.Context(), nil, m)
		return b
	})
	if b == nil {
		x.wrote = true
		x.w.WriteHeader(http.StatusAccepted)
		return
	}
	x.write(http.StatusOK, jsonType, b)
}

// batch answers messages side by side, nil where all are notifications.
func (p *mcp) batch(messages []rpcMessage, one func(*rpcMessage) []byte) []byte {
	answers := make([][]byte, len(messages))
	var all sync.WaitGroup
	for i := range messages {
		m := &messages[i]
		if m.method == "initialize" {
			m.refuse(rpcInvalid, "A batch cannot initialize.")
		}
		all.Go(func() { answers[i] = p.guarded(m, one) })
	}
	all.Wait()
	var b []byte
	for _, answer := range answers {
		if len(answer) > 0 {
			b = append(append(b, ','), answer...)
		}
	}
	if b == nil {
		return nil
	}
	b[0] = '['
	return append(b, ']')
}

// refuseMessage answers 400 with an error of JSON-RPC.
func (x *exchange) refuseMessage(id []byte, e *rpcError) {
	x.s.logRefusal(x.r.Context(), ProtocolMCP, x.principal, x.start, &tool.Error{Kind: tool.KindBadRequest, Code: strconv.Itoa(e.code)})
	x.write(http.StatusBadRequest, jsonType, appendRPCError(nil, id, e))
}

// known is the id of the message that a fault lies in, if it was read.
func known(messages []rpcMessage) []byte {
	if len(messages) != 1 {
		return nil
	}
	return messages[0].id
}

// turn is the exchange without HTTP.
func (x *exchange) turn(view *mcpView) *mcpTurn {
	return &mcpTurn{p: x.p.(*mcp), view: view, principal: x.principal, start: x.start,
		parent: x.r.Header.Get("Traceparent"), key: x.r.Header.Get("Idempotency-Key"), from: addressOf(x.r.RemoteAddr)}
}

func unsupported(version string) *rpcError {
	data := appendTexts([]byte(`{"supported":`), mcpRevisions)
	data = append(value.AppendText(append(data, `,"requested":`...), tool.Clip(version)), '}')
	return &rpcError{code: rpcVersion, message: "This protocol version is not supported.", data: data}
}

// needsMeta checks what _meta of a request of 2026-07-28 must hold.
func (m *rpcMessage) needsMeta() *rpcError {
	meta := &m.params.meta
	missing := ""
	switch {
	case m.id == nil || m.fault != nil:
	case !meta.given:
		missing = "_meta"
	case !meta.versioned:
		missing = metaVersion
	case !meta.clientCan:
		missing = metaCapabilities
	}
	if missing == "" {
		return nil
	}
	return &rpcError{code: rpcInvalidParams, message: "The member " + missing + " is missing in params, or of the wrong type."}
}

// foreign reports whether a page of another origin sends the request
// (MCP 2026-07-28, Transports: the server must validate Origin). Under Run that
// was looked at already, and the Host. Elsewhere a page that made its own name
// mean this machine is known by a Host that no local page has.
func (p *mcp) foreign(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if guarded(r.Context()) || slices.Contains(p.s.origins, origin) {
		return false
	}
	if p.s.cross.Check(r) != nil {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if origin == "" || !ok {
		return false
	}
	bound, err := isLoopback(local.String())
	return err == nil && bound && !allowedHost(r.Host, nil)
}

// fail answers what is wrong with the HTTP request: no message was read.
func (p *mcp) fail(x *exchange, e *tool.Error) {
	c := classOf(e)
	if e.Kind == tool.KindUnauthorized && p.s.resource != nil {
		x.w.Header().Set("WWW-Authenticate", p.s.resource.challenge)
	}
	fault := &rpcError{code: rpcRefused, message: e.Sentence()}
	switch {
	case c.code == kindClasses[tool.KindBadRequest].code:
		fault.code = rpcInvalid
	case e.Kind == tool.KindInternal:
		fault.code = rpcInternal
	}
	if fault.message == "" {
		fault.message = c.title
	}
	x.write(c.status, jsonType, appendRPCError(nil, nil, fault))
}

// readMCP reads the document of a version, checks that it belongs to its table,
// and lists the headers that repeat inputs.
func (v *servedVersion) readMCP(docs fs.FS, t *servedTool) error {
	name := fmt.Sprintf("mcp/%s.v%d.json", t.Name, v.N)
	kept, raw, err := store(docs, name)
	if err != nil {
		return err
	}
	type schema struct{ Properties map[string]json.RawMessage }
	var doc struct {
		Name         string
		InputSchema  schema
		OutputSchema schema
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	ok := doc.Name == t.Name && len(doc.InputSchema.Properties) == len(v.Inputs) && len(doc.OutputSchema.Properties) == len(v.Outputs)
	for i := range v.Inputs {
		ok = ok && doc.InputSchema.Properties[v.Inputs[i].Name] != nil
	}
	for i := range v.Outputs {
		ok = ok && doc.OutputSchema.Properties[v.Outputs[i].Name] != nil
	}
	ok = ok && sameMirrors(v.Inputs, doc.InputSchema.Properties)
	if !ok {
		return fmt.Errorf("%s does not describe this version: run \"sculpt generate\" again", name)
	}
	v.mcpTool = kept
	v.mirrors, err = mirrorsOf(v.Inputs)
	return err
}

// leanMCP reads the document for [WithLeanMCP].
func (t *servedTool) leanMCP(docs fs.FS) (*stored, error) {
	name := fmt.Sprintf("mcp/%s.lean.json", t.Name)
	kept, raw, err := store(docs, name)
	if err != nil {
		return nil, err
	}
	var doc struct{ Name string }
	if err := json.Unmarshal(raw, &doc); err != nil || doc.Name != t.Name {
		return nil, fmt.Errorf("%s does not describe this tool: run \"sculpt generate\" again", name)
	}
	return kept, nil
}
