package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A verdict is what became of a mutant.
type verdict byte

const (
	// broken mutants do not compile, and do not count.
	broken verdict = iota
	noticed
	// late mutants are noticed too: the tests did not end in time.
	late
	survived
)

// A result is one mutant with its verdict, and its place among the candidates.
type result struct {
	mutant
	index   int
	verdict verdict
}

// A judge builds and tests mutants, several at once.
type judge struct {
	all      []*listed
	temp     string
	timeout  time.Duration
	seed     uint64
	progress io.Writer

	mu    sync.Mutex
	usual map[string]func() (time.Duration, error)
}

func newJudge(o *options, all []*listed, progress io.Writer) (*judge, error) {
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	return &judge{all: all, temp: temp, timeout: o.timeout, seed: o.seed, progress: progress,
		usual: map[string]func() (time.Duration, error){}}, nil
}

func (j *judge) close() { _ = os.RemoveAll(j.temp) }

// tryAll tries candidates in their order until enough of them compiled. The
// first ones that did count, so that the result does not depend on who was
// faster.
func (j *judge) tryAll(ctx context.Context, candidates []mutant, o *options) ([]result, error) {
	var (
		mu     sync.Mutex
		counts []result
		failed error
		next   int
		wait   sync.WaitGroup
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1, next <= len(candidates) && len(counts) < o.count && failed == nil
	}
	for range o.workers {
		wait.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				v, err := j.try(ctx, &candidates[i], i)
				mu.Lock()
				if err != nil && failed == nil {
					failed = err
				}
				if err == nil && v != broken {
					counts = append(counts, result{mutant: candidates[i], index: i, verdict: v})
					j.tell(&counts[len(counts)-1])
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	slices.SortFunc(counts, func(a, b result) int { return a.index - b.index })
	return counts[:min(o.count, len(counts))], failed
}

// tell shows a verdict as soon as it is there: a run takes long, and the tests
// that are missing can be written meanwhile.
func (j *judge) tell(r *result) {
	switch r.verdict {
	case survived:
		before, after := r.diff()
		fmt.Fprintf(j.progress, "\nsurvived: %s:%d: %s\n- %s\n+ %s\n", r.name(), r.line, r.sort, before, after)
	case late:
		fmt.Fprint(j.progress, "T")
	default:
		fmt.Fprint(j.progress, ".")
	}
}

// try builds one mutant and runs the tests of the nearest package over it.
func (j *judge) try(ctx context.Context, m *mutant, index int) (verdict, error) {
	overlay, err := j.overlay(m, index)
	if err != nil {
		return broken, err
	}
	if _, ok, err := j.goRun(ctx, m.pkg, "build", "-overlay", overlay, "-o", os.DevNull, "."); !ok || err != nil {
		return broken, err
	}
	v := survived
	if near := nearest(m.pkg, j.all); near != nil {
		usual, err := j.usually(ctx, near)
		if err != nil {
			return broken, err
		}
		limit := min(j.timeout, 10*time.Second+5*usual)
		out, ok, err := j.goTest(ctx, near, limit, "-overlay", overlay)
		if err != nil {
			return broken, err
		}
		switch {
		case !ok && strings.Contains(out, "test timed out"):
			v = late
		case !ok:
			v = noticed
		}
	}
	return v, nil
}

// overlay writes a mutant, and the list that puts it before the file that it
// was made of.
func (j *judge) overlay(m *mutant, index int) (string, error) {
	dir := filepath.Join(j.temp, fmt.Sprint(index))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(changed, m.source(), 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, list, 0o600)
}

// usually is how long the tests of a package take without a mutant. They have
// to pass, or they would seem to notice everything.
func (j *judge) usually(ctx context.Context, p *listed) (time.Duration, error) {
	j.mu.Lock()
	once := j.usual[p.ImportPath]
	if once == nil {
		once = sync.OnceValues(func() (time.Duration, error) {
			start := time.Now()
			out, ok, err := j.goTest(ctx, p, j.timeout)
			if err == nil && !ok {
				err = fmt.Errorf("the tests of %s fail without a mutant:\n%s", p.ImportPath, out)
			}
			return time.Since(start), err
		})
		j.usual[p.ImportPath] = once
	}
	j.mu.Unlock()
	return once()
}

// goTest runs tests without vet, which would find a wrong format instead of
// them, and where it can with a bound on memory: a loop that a mutant made
// endless must not take the machine with it.
func (j *judge) goTest(ctx context.Context, p *listed, limit time.Duration, flags ...string) (string, bool, error) {
	args := append([]string{"test", "-count=1", "-failfast", "-vet=off", "-timeout", limit.String()}, flags...)
	if runtime.GOOS == "linux" {
		args = append(args, "-exec", `sh -c 'ulimit -v 6291456; exec "$0" "$@"'`)
	}
	args = append(args, ".")
	return j.goRun(ctx, p, append(args, p.testFlags(j.seed)...)...)
}

// goRun runs a command of go in the folder of a package, and says whether it
// succeeded; an error means that it could not be run at all.
func (j *judge) goRun(ctx context.Context, p *listed, args ...string) (string, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, j.timeout+3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = p.Dir, 10*time.Second
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", false, fmt.Errorf("%s: go %s: %w", p.name(), args[0], ctx.Err())
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(out), false, nil
	}
	return string(out), err == nil, err
}
