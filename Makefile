FUZZTIME = 30s
# FUZZLEAST is how many inputs each target has to get through at least: one that
# does not try inputs has not been fuzzed, whatever it says.
FUZZLEAST = 100
# One line for each target: two folders may have targets of one name. Inputs are
# not made smaller, which would take the whole time of a run.
FUZZERS = grep -r --include='*_test.go' '^func Fuzz' . | sed -E 's|/[^/]*:func (Fuzz[A-Za-z0-9_]*).*| \1|' | sort -u

.PHONY: help all test lint generate checkgenerate leaves documents reach judges fuzz fuzzers bench mutate release releasecheck

help: ## show the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

all: lint checkgenerate test ## what has to pass before a commit

test: ## run all tests, and again with the race detector
	go test ./...
	go test -race ./...

lint: ## vet and lint
	go vet ./... && go tool -modfile=tools.mod golangci-lint run

generate: ## write the generated files of the examples
	go generate ./...

checkgenerate: ## fail if a generated file is stale
	go run ./cmd/sculpt generate --check examples/nws
	go run ./cmd/sculpt generate --check examples/clinic
	for recipe in examples/cookbook/*/sculpt.yaml; do go run ./cmd/sculpt generate --check "$$recipe" || exit 1; done
	go run ./cmd/sculpt generate --check bench/fixture
	go run ./cmd/sculpt generate --check bench/weather

leaves: ## compile every typed field of every published document (wants SCULPT_SHARED)
	SCULPT_LEAVES=all go test -count=1 -timeout 30m -run Leaves -v ./gen/internal/corpus

documents: ## try every operation of every published document and write docs/documents.md (wants SCULPT_SHARED)
	SCULPT_DOCUMENTS=all go test -count=1 -timeout 30m -run TestDocumentsOnTheWire -v ./gen/internal/corpus

reach: ## list the blocks of generated chains that no changed answer reaches, and fail if one is not explained
	SCULPT_REACH=1 go test -count=1 -timeout 20m -run TestNothingIsUnreachable -v ./gen/internal/corpus

judges: ## let official clients and suites look at what is served (npm where it can be had)
	cd bench && go test ./...
	bash bench/conformance/mcp.sh
	bash bench/conformance/functions.sh
	bash bench/conformance/agent.sh
	bash bench/conformance/bundle.sh
	bash bench/conformance/openapi.sh

fuzz: ## run each fuzz target for FUZZTIME, and a million random expressions
	SCULPT_FUZZ=1000000 go test -count=1 -run RandomExpressions ./internal/expr ./gen/internal/lower
	@$(FUZZERS) | while read -r dir f; do \
		out=$$(go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x "$$dir" </dev/null 2>&1) || { echo "$$out"; exit 1; }; \
		n=$$(echo "$$out" | sed -n 's/^fuzz: elapsed: .*, execs: \([0-9]*\) .*/\1/p' | tail -1); \
		echo "$$dir $$f: $${n:-0} inputs"; \
		[ "$${n:-0}" -ge $(FUZZLEAST) ] || { echo "$$out"; echo "$$f has tried fewer than $(FUZZLEAST) inputs in $(FUZZTIME)"; exit 1; }; \
	done

fuzzers: ## list the fuzz targets, each with its folder
	@$(FUZZERS)

bench: ## run the benchmarks; rows of expressions fail above 1.5 times hand-written Go. Then print the goals of docs/performance.md
	go test -run '^$$' -bench . -benchmem ./...
	cd bench && go run ./cmd/serving
	cd bench && go run ./cmd/generator
	cd bench && go run ./cmd/compiler -tools 200

mutate: ## break 100 places, one at a time, and fail if the nearest tests notice fewer than 85 (MUTATE='-n 20 -packages expr')
	go run ./internal/mutate $(MUTATE)

release: ## build the archives of a release into bin/release: make release REF=v0.1.0
	go run ./internal/release $(REF)

releasecheck: ## build this machine's binary twice, in two folders, and fail if a byte differs
	go run ./internal/release -check $(REF)
