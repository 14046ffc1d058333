package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// show writes a type down to the given depth, with the marks of fields:
// ! required, ? nullable.
func show(u *types.Type, depth int) string {
	switch u.Kind {
	case types.Object:
		if depth == 0 {
			return u.Name
		}
		var b strings.Builder
		b.WriteString(u.Name + "{")
		for i, f := range u.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(f.Name)
			if f.Required {
				b.WriteString("!")
			}
			if f.Nullable {
				b.WriteString("?")
			}
			b.WriteString(": " + show(f.Type, depth-1))
		}
		if u.Extra != nil {
			b.WriteString(", *: " + show(u.Extra, depth-1))
		}
		return b.String() + "}"
	case types.List, types.Map:
		name := "list("
		if u.Kind == types.Map {
			name = "map("
		}
		null := ""
		if u.NullableElem {
			null = "?"
		}
		return name + show(u.Elem, depth) + null + ")"
	case types.Union:
		var parts []string
		for _, v := range u.Variants {
			parts = append(parts, show(v, depth))
		}
		return strings.Join(parts, " | ")
	case types.Dyn:
		return "dyn(" + u.Why + ")"
	}
	s := u.String()
	if len(u.Enum) > 0 {
		s += fmt.Sprintf("%q", u.Enum)
	}
	if l := u.Limits; l != nil {
		s += limitText(l)
	}
	return s
}

func limitText(l *types.Limits) string {
	s := ""
	number := func(name string, f *float64) {
		if f != nil {
			s += fmt.Sprintf(" %s=%v", name, *f)
		}
	}
	count := func(name string, n *int64) {
		if n != nil {
			s += fmt.Sprintf(" %s=%d", name, *n)
		}
	}
	number("min", l.Minimum)
	number("max", l.Maximum)
	number("step", l.MultipleOf)
	count("minlen", l.MinLength)
	count("maxlen", l.MaxLength)
	if l.ExclusiveMin {
		s += " exmin"
	}
	if l.ExclusiveMax {
		s += " exmax"
	}
	if l.Format != "" {
		s += " " + l.Format
	}
	return s
}

