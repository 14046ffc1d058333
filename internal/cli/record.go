package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/pattern"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
)

// runRecord calls a tool with the real services and keeps their answers in
// replay/.
func runRecord(c *command) error {
	j := &job{Mode: "record"}
	p, err := c.callee(j)
	if err != nil {
		return err
	}
	defer p.at.close()
	if err := c.upstreams(p, j, true); err != nil {
		return err
	}
	folder, err := p.at.jail.OpenRoot(p.Dir)
	if err != nil {
		return unreadable(p.at.shown(p.Dir), err)
	}
	defer folder.Close()
	if err := folder.Mkdir("replay", 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return unreadable(p.at.shown(p.Dir+"/replay"), err)
	}
	shelf, err := openShelf(folder)
	if err != nil {
		return err
	}
	defer shelf.root.Close()
	return c.callTool(p, j, func(e event) error {
		if e.Event != "recorded" {
			return nil
		}
		e.Exchange.Request.URL = c.portable(p, e.Exchange)
		name, err := shelf.put(e.Name, e.Exchange)
		if err != nil {
			return err
		}
		c.say("recorded %s", p.at.shown(p.Dir+"/replay/"+name))
		if e.Leaks {
			c.say("%s holds the value of a configured variable in its request: look at it before you commit it", name)
		}
		return nil
	})
}

// portable returns the URL of an exchange at the address of the document: a
// recording must answer on computers where <API>_BASE_URL and the variables of
// servers are not set, and need not tell which server it came from.
func (s *session) portable(p *project, x *replay.Exchange) string {
	for _, api := range p.Program.APIs {
		if api.Name != x.Request.API {
			continue
		}
		from, _ := s.lookup(ir.BaseURLEnv(api.Name))
		if from == "" || api.BaseURL == "" {
			return s.moved(p.Program, api, x.Request.URL)
		}
		if rest, ok := strings.CutPrefix(x.Request.URL, strings.TrimSuffix(from, "/")); ok {
			return recordedAt(p.Program, api, strings.TrimSuffix(api.BaseURL, "/")) + rest
		}
	}
	return x.Request.URL
}

// A shelf is a replay folder that is being written to. Another question must
// not push out the answers of the one before, and the same question must not
// pile up files.
type shelf struct {
	root *os.Root
	// known leads from a request to the files with it that this run has not
	// written, in their order.
	known map[string][]string
	taken map[string]bool
}

func openShelf(folder *os.Root) (*shelf, error) {
	root, err := folder.OpenRoot("replay")
	if err != nil {
		return nil, err
	}
	s := &shelf{root: root, known: map[string][]string{}, taken: map[string]bool{}}
	names, err := fs.Glob(newJailFS(root), "*.json")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	for _, name := range names {
		s.taken[name] = true
		data, err := root.ReadFile(name)
		if err != nil {
			return nil, errors.Join(err, root.Close())
		}
		var x replay.Exchange
		if json.Unmarshal(data, &x) == nil {
			key := requestKey(&x)
			s.known[key] = append(s.known[key], name)
		}
	}
	return s, nil
}

// requestKey is equal for equal requests, however their files are indented.
func requestKey(x *replay.Exchange) string {
	var body bytes.Buffer
	if json.Compact(&body, x.Request.Body) != nil {
		body.Reset()
		body.Write(x.Request.Body)
	}
	return x.Request.Method + " " + x.Request.URL + "\n" + body.String()
}

// put writes an exchange: over the file that has the same request, or into a
// new one.
func (s *shelf) put(proposed string, x *replay.Exchange) (string, error) {
	data, err := replay.Format(x)
	if err != nil {
		return "", err
	}
	key := requestKey(x)
	name := ""
	if old := s.known[key]; len(old) > 0 {
		name, s.known[key] = old[0], old[1:]
	} else {
		name = s.free(proposed)
	}
	s.taken[name] = true
	return name, s.root.WriteFile(name, data, 0o644)
}

var numbered = pattern.Of(`^(.*)-(\d{3,})-(.*)$`)

// free counts the number in a proposed name up until no file has it: numbers
// tell in which order the exchanges of an api came.
func (s *shelf) free(proposed string) string {
	parts := numbered().FindStringSubmatch(proposed)
	if parts == nil {
		parts = []string{"", "exchange", "001", proposed}
	}
	n, _ := strconv.Atoi(parts[2])
	for ; ; n++ {
		lead := fmt.Sprintf("%s-%03d-", parts[1], n)
		if !s.hasPrefix(lead) {
			return lead + parts[3]
		}
	}
}

func (s *shelf) hasPrefix(lead string) bool {
	for name := range s.taken {
		if strings.HasPrefix(name, lead) {
			return true
		}
	}
	return false
}
