package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A source is a commit in a folder of its own.
type source struct {
	dir string
	// version is the tag of the commit, or the commit in short.
	version string
	commit  string
	time    time.Time
	// goVersion is part of the result: another Go writes other bytes.
	goVersion string
}

// resolve finds the commit of a name once, since names may move while it is built.
func resolve(ctx context.Context, ref string) (commit string, err error) {
	return output(ctx, ".", "git", "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
}

// checkOut clones the repository of the working directory.
func checkOut(ctx context.Context, commit, dir string) (*source, error) {
	root, err := output(ctx, ".", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	if _, err := output(ctx, ".", "git", "clone", "--quiet", "--no-checkout", root, dir); err != nil {
		return nil, err
	}
	if _, err := output(ctx, dir, "git", "-c", "advice.detachedHead=false", "-c", "core.autocrlf=false", "checkout", "--quiet", commit); err != nil {
		return nil, err
	}
	s := &source{dir: dir, commit: commit}
	if s.version, err = output(ctx, dir, "git", "describe", "--tags", "--exact-match", "--match", "v*"); err != nil {
		s.version = commit[:12]
	}
	seconds, err := output(ctx, dir, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, err
	}
	s.time = time.Unix(unix, 0).UTC()
	s.goVersion, err = output(ctx, dir, "go", "env", "GOVERSION")
	return s, err
}

// announced reports an error for a tag that the changelog does not know.
func (s *source) announced() error {
	if s.version == s.commit[:12] {
		return nil
	}
	changelog, err := os.ReadFile(filepath.Join(s.dir, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	if !hasSection(changelog, s.version) {
		return fmt.Errorf("CHANGELOG.md has no section %q", "## "+s.version)
	}
	return nil
}

func hasSection(changelog []byte, version string) bool {
	return regexp.MustCompile(`(?m)^## ` + regexp.QuoteMeta(version) + `(\s|$)`).Match(changelog)
}

// compile builds the command line. The commit goes into it, as "sculpt version"
// shows it; nothing of this machine does.
func (s *source) compile(ctx context.Context, t target, binary, cache string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w -buildid=", "-o", binary, "./cmd/sculpt")
	cmd.Dir, cmd.Stderr = s.dir, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+t.goos, "GOARCH="+t.goarch, "CGO_ENABLED=0",
		"GOFLAGS=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off", "GODEBUG=")
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s/%s: %w", t.goos, t.goarch, err)
	}
	return nil
}

// output is what a command says, without the space around it.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, strings.TrimSpace(talk.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
