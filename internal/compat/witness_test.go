package compat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestWitness is the judge that knows nothing of our rules: calls at the
// bounds of an old signature are validated with the JSON Schema of the new
// one. A call that fails is a witness, and there is an error for inputs in
// policy client-safe if and only if there is a witness. The same holds for
// answers, with the sides exchanged.
//
// SCULPT_WITNESS_PAIRS sets the number of pairs.
func TestWitness(t *testing.T) {
	pairs := 2000
	if n, err := strconv.Atoi(os.Getenv("SCULPT_WITNESS_PAIRS")); err == nil {
		pairs = n
	}
	if testing.Short() {
		pairs = 200
	}
	r := rand.New(rand.NewPCG(4, 2))
	broken, invisible, failed := 0, 0, 0
	for i := range pairs {
		old := drawSide(r)
		next := mutate(r, old)
		changes := compat.Compare(old, next, compat.Options{Policy: compat.ClientSafe})
		in := judgeInputs(t, old, next, changes)
		out := judgeOutputs(t, old, next, changes)
		for _, j := range []judgement{in, out} {
			switch {
			case j.witness != "":
				broken++
			case j.invisible:
				invisible++
				continue
			}
			if (j.witness != "") != j.error {
				failed++
				t.Errorf("pair %d: witness %q, changes %v\nold %s\nnew %s", i, j.witness, summary(changes),
					append(old.Signature.Canonical(), old.Signature.Contract(&old.Details)...), append(next.Signature.Canonical(), next.Signature.Contract(&next.Details)...))
			}
		}
		if failed > 5 {
			t.FailNow()
		}
	}
	t.Logf("%d pairs, %d witnesses, %d that no schema can see", pairs, broken, invisible)
	if broken < pairs/4 {
		t.Errorf("only %d witnesses: the pairs are too alike", broken)
	}
}

// A judgement is what the schema and what the rules say of one direction.
type judgement struct {
	witness string
	error   bool
	// invisible errors are true and cannot be seen in a schema.
	invisible bool
}

func summary(changes []compat.Change) []string {
	var out []string
	for _, c := range changes {
		out = append(out, c.Level.String()+" "+c.String())
	}
	return out
}

func judgeInputs(t *testing.T, old, next *compat.Side, changes []compat.Change) judgement {
	schema := compile(t, inputSchema(next))
	var j judgement
	for _, call := range calls(old) {
		if schema.Validate(decode(t, call)) != nil {
			j.witness = call
			break
		}
	}
	j.invisible = true
	for _, c := range changes {
		if !strings.HasPrefix(c.Rule, "input-") || c.Level != compat.Error {
			continue
		}
		j.error = true
		// A name that another input took is accepted and misread.
		taken := slices.ContainsFunc(next.Signature.Inputs, func(in signature.Input) bool { return "inputs."+in.Name == c.Place })
		j.invisible = j.invisible && c.Rule == "input-renamed" && taken
	}
	j.invisible = j.invisible && j.error
	return j
}

// breaksReaders are the rules about answers that a schema can see. A warning
// counts: it tells that a strict reader fails.
var breaksReaders = []string{
	"output-removed", "output-renamed", "output-type-changed", "output-became-nullable", "output-became-optional",
	"output-enum-value-added", "output-range-widened",
}

func judgeOutputs(t *testing.T, old, next *compat.Side, changes []compat.Change) judgement {
	schema := compile(t, outputSchema(old))
	var j judgement
	for _, answer := range answers(next) {
		if schema.Validate(decode(t, answer)) != nil {
			j.witness = answer
			break
		}
	}
	j.invisible = true
	for _, c := range changes {
		if !slices.Contains(breaksReaders, c.Rule) || c.Level < compat.Warning {
			continue
		}
		j.error = true
		// An optional output that is gone is missing in every answer, which the
		// old schema allows.
		optional := slices.ContainsFunc(old.Signature.Outputs, func(out signature.Output) bool { return "outputs."+out.Name == c.Place && out.Optional })
		j.invisible = j.invisible && c.Rule == "output-removed" && optional
	}
	j.invisible = j.invisible && j.error
	return j
}

func compile(t *testing.T, schema map[string]any) *jsonschema.Schema {
	data, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	// A fixed URL: without one the library takes the working directory.
	s, err := jsonschema.CompileString("https://sculpt.example/schema.json", string(data))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func decode(t *testing.T, doc string) any {
	d := json.NewDecoder(strings.NewReader(doc))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err, doc)
	}
	return v
}

