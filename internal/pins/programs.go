package pins

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/client/atip"
)

// At is where a provider is: the address of a server, or a program.
func (p *Provider) At() string {
	if p.Program != "" {
		return p.Program
	}
	return p.URL
}

// Programs are the programs that describe themselves, each as a provider, and those
// that do so badly.
func (o *Opener) Programs(ctx context.Context) ([]*Provider, []Failure) {
	found, problems := o.Finder.Find(ctx)
	var all []*Provider
	for _, p := range found {
		all = append(all, &Provider{Name: filepath.Base(p.Path), Protocol: atip.Protocol, Program: p.Path, known: p})
	}
	var failures []Failure
	for _, p := range problems {
		failures = append(failures, Failure{&Provider{Name: filepath.Base(p.Path), Protocol: atip.Protocol, Program: p.Path}, p.Err})
	}
	return all, failures
}

// tools are those of a server or a program.
func (o *Opener) tools(ctx context.Context, p *Provider) ([]*client.Tool, error) {
	if p.Program == "" {
		server, err := o.Open(ctx, p)
		if err != nil {
			return nil, err
		}
		return server.Tools(ctx)
	}
	program := p.known
	if program == nil {
		var err error
		if program, err = o.find(ctx, p.Program); err != nil {
			return nil, err
		}
	}
	return program.Tools(), nil
}

var errNoProgram = errors.New("there is no such program that describes itself by --agent, and its folder has to be safe from others")

// find looks for one program, by its name in PATH or its path. What is known of all
// others stays as it is.
func (o *Opener) find(ctx context.Context, program string) (*atip.Program, error) {
	f := *o.Finder
	f.Data, f.Allow = "", []string{filepath.Base(program)}
	if filepath.Base(program) != program {
		path, err := filepath.Abs(program)
		if err != nil {
			return nil, err
		}
		f.Path = []string{filepath.Dir(path)}
	}
	programs, problems := f.Find(ctx)
	switch {
	case len(problems) > 0:
		return nil, problems[0].Err
	case len(programs) == 0:
		return nil, errNoProgram
	}
	return programs[0], nil
}
