package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// An OTCShape is one of the forms of the tool list. OTC 1.0 has "tools" and
// wraps the input schema in "parameters"; OXP 1.0, its correction of four days
// later, has "items" and the bare schema. Clients of both are about, and most
// do not say which they are, so the default is a document that is right under
// both schemas.
type OTCShape uint8

// The shapes. See [WithOTCShape].
const (
	// OTCShapeDual is right under both schemas.
	OTCShapeDual OTCShape = iota
	// OTCShape10 is that of OTC 1.0, and no more.
	OTCShape10
	// OTCShapeOXP10 is that of OXP 1.0.
	OTCShapeOXP10
)

// schema is the $schema of a shape; the dual one goes by the older name.
func (o OTCShape) schema() string {
	if o == OTCShapeOXP10 {
		return oxpSchema
	}
	return otcSchema
}

const (
	otcSchema = "otc://1.0"
	oxpSchema = "urn:oxp:1.0"
)

// schemaPlaces are where the two documents are published. A $schema may be the
// URL of one instead of its short name.
var schemaPlaces = []struct {
	prefix string
	shape  OTCShape
}{
	{"https://opentoolcalling.org/", OTCShape10},
	{"https://github.com/ArcadeAI/OpenToolCalling/", OTCShape10},
	{"https://raw.githubusercontent.com/ArcadeAI/OpenToolCalling/", OTCShape10},
	{"https://openexecprotocol.org/", OTCShapeOXP10},
	{"https://github.com/OpenExecProtocol/Specification/", OTCShapeOXP10},
	{"https://raw.githubusercontent.com/OpenExecProtocol/Specification/", OTCShapeOXP10},
}

// shapeOf finds what a $schema asks for. None means the newest, in the shape
// that the server prefers.
func (p *otc) shapeOf(schema string) (OTCShape, bool) {
	switch schema {
	case "":
		return p.s.otcShape, true
	case otcSchema:
		return OTCShape10, true
	case oxpSchema:
		return OTCShapeOXP10, true
	}
	for _, place := range schemaPlaces {
		if rest, ok := strings.CutPrefix(schema, place.prefix); ok && slices.Contains(strings.Split(rest, "/"), "1.0") && len(schema) <= longestKey {
			return place.shape, true
		}
	}
	return OTCShapeDual, false
}

// otc serves Open Tool Calling 1.0 and the Open eXecution Protocol 1.0.
type otc struct {
	s *Handler
	// lists are those of the newest versions for each phase, histories those of
	// every version: they are long and seldom asked for.
	lists, histories [][3]lazyList

	health, list, call endpoint
}

func newOTC(s *Handler) *otc {
	p := &otc{s: s}
	shapes := func(all bool) [][3]lazyList {
		return perPhase(s.tools, func(now *phase) (lists [3]lazyList) {
			for _, shape := range []OTCShape{OTCShapeDual, OTCShape10, OTCShapeOXP10} {
				lists[shape] = newLazyList(func() ([]byte, error) { return listOTC(now.tools, shape, shape.schema(), all) })
			}
			return lists
		})
	}
	p.lists, p.histories = shapes(false), shapes(true)
	p.health = endpoint{get: p.getHealth, allow: allowGet, open: true}
	p.list = endpoint{get: p.getList, allow: allowGet}
	p.call = endpoint{post: p.postCall, allow: allowPost}
	return p
}

func (p *otc) word() Protocol { return ProtocolOTC }

// route knows three routes; /call is what the examples of the specification
// use instead of /tools/call.
func (p *otc) route(x *exchange, path string) *endpoint {
	x.schema = p.s.otcShape.schema()
	switch path {
	case "/health":
		return &p.health
	case "/tools":
		return &p.list
	case "/tools/call", "/call":
		return &p.call
	}
	return nil
}

func (p *otc) getHealth(x *exchange) { p.s.health(x.w, x.r, draining(x.r.Context())) }

