package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// a2t serves draft-rosenberg-aiproto-a2t-00, and draft-rosenberg-aiproto-nact-00
// which differs only in its name and in leaving pagination undescribed. The
// drafts are silent or contradict themselves in many places; comments name the
// choice where a reader would wonder.
type a2t struct {
	s    *Handler
	name Protocol
	// lists are those of GET /tools, for each phase.
	lists []a2tList

	list, tool, versions, version, invoke, invokeVersion endpoint
}

// An a2tList has the signatures of some tools; scope is that of its cursors.
type a2tList struct {
	all   []*stored
	scope [cursorDigest]byte
}

func newA2T(s *Handler, name Protocol) *a2t {
	p := &a2t{s: s, name: name}
	p.lists = perPhase(s.tools, func(now *phase) a2tList {
		l := a2tList{scope: cursorScope(now.digest, tagScope(nil))}
		for _, t := range now.tools {
			l.all = append(l.all, t.current().signature)
		}
		return l
	})
	p.list = endpoint{get: pathVersion(p.getList), allow: allowGet}
	p.tool = endpoint{get: pathVersion(p.getTool), allow: allowGet}
	p.versions = endpoint{get: pathVersion(p.getVersions), allow: allowGet}
	p.version = endpoint{get: pathVersion(p.getVersion), allow: allowGet}
	p.invoke = endpoint{post: pathVersion(p.postInvoke), allow: allowPost}
	p.invokeVersion = endpoint{post: pathVersion(p.postInvoke), allow: allowPost}
	return p
}

// pathVersion refuses a version in the query: whoever asks for one there and
// gets the newest does not see the mistake.
func pathVersion(run func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		if x.r.URL.RawQuery != "" && x.r.URL.Query().Has("version") {
			x.fail(&tool.Error{Kind: tool.KindBadRequest, Message: "A version is part of the path: /tools/{toolID}/versions/{versionNum}."})
			return
		}
		run(x)
	}
}

func (p *a2t) word() Protocol { return p.name }

// route knows the six routes of A2T 6. http.ServeMux cannot match
// {toolID}:invoke, so the last segment is split at its last colon here; %3A
// means a colon too. A trailing slash names nothing.
func (p *a2t) route(x *exchange, path string) *endpoint {
	segments, n := splitPath(path)
	if n == 0 || n > 4 || segments[0] != "tools" || n > 2 && segments[2] != "versions" {
		return nil
	}
	if n == 1 {
		return &p.list
	}
	x.id = segments[1]
	last, plain, invoke := &x.id, &p.tool, &p.invoke
	if n == 3 {
		return &p.versions
	}
	if n == 4 {
		x.version = segments[3]
		last, plain, invoke = &x.version, &p.version, &p.invokeVersion
	}
	name, verb, colon := cutLast(*last)
	*last = name
	switch {
	case name == "":
		return nil
	case !colon:
		return plain
	case verb == "invoke":
		return invoke
	}
	return nil
}

func cutLast(s string) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// splitPath splits an escaped path into at most four decoded segments. An
// empty segment makes the whole path unknown; n is 5 for longer paths.
func splitPath(path string) (segments [4]string, n int) {
	for ; path != ""; n++ {
		segment, rest := path[1:], ""
		if i := strings.IndexByte(segment, '/'); i >= 0 {
			segment, rest = segment[:i], segment[i:]
		}
		if segment == "" || n == len(segments) {
			return segments, len(segments) + 1
		}
		if strings.IndexByte(segment, '%') >= 0 {
			decoded, err := url.PathUnescape(segment)
			if err != nil {
				return segments, len(segments) + 1
			}
			segment = decoded
		}
		segments[n], path = segment, rest
	}
	return segments, n
}

// getList answers GET /tools: the latest version of every tool, by name
// (A2T 6.1, 6.4).
func (p *a2t) getList(x *exchange) {
	phase := p.s.phase()
	list, now := &p.lists[phase], &p.s.tools.phases[phase]
	if x.r.URL.RawQuery == "" {
		p.servePage(x, list.all, page{limit: defaultPage}, list.scope)
		return
	}
	want, fault := readPage(x.r.URL.RawQuery)
	if fault != nil {
		x.fail(fault)
		return
	}
	items := list.all
	if len(want.tags) > 0 {
		items = nil
		for i, t := range now.tools {
			if carries(t, want.tags) {
				items = append(items, list.all[i])
			}
		}
	}
	p.servePage(x, items, want, cursorScope(now.digest, tagScope(want.tags)))
}

// carries reports whether the tool has every one of the tags.
func carries(t *servedTool, tags []string) bool {
	for _, tag := range tags {
		if !slices.Contains(t.Tags, tag) {
			return false
		}
	}
	return true
}

func (p *a2t) servePage(x *exchange, items []*stored, want page, scope [cursorDigest]byte) {
	start, fault := readCursor(scope, want.cursor, len(items))
	if fault != nil {
		x.fail(fault)
		return
	}
	x.serveList(p.s.tools.pages.get(pageKey{scope, start, want.limit}, func() ([]byte, error) {
		return listPage(items, start, want.limit, scope)
	}))
}

// getTool answers GET /tools/{toolID}: the current version.
func (p *a2t) getTool(x *exchange) {
	if t := p.described(x); t != nil {
		x.serveStored(t.current().signature)
	}
}

// described finds the tool of a path whose documents are asked for; without
// one the request was answered.
func (p *a2t) described(x *exchange) *servedTool {
	t, fault := p.named(x)
	if fault == nil {
		fault = p.s.ended(t)
	}
	if fault != nil {
		x.fail(fault)
		return nil
	}
	return t
}

