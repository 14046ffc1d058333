package spec

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// pathParts takes a template apart: several variables may share a segment. A
// fragment, which some documents use to tell operations apart, is never sent;
// a query belongs to every call. ok is false if a brace has no partner.
func pathParts(template string) (parts []operation.PathPart, query string, ok bool) {
	template, _, _ = strings.Cut(template, "#")
	template, query, _ = strings.Cut(template, "?")
	ok = true
	for template != "" {
		open := strings.IndexByte(template, '{')
		if open < 0 {
			ok = ok && !strings.Contains(template, "}")
			return append(parts, operation.PathPart{Literal: template}), query, ok
		}
		end := strings.IndexByte(template[open:], '}')
		if end < 0 {
			return append(parts, operation.PathPart{Literal: template}), query, false
		}
		end += open
		name := template[open+1 : end]
		if strings.Contains(name, "{") || strings.Contains(template[:open], "}") || variable(name) == "" {
			ok = false
			parts = append(parts, operation.PathPart{Literal: template[:end+1]})
			template = template[end+1:]
			continue
		}
		if open > 0 {
			parts = append(parts, operation.PathPart{Literal: template[:open]})
		}
		parts = append(parts, operation.PathPart{Param: variable(name)})
		template = template[end+1:]
	}
	return parts, query, ok
}

// variable removes the operators of RFC 6570 that some documents write:
// {path*}, {+path}, {.path} and {;path} are {path}.
func variable(name string) string {
	return strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(name), "+./;"), "*")
}

// matchPath makes the path parameters agree with the template.
func (b *builder) matchPath(op *operation.Operation) {
	parts, query, ok := pathParts(op.Path)
	op.Parts, op.Query = parts, query
	if !ok {
		b.findings.Warnf(rulePathTemplate, op.Span, "close the brace", "the path %q has a brace without its partner", op.Path)
	}
	inTemplate := map[string]bool{}
	for _, p := range parts {
		if p.Param != "" {
			inTemplate[p.Param] = true
		}
	}
	op.Params = slices.DeleteFunc(op.Params, func(p *operation.Param) bool {
		if p.In != operation.Path || inTemplate[p.Name] {
			return false
		}
		b.findings.Warnf(rulePathVariable, p.Span, "write {"+p.Name+"} in the path, or delete the parameter",
			"the path %q has no variable %q%s", op.Path, p.Name, diag.DidYouMean(p.Name, variables(parts)))
		return true
	})
	for _, p := range parts {
		if p.Param == "" || slices.ContainsFunc(op.Params, func(q *operation.Param) bool { return q.In == operation.Path && q.Name == p.Param }) {
			continue
		}
		b.findings.Warnf(rulePathVariable, op.Span, "declare a parameter of that name in the path",
			"the variable %q of the path %q is declared nowhere", p.Param, op.Path)
		op.Params = append(op.Params, &operation.Param{
			Name: p.Param, In: operation.Path, Required: true, Type: types.StringType, Style: "simple", Span: op.Span,
		})
	}
}

func variables(parts []operation.PathPart) []string {
	var names []string
	for _, p := range parts {
		if p.Param != "" {
			names = append(names, p.Param)
		}
	}
	return names
}

// firstServer returns the first server with the variables of its address.
func firstServer(servers []node) operation.Server {
	if len(servers) == 0 {
		return operation.Server{}
	}
	out := operation.Server{URL: servers[0].str("url")}
	for _, v := range servers[0].members("variables") {
		one := operation.ServerVariable{Name: v.name, Default: plainText(v.get("default"))}
		for i := range v.list("enum") {
			if text := plainText(&v.list("enum")[i]); text != "" {
				one.Enum = append(one.Enum, text)
			}
		}
		out.Variables = append(out.Variables, one)
	}
	return out
}

// plainText is a text, or a number that was meant as one.
func plainText(n *node) string {
	if n != nil && (n.kind == stringNode || n.kind == numberNode) {
		return n.text
	}
	return ""
}

// absolute returns an absolute URL without query and user, "" if it is not one.
func absolute(raw string) string { return (&operation.Server{URL: raw}).BaseURL() }
