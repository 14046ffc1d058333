package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A front is what a server says of itself to whoever knows nothing but its
// address: GET / names the doors, GET /openapi.json describes the calls of A2T.
type front struct {
	s              *Handler
	doors, openapi endpoint
	doorsBody      lazyList
	openapiBodies  []lazyList
}

// specifications are what the doors speak.
var specifications = map[Protocol]struct{ list, text string }{
	ProtocolA2T:  {"/tools", "draft-rosenberg-aiproto-a2t-00"},
	ProtocolNACT: {"/tools", "draft-rosenberg-aiproto-nact-00"},
	ProtocolOTC:  {"/tools", "Open Tool Calling 1.0, OXP 1.0"},
	ProtocolMCP:  {"", "Model Context Protocol " + mcpModern + " and before"},
	ProtocolATDF: {"/tools", "Agent Tool Description Format, server profile 1, descriptors only"},
}

const (
	openapiPath = "/openapi.json"
	openapiFile = "openapi/openapi.json"
)

func newFront(s *Handler) *front {
	p := &front{s: s}
	p.doorsBody = newLazyList(func() ([]byte, error) { return p.doorsText(), nil })
	p.openapiBodies = perPhase(s.tools, func(now *phase) lazyList {
		return newLazyList(func() ([]byte, error) { return p.openapiText(now) })
	})
	p.doors = endpoint{get: func(x *exchange) { x.serveList(p.doorsBody) }, allow: allowGet}
	p.openapi = endpoint{get: func(x *exchange) { x.serveList(p.openapiBodies[s.phase()]) }, allow: allowGet}
	return p
}

func (p *front) word() Protocol                  { return "" }
func (p *front) fail(x *exchange, e *tool.Error) { failProblem(x, e, nil, "") }
func (p *front) route(_ *exchange, at string) *endpoint {
	rest, below := strings.CutPrefix(at, p.s.base)
	switch {
	case !below:
	case rest == "/", rest == "" && p.s.base != "":
		return &p.doors
	case rest == openapiPath && p.described():
		return &p.openapi
	}
	return nil
}

// described says that there is something to describe, and that it is served.
func (p *front) described() bool { return len(p.s.tools.docs) > 0 && p.s.mountOf(ProtocolA2T) != nil }

// mountOf is the first mount of a protocol, nil if it is not served.
func (s *Handler) mountOf(word Protocol) *mount {
	at := slices.IndexFunc(s.mounts, func(m mount) bool { return m.p.word() == word })
	if at < 0 {
		return nil
	}
	return &s.mounts[at]
}

// doorsText lists the doors in the order of the protocols.
func (p *front) doorsText() []byte {
	b := value.AppendText([]byte(`{"name":`), p.s.tools.name)
	if text := p.s.tools.description; text != "" {
		b = value.AppendText(append(b, `,"description":`...), text)
	}
	b = append(b, `,"doors":[`...)
	comma := ""
	for _, word := range protocols {
		m := p.s.mountOf(word)
		if m == nil {
			continue
		}
		b = append(b, comma+`{"protocol":`...)
		b = value.AppendText(b, string(word))
		b = value.AppendText(append(b, `,"at":`...), m.prefix+specifications[word].list)
		b = append(value.AppendText(append(b, `,"specification":`...), specifications[word].text), '}')
		comma = ","
	}
	b = append(b, ']')
	if p.described() {
		b = value.AppendText(append(b, `,"openapi":`...), p.s.base+openapiPath)
	}
	return append(b, '}')
}

// An openapiDoc is as much of an exported OpenAPI document as is needed to join
// several. What the exporter writes decides which members there are.
type openapiDoc struct {
	OpenAPI    string                                `json:"openapi"`
	Info       openapiInfo                           `json:"info"`
	Servers    json.RawMessage                       `json:"servers"`
	Security   json.RawMessage                       `json:"security"`
	Tags       json.RawMessage                       `json:"tags"`
	Paths      map[string]json.RawMessage            `json:"paths"`
	Components map[string]map[string]json.RawMessage `json:"components"`
}

type openapiInfo struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
}

// openapiText joins the exported documents of the sets: the operations of the
// tools that are served, at the path where they are, and what these refer to.
func (p *front) openapiText(now *phase) ([]byte, error) {
	whole := openapiDoc{Paths: map[string]json.RawMessage{}}
	every := map[string]map[string]json.RawMessage{}
	for _, docs := range p.s.tools.docs {
		raw, err := fs.ReadFile(docs, openapiFile)
		if err != nil {
			return nil, err
		}
		var one openapiDoc
		if err := json.Unmarshal(raw, &one); err != nil {
			return nil, fmt.Errorf("%s: %w", openapiFile, err)
		}
		if whole.OpenAPI == "" {
			whole.OpenAPI, whole.Servers, whole.Security, whole.Tags = one.OpenAPI, one.Servers, one.Security, one.Tags
			whole.Info = one.Info
		} else {
			whole.Info = openapiInfo{p.s.tools.name, p.s.tools.description, whole.Info.Version + "-" + one.Info.Version}
		}
		p.takePaths(now, whole.Paths, one.Paths)
		for kind, parts := range one.Components {
			if every[kind] == nil {
				every[kind] = map[string]json.RawMessage{}
			}
			for name, part := range parts {
				if had, ok := every[kind][name]; ok && string(had) != string(part) {
					return nil, errors.New("two packages have different parts named " + name)
				}
				every[kind][name] = part
			}
		}
	}
	whole.Components = referred(whole.Paths, every)
	maps.Copy(whole.Components, map[string]map[string]json.RawMessage{"securitySchemes": every["securitySchemes"]})
	return json.Marshal(&whole)
}

// exportedA2T is where exported documents have the routes of A2T.
const exportedA2T = "/" + string(ProtocolA2T)

// takePaths takes over the routes for any tool and those of tools that are
// served.
func (p *front) takePaths(now *phase, into, from map[string]json.RawMessage) {
	prefix := p.s.mountOf(ProtocolA2T).prefix
	for at, item := range from {
		id := strings.TrimSuffix(path.Base(at), ":invoke")
		if uuidForm.MatchString(id) && !slices.ContainsFunc(now.tools, func(t *servedTool) bool { return t.ID == id }) {
			continue
		}
		into[prefix+strings.TrimPrefix(at, exportedA2T)] = item
	}
}

var refForm = regexp.MustCompile(`"\$ref":\s*"#/components/([A-Za-z]+)/([^"]+)"`)

// referred are the components that paths refer to, with those that these do.
func referred(paths map[string]json.RawMessage, every map[string]map[string]json.RawMessage) map[string]map[string]json.RawMessage {
	some := map[string]map[string]json.RawMessage{}
	open := slices.Collect(maps.Values(paths))
	for len(open) > 0 {
		last := len(open) - 1
		text := open[last]
		open = open[:last]
		for _, ref := range refForm.FindAllSubmatch(text, -1) {
			kind, name := string(ref[1]), string(ref[2])
			part, ok := every[kind][name]
			if _, had := some[kind][name]; had || !ok {
				continue
			}
			if some[kind] == nil {
				some[kind] = map[string]json.RawMessage{}
			}
			some[kind][name] = part
			open = append(open, part)
		}
	}
	return some
}
