package plan

import (
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/types"
)

var effects = map[ir.CallEffect]Effect{ir.Read: EffectRead, ir.Idempotent: EffectIdempotent, ir.Unsafe: EffectUnsafe}

// call plans the request of a step, whose answer goes to result; what its
// values need is emitted first.
func (c *chainer) call(s *ir.Step, result string) lower.Node {
	op := s.Op
	call := &Call{
		Var: c.b.Names.Unique(naming.Local(s.ID) + "Call"), Step: s.ID, Method: op.Method, Effect: effects[s.Effect],
		Upstream: c.upstream(s.API), Comment: "Step " + s.ID + ": " + operationTitle(op) + ".",
		Timeout: s.Timeout, Attempts: s.Attempts, Keep: c.kept[s], Cache: s.Cache,
		Server: s.Server, Schemes: s.Schemes, Query: op.Query, Strict: s.Strict,
	}
	if !c.sendsAccept(s.API) {
		call.Accept = s.Accept
	}
	if s.Form != ir.JSONAnswer && s.Result != nil {
		call.As = s.Accept
	}
	c.path(call, s)
	for _, bind := range s.Bindings {
		if (bind.Value != nil || bind.Parts != nil) && bind.Param.In != operation.Path {
			c.param(call, bind)
		}
	}
	c.body(call, s)
	if s.Result != nil {
		r := c.p.types.answer(s.Result, s.MayBeMissing() && !s.Skips())
		if s.Each == nil && s.Poll == nil { // what is waited for has two names
			r = r.first(c.p.types.demand.of(source{step: answerOf(s)}))
		}
		call.Read, call.Type = &r, r.Type
		call.Result = result
		call.MayBeEmpty, call.Skip = s.MayBeEmpty, s.Skips()
	}
	node := lower.Node{Data: call}
	for _, e := range s.Errors {
		k, block := c.errorCase(e, s)
		call.Cases = append(call.Cases, k)
		node.Blocks = append(node.Blocks, block)
		node.Uses = append(node.Uses, k.Failure.uses()...)
	}
	node.Uses = append(node.Uses, call.uses()...)
	return node
}

func (c *chainer) upstream(api string) string {
	for _, a := range c.p.APIs {
		if a.Name == api {
			return a.Local
		}
	}
	panic("plan: no api " + api)
}

func (c *chainer) sendsAccept(api string) bool {
	for _, a := range c.p.APIs {
		for _, h := range a.Headers {
			if a.Name == api && h.Name == "Accept" {
				return true
			}
		}
	}
	return false
}

// uses lists the values that a call reads, for the search of unread variables.
func (k *Call) uses() []lower.Value {
	out := append([]lower.Value{}, k.Parts...)
	for _, then := range k.Then {
		out = append(append(append(out, then.Parts...), then.Param.Value, then.Param.If), then.Param.JSON.uses()...)
	}
	if k.Keep != "" {
		out = append(out, lower.Local{Name: k.Keep})
	}
	for _, p := range k.Params {
		out = append(append(out, p.Value, p.If), p.JSON.uses()...)
	}
	for _, f := range k.Form {
		out = append(append(out, f.Value, f.If), f.JSON.uses()...)
	}
	return append(out, k.Body.uses()...)
}

// Documents are the JSON documents that a call sends.
func (k *Call) Documents() []*Body {
	var out []*Body
	add := func(b *Body) {
		if b != nil {
			out = append(out, b)
		}
	}
	for _, then := range k.Then {
		add(then.Param.JSON)
	}
	for _, p := range k.Params {
		add(p.JSON)
	}
	for _, f := range k.Form {
		add(f.JSON)
	}
	if k.Body != nil && k.Body.Raw == nil {
		add(k.Body)
	}
	return out
}

func (b *Body) uses() []lower.Value {
	if b == nil {
		return nil
	}
	return append(b.Root.uses(), b.Raw)
}

func (n *BodyNode) uses() []lower.Value {
	if n == nil {
		return nil
	}
	out := []lower.Value{n.Value}
	for _, m := range n.Members {
		out = append(append(out, m.If), m.Value.uses()...)
	}
	for _, i := range n.Items {
		out = append(out, i.uses()...)
	}
	return out
}

