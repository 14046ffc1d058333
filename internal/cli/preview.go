package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf16"

	"github.com/urfave/cli/v2"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/ir"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

func previewFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8080"},
		&cli.BoolFlag{Name: "live"},
		&cli.BoolFlag{Name: "watch"},
	}
}

// interrupted returns a context that ends when somebody wants the run to end. A
// second signal ends the process at once.
func interrupted() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// runPreview serves a package without writing anything into it.
func runPreview(c *command) error {
	v := &preview{command: c, job: job{Mode: "serve", Addr: c.String("addr")}, live: c.Bool("live"), watch: c.Bool("watch")}
	v.front = &front{reloads: v.watch}
	if err := v.job.checkAddress(v.live); err != nil {
		return err
	}
	if v.job.Open {
		c.say("other machines may reach %s, and nobody is asked who they are", v.job.Addr)
	}
	ctx, stop := interrupted()
	defer stop()
	return v.serve(ctx)
}

// checkAddress refuses what would be a mistake: real services behind a door
// that is open to everybody.
func (j *job) checkAddress(live bool) error {
	host, port, err := net.SplitHostPort(j.Addr)
	if _, portErr := strconv.ParseUint(port, 10, 16); err != nil || portErr != nil {
		return unable("write --addr 127.0.0.1:8080", "%q is not an address", j.Addr)
	}
	ip, err := netip.ParseAddr(host)
	if host == "localhost" || err == nil && ip.Unmap().IsLoopback() {
		return nil
	}
	if live {
		return unable("use a loopback address, or build the program of the package, which can ask who calls",
			"%s may be reached by other machines, so --live is refused", j.Addr)
	}
	j.Open = true
	return nil
}

// hosts are the names by which callers may ask for the server.
func (j *job) hosts() []string {
	if j.Open {
		return []string{"*"}
	}
	return nil
}

// upstreams decides who answers the requests of the tools: the recordings of
// the package or the real services.
func (s *session) upstreams(p *project, j *job, live bool) error {
	replay, err := p.replay()
	if err != nil {
		return err
	}
	j.Env = map[string]bool{}
	public := map[string]bool{}
	for _, e := range p.Program.Env {
		value, _ := s.lookup(e.Name)
		if e.Default != nil {
			j.Public = append(j.Public, *e.Default)
			public[e.Name] = value == "" || value == *e.Default
		}
		missing := e.Default == nil && value == ""
		if live && missing {
			return unable("set it, or leave out --live", "%s is not set: %s", e.Name, e.Description)
		}
		j.Env[e.Name] = missing
	}
	for _, api := range p.Program.APIs {
		j.guard(api, public)
	}
	j.Servers = p.Program.StandIns()
	if live {
		return nil
	}
	if replay == "" && j.Mode != "dry" && j.Mode != "rehearse" {
		return unable("add --live to call the real services, or record answers with sculpt record",
			"%s has no recorded answers", p.at.shown(p.Dir+"/replay"))
	}
	j.Replay = replay
	return nil
}

// guard notes where the credentials of an api travel. Variables that are
// public have the value of the manifest, which everybody may see.
func (j *job) guard(api *ir.API, public map[string]bool) {
	for _, cred := range api.Credentials {
		j.Caller = j.Caller || cred.FromCaller()
		if cred.Scheme != nil && cred.Scheme.Param != "" {
			j.Hidden = append(j.Hidden, cred.Scheme.Param)
		}
	}
	// A header of the manifest whose value is configured may be a key. What
	// is shown must not depend on how long its value is.
	for _, h := range api.Headers {
		if slices.ContainsFunc(h.Parts, func(part ir.HeaderPart) bool { return part.Env != "" && !public[part.Env] }) {
			j.Hidden = append(j.Hidden, h.Name)
		}
	}
}

