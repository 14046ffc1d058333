#!/usr/bin/env bash
# How long somebody takes, from an empty folder to the first useful answer of an
# API of which sculpt knows nothing: three documents of others, five commands for
# each. Their services are played by bench/cmd/backend on loopback. It prints the
# seconds, and fails where the answer does not hold what was asked for.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"
documents="${SCULPT_SHARED:-}/openapi"
if [ ! -f "$documents/museum.yaml" ]; then
  echo "skipped: SCULPT_SHARED names no folder with documents"; exit 0
fi
work="$(mktemp -d)"
trap 'exec 9>&- || true; rm -rf "$work"' EXIT
(cd bench && go build -o "$work/backend" ./cmd/backend)
mkfifo "$work/stdin"
"$work/backend" < "$work/stdin" > "$work/address" &
exec 9> "$work/stdin" # the backend ends when this does
until [ -s "$work/address" ]; do sleep 0.05; done
backend="$(cat "$work/address")"

# first NAME DOCUMENT OPERATION FACT TOOL INPUT... runs the five commands; variables
# of the environment are set by the caller.
first() {
  local name="$1" document="$2" operation="$3" fact="$4"; shift 4
  mkdir "$work/$name"; cd "$work/$name"
  local began ended
  began="$(date +%s%N)"
  {
    go mod init "$name.example/tools"
    go mod edit -replace "github.com/sculpt-tools/sculpt=$root" -tool github.com/sculpt-tools/sculpt/cmd/sculpt
    go mod tidy
    go tool sculpt init "$documents/$document" --operation "$operation" --dir "$name"
    go tool sculpt call --live "$name" "$@" > answer.json
  } 2> talk.txt || { cat talk.txt; exit 1; }
  ended="$(date +%s%N)"
  if ! grep -q -- "$fact" answer.json; then
    echo "$document: the answer lacks $fact:"; cat answer.json; exit 1
  fi
  printf '%-16s 5 commands, %4.1f s: %s\n' "$document" "$(( (ended - began) / 100000000 ))e-1" "$fact"
  cd "$root"
}

GIT_HUB_BASE_URL="$backend" first repositories github.json search/repos 'sculpt-tools/sculpt' search_repos q='sculpted tools'
LOCATION_IQ_BASE_URL="$backend" LOCATION_IQ_KEY=a-key first addresses locationiq.yaml search '37.422' search q='1600 Amphitheatre Parkway' normalizecity=1
REDOCLY_MUSEUM_BASE_URL="$backend" REDOCLY_MUSEUM_TOKEN=user:word first events museum.yaml listSpecialEvents 'Pirate Coding Workshop' list_special_events start_date=2026-12-01
