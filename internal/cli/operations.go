package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

func operationsFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "tag"},
		&cli.StringFlag{Name: "method"},
		&cli.StringFlag{Name: "answers"},
		&cli.IntFlag{Name: "max", Value: 25},
		&cli.IntFlag{Name: "depth", Value: 4},
	}, formatFlags()...)
}

// A listed operation is one of a document, with what it would cost a model as it is.
type listed struct {
	ID         string   `json:"id,omitempty"`
	Method     string   `json:"method"`
	Path       string   `json:"path"`
	Summary    string   `json:"summary,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Deprecated bool     `json:"deprecated,omitempty"`
	Answers    []string `json:"answers,omitempty"`
	// Parameters counts the body as one; Tokens are estimated.
	Parameters int `json:"parameters"`
	Tokens     int `json:"tokens"`

	op *operation.Operation
	// matches and worth are what the list is ordered by.
	matches, worth int
}

// A listing is what "sculpt operations" prints as JSON.
type listing struct {
	Document   string    `json:"document"`
	Title      string    `json:"title,omitempty"`
	Operations int       `json:"operations"`
	Parameters int       `json:"parameters"`
	Tokens     int       `json:"tokens"`
	Estimate   string    `json:"estimate"`
	Found      int       `json:"found"`
	Shown      []*listed `json:"shown"`
}

// runOperations lists, searches or shows the operations of a document.
func runOperations(c *command) error {
	format, err := c.format("text", "json")
	if err != nil {
		return err
	}
	args := c.positional()
	if len(args) == 0 {
		return unable(`run "sculpt operations --help"`, "an OpenAPI document is missing: sculpt operations SPEC [WORD...]")
	}
	at, err := locate(args[0])
	if err != nil {
		return err
	}
	defer at.close()
	index, findings := spec.Load(newJailFS(at.jail), []spec.Source{{API: "api", File: at.name}})
	if findings.HasErrors() {
		return notFound(at.relabel(findings))
	}
	all := index.APIs["api"]
	name := apiName(all.Title, all.Server.BaseURL(), at.name)
	if w, known := want(all.All, strings.Join(args[1:], " ")); known && len(args) > 1 {
		return c.showOperation(at, name, w, format)
	}
	wants := make([]spec.Want, 0, len(all.All))
	for _, s := range all.All {
		wants = append(wants, spec.Want{Method: s.Method, Path: s.Path})
	}
	set, findings := spec.Load(newJailFS(at.jail), []spec.Source{{API: name, File: at.name, Wants: wants}})
	doc := set.APIs[name]
	if doc == nil {
		return notFound(at.relabel(findings))
	}
	if broken := len(all.All) - len(doc.Operations); broken > 0 {
		c.say("%s of the document cannot be read; name one to see why", countOf(broken, "operation"))
	}
	return c.listOperations(at, doc, args[1:], format)
}

// listOperations prints the operations that are asked for, the best candidates first.
func (c *command) listOperations(at *place, doc *spec.API, words []string, format string) error {
	l := listing{Document: at.shown(at.name), Title: plain(doc.Title, 80), Estimate: "bytes of the JSON of one tool for each operation / 4"}
	var names []string
	for _, s := range doc.All {
		o := listOne(s, doc)
		l.Operations, l.Parameters, l.Tokens = l.Operations+1, l.Parameters+o.Parameters, l.Tokens+o.Tokens
		names = append(names, operationName(s))
		if o.matches = matches(o, words); o.matches > 0 && c.wantsListed(o) {
			l.Shown = append(l.Shown, o)
		}
	}
	if l.Found = len(l.Shown); l.Found == 0 {
		text := strings.Join(words, " ")
		return &failure{exitFindings, fmt.Sprintf("%s has no such operation%s", l.Document, diag.DidYouMean(text, names)), "search by other words or fewer, or leave flags out"}
	}
	slices.SortStableFunc(l.Shown, func(a, b *listed) int {
		return cmp.Or(cmp.Compare(b.matches, a.matches), cmp.Compare(b.worth, a.worth))
	})
	if most := c.Int("max"); most > 0 && len(l.Shown) > most {
		l.Shown = l.Shown[:most]
	}
	if format == "json" {
		return c.printJSON(&l)
	}
	c.print("%s, %s, about %d tokens as one tool each (%s)", countOf(l.Operations, "operation"), countOf(l.Parameters, "parameter"), l.Tokens, l.Estimate)
	for _, o := range l.Shown {
		c.print("%s", o.line())
	}
	if more := l.Found - len(l.Shown); more > 0 {
		c.say("%d more; search by words, or --max 0 for all", more)
	}
	return nil
}

// line is an operation of the list as text.
func (o *listed) line() string {
	text := o.Method + " " + o.Path
	if o.ID != "" {
		text = o.ID + "  " + text
	}
	if o.Summary != "" {
		text += "  " + o.Summary
	}
	if o.Deprecated {
		text += " (deprecated)"
	}
	if len(o.Tags) > 0 {
		text += " [" + strings.Join(o.Tags, ", ") + "]"
	}
	return diag.Escape(fmt.Sprintf("%s  %d tokens", text, o.Tokens))
}

// listOne describes an operation; what cannot be read has no types and costs nothing.
func listOne(s spec.Summary, doc *spec.API) *listed {
	o := &listed{ID: s.ID, Method: s.Method, Path: s.Path, Summary: plain(s.Summary, 100), Tags: s.Tags}
	i := slices.IndexFunc(doc.Operations, func(op *operation.Operation) bool { return op.Method == s.Method && op.Path == s.Path })
	if i < 0 {
		o.worth = -100
		return o
	}
	o.op = doc.Operations[i]
	o.Deprecated, o.Parameters = o.op.Deprecated, len(o.op.Params)
	if o.op.Body != nil {
		o.Parameters++
	}
	for _, r := range o.op.Responses {
		for _, m := range r.Media {
			if strings.HasPrefix(r.Status, "2") && !slices.Contains(o.Answers, m.Type) {
				o.Answers = append(o.Answers, m.Type)
			}
		}
	}
	o.Tokens, o.worth = tokensOf(o.op), candidate(o.op)
	return o
}

// wantsListed says whether the flags let an operation through.
func (c *command) wantsListed(o *listed) bool {
	is := func(flag string, texts []string, fits func(have, want string) bool) bool {
		asked := c.String(flag)
		return asked == "" || slices.ContainsFunc(texts, func(text string) bool { return fits(strings.ToLower(text), strings.ToLower(asked)) })
	}
	same := func(a, b string) bool { return a == b }
	return is("tag", o.Tags, same) && is("method", []string{o.Method}, same) && is("answers", o.Answers, strings.Contains)
}

// matches says how well an operation fits the words, 0 for not at all: each has to be somewhere.
func matches(o *listed, words []string) int {
	if len(words) == 0 {
		return 1
	}
	about := ""
	if o.op != nil {
		about = o.op.Description
	}
	total := 0
	for _, word := range words {
		word, best := snake(word, 80), 0
		if stem, plural := strings.CutSuffix(word, "s"); plural && len(stem) > 3 {
			word = stem
		}
		for _, place := range []struct {
			text   string
			weight int
		}{{o.ID, 8}, {o.Path, 6}, {o.Summary, 6}, {strings.Join(o.Tags, " "), 4}, {about, 1}} {
			if strings.Contains(snake(place.text, 1<<16), word) {
				best = max(best, place.weight)
			}
		}
		if best == 0 {
			return 0
		}
		total += best
	}
	return total
}

// candidate says how good a first tool an operation makes: one that reads, that a person can say
// what it needs, and whose answer is data.
func candidate(op *operation.Operation) int {
	worth := 0
	answer, _ := resolve.Answer(op)
	switch {
	case answer.Opaque || answer.Kind == types.Dyn:
		worth -= 10
	case answer.Kind == types.List || answer.Variant(types.Object) != nil:
		worth += 5
	}
	if op.Method == "GET" {
		worth += 5
	}
	for _, p := range op.Params {
		switch r := roleOf(p.Name, p.In, p.Type); {
		case r == searching:
			worth += 2
		case p.Required && r == meaning:
			worth++
		case p.Required && r == identity:
			worth -= 2
		}
	}
	if op.Deprecated {
		worth -= 20
	}
	return min(worth, 20) - strings.Count(op.Path, "/")
}

// tokensOf estimates what a tool costs that mirrors the operation one to one.
func tokensOf(op *operation.Operation) int {
	m := &mirror{}
	properties := map[string]any{}
	for _, p := range op.Params {
		properties[p.Name] = m.schema(p.Type, p.Description)
	}
	if media := bodyMedia(op); media != nil && media.Schema != nil {
		properties["body"] = m.schema(media.Schema, "")
	}
	data, err := json.Marshal(map[string]any{
		"name": op.ID, "description": cmp.Or(op.Description, op.Summary),
		"inputSchema": map[string]any{"type": "object", "properties": properties},
	})
	if err != nil {
		return 0 // a text that is not UTF-8 is mended, so there is no such error
	}
	const bytesPerToken = 4
	return len(data) / bytesPerToken
}

// A mirror writes types as JSON Schema with all their texts, as generators do that make a tool of
// each operation.
type mirror struct {
	under []*types.Type
}

func (m *mirror) schema(t *types.Type, doc string) map[string]any {
	out := map[string]any{}
	if doc != "" {
		out["description"] = doc
	}
	if len(t.Enum) > 0 {
		out["enum"] = t.Enum
	}
	const deepestMirror = 12
	if slices.Contains(m.under, t) || len(m.under) > deepestMirror {
		return out
	}
	m.under = append(m.under, t)
	switch t.Kind {
	case types.Object:
		properties := map[string]any{}
		for _, f := range t.Fields {
			if !f.ReadOnly {
				properties[f.Name] = m.schema(f.Type, f.Doc)
			}
		}
		out["type"], out["properties"] = "object", properties
	case types.List:
		out["type"], out["items"] = "array", m.schema(t.Elem, "")
	case types.Map:
		out["type"], out["additionalProperties"] = "object", m.schema(t.Elem, "")
	case types.Union:
		var variants []any
		for _, v := range t.Variants {
			variants = append(variants, m.schema(v, ""))
		}
		out["anyOf"] = variants
	default:
		out["type"] = t.Kind.String()
	}
	m.under = m.under[:len(m.under)-1]
	return out
}
