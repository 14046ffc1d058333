package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// bounds says what an input accepts besides its type.
func bounds(in signature.Input) string {
	switch in.Type {
	case signature.String:
		s := fmt.Sprintf("%d to %d characters", in.MinLength, in.MaxLength)
		if in.MinLength == 0 {
			s = fmt.Sprintf("at most %d characters", in.MaxLength)
		}
		if in.Pattern != "" {
			s += ", matches " + code(in.Pattern)
		}
		return s
	case signature.Int:
		return fmt.Sprintf("%d to %d", in.Min, in.Max)
	case signature.Enum:
		return "see below"
	}
	return ""
}

// headers are the inputs that clients of MCP repeat in headers.
func headers(inputs []signature.Input) []signature.Input {
	var out []signature.Input
	for _, in := range inputs {
		if in.MCPHeader != "" {
			out = append(out, in)
		}
	}
	return out
}

func defaultValue(in signature.Input) string {
	if in.Default == nil && in.Required {
		return ""
	}
	if in.Default == nil {
		return "nothing"
	}
	if s, ok := in.Default.(string); ok && s == "" {
		return "empty text"
	}
	return code(fmt.Sprint(in.Default))
}

// outputType names the type as A2T does, and what is inside of json.
func outputType(o signature.Output) string {
	if o.Type != signature.JSON || o.Schema == nil {
		return string(o.Type)
	}
	return "json: " + code(o.Schema.String())
}

// The facts of a page that are not among the effects of the tool.
var (
	endFacts  = []string{"deprecated", "sunset", "replacement"}
	needFacts = []string{"credentials", "permissions", "tools_before", "conditions"}
	ownPart   = append([]string{"when_to_use"}, append(endFacts, needFacts...)...)
)

// effects says in words what a call may do; the first sentence is the most
// important one.
func effects(s *signature.Signature) []string {
	var out []string
	if s.Effects.ReadOnly {
		out = append(out, "Reads only.")
	} else {
		out = append(out, "Changes data.")
		if s.Effects.Destructive {
			out[0] = "Changes data and may destroy some." // the list of tools shows this much
		}
		if s.Effects.Idempotent {
			out = append(out, "A second call with the same inputs changes nothing more.")
		}
		if s.Effects.Reversible {
			out = append(out, "What it does can be undone.")
		}
	}
	return append(out, facts(s, func(id string) bool { return !slices.Contains(ownPart, id) })...)
}

// ends says that the tool is about to end; needs what it wants of its caller.
func ends(s *signature.Signature) string {
	return strings.Join(facts(s, func(id string) bool { return slices.Contains(endFacts, id) }), " ")
}

func needs(s *signature.Signature) []string {
	return facts(s, func(id string) bool { return slices.Contains(needFacts, id) })
}

// facts are the sentences of the facts that the tool has.
func facts(s *signature.Signature, wanted func(id string) bool) []string {
	var out []string
	for _, f := range signature.ToolFacts {
		if said := f.Of(s); said != "" && wanted(f.ID) {
			out = append(out, text(said))
		}
	}
	return out
}

// address is where `sculpt preview` and generated programs listen by default.
const address = "http://127.0.0.1:8080"

// curl is a call over A2T for a POSIX shell.
func curl(id string, e signature.Example) string {
	type parameter struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	body := struct {
		Inputs []parameter `json:"input_parameters"`
	}{Inputs: []parameter{}}
	for _, name := range slices.Sorted(maps.Keys(e.Inputs)) {
		body.Inputs = append(body.Inputs, parameter{name, e.Inputs[name]})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		panic("docs: " + err.Error()) // texts, numbers and booleans always encode
	}
	data := strings.ReplaceAll(strings.TrimSpace(b.String()), "'", `'\''`)
	return fence("sh", "curl "+address+"/a2t/tools/"+id+":invoke \\\n  -H 'Content-Type: application/json' -d '"+data+"'")
}
