package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/gen"
	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/ir"
)

func generateFlags() []cli.Flag { return append(formatFlags(), &cli.BoolFlag{Name: "check"}) }

// runGenerate writes the package, or with --check says whether it is fresh. One
// that is sealed is fresh without being generated.
func runGenerate(c *command) error {
	format, err := c.format(formats...)
	if err != nil {
		return err
	}
	at, err := c.locate(c.Args().First())
	if err != nil {
		return err
	}
	defer at.close()
	if dir, ok := at.unchanged(); ok {
		c.say("%s is fresh", at.shown(dir))
		return at.show(c.stdout, format, nil)
	}
	p, err := at.load()
	if err != nil {
		return err
	}
	if p.findings.HasErrors() {
		if err := p.show(c.stdout, format); err != nil {
			return err
		}
		if !c.Bool("check") {
			if err := c.breakBuild(p); err != nil {
				return err
			}
		}
		return errFound
	}
	if c.Bool("check") {
		return c.check(p, format)
	}
	if err := p.show(c.stdout, format); err != nil {
		return err
	}
	if err := c.write(p); err != nil {
		return err
	}
	return c.tellStrangers(p)
}

// tellStrangers names the Go files of the vendor that belong to another package
// than the manifest says: after package: was changed they need the same.
func (c *command) tellStrangers(p *project) error {
	entries, err := fs.ReadDir(p.at.fs(), p.Dir)
	if err != nil {
		return unreadable(p.at.shown(p.Dir), err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" || strings.HasPrefix(e.Name(), frozenPrefix) {
			continue
		}
		name := path.Join(p.Dir, e.Name())
		data, err := p.at.jail.ReadFile(name)
		if err != nil || bytes.HasPrefix(data, generatedMark) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.PackageClauseOnly)
		if err != nil {
			continue // the compiler will say so
		}
		is := strings.TrimSuffix(file.Name.Name, "_test")
		if is == p.Program.Package || is == "main" {
			continue
		}
		c.say("%s is of package %s, and the manifest says package: %s", p.at.shown(name), is, p.Program.Package)
		fmt.Fprintf(c.stderr, "   = fix: run \"sed -i.bak 's/^package %s/package %s/' %s\", and rename it in what imports it\n", is, p.Program.Package, diag.Escape(quoteWords(p.at.shown(name))))
	}
	return nil
}

// breakBuild writes the one file that keeps the build from passing with code
// of before: where the manifest breaks callers of a release, and where it has
// other errors and there is such code.
func (c *command) breakBuild(p *project) error {
	name := p.goPackage()
	breaks := slices.DeleteFunc(slices.Clone(p.findings), func(f diag.Finding) bool { return f.Severity != diag.Error })
	if callers := slices.DeleteFunc(slices.Clone(breaks), func(f diag.Finding) bool {
		_, compatibility := compat.RuleOf(f.Rule.String())
		return !compatibility
	}); len(callers) > 0 {
		breaks = callers
		name = cmp.Or(name, p.Manifest.Package.Value)
	}
	if !token.IsIdentifier(name) {
		return nil
	}
	broken, err := gen.Broken(&ir.Program{Package: name}, breaks)
	if err != nil {
		return err
	}
	root, err := p.at.jail.OpenRoot(p.Dir)
	if err != nil {
		return unreadable(p.at.shown(p.Dir), err)
	}
	defer root.Close()
	file := p.at.shown(path.Join(p.Dir, broken.Name))
	if err := gen.Put(diskOf(root), broken); err != nil {
		return unreadable(file, err)
	}
	c.say("wrote %s, so that the build fails too", file)
	return nil
}

// goPackage is the package of the code that was generated before, "" if there is
// none.
func (p *project) goPackage() string {
	files, _ := fs.Glob(newJailFS(p.at.jail), path.Join(p.Dir, "*_gen.go")) // the pattern is right
	for _, name := range files {
		data, err := p.at.jail.ReadFile(name)
		if err != nil || !bytes.HasPrefix(data, generatedMark) {
			continue
		}
		if file, err := parser.ParseFile(token.NewFileSet(), "", data, parser.PackageClauseOnly); err == nil {
			return file.Name.Name
		}
	}
	return ""
}

