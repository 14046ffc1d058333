package atip

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Finder looks for programs. Machine and Path have to be set.
type Finder struct {
	Machine Machine
	// Path are the folders, in the order of PATH: of two programs of one name the
	// first one counts.
	Path []string
	// Data and Config are the folders of ATIP 4.2, agent-tools in both: the first
	// keeps what was found and has shims, the second has what somebody wrote over a
	// description. Nothing is kept where Data is "".
	Data, Config string
	// Allow names the programs to look at, nil for all; Skip those that are never
	// started, beside those that do harm or never end whatever their flags are.
	Allow, Skip []string
	// Wait is how long a program may take; two seconds, unless stated.
	Wait time.Duration
	// Verify judges the program at a path by the signatures and the provenance that
	// its description names, such as with cosign. Checksums are compared before it. A
	// program that names any is a [Problem] where Verify is nil.
	Verify func(ctx context.Context, path string, description json.RawMessage) error
}

// A Problem is a program that seems to describe itself and cannot be used.
type Problem struct {
	Path string
	Err  error
}

// never are programs that act before they look at their flags.
var never = []string{"halt", "init", "poweroff", "reboot", "shutdown", "telinit", "su", "sudo", "doas", "yes", "xdg-open", "open", "login", "startx", "reset", "clear"}

const (
	// atOnce is how many programs run at the same time: nearly all only wait.
	atOnce = 256
	// mostDocument bounds a description; a longer one is asked for in part.
	mostDocument = 4 << 20
	// firstPart is read of a program that may say anything: what talks on without
	// describing itself is stopped there.
	firstPart = 256 << 10
)

// A registry is the index of ATIP 4.3. What was found not to describe itself is in
// it too, so that it is not started again.
type registry struct {
	Version string                `json:"version"`
	Updated time.Time             `json:"updated"`
	Agent   map[string]string     `json:"agent"`
	Tools   map[string]registered `json:"tools"`
	None    map[string]registered `json:"x-none"`
}

type registered struct {
	Path    string    `json:"path"`
	Hash    string    `json:"hash,omitempty"`
	Source  string    `json:"source,omitempty"`
	Checked time.Time `json:"lastChecked"`
	Size    int64     `json:"x-size"`
	Time    time.Time `json:"x-time"`
}

func (r registered) same(path string, f File) bool {
	return r.Path == path && r.Size == f.Size && r.Time.Equal(f.Time)
}

// A candidate is a program on the way to its description.
type candidate struct {
	path  string
	file  File
	found *Program
	err   error
	none  bool
	hash  string
}

// Find returns the programs that describe themselves or have a shim, by name, and
// what is wrong with those that do so badly.
func (f *Finder) Find(ctx context.Context) ([]*Program, []Problem) {
	candidates := f.candidates()
	before := f.registry()
	var group sync.WaitGroup
	room := make(chan struct{}, atOnce)
	for _, c := range candidates {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			f.look(ctx, c, before)
		})
	}
	group.Wait()
	after := registry{Version: "2", Updated: f.Machine.Now().UTC(), Agent: map[string]string{"name": "sculpt"}, Tools: map[string]registered{}, None: map[string]registered{}}
	var programs []*Program
	var problems []Problem
	for _, c := range candidates {
		entry := registered{Path: c.path, Checked: after.Updated, Size: c.file.Size, Time: c.file.Time}
		if c.hash != "" {
			entry.Hash = "sha256:" + c.hash
		}
		switch {
		case c.found != nil:
			programs = append(programs, c.found)
			entry.Source = c.found.Source
			after.Tools[c.file.Name] = entry
		case c.err != nil:
			problems = append(problems, Problem{c.path, c.err})
		case c.none:
			after.None[c.file.Name] = entry
		}
	}
	if f.Data != "" && ctx.Err() == nil {
		if err := f.keep(&after, programs); err != nil {
			problems = append(problems, Problem{f.Data, err})
		}
	}
	return programs, problems
}

// candidates are the programs to look at, by name.
func (f *Finder) candidates() []*candidate {
	taken := map[string]bool{}
	var list []*candidate
	for _, folder := range f.Path {
		if !filepath.IsAbs(folder) {
			continue
		}
		files, err := f.Machine.Programs(folder)
		if err != nil {
			continue // a PATH often names what is not there
		}
		for _, file := range files {
			if taken[file.Name] || slices.Contains(never, file.Name) || slices.Contains(f.Skip, file.Name) || f.Allow != nil && !slices.Contains(f.Allow, file.Name) {
				continue
			}
			taken[file.Name] = true
			list = append(list, &candidate{path: filepath.Join(folder, file.Name), file: file})
		}
	}
	slices.SortFunc(list, func(a, b *candidate) int { return cmp.Compare(a.file.Name, b.file.Name) })
	return list
}