// named finds the tool of a path.
func (p *a2t) named(x *exchange) (*servedTool, *tool.Error) {
	t := p.s.tools.byID[x.id]
	if t == nil {
		return nil, &tool.Error{Kind: tool.KindUnknownTool}
	}
	x.announce(t)
	return t, nil
}

// getVersions answers GET /tools/{toolID}/versions: newest to oldest.
func (p *a2t) getVersions(x *exchange) {
	t := p.described(x)
	if t == nil {
		return
	}
	want, fault := readPage(x.r.URL.RawQuery)
	if fault != nil {
		x.fail(fault)
		return
	}
	items := make([]*stored, 0, len(t.versions))
	for i := range t.versions {
		items = append(items, t.versions[len(t.versions)-1-i].signature)
	}
	p.servePage(x, items, want, cursorScope(p.s.tools.digest, "versions\x00"+t.ID))
}

// getVersion answers GET /tools/{toolID}/versions/{versionNum}.
func (p *a2t) getVersion(x *exchange) {
	t, v, fault := p.find(x)
	if fault == nil {
		fault = p.s.ended(t)
	}
	if fault != nil {
		x.fail(fault)
		return
	}
	x.serveStored(v.signature)
}

// find looks up the tool and version of the path; no version means the
// current one. What is not an UUID or no number is unknown, not malformed: a 400
// would tell strangers how ids look.
func (p *a2t) find(x *exchange) (*servedTool, *servedVersion, *tool.Error) {
	t, fault := p.named(x)
	if fault != nil {
		return nil, nil, fault
	}
	if x.version == "" {
		return t, t.current(), nil
	}
	v := t.version(versionNumber(x.version))
	if v == nil {
		return t, nil, unknownVersion(&t.Tool)
	}
	return t, v, nil
}

// versionNumber reads a canonical positive integer, 0 for anything else: "01"
// is not version 1.
func versionNumber(text string) int {
	if text == "" || len(text) > 9 || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0
	}
	n, _ := strconv.Atoi(text)
	return n
}

// postInvoke answers both invoke routes (A2T 5.3, 5.4).
func (p *a2t) postInvoke(x *exchange) {
	t, v, fault := p.find(x)
	if fault != nil {
		x.fail(fault)
		return
	}
	asked, fault := decodeInvocation(x.body)
	if fault == nil && asked.named && asked.name != t.Name {
		fault = &tool.Error{Kind: tool.KindBadRequest, Code: "name_mismatch",
			Message: "The path names the tool " + t.Name + ", the body another one."}
	}
	if fault != nil {
		x.fail(fault)
		return
	}
	j := job{tool: t, version: v, protocol: p.name, inputs: asked.inputs, principal: x.principal, start: x.start, from: addressOf(x.r.RemoteAddr)}
	j.inv.CallID = newCallID()
	j.inv.IdempotencyKey = x.r.Header.Get("Idempotency-Key")
	if len(j.inv.IdempotencyKey) > longestKey {
		x.fail(&tool.Error{Kind: tool.KindBadRequest, Message: "The Idempotency-Key is too long."})
		return
	}
	out := p.s.call(x.r.Context(), x.r.Header.Get("Traceparent"), &j)
	if out.err != nil {
		p.refuse(x, out.err, &subject{t, v.N}, j.inv.CallID)
		return
	}
	buffer := bodies.Get().(*[]byte)
	b := appendOutputs((*buffer)[:0], v.Outputs, out.result)
	x.write(http.StatusOK, jsonType, b)
	*buffer = b
	bodies.Put(buffer)
}

// appendOutputs answers with exactly the outputs of the version, null where
// the backend gave nothing: a caller of version 1 never sees what version 2
// added.
func appendOutputs(b []byte, slots []tool.OutputSlot, result tool.Result) []byte {
	b = append(b, `{"output_parameters":[`...)
	for i := range slots {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"name":`...)
		b = value.AppendText(b, slots[i].Name)
		b = append(b, `,"value":`...)
		if value := outputOf(result, slots[i].Name, i); value != nil {
			b = append(b, value...)
		} else {
			b = append(b, "null"...)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

// outputOf returns an output; hint is where it probably is.
func outputOf(r tool.Result, name string, hint int) []byte {
	if at := indexOf(r, name, hint); at >= 0 && len(r[at].JSON) > 0 {
		return r[at].JSON
	}
	return nil
}

// indexOf returns the index of an output, -1 if it is not there.
func indexOf(r tool.Result, name string, hint int) int {
	if hint < len(r) && r[hint].Name == name {
		return hint
	}
	return slices.IndexFunc(r, func(o tool.Output) bool { return o.Name == name })
}

func (p *a2t) fail(x *exchange, e *tool.Error) {
	var about *subject
	if t := p.s.tools.byID[x.id]; t != nil && x.principal != nil {
		if v := t.version(versionNumber(x.version)); v != nil || x.version == "" {
			about = &subject{t, t.current().N}
			if v != nil {
				about.version = v.N
			}
		}
	}
	failProblem(x, e, about, "")
}

// refuse answers with the error of a call that call has logged already.
func (p *a2t) refuse(x *exchange, e *tool.Error, about *subject, callID string) {
	x.failHeaders(e)
	failProblem(x, e, about, callID)
}

// failProblem answers with a problem document (RFC 9457).
func failProblem(x *exchange, e *tool.Error, about *subject, callID string) {
	buffer := bodies.Get().(*[]byte)
	b := appendProblem((*buffer)[:0], e, about, callID)
	x.write(problemClass(e).status, problemType, b)
	*buffer = b
	bodies.Put(buffer)
}
