package serve

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// MCP has no versions of tools, and no way to ask for some of them. The query
// of its place has both, since every client lets its user write that:
//
//	/mcp?pins=lookup_weather_by_city@2,report_storm@1   exactly these, at these versions, for good
//	/mcp?tools=lookup_weather_by_city,report_storm      these, at their newest versions
//	/mcp?tags=weather,read_only                         those that carry every one of the tags
//
// tools and tags hold together; pins goes with neither, for it says all.
const (
	pinsKey  = "pins"
	toolsKey = "tools"
	tagsKey  = "tags"
)

// mostViews bounds the views that are kept, longestView the query of one.
const (
	mostViews   = 64
	longestView = 8 << 10
)

// An mcpOffer is a tool as MCP shows it: one of its versions.
type mcpOffer struct {
	tool    *servedTool
	version *servedVersion
	doc     *stored
}

// An mcpView is what one client sees.
type mcpView struct {
	byName map[string]*mcpOffer
	list   *fixedResult
}

// newView shows tools in the order in which they are given.
func (p *mcp) newView(offers []mcpOffer) *mcpView {
	v := &mcpView{byName: map[string]*mcpOffer{}, list: p.result(nil, mcpListTTL)}
	for i := range offers {
		v.byName[offers[i].tool.Name] = &offers[i]
	}
	lists := perPhase(p.s.tools, func(now *phase) func() ([]byte, error) {
		return sync.OnceValues(func() ([]byte, error) {
			var docs []*stored
			for _, o := range offers {
				if slices.Contains(now.tools, o.tool) {
					docs = append(docs, o.doc)
				}
			}
			b, err := appendStored([]byte(`"tools":[`), len(docs), func(i int) *stored { return docs[i] })
			return append(b, ']'), err
		})
	})
	v.list.members = func() ([]byte, error) { return lists[p.s.phase()]() }
	return v
}

// views are made when they are asked for.
type mcpViews struct {
	mu   sync.Mutex
	kept map[string]*mcpView
}

// view is what a query asks for: everything, where it says nothing.
func (p *mcp) view(query url.Values) (*mcpView, *rpcError) {
	if !query.Has(pinsKey) && !query.Has(toolsKey) && !query.Has(tagsKey) {
		return p.whole, nil
	}
	pins, tools, tags := commaList(query[pinsKey]), commaList(query[toolsKey]), commaList(query[tagsKey])
	key := strings.Join(pins, ",") + "&" + strings.Join(tools, ",") + "&" + strings.Join(tags, ",")
	if len(key) > longestView {
		return nil, &rpcError{code: rpcInvalid, message: "The query is too long."}
	}
	p.views.mu.Lock()
	defer p.views.mu.Unlock()
	if v := p.views.kept[key]; v != nil {
		return v, nil
	}
	offers, fault := p.chosen(query, pins, tools, tags)
	if fault != nil {
		return nil, fault
	}
	if p.views.kept == nil || len(p.views.kept) == mostViews {
		p.views.kept = map[string]*mcpView{}
	}
	v := p.newView(offers)
	p.views.kept[key] = v
	return v, nil
}

// commaList takes lists apart that have commas between their items, and may be
// given several times.
func commaList(lists []string) []string {
	var items []string
	for _, list := range lists {
		for item := range strings.SplitSeq(list, ",") {
			items = append(items, strings.TrimSpace(item))
		}
	}
	slices.Sort(items)
	return slices.Compact(items)
}

// chosen are the tools that a query names. What it names and is not there is an
// error: a client must not start with less than it was promised.
func (p *mcp) chosen(query url.Values, pins, tools, tags []string) ([]mcpOffer, *rpcError) {
	if query.Has(pinsKey) {
		if query.Has(toolsKey) || query.Has(tagsKey) {
			return nil, &rpcError{code: rpcInvalid, message: "pins says which tools are listed: it goes without tools and tags."}
		}
		return p.pinned(pins)
	}
	var offers []mcpOffer
	for _, t := range p.s.tools.tools {
		if (!query.Has(toolsKey) || slices.Contains(tools, t.Name)) && carries(t, tags) {
			offers = append(offers, t.newestOffer())
		}
	}
	for _, name := range tools {
		if p.whole.byName[name] == nil {
			return nil, &rpcError{code: rpcInvalid, message: "There is no tool " + tool.Quote(name) + "."}
		}
	}
	for _, tag := range tags {
		if !slices.ContainsFunc(p.s.tools.tools, func(t *servedTool) bool { return slices.Contains(t.Tags, tag) }) {
			return nil, &rpcError{code: rpcInvalid, message: "No tool has the tag " + tool.Quote(tag) + "."}
		}
	}
	return offers, nil
}

// pinned are tools at the versions of tool@version; a tool has one of them.
func (p *mcp) pinned(pins []string) ([]mcpOffer, *rpcError) {
	var offers []mcpOffer
	for _, pin := range pins {
		name, number, _ := strings.Cut(pin, "@")
		newest := p.whole.byName[name]
		if newest == nil {
			return nil, &rpcError{code: rpcInvalid, message: "There is no tool " + tool.Quote(name) + ". A pin is tool@version."}
		}
		v := newest.tool.version(versionNumber(number))
		switch {
		case v == nil:
			return nil, &rpcError{code: rpcInvalid, message: unknownVersion(&newest.tool.Tool).Message + " A pin is " + name + "@" + strconv.Itoa(newest.version.N) + "."}
		case len(offers) > 0 && offers[len(offers)-1].tool == newest.tool:
			return nil, &rpcError{code: rpcInvalid, message: "The tool " + name + " is pinned to two versions."}
		}
		offers = append(offers, mcpOffer{newest.tool, v, v.mcpTool})
	}
	return offers, nil
}

// newestOffer is the newest version of a tool, in its lean form where the server
// has that.
func (t *servedTool) newestOffer() mcpOffer {
	doc := t.lean
	if doc == nil {
		doc = t.current().mcpTool
	}
	return mcpOffer{t, t.current(), doc}
}
