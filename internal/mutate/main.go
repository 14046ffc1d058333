// Command mutate asks how good the tests are. It breaks one place of the code
// at a time, runs the tests of the nearest package, and counts how often they
// notice:
//
//	go run ./internal/mutate -n 100 -packages compat,history
//
// The nearest package is the one that was broken, or, if it has no tests, the
// next folder above it that has some. The tree is never touched: a mutant
// reaches the compiler by -overlay. So a test that builds sculpt again, or reads
// its own source, sees the code as it was. What does not compile is not counted
// and another place is taken. The same seed breaks the same places.
//
// Exit codes: 0 fine, 1 fewer places were noticed than the bar wants, 2 it could
// not be done. It imports the standard library only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"time"
)

// options are what the flags say.
type options struct {
	dir      string
	seed     uint64
	count    int
	bar      int
	packages []string
	timeout  time.Duration
	workers  int
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return 2
	}
	results, err := breakPlaces(ctx, o, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "mutate:", err)
		return 2
	}
	if percent := report(stdout, o.seed, results); percent < o.bar {
		fmt.Fprintf(stdout, "\n%d %% is below the bar of %d %%\n", percent, o.bar)
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.dir, "dir", ".", "a folder of the module")
	flags.Uint64Var(&o.seed, "seed", 0, "which places are taken; 0 means others each time")
	flags.IntVar(&o.count, "n", 100, "how many places to break")
	flags.IntVar(&o.bar, "bar", 85, "how many of a hundred have to be noticed")
	flags.DurationVar(&o.timeout, "timeout", 2*time.Minute, "how long the tests may take with a mutant, at most")
	flags.IntVar(&o.workers, "p", 2, "how many mutants to try at once")
	packages := flags.String("packages", "", "the packages to break, by the ends of their paths, separated by commas; \"!cli\" for all but one")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 || o.count < 1 || o.workers < 1 {
		fmt.Fprintln(stderr, "mutate: takes flags alone, and -n and -p are at least 1")
		return nil, errors.New("usage")
	}
	if *packages != "" {
		o.packages = strings.Split(*packages, ",")
	}
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000) + 1
	}
	return o, nil
}

// breakPlaces tries mutants until enough of them compiled.
func breakPlaces(ctx context.Context, o *options, progress io.Writer) ([]result, error) {
	all, err := listPackages(ctx, o.dir)
	if err != nil {
		return nil, err
	}
	var found []mutant
	for _, p := range all {
		if !p.wanted(o.packages) {
			continue
		}
		ms, err := p.mutants()
		if err != nil {
			return nil, err
		}
		found = append(found, ms...)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no package %q has a place to break", strings.Join(o.packages, ","))
	}
	fmt.Fprintf(progress, "seed %d: %d of %d places\n", o.seed, min(o.count, len(found)), len(found))
	j, err := newJudge(o, all, progress)
	if err != nil {
		return nil, err
	}
	defer j.close()
	results, err := j.tryAll(ctx, shuffle(found, o.seed), o)
	fmt.Fprintln(progress)
	return results, err
}
