package ir

import "slices"

type stepDoc struct {
	ID          string         `json:"id"`
	API         string         `json:"api"`
	Method      string         `json:"method"`
	Path        string         `json:"path"`
	OperationID string         `json:"operation_id,omitempty"`
	Server      string         `json:"server,omitempty"`
	Credentials []string       `json:"credentials,omitempty"`
	Effect      CallEffect     `json:"effect"`
	Because     string         `json:"because,omitempty"`
	Parameters  []parameterDoc `json:"parameters"`
	Body        any            `json:"body,omitempty"`
	BodyMedia   string         `json:"body_media,omitempty"`
	Accept      string         `json:"accept,omitempty"`
	Answer      string         `json:"answer,omitempty"`
	MayBeEmpty  bool           `json:"may_be_empty,omitempty"`
	When        *exprDoc       `json:"when,omitempty"`
	ForEach     *eachDoc       `json:"for_each,omitempty"`
	Reads       []string       `json:"reads"`
	Expect      []expectDoc    `json:"expect,omitempty"`
	Errors      []errorDoc     `json:"errors,omitempty"`
	Cache       string         `json:"cache,omitempty"`
	After       []string       `json:"after,omitempty"`
	Timeout     string         `json:"timeout,omitempty"`
	Attempts    int            `json:"attempts,omitempty"`
	At          string         `json:"at"`
}

// A parameterDoc is one parameter of the operation and what it gets: every
// one is there, also those that are left out.
type parameterDoc struct {
	Name     string   `json:"name"`
	In       string   `json:"in"`
	Required bool     `json:"required,omitempty"`
	Type     string   `json:"type"`
	Origin   Origin   `json:"origin"`
	Value    *exprDoc `json:"value,omitempty"`
	Reason   string   `json:"reason,omitempty"`
}

type eachDoc struct {
	Over *exprDoc `json:"over"`
	Max  int      `json:"max"`
}

type failureDoc struct {
	Code       string   `json:"code,omitempty"`
	Message    *exprDoc `json:"message,omitempty"`
	Developer  *exprDoc `json:"developer_message,omitempty"`
	Hint       *exprDoc `json:"hint,omitempty"`
	Retry      string   `json:"retry,omitempty"`
	RetryAfter string   `json:"retry_after,omitempty"`
}

type expectDoc struct {
	Check *exprDoc `json:"check"`
	failureDoc
}

type errorDoc struct {
	Status  string `json:"status"`
	Missing bool   `json:"missing,omitempty"`
	failureDoc
}

func failureOf(f *Failure) failureDoc {
	return failureDoc{f.Code, exprOf(f.Message), exprOf(f.Developer), exprOf(f.Hint), f.Retry, duration(f.RetryAfter)}
}

func stepOf(s *Step) stepDoc {
	d := stepDoc{
		ID: s.ID, API: s.API, Method: s.Op.Method, Path: s.Op.Path, OperationID: s.Op.ID, Server: s.Server, Credentials: s.Schemes, MayBeEmpty: s.MayBeEmpty, Effect: s.Effect, Because: s.Because,
		Parameters: []parameterDoc{}, BodyMedia: s.BodyMedia, Accept: s.Accept, When: exprOf(s.When), Reads: slices.Clone(s.Reads),
		Cache: duration(s.Cache), Timeout: duration(s.Timeout), Attempts: s.Attempts, At: position(s.Span),
	}
	if d.Reads == nil {
		d.Reads = []string{}
	}
	if s.Answer != nil {
		d.Answer = s.Answer.String()
	}
	for _, b := range s.Bindings {
		d.Parameters = append(d.Parameters, parameterDoc{
			b.Param.Name, string(b.Param.In), b.Param.Required, b.Param.Type.String(), b.Origin, exprOf(b.Value), b.Reason,
		})
	}
	if s.Body != nil {
		d.Body = bodyOf(s.Body)
	}
	if s.Each != nil {
		d.ForEach = &eachDoc{exprOf(s.Each.Over), s.Each.Max}
	}
	for _, e := range s.Expect {
		d.Expect = append(d.Expect, expectDoc{exprOf(e.Check), failureOf(&e.Failure)})
	}
	for _, c := range s.Errors {
		d.Errors = append(d.Errors, errorDoc{statusOf(c), c.Missing, failureOf(&c.Failure)})
	}
	for _, before := range s.After {
		d.After = append(d.After, before.ID)
	}
	return d
}

// bodyOf writes the tree of a body with its kind at every node: an expression
// could look like a literal otherwise.
func bodyOf(b *Body) any {
	switch {
	case b.IsNull:
		return map[string]any{"kind": "null"}
	case b.IsObject:
		members := []any{}
		for _, m := range b.Members {
			members = append(members, map[string]any{"name": m.Name, "value": bodyOf(m.Value)})
		}
		return map[string]any{"kind": "object", "members": members}
	case b.IsList:
		items := []any{}
		for _, item := range b.Items {
			items = append(items, bodyOf(item))
		}
		return map[string]any{"kind": "list", "items": items}
	}
	return map[string]any{"kind": "value", "value": exprOf(b.Expr)}
}
