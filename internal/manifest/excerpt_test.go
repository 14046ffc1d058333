package manifest

import "testing"

// excerpted has prose and work side by side wherever both can be.
const excerpted = `sculpt: 1
package: shop
toolkit: Shop
title: The shop.
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
env:
  SHOP_KEY: {description: The key.}
  OTHER: {description: Another.}
apis:
  shop: {openapi: shop.yaml, headers: {X-App: 'a ${env.SHOP_KEY}'}}
  other: {openapi: other.yaml}
constants: {kinds: {b: 2}, unused: 1}
tools:
  find_price:
    title: Prices
    version: 7
    description: Find prices.
    tags: [a]
    timeout: 90s
    deprecated: {since: 2026-01-01}
    freeze: [1]
    prerequisites: {conditions: [The shop is open.]}
    effects: {destructive: true, creates: [order], cost: low}
    inputs:
      thing: {max_length: 40, description: The thing., mcp_header: Thing}
      gone: {from: shop.price.thing}
      size: {description: The size., values: {BIG: {text: Big., send: xl}, SMALL: Small., NO: {send: 5}}}
    call: shop.price
    with: {kinds: '${kinds}'}
    outputs:
      all: {value: '${result.a}', description: Prices., values: {a: A, b: {name: B, text: Of b.}}}
  rest:
    version: 1
    description: Rest.
    call: shop.rest
    effects: {cost: low}
    outputs: {a: {value: 1, description: One.}}
`

// TestExcerpt holds what the plan of a release keeps, byte for byte: the
// digests of releases depend on it.
func TestExcerpt(t *testing.T) {
	m, findings := Parse("f", []byte(excerpted))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	const head = `{"sculpt":1,"package":"shop","toolkit":"Shop","namespace":"3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11","env":{"SHOP_KEY":{"description":"The key."}},` +
		`"apis":{"shop":{"openapi":"shop.yaml","headers":{"X-App":"a ${env.SHOP_KEY}"}}},`
	for tool, want := range map[string]string{
		"find_price": head + `"constants":{"kinds":{"b":2}},"tools":{"find_price":{"version":1,"description":"-","timeout":"90s","effects":{"destructive":true},` +
			`"inputs":{"thing":{"description":"-","max_length":40},"gone":{"description":"-","from":"shop.price.thing"},` +
			`"size":{"description":"-","values":{"BIG":{"text":"-","send":"xl"},"SMALL":"-","NO":{"send":5}}}},"call":"shop.price","with":{"kinds":"${kinds}"},` +
			`"outputs":{"all":{"description":"-","value":"${result.a}","values":{"a":"A","b":{"name":"B","text":"-"}}}}}}}`,
		"rest": head + `"tools":{"rest":{"version":1,"description":"-","call":"shop.rest","outputs":{"a":{"description":"-","value":1}}}}}`,
		"gone": "",
	} {
		if got := string(m.Excerpt(tool)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", tool, got, want)
		}
	}
}