// path plans the template's parts: alternating literals and values.
func (c *chainer) path(call *Call, s *ir.Step) {
	literal, parts := "", &call.Parts
	flush := func() {
		*parts = append(*parts, lower.Const{V: literal})
		literal = ""
	}
	for _, part := range s.Op.Parts {
		if part.Param == "" {
			literal += part.Literal
			continue
		}
		bind := bindingOf(s, part.Param) // resolve refuses a path with a gap
		if isText(bind) && bind.Param.Style != "label" && bind.Param.Style != "matrix" {
			flush()
			v := c.lower(bind.Value, part.Param)
			*parts = append(*parts, text(bind.Value.Term.Type, v.V))
			continue
		}
		if literal != "" {
			flush()
		}
		call.Then = append(call.Then, PathParam{Param: c.structured(bind)})
		parts = &call.Then[len(call.Then)-1].Parts
	}
	if literal != "" || len(call.Parts) == 0 {
		flush()
	}
}

func bindingOf(s *ir.Step, param string) *ir.Binding {
	for _, b := range s.Bindings {
		if b.Param.Name == param && b.Param.In == operation.Path {
			return b
		}
	}
	return nil
}

func (b *planner) unsupported(e *ir.Expr, what string) {
	at := e.At(e.Term.Start)
	b.findings.Errorf(ruleNotSupportedYet, at, "bind a plain value", "%s are not supported yet", what)
}

// text turns a scalar into the text that travels in a path, query or header.
func text(t *types.Type, v lower.Value) lower.Value {
	if k, ok := v.(lower.Const); ok {
		if s, ok := constantText(k.V); ok {
			return lower.Const{V: s}
		}
	}
	fn := map[types.Kind]string{
		types.Int: "TextOfInt", types.Double: "TextOfDouble", types.Bool: "TextOfBool", types.Timestamp: "TextOfTime", types.Duration: "TextOfDuration",
		types.Bytes: "Base64Encode",
	}[t.Kind]
	if fn == "" {
		return v
	}
	return lower.Call{Fn: lower.Func{Pkg: valuePkg, Name: fn}, Args: []lower.Value{v}}
}

