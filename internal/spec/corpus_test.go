package spec_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// corpus is the folder with published documents, which are too large and not
// ours to keep here.
func corpus(t testing.TB) fs.FS {
	t.Helper()
	return os.DirFS(golden.Shared(t))
}

// withoutOperations lists the documents that hold webhooks only.
var withoutOperations = map[string]bool{"openapi/openapi31-features.yaml": true}

// operations lists the operations of a document, at least one.
func operations(t testing.TB, fsys fs.FS, file string) []spec.Summary {
	t.Helper()
	all, findings := spec.Index(fsys, file)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	if (len(all) == 0) != withoutOperations[file] {
		t.Fatalf("%d operations", len(all))
	}
	return all
}

func wantAll(all []spec.Summary) []spec.Want {
	var wants []spec.Want
	for _, s := range all {
		wants = append(wants, spec.Want{Method: s.Method, Path: s.Path, Span: diag.Span{File: "sculpt.yaml"}})
	}
	return wants
}

// broken lists the documents whose wanted part is itself broken, by the rule
// that says so: svix has one operationId twice.
var broken = map[string]string{"openapi/svix.json": "ambiguous-operation"}

func TestCorpusFirstMiddleLast(t *testing.T) {
	golden.NotRaced(t)
	fsys := corpus(t)
	for _, file := range golden.Documents(t, fsys) {
		t.Run(path.Base(file), func(t *testing.T) {
			all := operations(t, fsys, file)
			if len(all) == 0 {
				return
			}
			withID := slices.DeleteFunc(slices.Clone(all), func(s spec.Summary) bool { return s.ID == "" })
			if len(withID) == 0 {
				withID = all
			}
			var wants []spec.Want
			for _, i := range []int{0, len(withID) / 2, len(withID) - 1} {
				w := spec.Want{ID: withID[i].ID, Span: diag.Span{File: "sculpt.yaml"}}
				if w.ID == "" {
					w.Method, w.Path = withID[i].Method, withID[i].Path
				}
				wants = append(wants, w)
			}
			set, findings := spec.Load(fsys, []spec.Source{{API: "a", File: file, Wants: wants}})
			for _, f := range findings {
				t.Logf("%v: %v[%s]: %s", f.Span, f.Severity, f.Rule.String(), f.Message)
				if f.Severity == diag.Error && broken[file] != f.Rule.String() {
					t.Fail()
				}
			}
			for _, w := range wants {
				if set.Operation("a", w) == nil && broken[file] == "" {
					t.Errorf("%v is missing", w)
				}
			}
		})
	}
}

// Every operation of every document loads, all at once.
func TestCorpusAllOperations(t *testing.T) {
	if testing.Short() {
		t.Skip("every operation of every document takes long: the gate runs it without -short")
	}
	golden.NotRaced(t)
	fsys := corpus(t)
	for _, file := range golden.Documents(t, fsys) {
		t.Run(path.Base(file), func(t *testing.T) {
			all := operations(t, fsys, file)
			set, findings := spec.Load(fsys, []spec.Source{{API: "a", File: file, Wants: wantAll(all)}})
			rules := map[string]int{}
			for _, f := range findings {
				rules[f.Rule.String()]++
				if f.Severity == diag.Error {
					t.Errorf("%v: %v[%s]: %s", f.Span, f.Severity, f.Rule.String(), f.Message)
				}
			}
			if n := len(set.APIs["a"].Operations); n != len(all) {
				t.Errorf("%d of %d operations", n, len(all))
			}
			t.Logf("%d operations, findings %v", len(all), rules)
		})
	}
}

