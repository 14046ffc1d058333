package golang_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sculpt-tools/sculpt/gen/internal/golang"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
	"github.com/sculpt-tools/sculpt/sculpt/scan"
)

var update = flag.Bool("update", false, "rewrite rows_gen_test.go")

// rows are the expressions that the benchmark compares with Go written by
// hand. Each reads places or forecast, and becomes a function of its name.
var rows = []struct{ name, step, text string }{
	{"latitude", "places", `places.results[0].latitude`},
	{"rounded", "places", `math.round(places.results[0].latitude * 10000) / 10000`},
	{"pair", "places", `string(places.results[0].latitude) + "," + string(places.results[0].longitude)`},
	{"daytime", "forecast", `forecast.periods.filter(p, p.isDaytime)[0].temperature`},
	{"hot", "forecast", `forecast.periods.exists(p, p.isDaytime && p.temperature > 80)`},
	{"list", "forecast", `forecast.periods.map(p, {"name": p.name, "temp": p.temperature})`},
}

// rowsProgram has a tool with one call for each row.
func rowsProgram(t testing.TB) *ir.Program {
	field := func(name string, typ *types.Type) *types.Field { return &types.Field{Name: name, Type: typ} }
	place := &types.Type{Kind: types.Object, Name: "Place", Fields: []*types.Field{field("latitude", types.DoubleType), field("longitude", types.DoubleType)}}
	period := &types.Type{Kind: types.Object, Name: "Period", Fields: []*types.Field{
		field("name", types.StringType), field("isDaytime", types.BoolType), field("temperature", types.IntType),
	}}
	answers := map[string]*types.Type{
		"places":   {Kind: types.Object, Name: "Places", Fields: []*types.Field{field("results", types.ListOf(place))}},
		"forecast": {Kind: types.Object, Name: "Forecast", Fields: []*types.Field{field("periods", types.ListOf(period))}},
	}
	program := &ir.Program{Package: "golang_test", Manifest: "rows_test.go", APIs: []*ir.API{{Name: "api"}}}
	for _, row := range rows {
		decl := &expr.Decl{Name: row.step, Role: expr.RoleStep, Type: answers[row.step]}
		scope := expr.NewScope(nil)
		scope.Declare(decl)
		n, problems := expr.Parse(row.text)
		if problems != nil {
			t.Fatal(problems)
		}
		term, problems := expr.Check(n, scope, nil)
		if problems != nil {
			t.Fatal(problems)
		}
		op := &operation.Operation{API: "api", Method: "GET", Path: "/x", Parts: []operation.PathPart{{Literal: "/x"}}}
		step := &ir.Step{ID: row.step, API: "api", Op: op, Decl: decl, Effect: ir.Read, Answer: decl.Type, Result: decl.Type}
		p := &ir.Plan{Steps: []*ir.Step{step}, Regions: [][]*ir.Branch{{{Steps: []*ir.Step{step}}}}}
		p.Outputs = []*ir.Output{{Name: "v", Expr: &ir.Expr{Term: term}, Type: term.Type}}
		sig := &signature.Signature{Name: row.name, Version: 1, Outputs: []signature.Output{{Name: "v", Type: signature.JSON}}}
		program.Tools = append(program.Tools, &ir.Tool{Signature: sig, Plan: p})
	}
	return program
}

