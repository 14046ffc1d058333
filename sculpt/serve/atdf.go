package serve

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// An atdfLevel is one of the two forms of descriptors.
type atdfLevel uint8

const (
	// basicLevel is ATDF 1.x, whose schema is closed.
	basicLevel atdfLevel = iota
	// enhancedLevel is ATDF 2.x.
	enhancedLevel
)

// atdfLevels are the words for a level: its file, and what a caller may ask
// for. No word means the newest.
var atdfLevels = map[string]atdfLevel{
	"": enhancedLevel, "2": enhancedLevel, "2.0.0": enhancedLevel, "enhanced": enhancedLevel,
	"1": basicLevel, "1.0.0": basicLevel, "basic": basicLevel,
}

// atdf serves descriptors of the Agent Tool Description Format: the three
// routes of its server profile 1 that describe tools. The profile has none
// that calls one.
type atdf struct {
	s       *Handler
	started time.Time
	// version changes when a tool does.
	version string
	lists   [][2]lazyList

	health, list, tool endpoint
}

func newATDF(s *Handler) *atdf {
	p := &atdf{s: s, started: time.Now(), version: hex.EncodeToString(s.tools.digest[:6])}
	p.lists = perPhase(s.tools, func(now *phase) (lists [2]lazyList) {
		for level := range lists {
			lists[level] = newLazyList(func() ([]byte, error) {
				b, err := appendStored([]byte(`{"tools":[`), len(now.tools), func(i int) *stored { return now.tools[i].descriptors[level] })
				return append(b, "]}"...), err
			})
		}
		return lists
	})
	p.health = endpoint{get: p.getHealth, allow: allowGet, open: true}
	p.list = endpoint{get: p.getList, allow: allowGet}
	p.tool = endpoint{get: p.getTool, allow: allowGet}
	return p
}

func (p *atdf) word() Protocol { return ProtocolATDF }

func (p *atdf) route(x *exchange, path string) *endpoint {
	segments, n := splitPath(path)
	switch {
	case n == 1 && segments[0] == "health":
		return &p.health
	case n == 1 && segments[0] == "tools":
		return &p.list
	case n == 2 && segments[0] == "tools":
		x.id = segments[1]
		return &p.tool
	}
	return nil
}

// getHealth answers with the body that the profile wants.
func (p *atdf) getHealth(x *exchange) {
	status, word := 200, "healthy"
	if draining(x.r.Context()) {
		status, word = 503, "shutting down"
	}
	b := value.AppendText([]byte(`{"status":`), word)
	b = strconv.AppendInt(append(b, `,"uptime_seconds":`...), int64(time.Since(p.started)/time.Second), 10)
	b = append(value.AppendText(append(b, `,"version":`...), p.version), '}')
	x.write(status, jsonType, b)
}

// level reads which of the forms is wanted.
func (p *atdf) level(x *exchange) (atdfLevel, *tool.Error) {
	level, ok := atdfLevels[x.r.URL.Query().Get("schema_version")]
	if !ok {
		return 0, &tool.Error{Kind: tool.KindBadRequest, Message: "The schema_version is not supported: 1.0.0 and 2.0.0 are."}
	}
	return level, nil
}

func (p *atdf) getList(x *exchange) {
	level, fault := p.level(x)
	if fault != nil {
		x.fail(fault)
		return
	}
	x.serveList(p.lists[p.s.phase()][level])
}

// getTool answers GET /tools/{tool_id}: the name of the tool or its UUID,
// which callers of other protocols know it by.
func (p *atdf) getTool(x *exchange) {
	level, fault := p.level(x)
	if fault != nil {
		x.fail(fault)
		return
	}
	t := p.s.tools.byID[x.id]
	for _, named := range p.s.tools.tools {
		if named.Name == x.id {
			t = named
		}
	}
	if t == nil {
		x.fail(&tool.Error{Kind: tool.KindUnknownTool, Message: "There is no tool " + tool.Quote(x.id) + "."})
		return
	}
	x.announce(t)
	if fault := p.s.ended(t); fault != nil {
		x.fail(fault)
		return
	}
	x.serveStored(t.descriptors[level])
}

