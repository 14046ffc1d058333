package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// What the requests of the two shapes say of themselves.
const (
	otcSchema = "otc://1.0"
	oxpSchema = "urn:oxp:1.0"
)

// otc speaks Open Tool Calling. Lists of either shape are read, whichever was
// asked for: servers mix them.
type otc struct {
	*Server
	schema string
}

type otcDefinition struct {
	ID, Name, Description, Version string
	Input                          json.RawMessage `json:"input_schema"`
	Output                         json.RawMessage `json:"output_schema"`
	Tags                           []string
	Effects                        *effects
	Requirements                   struct {
		UserID        bool `json:"user_id"`
		Authorization []struct{ ID string }
		Secrets       []struct{ ID string }
	}
}

func (p *otc) tools(ctx context.Context, tags []string) ([]*Tool, error) {
	l := p.newListing(readDefinition, func(t *Tool) { t.ID, _, _ = strings.Cut(t.ID, "@") })
	a, fault := p.get(ctx, "/tools", "", l)
	if fault != nil {
		return nil, fault
	}
	var raw items
	if bytes.HasPrefix(bytes.TrimLeft(a.body, " \t\r\n"), []byte("[")) { // some answer with the bare list
		if err := json.Unmarshal(a.body, &raw); err != nil {
			return nil, unreadable("The list cannot be read.", err)
		}
	} else {
		var list struct{ Tools, Items *items }
		err := json.Unmarshal(a.body, &list)
		switch {
		case err == nil && list.Items != nil:
			raw = *list.Items
		case err == nil && list.Tools != nil:
			raw = *list.Tools
		default:
			return nil, unreadable("The list has neither tools nor items.", err)
		}
	}
	if _, fault := l.add(len(a.body), raw, ""); fault != nil {
		return nil, fault
	}
	return tagged(l.tools, tags), nil
}

func readDefinition(raw []byte) (*Tool, error) {
	var d otcDefinition
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, err
	}
	if d.ID == "" || d.Name == "" {
		return nil, fmt.Errorf("it has no id or no name")
	}
	id, version, _ := strings.Cut(d.ID, "@")
	if d.Version != "" {
		version = d.Version
	}
	t := &Tool{ID: id, Name: d.Name, Description: d.Description, Version: major(version), Tags: d.Tags, Document: raw}
	t.Current = t.Version
	input := d.Input
	var wrapped struct{ Parameters json.RawMessage }
	if json.Unmarshal(input, &wrapped) == nil && len(wrapped.Parameters) > 0 {
		input = wrapped.Parameters
	}
	var err error
	if t.Inputs, err = readInputs(input); err != nil {
		return nil, fmt.Errorf("input_schema of %s: %w", tool.Quote(d.ID), err)
	}
	if t.Outputs, err = readOutputs(d.Output); err != nil {
		return nil, fmt.Errorf("output_schema of %s: %w", tool.Quote(d.ID), err)
	}
	t.Effects = d.Effects.told()
	t.Needs.UserID = d.Requirements.UserID
	for _, a := range d.Requirements.Authorization {
		t.Needs.Tokens = append(t.Needs.Tokens, a.ID)
	}
	for _, s := range d.Requirements.Secrets {
		t.Needs.Secrets = append(t.Needs.Secrets, s.ID)
	}
	return t, nil
}

// major is the first number of x.y.z, 0 for what is none.
func major(version string) int {
	first, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(first)
	if err != nil || n < 1 || n > 1<<30 {
		return 0
	}
	return n
}

func (p *otc) versions(ctx context.Context, id string) ([]*Tool, error) {
	tools, err := p.tools(ctx, nil)
	if err != nil {
		return nil, err
	}
	tools = slices.DeleteFunc(tools, func(t *Tool) bool { return t.ID != id })
	if len(tools) == 0 {
		return nil, unlisted(id)
	}
	slices.SortStableFunc(tools, func(a, b *Tool) int { return b.Version - a.Version })
	return tools, nil
}

func unlisted(id string) *Error {
	return &Error{Status: http.StatusOK, Fault: &tool.Error{Kind: tool.KindUnknownTool, Message: "The server lists no tool " + tool.Quote(id) + "."}}
}

func (p *otc) tool(ctx context.Context, id string) (*Tool, error) {
	versions, err := p.versions(ctx, id)
	if err != nil {
		return nil, err
	}
	return versions[0], nil
}

