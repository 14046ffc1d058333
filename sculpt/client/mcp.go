package client

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Revisions of MCP: the newest has no sessions and says in each request what it
// speaks; those before begin with initialize.
const (
	mcpModern = "2026-07-28"
	mcpLegacy = "2025-11-25"
)

// eventStream is the type of answers that are messages one after the other.
const eventStream = "text/event-stream"

// mcp speaks the Model Context Protocol over HTTP, in the era of the server.
type mcp struct {
	s *Server
	// agreed is what was agreed on with the server, nil before the first exchange;
	// opening holds one token while that is found out.
	agreed  atomic.Pointer[link]
	opening chan struct{}
	ids     atomic.Int64
}

// A link is the revision that both sides speak, and the session that the server
// gave to go with it.
type link struct{ era, session string }

type rpcError struct {
	Code    int
	Message string
}

type rpcAnswer struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *rpcError

	session string
	size    int
}

type mcpTool struct {
	Name, Title, Description string
	Input                    json.RawMessage `json:"inputSchema"`
	Output                   json.RawMessage `json:"outputSchema"`
	Annotations              *struct {
		ReadOnly    bool  `json:"readOnlyHint"`
		Idempotent  bool  `json:"idempotentHint"`
		Destructive *bool `json:"destructiveHint"`
	}
}

func (p *mcp) tools(ctx context.Context, tags []string) ([]*Tool, error) {
	if len(tags) > 0 {
		return nil, local(tool.KindBadRequest, "MCP has no tags: list all tools, or put ?tags= after the address of a server of sculpt.", nil)
	}
	l := p.s.newListing(readMCP, func(t *Tool) { t.ID = t.Name })
	params := map[string]any{}
	for {
		var one struct {
			Tools items
			Next  string `json:"nextCursor"`
		}
		size, fault := p.ask(ctx, question{method: "tools/list", params: params, list: l}, &one)
		if fault != nil {
			return nil, fault
		}
		more, fault := l.add(size, one.Tools, one.Next)
		switch {
		case fault != nil:
			return nil, fault
		case !more:
			return l.tools, nil
		}
		params = map[string]any{"cursor": one.Next}
	}
}

func readMCP(raw []byte) (*Tool, error) {
	var m mcpTool
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, err
	}
	if m.Name == "" {
		return nil, fmt.Errorf("it has no name")
	}
	t := &Tool{ID: m.Name, Name: m.Name, Title: m.Title, Description: m.Description, Document: raw}
	var err error
	if t.Inputs, err = readInputs(m.Input); err != nil {
		return nil, fmt.Errorf("inputSchema of %s: %w", tool.Quote(m.Name), err)
	}
	if t.Outputs, err = readOutputs(m.Output); err != nil {
		return nil, fmt.Errorf("outputSchema of %s: %w", tool.Quote(m.Name), err)
	}
	if a := m.Annotations; a != nil {
		t.Effects = &tool.Effects{ReadOnly: a.ReadOnly, Idempotent: a.Idempotent, Destructive: !a.ReadOnly && (a.Destructive == nil || *a.Destructive)}
	}
	return t, nil
}

func (p *mcp) versions(ctx context.Context, id string) ([]*Tool, error) {
	t, err := p.tool(ctx, id)
	if err != nil {
		return nil, err
	}
	return []*Tool{t}, nil
}

func (p *mcp) tool(ctx context.Context, id string) (*Tool, error) {
	tools, err := p.tools(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		if t.Name == id {
			return t, nil
		}
	}
	return nil, unlisted(id)
}

func (p *mcp) version(context.Context, string, int) (*Tool, error) {
	return nil, local(tool.KindUnknownVersion, "MCP has no versions: put ?pins=NAME@N after the address of a server of sculpt.", nil)
}

func (p *mcp) invoke(ctx context.Context, t *Tool, c *prepared) (*Result, *Error) {
	var out struct {
		Content []struct{ Type, Text string }
		Value   json.RawMessage `json:"structuredContent"`
		IsError bool
	}
	header := http.Header{}
	set(header, "Idempotency-Key", c.Key)
	set(header, "Traceparent", c.Traceparent)
	params := map[string]any{"name": t.Name, "arguments": c.members}
	mirror(header, t, c.members)
	if _, fault := p.ask(ctx, question{method: "tools/call", tool: t.Name, params: params, header: header}, &out); fault != nil {
		return nil, fault
	}
	var texts []string
	for _, part := range out.Content {
		if part.Type == "text" {
			texts = append(texts, part.Text)
		}
	}
	r := &Result{Text: strings.Join(texts, "\n")}
	if out.IsError {
		// The text is for the model, and says all that there is.
		return nil, &Error{Status: http.StatusOK, said: pointless, Fault: &tool.Error{Kind: tool.KindRejected, Message: r.Text}}
	}
	var err error
	if r.Outputs, err = OutputsOf(out.Value); err != nil {
		return nil, garbage(http.StatusOK, "The structuredContent cannot be read.", err)
	}
	return r, nil
}

