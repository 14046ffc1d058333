package export

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A column says how one format tells the facts of a tool. A fact without a cell
// is told in words, so that no format is silent about a new one.
type column struct {
	// name is that of the format, for tables.
	name string
	// most is the longest description of a tool, mostInput that of an input; 0
	// is no limit.
	most, mostInput int
	// flags says dangers in the words of ATIP 0.6 (its rules of translation).
	flags bool
	// null says that an optional input is left out by writing null.
	null bool
	// cells are by the ids of facts.
	cells map[string]cell
}

// A cell is one way, or several, to tell a fact.
type cell struct {
	// native is a member of the format, ours an extension: the path from the
	// tool, or from the input for facts of inputs.
	native, ours string
	words        bool
}

// cells joins sets of cells; later ones win.
func cells(sets ...map[string]cell) map[string]cell {
	all := map[string]cell{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return all
}

// Facts of inputs that JSON Schema has a word for.
var schemaCells = map[string]cell{
	"choices": {native: "enum"}, "range": {native: "minimum"}, "length": {native: "maxLength"}, "pattern": {native: "pattern"},
	"default": {native: "default"}, "omitted": {native: "required"},
}

// Every provider reads enums and what is required.
var functionCells = map[string]cell{"choices": {native: "enum"}, "omitted": {native: "required"}}

// The columns of the table. N-ACT serves the documents of A2T, OXP those of OTC.
var (
	a2tColumn = &column{name: "A2T, N-ACT", most: mostDescription, mostInput: mostDescription, cells: map[string]cell{
		"creates": {ours: "effects.creates"}, "modifies": {ours: "effects.modifies"}, "deletes": {ours: "effects.deletes"},
		"tools_before": {ours: "prerequisites.tools"}, "conditions": {ours: "prerequisites.conditions"},
		"credentials": {ours: "prerequisites.permissions"}, "permissions": {ours: "prerequisites.permissions"},
		"cost": {ours: "effects.cost"}, "duration": {ours: "effects.duration"},
		"deprecated": {ours: "deprecated.since", words: true}, "sunset": {ours: "deprecated.sunset", words: true},
		"replacement": {ours: "deprecated.use", words: true},
		"destructive": {ours: "effects.destructive", words: true}, "irreversible": {ours: "effects.irreversible", words: true},
		"repeated": {ours: "effects.idempotent", words: true}, "billable": {ours: "effects.billable", words: true},
		"values": {native: "allowed-values"}, "choices": {native: "allowed-values"}, "range": {native: "min"},
		"length": {native: "maxLength", ours: "minLength"}, "omitted": {native: "required"},
		"default": {ours: "default", words: true}, "pattern": {ours: "pattern", words: true},
	}}
	otcColumn   = &column{name: "OTC, OXP", cells: cells(schemaCells, map[string]cell{"credentials": {native: "requirements"}})}
	basicColumn = &column{name: "ATDF basic", cells: map[string]cell{"when_to_use": {native: "when_to_use"}}}
	fullColumn  = &column{name: "ATDF enhanced", cells: map[string]cell{
		"when_to_use": {native: "when_to_use"}, "tools_before": {native: "prerequisites.tools"}, "conditions": {native: "prerequisites.conditions"},
		"credentials": {native: "prerequisites.permissions"}, "permissions": {native: "prerequisites.permissions"},
		"choices": {native: "schema.enum"}, "range": {native: "schema.minimum"}, "length": {native: "schema.maxLength"},
		"pattern": {native: "schema.pattern"}, "default": {native: "schema.default"}, "omitted": {native: "required"},
		"deprecated": {ours: "metadata.deprecated.since", words: true}, "sunset": {ours: "metadata.deprecated.sunset", words: true},
		"replacement": {ours: "metadata.deprecated.use", words: true},
	}}
	// Models do not see annotations, so the words are there too.
	mcpColumn = &column{name: "MCP", cells: cells(schemaCells, map[string]cell{
		"destructive": {native: "annotations.destructiveHint", words: true}, "repeated": {native: "annotations.idempotentHint", words: true},
	})}
	leanColumn = &column{name: "MCP, lean", cells: schemaCells}
	atipColumn = &column{name: "ATIP", cells: map[string]cell{
		"creates": {native: "effects.creates"}, "modifies": {native: "effects.modifies"}, "deletes": {native: "effects.deletes"},
		"cost": {native: "effects.cost.estimate"}, "duration": {native: "effects.duration.typical"},
		"deprecated":  {ours: "x-deprecated", words: true},
		"destructive": {native: "effects.destructive"}, "irreversible": {native: "effects.reversible"}, "repeated": {native: "effects.idempotent"},
		"billable": {native: "effects.cost.billable"}, "choices": {native: "enum"}, "default": {native: "default"}, "omitted": {native: "required"},
	}}
	openaiColumn       = &column{name: "OpenAI", most: goodDescription, flags: true, cells: functionCells}
	openaiStrictColumn = &column{name: "OpenAI, strict", most: goodDescription, flags: true, null: true, cells: map[string]cell{
		"choices": {native: "enum"}, "range": {native: "minimum"}, "pattern": {native: "pattern"}, "omitted": {native: "type", words: true},
	}}
	geminiColumn          = &column{name: "Gemini", flags: true, cells: cells(functionCells, map[string]cell{"range": {native: "minimum"}})}
	geminiJSONColumn      = &column{name: "Gemini, JSON Schema", flags: true, cells: schemaCells}
	anthropicColumn       = &column{name: "Anthropic", flags: true, cells: schemaCells}
	anthropicStrictColumn = &column{name: "Anthropic, strict", flags: true, cells: functionCells}
	openapiColumn         = &column{name: "OpenAPI", flags: true, cells: cells(schemaCells, map[string]cell{"deprecated": {native: "deprecated", words: true}})}
)

// columns lists them in the order of tables.
var columns = []*column{
	a2tColumn, otcColumn, basicColumn, fullColumn, mcpColumn, leanColumn, atipColumn, openaiColumn, openaiStrictColumn,
	geminiColumn, geminiJSONColumn, anthropicColumn, anthropicStrictColumn, openapiColumn,
}

// inWords reports whether the words of a fact are said.
func (c *column) inWords(id string) bool {
	cell, ok := c.cells[id]
	return !ok || cell.words
}

// told returns the tool with descriptions that say what the format has no
// member for, and what must be read as well as known.
func (c *column) told(t tool) tool {
	s := *t.Signature
	s.Description = c.describe(s.Description, t.Signature, c.most)
	if c.inWords("when_to_use") {
		s.WhenToUse = ""
	}
	s.Notes.Localization = slices.Clone(s.Notes.Localization)
	for i := range s.Notes.Localization {
		l := &s.Notes.Localization[i]
		l.Description = c.describe(l.Description, t.Signature, c.most)
	}
	s.Inputs = slices.Clone(s.Inputs)
	for i := range s.Inputs {
		s.Inputs[i].Description = c.describeInput(&t.Inputs[i])
	}
	return tool{&s, t.current}
}

// describe adds the facts of a tool to a text, dangers at the end. Where all is
// longer than most characters the text of the vendor gives way: it is cut at a
// word. A lint that refused it instead would refuse a released text for a note
// that was added later, or for a longer word of a newer sculpt; it warns. What
// else has no limit of its own keeps to a part.
func (c *column) describe(text string, s *signature.Signature, most int) string {
	when := ""
	if c.inWords("when_to_use") && !strings.HasSuffix(s.Description, s.WhenToUse) {
		when = signature.UseWhen(s.WhenToUse)
	}
	notes, dangers := c.words(s)
	if all := described(text, when, notes, dangers); most == 0 || length(all) <= most {
		return all
	}
	when, notes = clipped(when, most/4), clipped(notes, most/2)
	rest := length(when) + length(notes) + length(dangers)
	return described(clipped(text, most-rest-4), when, notes, dangers) // three blanks and a full stop
}

func described(text, when, notes, dangers string) string {
	text = signature.Sentences(text, when, notes)
	if strings.HasPrefix(dangers, "[") {
		return strings.TrimSpace(text + " " + dangers)
	}
	return signature.Sentences(text, dangers)
}

// words are the sentences about a tool, with those about dangers apart.
func (c *column) words(s *signature.Signature) (notes, dangers string) {
	var calm, alarm, flags []string
	for i := range signature.ToolFacts {
		f := &signature.ToolFacts[i]
		switch words := c.sayTool(f, s); {
		case words == "" || f.ID == "when_to_use":
		case !f.Danger:
			calm = append(calm, words)
		case words == f.Flag:
			flags = append(flags, words)
		default:
			alarm = append(alarm, words)
		}
	}
	if flags == nil {
		return signature.Sentences(calm...), signature.Sentences(alarm...)
	}
	return signature.Sentences(append(alarm, calm...)...), "[" + strings.Join(flags, " | ") + "]"
}

// sayTool is what a description says of a fact of a tool, "" for nothing.
func (c *column) sayTool(f *signature.Fact, s *signature.Signature) string {
	words := f.Of(s)
	switch {
	case words == "" || !c.inWords(f.ID):
		return ""
	case c.flags && f.Flag != "":
		return f.Flag
	}
	return words
}

// sayInput is what the description of an input says of a fact.
func (c *column) sayInput(f *signature.InputFact, in *signature.Input) string {
	switch {
	case f.ID == "omitted" && c.null && !in.Required:
		return "Null leaves it out."
	case c.inWords(f.ID):
		return f.Of(in)
	}
	return ""
}

// describeInput adds the facts of an input to its text, which gives way to them
// like that of a tool.
func (c *column) describeInput(in *signature.Input) string {
	var words []string
	for i := range signature.InputFacts {
		words = append(words, c.sayInput(&signature.InputFacts[i], in))
	}
	said, text := signature.Sentences(words...), in.Description
	if c.mostInput > 0 {
		said = clipped(said, c.mostInput/2)
		text = clipped(text, c.mostInput-length(said)-2)
	}
	return signature.Sentences(text, said)
}

// A Telling is one cell of the table: how a format tells a fact.
type Telling struct {
	// Format names the format, Fact the fact by its id.
	Format, Fact string
	// Native is the member of the format that tells it, Ours an extension: the
	// path from the tool, or from the input for facts of inputs; "" for none.
	Native, Ours string
	// Words reports whether the description says it.
	Words bool
	// Tool and Input give these words; the one that is not of this fact is nil.
	Tool  func(*signature.Signature) string
	Input func(*signature.Input) string
}

// Tellings is the table of what every format tells and how. The renderers read
// the same one.
func Tellings() []Telling {
	var table []Telling
	for _, c := range columns {
		row := func(id string) Telling {
			cell := c.cells[id]
			return Telling{Format: c.name, Fact: id, Native: cell.native, Ours: cell.ours, Words: c.inWords(id)}
		}
		for i := range signature.ToolFacts {
			f := &signature.ToolFacts[i]
			t := row(f.ID)
			t.Tool = func(s *signature.Signature) string { return c.sayTool(f, s) }
			table = append(table, t)
		}
		for i := range signature.InputFacts {
			f := &signature.InputFacts[i]
			t := row(f.ID)
			t.Input = func(in *signature.Input) string { return c.sayInput(f, in) }
			table = append(table, t)
		}
	}
	return table
}

// excess is the length of a description that has to be cut, 0 for one that fits.
func (c *column) excess(t tool) int {
	n := length(c.describe(t.Description, t.Signature, 0))
	if c.most == 0 || n <= c.most {
		return 0
	}
	return n
}

func length(text string) int { return utf8.RuneCountInString(text) }

// clipped is a text of at most so many characters; what is cut off ends at a
// word.
func clipped(text string, most int) string {
	if length(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most-1])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + "…"
}
