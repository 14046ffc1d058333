// Command generator measures "sculpt generate" beside other programs, each as a
// whole process by getrusage: medians of seven runs, one program after the
// other in each round, so that the load of the machine is the same for all.
//
//	SCULPT_SHARED=/path/to/shared go run ./cmd/generator
//
// It prints a row for each goal: what is wanted at most, what was measured and
// the options of both sides. The documents are in the folder openapi of
// SCULPT_SHARED; without it nothing is measured. It fails if a goal is missed.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const rounds = 7

func main() {
	if len(os.Args) > 2 && os.Args[1] == "hash" {
		hash(os.Args[2:])
		return
	}
	shared := os.Getenv("SCULPT_SHARED")
	document := filepath.Join(shared, "openapi", "github.json")
	if _, err := os.Stat(document); shared == "" || err != nil {
		fmt.Fprintln(os.Stdout, "skipped: SCULPT_SHARED names no folder with openapi/github.json")
		return
	}
	missed, err := measure(document)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if missed {
		os.Exit(1)
	}
}

// hash is what an unchanged package is held against: reading its files and
// taking their digest.
func hash(names []string) {
	sum := sha256.New()
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		sum.Write(data)
	}
	fmt.Fprintf(os.Stdout, "%x\n", sum.Sum(nil))
}

// A cost is what a process took.
type cost struct {
	cpu    time.Duration
	memory int64 // kB at the peak
}

// A program is one side of a row. Before prepares each run.
type program struct {
	name   string
	before func() error
	args   []string
	dir    string
}

func (p *program) run() (cost, error) {
	if p.before != nil {
		if err := p.before(); err != nil {
			return cost{}, err
		}
	}
	c := exec.CommandContext(context.Background(), p.args[0], p.args[1:]...)
	c.Dir = p.dir
	if out, err := c.CombinedOutput(); err != nil {
		return cost{}, fmt.Errorf("%s: %w\n%s", p.name, err, out)
	}
	return cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss}, nil
}

// medians runs all programs in turns.
func medians(all []*program) ([]cost, error) {
	runs := make([][]cost, len(all))
	for range rounds {
		for i, p := range all {
			one, err := p.run()
			if err != nil {
				return nil, err
			}
			runs[i] = append(runs[i], one)
		}
	}
	out := make([]cost, len(all))
	for i, r := range runs {
		slices.SortFunc(r, func(a, b cost) int { return int(a.cpu - b.cpu) })
		out[i].cpu = r[rounds/2].cpu
		slices.SortFunc(r, func(a, b cost) int { return int(a.memory - b.memory) })
		out[i].memory = r[rounds/2].memory
	}
	return out, nil
}

