package golang_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/golang"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// celCase is one test of the CEL specification, as recorded without protobuf.
type celCase struct {
	File, Section, Name, Expr string
	Types                     map[string]string
	Bind                      map[string]json.RawMessage
	Want                      json.RawMessage
	Error                     json.RawMessage
	Spike                     string
}

// differences are the deliberate departures from CEL that give another value
// or another error; the tests that show them are listed by section and name.
// Difference 1 (errors are not absorbed) shows in one, and in four that are
// refused; difference 8 (filter()[0] stops at the first hit) in none.
var differences = map[string]string{
	"macros/all/list_elem_error_shortcircuit": "errors are not absorbed: left to right, the first one wins",
}

// TestCEL compiles the expressions of the CEL specification to Go, runs them
// and compares: a wrong answer or Go that does not compile is a failure, what
// the language leaves out is refused with a message.
func TestCEL(t *testing.T) {
	data, err := os.ReadFile(golden.Shared(t, "cel-conformance", "simple.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []celCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	c := &celRun{t: t, program: &ir.Program{Package: "tools", Manifest: "cel.yaml"}, tools: map[string]*celCase{}, refusals: map[string]int{}}
	for i := range cases {
		if s := cases[i].Spike; s != "" && !strings.HasPrefix(s, "out-of-scope") {
			c.add(i, &cases[i])
		}
	}
	c.compare(c.run())
	t.Logf("in scope %d: pass %d, rejected rightly %d, refused %d, different on purpose %d, wrong %d",
		c.scope, c.pass, c.rejected, c.refused, c.different, c.wrong)
	if c.scope != 1294 || c.pass < 1170 {
		t.Errorf("of %d tests in scope %d pass, 1170 of 1294 are wanted", c.scope, c.pass)
	}
	for _, r := range reasons {
		if got := c.refusals[r.text]; got != r.count {
			t.Errorf("%d tests are refused because %s, the list says %d", got, r.text, r.count)
		}
	}
}

// reasons are all the reasons for which a test of the specification that has a
// value may be refused, with the number of such tests. More is a loss; fewer is
// a gain to be written down here. The message of a refusal tells its reason.
var reasons = []struct {
	text, message string
	count         int
}{
	{"type() and the names of types are left out", `is left out of the language: types are known before anything runs`, 32},
	{"bit operations are left out", `is left out of the language: no bit operations`, 29},
	{"a record has the keys that its literal lists (difference 3)", `^this object has no field`, 4},
	{"null is missing, so nothing is an optional of it (difference 4)", `^null is missing|optional.ofNonZeroValue of null`, 2},
	{"objects are not compared, not with their zero value either", `^optional.ofNonZeroValue of \{`, 3},
	{"a value that may be missing is no value: records and lists take it behind a question mark", `^the value may be missing`, 2},
	{"a value of unknown type is narrowed before it is computed with", `the type is not known here`, 1},
	{"optional elements of a list have one type", `^the elements of the list have different types`, 1},
	{"errors are not absorbed (difference 1), and what always fails is found before it runs", `^this divides by zero`, 4},
}

// reason finds the reason of a refusal, "" if it has none.
func reason(message string) string {
	for _, r := range reasons {
		if regexp.MustCompile(r.message).MatchString(message) {
			return r.text
		}
	}
	return ""
}

// atoms are the parts of random expressions, over lets of their names.
var atoms = map[string][]string{
	"int": {"1", "-7", "v_int"}, "double": {"1.5", "0.0", "v_double"}, "string": {`"a"`, "v_string", "v_record.name"}, "bool": {"true", "v_bool"},
	"list": {"v_texts", "v_ints", "v_records", "[1]"}, "object": {"v_record", "v_records[0]"}, "dyn": {"v_mixed[0]", "v_mixed[1].f", "null"},
}

// TestRandomExpressionsCompile puts random sound expressions into one package:
// what the checker accepts is Go that compiles and vets, and never panics.
func TestRandomExpressionsCompile(t *testing.T) {
	c := &celRun{t: t, program: &ir.Program{Package: "tools", Manifest: "cel.yaml"}, tools: map[string]*celCase{}, refusals: map[string]int{}}
	source := golden.NewExprSource(3, atoms)
	for i := 0; len(c.program.Tools) < 600; i++ {
		text := source.Next()
		scope := expr.NewScope(nil)
		plan := &ir.Plan{}
		c.vars(scope, plan)
		node, problems := expr.Parse(text)
		if problems != nil {
			continue
		}
		if term, problems := expr.Check(node, scope, nil); problems == nil && term.Type.Kind != types.Invalid {
			c.addTool(fmt.Sprintf("t%d", i), term, plan)
		}
	}
	c.noPanic(c.run())
}

// celVars are the variables of expressions that are not of the specification.
var celVars = map[string]string{
	"v_int": "7", "v_double": "2.5", "v_string": `"text"`, "v_bool": "true", "v_texts": `["a", "b"]`, "v_ints": "[3, 1]", "v_record": `{"name": "n", "id": 1}`,
	"v_records": `[{"name": "n", "id": 1}]`, "v_mixed": `[1, {"f": ["x", 2]}, null]`,
}

// vars declares them as lets.
func (c *celRun) vars(scope *expr.Scope, plan *ir.Plan) {
	for _, name := range slices.Sorted(maps.Keys(celVars)) {
		c.let(name, celVars[name], scope, plan)
	}
}

func (c *celRun) noPanic(got map[string]string) {
	c.t.Helper()
	for name, line := range got {
		if strings.Contains(line, "panic") {
			c.t.Errorf("%s: %s", name, line)
		}
	}
}

type celRun struct {
	t        *testing.T
	program  *ir.Program
	tools    map[string]*celCase
	refusals map[string]int

	scope, pass, rejected, refused, different, wrong int
}

// add checks one expression and makes a tool of it.
func (c *celRun) add(i int, test *celCase) {
	c.scope++
	scope := expr.NewScope(nil)
	plan := &ir.Plan{}
	problems := c.bind(test, scope, plan)
	var term *expr.Term
	if problems == nil {
		var node *expr.Node
		if node, problems = expr.Parse(test.Expr); problems == nil {
			term, problems = expr.Check(node, scope, nil)
		}
	}
	if len(problems) > 0 {
		if test.Error != nil && problems[0].Rule.String() != "expression-not-supported" {
			c.rejected++
			return
		}
		c.refused++
		why := reason(problems[0].Message)
		if why == "" {
			c.t.Errorf("%s/%s/%s: %s is refused for no listed reason: %s", test.File, test.Section, test.Name, test.Expr, problems[0].Message)
		}
		c.refusals[why]++
		return
	}
	name := fmt.Sprintf("t%d", i)
	c.tools[name] = test
	c.addTool(name, term, plan)
}

// addTool makes a tool with one output.
func (c *celRun) addTool(name string, term *expr.Term, plan *ir.Plan) {
	out := &ir.Output{Name: "v", Expr: &ir.Expr{Term: term}, Type: term.Type}
	if term.Type.Kind == types.Optional {
		out.Type, out.Optional = term.Type.Elem, true
	}
	plan.Outputs = []*ir.Output{out}
	sig := &signature.Signature{Name: name, Version: 1, Outputs: []signature.Output{{Name: "v", Type: signature.JSON, Optional: out.Optional}}}
	c.program.Tools = append(c.program.Tools, &ir.Tool{Signature: sig, Plan: plan})
}

// bind declares the variables of a test as lets of their recorded values.
func (c *celRun) bind(test *celCase, scope *expr.Scope, plan *ir.Plan) []expr.Problem {
	for _, name := range slices.Sorted(maps.Keys(test.Bind)) {
		if problems := c.let(name, celText(c.t, test.Bind[name]), scope, plan); problems != nil {
			return problems
		}
	}
	return nil
}

func (c *celRun) let(name, text string, scope *expr.Scope, plan *ir.Plan) []expr.Problem {
	node, problems := expr.Parse(text)
	if problems != nil {
		return problems
	}
	term, problems := expr.Check(node, scope, nil)
	if problems != nil {
		return problems
	}
	d := &expr.Decl{Name: name, Role: expr.RoleLet, Type: term.Type}
	scope.Declare(d)
	plan.Lets = append(plan.Lets, &ir.Let{Name: name, Decl: d, Expr: &ir.Expr{Term: term}})
	return nil
}

// celText writes a recorded value as an expression.
func celText(t *testing.T, raw json.RawMessage) string {
	v := celValue(t, raw)
	switch x := v.(type) {
	case []any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = celText(t, e.(json.RawMessage))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case [][2]any:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = celText(t, e[0].(json.RawMessage)) + ": " + celText(t, e[1].(json.RawMessage))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case float64:
		return fmt.Sprintf("double(%q)", strconv.FormatFloat(x, 'g', -1, 64))
	case timestamp:
		return fmt.Sprintf("timestamp(%q)", string(x))
	case duration:
		return fmt.Sprintf("duration(%q)", string(x)+"ns")
	case nil:
		return "null"
	}
	return expr.Print(&expr.Node{Kind: expr.NLit, Lit: v})
}

type timestamp string
type duration string

// celValue reads the recorded form of a value; the elements of lists and maps
// stay raw.
func celValue(t *testing.T, raw json.RawMessage) any {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	for kind, v := range m {
		var s string
		_ = json.Unmarshal(v, &s)
		switch kind {
		case "null":
			return nil
		case "bool":
			return string(v) == "true"
		case "int":
			n, _ := strconv.ParseInt(s, 10, 64)
			return n
		case "uint":
			n, _ := strconv.ParseUint(s, 10, 64)
			return n
		case "double":
			f, _ := strconv.ParseFloat(s, 64)
			return f
		case "string":
			return s
		case "bytes":
			b, _ := hex.DecodeString(s)
			return b
		case "timestamp":
			return timestamp(s)
		case "duration_ns":
			return duration(s)
		case "list":
			var list []json.RawMessage
			_ = json.Unmarshal(v, &list)
			out := make([]any, len(list))
			for i, e := range list {
				out[i] = e
			}
			return out
		case "map":
			var entries [][2]json.RawMessage
			_ = json.Unmarshal(v, &entries)
			out := make([][2]any, len(entries))
			for i, e := range entries {
				out[i] = [2]any{e[0], e[1]}
			}
			return out
		}
	}
	return fmt.Errorf("value of unknown kind: %s", raw)
}

// run generates, compiles and runs one program with every expression.
func (c *celRun) run() map[string]string {
	pkg, findings := plan.New(c.program)
	if len(findings) > 0 {
		c.t.Fatal(findings)
	}
	files, err := golang.EmitChains(pkg)
	if err != nil {
		c.t.Fatal(err)
	}
	m := golden.NewModule(c.t)
	for _, f := range files {
		m.Write("tools/"+f.Name, string(f.Data))
	}
	m.Write("tools/run.go", celTable(c.program))
	m.Write("main.go", celMain(pkg))
	if text, err := m.Go("vet", "./..."); err != nil {
		c.t.Fatal(err, text)
	}
	text, err := m.Go("run", ".")
	if err != nil {
		c.t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		name, v, _ := strings.Cut(line, " ")
		out[name] = v
	}
	return out
}

// celTable lists the chains, which are unexported methods.
func celTable(p *ir.Program) string {
	var b strings.Builder
	b.WriteString("package tools\n\nimport (\n\t\"context\"\n\t\"fmt\"\n)\n\n// All runs every chain.\nfunc All(show func(string, any, error)) {\n\tt := &Tools{}\n\tctx := context.Background()\n")
	b.WriteString("\tguard := func(name string, f func() (any, error)) {\n\t\tdefer func() {\n\t\t\tif p := recover(); p != nil {\n\t\t\t\tshow(name, nil, fmt.Errorf(\"panic: %v\", p))\n\t\t\t}\n\t\t}()\n\t\tv, err := f()\n\t\tshow(name, v, err)\n\t}\n")
	for _, t := range p.Tools {
		n := t.Signature.Name
		fmt.Fprintf(&b, "\tguard(%q, func() (any, error) { out, err := t.%s(ctx, nil); return out.V, err })\n", n, n)
	}
	b.WriteString("}\n")
	return b.String()
}

// celMain prints every value in the recorded form.
func celMain(p *plan.Package) string {
	records := map[string]map[string]string{}
	for _, r := range p.Records {
		records[r.Name] = map[string]string{}
		for _, f := range r.Fields {
			records[r.Name][f.Name] = f.Wire
		}
	}
	return `package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"vendor.example/tools/tools"
)

var records = ` + fmt.Sprintf("%#v", records) + `

func main() {
	tools.All(func(name string, v any, err error) {
		if err != nil {
			fmt.Println(name, "error", strconv.Quote(err.Error()))
			return
		}
		b, err := json.Marshal(form(reflect.ValueOf(v)))
		if err != nil {
			panic(err)
		}
		fmt.Println(name, string(b))
	})
}

func form(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid:
		return map[string]any{"null": true}
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return map[string]any{"null": true}
		}
		return form(v.Elem())
	case reflect.Bool:
		return map[string]any{"bool": v.Bool()}
	case reflect.Int64:
		if v.Type() == reflect.TypeFor[time.Duration]() {
			return map[string]any{"duration_ns": strconv.FormatInt(v.Int(), 10)}
		}
		return map[string]any{"int": strconv.FormatInt(v.Int(), 10)}
	case reflect.Uint64:
		return map[string]any{"uint": strconv.FormatUint(v.Uint(), 10)}
	case reflect.Float64:
		return map[string]any{"double": strconv.FormatFloat(v.Float(), 'g', -1, 64)}
	case reflect.String:
		return map[string]any{"string": v.String()}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return map[string]any{"bytes": hex.EncodeToString(v.Bytes())}
		}
		list := []any{}
		for i := range v.Len() {
			list = append(list, form(v.Index(i)))
		}
		return map[string]any{"list": list}
	case reflect.Map:
		entries := [][2]any{}
		for _, k := range v.MapKeys() {
			entries = append(entries, [2]any{form(k), form(v.MapIndex(k))})
		}
		return map[string]any{"map": entries}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return map[string]any{"timestamp": v.Interface().(time.Time).UTC().Format(time.RFC3339Nano)}
		}
		entries := [][2]any{}
		for i := range v.NumField() {
			f := v.Field(i)
			if f.Kind() == reflect.Pointer && f.IsNil() {
				continue
			}
			name := records[v.Type().Name()][v.Type().Field(i).Name]
			entries = append(entries, [2]any{map[string]any{"string": name}, form(f)})
		}
		return map[string]any{"map": entries}
	}
	panic(v.Kind())
}
`
}

func (c *celRun) compare(got map[string]string) {
	for name, test := range c.tools {
		id := test.File + "/" + test.Section + "/" + test.Name
		v, ok := got[name]
		failed := strings.HasPrefix(v, "error ")
		right := ok && failed && test.Error != nil || ok && !failed && test.Error == nil && c.same(test.Want, json.RawMessage(v))
		switch {
		case right:
			c.pass++
		case differences[id] != "":
			c.different++
		default:
			c.wrong++
			c.t.Errorf("%s: %s gives %s, want %s%s", id, test.Expr, v, test.Want, test.Error)
		}
	}
}

// same compares two recorded values; maps have no order.
func (c *celRun) same(want, got json.RawMessage) bool {
	a, b := celValue(c.t, want), celValue(c.t, got)
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || math.IsNaN(x) && math.IsNaN(y))
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, func(m, n any) bool { return c.same(m.(json.RawMessage), n.(json.RawMessage)) })
	case [][2]any:
		y, ok := b.([][2]any)
		if empty, isList := b.([]any); isList {
			return len(x) == 0 && len(empty) == 0
		}
		return ok && len(x) == len(y) && !slices.ContainsFunc(x, func(e [2]any) bool { return !c.hasEntry(y, e) })
	}
	return reflect.DeepEqual(a, b)
}

func (c *celRun) hasEntry(entries [][2]any, e [2]any) bool {
	return slices.ContainsFunc(entries, func(f [2]any) bool {
		return c.same(e[0].(json.RawMessage), f[0].(json.RawMessage)) && c.same(e[1].(json.RawMessage), f[1].(json.RawMessage))
	})
}
