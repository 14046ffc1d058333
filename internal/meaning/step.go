package meaning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
)

// label is what references to a step count as.
func (s *side) label(step *ir.Step) string {
	if done, ok := s.labels[step]; ok {
		return done
	}
	outer := s.current
	s.labels[step], s.current = "itself", step // an expect reads its own step
	s.labels[step] = s.step(step).digest()
	s.current = outer
	return s.labels[step]
}

// step is the node of a step: what it asks, when, and what becomes of the answer.
func (s *side) step(step *ir.Step) *node {
	part := "steps." + step.ID
	of := fmt.Sprintf(" of step %q", step.ID)
	api := s.api(step)
	n := &node{part: part, says: fmt.Sprintf("step %q", step.ID), text: step.Op.Method + " " + step.Op.Path + " of " + step.API, at: step.Span}
	n.kids = slices.Concat(
		fact("operation", part+".call", "the call"+of, step.Op.Method+" "+address(step.Op)),
		fact("api", part+".call", "the api"+of, step.API),
		s.server(step, api),
		fact("auth", "apis."+api.Name+".auth", fmt.Sprintf("auth of api %q", api.Name), credentials(step, api)),
		headers(api),
		fact("effect", part+".effect", "the effect"+of, string(step.Effect)),
		s.value("when", part+".when", "when"+of, step.When),
		s.each(step, part, of),
		s.collect(step, part+".collect", of),
		s.poll(step, part+".poll", of),
		flag("strict", part+".strict", "strict"+of, step.Strict),
		s.bindings(step, part, of),
		s.body("body", part+".body", "the body"+of, step.Body),
		fact("media", part+".body", "the media type of the body"+of, step.BodyMedia),
		fact("accept", part+".call", "what is accepted as the answer"+of, step.Accept),
		fact("answer", part+".call", "the form of the answer"+of, string(step.Form)),
		flag("empty", part+".call", "that the answer may be empty"+of, step.MayBeEmpty),
		s.failures(step, part, of),
		fact("cache", part+".cache", "cache"+of, duration(step.Cache)),
		fact("timeout", part+".timeout", "the timeout"+of, cmp.Or(duration(cmp.Or(step.Timeout, api.Timeout)), "the default")),
		fact("attempts", part+".retry", "the attempts"+of, cmp.Or(number0(cmp.Or(step.Attempts, api.Attempts)), "the default")),
		s.order(step, part, of),
	)
	for _, k := range n.kids {
		if k.at.IsZero() {
			k.at = step.Span
		}
	}
	return n
}

// address is the path of an operation with the names of its parameters and its
// fixed query.
func address(op *operation.Operation) string {
	var b strings.Builder
	for _, p := range op.Parts {
		b.WriteString(p.Literal)
		if p.Param != "" {
			b.WriteString("{" + p.Param + "}")
		}
	}
	if op.Query != "" {
		b.WriteString("?" + op.Query)
	}
	return b.String()
}

func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// server is where a call goes.
func (s *side) server(step *ir.Step, api *ir.API) []*node {
	if step.Server != "" {
		return fact("server", "steps."+step.ID+".call", fmt.Sprintf("the server of step %q", step.ID), api.Address(step.Server))
	}
	return fact("server", "apis."+api.Name+".base_url", fmt.Sprintf("the server of api %q", api.Name), cmp.Or(api.Address(api.BaseURL), "none"))
}

