package serve

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// Error codes of JSON-RPC 2.0 and of MCP 2026-07-28. rpcRefused is ours, from
// the range that JSON-RPC leaves to servers: what went wrong lies in the HTTP
// request, and its status says what.
const (
	rpcParse          = -32700
	rpcInvalid        = -32600
	rpcUnknownMethod  = -32601
	rpcInvalidParams  = -32602
	rpcInternal       = -32603
	rpcRefused        = -32000
	rpcHeaderMismatch = -32020
	rpcCapability     = -32021
	rpcVersion        = -32022
	// rpcElicitURL is of 2025-11-25: the person has to open a page first.
	rpcElicitURL = -32042
)

// mostBatch bounds the messages of a batch.
const mostBatch = 32

// An rpcError is an error in the sense of JSON-RPC: the model does not see it.
type rpcError struct {
	code    int
	message string
	// data is JSON; nil is none.
	data []byte
}

// An rpcMessage is one message of a client.
type rpcMessage struct {
	// id is the id as it was written; nil for a notification.
	id     []byte
	method string
	// answer says that it is a result or an error. This server asks nothing,
	// so nobody waits for one.
	answer bool
	params mcpParams
	// fault is the first thing that is wrong with it.
	fault *rpcError
}

// mcpParams are the members of params that some method reads. Others are
// passed over: clients of newer revisions send more.
type mcpParams struct {
	name, cursor, version, taskID string
	arguments                     tool.Inputs
	// cancels is the id that notifications/cancelled names.
	cancels []byte
	// opens says of an initialize that the client opens pages for its user.
	opens bool
	meta  mcpMeta
}

// mcpMeta is what params._meta says of the request.
type mcpMeta struct {
	version, traceParent string
	// key names the call ([metaKey]).
	key                         string
	given, versioned, clientCan bool
	// opens says that the client opens pages for its user (elicitation.url), tasks
	// that it knows that extension.
	opens, tasks bool
}

func (m *rpcMessage) refuse(code int, message string) {
	if m.fault == nil {
		m.fault = &rpcError{code: code, message: message}
	}
}

// decodeMCP reads a message, or a batch of them. What is wrong with the text
// as a whole is the error; what is wrong with one message stands in it. The id
// that was read before a fault comes back, so that its sender learns of it.
func decodeMCP(body []byte) (messages []rpcMessage, batch bool, fault *rpcError) {
	s := callerScanner(body)
	defer s.Release()
	if batch = s.Kind() == scan.Array; !batch {
		messages = []rpcMessage{decodeMessage(s)}
	} else {
		for s.OpenList(); s.NextElem(); {
			if len(messages) == mostBatch {
				return nil, true, &rpcError{code: rpcInvalid, message: "A batch may have " + strconv.Itoa(mostBatch) + " messages."}
			}
			messages = append(messages, decodeMessage(s))
		}
	}
	s.End()
	var at *scan.Error
	switch {
	case errors.As(s.Err(), &at) && at.Why == scan.Syntax:
		fault = &rpcError{code: rpcParse, message: "The message is not JSON: " + at.Error() + "."}
	case s.Err() != nil:
		fault = &rpcError{code: rpcInvalid, message: malformed(s.Err().Error()).Message}
	case batch && len(messages) == 0:
		fault = &rpcError{code: rpcInvalid, message: "The batch is empty."}
	}
	return messages, batch, fault
}

func decodeMessage(s *scan.Scanner) (m rpcMessage) {
	if s.Kind() != scan.Object {
		m.refuse(rpcInvalid, "A message is an object.")
		s.Skip()
		return m
	}
	rpc, named := false, false
	for s.Open(); s.NextAny(); {
		switch s.Key() {
		case "jsonrpc":
			rpc = s.Kind() == scan.String && s.Text() == "2.0"
		case "id":
			m.decodeID(s)
		case "method":
			if named = s.Kind() == scan.String; named {
				m.method = s.Text()
			}
		case "params":
			m.decodeParams(s)
		case "result", "error":
			m.answer = true
		}
	}
	switch {
	case !rpc:
		m.fault = &rpcError{code: rpcInvalid, message: `The member jsonrpc is not "2.0".`}
	case !named && !m.answer:
		m.fault = &rpcError{code: rpcInvalid, message: "The member method is missing or is not a string."}
	}
	return m
}

// decodeID takes strings and integers, as MCP does; a null, which JSON-RPC
// allows, is refused.
func (m *rpcMessage) decodeID(s *scan.Scanner) {
	kind := s.Kind()
	if kind == scan.String || kind == scan.Number {
		m.id = s.Raw()
	}
	if kind == scan.Number && bytes.ContainsAny(m.id, ".eE") {
		m.id = nil
	}
	if m.id == nil || len(m.id) > longestKey {
		m.id = nil
		m.refuse(rpcInvalid, "The id must be an integer or a string of at most 253 bytes.")
	}
}