// TestRowsAreFresh wants the measured code to be what is generated now.
func TestRowsAreFresh(t *testing.T) {
	p, findings := plan.New(rowsProgram(t))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	want, err := golang.EmitRows(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("rows_gen_test.go")
	if bytes.Equal(got, want) {
		return
	}
	if !*update {
		t.Fatalf("rows_gen_test.go is stale (%v): run with -update", err)
	}
	if err := os.WriteFile("rows_gen_test.go", want, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The same by hand, as a careful programmer would write it.

var (
	errNone    = errors.New("no such element")
	errMissing = errors.New("missing")
)

func firstPlace(places *apiPlaces) (*apiPlace, error) {
	if len(places.results) == 0 {
		return nil, errNone
	}
	return places.results[0], nil
}

func handLatitude(places *apiPlaces) (float64, error) {
	place, err := firstPlace(places)
	if err != nil {
		return 0, err
	}
	if !place.latitude.Present {
		return 0, errMissing
	}
	return place.latitude.Value, nil
}

func handRounded(places *apiPlaces) (float64, error) {
	latitude, err := handLatitude(places)
	if err != nil {
		return 0, err
	}
	return math.Round(latitude*10000) / 10000, nil
}

func handPair(places *apiPlaces) (string, error) {
	place, err := firstPlace(places)
	if err != nil {
		return "", err
	}
	if !place.latitude.Present || !place.longitude.Present {
		return "", errMissing
	}
	text := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	return text(place.latitude.Value) + "," + text(place.longitude.Value), nil
}

func handDaytime(forecast *apiForecast) (int64, error) {
	for _, p := range forecast.periods {
		if !p.isDaytime.Present {
			return 0, errMissing
		}
		if p.isDaytime.Value {
			if !p.temperature.Present {
				return 0, errMissing
			}
			return p.temperature.Value, nil
		}
	}
	return 0, errNone
}

func handHot(forecast *apiForecast) (bool, error) {
	for _, p := range forecast.periods {
		if !p.isDaytime.Present {
			return false, errMissing
		}
		if !p.isDaytime.Value {
			continue
		}
		if !p.temperature.Present {
			return false, errMissing
		}
		if p.temperature.Value > 80 {
			return true, nil
		}
	}
	return false, nil
}

func handList(forecast *apiForecast) ([]ListVItem, error) {
	items := make([]ListVItem, 0, len(forecast.periods))
	for _, p := range forecast.periods {
		if !p.name.Present || !p.temperature.Present {
			return nil, errMissing
		}
		items = append(items, ListVItem{Name: p.name.Value, Temp: p.temperature.Value})
	}
	return items, nil
}

// A rowPair is a row in both forms; each gives what it computed.
type rowPair struct {
	name            string
	generated, hand func() (any, error)
	// loop runs a form many times without making an interface of its result.
	loopGenerated, loopHand func(n int)
}

// Results stay alive, so that no loop is optimized away.
var (
	keepFloat float64
	keepText  string
	keepInt   int64
	keepBool  bool
	keepList  []ListVItem
)

func rowPairs() []rowPair {
	places := &apiPlaces{}
	for range 10 {
		places.results = append(places.results, &apiPlace{there(39.7392), there(-104.9847)})
	}
	forecast := &apiForecast{}
	for i := range 14 {
		name, day, temperature := "Period "+strconv.Itoa(i), i%2 == 1, int64(60+i)
		forecast.periods = append(forecast.periods, &apiPeriod{there(name), there(day), there(temperature)})
	}
	return []rowPair{
		row("latitude", &keepFloat, func() (float64, error) { o, err := latitude(places); return o.V, err }, func() (float64, error) { return handLatitude(places) }),
		row("rounded", &keepFloat, func() (float64, error) { o, err := rounded(places); return o.V, err }, func() (float64, error) { return handRounded(places) }),
		row("pair", &keepText, func() (string, error) { o, err := pair(places); return o.V, err }, func() (string, error) { return handPair(places) }),
		row("daytime", &keepInt, func() (int64, error) { o, err := daytime(forecast); return o.V, err }, func() (int64, error) { return handDaytime(forecast) }),
		row("hot", &keepBool, func() (bool, error) { o, err := hot(forecast); return o.V, err }, func() (bool, error) { return handHot(forecast) }),
		row("list", &keepList, func() ([]ListVItem, error) { o, err := list(forecast); return o.V, err }, func() ([]ListVItem, error) { return handList(forecast) }),
	}
}

func there[T any](v T) scan.Optional[T] { return scan.Optional[T]{Value: v, Present: true} }

func row[T any](name string, keep *T, generated, hand func() (T, error)) rowPair {
	loop := func(f func() (T, error)) func(int) {
		return func(n int) {
			for range n {
				*keep, _ = f()
			}
		}
	}
	boxed := func(f func() (T, error)) func() (any, error) { return func() (any, error) { return f() } }
	return rowPair{name, boxed(generated), boxed(hand), loop(generated), loop(hand)}
}

// TestRowsAgree wants the same answers of both forms: a benchmark of two
// different things would say nothing.
func TestRowsAgree(t *testing.T) {
	for _, r := range rowPairs() {
		a, err := r.generated()
		b, handErr := r.hand()
		if err != nil || handErr != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: generated %v, %v; by hand %v, %v", r.name, a, err, b, handErr)
		}
	}
}

// BenchmarkRows measures generated code beside hand-written Go, in turns, and
// fails where the generated code takes more than 1.5 times as long.
func BenchmarkRows(b *testing.B) {
	for _, r := range rowPairs() {
		b.Run(r.name, func(b *testing.B) {
			const rounds = 15
			n := max(1000, b.N/rounds)
			var generated, hand []float64
			for range rounds {
				start := time.Now()
				r.loopGenerated(n)
				middle := time.Now()
				r.loopHand(n)
				generated, hand = append(generated, float64(middle.Sub(start))/float64(n)), append(hand, float64(time.Since(middle))/float64(n))
			}
			g, h := slices.Min(generated), slices.Min(hand)
			b.ReportMetric(g, "ns/generated")
			b.ReportMetric(h, "ns/hand")
			b.ReportMetric(g/h, "x")
			if b.N > 100_000 && g > 1.5*h {
				b.Errorf("generated %.1f ns, by hand %.1f ns: %.2f times", g, h, g/h)
			}
		})
	}
}
