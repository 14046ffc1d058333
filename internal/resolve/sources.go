package resolve

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Sources lists the documents of a manifest and the operations that it names,
// for spec.Load.
func Sources(m *manifest.Manifest) []spec.Source {
	wants := map[string][]spec.Want{}
	want := func(call manifest.Scalar, answer *spec.Override) {
		if api, w, ok := address(call); ok {
			w.Answer = answer
			wants[api] = append(wants[api], w)
		}
	}
	steps := func(all []*manifest.Step) {
		for _, s := range all {
			answer, _ := override(s.Response)
			want(s.Call, answer)
		}
	}
	for _, f := range m.Flows {
		steps(f.Steps)
	}
	for _, t := range m.Tools {
		steps(t.Steps)
		for _, in := range t.Inputs {
			if in.From != nil {
				want(fromCall(in.From), nil)
			}
		}
	}
	var out []spec.Source
	for _, a := range m.APIs {
		source := spec.Source{API: a.Name.Value, File: a.OpenAPI.Value, Span: a.OpenAPI.Span, Wants: wants[a.Name.Value]}
		for _, o := range a.Overlays {
			source.Overlays = append(source.Overlays, spec.Overlay{File: o.Value, Span: o.Span})
		}
		out = append(out, source)
	}
	return out
}

// override reads response:, or says what is wrong with it.
func override(n *manifest.Node) (*spec.Override, string) {
	if n == nil {
		return nil, ""
	}
	o := &spec.Override{Span: n.Span}
	switch n.Kind {
	case manifest.MapNode:
		o.Schema = string(n.JSON())
		return o, ""
	case manifest.ListNode:
		for _, item := range n.Items {
			if item.Kind != manifest.ScalarNode || !answerForm.MatchString(item.Scalar.Value) {
				return nil, "a status is such as 200, 2xx or default"
			}
			o.Statuses = append(o.Statuses, item.Scalar.Value)
		}
	}
	if len(o.Statuses) == 0 {
		return nil, "response: is a list of statuses or a schema"
	}
	return o, ""
}

var answerForm = regexp.MustCompile(`^(?:[1-5][0-9][0-9]|[1-5][xX][xX]|default)$`)

var methods = []string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"}

// address splits "api.operationId" at the first dot, or "api METHOD /path".
// The span of the want covers the operation alone.
func address(s manifest.Scalar) (api string, want spec.Want, ok bool) {
	if f := strings.Fields(s.Value); len(f) == 3 {
		for _, m := range methods {
			if strings.EqualFold(f[1], m) {
				at := strings.Index(s.Value, f[1])
				return f[0], spec.Want{Method: m, Path: f[2], Span: s.At(at, len(s.Value))}, true
			}
		}
		return f[0], want, false
	}
	api, id, found := strings.Cut(s.Value, ".")
	if !found || api == "" || id == "" {
		return api, want, false
	}
	return api, spec.Want{ID: id, Span: s.At(len(api)+1, len(s.Value))}, true
}

// fromCall returns the address in an input's from.
func fromCall(f *manifest.From) manifest.Scalar {
	if f.Call.IsSet() {
		return f.Call
	}
	// api.operation.parameter: operation ids may hold dots, so the last dot
	// ends the operation.
	if i := strings.LastIndexByte(f.Short.Value, '.'); i >= 0 {
		s := f.Short
		s.Value = s.Value[:i]
		return s
	}
	return f.Short
}

func fromParameter(f *manifest.From) manifest.Scalar {
	if f.Parameter.IsSet() {
		return f.Parameter
	}
	i := strings.LastIndexByte(f.Short.Value, '.')
	s := f.Short
	s.Span = f.Short.At(i+1, len(f.Short.Value))
	s.Value = s.Value[i+1:]
	return s
}

func parseInt(text string) (int64, bool) {
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}

// parseFloat reads a number that has the form of one already.
func parseFloat(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}
