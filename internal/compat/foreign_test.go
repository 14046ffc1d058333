package compat_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// schema is a JSON Schema in the keywords that an input can say.
type schema map[string]any

// saysNothing are keywords without an assertion.
var saysNothing = []string{"$schema", "$id", "id", "title", "description"}

// isObject reports whether a schema is of an object; nothing else has inputs.
func (s schema) isObject() bool {
	return s["type"] == "object" || s["properties"] != nil || s["required"] != nil
}

// names lists the properties that a schema describes or requires.
func (s schema) names() []string {
	var out []string
	properties, _ := s["properties"].(map[string]any)
	for name := range properties {
		out = append(out, name)
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		out = append(out, name.(string))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inputs flattens a schema into inputs: a scalar is one required input, an
// object has one for each property. A property that only the other schema
// names is an optional input, because schemas are open unless they say
// otherwise. The reason says what inputs cannot say.
func inputs(s, other schema) (list []signature.Input, reason string) {
	if !s.isObject() {
		in, reason := scalar(s)
		in.ID, in.Name, in.Required = "x", "x", true
		return []signature.Input{in}, reason
	}
	if !other.isObject() || (s["additionalProperties"] == nil) != (other["additionalProperties"] == nil) {
		return nil, "open objects"
	}
	for k, v := range s {
		if !slices.Contains(append([]string{"type", "properties", "required"}, saysNothing...), k) && (k != "additionalProperties" || v != false) {
			return nil, k
		}
	}
	names := s.names()
	if s["additionalProperties"] == nil {
		names = append(names, other.names()...)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range names {
		in := signature.Input{Type: signature.String, MaxLength: signature.DefaultMaxLength}
		if described, ok := properties[name]; ok {
			p, ok := described.(map[string]any)
			if !ok {
				return nil, "property without schema"
			}
			if in, reason = scalar(p); reason != "" {
				return nil, reason
			}
		} else if s["properties"] != nil || other["properties"] != nil {
			return nil, "property of any type"
		}
		in.ID, in.Name, in.Required = name, name, slices.Contains(required, any(name))
		list = append(list, in)
	}
	return list, ""
}

// scalar makes an input of the schema of one value. Numbers are taken as
// integers: an exclusive bound moves by one.
func scalar(s schema) (in signature.Input, reason string) {
	in = signature.Input{MaxLength: signature.DefaultMaxLength, Min: signature.DefaultMin, Max: signature.DefaultMax}
	types := map[string]signature.Type{"string": signature.String, "integer": signature.Int, "number": "number", "boolean": signature.Boolean}
	name, _ := s["type"].(string)
	in.Type = types[name]
	if s["enum"] != nil {
		in.Type = signature.Enum
	}
	if in.Type == "" {
		return in, fmt.Sprint("type ", s["type"])
	}
	// Bounds first, their exclusive forms of draft 4 after them.
	for _, k := range []string{"minimum", "maximum"} {
		n, ok := s[k].(float64)
		if n != float64(int64(n)) {
			return in, "fractions"
		}
		if ok {
			bound(&in, k, int64(n))
		}
	}
	for k, v := range s {
		n, isNumber := v.(float64)
		switch {
		case slices.Contains(append([]string{"type", "minimum", "maximum"}, saysNothing...), k):
		case k == "minLength" && isNumber:
			in.MinLength = int(n)
		case k == "maxLength" && isNumber:
			in.MaxLength = int(n)
		case k == "pattern":
			in.Pattern = v.(string)
		case k == "exclusiveMinimum" && v == true:
			in.Min++
		case k == "exclusiveMaximum" && v == true:
			in.Max--
		case k == "exclusiveMinimum" && isNumber:
			bound(&in, k, int64(n)+1)
		case k == "exclusiveMaximum" && isNumber:
			bound(&in, k, int64(n)-1)
		case k == "enum":
			for _, e := range v.([]any) {
				text, ok := e.(string)
				if !ok {
					return in, "enum of other things than texts"
				}
				in.Values = append(in.Values, signature.Value{Name: text})
			}
		default:
			return in, k
		}
	}
	return in, ""
}

func bound(in *signature.Input, keyword string, n int64) {
	if strings.HasSuffix(strings.ToLower(keyword), "minimum") {
		in.Min = n
	} else {
		in.Max = n
	}
}

// sides makes the sides of two schemas, or says why they have none.
func sides(old, new json.RawMessage) (a, b *compat.Side, reason string) {
	var both [2]schema
	for i, raw := range []json.RawMessage{old, new} {
		if err := json.Unmarshal(raw, &both[i]); err != nil {
			return nil, nil, "not an object"
		}
	}
	var out [2]*compat.Side
	for i := range both {
		list, reason := inputs(both[i], both[1-i])
		if reason != "" {
			return nil, nil, reason
		}
		out[i] = compat.SideOf(&signature.Signature{Name: "t", Version: i + 1, Inputs: list})
	}
	return out[0], out[1], ""
}

func clientSafe(a, b *compat.Side) bool {
	return highest(compat.Compare(a, b, compat.Options{Policy: compat.ClientSafe})) < compat.Error
}

// TestApicurio compares verdicts on the pairs of Apicurio Registry that an
// input can say: "backward" is that the updated schema accepts all that the
// original accepted, "both" that this also holds the other way round.
func TestApicurio(t *testing.T) {
	var file struct {
		Tests []struct {
			Enabled           bool
			ID, Compatibility string
			Original, Updated json.RawMessage
		}
	}
	corpus(t, &file, "apicurio", "compatibility-test-data.json")
	agreed := 0
	for _, c := range file.Tests {
		a, b, reason := sides(c.Original, c.Updated)
		if reason != "" || !c.Enabled {
			continue
		}
		forth, back := clientSafe(a, b), clientSafe(b, a)
		want := map[string][2]bool{"none": {false, false}, "backward": {true, false}, "both": {true, true}}[c.Compatibility]
		if got := [2]bool{forth, back}; got != want {
			t.Errorf("%s: %s -> %s: got %v, want %s", c.ID, c.Original, c.Updated, got, c.Compatibility)
			continue
		}
		agreed++
	}
	t.Logf("%d of %d pairs are in our domain and agree", agreed, len(file.Tests))
	if agreed < 30 {
		t.Errorf("only %d pairs", agreed)
	}
}

// stops are the changes of Sentry's list that stop an old value.
var stops = []string{
	"RangeAdd", "MinLengthAdd", "MaxLengthAdd", "PatternAdd", "PatternChange", "EnumRemove", "TypeRemove", "RequiredAdd", "PropertyRemove",
}

// TestSentry compares verdicts on the pairs of json-schema-diff.
func TestSentry(t *testing.T) {
	root := golden.Shared(t, "compat-corpus", "sentry")
	files, err := filepath.Glob(filepath.Join(root, "fixtures", "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	agreed := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var pair struct{ LHS, RHS json.RawMessage }
		if err := json.Unmarshal(data, &pair); err != nil {
			t.Fatal(err)
		}
		a, b, reason := sides(pair.LHS, pair.RHS)
		if reason != "" {
			continue
		}
		group, base := filepath.Base(filepath.Dir(name)), filepath.Base(name)
		snap, err := os.ReadFile(filepath.Join(root, "snapshots", "test__from_fixtures@"+group+"__"+base+".snap"))
		if err != nil {
			t.Fatal(err)
		}
		got := rules(compat.Compare(a, b, compat.Options{}), false)
		if want := sentrySafe(string(snap)); clientSafe(a, b) != want {
			t.Errorf("%s/%s: safe %v, want %v (%v)", group, base, !want, want, got)
			continue
		}
		agreed++
	}
	t.Logf("%d of %d pairs are in our domain and agree", agreed, len(files))
	if agreed != 38 {
		t.Errorf("%d pairs agree, want 38", agreed)
	}
}

// sentrySafe says whether the changes that the tool printed let every old
// value through.
func sentrySafe(snapshot string) bool {
	_, changes, _ := strings.Cut(snapshot, "change: ")
	for c := range strings.SplitSeq(changes, "change: ") {
		kind := c[:strings.IndexFunc(c+" ", func(r rune) bool { return r == ' ' || r == ',' || r == '\n' })]
		if kind == "EnumRemove" && strings.Contains(c, "rhs_has_no_enum: true") {
			continue
		}
		if slices.Contains(stops, kind) || strings.HasSuffix(kind, "Change") && narrows(c) {
			return false
		}
		if kind == "EnumAdd" && strings.Contains(c, "lhs_has_no_enum: true") {
			return false // the first enum of a value that had none
		}
	}
	return true
}

var numbers = regexp.MustCompile(`(?s)(old|new)_value: (?:([A-Za-z]+)\()?\s*(-?[0-9.]+)`)

// narrows says of a changed bound in which direction it went.
func narrows(change string) bool {
	m := numbers.FindAllStringSubmatch(change, -1)
	if len(m) != 2 {
		return true
	}
	var old, new float64
	fmt.Sscan(m[0][3], &old)
	fmt.Sscan(m[1][3], &new)
	if strings.HasPrefix(change, "MaxLength") || strings.HasSuffix(m[1][2], "Maximum") {
		return new < old || new == old && strings.HasPrefix(m[1][2], "Exclusive") && !strings.HasPrefix(m[0][2], "Exclusive")
	}
	return new > old || new == old && strings.HasPrefix(m[1][2], "Exclusive") && !strings.HasPrefix(m[0][2], "Exclusive")
}