// credentials are those that go along with a step, whatever the document calls
// their schemes.
func credentials(step *ir.Step, api *ir.API) string {
	var out []string
	for _, c := range api.Credentials {
		if slices.Contains(step.Schemes, c.Scheme.Name) {
			k := c.Scheme
			from := c.Source.String()
			if c.Caller {
				from = "the caller"
			}
			out = append(out, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s from %s", k.Type, k.HTTP, k.In, k.Param, from)), " "))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " and ")
}

func headers(api *ir.API) []*node {
	var out []*node
	for _, h := range api.Headers {
		text, name := h.Parts.String(), strings.ToLower(h.Name)
		n := &node{key: "header " + name, part: "apis." + api.Name + ".headers." + h.Name, says: fmt.Sprintf("header %s of api %q", h.Name, api.Name)}
		n.own, n.text = text+"\n", text
		out = append(out, n)
	}
	return out
}

func (s *side) each(step *ir.Step, part, of string) []*node {
	if step.Each == nil {
		return nil
	}
	n := &node{key: "for_each", part: part + ".for_each", says: "for_each" + of}
	n.kids = append(s.value("in", n.part, n.says, step.Each.Over), fact("max", n.part, "max of for_each"+of, fmt.Sprint(step.Each.Max))...)
	return []*node{n}
}

func (s *side) collect(step *ir.Step, part, of string) []*node {
	c := step.Collect
	if c == nil {
		return nil
	}
	n := &node{key: "collect", part: part, says: "collect" + of}
	n.kids = slices.Concat(
		s.value("items", part+".items", "the items"+of, c.Items), s.value("until", part+".until", "until"+of, c.Until), s.value("next", part+".next", "next"+of, c.Next),
		fact("by", part, "how pages are asked for"+of, strings.TrimSpace(string(c.By)+" "+c.Parameter)),
		fact("max", part+".max", "max of collect"+of, fmt.Sprint(c.Max)), flag("partial", part+".partial", "partial"+of, c.Partial))
	return []*node{n}
}

func (s *side) poll(step *ir.Step, part, of string) []*node {
	p := step.Poll
	if p == nil {
		return nil
	}
	n := &node{key: "poll", part: part, says: "poll" + of}
	n.kids = slices.Concat(s.value("until", part+".until", "until"+of, p.Until),
		fact("every", part+".every", "every of poll"+of, duration(p.Every)), fact("max", part+".max", "max of poll"+of, duration(p.Max)))
	return []*node{n}
}

// bindings are the parameters that are sent.
func (s *side) bindings(step *ir.Step, part, of string) []*node {
	var out []*node
	for _, b := range step.Bindings {
		if b.Origin == ir.LeftOut || b.Value == nil && b.Parts == nil && b.Origin != ir.FromCaller {
			continue
		}
		p := b.Param
		name := fmt.Sprintf("parameter %q%s", p.Name, of)
		key := p.Name
		if slices.ContainsFunc(step.Op.Params, func(q *operation.Param) bool { return q != p && q.Name == p.Name }) {
			key += " in " + string(p.In)
		}
		n := &node{key: "with " + key, part: part + ".with." + p.Name, says: name}
		form := strings.Join(strings.Fields(fmt.Sprintf("%s %s %s explode=%t reserved=%t json=%t %s", p.In, cmp.Or(b.Style, p.Style), p.Media, p.Explode, p.AllowReserved, b.JSON, shape(p.Type))), " ")
		n.kids = slices.Concat([]*node{written(n.part, name, form)}, flag("caller", n.part, "that "+name+" comes from the caller", b.Origin == ir.FromCaller),
			s.sink("value", n.part, name, b.Value), s.body("parts", n.part, name, b.Parts))
		if n.needs = passed(b.Value); !s.unseen(n) {
			out = append(out, n)
		}
	}
	return out
}

// passed is the input that an expression is and nothing else, "" for none: where
// it is left out, so is the parameter.
func passed(e *ir.Expr) string {
	if e == nil || e.Term.Op != expr.OpField && e.Term.Op != expr.OpOptField {
		return ""
	}
	if of := e.Term.Args[0]; of.Op == expr.OpRef && of.Decl.Role == expr.RoleInput {
		return "inputs." + e.Term.Name
	}
	return ""
}

// written is how a value becomes text.
func written(part, says, form string) *node {
	return &node{key: "form", part: part, says: "how " + says + " is written", own: form, text: form, hidden: true}
}

// body is the tree of what is sent; nil makes no node.
func (s *side) body(key, part, says string, b *ir.Body) []*node {
	if b == nil {
		return nil
	}
	n := &node{key: key, part: part, says: says, own: fmt.Sprintf("object=%t list=%t raw=%t null=%t", b.IsObject, b.IsList, b.Raw, b.IsNull)}
	switch {
	case b.IsNull:
		n.text = "null"
	case b.Expr != nil:
		n.kids = s.sink("value", part, says, b.Expr)
	}
	for i, m := range b.Members {
		of, key := fmt.Sprintf("member %q of %s", m.Name, says), "member "+m.Name
		if slices.ContainsFunc(b.Members[:i], func(o ir.BodyMember) bool { return o.Name == m.Name }) {
			key = fmt.Sprint(key, " ", i) // one of several files
		}
		kids := s.body(key, part+"."+m.Name, of, m.Value)
		for _, k := range kids {
			k.kids = append(k.kids, written(k.part, of, fmt.Sprintf("json=%t file=%t %s %s", m.JSON, m.File, m.Style, m.Type)))
		}
		n.kids = append(n.kids, kids...)
	}
	for i, item := range b.Items {
		n.kids = append(n.kids, s.body("", part, fmt.Sprintf("item %d of %s", i+1, says), item)...)
	}
	return []*node{n}
}

// failures are the expects of a step and what becomes of answers that fail.
func (s *side) failures(step *ir.Step, part, of string) []*node {
	list := &node{key: "expect", part: part + ".expect", says: "expect" + of}
	for _, e := range step.Expect {
		list.kids = append(list.kids, s.expect("", list.part, "expect "+e.Code+of, e))
	}
	out := []*node{list}
	for _, c := range step.Errors {
		status := fmt.Sprint(c.Status)
		switch {
		case c.Class:
			status += "xx"
		case c.Status == 0:
			status = "default"
		}
		if c.Problem != "" {
			status += " " + c.Problem
		}
		n := &node{key: "error " + status, part: part + ".errors." + status, says: fmt.Sprintf("the error for %s%s", status, of)}
		n.kids = append(flag("missing", n.part, "missing of "+n.says, c.Missing), s.failure(n.part, n.says, &c.Failure)...)
		out = append(out, n)
	}
	return out
}

func (s *side) expect(key, part, says string, e *ir.Expect) *node {
	n := &node{key: key, part: part, says: says, text: strings.TrimSpace(e.Check.Text), at: e.Check.Span}
	n.kids = append(s.value("check", part, "the check of "+says, e.Check), s.failure(part, says, &e.Failure)...)
	return n
}

func (s *side) failure(part, says string, f *ir.Failure) []*node {
	return slices.Concat(fact("code", part, "the code of "+says, f.Code), fact("retry", part, "retry of "+says, f.Retry),
		fact("retry_after", part, "retry_after of "+says, duration(f.RetryAfter)), s.words("message", part, "the message of "+says, f.Message),
		s.words("developer", part, "the developer message of "+says, f.Developer), s.words("hint", part, "the hint of "+says, f.Hint))
}

// order are the steps that have to end before a step, where one of the two
// changes something: reads among themselves may run in any order.
func (s *side) order(step *ir.Step, part, of string) []*node {
	var labels, names []string
	seen := map[*ir.Step]bool{}
	var visit func(*ir.Step)
	visit = func(at *ir.Step) {
		for _, b := range at.After {
			if seen[b] {
				continue
			}
			seen[b] = true
			if (b.Effect != ir.Read || step.Effect != ir.Read) && (s.paired == nil || s.paired[b]) {
				labels, names = append(labels, s.label(b)), append(names, b.ID)
			}
			visit(b)
		}
	}
	visit(step)
	slices.Sort(labels)
	slices.Sort(names)
	return []*node{{key: "after", part: part, says: "what precedes step" + strings.TrimPrefix(of, " of step"), own: sum(labels...), text: strings.Join(names, ", ")}}
}