func (m *rpcMessage) decodeParams(s *scan.Scanner) {
	if s.Null() {
		return // SDKs of several languages send that for what is absent
	}
	if s.Kind() != scan.Object {
		m.refuse(rpcInvalidParams, "The params must be an object.")
		return
	}
	p := &m.params
	for s.Open(); s.NextAny(); {
		switch s.Key() {
		case "name":
			p.name = m.text(s)
		case "taskId":
			p.taskID = m.text(s)
		case "cursor":
			p.cursor = m.text(s)
		case "protocolVersion":
			p.version = m.text(s)
		case "requestId":
			if k := s.Kind(); k == scan.String || k == scan.Number {
				p.cancels = s.Raw()
			}
		case "arguments":
			m.decodeArguments(s)
		case "capabilities":
			p.opens, _ = clientCan(s)
		case "_meta":
			m.decodeMeta(s)
		}
	}
}

// text reads the member that the scanner is at.
func (m *rpcMessage) text(s *scan.Scanner) string {
	if s.Kind() != scan.String {
		m.refuse(rpcInvalidParams, "The member "+s.Key()+" of params must be a string.")
		return ""
	}
	return s.Text()
}

func (m *rpcMessage) decodeArguments(s *scan.Scanner) {
	if s.Null() {
		return
	}
	if s.Kind() != scan.Object {
		m.refuse(rpcInvalidParams, "The arguments must be an object.")
		return
	}
	d := decoder{s: s}
	m.params.arguments = d.members()
	if d.bad != nil {
		m.refuse(rpcInvalidParams, d.bad.Message)
	}
}

func (m *rpcMessage) decodeMeta(s *scan.Scanner) {
	if s.Kind() != scan.Object {
		m.refuse(rpcInvalidParams, "The member _meta of params must be an object.")
		return
	}
	meta := &m.params.meta
	meta.given = true
	for s.Open(); s.NextAny(); {
		switch s.Key() {
		case metaVersion:
			meta.version, meta.versioned = m.text(s), true
		case metaCapabilities:
			meta.clientCan = s.Kind() == scan.Object
			meta.opens, meta.tasks = clientCan(s)
		case metaKey:
			if s.Kind() != scan.String {
				m.refuse(rpcInvalidParams, "The member "+metaKey+" of _meta must be a string.")
				continue
			}
			meta.key = s.Text()
		case "traceparent":
			if s.Kind() == scan.String {
				meta.traceParent = s.Text()
			}
		}
	}
}

// clientCan reads the capabilities of a client, which the scanner is at: whether
// there is an elicitation.url among them, without which elicitation means forms,
// and the extension of tasks.
func clientCan(s *scan.Scanner) (opens, tasks bool) {
	if s.Kind() != scan.Object {
		return false, false
	}
	for s.Open(); s.NextAny(); {
		switch s.Key() {
		case "elicitation":
			opens = hasObject(s, "url")
		case "extensions":
			tasks = hasObject(s, tasksExtension)
		}
	}
	return opens, tasks
}

// hasObject reads an object, and reports whether it has an object of that name.
func hasObject(s *scan.Scanner, name string) (has bool) {
	if s.Kind() != scan.Object {
		return false
	}
	for s.Open(); s.NextAny(); {
		if s.Key() == name {
			has = s.Kind() == scan.Object
		}
	}
	return has
}

// appendID begins an answer. A message whose id could not be read is answered
// without one: MCP has no null in that place.
func appendID(b, id []byte) []byte {
	b = append(b, `{"jsonrpc":"2.0"`...)
	if id != nil {
		b = append(append(b, `,"id":`...), id...)
	}
	return b
}

func appendRPCError(b, id []byte, e *rpcError) []byte {
	b = append(appendID(b, id), `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(e.code), 10)
	b = value.AppendText(append(b, `,"message":`...), e.message)
	if e.data != nil {
		b = append(append(b, `,"data":`...), e.data...)
	}
	return append(b, "}}"...)
}

// appendQuotedJSON appends JSON text as a JSON string. Such text is valid
// UTF-8, so only quotes, backslashes and white space need an escape.
func appendQuotedJSON(b, text []byte) []byte {
	b = append(b, '"')
	from := 0
	for i, c := range text {
		if c != '"' && c != '\\' && c >= 0x20 {
			continue
		}
		b = append(b, text[from:i]...)
		from = i + 1
		if c < 0x20 {
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			continue
		}
		b = append(b, '\\', c)
	}
	return append(append(b, text[from:]...), '"')
}
