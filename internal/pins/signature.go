package pins

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Canonical writes what a tool promised: its description as it was read, with the
// members of objects in the order of their names, and without what a released
// version may change (A2T 6.1): which version is the newest, notes, and what is
// announced of its end.
func Canonical(t *client.Tool) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(t.Document))
	d.UseNumber()
	var doc map[string]any
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	if t.Protocol == client.ProtocolA2T || t.Protocol == client.ProtocolNACT {
		lock(doc, t)
	}
	return encode(doc)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// lock leaves out of a document of A2T what no version locks.
func lock(doc map[string]any, t *client.Tool) {
	delete(doc, "currentVersion")
	delete(doc, "prerequisites")
	delete(doc, "deprecated")
	if effects, ok := doc["effects"].(map[string]any); ok {
		for name, v := range effects {
			if _, is := v.(bool); !is {
				delete(effects, name)
			}
		}
	}
	end := signature.Deprecation{Since: t.Deprecated, Sunset: t.Sunset, Use: t.Use}
	if text, ok := doc["description"].(string); ok && end != (signature.Deprecation{}) {
		doc["description"] = strings.TrimSpace(strings.Replace(text, end.Words(), "", 1))
	}
}

// digest names a canonical description.
func digest(document []byte) string {
	sum := sha256.Sum256(document)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// signatureOf is a tool of any server as package compat compares it.
func signatureOf(t *client.Tool) *signature.Signature {
	s := &signature.Signature{
		ID: t.ID, Name: t.Name, Title: t.Title, Description: description(t), Version: t.Version, Tags: t.Tags,
		Needs: signature.Needs{UserID: t.Needs.UserID, Secrets: t.Needs.Secrets, Tokens: t.Needs.Tokens},
	}
	switch e := t.Effects; {
	case e != nil:
		s.Effects = signature.Effects{ReadOnly: e.ReadOnly, Idempotent: e.Idempotent, Destructive: e.Destructive, Reversible: e.Reversible, Billable: e.Billable}
	default: // silence promises nothing; MCP has no word for money
		s.Effects = signature.Effects{Destructive: true, Billable: t.Protocol != client.ProtocolMCP}
	}
	return s
}

func description(t *client.Tool) string {
	end := signature.Deprecation{Since: t.Deprecated, Sunset: t.Sunset, Use: t.Use}
	if end == (signature.Deprecation{}) {
		return t.Description
	}
	return strings.TrimSpace(strings.Replace(t.Description, end.Words(), "", 1))
}

// withParameters adds inputs and outputs, which A2T states in the types that
// package compat knows.
func withParameters(s *signature.Signature, t *client.Tool) *signature.Signature {
	types := map[tool.Type]signature.Type{
		tool.TypeString: signature.String, tool.TypeInt: signature.Int, tool.TypeBoolean: signature.Boolean, tool.TypeEnum: signature.Enum,
	}
	kind := func(t tool.Type) signature.Type {
		if word, ok := types[t]; ok {
			return word
		}
		return signature.JSON
	}
	for i := range t.Inputs {
		in := &t.Inputs[i]
		one := signature.Input{
			ID: in.ID, Name: in.Name, Type: kind(in.Type), Description: in.Description, Required: in.Required, Default: in.Default,
			MinLength: in.MinLength, MaxLength: in.MaxLength, Min: in.Min, Max: in.Max,
		}
		if one.MaxLength == 0 {
			one.MaxLength = math.MaxInt32
		}
		if in.Pattern != nil {
			one.Pattern = in.Pattern.String()
		}
		for _, v := range in.Values {
			one.Values = append(one.Values, signature.Value{Name: v, Text: in.Texts[v]})
		}
		s.Inputs = append(s.Inputs, one)
	}
	for i := range t.Outputs {
		out := &t.Outputs[i]
		one := signature.Output{ID: out.ID, Name: out.Name, Type: kind(out.Type), Description: out.Description, Optional: out.Optional}
		for _, v := range out.Values {
			one.Values = append(one.Values, signature.Value{Name: v})
		}
		s.Outputs = append(s.Outputs, one)
	}
	return s
}

// schemas are those of the arguments and of the answer, for protocols that have
// them.
func schemas(t *client.Tool) (input, output json.RawMessage) {
	var doc struct {
		MCPInput  json.RawMessage `json:"inputSchema"`
		MCPOutput json.RawMessage `json:"outputSchema"`
		OTCInput  json.RawMessage `json:"input_schema"`
		OTCOutput json.RawMessage `json:"output_schema"`
	}
	_ = json.Unmarshal(t.Document, &doc) // it was read before
	if t.Protocol == client.ProtocolMCP {
		return doc.MCPInput, doc.MCPOutput
	}
	var wrapped struct{ Parameters json.RawMessage }
	if json.Unmarshal(doc.OTCInput, &wrapped) == nil && len(wrapped.Parameters) > 0 {
		return wrapped.Parameters, doc.OTCOutput
	}
	return doc.OTCInput, doc.OTCOutput
}

// retold lists the texts inside of a description that changed, by their place: they
// tell a model how to fill in inputs. Those of the tool itself are not among them.
func retold(was, is *client.Tool) []string {
	before, now := map[string]string{}, map[string]string{}
	for into, t := range map[*map[string]string]*client.Tool{&before: was, &now: is} {
		var doc map[string]any
		_ = json.Unmarshal(t.Document, &doc) // it was read before
		for name, v := range doc {
			collect(v, name, *into)
		}
	}
	var places []string
	for at, text := range before {
		if other, kept := now[at]; kept && other != text && strings.Contains(at, ".") {
			places = append(places, at)
		}
	}
	slices.Sort(places)
	return places
}

// collect finds the texts for models in a part of a description.
func collect(v any, at string, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			collect(one, at+"."+name, into)
		}
	case []any:
		for i, one := range v {
			collect(one, fmt.Sprintf("%s[%d]", at, i), into)
		}
	case string:
		if strings.HasSuffix(at, "description") || strings.HasSuffix(at, "title") {
			into[at] = v
		}
	}
}