// replay returns the absolute folder of recorded answers, "" if there are
// none.
func (p *project) replay() (string, error) {
	name := "replay"
	if p.Dir != "." {
		name = p.Dir + "/" + name
	}
	found, err := fs.Glob(newJailFS(p.at.jail), name+"/*.json")
	if err != nil || len(found) == 0 {
		return "", err
	}
	return filepath.Join(p.at.root, filepath.FromSlash(name)), nil
}

// announce tells where the tools are.
func (v *preview) announce(b *build, addr string) {
	if _, wanted, _ := net.SplitHostPort(v.job.Addr); wanted != "0" {
		if _, got, _ := net.SplitHostPort(addr); got != wanted {
			v.say("port %s is busy, %s is used", wanted, got)
		}
	}
	base := "http://" + reachable(addr)
	for _, d := range doorsOf(base) {
		v.print("%-6s %s", d.Name, d.URL)
	}
	v.print("page   %s/", base)
	v.print("")
	curl, changes := b.p.curl(base)
	v.print("%s", curl)
	if changes && v.live {
		v.say("this command changes something at the real service")
	}
	from := "the real services"
	if b.j.Replay != "" {
		from = b.p.at.shown(b.p.Dir + "/replay")
	}
	for _, r := range b.recorded {
		v.say("recorded: %s", r.text)
	}
	v.say("%s answered from %s; Ctrl-C ends it", countOf(len(b.p.Program.Tools), "tool"), from)
}

// A door is a protocol with the address of its list of tools.
type door struct{ Name, URL string }

func doorsOf(base string) []door {
	return []door{
		{"A2T", base + "/a2t/tools"}, {"N-ACT", base + "/nact/tools"}, {"OTC", base + "/otc/tools"},
		{"MCP", base + "/mcp"}, {"ATDF", base + "/atdf/tools"},
	}
}

// reachable returns an address that a client can use: one that stands for all
// interfaces is none.
func reachable(addr string) string {
	host, port, _ := net.SplitHostPort(addr)
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// curl is a command that works: the first example of the manifest over A2T, of a
// tool that changes nothing if there is one, or the list of tools where no tool
// has an example. It reports whether the command changes something.
func (p *project) curl(base string) (command string, changes bool) {
	var first *signature.Signature
	for _, m := range p.Manifest.Tools {
		for _, t := range p.Program.Tools {
			if sig := t.Signature; sig.Name == m.Name.Value && len(sig.Examples) > 0 && (first == nil || !first.Effects.ReadOnly && sig.Effects.ReadOnly) {
				first = sig
			}
		}
	}
	if first == nil {
		return "curl -sS " + base + "/a2t/tools", false
	}
	return curlOf(first, base), !first.Effects.ReadOnly
}

// curlOf calls the first example of a tool over A2T; "" if it has none.
func curlOf(s *signature.Signature, base string) string {
	if len(s.Examples) == 0 {
		return ""
	}
	return "curl -sS " + base + "/a2t/tools/" + s.ID + ":invoke \\\n" +
		"  -H 'Content-Type: application/json' \\\n  -d " + quoteShell(invocation(s))
}

// invocation is the A2T request of the first example (A2T 5.3).
func invocation(s *signature.Signature) string {
	type parameter struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	given := []parameter{}
	for _, in := range s.Inputs {
		if v, ok := s.Examples[0].Inputs[in.Name]; ok {
			given = append(given, parameter{in.Name, v})
		}
	}
	return plainJSON(map[string]any{"input_parameters": given})
}

// plainJSON encodes a value on one line without any character that a terminal
// should not get.
func plainJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("cli: " + err.Error()) // texts and numbers always encode
	}
	return safeJSON(strings.TrimSuffix(b.String(), "\n"))
}

// safeJSON writes characters that hide or steer as JSON escapes. Line breaks
// between values stay.
func safeJSON(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || diag.Escape(string(r)) == string(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// quoteShell writes a word for a POSIX shell.
func quoteShell(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
