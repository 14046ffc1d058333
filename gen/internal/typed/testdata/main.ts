// Calls servers by what "sculpt client" wrote: node main.js WEATHER STUB CLOSED.
import assert from "node:assert/strict";
import * as a2t from "./a2t.js";
import * as otc from "./otc.js";
import * as unsaid from "./unsaid.js";

const [weather, stub, closed] = process.argv.slice(2) as [string, string, string];
const omaha = { city: "Omaha, Nebraska" };

const x: a2t.LookupWeatherByCityOutput = await new a2t.Client().lookupWeatherByCity({ ...omaha, period: "NOW" });
assert.deepEqual([x.place, x.temperature_f, x.summary, x.wind], ["Omaha", 47, "Mostly Sunny", "10 to 15 mph NW"]);
const y = await new otc.Client(`${weather}/otc/`).lookupWeatherByCity(omaha, { signal: AbortSignal.timeout(20_000), key: crypto.randomUUID() });
const degrees: number = y.temperature_f;
assert.equal(degrees, 47);

// What the compiler refuses, the server refuses too.
// @ts-expect-error
await failing(new a2t.Client().lookupWeatherByCity({ ...omaha, period: "YESTERDAY" }), { kind: "invalid_input", status: 422, attempts: 1 });
// @ts-expect-error
const wrong = await failing(new otc.Client().lookupWeatherByCity({}), { kind: "invalid_input", attempts: 1 });
assert.equal(wrong.issues[0]?.parameter, "city");
const none = await failing(new a2t.Client().lookupWeatherByCity({ city: "Zzyzxburg" }), { kind: "no_result", attempts: 1 });

async function failing(call: Promise<unknown>, want: { [K in keyof a2t.ToolError]?: a2t.ToolError[K] }): Promise<a2t.ToolError> {
  const error = await call.then((v) => assert.fail(`it gave ${JSON.stringify(v)}`), (e: unknown) => e);
  assert(error instanceof a2t.ToolError || error instanceof otc.ToolError || error instanceof unsaid.ToolError, String(error));
  for (const [name, v] of Object.entries(want)) {
    assert.deepEqual(error[name as keyof typeof error], v, `${name} of ${error.message}`);
  }
  return error;
}

/** sent tells how often a call was sent, and k for each key that was sent with it. */
async function sent(of: string): Promise<string> {
  return (await fetch(`${stub}/sent?of=${of}`)).text();
}

// What is repeated: of a tool that reads only, and of one of which nothing is known.
for (const [name, reading, kind, effect, otherKind] of [
  ["worthwhile", "+++", "unavailable", "++++++k", "unavailable"],
  ["pointless", "+", "unavailable", "++k", "unavailable"],
  ["unsaid", "+++", "bad_backend", "++++k", "unknown_outcome"],
  ["limited", "+++", "rate_limited", "++++k", "rate_limited"],
  ["issues", "+", "invalid_input", "++k", "invalid_input"],
  ["rejected", "+", "rejected", "++k", "rejected"],
  ["moved", "+", "bad_request", "++k", "bad_request"],
  ["nothing", "+", "bad_backend", "++k", "bad_backend"],
  ["garbage", "+", "bad_backend", "++k", "bad_backend"],
  ["other", "+", "bad_backend", "++k", "bad_backend"],
  ["huge", "+", "bad_backend", "++k", "bad_backend"],
] as const) {
  await failing(new a2t.Client(`${stub}/${name}`).lookupWeatherByCity(omaha), { kind });
  assert.equal(await sent(name), reading, name);
  await failing(new unsaid.Client(`${stub}/${name}`).lookupWeatherByCity(omaha), { kind: otherKind });
  assert.equal(await sent(name), effect, name);
}
const empty = await new a2t.Client(`${stub}/null`).lookupWeatherByCity(omaha);
assert.deepEqual([empty.place, empty.temperature_f, empty.summary, empty.wind], [null, null, null, null]);

const missing = await failing(new otc.Client(`${stub}/missing`).lookupWeatherByCity(omaha), { kind: "forbidden" });
assert.deepEqual([...missing.missing!.authorizations], [["hub", "https://hub.example/go"]]);
await failing(new otc.Client(`${stub}/later`).lookupWeatherByCity(omaha), { kind: "unavailable", attempts: 3 });
await failing(new otc.Client(`${stub}/hinted`).lookupWeatherByCity(omaha), { kind: "rejected", attempts: 1, hint: "Add the state." });

// Nobody listens, the caller does not wait, and what is no address.
await failing(new unsaid.Client(closed).lookupWeatherByCity(omaha), { kind: "unavailable", attempts: 3 });
await failing(new a2t.Client().lookupWeatherByCity(omaha, { signal: AbortSignal.abort() }), { kind: "timeout", attempts: 1 });
assert.throws(() => new a2t.Client("https://u:p@tools.example"), TypeError);

// Headers are asked for, and do not replace those of the protocol.
let seen: Headers | undefined;
const options = {
  headers: async () => ({ Authorization: "Bearer t", Accept: "text/html" }),
  fetch: async (_: unknown, init?: RequestInit) => { seen = new Headers(init?.headers); return new Response('{"output_parameters":[]}'); },
};
await new a2t.Client(weather, options).lookupWeatherByCity(omaha);
assert.equal(seen?.get("Authorization"), "Bearer t");
assert.equal(seen?.get("Accept"), "application/json");
assert(none.message);
console.log("all called");
