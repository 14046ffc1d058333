package spec_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// Of two sets of limits the tighter one of each holds, whichever part has it:
// bounds of requests are checked before anything is sent, and a request that the
// service refuses is a call that failed for nothing.
func TestTighterLimits(t *testing.T) {
	for _, c := range []struct{ typ, a, b, want string }{
		{"integer", "minimum: 1", "minimum: 2", `{"Minimum":2}`},
		{"integer", "maximum: 1", "maximum: 2", `{"Maximum":1}`},
		{"integer", "minimum: 1", "maximum: 2", `{"Maximum":2,"Minimum":1}`},
		{"integer", "minimum: 1", "exclusiveMinimum: 1", `{"ExclusiveMin":true,"Minimum":1}`},
		{"integer", "minimum: 2", "exclusiveMinimum: 1", `{"Minimum":2}`},
		{"integer", "minimum: 1", "exclusiveMinimum: 2", `{"ExclusiveMin":true,"Minimum":2}`},
		{"integer", "exclusiveMinimum: 3", "exclusiveMinimum: 2", `{"ExclusiveMin":true,"Minimum":3}`},
		{"integer", "maximum: 1", "exclusiveMaximum: 1", `{"ExclusiveMax":true,"Maximum":1}`},
		{"integer", "maximum: 1", "exclusiveMaximum: 2", `{"Maximum":1}`},
		{"integer", "maximum: 2", "exclusiveMaximum: 1", `{"ExclusiveMax":true,"Maximum":1}`},
		{"integer", "exclusiveMaximum: 3", "exclusiveMaximum: 2", `{"ExclusiveMax":true,"Maximum":2}`},
		{"integer", "exclusiveMinimum: 0", "exclusiveMaximum: 9", `{"ExclusiveMax":true,"ExclusiveMin":true,"Maximum":9,"Minimum":0}`},
		{"integer", "format: int32", "minimum: 1", `{"Format":"int32","Minimum":1}`},
		{"number", "multipleOf: 0.5", "maximum: 1", `{"Maximum":1,"MultipleOf":0.5}`},
		{"string", "minLength: 1", "minLength: 2", `{"MinLength":2}`},
		{"string", "maxLength: 1", "maxLength: 2", `{"MaxLength":1}`},
		{"string", "maxLength: 4", "pattern: a+", `{"MaxLength":4,"Pattern":"a+"}`},
		{"string", "minLength: 3", "format: uri", `{"Format":"uri","MinLength":3}`},
		{"string", "minLength: 3", "maxLength: 3", `{"MaxLength":3,"MinLength":3}`},
	} {
		for _, two := range [][2]string{{c.a, c.b}, {c.b, c.a}, {c.a + ", " + c.b, ""}, {"", c.a + ", " + c.b}, {c.a + ", " + c.b, c.a}} {
			if same(c.a, c.b) && two[0] != c.a && two[0] != c.b {
				continue // one key in one schema
			}
			schema := fmt.Sprintf("{allOf: [{type: %s, %s}, {type: %s, %s}]}", c.typ, two[0], c.typ, two[1])
			set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte("openapi: 3.1.0" + answering("X: " + schema)[len("openapi: 3.0.3"):])}},
				[]spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
			op := set.Operation("a", spec.Want{ID: "get"})
			if op == nil {
				t.Fatal(schema, findings)
			}
			if got := setLimits(t, op.Responses[0].Media[0].Schema.Limits); got != c.want {
				t.Errorf("%s: %s, want %s", schema, got, c.want)
			}
		}
	}
}

func same(a, b string) bool {
	key := func(s string) (k string) { _, _ = fmt.Sscanf(s, "%s", &k); return k }
	return key(a) == key(b)
}

// setLimits lists the limits that are set, sorted by their names.
func setLimits(t *testing.T, limits any) string {
	t.Helper()
	all, err := json.Marshal(limits)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(all, &members); err != nil {
		t.Fatal(err)
	}
	for name, v := range members {
		if v == nil || v == false || v == "" {
			delete(members, name)
		}
	}
	out, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
