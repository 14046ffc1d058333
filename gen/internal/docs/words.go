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
	if in.Default == nil {
		return ""
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

// effects says in words what a call may do; the first sentence is the most
// important one.
func effects(e effectsOf) []string {
	if e.ReadOnly {
		return append([]string{"Reads only."}, expense(e)...)
	}
	out := []string{"Changes data."}
	if e.Destructive {
		out[0] = "Changes data and may destroy some."
	}
	say := func(on bool, yes, no string) {
		if on {
			out = append(out, yes)
		} else {
			out = append(out, no)
		}
	}
	say(e.Idempotent, "A second call with the same inputs changes nothing more.", "Every call changes something again.")
	say(e.Reversible, "What it does can be undone.", "What it does cannot be undone.")
	for _, l := range []struct {
		word  string
		items []string
	}{{"Creates", e.notes.Creates}, {"Modifies", e.notes.Modifies}, {"Deletes", e.notes.Deletes}} {
		var things []string
		for _, thing := range l.items {
			things = append(things, code(thing))
		}
		if len(things) > 0 {
			out = append(out, l.word+" "+strings.Join(things, ", ")+".")
		}
	}
	return append(out, expense(e)...)
}

// expense says what a call takes of money and time.
func expense(e effectsOf) []string {
	var out []string
	if e.Billable {
		out = append(out, "A call may cost money.")
	}
	switch e.notes.Cost {
	case "":
	case "free":
		out = append(out, "A call is free.")
	default:
		out = append(out, "The cost of a call is "+text(e.notes.Cost)+".")
	}
	if e.notes.Typical != "" {
		out = append(out, "A call mostly takes "+code(e.notes.Typical)+".")
	}
	return out
}

// needs lists what a caller must bring.
func needs(n signature.Needs) []string {
	var out []string
	if n.UserID {
		out = append(out, "The id of the user.")
	}
	for _, l := range []struct {
		what string
		list []string
	}{{"The secret", n.Secrets}, {"A token of the provider", n.Tokens}, {"The claim", n.Claims}} {
		for _, id := range l.list {
			out = append(out, l.what+" "+code(id)+".")
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
