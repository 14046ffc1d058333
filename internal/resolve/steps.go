package resolve

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// operation returns the operation that a step calls.
func (t *toolResolver) operation(m *manifest.Step) (*operation.Operation, string) {
	answer, why := override(m.Response)
	if why != "" {
		t.errorf(expr.RuleWrongType, m.Response.Span, "write [200, default], or a schema", "%s", why)
	}
	op, api := t.operationOf(m.Call, answer)
	if op == nil {
		t.checkAddress(m.Call, api)
	}
	return op, api
}

// checkAddress reports an address that names no api or has no form; an unknown
// operation of a known api is reported by package spec.
func (t *toolResolver) checkAddress(call manifest.Scalar, api string) {
	var names []string
	for _, a := range t.resolver.m.APIs {
		names = append(names, a.Name.Value)
	}
	if _, _, ok := address(call); !ok {
		t.errorf(ruleWrongAddress, call.Span, "write api.operationId, or 'api GET /path'", "%q names no operation", call.Value)
		return
	}
	if !slices.Contains(names, api) {
		t.errorf(ruleUnknownAPI, call.At(0, len(api)), "use an api of the manifest: "+strings.Join(names, ", "), "there is no api %q%s", api, diag.DidYouMean(api, names))
	}
}

// request says where a call goes and what it proves there.
func (t *toolResolver) request(s *ir.Step, m *manifest.Step) {
	t.apiUses[s.API].called = true
	if s.Op.Deprecated {
		t.warnf(ruleDeprecatedOperation, m.Call.Span, "call another operation", "the document calls operation %s deprecated", title(s.Op))
	}
	t.server(s, m.Call)
	t.credentials(s, m.Call)
}

// answer says what a step reads.
func (t *toolResolver) answer(s *ir.Step) {
	for _, resp := range s.Op.Responses {
		for _, m := range resp.Media {
			t.apiUses[s.API].answers[baseMedia(m.Type)] = true
		}
	}
	readAnswer(s, t.acceptHeader(s.API))
}

// Answer returns what a step that calls the operation reads, unless the api asks for
// another media type, and whether it may be missing.
func Answer(op *operation.Operation) (answer *types.Type, missing bool) {
	s := &ir.Step{Op: op}
	readAnswer(s, "")
	return s.Answer, s.MayBeEmpty
}

// readAnswer says what a step reads. An answer without body, or one that may be null,
// beside it makes it one that may be missing.
func readAnswer(s *ir.Step, accept string) {
	m := pickAnswer(s.Op, accept)
	if m == nil || whyUnread(m.Type) != "" {
		s.Answer = types.OpaqueOf(whyNothing(s.Op))
		return
	}
	read(s, m)
	for _, resp := range s.Op.Responses {
		if strings.HasPrefix(resp.Status, "2") {
			s.MayBeEmpty = s.MayBeEmpty || len(resp.Media) == 0 || m.Nullable
		}
	}
}

func (t *toolResolver) acceptHeader(api string) string {
	if a := t.apiByID[api]; a != nil {
		for _, h := range a.Headers {
			if h.Name == "Accept" && len(h.Parts) == 1 {
				return baseMedia(h.Parts[0].Text)
			}
		}
	}
	return ""
}

func baseMedia(text string) string {
	base, _, err := mime.ParseMediaType(text)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(text))
	}
	return base
}

func isJSON(media string) bool {
	base := baseMedia(media)
	return base == "application/json" || strings.HasSuffix(base, "+json") || base == "text/json" || base == "*/*" || base == "application/*"
}

func pickMedia(media []operation.Media, want string) *operation.Media {
	var first *operation.Media
	for i := range media {
		m := &media[i]
		switch {
		case want != "" && baseMedia(m.Type) == want:
			return m
		case !isJSON(m.Type):
		case first == nil || baseMedia(m.Type) == "application/json" && baseMedia(first.Type) != "application/json":
			first = m
		}
	}
	return first
}

// stepEffect is the method's effect unless the manifest gives a reason for a
// milder one: a search by POST reads.
func (t *toolResolver) stepEffect(s *ir.Step, m *manifest.Step) {
	switch s.Op.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, "QUERY":
		s.Effect = ir.Read
	case http.MethodPut, http.MethodDelete:
		s.Effect = ir.Idempotent
	default:
		s.Effect = ir.Unsafe
	}
	if !m.Effect.IsSet() {
		return
	}
	stated := ir.CallEffect(m.Effect.Value)
	if !m.Because.IsSet() {
		t.errorf(manifest.RuleMissingKey, m.Effect.Span, "add because: with the reason", "effect: needs because:, since %s says otherwise", s.Op.Method)
	}
	s.Effect = stated
}

