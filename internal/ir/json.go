package ir

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Format is the number of the JSON form that [Program.JSON] writes; its schema
// is docs/ir.schema.json. Members are added under the same number.
const Format = 1

// JSON writes the program, plans included, for the vendor's own tools: it
// tells what callers must not know, so nothing ever serves it. The same
// program gives the same bytes, wherever its folder lies: positions carry base
// names, and of credentials there is the name of their source only.
func (p *Program) JSON() []byte {
	doc := programDoc{Format: Format, Package: p.Package, Toolkit: p.Toolkit, Title: p.Title, Description: p.Description,
		Env: []envDoc{}, APIs: []apiDoc{}, Constants: []constantDoc{}, Tools: []toolDoc{}}
	for _, e := range p.Env {
		d := envDoc{Name: e.Name, Description: e.Description}
		if e.HasDefault {
			d.Default = &e.Default
		}
		doc.Env = append(doc.Env, d)
	}
	for _, a := range p.APIs {
		doc.APIs = append(doc.APIs, apiOf(a))
	}
	for _, c := range p.Constants {
		doc.Constants = append(doc.Constants, constantDoc{c.Name, c.Type.String(), c.Value})
	}
	for _, t := range p.Tools {
		doc.Tools = append(doc.Tools, toolOf(t))
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(doc); err != nil {
		panic("ir: " + err.Error()) // plain data always encodes
	}
	return b.Bytes()
}

// MarshalJSON implements json.Marshaler: the entries in file order.
func (m Map) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, key := range m.Keys {
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

type programDoc struct {
	Format      int           `json:"format"`
	Package     string        `json:"package"`
	Toolkit     string        `json:"toolkit"`
	Title       string        `json:"title,omitempty"`
	Description string        `json:"description,omitempty"`
	Env         []envDoc      `json:"env"`
	APIs        []apiDoc      `json:"apis"`
	Constants   []constantDoc `json:"constants"`
	Tools       []toolDoc     `json:"tools"`
}

type envDoc struct {
	Name        string  `json:"name"`
	Description string  `json:"description,omitempty"`
	Default     *string `json:"default,omitempty"`
}

type apiDoc struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	BaseURL     string          `json:"base_url,omitempty"`
	Headers     []headerDoc     `json:"headers,omitempty"`
	Credentials []credentialDoc `json:"credentials,omitempty"`
	Timeout     string          `json:"timeout,omitempty"`
	Attempts    int             `json:"attempts,omitempty"`
}

type headerDoc struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type credentialDoc struct {
	Scheme string `json:"scheme"`
	Type   string `json:"type"`
	// Source is env:NAME, file:PATH or caller.
	Source string `json:"source"`
}

type constantDoc struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value any    `json:"value"`
}

func apiOf(a *API) apiDoc {
	d := apiDoc{Name: a.Name, Title: a.Title, BaseURL: a.BaseURL, Timeout: duration(a.Timeout), Attempts: a.Attempts}
	for _, h := range a.Headers {
		var text strings.Builder
		for _, part := range h.Parts {
			text.WriteString(part.Text)
			if part.Env != "" {
				text.WriteString("${env." + part.Env + "}")
			}
		}
		d.Headers = append(d.Headers, headerDoc{h.Name, text.String()})
	}
	for _, c := range a.Credentials {
		source := "caller"
		switch {
		case c.Env != "":
			source = "env:" + c.Env
		case c.File != "":
			source = "file:" + c.File
		}
		d.Credentials = append(d.Credentials, credentialDoc{c.Scheme.Name, c.Scheme.Type, source})
	}
	return d
}

// duration is "" for none, as Go writes it otherwise.
func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

type toolDoc struct {
	// Signature and Contract are the two halves of a release record.
	Signature json.RawMessage `json:"signature"`
	Contract  json.RawMessage `json:"contract"`
	Released  []int           `json:"released"`
	At        string          `json:"at"`
	Notes     notesDoc        `json:"notes"`
	Plan      planDoc         `json:"plan"`
}

type planDoc struct {
	Deadline string        `json:"deadline,omitempty"`
	Budget   budgetDoc     `json:"budget"`
	Inputs   []inputDoc    `json:"inputs"`
	Regions  [][]branchDoc `json:"regions"`
	Steps    []stepDoc     `json:"steps"`
	Lets     []letDoc      `json:"lets"`
	Outputs  []outputDoc   `json:"outputs"`
}

