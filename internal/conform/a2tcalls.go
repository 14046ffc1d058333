package conform

import (
	"fmt"
	"slices"
)

func a2tCurrent(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		l.saw("tool")
		n, _ := version(tool.listed.m["version"])
		is, _ := version(tool.one.object()["version"])
		switch {
		case !tool.one.ok():
			l.fail("%s", tool.one.told())
		case text(tool.one.object()["toolId"]) != tool.id:
			l.fail("%s answers with another tool", tool.one.key)
		case is != n:
			l.fail("%s answers with version %d, the list has %d", tool.one.key, is, n)
		}
	}
}

func a2tVersions(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		l.saw("list")
		numbers := tool.numbers()
		n, _ := version(tool.listed.m["version"])
		switch {
		case !tool.versions[0].ok():
			l.fail("%s", tool.versions[0].told())
		case !slices.Contains(numbers, n):
			l.fail("%s does not list version %d", tool.versions[0].key, n)
		}
		for _, s := range itemsOf(tool.versions) {
			if text(s.m["toolId"]) != tool.id {
				l.fail("%s is of another tool", s.at)
			}
		}
	}
}

func a2tOrder(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		numbers := tool.numbers()
		if len(numbers) == 0 {
			continue
		}
		l.saw("list")
		if !slices.IsSortedFunc(numbers, func(a, b int64) int { return int(b - a) }) {
			l.fail("%s lists %v", tool.versions[0].key, numbers)
		}
	}
}

func a2tVersion(r *recording, l *look) {
	for _, tool := range r.a2t.tools {
		for _, n := range tool.numbers() {
			x := tool.each[n]
			l.saw("version")
			is, _ := version(x.object()["version"])
			switch {
			case !x.ok():
				l.fail("%s", x.told())
			case is != n || text(x.object()["toolId"]) != tool.id:
				l.fail("%s answers with version %d of %q", x.key, is, text(x.object()["name"]))
			}
		}
	}
}

func a2tPaging(r *recording, l *look) {
	lists := slices.Concat(r.a2t.list, r.a2t.paged)
	for _, tool := range r.a2t.tools {
		lists = append(lists, tool.versions...)
	}
	for _, x := range lists {
		if !x.ok() {
			continue
		}
		l.saw("page")
		paging := object(x.object()["paging"])
		if paging == nil {
			l.fail("%s has no paging", x.key)
			continue
		}
		if _, ok := whole(paging["pageLimit"]); !ok {
			l.fail("%s: pageLimit is not an integer", x.key)
		}
		if kind := kindOf(paging["next"]); kind != "null" && kind != "string" {
			l.fail("%s: next is of kind %s", x.key, kind)
		}
	}
}

func a2tLimit(r *recording, l *look) {
	l.skip("there are fewer than two tools")
	for _, x := range r.a2t.paged {
		l.saw("page")
		if n := len(array(x.object()["items"])); n > r.a2t.limit {
			l.fail("%s has %d elements", x.key, n)
		}
	}
}

func a2tCursor(r *recording, l *look) {
	l.skip("there are fewer than two tools")
	if len(r.a2t.paged) == 0 {
		return
	}
	idsOf := func(pages []*exchange) []string {
		var ids []string
		for _, s := range itemsOf(pages) {
			ids = append(ids, text(s.m["toolId"]))
		}
		return ids
	}
	l.saw("walk")
	for _, x := range r.a2t.paged {
		if !x.ok() {
			l.fail("%s", x.told())
		}
	}
	all, joined := idsOf(r.a2t.list), idsOf(r.a2t.paged)
	l.repeats("the pages", "the tool", joined)
	for _, id := range all {
		if !slices.Contains(joined, id) {
			l.fail("the pages do not have the tool %q", id)
		}
	}
	l.note = fmt.Sprintf("%d pages hold %d tools", len(r.a2t.paged), len(joined))
}

// unnamed is why no call was looked at.
const unnamed = "it calls a tool: name one with --invoke"

// answered are the calls that a server took: one that answers 5xx asks for
// patience, which is not a fault.
func (t *a2tTalk) answered(l *look) []*a2tCall {
	l.skip(unnamed)
	var calls []*a2tCall
	for _, c := range t.calls {
		if c.plain.status >= 500 {
			l.skip("%s, which asks for patience", c.plain.told())
			continue
		}
		calls = append(calls, c)
	}
	return calls
}

func a2tInvoke(r *recording, l *look) {
	for _, c := range r.a2t.answered(l) {
		l.saw("call")
		l.outputs(c.plain)
	}
}

// outputs fails where an answer is not the result of an invocation.
func (l *look) outputs(x *exchange) {
	outputs, is := x.object()["output_parameters"].([]any)
	switch {
	case !x.ok():
		l.fail("%s: %s", x.told(), quoted(x.object()["detail"]))
	case !is:
		l.fail("%s: output_parameters is not an array", x.key)
	}
	for i, out := range outputs {
		m := object(out)
		at := fmt.Sprintf("%s: output_parameters[%d]", x.key, i)
		l.lacks(at, m, []member{{name: "name", kind: "string"}, {name: "value"}})
	}
}

func a2tOutputNames(r *recording, l *look) {
	for _, c := range r.a2t.answered(l) {
		known := c.tool.listed.byName("output_parameters")
		for _, out := range array(c.plain.object()["output_parameters"]) {
			l.saw("output")
			if name, is := object(out)["name"].(string); is && known[name] == nil {
				l.fail("%s: the signature has no output %s", c.plain.key, quoted(name))
			}
		}
	}
}

func a2tOutputTypes(r *recording, l *look) {
	kinds := map[string]string{"string": "string", "int": "integer", "boolean": "boolean", "enum": "string"}
	for _, c := range r.a2t.answered(l) {
		known := c.tool.listed.byName("output_parameters")
		for _, out := range array(c.plain.object()["output_parameters"]) {
			m := object(out)
			of := known[text(m["name"])]
			if of == nil {
				continue
			}
			l.saw("value")
			want, got := kinds[parameter{m: of}.kind()], kindOf(m["value"])
			if want != "" && got != want && got != "null" {
				l.fail("%s: the value of %s is of kind %s", c.plain.key, quoted(m["name"]), got)
			}
		}
	}
}

func a2tInvokeVersion(r *recording, l *look) {
	for _, c := range r.a2t.answered(l) {
		if c.versioned == nil {
			l.skip("%s states no version", c.tool.listed.at)
			continue
		}
		if c.versioned.status >= 500 {
			l.skip("%s, which asks for patience", c.versioned.told())
			continue
		}
		l.saw("call")
		l.outputs(c.versioned)
	}
}

func a2tBroken(r *recording, l *look) {
	l.skip(unnamed)
	for _, c := range r.a2t.calls {
		l.saw("request")
		l.refused(c.broken)
	}
}

func a2tBadInputs(r *recording, l *look) {
	l.skip(unnamed)
	for _, c := range r.a2t.calls {
		if c.bad == nil {
			l.skip("%s has no input", c.tool.listed.at)
			continue
		}
		l.saw("request")
		l.refused(c.bad)
	}
}

// refused fails where a request that is wrong was not answered with 4xx.
func (l *look) refused(x *exchange) {
	if x.status < 400 || x.status > 499 {
		l.fail("%s", x.told())
	}
}