func TestWeatherWithoutFinding(t *testing.T) {
	fsys := corpus(t)
	wants := []spec.Want{{ID: "point"}, {ID: "gridpoint_forecast"}, {ID: "alerts_active"}}
	set, findings := spec.Load(fsys, []spec.Source{{API: "nws", File: "openapi/nws-3.8.1-clean.json", Wants: wants}})
	for _, f := range findings {
		t.Errorf("%v: %v[%s]: %s", f.Span, f.Severity, f.Rule.String(), f.Message)
	}
	if n := len(set.APIs["nws"].Operations); n != 3 {
		t.Fatalf("%d operations", n)
	}
	point := set.Operation("nws", wants[0])
	if got := show(point.Responses[0].Media[0].Schema.Field("properties").Type, 0); got != "Point" {
		t.Errorf("properties is %s: the branches of allOf are not intersected", got)
	}
	forecast := set.Operation("nws", wants[1]).Responses[0].Media[0].Schema.Field("properties").Type
	if got := show(forecast.Field("periods").Type.Elem.Field("temperature").Type, 0); got != "QuantitativeValue | int" && got != "int | QuantitativeValue" {
		t.Errorf("temperature is %s", got)
	}
}

// A tally counts the leaves of JSON answers of success, and those typed.
type tally struct {
	typed, all int
	why        map[string]int
}

// count walks all answers of an operation. A scalar is a leaf, a dynamic type
// is an untyped leaf, a union of kinds is one typed leaf and its objects are
// entered besides. Objects are entered once for each answer.
func (c *tally) count(op *operation.Operation) {
	for _, r := range op.Responses {
		for _, m := range r.Media {
			if strings.HasPrefix(r.Status, "2") && strings.Contains(m.Type, "json") && m.Schema != nil {
				c.walk(m.Schema, map[*types.Type]bool{})
			}
		}
	}
}

func (c *tally) walk(u *types.Type, seen map[*types.Type]bool) {
	switch u.Kind {
	case types.Dyn:
		c.all++
		c.why[u.Why]++
	case types.Object:
		if seen[u] {
			return
		}
		seen[u] = true
		for _, f := range u.Fields {
			c.walk(f.Type, seen)
		}
		if u.Extra != nil {
			c.walk(u.Extra, seen)
		}
	case types.List, types.Map:
		c.walk(u.Elem, seen)
	default:
		c.all++
		c.typed++
		for _, v := range u.Variants {
			if v.Kind == types.Object {
				c.walk(v, seen)
			}
		}
	}
}

func TestTypedLeaves(t *testing.T) {
	golden.NotRaced(t)
	fsys := corpus(t)
	for file, least := range map[string]float64{
		"nws-3.8.1-clean.json": 0.96, "nws-3.8.1.yaml": 0.96, "github.json": 0.97, "stripe.json": 0.95, "slack-swagger2.json": 0.9,
		"openai.yaml": 0.9, "twilio-api.json": 0.95, "telegram-bot.json": 0.95, "intercom-2.14.yaml": 0.95,
		"adyen-checkout-v71.yaml": 0.95, "spotify.yaml": 0.95, "discord.json": 0.85,
	} {
		t.Run(file, func(t *testing.T) {
			all := operations(t, fsys, "openapi/"+file)
			set, findings := spec.Load(fsys, []spec.Source{{API: "a", File: "openapi/" + file, Wants: wantAll(all)}})
			rules := map[string]int{}
			for _, f := range findings {
				rules[f.Severity.String()+" "+f.Rule.String()]++
				if f.Severity == diag.Error {
					t.Logf("%v: %v[%s]: %s", f.Span, f.Severity, f.Rule.String(), f.Message)
				}
			}
			c := tally{why: map[string]int{}}
			for _, op := range set.APIs["a"].Operations {
				c.count(op)
			}
			rate := float64(c.typed) / float64(max(c.all, 1))
			t.Logf("%d of %d leaves typed: %.1f %%, others %v, findings %v, operations %d of %d", c.typed, c.all, 100*rate, c.why, rules, len(set.APIs["a"].Operations), len(all))
			if rate < least {
				t.Errorf("less than %.0f %%", 100*least)
			}
		})
	}
}