// A question is a request before it has an id. Tool is what a call is of.
type question struct {
	method, tool string
	params       map[string]any
	header       http.Header
	list         *listing
}

// ask sends one request, reads its result and returns the size of the answer. A server that has lost the session
// has not looked at the request, which is sent in a new one then.
func (p *mcp) ask(ctx context.Context, q question, into any) (int, *Error) {
	l, fault := p.opened(ctx, nil)
	if fault != nil {
		return 0, fault
	}
	a, fault := p.exchange(ctx, l, q)
	if fault != nil && fault.Status == http.StatusNotFound && l.session != "" {
		if l, fault = p.opened(ctx, l); fault == nil {
			a, fault = p.exchange(ctx, l, q)
		}
	}
	if fault != nil {
		return 0, fault
	}
	if err := json.Unmarshal(a.Result, into); err != nil {
		return 0, unreadable("The result of "+q.method+" cannot be read.", err)
	}
	return a.size, nil
}

// opened returns what was agreed on, or finds it out, once for all who come at the
// same time. A link that was lost is not good any more.
func (p *mcp) opened(ctx context.Context, lost *link) (*link, *Error) {
	if l := p.agreed.Load(); l != nil && l != lost {
		return l, nil
	}
	select {
	case p.opening <- struct{}{}:
		defer func() { <-p.opening }()
	case <-ctx.Done():
		e := unanswered(ctx, ctx.Err())
		e.said = unsent
		return nil, e
	}
	if l := p.agreed.Load(); l != nil && l != lost {
		return l, nil
	}
	open := p.open
	if lost != nil {
		open = p.initialize // sessions are of the older revisions
	}
	l, fault := open(ctx)
	if fault == nil {
		p.agreed.Store(l)
	}
	return l, fault
}

// open finds out what the server speaks: the newest revision is asked for, and a
// server that does not know the question is initialized.
func (p *mcp) open(ctx context.Context) (*link, *Error) {
	newest := &link{era: mcpModern}
	var face struct {
		Versions []string `json:"supportedVersions"`
	}
	a, fault := p.exchange(ctx, newest, question{method: "server/discover", params: map[string]any{}})
	if fault == nil && json.Unmarshal(a.Result, &face) == nil && slices.Contains(face.Versions, mcpModern) {
		return newest, nil
	}
	if fault != nil && (fault.Status == 0 || fault.Status == http.StatusUnauthorized || fault.Status == http.StatusForbidden) {
		return nil, fault
	}
	return p.initialize(ctx)
}

func (p *mcp) initialize(ctx context.Context) (*link, *Error) {
	a, fault := p.exchange(ctx, new(link), question{method: "initialize", params: map[string]any{
		"protocolVersion": mcpLegacy, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "sculpt", "version": "1"},
	}})
	if fault != nil {
		return nil, fault
	}
	var agreed struct {
		Version string `json:"protocolVersion"`
	}
	if json.Unmarshal(a.Result, &agreed) != nil || agreed.Version == "" {
		return nil, garbage(http.StatusOK, "The server does not say which revision of MCP it speaks.", nil)
	}
	l := &link{agreed.Version, a.session}
	_, fault = p.s.send(ctx, request{method: http.MethodPost, header: l.headers(question{}), body: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)})
	return l, fault
}

// mirror repeats in headers the arguments that the schema marks with x-mcp-header, for
// gateways that choose by them (MCP 2026-07-28, Streamable HTTP). Older revisions
// know no such header, and servers of them ignore it.
func mirror(h http.Header, t *Tool, args map[string]json.RawMessage) {
	for i := range t.Inputs {
		var marked struct {
			Header string `json:"x-mcp-header"`
		}
		value, given := args[t.Inputs[i].Name]
		if !given || len(value) == 0 || string(value) == "null" || json.Unmarshal(t.Inputs[i].Schema, &marked) != nil || marked.Header == "" {
			continue
		}
		text := string(value)
		if value[0] == '"' && json.Unmarshal(value, &text) != nil {
			continue // it does not come from encoding/json
		}
		h[http.CanonicalHeaderKey("Mcp-Param-"+marked.Header)] = []string{headerText(text)}
	}
}

