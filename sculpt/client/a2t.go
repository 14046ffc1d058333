package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// a2t speaks A2T and N-ACT. It reads leniently, with the defaults of the draft,
// since the draft's own figures contradict its text in places.
type a2t struct{ *Server }

// A page is a part of a list (A2T 6.4).
type page struct {
	Items  items
	Paging struct {
		Next *string
	}
}

// list reads all pages.
func (p *a2t) list(ctx context.Context, path string, query url.Values) ([]*Tool, error) {
	l := p.newListing(readSignature, func(*Tool) {})
	for {
		a, fault := p.get(ctx, path, query.Encode(), l)
		if fault != nil {
			return nil, fault
		}
		var one page
		if err := json.Unmarshal(a.body, &one); err != nil {
			return nil, unreadable("The list cannot be read.", err)
		}
		next := ""
		if one.Paging.Next != nil {
			next = *one.Paging.Next
		}
		more, fault := l.add(len(a.body), one.Items, next)
		switch {
		case fault != nil:
			return nil, fault
		case !more:
			return l.tools, nil
		}
		if query == nil {
			query = url.Values{}
		}
		query.Set("pageCursor", next)
	}
}

func (p *a2t) tools(ctx context.Context, tags []string) ([]*Tool, error) {
	query := url.Values{}
	for _, tag := range tags {
		query.Add("tag", tag)
	}
	tools, err := p.list(ctx, "/tools", query)
	if err != nil {
		return nil, err
	}
	// The draft names no query for tags, so a server may have ignored it.
	return tagged(tools, tags), nil
}

func (p *a2t) versions(ctx context.Context, id string) ([]*Tool, error) {
	return p.list(ctx, "/tools/"+url.PathEscape(id)+"/versions", nil)
}

func (p *a2t) tool(ctx context.Context, id string) (*Tool, error) {
	return p.read(ctx, id, "/tools/"+url.PathEscape(id))
}

func (p *a2t) version(ctx context.Context, id string, n int) (*Tool, error) {
	t, err := p.read(ctx, id, "/tools/"+url.PathEscape(id)+"/versions/"+strconv.Itoa(n))
	if err == nil && t.Version != n {
		return nil, garbage(http.StatusOK, fmt.Sprintf("Version %d was asked for, and the answer is version %d.", n, t.Version), nil)
	}
	return t, err
}

func (p *a2t) read(ctx context.Context, id, path string) (*Tool, error) {
	a, fault := p.get(ctx, path, "", nil)
	if fault != nil {
		return nil, fault
	}
	t, err := readSignature(a.body)
	if err == nil && t.ID != id {
		err = fmt.Errorf("it is of the tool %s", tool.Quote(t.ID))
	}
	if err != nil {
		return nil, garbage(http.StatusOK, "The signature cannot be read.", err)
	}
	t.announce(a.header)
	return t, nil
}

// announce reads what the headers say of the end of a tool (RFC 9745, RFC 8594),
// where its document does not.
func (t *Tool) announce(h http.Header) {
	if seconds, err := strconv.ParseInt(strings.TrimPrefix(h.Get("Deprecation"), "@"), 10, 64); err == nil && t.Deprecated == "" {
		t.Deprecated = time.Unix(seconds, 0).UTC().Format(time.DateOnly)
	}
	if end, err := http.ParseTime(h.Get("Sunset")); err == nil && t.Sunset == "" {
		t.Sunset = end.UTC().Format(time.DateOnly)
	}
}

func (p *a2t) invoke(ctx context.Context, t *Tool, c *prepared) (*Result, *Error) {
	body, err := json.Marshal(struct {
		Name   string  `json:"name"`
		Inputs []named `json:"input_parameters"`
	}{t.Name, c.named()})
	if err != nil {
		return nil, local(tool.KindBadRequest, "The call cannot be written as JSON.", err)
	}
	q := request{method: http.MethodPost, path: "/tools/" + url.PathEscape(t.ID), body: body, header: http.Header{}}
	if t.Version > 0 {
		q.path += "/versions/" + strconv.Itoa(t.Version)
	}
	q.path += ":invoke"
	set(q.header, "Idempotency-Key", c.Key)
	set(q.header, "Traceparent", c.Traceparent)
	a, fault := p.send(ctx, q)
	switch {
	case fault != nil:
		return nil, fault
	case a.status != http.StatusOK:
		return nil, problemOf(a)
	}
	var out struct {
		Outputs *[]named `json:"output_parameters"`
	}
	if fault := a.jsonBody(); fault != nil {
		return nil, fault
	}
	if err := json.Unmarshal(a.body, &out); err != nil || out.Outputs == nil {
		return nil, garbage(a.status, "The answer has no output_parameters.", err)
	}
	r := &Result{}
	for _, o := range *out.Outputs {
		r.Outputs = append(r.Outputs, tool.Output{Name: o.Name, JSON: present(o.Value)})
	}
	return r, nil
}