type budgetDoc struct {
	Calls    int    `json:"calls"`
	Attempts int    `json:"attempts"`
	Time     string `json:"time,omitempty"`
}

// An inputDoc is what the signature does not say of an input.
type inputDoc struct {
	Name string            `json:"name"`
	Send map[string]string `json:"send,omitempty"`
}

// A branchDoc names its steps, and the branches of its region before it by
// their numbers.
type branchDoc struct {
	Steps []string `json:"steps"`
	After []int    `json:"after,omitempty"`
}

type exprDoc struct {
	Text string `json:"text"`
	Type string `json:"type"`
	At   string `json:"at"`
}

type letDoc struct {
	Name  string   `json:"name"`
	Value *exprDoc `json:"value"`
}

type outputDoc struct {
	Name      string            `json:"name"`
	Type      string            `json:"type"`
	Value     *exprDoc          `json:"value"`
	Optional  bool              `json:"optional,omitempty"`
	MaxItems  int               `json:"max_items,omitempty"`
	MaxLength int               `json:"max_length,omitempty"`
	Enum      map[string]string `json:"enum,omitempty"`
	Fallback  string            `json:"fallback,omitempty"`
}

func toolOf(t *Tool) toolDoc {
	d := toolDoc{Signature: t.Signature.Canonical(), Contract: t.Signature.Contract(nil), Released: []int{}, At: position(t.Span), Notes: notesOf(t.Signature), Plan: planOf(t.Plan)}
	for _, s := range t.Released {
		d.Released = append(d.Released, s.Version)
	}
	return d
}

// position is file:line:col without the folder.
func position(s diag.Span) string {
	s.File = path.Base(s.File)
	return s.String()
}

func exprOf(e *Expr) *exprDoc {
	if e == nil {
		return nil
	}
	return &exprDoc{strings.TrimSpace(e.Text), e.Term.Type.String(), position(e.At(0))}
}

func planOf(p *Plan) planDoc {
	d := planDoc{
		Deadline: duration(p.Deadline), Budget: budgetDoc{p.Budget.Calls, p.Budget.Attempts, duration(p.Budget.Time)},
		Inputs: []inputDoc{}, Regions: [][]branchDoc{}, Steps: []stepDoc{}, Lets: []letDoc{}, Outputs: []outputDoc{},
	}
	for _, in := range p.Inputs {
		d.Inputs = append(d.Inputs, inputDoc{in.Name, in.Send})
	}
	for _, region := range p.Regions {
		d.Regions = append(d.Regions, regionOf(region))
	}
	for _, s := range p.Steps {
		d.Steps = append(d.Steps, stepOf(s))
	}
	for _, l := range p.Lets {
		d.Lets = append(d.Lets, letDoc{l.Name, exprOf(l.Expr)})
	}
	for _, out := range p.Outputs {
		o := outputDoc{Name: out.Name, Type: out.Type.String(), Value: exprOf(out.Expr), Optional: out.Optional,
			MaxItems: out.MaxItems, MaxLength: out.MaxLength, Fallback: out.Fallback}
		for _, v := range out.Enum {
			if o.Enum == nil {
				o.Enum = map[string]string{}
			}
			o.Enum[v.Wire] = v.Name
		}
		d.Outputs = append(d.Outputs, o)
	}
	return d
}

func regionOf(region []*Branch) []branchDoc {
	list := []branchDoc{}
	for _, branch := range region {
		d := branchDoc{Steps: []string{}}
		for _, s := range branch.Steps {
			d.Steps = append(d.Steps, s.ID)
		}
		for _, before := range branch.After {
			d.After = append(d.After, slices.Index(region, before))
		}
		list = append(list, d)
	}
	return list
}

// statusOf is the status of an error case as a manifest writes it.
func statusOf(c *ErrorCase) string {
	status := "default"
	switch {
	case c.Class:
		status = strconv.Itoa(c.Status) + "xx"
	case c.Status != 0:
		status = strconv.Itoa(c.Status)
	}
	if c.Problem != "" {
		status += " " + c.Problem
	}
	return status
}
