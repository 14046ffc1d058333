package export_test

import (
	"slices"

	"github.com/sculpt-tools/sculpt/internal/signature"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// weather is the tool of the golden documents in its two versions.
func weather() (v1, v2 *signature.Signature) {
	v1 = &signature.Signature{
		ID: "6f9d3a52-1c1e-5c0b-9d0e-0f4b1f0b7a11", Name: "lookup_weather_by_city", Toolkit: "Weather", ToolName: "LookupWeatherByCity",
		Description: "Look up the weather forecast for a city in the United States. Returns the temperature and a short forecast for the requested day.",
		Title:       "Weather by city", Version: 1, Tags: []string{"weather", "read_only"},
		Inputs: []signature.Input{
			{ID: "city", Name: "city", Type: signature.String, Description: "City and state, for example Omaha, Nebraska.", Required: true, MaxLength: 80},
			{ID: "day", Name: "day", Type: signature.Enum, Description: "Which day the forecast is for; today when omitted.", Values: []signature.Value{
				{Name: "TODAY", Text: "The current day at the city."}, {Name: "TOMORROW", Text: "The day after the current day at the city."}}},
		},
		Outputs: []signature.Output{
			{ID: "temperature_f", Name: "temperature_f", Type: signature.Int, Description: "Forecast temperature in degrees Fahrenheit."},
			{ID: "short_forecast", Name: "short_forecast", Type: signature.String, Description: "Forecast in a few words."},
		},
		Effects: signature.Effects{ReadOnly: true, Idempotent: true},
	}
	next := *v1
	v2 = &next
	v2.Version = 2
	v2.Inputs = append(slices.Clone(v1.Inputs), signature.Input{ID: "hours_ahead", Name: "hours_ahead", Type: signature.Int,
		Description: "How many hours ahead of now to look; omitted means the whole day.", Max: 156})
	period := &types.Type{Kind: types.Object, Record: true, Fields: []*types.Field{
		{Name: "name", Type: types.StringType}, {Name: "temperature", Type: types.IntType, Optional: true}, {Name: "forecast", Type: types.StringType, Optional: true}}}
	v2.Outputs = append(slices.Clone(v1.Outputs), signature.Output{ID: "periods", Name: "periods", Type: signature.JSON,
		Description: "Up to three forecast periods, each with name, temperature and forecast.", Schema: types.ListOf(period)})
	return v1, v2
}