// Schemas X, beside A {a: string, b: int, b required} and B {b: double, c: bool}.
var typingTests = []struct{ name, schema, want string }{
	{"string formats stay text", "{type: string, format: date-time}", "string date-time"},
	{"enum", "{type: string, enum: [a, b, a]}", `string["a" "b"]`},
	{"enum of numbers under string", "{type: string, enum: [1, 2.5]}", `string["1" "2.5"]`},
	{"enum without type", "{enum: [a, 'on', on]}", `string["a" "on"]`},
	{"enum of integers", "{enum: [1, 2]}", "int"},
	{"Norway", "{type: string, enum: [no, NO, 012, 2020-01-01, .inf]}", `string["no" "NO" "12" "2020-01-01" ".inf"]`},
	{"integer", "{type: integer, format: int32, minimum: 0, maximum: 9}", "int min=0 max=9 int32"},
	{"number", "{type: number, multipleOf: 0.0001}", "double step=0.0001"},
	{"integer or number", "{type: [integer, number]}", "double"},
	{"integer anyOf number", "{anyOf: [{type: integer}, {type: number}]}", "double"},
	{"exclusive 3.0", "{type: integer, minimum: 0, exclusiveMinimum: true}", "int min=0 exmin"},
	{"exclusive 3.1", "{type: integer, minimum: 0, exclusiveMinimum: 0, exclusiveMaximum: 5}", "int min=0 max=5 exmin exmax"},
	{"boolean", "{type: boolean}", "bool"},
	{"null", "{type: 'null'}", "null"},
	{"const", "{const: a}", `string["a"]`},
	{"const of null", "{const: null}", "null"},
	{"const of a number", "{const: 3}", "int"},
	{"list", "{type: array, items: {type: string, nullable: true}}", "list(string?)"},
	{"list without type", "{items: {type: string}}", "list(string)"},
	{"tuple 3.1", "{type: array, prefixItems: [{type: string}, {type: integer}], items: false}", "list(string | int)"},
	{"object without type", "{properties: {a: {type: string}}}", "X{a: string}"},
	{"free-form object", "{type: object}", "dyn(free-form object)"},
	{"free-form object, said so", "{type: object, additionalProperties: true}", "dyn(free-form object)"},
	{"free-form object, empty schema", "{type: object, additionalProperties: {}}", "dyn(free-form object)"},
	{"closed empty object", "{type: object, additionalProperties: false}", "X{}"},
	{"no schema", "{}", "dyn(no schema)"},
	{"map", "{type: object, additionalProperties: {type: integer}}", "map(int)"},
	{"map of objects", "{additionalProperties: {type: object, properties: {a: {type: string}}}}", "map(XValue{a: string})"},
	{"object with extra", "{properties: {a: {type: string}}, additionalProperties: {type: integer}}", "X{a: string, *: int}"},
	{"properties by reference", "{properties: {$ref: '#/components/schemas/A/properties', c: {type: boolean}}, required: [b]}", "X{a: string, b!: int, c: bool}"},
	{"required without property", "{properties: {a: {type: string}}, required: [b, a]}", "X{a!: string, b!: dyn(no schema)}"},
	{"required without property, and extra", "{properties: {a: {type: string}}, required: [b], additionalProperties: {type: integer}}", "X{a: string, b!: int, *: int}"},
	{"required in a closed object", "{properties: {a: {type: string}}, required: [b], additionalProperties: false}", "X{a: string}"},
	{"nullable field", "{properties: {a: {type: string, nullable: true}, b: {type: [string, 'null']}, c: {oneOf: [{type: string}, {type: 'null'}]}, d: {type: string, enum: [x, null]}}}", `X{a?: string, b?: string, c?: string, d?: string["x"]}`},
	{"nullable component", "{properties: {n: {$ref: '#/components/schemas/N'}}}", "X{n?: string}"},
	{"nullable reference 3.0", "{properties: {a: {$ref: '#/components/schemas/A', nullable: true, maxLength: 3}}}", "X{a?: A}"},
	{"allOf of one", "{properties: {a: {allOf: [{$ref: '#/components/schemas/A'}], description: d}}}", "X{a: A}"},
	{"allOf of one beside a type", "{properties: {a: {type: object, allOf: [{$ref: '#/components/schemas/A'}]}}}", "X{a: A}"},
	{"allOf", "{allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}", "X{a: string, b!: int, c: bool}"},
	{"allOf adds required", "{allOf: [{$ref: '#/components/schemas/A'}, {required: [a]}]}", "X{a!: string, b!: int}"},
	{"allOf free-form with typed", "{allOf: [{properties: {p: {type: object}}}, {properties: {p: {$ref: '#/components/schemas/A'}}}]}", "X{p: A}"},
	{"allOf of the same", "{allOf: [{properties: {p: {$ref: '#/components/schemas/A'}}}, {properties: {p: {$ref: '#/components/schemas/A'}}}]}", "X{p: A}"},
	{"allOf of limits", "{allOf: [{type: string, maxLength: 9, minLength: 1}, {type: string, maxLength: 5}]}", "string minlen=1 maxlen=5"},
	{"allOf of enums", "{allOf: [{type: string, enum: [a, b]}, {enum: [b, c]}]}", `string["b"]`},
	{"own properties and allOf", "{properties: {z: {type: string}}, allOf: [{$ref: '#/components/schemas/A'}]}", "X{z: string, a: string, b!: int}"},
	{"a reference beside allOf 3.1", "{properties: {p: {$ref: '#/components/schemas/A', allOf: [{properties: {z: {type: string}}}]}}}", "X{p: XP}"},
	{"what a reference beside allOf 3.1 has", "{$ref: '#/components/schemas/A', allOf: [{properties: {z: {type: string}}}]}", "X{z: string, a: string, b!: int}"},
	{"oneOf of objects", "{oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}", "X{a: string, b: double, c: bool}"},
	{"oneOf keeps what is required in all", "{oneOf: [{$ref: '#/components/schemas/A'}, {required: [b, c], properties: {b: {type: string}, c: {type: string}}}]}", "X{a: string, b!: int | string, c: string}"},
	{"oneOf of kinds", "{oneOf: [{type: string}, {$ref: '#/components/schemas/A'}, {type: array, items: {type: string}}]}", "string | A{a: string, b!: int} | list(string)"},
	{"oneOf object and free-form", "{oneOf: [{type: string}, {type: object}]}", "string | map(dyn(free-form object))"},
	{"oneOf of enums", "{oneOf: [{type: string, enum: [a]}, {type: string, enum: [b]}]}", `string["a" "b"]`},
	{"oneOf of enum and text", "{oneOf: [{type: string, enum: [a]}, {type: string}]}", "string"},
	{"oneOf of consts", "{oneOf: [{const: a}, {const: b}]}", `string["a" "b"]`},
	{"oneOf of lists", "{oneOf: [{type: array, items: {type: string}}, {type: array, items: {type: integer}}]}", "list(string | int)"},
	{"anyOf of demands", "{properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}", "X{a: string, b: string}"},
	{"anyOf with anything", "{anyOf: [{type: string}, {}]}", "dyn(union with anything)"},
	{"anyOf of one and a bare nullable", "{properties: {a: {anyOf: [{$ref: '#/components/schemas/A'}, {nullable: true}]}, b: {oneOf: [{nullable: true}, {type: string}]}, c: {type: array, items: {anyOf: [{type: integer}, {nullable: true}]}}}}", "X{a?: A, b?: string, c: list(int?)}"},
	{"a bare nullable with a description", "{properties: {a: {anyOf: [{$ref: '#/components/schemas/A'}, {nullable: true, description: No value., default: null}]}, m: {additionalProperties: {anyOf: [{type: string}, {nullable: true}]}}}}", "X{a?: A, m: map(string?)}"},
	{"a bare nullable behind a reference", "{properties: {a: {anyOf: [{type: string}, {$ref: '#/components/schemas/Null'}]}, b: {allOf: [{anyOf: [{type: string}, {nullable: true}]}]}}}", "X{a?: string, b?: string}"},
	{"a bare nullable among several", "{properties: {a: {anyOf: [{type: string}, {type: integer}, {nullable: true}]}, b: {anyOf: [{$ref: '#/components/schemas/A'}, {type: string}, {nullable: true}]}}}", "X{a?: string | int, b?: A | string}"},
	{"a bare nullable alone", "{properties: {a: {nullable: true}, b: {anyOf: [{nullable: true}]}, c: {anyOf: [{}, {nullable: true}]}}}", "X{a?: dyn(no schema), b?: dyn(no schema), c?: dyn(no schema)}"},
	{"null and X 3.1", "{properties: {a: {anyOf: [{type: 'null'}, {$ref: '#/components/schemas/A'}]}, b: {oneOf: [{const: null}, {type: string}]}, c: {enum: [a, b, null]}, d: {type: [string, 'null'], enum: [a, null]}, e: {anyOf: [{enum: [null]}, {type: integer}]}, f: {anyOf: [{type: string, enum: [null]}, {type: integer}]}}}", `X{a?: A, b?: string, c?: string["a" "b"], d?: string["a"], e?: int, f?: int}`},
	{"enum with null and nullable", "{properties: {a: {type: string, nullable: true, enum: [a, null]}, b: {type: integer, enum: [1, null]}, c: {enum: [null, true]}, d: {const: null}, e: {anyOf: [{type: string, enum: [a]}, {enum: [null]}]}, f: {anyOf: [{type: string, enum: [a]}, {type: string, nullable: true, enum: [null]}]}}}", `X{a?: string["a"], b?: int, c?: bool, d?: null, e?: string["a"], f?: string["a"]}`},
	{"allOf of one nullable", "{properties: {a: {allOf: [{$ref: '#/components/schemas/N'}]}, b: {nullable: true, allOf: [{$ref: '#/components/schemas/A'}]}, c: {description: d, allOf: [{anyOf: [{type: 'null'}, {$ref: '#/components/schemas/A'}]}]}}}", "X{a?: string, b?: A, c?: A}"},
	{"type list", "{type: [string, integer, 'null']}", "string | int"},
	{"recursive object", "{properties: {x: {$ref: '#/components/schemas/X'}}}", "X{x: X}"},
	{"recursive through allOf", "{properties: {k: {$ref: '#/components/schemas/K'}}}", "X{k: K}"},
	{"recursive union", "{oneOf: [{type: string}, {type: array, items: {$ref: '#/components/schemas/X'}}]}", "dyn(recursive union)"},
	{"recursive list", "{type: array, items: {$ref: '#/components/schemas/X'}}", "dyn(recursive list)"},
	{"recursive map", "{additionalProperties: {$ref: '#/components/schemas/X'}}", "dyn(recursive map)"},
	{"union with itself", "{oneOf: [{type: string}, {$ref: '#/components/schemas/X'}]}", "string"},
	{"deep pointer", "{properties: {a: {$ref: '#/components/schemas/A/properties/a'}}}", "X{a: string}"},
	{"schema-local definitions", "{$defs: {D: {type: integer}}, properties: {a: {$ref: '#/$defs/D'}}}", "X{a: int}"},
	{"anchor", "{properties: {a: {$ref: '#there'}}}", "X{a: bool}"},
	{"names of fields", "{properties: {'@id': {type: string}, '': {type: string}, '+1': {type: integer}, x-y: {type: object, properties: {a_b: {type: object, properties: {c: {type: string}}}}}}}", "X{@id: string, : string, +1: int, x-y: XXY}"},
	{"merge keys", "{<<: {type: object}, properties: {a: {type: string}}}", "X{a: string}"},
	{"boolean schema", "{properties: {a: true, b: false}}", "X{a: dyn(no schema)}"},
	{"not and if are ignored", "{type: string, not: {enum: [a]}, if: {type: string}, then: 3}", "string"},
}

