package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// A preview serves one package, and builds it again when it changes if somebody
// wants that: the build of before answers until the new one can.
type preview struct {
	*command
	job         job
	live, watch bool

	front *front
	// answering is the build that answers, nil as long as there is none.
	answering *build
	retired   sync.WaitGroup
	// at is where the front listens, "" as long as it does not; introduced says
	// that people were told.
	at         string
	introduced bool
	// root and dir are the folders of the module and of the package, and read the
	// files that the newest manifest is made from.
	root, dir string
	read      []string
	// seen is how the files were when they were read.
	seen sight
}

// glance is how often files are looked at.
const glance = 150 * time.Millisecond

// serve answers until ctx ends.
func (v *preview) serve(ctx context.Context) (err error) {
	if err := v.renew(ctx, ""); err != nil {
		return err
	}
	// The tools are those of another process; what is served here is the way to it.
	none, err := serve.NewHandler(nil, serve.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return err
	}
	front := serve.Wrap(none, func(http.Handler) http.Handler { return v.front })
	ctx, stop := context.WithCancel(ctx)
	bound, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		ended <- serve.Run(ctx, v.job.Addr, front, serve.RunOptions{
			NextPort: true, DrainDelay: -1, DrainTimeout: 3 * time.Second, WriteTimeout: -1,
			AllowAnonymous: v.job.Open, Hosts: v.job.hosts(),
			Bound: func(a net.Addr) { bound <- a }, Log: slog.New(slog.DiscardHandler),
		})
	}()
	defer func() {
		stop()
		err = errors.Join(err, <-ended, v.end())
	}()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			ended <- nil
			return err
		case a := <-bound:
			v.at = a.String()
			v.introduce()
		case <-v.answering.over():
			if err := v.lost(); err != nil {
				return err
			}
		case <-tick.C:
			if err := v.follow(ctx); err != nil {
				return err
			}
		}
	}
}

// follow builds the package again if it is not what the newest build has seen.
func (v *preview) follow(ctx context.Context) error {
	now := v.look()
	if maps.Equal(now, v.seen) {
		return nil
	}
	// Whoever saves several files at once wants one build.
	for last := v.seen; !maps.Equal(now, last) && ctx.Err() == nil; {
		time.Sleep(glance / 3)
		last, now = now, v.look()
	}
	err := v.renew(ctx, v.shown(now.differs(v.seen)))
	v.introduce()
	return err
}

// renew builds the package as it is and lets it answer. With watch, what is wrong
// with it is told and no failure: somebody is about to mend it.
func (v *preview) renew(ctx context.Context, changed string) error {
	began := time.Now()
	if changed != "" {
		v.say("%s changed", changed)
	}
	var talk bytes.Buffer
	round := *v.session
	round.stderr = io.MultiWriter(v.stderr, &talk)
	// What is over with the build is no part of what it had to say.
	round.progress = func(text string) {
		v.say("%s", text)
		v.front.begin(text)
	}
	v.front.begin("reading it")
	defer v.front.begin("")
	b, err := v.attempt(ctx, &round)
	switch {
	case err == nil:
		v.swap(ctx, b, talk.String())
		if changed != "" {
			v.say("the new build answers after %.1f s", time.Since(began).Seconds())
		}
		return nil
	case ctx.Err() != nil && v.answering != nil:
		return nil
	case ctx.Err() != nil || !v.watch:
		return err
	}
	round.conclude(err)
	v.front.fault(talk.String())
	if v.answering != nil {
		v.say("the build of before still answers")
	} else {
		v.say("nothing answers yet: waiting for a change")
	}
	return nil
}

// attempt loads and compiles the package, and waits until its program listens.
func (v *preview) attempt(ctx context.Context, s *session) (*build, error) {
	before := v.look()
	v.seen = before
	p, err := s.load(v.Args().First())
	if err != nil {
		return nil, err
	}
	v.root, v.dir, v.read = p.at.root, p.Dir, nil
	for _, f := range p.Files {
		v.read = append(v.read, filepath.Join(p.at.root, filepath.FromSlash(f.Path)))
	}
	v.seen = v.look().with(before)
	if err := s.refuse(p); err != nil {
		return nil, err
	}
	b, err := v.started(ctx, s, p)
	if err != nil {
		p.at.close()
	}
	return b, err
}

