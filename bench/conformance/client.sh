#!/usr/bin/env bash
# Lets TypeScript and Node judge what "sculpt client --lang typescript" writes:
# bench/conformance/client.sh. The modules compile under tsc --strict, those of
# servers with hostile texts too, and call servers over A2T and OTC. Skipped, with a
# message, where Node or the npm registry cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."

if ! command -v npm >/dev/null; then
  echo "skipped: there is no npm"; exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
echo '{"private":true,"type":"module"}' > "$work/package.json"
if ! (cd "$work" && npm install --silent --no-audit --no-fund --ignore-scripts typescript@5.9.3 @types/node@22) 2> "$work/npm.log"; then
  echo "skipped: TypeScript cannot be installed"; tail -3 "$work/npm.log"; exit 0
fi
go test ./gen/internal/typed -run 'TestTypeScript$' -count=1 -typed.node "$work"
