/** What kind of error a ToolError is. */
export type Kind =
  | "bad_request" | "unauthorized" | "forbidden" | "unknown_tool" | "unknown_version" | "invalid_input" | "no_result" | "rejected"
  | "rate_limited" | "unavailable" | "timeout" | "bad_backend" | "unknown_outcome" | "internal";

/** What is wrong with an input. */
export interface Issue {
  parameter: string;
  code: string;
  detail: string;
  allowed: readonly string[];
}

/** What the caller has to bring before the call can run (OTC). */
export interface Missing {
  userId: boolean;
  secrets: readonly string[];
  /** Addresses that a person has to visit, by the id of their provider; "" for none. */
  authorizations: ReadonlyMap<string, string>;
}

/** A ToolError says why a call gave nothing. Its texts are the server's. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly kind: Kind;
  /** The status of HTTP, 0 where nothing was answered. */
  readonly status: number;
  readonly code: string;
  /** What a model should do about it. */
  readonly hint: string;
  readonly issues: readonly Issue[];
  readonly missing: Missing | null;
  readonly effectsDone: readonly string[];
  /** How long the server asks to wait, in milliseconds; 0 where it says nothing. */
  readonly retryAfter: number;
  /** How often the call was sent. */
  readonly attempts: number;
  /** What is known of sending the call again. */
  readonly again: "unsaid" | "worthwhile" | "pointless";

  constructor(kind: Kind, message: string, details: Partial<Omit<ToolError, keyof Error | "kind">> & { cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? 0;
    this.code = details.code ?? "";
    this.hint = details.hint ?? "";
    this.issues = details.issues ?? [];
    this.missing = details.missing ?? null;
    this.effectsDone = details.effectsDone ?? [];
    this.retryAfter = details.retryAfter ?? 0;
    this.attempts = details.attempts ?? 0;
    this.again = details.again ?? "unsaid";
  }
}

/** How a Client speaks to its server. */
export interface Options {
  /** Asked before every request for what goes into its header, such as credentials. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  /** What sends requests; the global fetch, unless stated. */
  fetch?: typeof fetch;
  /** How often a call is sent that may be repeated; 3, unless stated. */
  attempts?: number;
}

/** What belongs to one call. */
export interface CallOptions {
  /** How long to wait is for the caller to say: AbortSignal.timeout(20_000). */
  signal?: AbortSignal;
  /** Names the call, so that a server that knows it does not run it twice. */
  key?: string;
  /** Who the tool works for (OTC); A2T has no place for it. */
  caller?: { userId?: string; secrets?: Record<string, string>; tokens?: Record<string, string> };
  /** The trace that the call belongs to (W3C). */
  traceparent?: string;
}

type Shape =
  | "any" | "text" | "integer" | "number" | "boolean"
  | { values: readonly string[] } | { list: Shape } | { nullable: Shape } | { members: readonly Member[] };
type Member = readonly [name: string, shape: Shape, optional: boolean];

interface Tool {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly readOnly: boolean;
  readonly inputs: readonly string[];
  /** null where the server does not say what comes. */
  readonly outputs: readonly Member[] | null;
}