func constantText(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

var (
	paramMethods    = map[operation.In]string{operation.Query: "Query", operation.Header: "Header", operation.Cookie: "Cookie"}
	documentMethods = map[operation.In]string{operation.Path: "Path", operation.Query: "Query", operation.Header: "Header", operation.Cookie: "Cookie"}
)

// isText reports whether a parameter gets one text.
func isText(bind *ir.Binding) bool {
	return bind.Parts == nil && !bind.JSON && isWritable(plainType(bind.Value.Term.Type))
}

// isWritable reports whether a value of a type has a text in a request.
func isWritable(t *types.Type) bool { return t.IsScalar() && t.Kind != types.Uint }

// plainType is the type of a value that is there.
func plainType(t *types.Type) *types.Type {
	if t.Kind == types.Optional {
		return t.Elem
	}
	return t
}

// isFlatList reports whether a parameter gets a list that has a method of its own.
func isFlatList(bind *ir.Binding) bool {
	if bind.Parts != nil || bind.JSON {
		return false
	}
	t, p := plainType(bind.Value.Term.Type), bind.Param
	return t.Kind == types.List && isWritable(t.Elem) && !t.NullableElem &&
		(p.In == operation.Query && !p.AllowReserved && listStyles[p.Style] != "" || p.In == operation.Header && p.Style == "simple")
}

// param plans a query, header or cookie parameter.
func (c *chainer) param(call *Call, bind *ir.Binding) {
	if !isText(bind) && !isFlatList(bind) {
		call.Params = append(call.Params, c.structured(bind))
		return
	}
	p := Param{Method: paramMethods[bind.Param.In], Name: bind.Param.Name}
	v, t := c.present(bind, &p)
	switch {
	case isFlatList(bind):
		c.listParam(&p, bind, t, v)
	case bind.Param.AllowReserved && bind.Param.In == operation.Query:
		p.Method = "QueryReserved"
		fallthrough
	default:
		p.Value = text(t, v)
	}
	call.Params = append(call.Params, p)
}

// present is the value of a parameter that is there, and its type.
func (c *chainer) present(bind *ir.Binding, p *Param) (lower.Value, *types.Type) {
	t := bind.Value.Term.Type
	v := c.lower(bind.Value, bind.Param.Name).V
	if t.Kind == types.Optional {
		v = c.local(v, bind.Param.Name, t)
		p.If = lower.Binary{Op: "!=", L: v, R: lower.Nil{}}
		if t = t.Elem; !lower.Nilable(t) {
			v = lower.Deref{X: v}
		}
	}
	return v, t
}

// structured plans a parameter that is written as a document: sent as it is, or
// taken apart by the run time.
func (c *chainer) structured(bind *ir.Binding) Param {
	p := Param{Method: "Structured", Name: bind.Param.Name, In: bind.Param.In, Style: bind.Style}
	if bind.JSON {
		p.Method, p.Style = documentMethods[bind.Param.In], ""
	}
	root := &BodyNode{}
	if bind.Parts != nil {
		root = c.bodyNode(bind.Parts)
	} else {
		root.Value, root.Type = c.present(bind, &p)
		c.checkBodyType(bind.Value, root.Type)
	}
	p.JSON = c.document(bind.Param.Name, root)
	return p
}

// local names a value that is read twice.
func (c *chainer) local(v lower.Value, name string, t *types.Type) lower.Value {
	if _, ok := v.(lower.Local); ok {
		return v
	}
	l := c.b.Names.Unique(naming.Local(name))
	c.b.Emit(lower.Define{Name: l, V: v, Type: t})
	return lower.Local{Name: l}
}

var listStyles = map[string]string{"form": "ListComma", "spaceDelimited": "ListSpace", "pipeDelimited": "ListPipe", "simple": "ListComma", "tabDelimited": "ListTab"}

func (c *chainer) listParam(p *Param, bind *ir.Binding, t *types.Type, v lower.Value) {
	p.Value = v
	if t.Elem.Kind != types.String {
		p.Value = lower.Call{Fn: lower.Func{Pkg: valuePkg, Name: "Texts"}, Args: []lower.Value{v, textFunc(t.Elem)}}
	}
	if bind.Param.In == operation.Header {
		p.Method = "HeaderList"
		return
	}
	p.Method, p.Style = "QueryList", listStyles[bind.Param.Style]
	if bind.Param.Explode {
		p.Style = "ListExplode"
	}
}

func textFunc(t *types.Type) lower.Value {
	return lower.Global(text(t, lower.Local{Name: "_"}).(lower.Call).Fn)
}

// body plans what a step sends.
func (c *chainer) body(call *Call, s *ir.Step) {
	if s.Body == nil {
		return
	}
	multipart := strings.HasPrefix(s.BodyMedia, "multipart/")
	if multipart || strings.HasPrefix(s.BodyMedia, "application/x-www-form-urlencoded") {
		for _, m := range s.Body.Members {
			f := c.formField(m)
			f.Multipart = multipart
			call.Form = append(call.Form, f)
		}
		return
	}
	call.Body = &Body{Var: c.b.Names.Unique(naming.Local(s.ID) + "Body"), Media: s.BodyMedia}
	if s.Body.Raw {
		call.Body.Raw, call.Body.Bytes = raw(s.Body.Expr.Term.Type, c.lower(s.Body.Expr, "body").V)
		return
	}
	call.Body.Root = c.bodyNode(s.Body)
}

// raw is a value that is sent as it is, and whether it is bytes already.
func raw(t *types.Type, v lower.Value) (lower.Value, bool) {
	if t.Kind == types.Bytes {
		return v, true
	}
	return text(t, v), false
}

// document plans a JSON document that is sent as the value of a parameter or
// field.
func (c *chainer) document(name string, root *BodyNode) *Body {
	return &Body{Var: c.b.Names.Unique(naming.Local(name) + "JSON"), Root: root}
}

func (c *chainer) formField(m ir.BodyMember) FormField {
	f := FormField{Name: m.Name, Style: m.Style, Type: m.Type, File: m.File}
	if m.JSON || m.Style != "" {
		member := c.bodyMember(m)
		f.If, f.JSON = member.If, c.document(m.Name, member.Value)
		return f
	}
	t := m.Value.Expr.Term.Type
	c.checkBodyType(m.Value.Expr, t)
	v := c.lower(m.Value.Expr, m.Name).V
	if t.Kind == types.Optional {
		v = c.local(v, m.Name, t)
		f.If, t = lower.Binary{Op: "!=", L: v, R: lower.Nil{}}, t.Elem
		if !lower.Nilable(t) {
			v = lower.Deref{X: v}
		}
	}
	if f.File {
		f.Value, f.Bytes = raw(t, v)
	} else {
		f.Value = text(t, v)
	}
	return f
}

func (c *chainer) bodyNode(b *ir.Body) *BodyNode {
	n := &BodyNode{Object: b.IsObject, List: b.IsList, Null: b.IsNull}
	for _, m := range b.Members {
		n.Members = append(n.Members, c.bodyMember(m))
	}
	for _, i := range b.Items {
		n.Items = append(n.Items, c.bodyNode(i))
	}
	if b.Expr != nil {
		n.Type = b.Expr.Term.Type
		n.Value = c.lower(b.Expr, "member").V
		c.checkBodyType(b.Expr, n.Type)
	}
	return n
}

func (c *chainer) bodyMember(m ir.BodyMember) BodyMember {
	out := BodyMember{Name: m.Name, Value: c.bodyNode(m.Value)}
	if v := out.Value; v.Value != nil && v.Type.Kind == types.Optional {
		v.Value = c.local(v.Value, m.Name, v.Type)
		out.If = lower.Binary{Op: "!=", L: v.Value, R: lower.Nil{}}
		v.Type = v.Type.Elem
		if !lower.Nilable(v.Type) {
			v.Value = lower.Deref{X: v.Value}
		}
	}
	return out
}

// checkBodyType refuses values that have no writer: whole objects of another
// answer.
func (c *chainer) checkBodyType(e *ir.Expr, t *types.Type) {
	switch t.Kind {
	case types.List, types.Optional:
		c.checkBodyType(e, t.Elem)
	case types.Object:
		if !t.Record {
			c.unsupported(e, "whole objects of an answer in a body")
		}
	case types.Map, types.Union, types.Dyn, types.Uint:
		c.unsupported(e, "values of type "+t.String()+" in a body")
	}
}

// errorCase plans what an upstream status becomes.
func (c *chainer) errorCase(e *ir.ErrorCase, s *ir.Step) (Case, *lower.Block) {
	k := Case{Status: e.Status, Class: e.Class, Problem: e.Problem, Missing: e.Missing, Skip: s.Skips()}
	if e.Missing {
		k.Retry, k.Block = "RetryNever", &lower.Block{}
		return k, k.Block
	}
	switch e.Retry {
	case "never", "changed":
		k.Retry = "RetryNever"
	case "same":
		k.Retry = "RetrySame"
	}
	block := c.b.Nested(func() { k.Failure = c.failure(&e.Failure, s.ID, failureKind(e)) })
	k.Failure.Retryable = k.Failure.Kind == "KindUnavailable" || k.Failure.Kind == "KindRateLimited"
	k.Block = block
	return k, block
}

// failureKind says what kind of error a status is. A case that says "never
// retry" is not a temporary failure whatever its status: executors repeat every
// 5xx (A2T 5.3).
func failureKind(e *ir.ErrorCase) string {
	status := e.Status
	if e.Class {
		status *= 100
	}
	switch {
	case status == 404:
		return "KindNoResult"
	case e.Retry == "never" || e.Retry == "changed":
		return "KindRejected"
	case status == 429:
		return "KindRateLimited"
	case e.Retry == "same" || status >= 500:
		return "KindUnavailable"
	}
	return "KindRejected"
}
