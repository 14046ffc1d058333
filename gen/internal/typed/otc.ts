
/** exchangeOf writes a call of OTC. */
function exchangeOf(tool: Tool, args: [string, unknown][], options: CallOptions): Exchange {
  const { userId, secrets = {}, tokens = {} } = options.caller ?? {};
  const context = {
    authorization: Object.entries(tokens).map(([id, token]) => ({ id, token })),
    secrets: Object.entries(secrets).map(([id, value]) => ({ id, value })),
    ...(userId ? { user_id: userId } : {}),
  };
  const request = {
    ...(options.key ? { call_id: options.key } : {}), tool_id: tool.id, input: Object.fromEntries(args), ...(options.caller ? { context } : {}),
  };
  const headers: Record<string, string> = options.traceparent ? { Traceparent: options.traceparent } : {};
  return { path: "/tools/call", headers, body: { $schema: otcSchema, request } };
}

/** outcomeOf reads the answer to a call of OTC. */
function outcomeOf(answer: Answer): Map<string, unknown> {
  const members = membersOf(answer.json);
  if (answer.status !== 200) throw refusalOf(answer, members);
  const out = membersOf(members?.get("result")) ?? members;
  const success = out?.get("success");
  if (typeof success !== "boolean") throw garbage(200, "The answer does not say whether the call succeeded.");
  if (!success) throw failureOf(membersOf(out?.get("error")));
  const value = out?.get("value") ?? null;
  return membersOf(value) ?? new Map(value === null ? [] : [["value", value]]);
}

/** failureOf is the error of a tool that ran. With a hint, another call is meant and not the same one. */
function failureOf(said: Map<string, unknown> | null): ToolError {
  const hint = textOf(said, "additional_prompt_content");
  const retryAfter = millisecondsOf(said?.get("retry_after_ms"));
  const again = said?.get("can_retry") === true && (retryAfter > 0 || hint === "");
  return new ToolError(again ? "unavailable" : "rejected", textOf(said, "message") || "The tool failed, and the server does not say why.", {
    status: 200, hint, retryAfter, code: textOf(said, "code"), again: again ? "worthwhile" : "pointless",
    effectsDone: listOf(said?.get("effects_done")).filter((step) => typeof step === "string"),
  });
}

/** refusalOf is the error of a call that did not run. */
function refusalOf({ status, headers }: Answer, said: Map<string, unknown> | null): ToolError {
  const missing = membersOf(said?.get("missing_requirements"));
  const ids = (name: string) => listOf(missing?.get(name)).map(membersOf);
  return new ToolError(missing ? "forbidden" : kindOf(status), textOf(said, "message") || `The server answered with status ${status}.`, {
    status, retryAfter: secondsOf(headers),
    issues: [...(membersOf(said?.get("parameter_errors")) ?? [])].map(([parameter, detail]) => ({ parameter, code: "", detail: String(detail), allowed: [] })),
    missing: missing && {
      userId: missing.get("user_id") === true, secrets: ids("secrets").map((s) => textOf(s, "id")),
      authorizations: new Map(ids("authorization").map((a) => [textOf(a, "id"), textOf(a, "url")])),
    },
  });
}
