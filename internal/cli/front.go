package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/internal/signature"
)

// A build is a version of a package that answers on an address of its own.
type build struct {
	p     *project
	r     *runner
	j     *job
	child *child
	proxy *httputil.ReverseProxy
	calls sync.WaitGroup
	gone  chan struct{}
	// recorded are the answers that it has, where those are recorded.
	recorded []recording
}

// listening starts the program of a package and waits until it listens.
func (s *session) listening(ctx context.Context, p *project, r *runner, j *job) (*build, error) {
	own := *j
	own.Addr = "127.0.0.1:0" // people talk to the front
	child, err := s.start(r, &own)
	if err != nil {
		return nil, err
	}
	b := &build{p: p, r: r, j: j, child: child, gone: make(chan struct{}), recorded: p.recorded(j.Replay)}
	first := make(chan event, 1)
	go func() {
		defer close(b.gone)
		for e, ok := child.next(); ok; e, ok = child.next() {
			s.warn(e, b.recorded)
			if e.Event == "listening" || e.Event == "failed" {
				first <- e
			}
		}
	}()
	select {
	case e := <-first:
		if e.Event == "failed" {
			err = unable("", "%s", e.Text)
			break
		}
		b.proxy = proxyTo(e.Text)
		return b, nil
	case <-b.gone:
		err = unable("", "the server ended by itself")
	case <-ctx.Done():
		err = errInterrupted
	}
	_ = child.stop() // what failed first is told
	return nil, err
}

// proxyTo hands requests to an address as they came, and answers as they come.
func proxyTo(addr string) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: addr})
			r.Out.Host = r.In.Host // who is called, and from which page, is judged there
		},
		Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
}

// over is closed when the program of the build has ended.
func (b *build) over() <-chan struct{} {
	if b == nil {
		return nil
	}
	return b.gone
}

// idle is closed when the calls have ended that were handed to the build.
func (b *build) idle() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.calls.Wait()
	}()
	return done
}

// end ends the program and removes what it was built from.
func (b *build) end() error {
	err := b.child.stop()
	b.r.remove()
	b.p.at.close()
	return err
}

// A front is what listens: it hands each request to the newest build, and shows
// people a page.
type front struct {
	reloads bool

	mu   sync.RWMutex
	now  *build
	talk string
	bad  bool
	// work is what is being done to the newest edit, "" when that has ended.
	work string
}

// begin shows what is being done.
func (f *front) begin(work string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.work = work
}

// hand lets a build, or none, answer from now on. talk is what it had to say.
func (f *front) hand(b *build, talk string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now, f.talk, f.bad, f.work = b, talk, b == nil, ""
}

// fault shows what is wrong with the newest edit.
func (f *front) fault(talk string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.talk, f.bad, f.work = talk, true, ""
}

// take returns the build that a call is for, nil if there is none. The caller
// ends the call.
func (f *front) take() *build {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.now != nil {
		f.now.calls.Add(1)
	}
	return f.now
}

// ServeHTTP implements http.Handler.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/" && r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
		f.page(w, r)
		return
	}
	b := f.take()
	if b == nil {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "The package does not build; its terminal says why.", http.StatusServiceUnavailable)
		return
	}
	defer b.calls.Done()
	b.proxy.ServeHTTP(w, r)
}

//go:embed page.html
var pageText string

// pageScript keeps the page of a package that is watched up to date.
//
//go:embed page.js
var pageScript string

// pagePolicy is the Content-Security-Policy of the page: it runs pageScript and
// nothing else, and asks nobody but its own server.
var pagePolicy = func() string {
	digest := sha256.Sum256([]byte(pageScript))
	return "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'"
}()

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// A page is what people see who open the address of a preview.
type page struct {
	Title, Talk, Status string
	Bad                 bool
	Script              template.JS
	Doors               []door
	Tools               []pageTool
	Recorded            []string
}

type pageTool struct {
	*signature.Signature
	Curl string
}

// status says in a sentence what answers. The lock is held.
func (f *front) status() string {
	switch {
	case f.work != "":
		return "Working on the newest edit: " + f.work + "."
	case f.bad && f.now != nil:
		return "The newest edit does not build. The previous build still answers."
	case f.bad:
		return "The newest edit does not build. Nothing answers."
	}
	return "The newest edit answers."
}

// page shows the state of the package, what its newest edit is told, and the
// tools that answer.
func (f *front) page(w http.ResponseWriter, r *http.Request) {
	f.mu.RLock()
	shown := page{Title: "sculpt preview", Talk: f.talk, Bad: f.bad, Status: f.status()}
	now := f.now
	f.mu.RUnlock()
	if f.reloads {
		shown.Script = template.JS(pageScript) //nolint:gosec // it is a file of this package
	}
	if now != nil {
		base := "http://" + r.Host
		shown.Title, shown.Doors = now.p.Program.Title, doorsOf(base)
		for _, r := range now.recorded {
			shown.Recorded = append(shown.Recorded, r.text)
		}
		for _, t := range now.p.Program.Tools {
			shown.Tools = append(shown.Tools, pageTool{t.Signature, curlOf(t.Signature, base)})
		}
	}
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, shown); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(out.Bytes())
}