func measure(document string) (missed bool, err error) {
	work, err := os.MkdirTemp("", "sculpt-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	s, err := prepare(work, document)
	if err != nil {
		return false, err
	}
	costs, err := medians([]*program{s.generate(), s.oapi(), s.unchanged(), s.hashed()})
	if err != nil {
		return false, err
	}
	generate, oapi, unchanged, hashed := costs[0], costs[1], costs[2], costs[3]
	fmt.Fprintf(os.Stdout, "%-3s %-62s %6s %6s  %s\n", "row", "what", "goal", "ratio", "verdict")
	row := func(id, what string, goal, ratio float64) {
		verdict := "reached"
		if ratio > goal {
			verdict, missed = "missed", true
		}
		fmt.Fprintf(os.Stdout, "%-3s %-62s %6.2f %6.3f  %s\n", id, what, goal, ratio, verdict)
	}
	row("G1", "CPU, GitHub, 2 operations / oapi-codegen", 0.06, float64(generate.cpu)/float64(oapi.cpu))
	row("G5", "peak memory, GitHub, 2 operations / oapi-codegen", 0.3, float64(generate.memory)/float64(oapi.memory))
	row("G6", "CPU, nothing changed / reading and hashing the same files", 2, float64(unchanged.cpu)/float64(hashed.cpu))
	fmt.Fprintf(os.Stdout, "\nsculpt generate: Go, documents, pages and test, into an empty package; oapi-codegen: -generate types,client -include-operation-ids, the same two operations\n")
	fmt.Fprintf(os.Stdout, "medians of %d: sculpt %v, %d MB; oapi-codegen %v, %d MB; unchanged %v; hashed %v\n",
		rounds, generate.cpu, generate.memory>>10, oapi.cpu, oapi.memory>>10, unchanged.cpu, hashed.cpu)
	return missed, nil
}

// operations are the two of the document.
const operations = "issues/list-for-repo,users/get-by-username"

const manifest = `sculpt: 1
package: gh
toolkit: GitHub
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis:
  gh: {openapi: github.json}
tools:
  list_issues:
    version: 1
    description: List the titles of the newest issues of a repository.
    inputs:
      owner: {description: Who has the repository., max_length: 40}
      repo: {description: The name of the repository., max_length: 100}
    call: gh.issues/list-for-repo
    with: {owner: '${input.owner}', repo: '${input.repo}'}
    outputs:
      titles: {value: '${result.map(i, i.title)}', max_items: 10, description: The titles.}
  get_user:
    version: 1
    description: Find out whether there is a user.
    inputs:
      name: {description: The name of the user., max_length: 40}
    call: gh.users/get-by-username
    with: {username: '${input.name}'}
    outputs:
      login: {value: '${string(result.login)}', description: The name as it is written.}
`

// A setting is the programs and the folder that they work in.
type setting struct {
	work, sculpt, peer, self, document string
}

// prepare builds both generators and lays a package out twice: one that is
// generated anew in each round, and one that stays as it is.
func prepare(work, document string) (*setting, error) {
	s := &setting{work: work, sculpt: filepath.Join(work, "sculpt"), peer: filepath.Join(work, "oapi-codegen"), document: document}
	var err error
	if s.self, err = os.Executable(); err != nil {
		return nil, err
	}
	// Each is built with the versions of its own module.
	module, err := output("go", "list", "-m", "-f", "{{.Dir}}", "github.com/sculpt-tools/sculpt")
	if err == nil {
		_, err = output("go", "build", "-C", module, "-o", s.sculpt, "./cmd/sculpt")
	}
	if err == nil {
		_, err = output("go", "build", "-o", s.peer, "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen")
	}
	if err != nil {
		return nil, err
	}
	for _, dir := range []string{"anew", "same"} {
		if err := s.lay(dir); err != nil {
			return nil, err
		}
	}
	_, err = (&program{name: "sculpt", args: []string{s.sculpt, "generate", "same"}, dir: work}).run()
	return s, err
}

// output runs a command and returns what it prints.
func output(name string, args ...string) (string, error) {
	out, err := exec.CommandContext(context.Background(), name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// lay makes a package folder that nothing is generated into yet.
func (s *setting) lay(dir string) error {
	at := filepath.Join(s.work, dir)
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	data, err := os.ReadFile(s.document)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(at, "github.json"), data, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(at, "sculpt.yaml"), []byte(manifest), 0o644)
}

func (s *setting) generate() *program {
	return &program{"sculpt", func() error { return s.lay("anew") }, []string{s.sculpt, "generate", "anew"}, s.work}
}

func (s *setting) oapi() *program {
	return &program{"oapi-codegen", nil, []string{
		s.peer, "-generate", "types,client", "-package", "gh", "-include-operation-ids", operations, "-o", filepath.Join(s.work, "peer.go"), s.document,
	}, s.work}
}

func (s *setting) unchanged() *program {
	return &program{"sculpt, unchanged", nil, []string{s.sculpt, "generate", "same"}, s.work}
}

func (s *setting) hashed() *program {
	args := []string{s.self, "hash"}
	// The folder is there: prepare has written it.
	_ = filepath.WalkDir(filepath.Join(s.work, "same"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasPrefix(d.Name(), ".") {
			args = append(args, name)
		}
		return err
	})
	return &program{"hash", nil, args, s.work}
}
