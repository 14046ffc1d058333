package diag

import (
	"bytes"
	"io"
	"regexp"
	"sync"
)

// Paint returns a writer for terminals that colours what [Text] writes: how severe
// a finding is, what it points at and how to fix it. All else passes as it is.
// Texts of files are escaped before, so that no colour comes from them.
func Paint(w io.Writer) io.Writer { return &painter{w: w, fresh: true} }

type painter struct {
	mu sync.Mutex
	w  io.Writer
	// fresh says that a line begins.
	fresh bool
}

// The codes of ECMA-48, 8.3.117.
const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	blue   = "\x1b[1;34m"
	green  = "\x1b[32m"
	plain  = "\x1b[0m"
)

var (
	headLine = regexp.MustCompile(`^(?:[^ "]+:\d+:\d+: )?(error|warning|note)\[[a-z0-9-]+\]: `)
	markLine = regexp.MustCompile(`^ +\| +(\^+)`)
	fixLine  = regexp.MustCompile(`^   = (fix|see): `)

	severityColor = map[string]string{"error": red, "warning": yellow, "note": blue}
)

// Write implements io.Writer.
func (p *painter) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		if p.fresh {
			line = painted(line)
		}
		out.Write(line)
		p.fresh = bytes.HasSuffix(line, []byte("\n"))
	}
	if _, err := p.w.Write(out.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

func painted(line []byte) []byte {
	for _, c := range []struct {
		find  *regexp.Regexp
		color string
	}{{headLine, ""}, {markLine, red}, {fixLine, green}} {
		at := c.find.FindSubmatchIndex(line)
		if at == nil {
			continue
		}
		from, to := at[2], at[3]
		color := c.color
		if color == "" {
			color = severityColor[string(line[from:to])]
		}
		return bytes.Join([][]byte{line[:from], []byte(color), line[from:to], []byte(plain), line[to:]}, nil)
	}
	return line
}