// fail writes the error document of ATDF, which is closed: every error has a
// tool, so that of a request for none is the one of the whole server.
func (p *atdf) fail(x *exchange, e *tool.Error) {
	c := classOf(e)
	code := c.code
	switch {
	case e.Code == toolEnded:
		code = toolEnded
	case e.Kind == tool.KindUnknownTool && x.id != "":
		code = "tool_not_found" // the word of the profile
	}
	x.write(c.status, jsonType, appendATDFError(nil, e, code, p.toolOf(x)))
}

// WriteATDF answers with the error in the form of ATDF (error_atdf), under the
// status that the kind has in A2T. It is for routes of the vendor's own: the
// format leaves it to servers at which paths tools are called.
func WriteATDF(w http.ResponseWriter, tool string, e *tool.Error) {
	c := classOf(e)
	w.Header()["Content-Type"] = jsonType
	if wait := retrySeconds(e); wait != "" {
		w.Header().Set("Retry-After", wait)
	}
	w.WriteHeader(c.status)
	_, _ = w.Write(appendATDFError(nil, e, c.code, tool)) // nobody is left to tell
}

// appendATDFError appends an error document: an error for each input that is
// wrong, or one for the whole.
func appendATDFError(b []byte, e *tool.Error, code, tool string) []byte {
	c := classOf(e)
	one := func(title, detail string) {
		b = value.AppendText(append(b, `{"type":`...), "urn:sculpt:error:"+code)
		b = value.AppendText(append(b, `,"title":`...), title)
		b = value.AppendText(append(b, `,"detail":`...), detail)
		b = value.AppendText(append(b, `,"instance":`...), "urn:uuid:"+newCallID())
		b = value.AppendText(append(b, `,"tool_name":`...), tool)
		b = value.AppendText(append(b, `,"code":`...), code)
	}
	b = append(b, `{"status":"error","errors":[`...)
	for i := range e.Issues {
		if i > 0 {
			b = append(b, ',')
		}
		issue := &e.Issues[i]
		one("Invalid parameter", atdfDetail(issue))
		b = value.AppendText(append(b, `,"parameter_name":`...), issue.Param)
		if len(issue.Allowed) > 0 {
			// What is near was probably meant; else any of them is a way on.
			b = value.AppendText(append(b, `,"suggested_value":`...), cmp.Or(issue.Nearest, issue.Allowed[0]))
			b = append(appendTexts(append(b, `,"context":{"allowed":`...), issue.Allowed), '}')
		}
		b = append(b, '}')
	}
	if len(e.Issues) == 0 {
		one(c.title, cmp.Or(e.Sentence(), c.title))
		b = append(b, '}')
	}
	b = value.AppendText(append(b, `],"meta":{"timestamp":`...), time.Now().UTC().Format(time.RFC3339))
	return append(b, "}}"...)
}

// atdfDetail names the allowed values: the format has no place for them that
// every reader knows.
func atdfDetail(issue *tool.Issue) string {
	const notOne = " is not one of the allowed values."
	at := strings.LastIndex(issue.Detail, notOne)
	if at < 0 || issue.Code != "not_allowed" {
		return issue.Detail
	}
	return issue.Detail[:at] + " is not one of " + strings.Join(issue.Allowed, ", ") + "."
}

func (p *atdf) toolOf(x *exchange) string {
	if x.id != "" {
		return tool.Clip(x.id)
	}
	return "*"
}

// readDescriptors reads the two descriptors of the newest version and checks
// that they belong to it.
func readDescriptors(docs fs.FS, t *servedTool) error {
	current := &t.Versions[len(t.Versions)-1]
	for _, level := range []struct {
		level atdfLevel
		word  string
	}{{basicLevel, "basic"}, {enhancedLevel, "enhanced"}} {
		name := fmt.Sprintf("atdf/%s.%s.json", t.Name, level.word)
		kept, raw, err := store(docs, name)
		if err != nil {
			return err
		}
		var doc struct {
			ToolID   string `json:"tool_id"`
			HowToUse struct {
				Inputs []struct{ Name string }
			} `json:"how_to_use"`
		}
		if err := json.Unmarshal(raw, &doc); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fits := doc.ToolID == t.Name && len(doc.HowToUse.Inputs) == len(current.Inputs)
		for _, in := range doc.HowToUse.Inputs {
			fits = fits && paramAt(current.Inputs, in.Name) >= 0
		}
		if !fits {
			return fmt.Errorf("%s does not describe this version: run \"sculpt generate\" again", name)
		}
		t.descriptors[level.level] = kept
	}
	return nil
}