// listOTC lists the latest version of every tool, because clients key tools
// by name, or all versions, the newest first.
func listOTC(tools []*servedTool, shape OTCShape, schema string, all bool) ([]byte, error) {
	b := value.AppendText([]byte(`{"$schema":`), schema)
	for _, key := range []struct {
		name  string
		other OTCShape
	}{{"tools", OTCShapeOXP10}, {"items", OTCShape10}} {
		if shape == key.other {
			continue
		}
		b = append(b, `,"`+key.name+`":[`...)
		empty := len(b)
		for _, t := range tools {
			for i := range slices.Backward(t.versions) {
				if len(b) > empty {
					b = append(b, ',')
				}
				one, err := t.versions[i].defined(shape)
				if err != nil {
					return nil, err
				}
				b = append(b, one...)
				if !all {
					break
				}
			}
		}
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

// getList answers GET /tools. A body on GET may name the $schema; clients in
// other languages cannot send one and use the query. Any other content of the
// body is ignored. The specification does not say whether versions are listed:
// ?versions=all asks for them.
func (p *otc) getList(x *exchange) {
	query := x.r.URL.Query()
	all := query.Get("versions") == "all"
	if versions := query.Get("versions"); !all && versions != "" && versions != "latest" {
		x.fail(&tool.Error{Kind: tool.KindBadRequest, Message: "versions is all or latest."})
		return
	}
	schema := query.Get("$schema")
	if schema == "" && x.r.ContentLength != 0 {
		schema = schemaOfBody(x.r.Body)
	}
	shape, known := p.shapeOf(schema)
	if !known {
		x.fail(unknownSchema())
		return
	}
	phase := p.s.phase()
	switch {
	case schema != "" && schema != otcSchema && schema != oxpSchema:
		x.serveList(newLazyList(func() ([]byte, error) { return listOTC(p.s.tools.phases[phase].tools, shape, schema, all) }))
	case all:
		x.serveList(p.histories[phase][shape])
	default:
		x.serveList(p.lists[phase][shape])
	}
}

func schemaOfBody(body io.Reader) string {
	const enough = 4 << 10
	raw, err := io.ReadAll(io.LimitReader(body, enough))
	if err != nil {
		return ""
	}
	s := callerScanner(raw)
	defer s.Release()
	schema := ""
	for s.Open(); s.NextAny(); {
		if s.Key() == "$schema" {
			schema = s.Text()
		}
	}
	s.End()
	if s.Err() != nil {
		return ""
	}
	return schema
}

func unknownSchema() *tool.Error {
	return &tool.Error{Kind: tool.KindBadRequest, Message: "The $schema is not supported.", Developer: "supported: " + otcSchema + ", " + oxpSchema}
}

// postCall answers POST /tools/call.
func (p *otc) postCall(x *exchange) {
	asked, fault := decodeOTC(x.body)
	_, known := p.shapeOf(asked.schema)
	switch {
	case !known && fault == nil:
		fault = unknownSchema()
	case known && asked.schema != "":
		x.schema = asked.schema
	}
	var t *servedTool
	var v *servedVersion
	if fault == nil {
		t, v, fault = p.find(asked.toolID)
	}
	if t != nil {
		x.announce(t)
	}
	if fault == nil && asked.userID != "" && x.principal.UserID != "" && asked.userID != x.principal.UserID {
		// Whoever holds credentials of one user must not act for another.
		fault = &tool.Error{Kind: tool.KindBadRequest, Message: "context.user_id is not the user of the credentials."}
	}
	if fault != nil {
		x.fail(fault)
		return
	}
	j := job{tool: t, version: v, protocol: ProtocolOTC, inputs: asked.inputs, start: x.start, from: addressOf(x.r.RemoteAddr)}
	j.principal = withCall(x.principal, asked.userID, asked.secrets, asked.tokens)
	j.inv.CallID, j.inv.IdempotencyKey, j.inv.TraceID = asked.callID, asked.callID, asked.traceID
	if j.inv.CallID == "" {
		j.inv.CallID = newCallID()
	}
	out := p.s.call(x.r.Context(), x.r.Header.Get("Traceparent"), &j)
	p.answer(x, &j, &out)
}

// find resolves Toolkit.Tool[@version]. @N means exactly N.0.0, and a sculpted
// version N is N.0.0; none means the latest.
func (p *otc) find(id string) (*servedTool, *servedVersion, *tool.Error) {
	name, version, versioned := strings.Cut(id, "@")
	t := p.s.tools.byOTC[name]
	if t == nil {
		return nil, nil, &tool.Error{Kind: tool.KindUnknownTool, Message: "There is no tool '" + tool.Clip(name) + "'"}
	}
	if !versioned {
		return t, t.current(), nil
	}
	if !strings.Contains(version, ".") {
		version += ".0.0"
	}
	if major, ok := strings.CutSuffix(version, ".0.0"); ok {
		if v := t.version(versionNumber(major)); v != nil {
			return t, v, nil
		}
	}
	available := make([]string, len(t.versions))
	for i := range t.versions {
		available[i] = strconv.Itoa(t.versions[i].N) + ".0.0"
	}
	return nil, nil, &tool.Error{Kind: tool.KindUnknownVersion, Message: "Tool '" + name + "' has no version " + tool.Clip(version),
		Developer: "available: " + strings.Join(available, ", ")}
}

// answer writes what became of a call: 200 also when the tool failed, 422 for
// invalid inputs, 400 for everything that went wrong before the tool ran.
func (p *otc) answer(x *exchange, j *job, out *conclusion) {
	buffer := bodies.Get().(*[]byte)
	b := (*buffer)[:0]
	switch {
	case out.err == nil:
		b = appendOTCHead(b, x.schema, j.inv.CallID, out)
		b = append(b, `"success":true,"value":`...)
		b = append(appendOTCValue(b, j.version.Outputs, out.result), "}}"...)
		x.write(http.StatusOK, jsonType, b)
	case out.started:
		b = appendOTCHead(b, x.schema, j.inv.CallID, out)
		b = append(b, `"success":false,"error":`...)
		b = append(appendToolError(b, out.err), "}}"...)
		x.write(http.StatusOK, jsonType, b)
	default:
		x.failHeaders(out.err)
		b = appendServerError(b, x.schema, out.err)
		if a := out.err.Authorization; a != nil {
			b = value.AppendText(append(b[:len(b)-1], `,"missing_requirements":{"authorization":[{"id":`...), a.Provider)
			b = append(value.AppendText(append(b, `,"url":`...), a.URL), "}]}}"...)
		} else if out.err.Code == missingRequirements {
			b = p.appendMissing(b[:len(b)-1], &j.tool.Needs, j.principal)
		}
		x.write(p.status(out.err), jsonType, b)
	}
	*buffer = b
	bodies.Put(buffer)
}

// status maps what happened before a tool ran. The text of OTC 1.0 has 400
// where others have 401, 404 and 503.
func (p *otc) status(e *tool.Error) int {
	switch c := classOf(e); {
	case c.http:
		return c.status
	case e.Kind == tool.KindInvalidInput, e.Kind == tool.KindInternal:
		return c.status
	case p.s.otc401 && (e.Kind == tool.KindUnauthorized || e.Kind == tool.KindForbidden && e.Code != missingRequirements && e.Authorization == nil):
		return c.status
	}
	return http.StatusBadRequest
}

func (p *otc) fail(x *exchange, e *tool.Error) {
	x.write(p.status(e), jsonType, appendServerError(nil, x.schema, e))
}

func appendSchema(b []byte, schema string) []byte {
	return value.AppendText(append(b, `{"$schema":`...), schema)
}

func appendOTCHead(b []byte, schema, callID string, out *conclusion) []byte {
	b = append(appendSchema(b, schema), `,"result":{"call_id":`...)
	b = value.AppendText(b, callID)
	b = append(b, `,"duration":`...)
	b = strconv.AppendFloat(b, float64(out.took.Round(time.Microsecond))/float64(time.Millisecond), 'f', -1, 64)
	return append(b, ',')
}

// appendOTCValue writes the outputs as one object. An optional output that the
// backend did not give is left out: JSON Schema calls it "not required".
func appendOTCValue(b []byte, slots []tool.OutputSlot, result tool.Result) []byte {
	b = append(b, '{')
	empty := len(b)
	for i := range slots {
		v := outputOf(result, slots[i].Name, i)
		if v == nil && slots[i].Optional {
			continue
		}
		if len(b) > empty {
			b = append(b, ',')
		}
		b = append(value.AppendText(b, slots[i].Name), ':')
		if v == nil {
			v = []byte("null")
		}
		b = append(b, v...)
	}
	return append(b, '}')
}

// appendToolError writes a ToolError. can_retry means with the help of the
// hint as well: other inputs may do better where the same ones would not.
func appendToolError(b []byte, e *tool.Error) []byte {
	b = value.AppendText(append(b, `{"message":`...), e.Sentence())
	if e.Developer != "" {
		b = value.AppendText(append(b, `,"developer_message":`...), e.Developer)
	}
	changed := (e.Kind == tool.KindNoResult || e.Kind == tool.KindRejected) && e.Hint != "" && len(e.EffectsDone) == 0
	b = append(b, `,"can_retry":`...)
	b = strconv.AppendBool(b, e.Retryable || changed)
	if e.Hint != "" {
		b = value.AppendText(append(b, `,"additional_prompt_content":`...), e.Hint)
	}
	if ms := retryMillis(e); ms > 0 {
		b = strconv.AppendInt(append(b, `,"retry_after_ms":`...), ms, 10)
	}
	if e.Code != "" {
		b = value.AppendText(append(b, `,"code":`...), e.Code)
	}
	if len(e.EffectsDone) > 0 {
		b = appendTexts(append(b, `,"effects_done":`...), e.EffectsDone)
	}
	return append(b, '}')
}

// appendServerError writes a ServerErrorResponse or, with issues, a
// ValidationErrorResponse.
func appendServerError(b []byte, schema string, e *tool.Error) []byte {
	message := e.Sentence()
	if message == "" {
		message = classOf(e).title
	}
	b = value.AppendText(append(appendSchema(b, schema), `,"message":`...), message)
	if e.Developer != "" {
		b = value.AppendText(append(b, `,"developer_message":`...), e.Developer)
	}
	if e.Code != "" {
		b = value.AppendText(append(b, `,"code":`...), e.Code)
	}
	if e.Hint != "" {
		b = value.AppendText(append(b, `,"additional_prompt_content":`...), e.Hint)
	}
	if ms := retryMillis(e); ms > 0 {
		b = strconv.AppendInt(append(b, `,"retry_after_ms":`...), ms, 10)
	}
	if len(e.Issues) > 0 {
		b = append(b, `,"parameter_errors":{`...)
		for i := range e.Issues {
			if named(e.Issues[:i], e.Issues[i].Param) {
				continue // two names that were clipped to the same text
			}
			if i > 0 {
				b = append(b, ',')
			}
			b = append(value.AppendText(b, e.Issues[i].Param), ':')
			b = value.AppendText(b, issueText(&e.Issues[i]))
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

func named(issues []tool.Issue, param string) bool {
	return slices.ContainsFunc(issues, func(i tool.Issue) bool { return i.Param == param })
}

// issueText says all in one line, because parameter_errors has room for one.
func issueText(issue *tool.Issue) string {
	if len(issue.Allowed) == 0 {
		return issue.Detail
	}
	return issue.Detail + " Allowed: " + strings.Join(issue.Allowed, ", ") + "."
}

// appendMissing appends missing_requirements and closes the object again.
func (p *otc) appendMissing(b []byte, needs *tool.Needs, who *tool.Principal) []byte {
	b = append(b, `,"missing_requirements":{`...)
	comma := ""
	if needs.UserID && who.UserID == "" {
		b, comma = append(b, `"user_id":true`...), ","
	}
	open := func(key string) {
		b = append(b, comma+`"`+key+`":[`...)
		comma = ","
	}
	for i, id := range lacking(needs.Tokens, who.Tokens) {
		if i == 0 {
			open("authorization")
		} else {
			b = append(b[:len(b)-1], ',')
		}
		b = value.AppendText(append(b, `{"id":`...), id)
		b = value.AppendText(append(b, `,"url":`...), p.s.challenges[id])
		b = append(b, "}]"...)
	}
	if secrets := lacking(needs.Secrets, who.Secrets); len(secrets) > 0 {
		open("secrets")
		for i, id := range secrets {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(value.AppendText(append(b, `{"id":`...), id), '}')
		}
		b = append(b, ']')
	}
	return append(b, "}}"...)
}

func lacking(ids []string, have map[string]string) []string {
	var missing []string
	for _, id := range ids {
		if have[id] == "" {
			missing = append(missing, id)
		}
	}
	return missing
}

// An otcDefinition is a tool definition in any shape.
type otcDefinition struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	Version      string          `json:"version"`
	Input        json.RawMessage `json:"input_schema"`
	Output       json.RawMessage `json:"output_schema"`
	Requirements json.RawMessage `json:"requirements,omitempty"`
}

// decodeDefinition reads a definition in dual shape, and the bare schema of its
// inputs.
func decodeDefinition(name string, raw []byte) (doc otcDefinition, parameters json.RawMessage, err error) {
	if err := json.Unmarshal(raw, &doc); err != nil {
		return otcDefinition{}, nil, fmt.Errorf("%s: %w", name, err)
	}
	var input struct{ Parameters json.RawMessage }
	if err := json.Unmarshal(doc.Input, &input); err != nil || len(input.Parameters) == 0 {
		return otcDefinition{}, nil, fmt.Errorf("%s is not in the dual shape: input_schema has no parameters", name)
	}
	return doc, input.Parameters, nil
}

// readDefinition reads an OTC tool definition in dual shape and checks that it
// belongs to its version.
func readDefinition(docs fs.FS, t *servedTool, n int) (*stored, error) {
	name := fmt.Sprintf("otc/%s.v%d.json", t.Name, n)
	kept, raw, err := store(docs, name)
	if err != nil {
		return nil, err
	}
	doc, _, err := decodeDefinition(name, raw)
	if version := strconv.Itoa(n) + ".0.0"; err == nil && (doc.ID != t.otcID+"@"+version || doc.Name != t.Name || doc.Version != version) {
		err = fmt.Errorf("%s does not describe this version: run \"sculpt generate\" again", name)
	}
	return kept, err
}

// defined returns the definition in a shape.
func (v *servedVersion) defined(shape OTCShape) ([]byte, error) {
	raw, err := v.definition.read()
	if err != nil || shape == OTCShapeDual {
		return raw, err
	}
	doc, parameters, err := decodeDefinition(v.definition.name, raw)
	if err != nil {
		return nil, err
	}
	if doc.Input = parameters; shape == OTCShape10 {
		doc.Input = fmt.Appendf(nil, `{"parameters":%s}`, parameters)
	}
	return json.Marshal(doc)
}
