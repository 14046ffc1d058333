package manifest

// weather is a complete manifest, with every kind of value in it.
const weather = `# yaml-language-server: $schema=../../docs/sculpt.schema.json
sculpt: 1
package: nws
toolkit: Weather                       # OTC id is Toolkit.ToolName
title: US weather tools
description: Forecasts and alerts of the US National Weather Service.
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env:
  NWS_USER_AGENT: {description: Application name and contact for api.weather.gov., default: 'sculpt-example (contact@example.com)'}
apis:
  geo: {openapi: openapi/geocoding.yaml}
  nws:
    openapi: openapi/nws.yaml
    base_url: https://api.weather.gov
    headers: {Accept: application/geo+json, User-Agent: '${env.NWS_USER_AGENT}'}
    auth: {userAgent: env:NWS_USER_AGENT}
    timeout: 10s
    retry: {attempts: 3}
constants:
  states: {AL: Alabama, DC: District of Columbia, NE: Nebraska, NO: Nowhere}
  covered: [US, PR, GU, VI, AS, MP]
  factor: 1.5e3
tools:
  lookup_weather_by_city:
    version: 1
    title: Weather forecast by city
    description: Look up the US National Weather Service forecast for a city.
    when_to_use: The user names a US city and asks about its weather now or soon.
    tags: [weather, forecast]
    timeout: 1m30s
    effects: {read_only: true}
    inputs:
      city:
        description: City and state, for example "Omaha, Nebraska".
        max_length: 100
        from: geo.search.name
      period:
        description: Which part of the forecast is wanted.
        default: NOW
        values:
          NOW: The current half day.
          TONIGHT: {text: The coming night., send: night}
      days:
        type: int
        min: -3
        max: 7
        optional: true
        from: {call: nws.forecast, parameter: days, in: query}
    steps:
      places:
        call: geo.search
        with: {name: '${name}', count: 100}
        expect:
          - check: matches.size() > 0
            code: no_such_place
            message: 'No place called "${input.city}" was found. Only US places are covered.'
          - check: state != "" || matches.size() == 1
            code: ambiguous_place
            message: >-
              Several US places are called "${name}".
              Only US places are covered.
            hint: Ask the user for the state.
      grid:
        call: nws.point
        effect: read
        because: It is a search.
        with:
          latitude: '${math.round(place.latitude * 10000) / 10000}'
        body: {filter: [a, '${state}', null, true]}
        errors:
          404: {code: outside_us, message: 'The National Weather Service does not cover "${input.city}".'}
          503 ForecastGridExpired: {code: no_forecast, message: None., retry: never, retry_after: 10s}
    let:
      name: '${input.city.split(",")[0].trim()}'
      state: ${states[?name]}
      matches: '${places.results.filter(r, r.name == name
        && state == "")}'
    outputs:
      place: {value: '${place.name}', description: The place that was found.}
      sky: {value: '${x}', description: The sky., values: {clear: CLEAR, ovc: {name: OVERCAST, text: Clouds.}}, fallback: OTHER}
    examples:
      - {goal: Weather tonight in Omaha, inputs: {city: "Omaha, Nebraska", period: TONIGHT}}
  list_states:
    version: 2
    description: List the states.
    call: 'geo GET /states'
    with: {limit: 10}
`