func (c *command) write(p *project) error {
	root, err := p.at.jail.OpenRoot(p.Dir)
	if err != nil {
		return unreadable(p.at.shown(p.Dir), err)
	}
	defer root.Close()
	disk := diskOf(root)
	p.tidy(disk)
	changed, err := gen.Write(disk, p.sealed(), c.directive(p), p.givenUp...)
	if err != nil {
		return unable("move the file away, or rename what it was made for", "nothing was written: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	operations, apis := p.calls()
	c.say("%s, %s, %s -> %s (%s, %d changed)", countOf(len(p.Program.Tools), "tool"), countOf(operations, "operation"),
		countOf(apis, "api"), p.at.shown(p.Dir), countOf(len(p.files), "file"), len(changed))
	return nil
}

// directive is the line in the package folder that go generate runs us for, nil
// if it does not.
func (s *session) directive(p *project) *gen.Directive {
	file, _ := s.lookup("GOFILE")
	name, _ := s.lookup("GOPACKAGE")
	number, _ := s.lookup("GOLINE")
	last, err := strconv.Atoi(number)
	// go generate runs commands in the folder of the file.
	if err != nil || !token.IsIdentifier(name) || file != filepath.Base(file) || filepath.Join(p.at.root, filepath.FromSlash(p.Dir)) != p.at.cwd {
		return nil
	}
	source, err := p.at.jail.ReadFile(path.Join(p.Dir, file))
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(string(source), "\r\n", "\n"), "\n")
	if last < 1 || last > len(lines) || !strings.HasPrefix(lines[last-1], directiveMark) {
		return nil
	}
	d := &gen.Directive{File: file, Package: name}
	for _, line := range lines[:last-1] {
		if strings.HasPrefix(line, directiveMark+"-command ") {
			d.Lines = append(d.Lines, line)
		}
	}
	d.Lines = append(d.Lines, lines[last-1])
	return d
}

const directiveMark = "//go:generate "

// diskOf is the disk of a package folder; a test kills a process there.
var diskOf = func(root *os.Root) gen.Disk { return root }

// tidy removes what a process that was killed left, as far as it can.
func (p *project) tidy(disk gen.Disk) {
	for _, name := range p.leftovers {
		_ = disk.Remove(p.inside(name))
	}
	gen.Sweep(disk)
}

// calls counts the operations that the tools call and the apis they belong to.
func (p *project) calls() (operations, apis int) {
	called, used := map[string]bool{}, map[string]bool{}
	for _, t := range p.Program.Tools {
		for _, s := range t.Plan.Steps {
			called[s.API+" "+s.Op.Method+" "+s.Op.Path], used[s.API] = true, true
		}
	}
	return len(called), len(used)
}

// check compares the folder with what generate would write. The result is the
// diff, so that it can be applied, and findings are talk then; other formats
// list the stale files and no warnings, which are for lint to say.
func (c *command) check(p *project, format string) error {
	folder, err := p.at.jail.OpenRoot(p.Dir)
	if err != nil {
		return unreadable(p.at.shown(p.Dir), err)
	}
	defer folder.Close()
	changes, err := gen.Diff(newJailFS(folder), p.sealed())
	if err != nil {
		return err
	}
	if format != "text" {
		err = p.at.show(c.stdout, format, p.stale(changes))
	} else if err = p.show(c.stderr, format); err == nil {
		err = writeDiff(c.stdout, changes)
	}
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		c.say("%s is fresh", p.at.shown(p.Dir))
		return nil
	}
	return &failure{exitFindings, p.at.shown(p.Dir) + " is stale", p.at.relabelFix(`run "sculpt generate"`)}
}

func writeDiff(w io.Writer, changes []gen.Change) error {
	for _, c := range changes {
		if _, err := io.WriteString(w, c.Text); err != nil {
			return err
		}
	}
	return nil
}

// stale lists the files of a package that generate would touch as findings.
func (p *project) stale(changes []gen.Change) diag.List {
	var list diag.List
	for _, c := range changes {
		list.Errorf(history.RuleStale, diag.Span{File: p.at.shown(p.Dir + "/" + c.Name)}, p.at.relabelFix(`run "sculpt generate"`), "the generated file %s", c.Kind)
	}
	return list
}
