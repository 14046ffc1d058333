package nws_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
)

// Types of this package, so that tables of them need no keys.
type (
	question doors.Question
	issue    doors.Issue
	outcome  = doors.Outcome
)

func serveOver(t testing.TB, upstream http.RoundTripper) *doors.Served {
	t.Helper()
	tools := toolsOver(t, upstream)
	return &doors.Served{
		Program: "nws", Docs: nws.Docs(), Set: tools.Toolset(), Plain: plainHandler(t, tools), Judged: handlerOver(t, tools),
		Method: func(ctx context.Context, name string, inputs map[string]any) (any, error) {
			call := methods[name]
			if call == nil {
				return nil, fmt.Errorf("nobody calls the method of %s", name)
			}
			return call(ctx, tools, inputs)
		},
	}
}

// methods call the generated methods.
var methods = map[string]func(context.Context, *nws.Tools, map[string]any) (any, error){
	lookup: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		in := nws.LookupWeatherByCityInput{City: inputs["city"].(string), Period: optional[nws.LookupWeatherByCityPeriod](inputs, "period")}
		if v, ok := inputs["detailed"].(bool); ok {
			in.Detailed = &v
		}
		return tools.LookupWeatherByCity(ctx, in)
	},
	alerts: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		return tools.ListActiveAlertsByState(ctx, nws.ListActiveAlertsByStateInput{State: inputs["state"].(string)})
	},
	current: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		return tools.GetCurrentWeather(ctx, nws.GetCurrentWeatherInput{Place: inputs["place"].(string), Units: optional[nws.GetCurrentWeatherUnits](inputs, "units")})
	},
	forecast: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		in := nws.GetForecastInput{Place: inputs["place"].(string), When: optional[string](inputs, "when"), Units: optional[nws.GetForecastUnits](inputs, "units")}
		if v, ok := inputs["hourly"].(bool); ok {
			in.Hourly = &v
		}
		return tools.GetForecast(ctx, in)
	},
	warnings: func(ctx context.Context, tools *nws.Tools, inputs map[string]any) (any, error) {
		return tools.GetWeatherAlerts(ctx, nws.GetWeatherAlertsInput{Place: inputs["place"].(string)})
	},
}

// optional is a text that may be left out.
func optional[T ~string](inputs map[string]any, name string) *T {
	if v, ok := inputs[name].(string); ok {
		return new(T(v))
	}
	return nil
}
