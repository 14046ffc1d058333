// Command serving measures the rows S of docs/performance.md: what a call of a
// generated server costs, beside what others need for the same.
//
//	serving [-rounds 7] [-round 2s] [-only S1,S2] [-profile FOLDER]
//
// It prints a table in Markdown; what it does meanwhile goes to stderr. With
// -profile every server leaves a profile of its processor time and one of its
// allocations in the folder.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/bench/serving"
)

func main() {
	o := serving.Options{}
	flag.IntVar(&o.Rounds, "rounds", 7, "how often each figure is taken; the median counts")
	flag.DurationVar(&o.Round, "round", 2*time.Second, "how long a server is called in a round")
	only := flag.String("only", "", "the ids of the rows, with commas between")
	profile := flag.String("profile", "", "folder for the profiles of the servers")
	word := flag.String("server", "", "run one of the servers (the program starts itself with it)")
	upstream := flag.String("upstream", "", "base URL of the upstream of that server")
	flag.Parse()
	if *word != "" {
		if err := serving.Serve(*word, *upstream, func() func() { return profiles(*profile, *word) }); err != nil {
			log.Fatal(err)
		}
		return
	}
	if *only != "" {
		o.Only = strings.Split(*only, ",")
	}
	if *profile != "" {
		o.Flags = []string{"-profile", *profile}
	}
	results, err := serving.Measure(o, os.Stderr)
	if err != nil {
		log.Fatal(err)
	}
	out := os.Stdout
	fmt.Fprintln(out, "| row | what | goal | measured | verdict |\n|---|---|---|---|---|")
	for _, r := range results {
		verdict := "met"
		if !r.Met() {
			verdict = "missed"
		}
		fmt.Fprintf(out, "| %s | %s | %.4g %s | %.3g %s | %s |\n", r.ID, r.About, r.Goal, r.Unit, r.Got, r.Unit, verdict)
	}
	fmt.Fprint(out, "\n", serving.Sides)
}

// profiles begins the profiles of a server, if there is a folder for them.
func profiles(folder, word string) (stop func()) {
	if folder == "" {
		return func() {}
	}
	runtime.MemProfileRate = 128 << 10
	cpu, err := os.Create(filepath.Join(folder, fmt.Sprintf("%s.%d.cpu", word, os.Getpid())))
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		log.Fatal(err)
	}
	return func() {
		pprof.StopCPUProfile()
		_ = cpu.Close()
		allocs, err := os.Create(filepath.Join(folder, fmt.Sprintf("%s.%d.allocs", word, os.Getpid())))
		if err != nil {
			log.Fatal(err)
		}
		_ = pprof.Lookup("allocs").WriteTo(allocs, 0)
		_ = allocs.Close()
	}
}
