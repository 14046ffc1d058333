package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// TestRepeats: whether a second call does what the first has not, by what decides
// about the requests that change something.
func TestRepeats(t *testing.T) {
	const (
		read = "a: {call: shop.find, with: {name: x}}"
		id   = `'${a.?id.orValue("")}'`
	)
	step := func(more string) string { return "steps: {" + read + ", b: {" + more + "}}" }
	for _, p := range []pass{
		{"a constant", step("call: shop.drop, with: {id: x}"), "idempotent"},
		{"an input", step("call: shop.drop, with: {id: '${input.name}'}"), "idempotent"},
		{"an earlier answer", step("call: shop.drop, with: {id: " + id + "}"), "no"},
		{"an earlier answer, with a reason", step("call: shop.drop, with: {id: " + id + "}, effect: idempotent, because: Ids are of one name for ever."), "idempotent"},
		{"through lets", step("call: shop.drop, with: {id: '${n}'}") + `, let: {n: '${m + "x"}', m: ` + id + `}`, "no"},
		{"a condition", step(`call: shop.drop, with: {id: x}, when: 'a.?id.orValue("") != ""'`), "no"},
		{"a condition over inputs", step(`call: shop.drop, with: {id: x}, when: 'input.name != ""'`), "idempotent"},
		{"a status", step("call: shop.drop, with: {id: '${string(http.a.status)}'}"), "no"},
		{"a check alone", step(`call: shop.drop, with: {id: x}, expect: [{check: 'a.?id.orValue("") != ""', code: none, message: None.}]`), "idempotent"},
		{"each of a list of inputs", step(`call: shop.drop, with: {id: '${item}'}, for_each: '${input.name.split(",")}', max: 3`), "idempotent"},
		{"each of an answer", step(`call: shop.drop, with: {id: '${item}'}, for_each: '${[a.?id.orValue("")]}', max: 3`), "no"},
		{"a key of the call", step(`call: shop.drop, with: {id: '${call.uuid("x")}'}`), "if named"},
		{"a key of the call, with a reason", step(`call: shop.drop, with: {id: '${call.uuid("x")}'}, effect: idempotent, because: The key.`), "if named"},
		{"the id of the call", step(`call: shop.drop, with: {id: '${call.id}'}`), "no"},
		{"the id of the call, with a reason", step(`call: shop.drop, with: {id: '${call.id}'}, effect: idempotent, because: The key.`), "no"},
		{"the time of the call", step(`call: shop.drop, with: {id: '${string(call.time)}'}`), "no"},
		{"a trace beside a key", step(`call: shop.save, with: {id: '${call.uuid("x") + call.id}'}, effect: idempotent, because: The key.`), "if named"},
		{"a trace beside a key, without a reason", step(`call: shop.save, with: {id: '${call.uuid("x") + call.id}'}`), "no"},
		{"a key and an earlier answer", step(`call: shop.save, with: {id: '${call.uuid("x") + a.?id.orValue("")}'}`), "no"},
		{"what reads", "steps: {a: {call: shop.find, with: {name: '${call.id}'}}}", "read"},
		{"a method that is not", step("call: shop.search"), "no"},
		{"a method that is not, with a reason", step(`call: shop.search, effect: idempotent, because: The key.`), "idempotent"},
		{"one of two", "steps: {a: {call: shop.drop, with: {id: x}}, b: {call: shop.search}}", "no"},
		{"said to be", step(`call: shop.drop, with: {id: `+id+`}`) + ", effects: {idempotent: true}",
			"no; wrong-effect: a second call is not the same as the first: step b sends what follows from the answer of a"},
		{"said to be, with a key", step(`call: shop.drop, with: {id: '${call.uuid("x")}'}`) + ", effects: {idempotent: true}",
			"if named; wrong-effect: a second call is not the same as the first: step b sends call.uuid, which differs from call to call"},
		{"a read that is said to change", "steps: {" + read + ", b: {call: shop.find, with: {name: " + id + "}}}, effects: {read_only: false, idempotent: true}",
			"no; wrong-effect: a second call is not the same as the first: step b sends what follows from the answer of a"},
	} {
		p.hold(t, func(tool *toolResolver) []string {
			tool.stepValues()
			tool.stepEffects()
			tool.effects(0)
			return []string{repeated(tool)}
		})
	}
}

