package ir

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// Format is the number of the JSON form that [Program.JSON] writes; its schema
// is docs/ir.schema.json. Members are added under the same number.
const Format = 1

// JSON writes the program, plans included, for the vendor's own tools: it
// tells what callers must not know, so nothing ever serves it. The same
// program gives the same bytes, wherever its folder lies: positions carry base
// names, and of credentials there is the name of their source only.
//
// What is written follows from the tags of the types; [shown] knows those
// whose JSON is another value.
func (p *Program) JSON() []byte {
	return render(struct {
		Format   int `json:"format"`
		*Program `json:",inline"`
	}{Format, p})
}

// shown is the value that JSON has for another one, or false for those that it
// has as they are.
func shown(v any) (any, bool) {
	switch v := v.(type) {
	case *Tool:
		return tool(v), true
	case HeaderParts:
		return v.String(), true
	case Source:
		return v.String(), true
	case Regions:
		return branches(v), true
	case StepIDs:
		return ids(v), true
	case *Expr:
		return expression{strings.TrimSpace(v.Text), v.Term.Type, v.At(0)}, true
	case *Body:
		return body(v), true
	case Case:
		return status(v), true
	case EnumValue:
		return v.Name, true
	case time.Duration:
		return v.String(), true
	case diag.Span:
		v.File = path.Base(v.File)
		return v.String(), true // without the folder
	case *types.Type:
		return v.String(), true
	}
	return nil, false
}

type expression struct {
	Text string      `json:"text"`
	Type *types.Type `json:"type"`
	At   diag.Span   `json:"at"`
}

func tool(t *Tool) any {
	s := t.Signature
	released := []int{}
	for _, r := range t.Released {
		released = append(released, r.Version)
	}
	headers := map[string]string{}
	for i := range s.Inputs {
		if in := &s.Inputs[i]; in.MCPHeader != "" {
			headers[in.Name] = in.MCPHeader
		}
	}
	// Notes are published and not locked. Signature and contract are the two
	// halves of the record of a release.
	type notes struct {
		*signature.Notes `json:",inline"`
		MCPHeaders       map[string]string `json:"mcp_headers,omitempty"`
		Deadline         time.Duration     `json:"deadline"`
	}
	return struct {
		Signature json.RawMessage `json:"signature"`
		Contract  json.RawMessage `json:"contract"`
		Released  []int           `json:"released"`
		At        diag.Span       `json:"at"`
		Notes     notes           `json:"notes"`
		Plan      *Plan           `json:"plan"`
	}{s.Canonical(), s.Contract(nil), released, t.Span, notes{&s.Notes, headers, s.Notes.Deadline}, t.Plan}
}

// String is as auth: of an api writes it, or a sentence for a token endpoint.
func (s Source) String() string {
	switch {
	case s.Env != "":
		return "env:" + s.Env
	case s.File != "":
		return "file:" + s.File
	case s.Grant != nil:
		g := s.Grant
		text := g.Type + " of " + g.TokenURL + " for env:" + strings.Join(s.Variables(), " env:")
		if len(g.Scopes) > 0 {
			text += " scopes " + strings.Join(g.Scopes, " ")
		}
		if g.Audience != "" {
			text += " audience " + g.Audience
		}
		if g.AuthorizationURL != "" {
			text += " agreed to at " + g.AuthorizationURL
		}
		if g.Issuer != "" {
			text += " issued by " + g.Issuer
		}
		if g.InBody {
			text += " in the body"
		}
		return text
	}
	return "caller"
}

// A branch names its steps, and the branches of its region before it by their
// numbers.
type branch struct {
	Steps StepIDs `json:"steps"`
	After []int   `json:"after,omitempty"`
}

func branches(regions Regions) [][]branch {
	var out [][]branch
	for _, region := range regions {
		var list []branch
		for _, b := range region {
			one := branch{Steps: b.Steps}
			for _, before := range b.After {
				one.After = append(one.After, slices.Index(region, before))
			}
			list = append(list, one)
		}
		out = append(out, list)
	}
	return out
}

func ids(steps StepIDs) []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.ID)
	}
	return out
}

// body has the kind of a body at every node: an expression could look like a
// literal otherwise.
func body(b *Body) map[string]any {
	switch {
	case b.IsNull:
		return map[string]any{"kind": "null"}
	case b.IsObject:
		return map[string]any{"kind": "object", "members": b.Members}
	case b.IsList:
		return map[string]any{"kind": "list", "items": b.Items}
	}
	return map[string]any{"kind": "value", "value": b.Expr}
}

// status is as a manifest writes it.
func status(c Case) string {
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