func (v *preview) started(ctx context.Context, s *session, p *project) (*build, error) {
	j := v.job
	if err := s.upstreams(p, &j, v.live); err != nil {
		return nil, err
	}
	r, err := s.build(ctx, p)
	if err != nil {
		return nil, err
	}
	b, err := v.listening(ctx, p, r, &j)
	if err != nil {
		r.remove()
	}
	return b, err
}

// swap lets a build answer. The one of before ends after its calls.
func (v *preview) swap(ctx context.Context, b *build, talk string) {
	before := v.answering
	v.answering = b
	v.front.hand(b, talk)
	if before == nil {
		return
	}
	v.retired.Go(func() {
		select {
		case <-before.idle():
		case <-ctx.Done():
		}
		_ = before.end() // it answers nobody any more
	})
}

// lost is what to do when the program of a build ended by itself.
func (v *preview) lost() error {
	ended := unable("", "the server ended by itself")
	if !v.watch {
		return ended
	}
	v.conclude(ended)
	v.say("waiting for a change")
	v.front.hand(nil, "the server ended by itself\n")
	err := v.answering.end()
	v.answering = nil
	return err
}

// end ends every build.
func (v *preview) end() error {
	var err error
	if v.answering != nil {
		err = v.answering.end()
	}
	v.retired.Wait()
	return err
}

// introduce tells where the tools are, once something answers there.
func (v *preview) introduce() {
	if v.introduced || v.at == "" || v.answering == nil {
		return
	}
	v.introduced = true
	v.announce(v.answering, v.at)
}

func (v *preview) shown(name string) string {
	if cwd, err := os.Getwd(); err == nil {
		if seen, err := filepath.Rel(cwd, name); err == nil {
			return filepath.ToSlash(seen)
		}
	}
	return name
}

// A sight is what a glance at files sees: when each was written, and its length.
type sight map[string]stamp

type stamp struct {
	written time.Time
	size    int64
}

// differs returns a file that is not what it was.
func (s sight) differs(before sight) string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(s)), maps.Keys(before))
	slices.Sort(names)
	at := slices.IndexFunc(names, func(name string) bool { return s[name] != before[name] })
	if at < 0 {
		return ""
	}
	return names[at]
}

// with is the sight with what was seen before: a file that is written while it is
// read has to be read again.
func (s sight) with(before sight) sight {
	for name := range s {
		if was, ok := before[name]; ok {
			s[name] = was
		}
	}
	return s
}

// maxSeen bounds what is looked at in the folder of a package.
const maxSeen = 20_000

// look looks at the files that a build is made from: those of the manifest, which
// may be anywhere in the module, and all in the folder of the package but what
// sculpt writes and what belongs to others.
func (v *preview) look() sight {
	out := sight{}
	if !v.watch {
		return out
	}
	for _, name := range v.read {
		if info, err := os.Stat(name); err == nil {
			out[name] = stamp{info.ModTime(), info.Size()}
		}
	}
	folder := v.folder()
	// What cannot be read is not seen, and the next load says why.
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case len(out) >= maxSeen:
			return fs.SkipAll
		case d == nil: // the folder itself is not there
			return nil
		case d.IsDir() && name != folder && foreignFolder(name):
			return fs.SkipDir
		case !d.Type().IsRegular() || isOutput(d.Name()):
			return nil
		}
		if info, err := d.Info(); err == nil {
			out[name] = stamp{info.ModTime(), info.Size()}
		}
		return nil
	})
	return out
}

// folder is that of the package, even where its manifest cannot be read.
func (v *preview) folder() string {
	if v.root != "" {
		return filepath.Join(v.root, filepath.FromSlash(v.dir))
	}
	name, err := filepath.Abs(v.Args().First())
	if err != nil {
		return "."
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return filepath.Dir(name)
	}
	return name
}

// foreignFolder says that no file in a folder below a package changes its build.
func foreignFolder(name string) bool {
	base := filepath.Base(name)
	if strings.HasPrefix(base, ".") || base == "exports" || base == "node_modules" || base == "cmd" {
		return true
	}
	for _, marker := range []string{"go.mod", "sculpt.yaml"} {
		if _, err := os.Lstat(filepath.Join(name, marker)); err == nil {
			return true
		}
	}
	return false
}

// isOutput says that sculpt writes a file and does not read it.
func isOutput(base string) bool {
	return strings.HasPrefix(base, ".") || strings.HasSuffix(base, "_gen.go") && !strings.HasPrefix(base, frozenPrefix)
}
