#!/usr/bin/env bash
# Judges the OpenAPI description of the weather example: redocly lints it, and
# a client that oapi-codegen generated from it calls the example's server,
# which answers from recorded exchanges. Everything runs on the loopback
# interface. The lint is skipped, with a message, where Node cannot be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="$PWD"
work="$(mktemp -d)"
server=""
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$work"' EXIT
go run ./cmd/sculpt export openapi --out "$work/openapi.json" examples/nws

if ! command -v npx >/dev/null; then
  echo "skipped: there is no npx to run redocly with"
elif ! npx --yes @redocly/cli@2 --version >/dev/null 2>&1; then
  echo "skipped: redocly cannot be installed"
else
  npx --yes @redocly/cli@2 lint "$work/openapi.json"
fi

go build -o "$work/sculpt" ./cmd/sculpt
"$work/sculpt" preview --addr 127.0.0.1:0 examples/nws > "$work/preview.txt" 2>&1 &
server=$!
for _ in $(seq 1 300); do
  url="$(grep -o 'http://127[.]0[.]0[.]1:[0-9]*' "$work/preview.txt" | head -1 || true)"
  if [ -n "$url" ]; then break; fi
  sleep 0.2
done
if [ -z "${url:-}" ]; then echo "the server did not start:"; cat "$work/preview.txt"; exit 1; fi

mkdir "$work/client"
cp bench/conformance/openapi_client.go.txt "$work/client/main.go"
cd "$work/client"
printf 'module client.example\n\ngo 1.26\n' > go.mod
if ! go get -tool github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 2> get.log; then
  echo "skipped: oapi-codegen cannot be had"; tail -3 get.log; exit 0
fi
go tool oapi-codegen -generate types,client -package main -o client_gen.go "$work/openapi.json"
go mod tidy 2>/dev/null
go run . "$url"
cd "$root"