func (p *otc) version(ctx context.Context, id string, n int) (*Tool, error) {
	versions, err := p.versions(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, t := range versions {
		if t.Version == n {
			return t, nil
		}
	}
	return nil, &Error{Status: http.StatusOK, Fault: &tool.Error{Kind: tool.KindUnknownVersion, Message: fmt.Sprintf("The server lists no version %d of %s.", n, tool.Quote(id))}}
}

type otcCredential struct {
	ID    string `json:"id"`
	Token string `json:"token,omitempty"`
	Value string `json:"value,omitempty"`
}

type otcContext struct {
	Authorization []otcCredential `json:"authorization,omitempty"`
	Secrets       []otcCredential `json:"secrets,omitempty"`
	UserID        string          `json:"user_id,omitempty"`
}

type otcRequest struct {
	CallID  string                     `json:"call_id,omitempty"`
	ToolID  string                     `json:"tool_id"`
	Input   map[string]json.RawMessage `json:"input"`
	Context *otcContext                `json:"context,omitempty"`
}

func (c *prepared) otc(t *Tool) otcRequest {
	r := otcRequest{CallID: c.Key, ToolID: t.ID, Input: c.members}
	if t.Version > 0 {
		r.ToolID += "@" + strconv.Itoa(t.Version)
		if id, version, written := strings.Cut(documentID(t), "@"); written && id == t.ID {
			r.ToolID = t.ID + "@" + version
		}
	}
	var with otcContext
	for _, id := range sortedKeys(c.Caller.Tokens) {
		with.Authorization = append(with.Authorization, otcCredential{ID: id, Token: c.Caller.Tokens[id]})
	}
	for _, id := range sortedKeys(c.Caller.Secrets) {
		with.Secrets = append(with.Secrets, otcCredential{ID: id, Value: c.Caller.Secrets[id]})
	}
	if with.UserID = c.Caller.UserID; with.UserID != "" || with.Authorization != nil || with.Secrets != nil {
		r.Context = &with
	}
	return r
}

// documentID is the id as the server wrote it, with its version whole: @2 means
// 2.0.0 exactly, and another server may have 2.1.3.
func documentID(t *Tool) string {
	var d otcDefinition
	_ = json.Unmarshal(t.Document, &d) // it was read before
	id, _, versioned := strings.Cut(d.ID, "@")
	if !versioned && d.Version != "" {
		return id + "@" + d.Version
	}
	return d.ID
}

type otcError struct {
	Message       string
	Developer     string `json:"developer_message"`
	CanRetry      bool   `json:"can_retry"`
	Hint          string `json:"additional_prompt_content"`
	RetryAfter    int64  `json:"retry_after_ms"`
	Code          string
	Effects       []string          `json:"effects_done"`
	ParameterErrs map[string]string `json:"parameter_errors"`
	Missing       *struct {
		UserID        bool `json:"user_id"`
		Authorization []struct{ ID, URL string }
		Secrets       []struct{ ID string }
	} `json:"missing_requirements"`
}

func (p *otc) invoke(ctx context.Context, t *Tool, c *prepared) (*Result, *Error) {
	body, err := json.Marshal(struct {
		Schema  string     `json:"$schema"`
		Request otcRequest `json:"request"`
	}{p.schema, c.otc(t)})
	if err != nil {
		return nil, local(tool.KindBadRequest, "The call cannot be written as JSON.", err)
	}
	q := request{method: http.MethodPost, path: "/tools/call", body: body, header: http.Header{}}
	set(q.header, "Traceparent", c.Traceparent)
	a, fault := p.send(ctx, q)
	switch {
	case fault != nil:
		return nil, fault
	case a.status != http.StatusOK:
		return nil, otcRefusal(a)
	}
	if fault := a.jsonBody(); fault != nil {
		return nil, fault
	}
	type outcome struct {
		CallID  string `json:"call_id"`
		Success *bool
		Value   json.RawMessage
		Error   *otcError
	}
	var wrapped struct {
		outcome
		Result *outcome
	}
	if err := json.Unmarshal(a.body, &wrapped); err != nil {
		return nil, garbage(a.status, "The answer cannot be read.", err)
	}
	out := &wrapped.outcome
	if wrapped.Result != nil {
		out = wrapped.Result
	}
	switch {
	case out.Success == nil:
		return nil, garbage(a.status, "The answer does not say whether the call succeeded.", nil)
	case !*out.Success:
		return nil, failed(a, out.Error)
	}
	r := &Result{CallID: out.CallID}
	if r.Outputs, err = OutputsOf(out.Value); err != nil {
		return nil, garbage(a.status, "The value cannot be read.", err)
	}
	return r, nil
}

// failed is the error of a tool that ran and failed. can_retry means with the help
// of the hint as well, so the same call is repeated where a time to wait is given
// or nothing else is asked for.
func failed(a *answer, said *otcError) *Error {
	e := &Error{Status: a.status, said: pointless, Fault: &tool.Error{Kind: tool.KindRejected}}
	if said == nil {
		e.Fault.Message = "The tool failed, and the server does not say why."
		return e
	}
	f := e.Fault
	f.Code, f.Message, f.Developer, f.Hint, f.EffectsDone = said.Code, said.Message, said.Developer, said.Hint, said.Effects
	f.RetryAfter = time.Duration(max(said.RetryAfter, 0)) * time.Millisecond
	if said.CanRetry && (f.RetryAfter > 0 || f.Hint == "") {
		f.Kind, f.Retryable, e.said = tool.KindUnavailable, true, worthwhile
	}
	return e
}

// otcRefusal is the error of a call that did not run.
func otcRefusal(a *answer) *Error {
	e := refusal(a)
	var said otcError
	if json.Unmarshal(a.body, &said) != nil {
		e.Fault.Message = "The server answered with status " + strconv.Itoa(a.status) + "."
		return e
	}
	e.Fault.Message, e.Fault.Developer = said.Message, said.Developer
	for _, name := range sortedKeys(said.ParameterErrs) {
		e.Fault.Issues = append(e.Fault.Issues, tool.Issue{Param: name, Detail: said.ParameterErrs[name]})
	}
	if m := said.Missing; m != nil {
		e.Missing, e.Fault.Kind = &Missing{UserID: m.UserID, Authorizations: map[string]string{}}, tool.KindForbidden
		for _, one := range m.Authorization {
			e.Missing.Authorizations[one.ID] = one.URL
		}
		for _, one := range m.Secrets {
			e.Missing.Secrets = append(e.Missing.Secrets, one.ID)
		}
	}
	return e
}