interface Exchange {
  readonly path: string;
  readonly body: unknown;
  readonly headers: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

const mostBytes = 16 << 20;
const mostWait = 30_000;

/** fits reports whether a value is of a shape. Members that are not named are passed over. */
function fits(shape: Shape, v: unknown): boolean {
  switch (shape) {
    case "any": return true;
    case "text": return typeof v === "string";
    case "integer": return Number.isSafeInteger(v);
    case "number": return typeof v === "number";
    case "boolean": return typeof v === "boolean";
  }
  if ("values" in shape) return typeof v === "string" && shape.values.includes(v);
  if ("list" in shape) return Array.isArray(v) && v.every((one) => fits(shape.list, one));
  if ("nullable" in shape) return v === null || fits(shape.nullable, v);
  const members = membersOf(v);
  return members !== null && shape.members.every(([name, one, optional]) => {
    const it = members.get(name) ?? null;
    return it === null && optional || members.has(name) && fits(one, it);
  });
}

/** membersOf has an object's own members; no name means anything else. */
function membersOf(v: unknown): Map<string, unknown> | null {
  return typeof v === "object" && v !== null && !Array.isArray(v) ? new Map(Object.entries(v)) : null;
}

function textOf(m: Map<string, unknown> | null, name: string): string {
  const v = m?.get(name);
  return typeof v === "string" ? v : "";
}

function listOf(v: unknown): unknown[] {
  return Array.isArray(v) ? v : [];
}

function millisecondsOf(v: unknown): number {
  return typeof v === "number" && v > 0 ? v : 0;
}

const kinds: Record<number, Kind> = {
  401: "unauthorized", 403: "forbidden", 404: "unknown_tool", 409: "unknown_outcome", 410: "unknown_tool", 422: "invalid_input",
  429: "rate_limited", 500: "internal", 502: "bad_backend", 504: "timeout",
};

function kindOf(status: number): Kind {
  return kinds[status] ?? (status >= 500 ? "unavailable" : "bad_request");
}

function secondsOf(headers: Headers): number {
  const said = headers.get("Retry-After") ?? "";
  return /^\d{1,6}$/.test(said) ? Number(said) * 1000 : 0;
}

function garbage(status: number, message: string, cause?: unknown): ToolError {
  return new ToolError("bad_backend", message, { status, again: "pointless", cause });
}

/** argumentsOf lists what is given, in the order of the tool. */
function argumentsOf(tool: Tool, input: object): [string, unknown][] {
  const given = new Map(Object.entries(input));
  return tool.inputs.filter((name) => (given.get(name) ?? null) !== null).map((name) => [name, given.get(name)]);
}

/** outputsOf makes the outputs of a call what the signature says, or an error. */
function outputsOf(tool: Tool, found: Map<string, unknown>): unknown {
  if (tool.outputs === null) return Object.fromEntries(found);
  return Object.fromEntries(tool.outputs.map(([name, shape, optional]) => {
    const v = found.get(name) ?? null;
    if (v === null ? !optional : !fits(shape, v)) {
      throw garbage(200, `The tool has run, but its output ${JSON.stringify(name)} is not what its signature says.`);
    }
    return [name, v];
  }));
}

/** bodyOf reads a bounded body. */
async function bodyOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > mostBytes) {
      await reader.cancel();
      throw garbage(response.status, `The answer has more than ${mostBytes} bytes.`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/** unheard are the causes that Node gives to requests which have not reached a server. */
const unheard = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"];

function unanswered(error: unknown, signal: AbortSignal | undefined): ToolError {
  if (error instanceof ToolError) return error;
  if (signal?.aborted) return new ToolError("timeout", "The server did not answer in time.", { cause: error });
  const cause = error instanceof Error ? membersOf(error.cause) : null;
  const again = unheard.includes(textOf(cause, "code")) ? "worthwhile" : "unsaid";
  return new ToolError("unavailable", "The server cannot be reached.", { cause: error, again });
}

/** repeatable reports whether a call may be sent again, whatever the first one did. */
function repeatable(e: ToolError, tool: Tool): boolean {
  if (e.again !== "unsaid") return e.again === "worthwhile";
  return tool.readOnly && (e.status === 0 || e.status === 429 || e.status >= 500);
}

/** settled is the error in the end: of what may have happened, the outcome is unknown. */
function settled(e: ToolError, tool: Tool, attempts: number): ToolError {
  const lost = e.again === "unsaid" && !tool.readOnly && (e.status === 0 || e.status >= 500);
  const message = lost ? "The outcome is unknown: the call may have had its effect. Do not repeat it." : e.message;
  return new ToolError(lost ? "unknown_outcome" : e.kind, message, { ...e, cause: e.cause, attempts });
}

/** pause waits, and reports false if the caller does not want to any more. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => { clearTimeout(timer); resolve(false); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", end); resolve(true); }, milliseconds);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
  });
}

class Server {
  readonly #address: string;
  readonly #options: Options;

  constructor(address: string, options: Options) {
    const url = new URL(address);
    if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
      throw new TypeError("This is not the address of a server: write https://host/path");
    }
    this.#address = url.href.replace(/\/+$/, "");
    this.#options = options;
  }

  async call(tool: Tool, input: object, options: CallOptions): Promise<unknown> {
    const key = options.key ?? (tool.readOnly ? "" : crypto.randomUUID());
    const exchange = exchangeOf(tool, argumentsOf(tool, input), { ...options, key });
    for (let attempt = 1; ; attempt++) {
      try {
        return outputsOf(tool, outcomeOf(await this.#send(exchange, options.signal)));
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        const wait = error.retryAfter > 0 ? Math.min(error.retryAfter, mostWait) : 200 * 2 ** (attempt - 1);
        const over = options.signal?.aborted || attempt >= (this.#options.attempts ?? 3) || !repeatable(error, tool);
        if (over || !(await pause(wait, options.signal))) throw settled(error, tool, attempt);
      }
    }
  }

  async #send(exchange: Exchange, signal: AbortSignal | undefined): Promise<Answer> {
    const credentials = (await this.#options.headers?.()) ?? {};
    const request: RequestInit = {
      method: "POST", body: JSON.stringify(exchange.body), redirect: "manual",
      headers: { ...credentials, ...exchange.headers, "Content-Type": "application/json", Accept: "application/json" },
    };
    if (signal) request.signal = signal;
    let response: Response, text: string;
    try {
      response = await (this.#options.fetch ?? fetch)(this.#address + exchange.path, request);
      text = await bodyOf(response);
    } catch (error) {
      throw unanswered(error, signal);
    }
    let json: unknown = null;
    try {
      json = JSON.parse(text);
    } catch (error) {
      if (response.status === 200) throw garbage(200, "The answer is not JSON.", error);
    }
    return { status: response.status, headers: response.headers, json };
  }
}
