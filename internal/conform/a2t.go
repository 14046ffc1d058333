package conform

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// mostTools bounds for how many tools details are asked, mostPages how many
// pages of one list are read.
const (
	mostTools = 100
	mostPages = 1000
)

// An a2tTalk is a conversation over A2T or N-ACT.
type a2tTalk struct {
	// list are the pages of GET /tools as the server makes them, paged those with
	// the limit asked for.
	list, paged []*exchange
	limit       int
	tools       []*a2tTool
	calls       []*a2tCall
}

// An a2tTool is a tool of the list, and what is said of it elsewhere.
type a2tTool struct {
	id     string
	listed signature
	one    *exchange
	// versions are the pages of its versions, each are the versions alone, by the
	// numbers that were asked for.
	versions []*exchange
	each     map[int64]*exchange
}

// An a2tCall is what was sent to one tool.
type a2tCall struct {
	tool *a2tTool
	// plain and versioned are right; broken is not JSON, bad leaves an input out
	// or has one of the wrong type.
	plain, versioned, broken, bad *exchange
}

// A signature is a ToolSignature and where it was.
type signature struct {
	at string
	m  map[string]any
}

// version reads the number of a version. The figure of the text has it in quotes
// and its sentences call it an integer: both are read.
func version(v any) (int64, bool) {
	if s := text(v); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		return n, err == nil
	}
	return whole(v)
}

// recordA2T asks for everything that may be read, and calls what is named.
func recordA2T(a *asker, r *recording) {
	t := &a2tTalk{}
	r.a2t = t
	t.list = a.pages("/tools", nil)
	for _, s := range itemsOf(t.list) {
		switch id := text(s.m["toolId"]); {
		case id == "":
		case len(t.tools) < mostTools, a.named(text(s.m["name"])), a.named(id):
			t.tools = append(t.tools, &a2tTool{id: id, listed: s})
		default:
			r.unasked++
		}
	}
	if n := len(itemsOf(t.list)); n > 1 { // about three pages
		t.limit = max(1, n/3)
		t.paged = a.pages("/tools", url.Values{"pageLimit": {strconv.Itoa(t.limit)}})
	}
	for _, tool := range t.tools {
		path := "/tools/" + url.PathEscape(tool.id)
		tool.one = a.get(path, nil)
		tool.versions = a.pages(path+"/versions", nil)
		tool.each = map[int64]*exchange{}
		for _, s := range itemsOf(tool.versions) {
			if n, ok := version(s.m["version"]); ok && tool.each[n] == nil {
				tool.each[n] = a.get(path+"/versions/"+strconv.FormatInt(n, 10), nil)
			}
		}
	}
	for _, want := range a.options.Invoke {
		at := slices.IndexFunc(t.tools, func(tool *a2tTool) bool { return tool.id == want.Tool || text(tool.listed.m["name"]) == want.Tool })
		switch {
		case at >= 0:
			t.calls = append(t.calls, a.callA2T(t.tools[at], want.Inputs))
		case array(t.list[0].object()["items"]) != nil:
			r.unknown = append(r.unknown, want.Tool)
		}
	}
}

// pages follows paging.next to the end.
func (a *asker) pages(path string, query url.Values) []*exchange {
	var list []*exchange
	seen := map[string]bool{}
	for len(list) < mostPages {
		x := a.get(path, query)
		list = append(list, x)
		next := text(object(x.object()["paging"])["next"])
		if next == "" || seen[next] {
			return list
		}
		seen[next] = true
		query = maps.Clone(query)
		if query == nil {
			query = url.Values{}
		}
		query.Set("pageCursor", next)
	}
	return list
}

// itemsOf are the objects of the items of pages.
func itemsOf(pages []*exchange) []signature {
	var list []signature
	for _, x := range pages {
		for i, item := range array(x.object()["items"]) {
			if m := object(item); m != nil {
				list = append(list, signature{x.key + ": items[" + strconv.Itoa(i) + "]", m})
			}
		}
	}
	return list
}

func (a *asker) callA2T(tool *a2tTool, inputs map[string]any) *a2tCall {
	path := "/tools/" + url.PathEscape(tool.id)
	body := func(inputs map[string]any) any {
		list := []any{}
		for _, name := range slices.Sorted(maps.Keys(inputs)) {
			list = append(list, map[string]any{"name": name, "value": inputs[name]})
		}
		return map[string]any{"name": tool.listed.m["name"], "input_parameters": list}
	}
	c := &a2tCall{tool: tool, plain: a.post(path+":invoke", body(inputs)), broken: a.post(path+":invoke", []byte(`{"name":`))}
	if n, ok := version(tool.listed.m["version"]); ok {
		c.versioned = a.post(path+"/versions/"+strconv.FormatInt(n, 10)+":invoke", body(inputs))
	}
	if bad := badInputs(tool.listed.m, inputs); bad != nil {
		c.bad = a.post(path+":invoke", body(bad))
	}
	return c
}

// badInputs changes inputs so that the signature does not allow them, nil where
// it has no input at all.
func badInputs(signature, inputs map[string]any) map[string]any {
	bad := maps.Clone(inputs)
	for _, p := range array(signature["input_parameters"]) {
		p := object(p)
		name := text(p["name"])
		if p["required"] == false {
			bad[name] = unlike(text(p["type"]))
			continue
		}
		delete(bad, name)
		return bad
	}
	if len(array(signature["input_parameters"])) == 0 {
		return nil
	}
	return bad
}

// signatures are all that the server showed: in the list, alone, and in the
// lists of versions.
func (t *a2tTalk) signatures() []signature {
	list := itemsOf(t.list)
	for _, tool := range t.tools {
		list = append(list, tool.signatures()...)
	}
	return list
}

// signatures are those of one tool that are not in the list.
func (tool *a2tTool) signatures() []signature {
	var list []signature
	if m := tool.one.object(); tool.one.ok() && m != nil {
		list = append(list, signature{tool.one.key, m})
	}
	list = append(list, itemsOf(tool.versions)...)
	for _, n := range slices.Sorted(maps.Keys(tool.each)) {
		if x := tool.each[n]; x.ok() && x.object() != nil {
			list = append(list, signature{x.key, x.object()})
		}
	}
	return list
}

// numbers are the versions of a tool in the order of their list.
func (tool *a2tTool) numbers() []int64 {
	var list []int64
	for _, s := range itemsOf(tool.versions) {
		if n, ok := version(s.m["version"]); ok {
			list = append(list, n)
		}
	}
	return list
}
