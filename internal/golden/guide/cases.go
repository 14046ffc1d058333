package guide

const (
	m = "sculpt.yaml"
	g = "guide.yaml"
	o = "orders.yaml"
)

// A Change is an edit of the package: file, old text, new text, and what is said
// of it, a line for each part.
type Change struct {
	Name  string
	Edits []string
	Want  string
}

// Changes make a tool do something else.
var Changes = []Change{
	{"expression of an output", []string{m, "${found.places[0].name}", "${found.places[0].name + \"!\"}"}, `find outputs.first: the value of output "first" was ${found.places[0].name} and is ${found.places[0].name + "!"}`},
	{"template of an output", []string{m, "'Place ${input.name}'", "'Town ${input.name}'"}, `find outputs.title: the value of output "title" was Place ${input.name} and is Town ${input.name}`},
	{"a let that an output reads", []string{m, "${total + 1}", "${total + 2}"}, `find let.shown: let "shown", which the value of output "total" reads, was ${total + 1} and is ${total + 2}`},
	{"a let that a let reads", []string{m, "${found.total * factor}", "${found.total + factor}"}, `find let.total: let "total", which the value of output "total" reads, was ${found.total * factor} and is ${found.total + factor}`},
	{"a constant", []string{m, "factor: 2", "factor: 3"}, `find constants.factor: constant "factor", which the value of output "total" reads, was 2 and is 3`},
	{"a member of a constant", []string{m, "{big: 1, small: 2}", "{big: 3, small: 2}"}, `find constants.kinds: constant "kinds", which the value of output "level" reads, was {"big": 1, "small": 2} and is {"big": 3, "small": 2}`},
	{"another member of a constant map", []string{m, "${kinds.big}", "${kinds.small}"}, `find outputs.level: the value of output "level" was ${kinds.big} and is ${kinds.small}`},
	{"what a value sends", []string{m, "send: s}", "send: xs}"}, `find inputs.size.values.SMALL: what value "SMALL" of input "size" sends was s and is xs`},
	{"a value that sends its name", []string{m, "{text: A small one., send: s}", "A small one."}, `find inputs.size.values.SMALL: what value "SMALL" of input "size" sends was s and is SMALL`},
	{"binding to another input", []string{m, "limit: '${input.count}'", "limit: '${input.count + 1}'"}, `find steps.found.with.limit: parameter "limit" of step "found" was ${input.count} and is ${input.count + 1}`},
	{"fixed parameter", []string{m, "yes-please", "no-thanks"}, `find steps.found.with.fixed: parameter "fixed" of step "found" was yes-please and is no-thanks`},
	{"a parameter that is not sent any more", []string{m, ", fixed: yes-please", ""}, `find steps.found.with.fixed: parameter "fixed" of step "found" is gone: yes-please`},
	{"one more parameter", []string{m, "fixed: yes-please", "fixed: yes-please, unused: x"}, `find steps.found.with.unused: parameter "unused" of step "found" is new: x`},
	{"a list in a parameter", []string{m, "${[\"a\", input.name]}", "${[\"b\", input.name]}"}, `find steps.found.with.tags: parameter "tags" of step "found" was ${["a", input.name]} and is ${["b", input.name]}`},
	{"path parameter", []string{m, "id: '${found.places[0].id}'", "id: '${found.places[1].id}'"}, `find steps.details.with.id: parameter "id" of step "details" was ${found.places[0].id} and is ${found.places[1].id}`},
	{"cache", []string{m, "cache: 60s", "cache: 61s"}, `find steps.found.cache: cache of step "found" was 1m0s and is 1m1s`},
	{"no cache", []string{m, "        cache: 60s\n", ""}, `find steps.found.cache: cache of step "found" is gone: 1m0s`},
	{"timeout of a step", []string{m, "timeout: 3s", "timeout: 4s"}, `find steps.found.timeout: the timeout of step "found" was 3s and is 4s`},
	{"timeout of an api", []string{m, "timeout: 5s", "timeout: 6s"}, `find steps.details.timeout: the timeout of step "details" was 5s and is 6s
find steps.rated.timeout: the timeout of step "rated" was 5s and is 6s
find steps.cost.quote.timeout: the timeout of step "cost.quote" was 5s and is 6s`},
	{"timeout of a tool", []string{m, "timeout: 20s", "timeout: 30s"}, `find timeout: the timeout of the tool was 20s and is 30s`},
	{"no timeout of a tool", []string{m, "    timeout: 20s\n", ""}, `find timeout: the timeout of the tool was 20s and is the default`},
	{"attempts of an api", []string{m, "retry: {attempts: 2}", "retry: {attempts: 3}"}, `find steps.found.retry: the attempts of step "found" was 2 and is 3
find steps.details.retry: the attempts of step "details" was 2 and is 3
find steps.rated.retry: the attempts of step "rated" was 2 and is 3
find steps.cost.quote.retry: the attempts of step "cost.quote" was 2 and is 3`},
	{"attempts of a step", []string{m, "retry: {attempts: 1}", "retry: {attempts: 2}"}, `order steps.done.retry: the attempts of step "done" was 1 and is 2`},
	{"expect", []string{m, "check: found.total > 0", "check: found.total > 1"}, `find steps.found.expect: the check of expect no_such_place of step "found" was found.total > 0 and is found.total > 1`},
	{"expect is gone", []string{m, "          - check: found.total > 0\n            code: no_such_place\n            message: 'There is no place \"${input.name}\".'\n", ""}, `find steps.found.expect: expect no_such_place of step "found" is gone: found.total > 0`},
	{"one more expect", []string{m, "        expect:\n", "        expect:\n          - {check: found.total != 13, code: unlucky, message: No.}\n"}, `find steps.found.expect: expect unlucky of step "found" is new: found.total != 13`},
	{"order of expects", []string{m, "check: found.total > 0", "check: X", m, "check: found.total < 1000", "check: found.total > 0", m, "check: X", "check: found.total < 1000"}, `find steps.found.expect: the check of expect no_such_place of step "found" was found.total > 0 and is found.total < 1000
find steps.found.expect: the check of expect too_many of step "found" was found.total < 1000 and is found.total > 0`},
	{"code of an expect", []string{m, "code: no_such_place", "code: no_place"}, `find steps.found.expect: the code of expect no_place of step "found" was no_such_place and is no_place`},
	{"what a message reads", []string{m, "There is no place \"${input.name}\"", "There is no place \"${string(input.count)}\""}, `find steps.found.expect: what is read by the message of expect no_such_place of step "found" was There is no place "${input.name}". and is There is no place "${string(input.count)}".`},
	{"what a hint reads", []string{m, "Say more than ${input.name}.", "Say more."}, `find steps.found.expect: what is read by the hint of expect too_many of step "found" was Say more than ${input.name}. and is Say more.`},
	{"retry of an expect", []string{m, "retry: changed", "retry: never"}, `find steps.found.expect: retry of expect too_many of step "found" was changed and is never`},
	{"code of an error", []string{m, "code: gone", "code: lost"}, `find steps.found.errors.404: the code of the error for 404 of step "found" was gone and is lost`},
	{"retry of an error", []string{m, "message: Gone., retry: never", "message: Gone., retry: changed"}, `find steps.found.errors.404: retry of the error for 404 of step "found" was never and is changed`},
	{"retry_after of an error", []string{m, "retry_after: 30s", "retry_after: 40s"}, `find steps.found.errors.429: retry_after of the error for 429 of step "found" was 30s and is 40s`},
	{"status of an error", []string{m, "          404: {code: gone", "          410: {code: gone"}, `find steps.found.errors.404: the error for 404 of step "found" is gone: gone, never, Gone.
find steps.found.errors.410: the error for 410 of step "found" is new: gone, never, Gone.`},
	{"class of an error", []string{m, "5xx: {code", "503: {code"}, `find steps.found.errors.5xx: the error for 5xx of step "found" is gone: broken, Broken.
find steps.found.errors.503: the error for 503 of step "found" is new: broken, Broken.`},
	{"an error is gone", []string{m, "          5xx: {code: broken, message: Broken.}\n", ""}, `find steps.found.errors.5xx: the error for 5xx of step "found" is gone: broken, Broken.`},
	{"an answer that may be missing", []string{m, "errors: {404: {missing: true}}", "errors: {410: {missing: true}}"}, `find steps.details.errors.404: the error for 404 of step "details" is gone: nothing
find steps.details.errors.410: the error for 410 of step "details" is new: nothing`},
	{"when", []string{m, "when: found.total > 1", "when: found.total > 2"}, `find steps.details.when: when of step "details" was found.total > 1 and is found.total > 2`},
	{"list of for_each", []string{m, "for_each: names", "for_each: names.filter(n, n != \"\")"}, `find steps.rated.for_each: for_each of step "rated" was names and is names.filter(n, n != "")`},
	{"max of for_each", []string{m, "max: 5\n", "max: 6\n"}, `find steps.rated.for_each: max of for_each of step "rated" was 5 and is 6`},
	{"item of for_each", []string{m, "name: '${item}'", "name: '${item + \"!\"}'"}, `find steps.rated.with.name: parameter "name" of step "rated" was ${item} and is ${item + "!"}`},
	{"strict", []string{m, "        strict: true\n", ""}, `find steps.rated.strict: strict of step "rated" was true and is false`},
	{"a step calls something else", []string{m, "call: guide.rating\n        with: {name: '${item}', rank: '${index}'}", "call: guide.rating\n        with: {name: '${item}'}"}, `find steps.rated.with.rank: parameter "rank" of step "rated" is gone: ${index}`},
	{"inside a flow", []string{m, "${quote.amount * 1.5}", "${quote.amount * 1.25}"}, `find let.cost.amount: let "cost.amount", which the value of output "price" reads, was ${quote.amount * 1.5} and is ${quote.amount * 1.25}`},
	{"what goes into a flow", []string{m, "with: {id: '${found.total}'}}", "with: {id: '${found.total + 1}'}}"}, `find let.cost.id: let "cost.id", which parameter "id" of step "cost.quote" reads, was ${found.total} and is ${found.total + 1}`},
	{"max_length of an output", []string{m, "max_length: 100", "max_length: 90"}, `find outputs.first: max_length of output "first" was 100 and is 90`},
	{"max_items of an output", []string{m, "max_items: 5", "max_items: 4"}, `find outputs.list: max_items of output "list" was 5 and is 4`},
	{"a wire value of an output", []string{m, "{town: {", "{village: {"}, `find outputs.kind.values: the name of "town" in output "kind" is gone: TOWN
find outputs.kind.values: the name of "village" in output "kind" is new: TOWN`},
	{"wire values change places", []string{m, "town: {", "X: {", m, "city: {", "town: {", m, "X: {", "city: {"}, `find outputs.kind.values: the name of "town" in output "kind" was TOWN and is CITY
find outputs.kind.values: the name of "city" in output "kind" was CITY and is TOWN`},
	{"fallback of an output", []string{m, "fallback: OTHER", "fallback: CITY"}, `find outputs.kind: the fallback of output "kind" was OTHER and is CITY`},
	{"the condition of a macro", []string{m, "r.stars > 3.5", "r.stars >= 3.5"}, `find outputs.best: the value of output "best" was ${rated.exists(r, r.stars > 3.5)} and is ${rated.exists(r, r.stars >= 3.5)}`},
	{"length of a list", []string{m, ".take(5)}", ".take(4)}"}, `find let.names: let "names", which for_each of step "rated" reads, was ${found.places.map(p, p.name).take(5)} and is ${found.places.map(p, p.name).take(4)}`},
	{"base url", []string{m, "https://guide.example/v1", "https://guide.example/v2"}, `find apis.guide.base_url: the server of api "guide" was https://guide.example/v1 and is https://guide.example/v2`},
	{"base url of the document", []string{m, "    base_url: https://guide.example/v1\n", ""}, `find apis.guide.base_url: the server of api "guide" was https://guide.example/v1 and is https://elsewhere.example`},
	{"server of a document", []string{o, "https://orders.example", "https://orders2.example"}, `order apis.orders.base_url: the server of api "orders" was https://orders.example and is https://orders2.example`},
	{"header", []string{m, "guide/1", "guide/2"}, `find apis.guide.headers.User-Agent: header User-Agent of api "guide" was guide/1 and is guide/2`},
	{"header from another variable", []string{m, "${env.GUIDE_LANG}", "${env.OTHER_KEY}"}, `find apis.guide.headers.Accept-Language: header Accept-Language of api "guide" was ${env.GUIDE_LANG} and is ${env.OTHER_KEY}
find env.GUIDE_LANG: the variable GUIDE_LANG is gone: "en", unless set
find env.OTHER_KEY: the variable OTHER_KEY is new: "none", unless set`},
	{"one more header", []string{m, "      User-Agent: guide/1\n", "      User-Agent: guide/1\n      X-More: more\n"}, `find apis.guide.headers.X-More: header X-More of api "guide" is new: more`},
	{"auth from another variable", []string{m, "auth: {key: env:GUIDE_KEY}", "auth: {key: env:OTHER_KEY}"}, `find apis.guide.auth: auth of api "guide" was apiKey header X-Key from env:GUIDE_KEY and is apiKey header X-Key from env:OTHER_KEY
find env.GUIDE_KEY: the variable GUIDE_KEY is gone: must be set
find env.OTHER_KEY: the variable OTHER_KEY is new: "none", unless set`},
	{"where the credential goes", []string{g, "{type: apiKey, in: header, name: X-Key}", "{type: apiKey, in: query, name: key}"}, `find apis.guide.auth: auth of api "guide" was apiKey header X-Key from env:GUIDE_KEY and is apiKey query key from env:GUIDE_KEY`},
	{"default of a variable", []string{m, "default: en", "default: de"}, `find env.GUIDE_LANG: the variable GUIDE_LANG was "en", unless set and is "de", unless set`},
	{"a variable must be set", []string{m, ", default: en", ""}, `find env.GUIDE_LANG: the variable GUIDE_LANG was "en", unless set and is must be set`},
	{"method", []string{o, "    put:\n", "    post:\n"}, `order steps.done.call: the call of step "done" was PUT /orders/{id}/confirm and is POST /orders/{id}/confirm
order steps.done.effect: the effect of step "done" was idempotent and is unsafe`},
	{"path", []string{g, "  /rating:", "  /ratings:"}, `find steps.rated.call: the call of step "rated" was GET /rating and is GET /ratings`},
	{"place of a parameter", []string{g, "{name: limit, in: query", "{name: limit, in: header"}, `find steps.found.with.limit: how parameter "limit" of step "found" is written was query form explode=true reserved=false json=false int and is header simple explode=false reserved=false json=false int`},
	{"style of a parameter", []string{g, "{name: tags, in: query, schema", "{name: tags, in: query, explode: false, schema"}, `find steps.found.with.tags: how parameter "tags" of step "found" is written was query form* explode=true reserved=false json=false list(stri... and is query form explode=false reserved=false json=false list(stri...`},
	{"kind of a field", []string{g, "stars: {type: number}", "stars: {type: integer}"}, `find outputs.best: the value of output "best" is still ${rated.exists(r, r.stars > 3.5)}, and what it reads is another kind of value now`},
	{"member of a record", []string{m, "\"number\": p.id", "\"id\": p.id"}, `find outputs.rows: the value of output "rows" was ${found.places.map(p, {"name": p.name, "number": p.id})} and is ${found.places.map(p, {"name": p.name, "id": p.id})}`},
	{"member of a body", []string{m, "amount: 1,", "amount: 2,"}, `order steps.made.body.amount: member "amount" of the body of step "made" was 1 and is 2`},
	{"member of a member of a body", []string{m, "city: Bonn", "city: Berlin"}, `order steps.made.body.address.city: member "city" of member "address" of the body of step "made" was Bonn and is Berlin`},
	{"item of a list in a body", []string{m, "tags: [a,", "tags: [b,"}, `order steps.made.body.tags: item 1 of member "tags" of the body of step "made" was a and is b`},
	{"a member of a body is gone", []string{m, ", express: true", ""}, `order steps.made.body.express: member "express" of the body of step "made" is gone: true`},
	{"effect of a step", []string{m, "        effect: read\n        because: A search by POST.\n", ""}, `order steps.check.effect: the effect of step "check" was read and is unsafe`},
	{"an effect before the others", []string{m, "    steps:\n      made:", "    steps:\n      first: {call: orders.confirm, with: {id: x}}\n      made:"}, `order steps.first: step "first" is new: PUT /orders/{id}/confirm of orders
order timeout: the timeout of the tool was the default and is 40s`},
	{"one more step", []string{m, "      cost: {flow", "      more: {call: guide.place, with: {id: 1}, expect: [{check: more.age > 1, code: young, message: Young.}]}\n      cost: {flow"}, `find steps.more: step "more" is new: GET /places/{id} of guide`},
	{"a step is gone", []string{m, "      done:\n        call: orders.confirm\n        with: {id: '${made.id}'}\n        retry: {attempts: 1}\n", ""}, `order steps.done: step "done" is gone: PUT /orders/{id}/confirm of orders`},
	{"an answer that may be empty", []string{g, "responses: {'200': {description: A place.", "responses: {'204': {description: None.}, '200': {description: A place."}, `find steps.details.call: that the answer may be empty of step "details" was false and is true`},
	{"a read after an effect", []string{m, "      check:\n", "      done:\n        call: orders.confirm\n        with: {id: '${made.id}'}\n        retry: {attempts: 1}\n      check:\n", m, "      done:\n        call: orders.confirm\n        with: {id: '${made.id}'}\n        retry: {attempts: 1}\n    outputs", "    outputs"}, `order steps.check: what precedes step "check" was made and is done, made
order steps.done: what precedes step "done" was check, made and is made`},
	{"two lets", []string{m, "${total + 1}", "${total + 2}", m, "${found.total * factor}", "${found.total * factor * 2}"}, `find let.total: let "total", which the value of output "total" reads, was ${found.total * factor} and is ${found.total * factor * 2}
find let.shown: let "shown", which the value of output "total" reads, was ${total + 1} and is ${total + 2}`},
	{"a parameter that a new input changes", []string{m, "      name: {description: Name of the place., max_length: 50}\n", "      name: {description: Name of the place., max_length: 50}\n      more: {description: More., max_length: 9, optional: true}\n", m, "fixed: yes-please", "fixed: yes-please, unused: '${input.?more.orValue(\"none\")}'"}, `find steps.found.with.unused: parameter "unused" of step "found" is new: ${input.?more.orValue("none")}`},
	{"one more wire value of a known name", []string{m, "town: {name: TOWN, text: A town.}", "town: {name: TOWN, text: A town.}, hamlet: {name: TOWN, text: A town.}"}, `find outputs.kind.values: the name of "hamlet" in output "kind" is new: TOWN`},
	{"allow", []string{m, "    description: Order a thing.\n", "    description: Order a thing.\n    allow: caller.claims[?\"role\"].orValue(\"\") == \"editor\"\n"}, `order allow: allow is new: caller.claims[?"role"].orValue("") == "editor"`},
}