const neighbours = "A: {type: object, required: [b], properties: {a: {type: string}, b: {type: integer}}}, B: {type: object, properties: {b: {type: number}, c: {type: boolean, $anchor: there}}}, " +
	"N: {type: string, nullable: true}, Null: {nullable: true}, K: {allOf: [{$ref: '#/components/schemas/X'}, {properties: {z: {$ref: '#/components/schemas/K'}}}]}, "

func TestTyping(t *testing.T) {
	for _, tt := range typingTests {
		t.Run(tt.name, func(t *testing.T) {
			text := answering(neighbours + "X: " + tt.schema)
			if strings.Contains(tt.name, "3.1") || strings.Contains(tt.schema, "$defs") {
				text = strings.Replace(text, "3.0.3", "3.1.0", 1)
			}
			set, findings := spec.Load(fstest.MapFS{"a.yaml": {Data: []byte(text)}}, []spec.Source{{API: "a", File: "a.yaml", Wants: []spec.Want{{ID: "get"}}}})
			for _, f := range findings {
				if f.Rule.String() != "reference-cycle" {
					t.Errorf("%v: %v[%s]: %s", f.Span, f.Severity, f.Rule.String(), f.Message)
				}
			}
			op := set.Operation("a", spec.Want{ID: "get"})
			if op == nil {
				t.Fatal("not loaded")
			}
			if got := show(op.Responses[0].Media[0].Schema, 1); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
