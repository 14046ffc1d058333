package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
)

// maxNamed is how many recorded requests of an operation are named.
const maxNamed = 8

// A recording says which requests of one operation have an answer.
type recording struct {
	op   *operation.Operation
	path *regexp.Regexp
	// text is "geo.search name: Omaha; Portland". A value that all of the requests
	// share is left out.
	text string
}

// recorded are the answers in the folder replay, by the operations of the tools.
func (p *project) recorded(folder string) []recording {
	if folder == "" {
		return nil
	}
	var out []recording
	exchanges := p.exchanges()
	for _, s := range p.operations() {
		r := recording{op: s.Op, path: pathPattern(s.Op)}
		if found := r.requests(exchanges); len(found) > 0 {
			r.text = s.API + "." + cmp.Or(s.Op.ID, s.Op.Method+" "+s.Op.Path) + r.differences(found)
			out = append(out, r)
		}
	}
	return out
}

// near returns what is recorded for the operation of a request.
func near(recorded []recording, x *replay.Exchange) []string {
	var out []string
	for _, r := range recorded {
		if len(r.requests([]*replay.Exchange{x})) > 0 {
			out = append(out, r.text)
		}
	}
	return out
}

// exchanges are the recorded ones, but for those that cannot be read, which is
// the business of who replays them.
func (p *project) exchanges() []*replay.Exchange {
	var out []*replay.Exchange
	names, _ := fs.Glob(newJailFS(p.at.jail), strings.TrimPrefix(p.Dir+"/replay/*.json", "./"))
	for _, name := range names {
		x := &replay.Exchange{}
		if data, err := fs.ReadFile(newJailFS(p.at.jail), name); err == nil && json.Unmarshal(data, x) == nil {
			out = append(out, x)
		}
	}
	return out
}

// operations are the steps of the tools, one for each operation.
func (p *project) operations() []*ir.Step {
	var out []*ir.Step
	seen := map[*operation.Operation]bool{}
	for _, t := range p.Program.Tools {
		for _, s := range t.Plan.Steps {
			if !seen[s.Op] {
				seen[s.Op] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// values are those of one recorded request, by parameter.
type values map[string]string

// requests are those of the operation.
func (r recording) requests(exchanges []*replay.Exchange) []values {
	var out []values
	for _, x := range exchanges {
		target, err := url.Parse(x.Request.URL)
		if err != nil || x.Request.Method != r.op.Method || x.Request.API != "" && x.Request.API != r.op.API {
			continue
		}
		if m := r.path.FindStringSubmatch(target.EscapedPath()); m != nil {
			out = append(out, valuesOf(r.op, m[1:], target))
		}
	}
	return out
}

// differences tells requests of one operation apart.
func (r recording) differences(found []values) string {
	names := varying(r.op, found)
	if len(names) == 0 {
		return ": " + countOf(len(found), "answer")
	}
	var texts []string
	for _, v := range found {
		var text []string
		for _, n := range names {
			text = append(text, v[n])
		}
		texts = append(texts, strings.Join(text, ","))
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	more := ""
	if over := len(texts) - maxNamed; over > 0 {
		texts, more = texts[:maxNamed], fmt.Sprintf("; and %d more", over)
	}
	return " " + strings.Join(names, ",") + ": " + strings.Join(texts, "; ") + more
}

// pathPattern finds the path of an operation at the end of that of a request.
func pathPattern(op *operation.Operation) *regexp.Regexp {
	var b strings.Builder
	for _, part := range op.Parts {
		if part.Param == "" {
			b.WriteString(regexp.QuoteMeta(part.Literal))
			continue
		}
		b.WriteString("([^/]*?)")
	}
	return regexp.MustCompile(b.String() + "$")
}

// valuesOf are the values of a request by the names of the parameters.
func valuesOf(op *operation.Operation, inPath []string, target *url.URL) values {
	out := values{}
	for _, part := range op.Parts {
		if part.Param == "" {
			continue
		}
		out[part.Param] = inPath[0]
		if plain, err := url.PathUnescape(inPath[0]); err == nil {
			out[part.Param] = plain
		}
		inPath = inPath[1:]
	}
	for name, given := range target.Query() {
		out[name] = strings.Join(given, ",")
	}
	return out
}

// varying are the parameters, in the order of the operation, that not all
// requests give the same value.
func varying(op *operation.Operation, found []values) []string {
	var out []string
	for _, p := range op.Params {
		if slices.ContainsFunc(found, func(v values) bool { return v[p.Name] != found[0][p.Name] }) {
			out = append(out, p.Name)
		}
	}
	return out
}
