#!/usr/bin/env bash
# Lets the official conformance suite, the Inspector and the npm SDK of MCP judge
# a server of sculpted tools on the loopback interface. It fails if one scenario
# for servers that offer tools fails, in either era. Skipped, with a message,
# where Node 22 or the packages cannot be had.
#
# Not run, because no sculpted tool has what they want: prompts, resources,
# completion, sampling, elicitation, progress, images and audio.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v npm >/dev/null; then
  echo "skipped: there is no npm"; exit 0
fi
work="$(mktemp -d)"
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

# The suite and the Inspector need Node 22, which npm has as a package. They want
# different versions of what they share, so each has its own folder.
node="$work/suite/node_modules/.bin/node"
fetch() { # FOLDER PACKAGE...
  mkdir "$work/$1"
  echo '{"private":true}' > "$work/$1/package.json"
  if ! npm install --prefix "$work/$1" --silent --no-audit --no-fund "${@:2}" > "$work/npm.log" 2>&1; then
    echo "skipped: ${*:2} cannot be installed"; tail -3 "$work/npm.log"; exit 0
  fi
}
fetch suite node@22 @modelcontextprotocol/conformance@0.2.0-alpha.12
if ! "$node" --version > "$work/version" 2>&1; then
  echo "skipped: Node 22 does not start"; cat "$work/version"; exit 0
fi
fetch inspector @modelcontextprotocol/inspector@2.12.0
fetch sdk @modelcontextprotocol/sdk@1.32.2

(cd bench && go build -o "$work/judged" ./cmd/judged)
program=("$work/judged" -replay "$PWD/examples/nws/replay")
"${program[@]}" > "$work/url" 2> "$work/server.log" &
server=$!
for _ in $(seq 100); do
  if [ -s "$work/url" ]; then break; fi
  sleep 0.1
done
url="$(head -1 "$work/url")"

failed=0 passed=0
check() { # NAME COMMAND...
  if timeout 120 "${@:2}" > "$work/out" 2>&1; then
    passed=$((passed + 1)); echo "ok    $1"
  else
    failed=$((failed + 1)); echo "FAIL  $1"; tail -40 "$work/out"
  fi
}

suite="$work/suite/node_modules/@modelcontextprotocol/conformance/dist/index.js"
scenario() { # REVISION SCENARIO ARGUMENT...
  check "$1 $2" "$node" "$suite" server --url "$url" --spec-version "$1" --scenario "$2" "${@:3}"
  # A suite that knows no such scenario, or skips it, says nothing and exits 0.
  if ! grep -qE 'SUCCESS|INFO|WARNING' "$work/out"; then
    failed=$((failed + 1)); echo "FAIL  $1 $2 checked nothing"; tail -5 "$work/out"
  fi
}
scenario 2026-07-28 server-stateless --expected-failures bench/conformance/mcp-expected-failures.yaml
for name in tools-list tools-call-simple-text tools-call-error dns-rebinding-protection caching http-header-validation \
  http-custom-header-server-validation server-sse-multiple-streams input-required-result-unsupported-methods json-schema-2020-12; do
  scenario 2026-07-28 "$name"
done
for name in server-initialize ping tools-list tools-call-simple-text tools-call-error dns-rebinding-protection \
  server-sse-multiple-streams json-schema-2020-12; do
  scenario 2025-11-25 "$name"
done

inspect() { # TARGET... ARGUMENT...; it keeps a catalogue of servers in its home
  HOME="$work" PATH="$work/suite/node_modules/.bin:$PATH" "$work/inspector/node_modules/.bin/mcp-inspector" --cli "$@"
}
lists() { inspect "$@" --method tools/list --strict | grep '"lookup_weather_by_city"'; }
calls() {
  inspect "$@" --method tools/call --tool-name lookup_weather_by_city --tool-args-json '{"city":"Omaha, Nebraska"}' | grep '"temperature_f": 47'
}
refuses() { # exit code 5: the result is an error that the model sees
  local code=0
  inspect "$@" --method tools/call --tool-name lookup_weather_by_city --tool-args-json '{"city":5}' || code=$?
  [ "$code" = 5 ]
}
export -f inspect lists calls refuses
export work
for f in lists calls refuses; do
  check "inspector $f over http" bash -o pipefail -c "$f \"\$@\"" - "$url" --transport http
  check "inspector $f over stdio" bash -o pipefail -c "$f \"\$@\"" - "${program[@]}" mcp
done

cp bench/conformance/mcp.js "$work/sdk/"
check 'npm SDK over http and stdio' "$node" "$work/sdk/mcp.js" "$url" "${program[@]}" mcp

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