func set(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// A named is a value with its name, as A2T writes inputs and outputs.
type named struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

func (c *prepared) named() []named {
	list := make([]named, 0, len(c.order))
	for _, name := range c.order {
		list = append(list, named{name, c.members[name]})
	}
	return list
}

// present is nil for null, and for nothing.
func present(raw json.RawMessage) []byte {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// tagged keeps the tools that have every one of the tags.
func tagged(tools []*Tool, tags []string) []*Tool {
	if len(tags) == 0 {
		return tools
	}
	var kept []*Tool
	for _, t := range tools {
		if containsAll(t.Tags, tags) {
			kept = append(kept, t)
		}
	}
	return kept
}

// A number is written as one, or in quotes as the draft's figure has it.
type number int64

func (n *number) UnmarshalJSON(b []byte) error {
	i, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*n = number(i)
	return err
}

// A signature is a ToolSignature (A2T 5.1, 6.1), with the spellings that the
// draft uses for the same member.
type signature struct {
	ToolID                 string `json:"toolId"`
	OtherID                string `json:"toolID"`
	Name, Description, Img string
	Version                number
	CurrentVersion         number
	Tags                   []string
	Inputs                 parameters `json:"input_parameters"`
	Outputs                parameters `json:"output_parameters"`
	Effects                *effects
	// Deprecated is no member of A2T, so what others write there may be anything.
	Deprecated json.RawMessage
}

// effects are our member of signatures and definitions.
type effects struct {
	ReadOnly     bool `json:"read_only"`
	Idempotent   bool
	Destructive  bool
	Irreversible bool
	Billable     bool
}

func (e *effects) told() *tool.Effects {
	if e == nil {
		return nil
	}
	return &tool.Effects{ReadOnly: e.ReadOnly, Idempotent: e.Idempotent, Destructive: e.Destructive, Reversible: !e.Irreversible, Billable: e.Billable}
}

type parameters []parameter

// UnmarshalJSON implements json.Unmarshaler.
func (p *parameters) UnmarshalJSON(b []byte) error {
	return elements(b, mostParameters, "inputs or outputs", func(raw []byte) error {
		var one parameter
		err := json.Unmarshal(raw, &one)
		*p = append(*p, one)
		return err
	})
}

type parameter struct {
	ID, Name, Type, Description string
	Required                    *bool
	Min, Max                    *number
	MaxLength                   *number
	MinLength                   *number
	Pattern                     *string
	Default                     json.RawMessage
	Values                      allowedValues `json:"allowed-values"`
	OtherValues                 allowedValues `json:"allowed_values"`
}

// allowedValues are a list; the figure of the draft has braces around it, which
// is not JSON, and some write what that may have meant.
type allowedValues []struct{ Name, Description string }

func (v *allowedValues) UnmarshalJSON(b []byte) error {
	type list allowedValues
	if len(b) > 0 && b[0] == '{' {
		return v.braced(b)
	}
	var texts []string
	if json.Unmarshal(b, &texts) == nil {
		for _, name := range texts {
			*v = append(*v, struct{ Name, Description string }{Name: name})
		}
		return nil
	}
	return json.Unmarshal(b, (*list)(v))
}

// braced reads values in braces: texts by name, or a list under whatever key.
func (v *allowedValues) braced(b []byte) error {
	var byName map[string]json.RawMessage
	if err := json.Unmarshal(b, &byName); err != nil {
		return err
	}
	for _, name := range sortedKeys(byName) {
		var text string
		if json.Unmarshal(byName[name], &text) != nil {
			return v.UnmarshalJSON(byName[name])
		}
		*v = append(*v, struct{ Name, Description string }{name, text})
	}
	return nil
}

// readSignature reads one version of a tool.
func readSignature(raw []byte) (*Tool, error) {
	var s signature
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	t := &Tool{
		ID: s.ToolID, Name: s.Name, Description: s.Description, Version: int(s.Version), Current: int(s.CurrentVersion), Image: s.Img, Tags: s.Tags,
		Document: raw,
	}
	var end struct{ Since, Sunset, Use string }
	if json.Unmarshal(s.Deprecated, &end) == nil {
		t.Deprecated, t.Sunset, t.Use = end.Since, end.Sunset, end.Use
	}
	if t.ID == "" {
		t.ID = s.OtherID
	}
	switch {
	case t.ID == "" || t.Name == "":
		return nil, errors.New("it has no toolId or no name")
	case s.Version < 1 || s.Version > math.MaxInt32 || s.CurrentVersion < 0 || s.CurrentVersion > math.MaxInt32:
		return nil, fmt.Errorf("its version is %d of %d", s.Version, s.CurrentVersion)
	}
	t.Effects = s.Effects.told()
	for i := range s.Inputs {
		in, err := s.Inputs[i].input()
		if err != nil {
			return nil, err
		}
		if t.Input(in.Name) != nil {
			return nil, fmt.Errorf("it has two inputs %q", in.Name)
		}
		t.Inputs = append(t.Inputs, in)
	}
	for i := range s.Outputs {
		t.Outputs = append(t.Outputs, s.Outputs[i].output())
	}
	return t, nil
}

// The bounds of an int that states none (A2T 6.1 for the greatest one).
const (
	leastInt = math.MinInt32
	mostInt  = 65535
)

var parameterTypes = map[string]tool.Type{
	"": tool.TypeString, "string": tool.TypeString, "int": tool.TypeInt, "integer": tool.TypeInt, "boolean": tool.TypeBoolean,
	"bool": tool.TypeBoolean, "enum": tool.TypeEnum, "json": tool.TypeJSON,
}

func (p *parameter) input() (Input, error) {
	kind, known := parameterTypes[strings.ToLower(p.Type)]
	if !known {
		kind = tool.TypeJSON // number, or one of a later draft: for the server to check
	}
	if p.Name == "" {
		return Input{}, errors.New("an input has no name")
	}
	in := Input{Description: p.Description, Param: tool.Param{ID: p.ID, Name: p.Name, Type: kind, Required: p.Required == nil || *p.Required, Min: leastInt, Max: mostInt}}
	if in.ID == "" {
		in.ID = p.Name
	}
	for _, bound := range []struct {
		said *number
		set  func(n int64)
	}{
		{p.Min, func(n int64) { in.Min = n }},
		{p.Max, func(n int64) { in.Max = n }},
		{p.MinLength, func(n int64) { in.MinLength = int(n) }},
		{p.MaxLength, func(n int64) { in.MaxLength = int(n) }},
	} {
		if bound.said != nil {
			bound.set(int64(*bound.said))
		}
	}
	if p.Pattern != nil {
		// One that Go does not read is for the server to check.
		in.Pattern, _ = regexp.Compile(*p.Pattern)
	}
	for _, v := range append(p.Values, p.OtherValues...) {
		in.addValue(v.Name, v.Description)
	}
	if kind == tool.TypeEnum && in.Values == nil {
		return Input{}, fmt.Errorf("input %s is an enum without values", tool.Quote(p.Name))
	}
	in.Default = plainDefault(kind, p.Default)
	return in, nil
}

func (in *Input) addValue(name, text string) {
	in.Values = append(in.Values, name)
	if text != "" {
		if in.Texts == nil {
			in.Texts = map[string]string{}
		}
		in.Texts[name] = text
	}
}

// plainDefault reads a default of the type, nil for one of another.
func plainDefault(kind tool.Type, raw json.RawMessage) any {
	switch kind {
	case tool.TypeInt:
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
			return n
		}
	case tool.TypeBoolean:
		if b, err := strconv.ParseBool(string(raw)); err == nil {
			return b
		}
	case tool.TypeString, tool.TypeEnum:
		var text *string
		if json.Unmarshal(raw, &text) == nil && text != nil {
			return *text
		}
	}
	return nil
}

func (p *parameter) output() Output {
	kind, known := parameterTypes[strings.ToLower(p.Type)]
	if !known {
		kind = tool.TypeJSON
	}
	out := Output{Description: p.Description, OutputSlot: tool.OutputSlot{ID: p.ID, Name: p.Name, Type: kind, Optional: p.Required != nil && !*p.Required}}
	for _, v := range append(p.Values, p.OtherValues...) {
		out.Values = append(out.Values, v.Name)
	}
	return out
}
