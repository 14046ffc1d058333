#!/usr/bin/env bash
# Lets the official SDKs of the providers of models judge the function formats
# of a package: bench/conformance/functions.sh [PACKAGE]. Strict documents have
# to be fixed points of the SDKs' own strict transforms, and what the SDKs send
# to a server on the loopback interface has to be what sculpt exported.
# Skipped, with a message, where Node or the npm registry cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
package="${1:-examples/nws}"

if ! command -v npm >/dev/null; then
  echo "skipped: there is no npm"; exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
go run ./cmd/sculpt export all "$work/exports" "$package"
cp bench/conformance/functions.js "$work/"
cd "$work"
echo '{"private":true}' > package.json
if ! npm install --silent --no-audit --no-fund --ignore-scripts openai@6.49.0 @anthropic-ai/sdk@1.11.0 @google/genai@2.32.0 2> npm.log; then
  echo "skipped: the SDKs cannot be installed"; tail -3 npm.log; exit 0
fi
node functions.js exports
