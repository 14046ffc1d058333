#!/usr/bin/env bash
# Lets the official library of MCP bundles judge one of a package:
# bench/conformance/bundle.sh [PACKAGE]. It validates the manifest, unpacks the
# bundle and says how a host starts its program, which then has to list the tools
# that the manifest names. Skipped, with a message, where Node or the npm registry
# cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
package="${1:-examples/nws}"

if ! command -v npm >/dev/null; then
  echo "skipped: there is no npm"; exit 0
fi
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
go run ./cmd/sculpt export mcpb --out "$work/tools.mcpb" --version 1.0.0 --author Judge --platform "$(go env GOOS)/$(go env GOARCH)" "$package"
cp bench/conformance/bundle.mjs "$work/"
cd "$work"
echo '{"private":true}' > package.json
if ! npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/mcpb@2.1.2 2> npm.log; then
  echo "skipped: the library cannot be installed"; tail -3 npm.log; exit 0
fi
npx mcpb unpack tools.mcpb unpacked > /dev/null
npx mcpb validate unpacked/manifest.json
node bundle.mjs unpacked