func repeated(tool *toolResolver) string {
	switch e := tool.sig.Effects; {
	case e.ReadOnly:
		return "read"
	case e.Idempotent && !tool.plan.IdempotentIfNamed:
		return "idempotent"
	case tool.plan.IdempotentIfNamed && !e.Idempotent:
		return "if named"
	case e.Idempotent:
		return "both"
	}
	return "no"
}

// TestUnknownOutcomes: which error cases of a call that changes something may count
// as "no answer". The oracle asks for each status which case is the one for it.
func TestUnknownOutcomes(t *testing.T) {
	keys := []string{"4xx", "5xx", "3xx", "default", "404", "500", "503", "303", "503 Busy", "5xx Busy", "404 Gone", "default Gone"}
	for i, first := range keys {
		for _, second := range append(keys[:i:i], keys[i+1:]...) {
			for effect, open := range map[string]bool{"effect: read, because: It is a search.": false, "": true} {
				text := fmt.Sprintf("call: shop.search, errors: {'%s': {missing: true}, '%s': {code: c, message: M.}}", first, second)
				if effect != "" {
					text += ", " + effect
				}
				tool := prepare(t, text)
				tool.stepValues()
				tool.stepEffects()
				refused := strings.Contains(fmt.Sprint(tool.findings), ruleUnknownOutcome.String())
				if want := open && countsAsMissing(tool.plan.Steps[0].Errors); refused != want {
					t.Errorf("%s: refused %v, want %v: %v", text, refused, want, tool.findings)
				}
			}
		}
	}
}

// countsAsMissing reports whether a redirect or a fault of the server, with a
// problem or without, is one that a missing case is chosen for.
func countsAsMissing(cases []*ir.ErrorCase) bool {
	for status := 300; status < 600; status++ {
		if status/100 == 4 {
			continue
		}
		for _, problem := range []string{"", "Busy", "Gone"} {
			var best *ir.ErrorCase
			rank := 0
			for _, c := range cases {
				r := 0
				switch {
				case !c.Class && c.Status == status:
					r = 5
				case c.Class && c.Status == status/100:
					r = 3
				case c.Status == 0 && status >= 400:
					r = 1
				}
				if r == 0 || c.Problem != "" && c.Problem != problem {
					continue
				}
				if c.Problem != "" {
					r++
				}
				if r > rank {
					best, rank = c, r
				}
			}
			if best != nil && best.Missing {
				return true
			}
		}
	}
	return false
}

// TestRecordedPlans: what is refused today is no fault of the plan of a release,
// which would not be callable any more.
func TestRecordedPlans(t *testing.T) {
	const login = `openapi: 3.0.3
info: {title: Login, version: '1'}
servers: [{url: https://login.example}]
paths:
  /login:
    post:
      operationId: login
      requestBody:
        required: true
        content: {application/json: {schema: {oneOf: [
          {type: object, required: [name, password], properties: {name: {type: string}, password: {type: string}}},
          {type: object, required: [token], properties: {token: {type: string}}}]}}}
      responses: {'200': {description: It., content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}
`
	const text = `{sculpt: 1, package: shop, toolkit: Shop, namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11, apis: {login: {openapi: login.yaml}}, tools: {try: {version: 1, description: Tries.,
steps: {a: {call: login.login, body: {name: x}, errors: {5xx: {missing: true}}}}, outputs: {a: {value: '${a.?id}', description: A., optional: true}}}}}`
	m, findings := manifest.Parse("f", []byte(text))
	set, more := spec.Load(fstest.MapFS{"login.yaml": {Data: []byte(login)}}, Sources(m))
	if findings = append(findings, more...); findings.HasErrors() {
		t.Fatal(findings)
	}
	rules := func(list diag.List) (ids []string) {
		for _, f := range list {
			if f.Severity == diag.Error {
				ids = append(ids, f.Rule.String())
			}
		}
		slices.Sort(ids)
		return ids
	}
	if _, list := Program(m, set, nil); !slices.Equal(rules(list), []string{"no-variant", "unknown-outcome"}) {
		t.Errorf("today: %v", list)
	}
	if _, list := Plan(m, set, signature.Rules, false); len(rules(list)) > 0 {
		t.Errorf("a release: %v", list)
	}
}
