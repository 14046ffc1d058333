#!/usr/bin/env bash
# Lets the official SDKs of the providers of models judge sculpt/client/agent:
# bench/conformance/agent.sh. The SDKs send its lists and messages unchanged, read
# the calls that it reads, and their types fit under tsc --strict. Skipped, with a
# message, where Node or the npm registry cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v npm >/dev/null; then
  echo "skipped: there is no npm"; exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/said"
go test ./sculpt/client/agent -run 'TestRound$' -count=1 -agent.dump "$work/said" > /dev/null
cp bench/conformance/agent.js "$work/"
cd "$work"
echo '{"private":true}' > package.json
if ! npm install --silent --no-audit --no-fund --ignore-scripts openai@6.49.0 @anthropic-ai/sdk@1.11.0 @google/genai@2.32.0 typescript@5.9.3 @types/node@22 2> npm.log; then
  echo "skipped: the SDKs cannot be installed"; tail -3 npm.log; exit 0
fi
node agent.js said
npx tsc --noEmit --strict --skipLibCheck --target es2022 --module nodenext --moduleResolution nodenext agent.ts
echo "ok   types"
