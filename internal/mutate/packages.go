package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// skipped are folders that hold no code whose tests are in question: vendors'
// packages, a main function of one line, and what only tests use.
var skipped = []string{"examples", "bench", "cmd", "internal/golden", "internal/arch", "gen/internal/corpus"}

// A listed package is what "go list -json" says of one.
type listed struct {
	ImportPath, Dir           string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
	Module                    struct{ Path string }
}

// name is the path inside the module.
func (p *listed) name() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

func (p *listed) hasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// randomTests is the one package of tests whose randomness has flags.
const randomTests = "pgregory.net/rapid"

// testFlags make random tests repeat themselves, and keep them from writing
// the values that a mutant failed with into the tree, where they would be tried
// with every later mutant.
func (p *listed) testFlags(seed uint64) []string {
	if !slices.Contains(p.TestImports, randomTests) && !slices.Contains(p.XTestImports, randomTests) {
		return nil
	}
	return []string{"-rapid.nofailfile", "-rapid.shrinktime=0s", fmt.Sprintf("-rapid.seed=%d", seed)}
}

// wanted reports whether a package may be broken: one of those that are named by
// the ends of their paths, and none that is named with an exclamation mark.
func (p *listed) wanted(ends []string) bool {
	for _, s := range skipped {
		if p.name() == s || strings.HasPrefix(p.name(), s+"/") {
			return false
		}
	}
	wanted := len(ends) == 0 || strings.HasPrefix(ends[0], "!")
	for _, end := range ends {
		end, not := strings.CutPrefix(end, "!")
		if p.name() == end || strings.HasSuffix(p.name(), "/"+end) {
			wanted = !not
		}
	}
	return wanted
}

// mutants lists the places of all hand-written files of a package.
func (p *listed) mutants() ([]mutant, error) {
	var out []mutant
	for _, base := range p.GoFiles {
		if strings.HasSuffix(base, "_gen.go") {
			continue
		}
		name := filepath.Join(p.Dir, base)
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := places(name, src)
		if err != nil {
			return nil, err
		}
		for i := range found {
			found[i].pkg = p
		}
		out = append(out, found...)
	}
	return out, nil
}

// nearest is the package whose tests are asked about p, or nil.
func nearest(p *listed, all []*listed) *listed {
	for name := p.ImportPath; name != "." && name != "/"; name = path.Dir(name) {
		i := slices.IndexFunc(all, func(o *listed) bool { return o.ImportPath == name && o.hasTests() })
		if i >= 0 {
			return all[i]
		}
	}
	return nil
}

// listPackages lists the packages of the module, in the order of their paths.
func listPackages(ctx context.Context, dir string) ([]*listed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,TestImports,XTestImports,Module", "./...")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []*listed
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, &p)
	}
}