// inputSchema says in JSON Schema what the tool accepts, written anew from the
// meaning of the signature.
func inputSchema(s *compat.Side) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, in := range s.Signature.Inputs {
		p := map[string]any{}
		switch in.Type {
		case signature.Int:
			p = map[string]any{"type": "integer", "minimum": in.Min, "maximum": in.Max}
		case signature.Boolean:
			p["type"] = "boolean"
		case signature.Enum:
			p["enum"] = names(in.Values)
		default:
			p = map[string]any{"type": "string", "minLength": in.MinLength, "maxLength": in.MaxLength}
			if in.Pattern != "" {
				p["pattern"] = in.Pattern
			}
		}
		properties[in.Name] = p
		if in.Required {
			required = append(required, in.Name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

func names(values []signature.Value) []string {
	out := []string{}
	for _, v := range values {
		out = append(out, v.Name)
	}
	return out
}

func outputSchema(s *compat.Side) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, out := range s.Signature.Outputs {
		d := s.Details.Outputs[out.Name]
		p := map[string]any{}
		switch out.Type {
		case signature.Int:
			p["type"] = "integer"
			if d.Min != nil {
				p["minimum"] = *d.Min
			}
			if d.Max != nil {
				p["maximum"] = *d.Max
			}
		case signature.Boolean:
			p["type"] = "boolean"
		case signature.Enum:
			p["enum"] = names(out.Values)
		default:
			p["type"] = "string"
		}
		if d.Nullable {
			p = map[string]any{"anyOf": []any{p, map[string]any{"type": "null"}}}
		}
		properties[out.Name] = p
		if !out.Optional {
			required = append(required, out.Name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// calls returns calls at the bounds: a full one in which each input takes each
// of its values in turn, and the least one.
func calls(s *compat.Side) []string {
	full, least, values := map[string]string{}, map[string]string{}, map[string][]string{}
	for _, in := range s.Signature.Inputs {
		v := boundaries(&in)
		values[in.Name], full[in.Name] = v, v[0]
		if in.Required {
			least[in.Name] = v[0]
		}
	}
	return variants(full, least, values)
}

func variants(full, least map[string]string, values map[string][]string) []string {
	out := []string{document(full), document(least)}
	for name, list := range values {
		was := full[name]
		for _, v := range list {
			full[name] = v
			out = append(out, document(full))
		}
		full[name] = was
	}
	return out
}

func document(members map[string]string) string {
	var parts []string
	for name, v := range members {
		parts = append(parts, strconv.Quote(name)+":"+v)
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ",") + "}"
}

// boundaries returns JSON values at the bounds of an input.
func boundaries(in *signature.Input) []string {
	switch in.Type {
	case signature.Int:
		return []string{fmt.Sprint(in.Min), fmt.Sprint(in.Max)}
	case signature.Boolean:
		return []string{"true", "false"}
	case signature.Enum:
		var out []string
		for _, v := range in.Values {
			out = append(out, strconv.Quote(v.Name))
		}
		return out
	}
	var out []string
	for _, letter := range patterns[in.Pattern] {
		out = append(out, strconv.Quote(strings.Repeat(letter, in.MinLength)), strconv.Quote(strings.Repeat(letter, in.MaxLength)))
	}
	return out
}

// patterns are such that none includes another but the empty one, with letters
// that they match.
var patterns = map[string][]string{"": {"a", "A", "7", "_"}, "^[a-z]+$": {"a"}, "^[A-Z]+$": {"A"}, "^[0-9]+$": {"7"}}

func answers(s *compat.Side) []string {
	full, least, values := map[string]string{}, map[string]string{}, map[string][]string{}
	for _, out := range s.Signature.Outputs {
		v := readings(&out, s.Details.Outputs[out.Name])
		values[out.Name], full[out.Name] = v, v[0]
		if !out.Optional {
			least[out.Name] = v[0]
		}
	}
	return variants(full, least, values)
}

func readings(out *signature.Output, d signature.OutputDetails) []string {
	var list []string
	switch out.Type {
	case signature.Int:
		low, high := "-123456789", "123456789"
		if d.Min != nil {
			low = fmt.Sprint(*d.Min)
		}
		if d.Max != nil {
			high = fmt.Sprint(*d.Max)
		}
		list = []string{low, high}
	case signature.Boolean:
		list = []string{"true", "false"}
	case signature.Enum:
		for _, v := range out.Values {
			list = append(list, strconv.Quote(v.Name))
		}
	default:
		list = []string{`"any text"`, `""`}
	}
	if d.Nullable {
		list = append(list, "null")
	}
	return list
}

// drawSide draws a signature.
func drawSide(r *rand.Rand) *compat.Side {
	side := &compat.Side{Signature: &signature.Signature{ID: "t", Name: "t", Version: 1}, Details: signature.Details{Outputs: map[string]signature.OutputDetails{}}}
	for i := range 1 + r.IntN(4) {
		side.Signature.Inputs = append(side.Signature.Inputs, drawInput(r, string(rune('a'+i))))
	}
	for i := range 1 + r.IntN(3) {
		name := string(rune('a' + i))
		out, d := drawOutput(r, name)
		side.Signature.Outputs = append(side.Signature.Outputs, out)
		side.Details.Outputs[name] = d
	}
	return side
}

var valueNames = []string{"ONE", "TWO", "THREE", "FOUR"}

func drawValues(r *rand.Rand) []signature.Value {
	var out []signature.Value
	for _, i := range r.Perm(len(valueNames))[:1+r.IntN(len(valueNames))] {
		out = append(out, signature.Value{Name: valueNames[i]})
	}
	return out
}

func drawInput(r *rand.Rand, name string) signature.Input {
	in := signature.Input{ID: name, Name: name, Required: r.IntN(2) == 0}
	switch in.Type = []signature.Type{signature.String, signature.Int, signature.Boolean, signature.Enum}[r.IntN(4)]; in.Type {
	case signature.String:
		in.MinLength = 1 + r.IntN(3)
		in.MaxLength = in.MinLength + r.IntN(4)
		in.Pattern = []string{"", "^[a-z]+$", "^[A-Z]+$", "^[0-9]+$"}[r.IntN(4)]
	case signature.Int:
		in.Min = int64(r.IntN(5))
		in.Max = in.Min + int64(r.IntN(5))
	case signature.Enum:
		in.Values = drawValues(r)
	}
	return in
}

func drawOutput(r *rand.Rand, name string) (signature.Output, signature.OutputDetails) {
	out := signature.Output{ID: name, Name: name, Optional: r.IntN(3) == 0}
	d := signature.OutputDetails{Nullable: r.IntN(4) == 0}
	switch out.Type = []signature.Type{signature.String, signature.Int, signature.Boolean, signature.Enum}[r.IntN(4)]; out.Type {
	case signature.Int:
		if low := int64(r.IntN(5)); r.IntN(2) == 0 {
			d.Min = &low
		}
		if high := int64(5 + r.IntN(5)); r.IntN(2) == 0 {
			d.Max = &high
		}
	case signature.Enum:
		out.Values = drawValues(r)
	}
	return out, d
}

// mutate makes a later version with a few changes.
func mutate(r *rand.Rand, old *compat.Side) *compat.Side {
	s := *old.Signature
	s.Version = 2
	s.Inputs, s.Outputs = slices.Clone(s.Inputs), slices.Clone(s.Outputs)
	next := &compat.Side{Signature: &s, Details: signature.Details{Outputs: map[string]signature.OutputDetails{}}}
	maps.Copy(next.Details.Outputs, old.Details.Outputs)
	for range r.IntN(4) {
		mutateOnce(r, next)
	}
	return next
}

func mutateOnce(r *rand.Rand, side *compat.Side) {
	s := side.Signature
	fresh := string(rune('p' + r.IntN(8)))
	switch i, j := index(r, s.Inputs), index(r, s.Outputs); r.IntN(12) {
	case 0:
		if !slices.ContainsFunc(s.Inputs, func(in signature.Input) bool { return in.Name == fresh || in.ID == fresh }) {
			s.Inputs = append(s.Inputs, drawInput(r, fresh))
		}
	case 1:
		s.Inputs = slices.Delete(s.Inputs, i, min(i+1, len(s.Inputs)))
	case 2:
		if len(s.Inputs) > 0 && !slices.ContainsFunc(s.Inputs, func(in signature.Input) bool { return in.Name == fresh }) {
			s.Inputs[i].Name = fresh
		}
	case 3:
		if k := index(r, s.Inputs); len(s.Inputs) > 1 {
			s.Inputs[i].Name, s.Inputs[k].Name = s.Inputs[k].Name, s.Inputs[i].Name
		}
	case 4, 5, 6, 7:
		if len(s.Inputs) > 0 {
			id, name := s.Inputs[i].ID, s.Inputs[i].Name
			s.Inputs[i] = drawInput(r, name)
			s.Inputs[i].ID = id
		}
	case 8:
		if len(s.Inputs) > 0 {
			s.Inputs[i].Required = !s.Inputs[i].Required
		}
	case 9:
		s.Outputs = slices.Delete(s.Outputs, j, min(j+1, len(s.Outputs)))
	default:
		if len(s.Outputs) > 0 {
			name := s.Outputs[j].Name
			s.Outputs[j], side.Details.Outputs[name] = drawOutput(r, name)
		}
	}
}

func index[T any](r *rand.Rand, list []T) int {
	if len(list) == 0 {
		return 0
	}
	return r.IntN(len(list))
}
