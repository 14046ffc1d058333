// Starts the program of an unpacked bundle as a host does, with nothing but the
// defaults filled in, and holds its tools against the manifest.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { getMcpConfigForManifest } from "@anthropic-ai/mcpb";

const folder = resolve(process.argv[2]);
const manifest = JSON.parse(readFileSync(folder + "/manifest.json", "utf8"));
const config = await getMcpConfigForManifest({ manifest, extensionPath: folder, systemDirs: {}, userConfig: {}, pathSeparator: "/" });
if (!config) throw new Error("a host does not start the program");
if (JSON.stringify(config).includes("${")) throw new Error("something is not filled in: " + JSON.stringify(config));

const program = spawn(config.command, config.args, { env: config.env, stdio: ["pipe", "pipe", "inherit"] });
const say = (message) => program.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
say({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "judge", version: "1" } } });
say({ method: "notifications/initialized" });
say({ id: 2, method: "tools/list" });
let text = "";
for await (const part of program.stdout) {
  text += part;
  const list = text.split("\n").slice(0, -1).map((line) => JSON.parse(line)).find((m) => m.id === 2);
  if (!list) continue;
  const served = list.result.tools.map((t) => t.name).sort().join(" ");
  const named = manifest.tools.map((t) => t.name).sort().join(" ");
  if (served !== named) throw new Error(`the manifest names ${named}, the program has ${served}`);
  console.log("ok   " + named);
  program.stdin.end();
  break;
}
