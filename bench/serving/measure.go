package serving

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Options say how long and what is measured.
type Options struct {
	Rounds int
	Round  time.Duration
	// Only, unless empty, are the ids of the rows that are wanted.
	Only []string
	// Flags go to every server.
	Flags []string
}

// A sample is what one call cost in one round.
type sample struct{ cpu, mallocs, bytes, refused float64 }

// A Result is a row with what was measured.
type Result struct {
	ID, About, Unit string
	Goal, Got       float64
}

// Met reports whether the goal was reached.
func (r *Result) Met() bool { return r.Got <= r.Goal }

type bench struct {
	Options
	servers map[place]*process
	callers map[figure][]*caller
	samples map[figure][]sample
}

// Sides says what each server is, and its options.
const Sides = `- sculpt: the program that "sculpt init" writes, with all defaults: validation, limits, deadlines, timeouts, host and origin checks, call ids, a log
  record for each call (to the null device). A2T, and MCP where the row says so (2025-06-18)
- ReverseProxy: httputil.ReverseProxy passing the same answer through, as a GET; transport with 1024 kept connections and a read buffer of 16 KiB,
  pool of 32 KiB buffers, net/http server without timeouts, no log; it unpacks gzip, so that its callers get what ours read
- by hand: net/http and encoding/json into structs of the wanted members, the same transport, deadline, checks of inputs; no timeouts, limits or log
- go-sdk: the official SDK, typed tool, stateless, JSON answers, its work done as by hand; no log
- mark3labs/mcp-go: the same with that SDK, stateless
`

// Measure starts all servers and measures all rows.
func Measure(o Options, progress io.Writer) (results []Result, err error) {
	b := &bench{Options: o, servers: map[place]*process{}, callers: map[figure][]*caller{}, samples: map[figure][]sample{}}
	defer func() {
		for _, p := range b.servers {
			p.stop()
		}
	}()
	var wanted []row
	for _, r := range rows() {
		if len(o.Only) == 0 || slices.Contains(o.Only, r.id) {
			wanted = append(wanted, r)
		}
	}
	figures := figuresOf(wanted)
	for _, f := range figures {
		if err := b.prepare(f); err != nil {
			return nil, err
		}
	}
	for n := range o.Rounds {
		fmt.Fprintf(progress, "round %d of %d\n", n+1, o.Rounds)
		if err := b.round(figures); err != nil {
			return nil, err
		}
	}
	for _, r := range wanted {
		results = append(results, Result{r.id, r.about, r.unit, r.goal, b.median(&r)})
	}
	for _, f := range figures {
		fmt.Fprintf(progress, "%-14s %3d connections: %6.1f us, %4.0f allocations, %6.0f bytes a call\n", f.ask, f.conns,
			b.middle(f, cpu)/1000, b.middle(f, mallocs), b.middle(f, func(s sample) float64 { return s.bytes }))
	}
	return results, nil
}

func figuresOf(rows []row) []figure {
	var all []figure
	for _, r := range rows {
		for _, f := range []figure{r.ours, r.peer} {
			if f.ask != "" && !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// prepare starts what a figure needs, and looks at an answer on each connection.
func (b *bench) prepare(f figure) error {
	a := asks[f.ask]
	p, err := b.server(place{a.server, f.conns})
	if err != nil {
		return err
	}
	for range f.conns {
		c, err := dial(p.addr)
		if err != nil {
			return err
		}
		b.callers[f] = append(b.callers[f], c)
		// Each connection is used at once: a server may close those that are not.
		var body bytes.Buffer
		status, err := c.call(a.bytes(p.addr), &body)
		if err == nil && (status != 200 || !bytes.Contains(body.Bytes(), []byte(a.wants))) {
			err = fmt.Errorf("%d %.300s", status, body.Bytes())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.ask, err)
		}
	}
	return nil
}

// A place is a server that has one number of connections only: those of other rows
// would cost it memory that its peers do not have.
type place struct {
	word  string
	conns int
}

// server starts a server once. Those with the suffix -gzip have an upstream
// that packs its answers. All have the same upstream.
func (b *bench) server(at place) (*process, error) {
	if p := b.servers[at]; p != nil {
		return p, nil
	}
	url := ""
	if at.word != "upstream" {
		up, err := b.server(place{word: "upstream"})
		if err != nil {
			return nil, err
		}
		url = "http://" + up.addr
	}
	mode, packed := strings.CutSuffix(at.word, "-gzip")
	if packed {
		url += "/gz"
	}
	p, err := start(mode, url, b.Flags)
	if err == nil {
		b.servers[at] = p
	}
	return p, err
}

// parts is how many parts a round has. In each all figures have their turn: what
// else happens on the machine, which changes from second to second, is then on the bill
// of all of them.
const parts = 12

// round takes one sample of each figure.
func (b *bench) round(figures []figure) error {
	used, made := make([]cost, len(figures)), make([]volley, len(figures))
	for n := range parts {
		for i := range figures {
			at := (i + n) % len(figures)
			if err := b.slice(figures[at], &used[at], &made[at]); err != nil {
				return fmt.Errorf("%s: %w", figures[at].ask, err)
			}
		}
	}
	for i, f := range figures {
		n := float64(made[i].calls)
		b.samples[f] = append(b.samples[f], sample{float64(used[i].CPU) / n, float64(used[i].Mallocs) / n, float64(used[i].Bytes) / n, float64(made[i].refused) / n})
	}
	return nil
}

// slice adds what calls cost for a part of a round.
func (b *bench) slice(f figure, used *cost, made *volley) error {
	a := asks[f.ask]
	p := b.servers[place{a.server, f.conns}]
	request := a.bytes(p.addr)
	// What other figures left behind is not on the bill of this one.
	if v := load(b.callers[f], request, b.Round/parts/10); v.err != nil {
		return v.err
	}
	before, err := p.cost()
	if err != nil {
		return err
	}
	v := load(b.callers[f], request, b.Round/parts)
	after, err := p.cost()
	if err == nil {
		err = v.err
	}
	part := after.minus(before)
	used.CPU, used.Mallocs, used.Bytes = used.CPU+part.CPU, used.Mallocs+part.Mallocs, used.Bytes+part.Bytes
	made.calls, made.refused = made.calls+v.calls, made.refused+v.refused
	return err
}

// median is that of the ratios of a row, round by round.
func (b *bench) median(r *row) float64 {
	var all []float64
	for i, s := range b.samples[r.ours] {
		v := r.of(s)
		if r.peer.ask != "" {
			v /= r.of(b.samples[r.peer][i])
		}
		all = append(all, v)
	}
	return middle(all)
}

func (b *bench) middle(f figure, of func(sample) float64) float64 {
	var all []float64
	for _, s := range b.samples[f] {
		all = append(all, of(s))
	}
	return middle(all)
}

func middle(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
