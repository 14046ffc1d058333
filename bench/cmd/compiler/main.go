// Command compiler measures what the Go compiler needs for a generated package of
// many tools, each with two calls, a chain, enums and a list of objects:
//
//	go run ./cmd/compiler -tools 200
//
// It prints processor time and peak memory of that one compiler process, for
// each tool, and fails if a goal is missed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The goals for each tool.
const (
	mostCPU    = 30 * time.Millisecond
	mostMemory = 1 << 10 // kB
)

// figures is the variable that makes this program a compiler that is measured:
// it names the file to write them to.
const figures = "SCULPT_BENCH_FIGURES"

func main() {
	if to := os.Getenv(figures); to != "" {
		os.Exit(compile(to, os.Args[1:]))
	}
	tools := flag.Int("tools", 200, "how many tools the package has")
	flag.Parse()
	cpu, memory, err := measure(*tools)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	one, each := cpu/time.Duration(*tools), memory/int64(*tools)
	verdict := "reached"
	if one > mostCPU || each > mostMemory {
		verdict = "missed"
	}
	fmt.Fprintf(os.Stdout, "%d tools: %v of processor time and %d kB for each, at most %v and %d kB are wanted: %s\n", *tools, one, each, mostCPU, mostMemory, verdict)
	if verdict == "missed" {
		os.Exit(1)
	}
}

// compile runs a tool of the Go toolchain, and notes what the compiler took for
// the package.
func compile(to string, args []string) int {
	c := exec.CommandContext(context.Background(), args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	at := slices.Index(args, "-p")
	if at > 0 && strings.HasPrefix(filepath.Base(args[0]), "compile") && args[at+1] == "bench.example/many" {
		s := c.ProcessState
		text := fmt.Sprintf("%d %d", s.UserTime()+s.SystemTime(), s.SysUsage().(*syscall.Rusage).Maxrss)
		err = errors.Join(err, os.WriteFile(to, []byte(text), 0o644))
	}
	if err != nil {
		return 1
	}
	return 0
}

func measure(tools int) (cpu time.Duration, memory int64, err error) {
	work, err := os.MkdirTemp("", "sculpt-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(work)
	module, err := run("", nil, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/sculpt-tools/sculpt")
	if err != nil {
		return 0, 0, err
	}
	sums, err := os.ReadFile(filepath.Join(module, "go.sum"))
	if err != nil {
		return 0, 0, err
	}
	manifest, document := many(tools)
	for name, text := range map[string]string{
		"go.mod":      "module bench.example/many\n\ngo 1.26\n\nrequire github.com/sculpt-tools/sculpt v0.0.0\n\nreplace github.com/sculpt-tools/sculpt => " + module + "\n",
		"go.sum":      string(sums),
		"sculpt.yaml": manifest, "api.yaml": document,
	} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o644); err != nil {
			return 0, 0, err
		}
	}
	sculpt, to := filepath.Join(work, "sculpt"), filepath.Join(work, "figures")
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	for _, step := range []struct {
		env  []string
		args []string
	}{
		{nil, []string{"go", "build", "-C", module, "-o", sculpt, "./cmd/sculpt"}},
		{nil, []string{sculpt, "generate"}},
		{[]string{"GOFLAGS=-mod=mod"}, []string{"go", "build", "."}}, // what it imports is compiled now
		{[]string{"GOFLAGS=-mod=mod", figures + "=" + to}, []string{"go", "build", "-toolexec", self, "."}},
	} {
		if _, err := run(work, step.env, step.args...); err != nil {
			return 0, 0, err
		}
		// Another file each time: an unchanged package is not compiled again.
		if err := os.WriteFile(filepath.Join(work, "doc.go"), []byte("// "+strings.Join(step.args, " ")+"\n\npackage many\n"), 0o644); err != nil {
			return 0, 0, err
		}
	}
	text, err := os.ReadFile(to)
	if err != nil {
		return 0, 0, err
	}
	first, second, _ := strings.Cut(string(text), " ")
	took, err := strconv.ParseInt(first, 10, 64)
	if err != nil {
		return 0, 0, err
	}
	memory, err = strconv.ParseInt(second, 10, 64)
	return time.Duration(took), memory, err
}

func run(dir string, env []string, args ...string) (string, error) {
	c := exec.CommandContext(context.Background(), args[0], args[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// many makes a manifest of n tools, and the document of their api.
func many(n int) (manifest, document string) {
	var tools, paths, schemas strings.Builder
	for i := range n {
		number := strings.NewReplacer("<N>", strconv.Itoa(i))
		tools.WriteString(number.Replace(toolText))
		paths.WriteString(number.Replace(pathText))
		schemas.WriteString(number.Replace(schemaText))
	}
	return manifestHead + tools.String(), documentHead + paths.String() + "components:\n  schemas:\n" + schemas.String()
}

const manifestHead = `sculpt: 1
package: many
toolkit: Many
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {x: {openapi: api.yaml}}
tools:
`

const toolText = `  tool_<N>:
    version: 1
    description: Find the first open item number <N> of a kind and tell who has it.
    inputs:
      text: {description: What to look for., max_length: 60}
      kind: {description: Which kind., default: BIG, values: {BIG: {text: A big one., send: big}, SMALL: {text: A small one., send: small}}}
      count: {type: int, description: How many., min: 1, max: 9, default: 3}
    steps:
      found:
        call: x.find<N>
        with: {q: '${input.text}', kind: '${input.kind}', limit: '${input.count}'}
        expect: [{check: open.size() > 0, code: none, message: 'There is no "${input.text}".'}]
      details: {call: x.get<N>, with: {id: '${open[0].id}'}, errors: {404: {code: gone, message: It is gone.}}}
    let:
      open: '${found.items.filter(i, i.?state.orValue("") == "open")}'
    outputs:
      name: {value: '${details.name}', description: Name.}
      price: {value: '${details.?price}', optional: true, description: Price.}
      owner: {value: '${details.?owner.?login}', optional: true, description: Who has it.}
      state: {value: '${details.?state.orValue("open")}', description: State., values: {open: {name: OPEN, text: Open.}, closed: {name: CLOSED, text: Closed.}}, fallback: CLOSED}
      others: {value: '${open.map(o, {"name": o.name, "price": o.?price.orValue(0.0), "tags": o.?tags.orValue([])})}', max_items: 5, description: The others.}
`

const documentHead = `openapi: 3.0.3
info: {title: Many, version: "1"}
servers: [{url: "https://many.example"}]
paths:
`

const pathText = `  /items<N>:
    get:
      operationId: find<N>
      parameters:
        - {name: q, in: query, required: true, schema: {type: string, maxLength: 60}}
        - {name: kind, in: query, schema: {type: string, enum: [big, small]}}
        - {name: limit, in: query, schema: {type: integer}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/List<N>"}}}}}
  /items<N>/{id}:
    get:
      operationId: get<N>
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Item<N>"}}}}}
`

const schemaText = `    List<N>: {type: object, required: [items], properties: {items: {type: array, items: {$ref: "#/components/schemas/Item<N>"}}, total: {type: integer}}}
    Owner<N>: {type: object, properties: {login: {type: string}, mail: {type: string}}}
    Item<N>:
      type: object
      required: [id, name]
      properties:
        id: {type: integer}
        name: {type: string}
        price: {type: number}
        state: {type: string, enum: [open, closed]}
        owner: {$ref: "#/components/schemas/Owner<N>"}
        tags: {type: array, items: {type: string}}
`
