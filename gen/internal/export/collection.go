package export

import (
	"fmt"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

var ruleLeftOut = diag.ID("left-out")

// A collection is one document that holds the newest version of every tool,
// as a request to a model wants them.
type collection struct {
	name string
	// before and after stand around the tools, each on a line of its own.
	before, after string
	render        func(tool) value
	column        *column
	limits        limits
}

// collections lists the function formats, in the order of their files.
var collections = []collection{
	{"openai/chat.json", "[", "]", openaiChat, openaiColumn, limits{}},
	{"openai/chat-strict.json", "[", "]", openaiChatStrict, openaiStrictColumn, openaiStrictLimits},
	{"openai/responses.json", "[", "]", openaiResponses, openaiColumn, limits{}},
	{"openai/responses-strict.json", "[", "]", openaiResponsesStrict, openaiStrictColumn, openaiStrictLimits},
	{"gemini/parameters.json", `{"functionDeclarations":[`, "]}", geminiParameters, geminiColumn, limits{}},
	{"gemini/json-schema.json", `{"functionDeclarations":[`, "]}", geminiJSONSchema, geminiJSONColumn, limits{}},
	{"anthropic/tools.json", "[", "]", anthropicTool, anthropicColumn, limits{}},
	{"anthropic/tools-strict.json", "[", "]", anthropicStrict, anthropicStrictColumn, limits{tools: 20, optional: 24}},
}

// limits are what a provider refuses beyond what check refuses for all; 0 is
// no limit. Names are not among them: those of A2T fit everywhere.
type limits struct {
	// properties and enumValues count over one tool, characters over the
	// names of both. A single enum of more than longEnum values has at most
	// longEnumCharacters. A tool beyond one of these would make a whole
	// request fail, so it is left out.
	properties, enumValues, characters int
	longEnum, longEnumCharacters       int
	// tools and optional, the optional inputs of all tools, count over one
	// request.
	tools, optional int
}

// openaiStrictLimits are those of strict mode, of which every input is one
// property and nothing is nested.
var openaiStrictLimits = limits{
	properties: 5000, enumValues: 1000, characters: 120_000, longEnum: 250, longEnumCharacters: 15_000,
}

// beyond says why a tool cannot be in a request, "" if it can.
func (l *limits) beyond(s *signature.Signature) string {
	values, all := 0, 0
	for _, in := range s.Inputs {
		all += len(in.Name)
		own := 0
		for _, v := range in.Values {
			own += len(v.Name)
		}
		if l.longEnum > 0 && len(in.Values) > l.longEnum && own > l.longEnumCharacters {
			return fmt.Sprintf("the %d values of input %s have %d characters, at most %d are allowed", len(in.Values), in.Name, own, l.longEnumCharacters)
		}
		values, all = values+len(in.Values), all+own
	}
	for _, c := range []struct {
		what      string
		has, most int
	}{
		{"inputs", len(s.Inputs), l.properties},
		{"values of enums", values, l.enumValues},
		{"characters in the names of inputs and values", all, l.characters},
	} {
		if c.most > 0 && c.has > c.most {
			return fmt.Sprintf("it has %d %s, at most %d are allowed", c.has, c.what, c.most)
		}
	}
	return ""
}

// document renders the newest versions, one on each line: so a version control
// system shows what changed, and can merge it.
func (c *collection) document(tools []tool) (File, diag.List) {
	var findings diag.List
	b := []byte(c.before)
	comma := false
	for _, t := range tools {
		if t.Version != t.current {
			continue
		}
		if why := c.limits.beyond(t.Signature); why != "" {
			findings.Add(diag.Finding{Rule: ruleLeftOut, Severity: diag.Warning, Tool: t.Name, Fix: "use fewer of them, or leave the format to other tools",
				Message: fmt.Sprintf("tool %s is left out of %s: %s", t.Name, c.name, why)})
			continue
		}
		if comma {
			b = append(b, ',')
		}
		b, comma = appendJSON(append(b, '\n'), c.render(c.column.told(t))), true
	}
	if comma {
		b = append(b, '\n')
	}
	return File{c.name, append(append(b, c.after...), '\n')}, findings
}

// Advice says what a user of the document of a name should know: texts that
// are shortened, and more tools than one request may have. That depends on
// which tools of the document are sent, so Documents does not report it.
// The findings are warnings; a name without limits has none.
func Advice(name string, sigs []*signature.Signature) diag.List {
	var findings diag.List
	warn := func(tool, fix, format string, args ...any) {
		findings.Add(diag.Finding{Rule: ruleLong, Severity: diag.Warning, Tool: tool, Fix: fix, Message: fmt.Sprintf(format, args...)})
	}
	for _, c := range collections {
		if c.name != name {
			continue
		}
		count, optional := 0, 0
		for _, t := range sorted(sigs) {
			if t.Version != t.current || c.limits.beyond(t.Signature) != "" {
				continue
			}
			count++
			optional += len(t.Inputs) - len(requiredNames(t.Inputs))
			if n := c.column.excess(t); n > 0 {
				warn(t.Name, "shorten the description", "%s: the description of tool %s is cut: with what else is said of it, it has %d characters, at most %d are allowed",
					name, t.Name, n, c.column.most)
			}
		}
		if most := c.limits.tools; most > 0 && count > most {
			warn("", "send the tools that the conversation needs", "%s has %d tools, a request may have %d", name, count, most)
		}
		if most := c.limits.optional; most > 0 && optional > most {
			warn("", "send the tools that the conversation needs", "the tools of %s have %d optional inputs, those of a request may have %d", name, optional, most)
		}
	}
	return findings
}
