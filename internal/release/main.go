// Command release builds the binaries of a release from a commit, so that who
// builds the same commit with the same Go gets the same bytes:
//
//	go run ./internal/release -out bin/release v0.1.0
//	go run ./internal/release -check
//
// It builds a fresh clone of the commit and never the working tree, without cgo,
// paths and build ids. The time in an archive is that of the commit. With -check
// it builds one target twice, in two folders with two build caches, and compares
// the digests. It imports the standard library only, and wants git.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
)

// A target is a system and a processor.
type target struct{ goos, goarch string }

var targets = []target{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "release:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("out", filepath.Join("bin", "release"), "the folder of the archives, which must not exist")
	check := flags.Bool("check", false, "build for this machine twice and compare, and write nothing")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ref := "HEAD"
	if flags.NArg() == 1 {
		ref = flags.Arg(0)
	} else if flags.NArg() > 1 {
		return errors.New("takes one commit or tag")
	}
	commit, err := resolve(ctx, ref)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if *check {
		return compare(ctx, commit, temp, stdout)
	}
	return build(ctx, commit, temp, *out, stdout)
}

// build writes an archive for each target, and their digests.
func build(ctx context.Context, commit, temp, out string, stdout io.Writer) error {
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("%q is there already", out)
	}
	s, err := checkOut(ctx, commit, filepath.Join(temp, "source"))
	if err != nil {
		return err
	}
	if err := s.announced(); err != nil {
		return err
	}
	archives := map[string][]byte{}
	for _, t := range targets {
		binary := filepath.Join(temp, t.goos+t.goarch)
		if err := s.compile(ctx, t, binary, ""); err != nil {
			return err
		}
		name, data, err := s.pack(t, binary)
		if err != nil {
			return err
		}
		archives[name] = data
	}
	sums := digests(archives)
	archives["SHA256SUMS"] = []byte(sums)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for name, data := range archives {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s, commit %s, %s\n%s", s.version, s.commit, s.goVersion, sums)
	return nil
}

// compare builds this machine's target twice. The second build has an empty
// cache, or it would be the first one, fetched again.
func compare(ctx context.Context, commit, temp string, stdout io.Writer) error {
	t := target{runtime.GOOS, runtime.GOARCH}
	var sums [2]string
	for i, dir := range []string{"one", filepath.Join("another place", "two")} {
		s, err := checkOut(ctx, commit, filepath.Join(temp, dir, "source"))
		if err != nil {
			return err
		}
		cache := ""
		if i > 0 {
			cache = filepath.Join(temp, "cache")
		}
		binary := filepath.Join(temp, dir, "sculpt")
		if err := s.compile(ctx, t, binary, cache); err != nil {
			return err
		}
		name, data, err := s.pack(t, binary)
		if err != nil {
			return err
		}
		sums[i] = digests(map[string][]byte{name: data})
		fmt.Fprint(stdout, sums[i])
	}
	if sums[0] != sums[1] {
		return errors.New("two builds of one commit differ")
	}
	fmt.Fprintln(stdout, "two builds, one digest")
	return nil
}
