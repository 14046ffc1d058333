
/** exchangeOf writes a call of A2T. */
function exchangeOf(tool: Tool, args: [string, unknown][], options: CallOptions): Exchange {
  const headers: Record<string, string> = {};
  if (options.key) headers["Idempotency-Key"] = options.key;
  if (options.traceparent) headers["Traceparent"] = options.traceparent;
  return {
    path: `/tools/${encodeURIComponent(tool.id)}/versions/${tool.version}:invoke`, headers,
    body: { name: tool.name, input_parameters: args.map(([name, value]) => ({ name, value })) },
  };
}

const codes: Record<string, Kind> = {
  internal: "internal", malformed_request: "bad_request", unauthorized: "unauthorized", forbidden: "forbidden", unknown_tool: "unknown_tool",
  unknown_version: "unknown_version", invalid_parameters: "invalid_input", no_result: "no_result", backend_rejected: "rejected",
  rate_limited: "rate_limited", backend_unavailable: "unavailable", backend_timeout: "timeout", backend_invalid_response: "bad_backend",
  outcome_unknown: "unknown_outcome",
};

/** outcomeOf reads the answer to a call of A2T. */
function outcomeOf(answer: Answer): Map<string, unknown> {
  const members = membersOf(answer.json);
  if (answer.status !== 200) throw problemOf(answer, members);
  const outputs = members?.get("output_parameters");
  if (!Array.isArray(outputs)) throw garbage(200, "The answer has no output_parameters.");
  return new Map(outputs.map(membersOf).map((o) => [textOf(o, "name"), o?.get("value")]));
}

function problemOf({ status, headers }: Answer, p: Map<string, unknown> | null): ToolError {
  const code = textOf(p, "code");
  const kind = Object.hasOwn(codes, code) ? codes[code] : undefined;
  const refused = status === 422 && !Array.isArray(p?.get("errors")) ? "rejected" : kindOf(status);
  const said = p?.get("retryable");
  return new ToolError(kind ?? refused, textOf(p, "detail") || textOf(p, "title") || `The server answered with status ${status}.`, {
    status, code: textOf(p, "reason") || code, hint: textOf(p, "hint"),
    effectsDone: listOf(p?.get("effects_done")).filter((step) => typeof step === "string"),
    retryAfter: millisecondsOf(p?.get("retry_after_ms")) || secondsOf(headers),
    again: typeof said !== "boolean" ? "unsaid" : said ? "worthwhile" : "pointless",
    issues: listOf(p?.get("errors")).map(membersOf).map((i) => ({
      parameter: textOf(i, "parameter"), code: textOf(i, "code"), detail: textOf(i, "detail"),
      allowed: listOf(i?.get("allowed")).filter((v) => typeof v === "string"),
    })),
  });
}
