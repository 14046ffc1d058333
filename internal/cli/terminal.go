package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// colorModes are what --color may say.
var colorModes = []string{"auto", "always", "never"}

// takeColor takes --color out of the arguments, wherever it is before "--".
func takeColor(args []string) (mode string, rest []string, err error) {
	mode = "auto"
	for i := 0; i < len(args); i++ {
		name, value, given := strings.Cut(args[i], "=")
		switch {
		case args[i] == "--":
			return mode, append(rest, args[i:]...), nil
		case name != "--color" && name != "-color":
			rest = append(rest, args[i])
			continue
		case !given && i+1 < len(args):
			i++
			value = args[i]
		}
		if mode = value; !slices.Contains(colorModes, mode) {
			return "", nil, unable("write --color "+strings.Join(colorModes, " or --color "), "unknown color %q%s", value, diag.DidYouMean(value, colorModes))
		}
	}
	return mode, rest, nil
}

// colors reports whether what is written to w has colours: unless it is said, on a
// terminal that can show them, and nowhere that somebody wants none
// (https://no-color.org).
func (s *session) colors(mode string, w io.Writer) bool {
	none, _ := s.lookup("NO_COLOR")
	kind, _ := s.lookup("TERM")
	return mode == "always" || mode == "auto" && none == "" && kind != "" && kind != "dumb" && isTerminal(w)
}

// isTerminal reports whether a person may be reading.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// silence is how long nothing may be said before a person is told that there is
// work going on.
const silence = time.Second

// A pulse tells a person who waits that something is done: a line that is written
// over by what comes next.
type pulse struct {
	w    io.Writer
	what string

	mu    sync.Mutex
	quiet time.Time
	began time.Time
	shown bool
	ended bool
}

// beat shows the line if it is time to.
func (p *pulse) beat(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || now.Sub(p.quiet) < silence {
		return
	}
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%s: %d s", p.what, int(now.Sub(p.began).Seconds()))
}

// clear makes place for what is said.
func (p *pulse) clear(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quiet = now
	if p.shown {
		p.shown = false
		_, _ = io.WriteString(p.w, "\r\x1b[K") // a courtesy
	}
}

// end clears the line for good.
func (p *pulse) end(now time.Time) {
	p.clear(now)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
}

// start beats until the pulse has ended.
func (p *pulse) start() (stop func()) {
	p.began = time.Now()
	p.quiet = p.began
	tick := time.NewTicker(silence / 4)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case now := <-tick.C:
				p.beat(now)
			case <-done:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
		p.end(time.Now())
	}
}

// pulsed is a writer that clears the line of the pulse first.
type pulsed struct {
	io.Writer
	p *pulse
}

// Write implements io.Writer.
func (w pulsed) Write(text []byte) (int, error) {
	w.p.clear(time.Now())
	return w.Writer.Write(text)
}