func (f *Finder) registry() registry {
	var r registry
	if f.Data != "" {
		if text, err := f.Machine.Read(filepath.Join(f.Data, "registry.json")); err == nil {
			_ = json.Unmarshal(text, &r) // one that cannot be read is written anew
		}
	}
	return r
}

// look finds the description of one program: what somebody wrote over it, what it
// says itself, its shim (ATIP 4, 5.1).
func (f *Finder) look(ctx context.Context, c *candidate, before registry) {
	known, seen := before.Tools[c.file.Name]
	if !seen {
		known, seen = before.None[c.file.Name]
	}
	same := seen && known.same(c.path, c.file)
	described, silent := same && known.Source == "native", same && known.Source != "native"
	if same {
		c.hash = strings.TrimPrefix(known.Hash, "sha256:")
	}
	if c.hash == "" && (f.Data != "" || f.Config != "") {
		if c.hash, c.err = f.Machine.Hash(c.path); c.err != nil {
			return
		}
	}
	if f.Config != "" && f.written(ctx, c, filepath.Join(f.Config, "overrides", "sha256"), "user") || c.err != nil {
		return
	}
	if described {
		if text, err := f.Machine.Read(f.cached(c.hash)); err == nil && f.describe(ctx, c, text, "native") {
			return
		}
	}
	if !silent && (f.ask(ctx, c) || c.err != nil) {
		return
	}
	c.none = f.Data == "" || !f.written(ctx, c, filepath.Join(f.Data, "shims", "sha256"), "community")
}

func (f *Finder) cached(hash string) string {
	return filepath.Join(f.Data, "tools", "sha256-"+hash+".json")
}

// written takes a description that is named after the hash of the program.
func (f *Finder) written(ctx context.Context, c *candidate, folder, source string) bool {
	text, err := f.Machine.Read(filepath.Join(folder, c.hash+".json"))
	return err == nil && f.describe(ctx, c, text, source)
}

// ask runs the program with --agent, again where its description turns out to be
// long, and for the names of its commands where it is too long.
func (f *Finder) ask(ctx context.Context, c *candidate) bool {
	within, cancel := context.WithTimeout(ctx, cmp.Or(f.Wait, 2*time.Second))
	defer cancel()
	out, err := f.Machine.Run(within, c.path, []string{"--agent"}, firstPart)
	for _, again := range [][]string{{"--agent"}, {"--agent", "--depth=1"}} {
		if errors.Is(err, ErrChatty) && looksLike(out.Stdout) {
			out, err = f.Machine.Run(within, c.path, again, mostDocument)
		}
	}
	if err != nil || out.Exit != 0 || !looksLike(out.Stdout) {
		return false
	}
	return f.describe(ctx, c, out.Stdout, "native")
}

// looksLike reports whether a text is meant to be a description.
func looksLike(text []byte) bool {
	head := strings.TrimSpace(string(text[:min(len(text), 512)]))
	return strings.HasPrefix(head, "{") && strings.Contains(head, `"atip"`)
}

// describe takes a description whose program is what it says (ATIP 3.2.2).
func (f *Finder) describe(ctx context.Context, c *candidate, text []byte, source string) bool {
	doc, err := readDocument(text)
	if err != nil {
		c.err = fmt.Errorf("its description cannot be used: %w", err)
		return false
	}
	if c.err = f.verify(ctx, c, doc, text); c.err != nil {
		return false
	}
	c.found = &Program{
		Name: doc.Name, Version: doc.Version, Description: doc.Description, Path: c.path, Hash: c.hash, Source: source,
		Partial: doc.Partial, Document: text, machine: f.Machine, doc: doc,
	}
	if source != "native" && doc.Trust.Source != "" {
		c.found.Source = doc.Trust.Source
	}
	return true
}

// keep writes down what was found (ATIP 4.3): the index last, since it names the
// others.
func (f *Finder) keep(r *registry, programs []*Program) error {
	for _, p := range programs {
		if p.Source != "native" || p.Hash == "" {
			continue
		}
		if err := f.Machine.Write(f.cached(p.Hash), p.Document); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return f.Machine.Write(filepath.Join(f.Data, "registry.json"), append(text, '\n'))
}
