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
		if bind.Value != nil && bind.Param.In != operation.Path {
			c.param(call, bind)
		}
	}
	c.body(call, s)
	if s.Result != nil {
		r := c.p.types.reader(s.Result, s.MayBeMissing() && !s.Skips())
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
	for _, p := range k.Params {
		add(p.JSON)
	}
	for _, f := range k.Form {
		add(f.JSON)
	}
	add(k.Body)
	return out
}

func (b *Body) uses() []lower.Value {
	if b == nil {
		return nil
	}
	return b.Root.uses()
}

func (n *BodyNode) uses() []lower.Value {
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
	literal := ""
	flush := func() {
		call.Parts = append(call.Parts, lower.Const{V: literal})
		literal = ""
	}
	for _, part := range s.Op.Parts {
		if part.Param == "" {
			literal += part.Literal
			continue
		}
		bind := bindingOf(s, part.Param) // resolve refuses a path with a gap
		flush()
		v := c.lower(bind.Value, part.Param)
		call.Parts = append(call.Parts, c.pathText(bind, v.V))
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

func (c *chainer) pathText(bind *ir.Binding, v lower.Value) lower.Value {
	t := bind.Value.Term.Type
	switch {
	case bind.JSON:
		c.unsupported(bind.Value, "path parameters that hold a document")
	case bind.Param.Style != "simple" && bind.Param.Style != "" || !t.IsScalar():
		c.unsupported(bind.Value, "path parameters of style "+bind.Param.Style+" and type "+t.String())
	}
	return text(t, v)
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

var paramMethods = map[operation.In]string{operation.Query: "Query", operation.Header: "Header", operation.Cookie: "Cookie"}

// param plans a query, header or cookie parameter.
func (c *chainer) param(call *Call, bind *ir.Binding) {
	t := bind.Value.Term.Type
	optional := t.Kind == types.Optional
	if optional {
		t = t.Elem
	}
	v := c.lower(bind.Value, bind.Param.Name).V
	p := Param{Method: paramMethods[bind.Param.In], Name: bind.Param.Name}
	if optional {
		v = c.local(v, bind.Param.Name, bind.Value.Term.Type)
		p.If = lower.Binary{Op: "!=", L: v, R: lower.Nil{}}
		if !lower.Nilable(t) {
			v = lower.Deref{X: v}
		}
	}
	switch {
	case bind.JSON:
		c.checkBodyType(bind.Value, t)
		p.JSON = c.document(bind.Param.Name, &BodyNode{Value: v, Type: t})
	case bind.Param.Style == "deepObject":
		c.unsupported(bind.Value, "parameters of style deepObject")
	case t.IsScalar():
		p.Value = text(t, v)
		if bind.Param.AllowReserved && bind.Param.In == operation.Query {
			p.Method = "QueryReserved"
		}
	case t.Kind == types.List && t.Elem.IsScalar():
		c.listParam(&p, bind, t, v)
	default:
		c.unsupported(bind.Value, "parameters of type "+t.String())
	}
	call.Params = append(call.Params, p)
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
	switch bind.Param.In {
	case operation.Query:
		p.Method, p.Style = "QueryList", listStyles[bind.Param.Style]
		if bind.Param.Explode {
			p.Style = "ListExplode"
		}
		switch {
		case p.Style == "":
			c.unsupported(bind.Value, "lists of style "+bind.Param.Style)
		case bind.Param.AllowReserved:
			c.unsupported(bind.Value, "lists whose elements keep reserved characters")
		}
	case operation.Header:
		p.Method = "HeaderList"
	default:
		c.unsupported(bind.Value, "lists in a cookie")
	}
}

func textFunc(t *types.Type) lower.Value {
	call, ok := text(t, lower.Local{Name: "_"}).(lower.Call)
	if !ok {
		return lower.Global{Pkg: valuePkg, Name: "TextOfBytes"}
	}
	return lower.Global{Pkg: call.Fn.Pkg, Name: call.Fn.Name}
}

// body plans what a step sends.
func (c *chainer) body(call *Call, s *ir.Step) {
	if s.Body == nil {
		return
	}
	if strings.HasPrefix(s.BodyMedia, "application/x-www-form-urlencoded") {
		for _, m := range s.Body.Members {
			call.Form = append(call.Form, c.formField(m))
		}
		return
	}
	call.Body = &Body{
		Var: c.b.Names.Unique(naming.Local(s.ID) + "Body"), Media: s.BodyMedia,
		Root: c.bodyNode(s.Body),
	}
}

// document plans a JSON document that is sent as the value of a parameter or
// field.
func (c *chainer) document(name string, root *BodyNode) *Body {
	return &Body{Var: c.b.Names.Unique(naming.Local(name) + "JSON"), Root: root}
}

func (c *chainer) formField(m ir.BodyMember) FormField {
	if m.JSON {
		member := c.bodyMember(m)
		return FormField{Name: m.Name, If: member.If, JSON: c.document(m.Name, member.Value)}
	}
	t := m.Value.Expr.Term.Type
	v := c.lower(m.Value.Expr, m.Name).V
	f := FormField{Name: m.Name}
	if t.Kind == types.Optional {
		v = c.local(v, m.Name, t)
		f.If, t, v = lower.Binary{Op: "!=", L: v, R: lower.Nil{}}, t.Elem, lower.Deref{X: v}
	}
	f.Value = text(t, v)
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