// findParam finds a parameter by name, or by place and name where the name
// is in two places: path.type.
func findParam(op *operation.Operation, name string) (*operation.Param, string) {
	var found []*operation.Param
	for _, p := range op.Params {
		if p.Name == name || string(p.In)+"."+p.Name == name {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 1:
		return found[0], ""
	case 0:
		var names []string
		for _, p := range op.Params {
			names = append(names, p.Name)
		}
		return nil, fmt.Sprintf("operation %s has no parameter %q%s", title(op), name, diag.DidYouMean(name, names))
	}
	return nil, fmt.Sprintf("operation %s has the parameter %q in %s and %s: write %s.%s", title(op), name, found[0].In, found[1].In, found[0].In, name)
}

// bindings resolves with: for every parameter of the operation.
func (t *toolResolver) bindings(s *ir.Step, m *manifest.Step) {
	bound := map[*operation.Param]*ir.Binding{}
	// meant are the parameters that a faulty entry was probably meant for: to
	// report them as not bound as well would be one finding too many.
	meant := map[*operation.Param]bool{}
	for _, p := range m.With {
		param, why := findParam(s.Op, p.Key.Value)
		before := len(t.findings)
		var want *types.Type
		if param != nil {
			want = param.Type
		}
		b := t.binding(p, param, want)
		switch {
		case param == nil:
			near, fix := nearParams(s.Op, p.Key.Value)
			if isMember(s.Op, p.Key.Value) {
				fix = "write it under body:"
			}
			t.errorf(ruleUnknownParameter, p.Key.Span, fix, "%s", why)
			for _, n := range near {
				meant[n] = true
			}
		case bound[param] != nil:
			t.errorf(manifest.RuleDuplicateKey, p.Key.Span, "remove one of them", "the parameter %q is bound twice", param.Name)
		case t.cannotBind(s, p.Key, param):
			meant[param] = true
		default:
			if b.Value != nil {
				t.assign(b.Value, param.Type, !param.Required, "parameter "+param.Name)
				if place := placeOfParam(param); len(t.findings) == before && place.Decides() != nil {
					t.choose(p.Value, &ir.Body{Expr: b.Value}, place, "parameter "+param.Name)
				}
			}
			if len(t.findings) == before { // a value that does not fit has no form either
				t.parameter(b, p.Value.Span)
			}
			bound[param] = b
		}
	}
	for _, param := range s.Op.Params {
		b := bound[param]
		switch {
		case b == nil && meant[param]:
			b = &ir.Binding{Param: param, Origin: ir.LeftOut}
		case b == nil:
			b = t.unbound(s, m, param)
		}
		s.Bindings = append(s.Bindings, b)
	}
}

// binding reads what a parameter gets. A list or a map is checked against the
// type of the parameter at once; param is nil where there is none.
func (t *toolResolver) binding(p manifest.Pair, param *operation.Param, want *types.Type) *ir.Binding {
	b := &ir.Binding{Param: param, Origin: ir.FromChain}
	if param != nil {
		b.JSON = param.Media != "" && isJSON(param.Media)
	}
	if p.Value.Kind == manifest.ScalarNode {
		b.Value = t.value(p.Value.Scalar, t.within, want)
		b.Origin = t.origin(b.Value)
	} else {
		b.Parts = t.bodyNode(p.Value, target{want, placeOfParam(param)}, true, "parameter "+p.Key.Value)
	}
	return b
}

// cannotBind reports parameters that get their value elsewhere, and those whose
// form is not built.
func (t *toolResolver) cannotBind(s *ir.Step, key manifest.Scalar, p *operation.Param) bool {
	switch {
	case t.isCredential(s, p):
		t.errorf(ruleCredentialClash, key.Span, "remove it", "a credential of the api is sent as the %s parameter %s", p.In, p.Name)
	case p.In == operation.Header && slices.Contains(OwnHeaders, http.CanonicalHeaderKey(p.Name)):
		t.errorf(ruleWrongHeader, key.Span, "leave it out", "the header %s belongs to the connection, and is set by the run time alone", p.Name)
	case p.In == operation.Query && fixes(s.Op, p.Name):
		t.errorf(ruleFixedParameter, key.Span, "remove it", "the path of operation %s has %q in its query already", title(s.Op), p.Name)
	case p.Media != "" && !isJSON(p.Media) && baseMedia(p.Media) != "text/plain":
		t.errorf(manifest.RuleNotSupportedYet, key.Span, "leave it out", "parameters of the type %s are not supported yet", p.Media)
	default:
		return false
	}
	return true
}

// fixes reports whether the path of an operation has a value for a parameter.
func fixes(op *operation.Operation, name string) bool {
	for pair := range strings.SplitSeq(op.Query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(key); err == nil && pair != "" && plain == name {
			return true
		}
	}
	return false
}

// nearParams returns the parameters that a name was probably meant for, and
// what to write instead of it.
func nearParams(op *operation.Operation, name string) (near []*operation.Param, fix string) {
	var names []string
	for _, p := range op.Params {
		names = append(names, p.Name)
		if p.Name == name { // it is in two places
			near = append(near, p)
			fix = fmt.Sprintf("write %q", string(near[0].In)+"."+name)
		}
	}
	if near != nil {
		return near, fix
	}
	if n := diag.Nearest(name, names); n != "" {
		return []*operation.Param{op.Params[slices.Index(names, n)]}, fmt.Sprintf("write %q", n)
	}
	if len(names) == 0 {
		return nil, "remove it: the operation has no parameters"
	}
	return nil, "use one of its parameters: " + types.FewNames(slices.Compact(names))
}

func (t *toolResolver) unbound(s *ir.Step, m *manifest.Step, param *operation.Param) *ir.Binding {
	b := &ir.Binding{Param: param, Origin: ir.LeftOut, Reason: "optional, not bound"}
	api := t.apiByID[s.API]
	switch {
	case param.In == operation.Header && api != nil && hasHeader(api, param.Name):
		b.Reason = "sent as a header of the api"
	case t.isCredential(s, param):
		b.Reason = "sent as a credential of the api"
	case param.In == operation.Query && fixes(s.Op, param.Name):
		b.Reason = "part of the path"
	case m.Collect != nil && !param.Required && isPaging(m.Collect, param):
		b.Reason = "sent for the pages after the first"
	case param.Required:
		t.errorf(ruleUnboundParameter, m.Call.Span, fmt.Sprintf("add %s: '${...}' under with:", param.Name), "the required parameter %q (%s) of %s is not bound", param.Name, param.In, title(s.Op))
	}
	return b
}

func hasHeader(api *ir.API, name string) bool {
	return slices.ContainsFunc(api.Headers, func(h ir.Header) bool { return strings.EqualFold(h.Name, name) })
}

// assign checks that a value fits its target.
func (t *toolResolver) assign(v *ir.Expr, target *types.Type, optional bool, what string) {
	if isPoisoned(v) {
		return
	}
	term := v.Term
	if term.Type.Kind == types.Optional && !optional {
		t.errorf(expr.RuleMayBeMissing, span(v), "give a default, or write .orValue(...)", "%s is required and the value may be missing%s", what, expr.WhyMissing(term))
		return
	}
	if coerced, ok := expr.Coerce(term, target); ok && target != nil && target.Kind != types.Invalid {
		v.Term = coerced
	}
	if why := types.Assignable(term.Type, target); why != "" {
		t.errorf(ruleNotAssignable, span(v), assignFix(term.Type, target), "%s %s", what, why)
		return
	}
	t.allowed(v, term, target, what)
	t.exceeds(v, term, target, what)
}

// exceeds warns of an input that allows more than its target.
func (t *toolResolver) exceeds(v *ir.Expr, term *expr.Term, target *types.Type, what string) {
	if name := inputName(term); name != "" && target != nil {
		typ := term.Type
		if typ.Kind == types.Optional {
			typ = typ.Elem
		}
		if why := typ.Exceeds(target); why != "" {
			t.warnf(ruleInputExceedsTarget, span(v), "narrow the bounds of the input", "%s %s, which input %s allows", what, why, name)
		}
	}
}

// allowed checks the literals that a value may turn out to be, or to hold.
func (t *toolResolver) allowed(v *ir.Expr, term *expr.Term, target *types.Type, what string) {
	if target == nil {
		return
	}
	switch term.Op {
	case expr.OpConst:
		if why := target.Allows(term.Lit); why != "" {
			t.errorf(ruleNotAssignable, placeOf(v, term), assignFix(term.Type, target), "%s %s", what, why)
		}
	case expr.OpList:
		for _, x := range term.Args {
			t.allowed(v, x, elementType(target), what)
		}
	case expr.OpIndex, expr.OpOptIndex:
		t.allowedEntries(v, term, target, what)
	case expr.OpRef:
		// Which branch of a let gets here is decided where it is asked for.
		if let := t.lets[term.Decl]; let != nil && !isPoisoned(let.Expr) && let.Expr.Term.Op != expr.OpCond && !slices.Contains(t.tested, term.Decl) {
			t.allowed(let.Expr, let.Expr.Term, target, what)
		}
	case expr.OpCond:
		t.behind(term.Args[0], func() {
			t.allowed(v, term.Args[1], target, what)
			t.allowed(v, term.Args[2], target, what)
		})
	default:
		if term.Op == expr.OpTransform {
			target = elementType(target)
		}
		for _, x := range outcomes(term) {
			t.allowed(v, x, target, what)
		}
	}
}

// behind resolves what a condition guards, nil for none.
func (t *toolResolver) behind(condition *expr.Term, f func()) {
	before := t.tested
	if condition != nil {
		t.tested = append(slices.Clone(before), condition.Refs()...)
	}
	f()
	t.tested = before
}

// outcomes are the parts of a term of which one is its value as it is, or, for a
// transform, each element of it.
func outcomes(term *expr.Term) []*expr.Term {
	switch term.Op {
	case expr.OpOrValue, expr.OpOrOpt:
		return term.Args[:2]
	case expr.OpPresent, expr.OpOptOf, expr.OpOptValue:
		return term.Args[:1]
	case expr.OpBind, expr.OpOptMap, expr.OpOptFlatMap, expr.OpTransform:
		return []*expr.Term{term.Body}
	}
	return nil
}

// allowedEntries checks the entries of a constant map that an index may reach:
// those of the values that it can have, where they are known.
func (t *toolResolver) allowedEntries(v *ir.Expr, term *expr.Term, target *types.Type, what string) {
	from, index := term.Args[0], term.Args[1]
	if from.Op == expr.OpRef && from.Decl.Literal != nil {
		from = from.Decl.Literal
	}
	if from.Op != expr.OpMap {
		return
	}
	for i := 0; i+1 < len(from.Args); i += 2 {
		key, ok := from.Args[i].Lit.(string)
		entry := from.Args[i+1]
		beyond := index.Op == expr.OpConst && index.Lit != key || index.Type.Enum != nil && !slices.Contains(index.Type.Enum, key)
		if !ok || beyond || entry.Op != expr.OpConst {
			continue
		}
		if why := target.Allows(entry.Lit); why != "" {
			t.errorf(ruleNotAssignable, placeOf(v, term), "change the value of "+key+" in the map", "%s %s, which is the value of %s", what, why, key)
		}
	}
}

// inputName is the input that a term passes on as it is, "" for none.
func inputName(term *expr.Term) string {
	for term.Op == expr.OpPresent {
		term = term.Args[0]
	}
	if term.Op == expr.OpField && term.Args[0].Op == expr.OpRef && term.Args[0].Decl.Role == expr.RoleInput {
		return term.Name
	}
	return ""
}

func assignFix(from, target *types.Type) string {
	if from.Kind == types.Optional {
		from = from.Elem
	}
	switch {
	case target.Kind == types.Int && from.Kind == types.Double, target.Kind == types.Int && from.Kind == types.String:
		return "write int(...)"
	case target.Kind == types.String && from.IsScalar() && from.Kind != types.String:
		return "write string(...)"
	case target.Kind == types.Double && from.Kind == types.String:
		return "write double(...)"
	case target.Enum != nil:
		return "use one of the values that are allowed"
	}
	return "write an expression of that type"
}

// origin says where a bound value comes from, for the comment in the
// generated code and the report.
func (t *toolResolver) origin(v *ir.Expr) ir.Origin {
	if v.Term.Op == expr.OpConst {
		return ir.FromConstant
	}
	if inputName(v.Term) != "" {
		return ir.FromInput
	}
	for _, d := range v.Term.Refs() {
		if d.Role == expr.RoleCaller {
			return ir.FromCaller
		}
	}
	return ir.FromChain
}