// priced is a step of testdata/guide.
const priced = "      cost: {flow: priced, with: {id: '${found.total}'}}\n"

// Harmless changes make none do anything else.
var Harmless = []Change{
	{Name: "a comment", Edits: []string{m, "  # What is found.\n", "  # Something else.\n"}},
	{Name: "no comment", Edits: []string{m, "  # What is found.\n", ""}},
	{Name: "empty lines", Edits: []string{m, "    outputs:\n", "\n\n    outputs:\n"}},
	{Name: "a comment in an expression's line", Edits: []string{m, "max: 5\n", "max: 5 # five\n"}},
	{Name: "spaces in an expression", Edits: []string{m, "${total + 1}", "${ total  +  1 }"}},
	{Name: "parentheses", Edits: []string{m, "${total + 1}", "${(total) + (1)}"}},
	{Name: "spaces in a condition", Edits: []string{m, "check: found.total > 0", "check: found.total  >  0"}},
	{Name: "quotes of the other kind", Edits: []string{m, "when: found.total > 1", "when: \"found.total > 1\""}},
	{Name: "quotes in an expression", Edits: []string{m, "${[\"a\", input.name]}'", "${[''a'', input.name]}'"}},
	{Name: "a block scalar", Edits: []string{m, "when: found.total > 1", "when: >-\n          found.total\n          > 1"}},
	{Name: "flow style", Edits: []string{m, "        errors: {404: {missing: true}}", "        errors:\n          404:\n            missing: true"}},
	{Name: "block style", Edits: []string{m, "    timeout: 5s\n    retry: {attempts: 2}", "    timeout: 5s\n    retry:\n      attempts: 2"}},
	{Name: "a number written otherwise", Edits: []string{m, "r.stars > 3.5", "r.stars > 3.50"}},
	{Name: "an exponent", Edits: []string{m, "quote.amount * 1.5", "quote.amount * 15e-1"}},
	{Name: "a hexadecimal number", Edits: []string{m, "found.total < 1000", "found.total < 0x3e8"}},
	{Name: "a duration written otherwise", Edits: []string{m, "cache: 60s", "cache: 1m"}},
	{Name: "a step is renamed", Edits: []string{m, "details", "about_it"}},
	{Name: "a step that others read is renamed", Edits: []string{m, "      found:\n", "      searched:\n", m, "found.", "searched."}},
	{Name: "a step with for_each is renamed", Edits: []string{m, "rated", "judged"}},
	{Name: "a step with an effect is renamed", Edits: []string{m, "      made:", "      placed:", m, "made.id", "placed.id"}},
	{Name: "two steps change names", Edits: []string{m, "      done:", "      X:", m, "check", "done", m, "      X:", "      check:", m, "done: found", "check: found"}},
	{Name: "a let is renamed", Edits: []string{m, "${shown}", "${visible}", m, "      shown:", "      visible:"}},
	{Name: "a let that a let reads is renamed", Edits: []string{m, "      total: '${found.total * factor}'", "      doubled: '${found.total * factor}'", m, "${total + 1}", "${doubled + 1}"}},
	{Name: "a let that for_each reads is renamed", Edits: []string{m, "for_each: names", "for_each: titles", m, "      names:", "      titles:", m, "'${names}'", "'${titles}'"}},
	{Name: "lets in another order", Edits: []string{m, "      shown: '${total + 1}'\n", "", m, "    let:\n", "    let:\n      shown: '${total + 1}'\n"}},
	{Name: "a let is written where it is read", Edits: []string{m, "value: '${shown}'", "value: '${total + 1}'", m, "      shown: '${total + 1}'\n", ""}},
	{Name: "an expression becomes a let", Edits: []string{m, "    let:\n", "    let:\n      start: '${found.places[0].name}'\n", m, "first: {value: '${found.places[0].name}'", "first: {value: '${start}'"}},
	{Name: "a let of a let", Edits: []string{m, "    let:\n", "    let:\n      again: '${names}'\n", m, "list: {value: '${names}'", "list: {value: '${again}'"}},
	{Name: "a variable of a macro is renamed", Edits: []string{m, "found.places.map(p, p.name)", "found.places.map(place, place.name)"}},
	{Name: "a variable of a condition is renamed", Edits: []string{m, "rated.exists(r, r.stars > 3.5)", "rated.exists(one, one.stars > 3.5)"}},
	{Name: "a constant is renamed", Edits: []string{m, "  factor: 2", "  twice: 2", m, "* factor", "* twice"}},
	{Name: "a constant map is renamed", Edits: []string{m, "kinds", "sizes"}},
	{Name: "a constant map in another order", Edits: []string{m, "{big: 1, small: 2}", "{small: 2, big: 1}"}},
	{Name: "a constant is written where it is read", Edits: []string{m, "* factor", "* 2"}},
	{Name: "one more constant", Edits: []string{m, "  factor: 2", "  factor: 2\n  other: 5"}},
	{Name: "one more variable", Edits: []string{m, "  GUIDE_KEY:", "  MORE: {description: More., default: a}\n  GUIDE_KEY:"}},
	{Name: "text of a variable", Edits: []string{m, "The key of the guide.", "Its key."}},
	{Name: "a variable that nothing reads", Edits: []string{m, "default: none", "default: nothing"}},
	{Name: "parameters in another order", Edits: []string{m, "q: '${input.name}', limit: '${input.count}'", "limit: '${input.count}', q: '${input.name}'"}},
	{Name: "members of a body in another order", Edits: []string{m, "title: '${input.title}', amount: 1", "amount: 1, title: '${input.title}'"}},
	{Name: "reads in another order", Edits: []string{m, priced, "", m, "      found:\n", priced + "      found:\n"}},
	{Name: "outputs in another order", Edits: []string{m, "      level: {value: '${kinds.big}', description: Level.}\n", "", m, "    outputs:\n      total:", "    outputs:\n      level: {value: '${kinds.big}', description: Level.}\n      total:"}},
	{Name: "errors in another order", Edits: []string{m, "          5xx: {code: broken, message: Broken.}\n", "", m, "          404: {code: gone", "          5xx: {code: broken, message: Broken.}\n          404: {code: gone"}},
	{Name: "headers in another order", Edits: []string{m, "      User-Agent: guide/1\n", "", m, "${env.GUIDE_LANG}\n", "${env.GUIDE_LANG}\n      User-Agent: guide/1\n"}},
	{Name: "case of a header", Edits: []string{m, "User-Agent", "user-agent"}},
	{Name: "apis in another order", Edits: []string{m, "  orders: {openapi: orders.yaml}\n", "", m, "apis:\n", "apis:\n  orders: {openapi: orders.yaml}\n"}},
	{Name: "words of a message", Edits: []string{m, "There is no place \"${input.name}\".", "Nobody knows \"${input.name}\"."}},
	{Name: "words of a plain message", Edits: []string{m, "Too many places.", "There are too many."}},
	{Name: "words of a hint", Edits: []string{m, "Say more than ${input.name}.", "Add something to ${input.name}."}},
	{Name: "why a step only reads", Edits: []string{m, "A search by POST.", "It is a search."}},
	{Name: "description of a tool", Edits: []string{m, "Find a place.", "Find a place by its name."}},
	{Name: "description of an output", Edits: []string{m, "description: How many., id", "description: The number., id"}},
	{Name: "text of a value", Edits: []string{m, "A small one.", "A little one."}},
	{Name: "text of a value of an output", Edits: []string{m, "A town.", "A little town."}},
	{Name: "values of an output in another order", Edits: []string{m, "town: {name: TOWN, text: A town.}, city: {name: CITY, text: A city.}", "city: {name: CITY, text: A city.}, town: {name: TOWN, text: A town.}"}},
	{Name: "a timeout at the step instead of the api", Edits: []string{m, "        for_each: names\n", "        timeout: 5s\n        for_each: names\n"}},
	{Name: "a base url that the document has", Edits: []string{m, "  orders: {openapi: orders.yaml}", "  orders: {openapi: orders.yaml, base_url: 'https://orders.example'}"}},
	{Name: "title of a document", Edits: []string{g, "title: Guide, version: '1'", "title: The Guide, version: '2'"}},
	{Name: "summary in a document", Edits: []string{g, "summary: Search.", "summary: Search for places."}},
	{Name: "description of an answer", Edits: []string{g, "description: Found.", "description: What was found."}},
	{Name: "one more optional parameter in a document", Edits: []string{g, "        - {name: unused, in: query, schema: {type: string}}", "        - {name: unused, in: query, schema: {type: string}}\n        - {name: more, in: query, schema: {type: string}}"}},
	{Name: "a parameter that is not used goes", Edits: []string{g, "        - {name: unused, in: query, schema: {type: string}}\n", ""}},
	{Name: "parameters of a document in another order", Edits: []string{g, "        - {name: name, in: query, schema: {type: string}}\n        - {name: rank, in: query, schema: {type: integer}}", "        - {name: rank, in: query, schema: {type: integer}}\n        - {name: name, in: query, schema: {type: string}}"}},
	{Name: "a field that nothing reads goes", Edits: []string{g, "        unread: {type: string}\n", ""}},
	{Name: "a field that nothing reads has another type", Edits: []string{g, "unread: {type: string}", "unread: {type: array, items: {type: integer}}"}},
	{Name: "one more field", Edits: []string{g, "unread: {type: string}", "unread: {type: string}\n        more: {type: string}"}},
	{Name: "one more field of a place", Edits: []string{g, "name: {type: string}\n        extra", "name: {type: string}\n        more: {type: integer}\n        extra"}},
	{Name: "a schema is renamed", Edits: []string{g, "Found", "Results", g, "description: Results.", "description: Found."}},
	{Name: "a schema is written where it is used", Edits: []string{g, "items: {$ref: '#/components/schemas/Place'}", "items: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}"}},
	{Name: "a schema by allOf", Edits: []string{g, "{$ref: '#/components/schemas/Found'}", "{allOf: [{$ref: '#/components/schemas/Found'}]}"}},
	{Name: "one more operation", Edits: []string{g, "  /rating:\n", "  /more:\n    get: {operationId: more, responses: {'200': {description: More.}}}\n  /rating:\n"}},
	{Name: "one more answer that fails", Edits: []string{g, "      responses:\n        '200': {description: Found.", "      responses:\n        '404': {description: None.}\n        '200': {description: Found."}},
	{Name: "another name of an operation", Edits: []string{g, "operationId: rating", "operationId: judge", m, "call: guide.rating", "call: guide.judge"}},
	{Name: "an operation by its path", Edits: []string{m, "call: guide.rating", "call: guide GET /rating"}},
	{Name: "a security scheme is renamed", Edits: []string{g, "{key: []}", "{secret: []}", g, "    key: {type", "    secret: {type", m, "auth: {key:", "auth: {secret:"}},
	{Name: "a server that is not used", Edits: []string{g, "https://elsewhere.example", "https://nowhere.example"}},
	{Name: "bounds of a field", Edits: []string{g, "total: {type: integer}", "total: {type: integer, minimum: 0}"}},
	{Name: "a flow is renamed", Edits: []string{m, "  priced:", "  costly:", m, "flow: priced", "flow: costly"}},
	{Name: "a step of a flow is renamed", Edits: []string{m, "      quote:", "      offer:", m, "quote.amount", "offer.amount"}},
	{Name: "a flow is written where it is used", Edits: []string{m, "      cost: {flow: priced, with: {id: '${found.total}'}}", "      cost: {call: guide.price, with: {id: '${found.total}'}}", m, "value: '${cost.amount}'", "value: '${cost.amount * 1.5}'"}},
	{Name: "an input of a flow is renamed", Edits: []string{m, "    inputs: {id: {type: int}}", "    inputs: {number: {type: int}}", m, "with: {id: '${input.id}'}", "with: {id: '${input.number}'}", m, "with: {id: '${found.total}'}}", "with: {number: '${found.total}'}}"}},
	{Name: "an example", Edits: []string{m, "    timeout: 20s\n", "    timeout: 20s\n    examples: [{goal: A town, inputs: {name: Bonn, count: 2, size: SMALL}}]\n"}},
	{Name: "a parameter for a new input", Edits: []string{m, "      name: {description: Name of the place., max_length: 50}\n", "      name: {description: Name of the place., max_length: 50}\n      more: {description: More., max_length: 9, optional: true}\n", m, "fixed: yes-please", "fixed: yes-please, unused: '${input.more}'"}},
	{Name: "one more output", Edits: []string{m, "    outputs:\n      total:", "    outputs:\n      places: {value: '${found.places.size()}', description: Places.}\n      total:"}},
	{Name: "one more value of an output", Edits: []string{m, "town: {name: TOWN, text: A town.}", "town: {name: TOWN, text: A town.}, hamlet: {name: HAMLET, text: A hamlet.}"}},
	{Name: "tags", Edits: []string{m, "    timeout: 20s\n", "    timeout: 20s\n    tags: [places]\n"}},
}