// headerText is a value as a header can hold it: as it is, or in Base64 between two
// marks (MCP 2026-07-28, Value Encoding).
func headerText(text string) string {
	plain := strings.TrimSpace(text) == text && !strings.HasPrefix(text, "=?base64?")
	for i := 0; i < len(text) && plain; i++ {
		plain = text[i] >= ' ' && text[i] <= '~'
	}
	if plain {
		return text
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// headers are those of a request of the era.
func (l *link) headers(q question) http.Header {
	h := http.Header{}
	maps.Copy(h, q.header)
	h.Set("Accept", "application/json, "+eventStream)
	set(h, "MCP-Protocol-Version", l.era)
	set(h, "Mcp-Session-Id", l.session)
	if l.era == mcpModern {
		set(h, "Mcp-Method", q.method)
		set(h, "Mcp-Name", q.tool)
	}
	return h
}

// exchange sends one request and waits for its answer.
func (p *mcp) exchange(ctx context.Context, l *link, q question) (*rpcAnswer, *Error) {
	id := strconv.FormatInt(p.ids.Add(1), 10)
	params := maps.Clone(q.params)
	if l.era == mcpModern {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion": mcpModern, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "sculpt", "version": "1"},
		}
	}
	body, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  map[string]any  `json:"params"`
	}{"2.0", json.RawMessage(id), q.method, params})
	if err != nil {
		return nil, local(tool.KindBadRequest, "The request cannot be written as JSON.", err)
	}
	a, fault := p.s.send(ctx, request{method: http.MethodPost, header: l.headers(q), body: body, enough: answered(id), list: q.list})
	if fault != nil {
		return nil, fault
	}
	answer, err := readRPC(a, id)
	switch {
	case a.status == http.StatusUnauthorized || err != nil && a.status != http.StatusOK:
		e := refusal(a)
		e.Fault.Message = "The server answered with status " + strconv.Itoa(a.status) + "."
		return nil, e
	case err != nil:
		return nil, garbage(a.status, "The answer is not one of MCP.", err)
	case answer.Error != nil:
		return nil, rpcRefusal(a.status, answer.Error)
	}
	answer.size = len(a.body)
	answer.session = a.header.Get("Mcp-Session-Id")
	return answer, nil
}

// Codes of JSON-RPC that say what kind of error it is.
const rpcInvalidParams = -32602

func rpcRefusal(status int, e *rpcError) *Error {
	kind := tool.KindBadRequest
	if e.Code == rpcInvalidParams {
		kind = tool.KindUnknownTool // bad arguments are a result that says so
	}
	return &Error{Status: status, said: pointless, Fault: &tool.Error{Kind: kind, Code: strconv.Itoa(e.Code), Message: e.Message}}
}

// readRPC finds the answer to a request in a body, which may be a stream of
// events with other messages before it.
func readRPC(a *answer, id string) (*rpcAnswer, error) {
	media, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	messages := slices.Values([][]byte{a.body})
	if media == eventStream {
		messages = events(a.body)
	}
	return answerIn(messages, id)
}

// answered returns a question that is asked with more of a stream each time:
// whether the events that are complete have the answer to a request.
func answered(id string) func(part []byte) bool {
	event, line := 0, 0 // where the event begins that is not complete, and the line
	return func(part []byte) bool {
		for {
			n := bytes.IndexByte(part[line:], '\n')
			if n < 0 {
				return false
			}
			text := bytes.TrimSuffix(part[line:line+n], []byte("\r"))
			if line += n + 1; len(text) > 0 {
				continue
			}
			if _, err := answerIn(events(part[event:line]), id); err == nil {
				return true
			}
			event = line
		}
	}
}

// answerIn finds the answer to a request among messages.
func answerIn(messages iter.Seq[[]byte], id string) (*rpcAnswer, error) {
	for m := range messages {
		var one rpcAnswer
		if err := json.Unmarshal(m, &one); err != nil {
			return nil, err
		}
		ours := string(one.ID) == id || one.Error != nil && (len(one.ID) == 0 || string(one.ID) == "null")
		if ours && (one.Result != nil || one.Error != nil) {
			return &one, nil
		}
	}
	return nil, fmt.Errorf("there is no answer to request %s", id)
}

// events are the data of server-sent events, one after the other: a body of nothing
// but line ends would take many times its size as a list of lines.
func events(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var data []byte
		some := false
		for rest := body; rest != nil; {
			line, after, more := bytes.Cut(rest, []byte("\n"))
			if rest = after; !more {
				rest = nil
			}
			line = bytes.TrimSuffix(line, []byte("\r"))
			if text, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				if some {
					data = append(data, '\n')
				}
				data, some = append(data, bytes.TrimPrefix(text, []byte(" "))...), true
			}
			if (len(line) == 0 || rest == nil) && some {
				if !yield(data) {
					return
				}
				data, some = nil, false
			}
		}
	}
}
