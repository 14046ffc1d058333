// Package conform judges servers and programs by the texts of the protocols
// that they speak: A2T, N-ACT, OTC, OXP, ATDF and ATIP. A clause is a row of
// data: what the text wants, how strongly, and a check over what was recorded of
// a conversation, or the reason why nobody can check it from outside.
//
// It imports nothing of this module. A kit that shared the reading of the server
// or of the client would share its mistakes, so this one reads plain JSON in its
// own way. Nothing with effects is called unless it is named: without an
// [Invocation] a server gets GET requests, and a program is asked for --agent
// only.
package conform

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// A Level is how strongly a text wants something, in the words of RFC 2119.
type Level string

// The levels.
const (
	Must   Level = "MUST"
	Should Level = "SHOULD"
	May    Level = "MAY"
)

// A Verdict is what became of a clause.
type Verdict string

// The verdicts.
const (
	Pass       Verdict = "pass"
	Fail       Verdict = "fail"
	NotChecked Verdict = "not checked"
)

// A Clause is one thing that a text wants.
type Clause struct {
	ID       string `json:"id"`
	Protocol string `json:"protocol"`
	Level    Level  `json:"level"`
	// Section is where the text has it.
	Section string `json:"section"`
	// Gist is what it wants, in our words.
	Gist string `json:"gist"`
	// Plain clauses are stated without a key word of RFC 2119, or the key word of
	// their sentence is counted with another clause.
	Plain bool `json:"plain,omitempty"`
	// Unchecked is why it cannot be checked from outside.
	Unchecked string `json:"unchecked,omitempty"`

	check func(*recording, *look)
}

// A Result is a clause with its verdict.
type Result struct {
	Clause

	Verdict Verdict `json:"verdict"`
	// Saw is what was seen, or why nothing was looked at.
	Saw string `json:"saw"`
}

// A Report is what was found out about one server or program.
type Report struct {
	Protocol string   `json:"protocol"`
	Target   string   `json:"target"`
	Results  []Result `json:"results"`
	// Unasked counts the tools whose details were not asked for, since the server
	// lists so many; those that are named for a call always are.
	Unasked int `json:"unasked,omitempty"`
}

// Failed reports whether a MUST fails or, if strict, a SHOULD.
func (r *Report) Failed(strict bool) bool {
	return slices.ContainsFunc(r.Results, func(x Result) bool {
		return x.Verdict == Fail && (x.Level == Must || strict && x.Level == Should)
	})
}

// An Invocation names a tool that may be called, with inputs that it takes.
type Invocation struct {
	Tool   string
	Inputs map[string]any
}

// Options say how a server is asked.
type Options struct {
	Header map[string]string
	Invoke []Invocation
	// Client sends the requests. It should follow no redirects: what answers then
	// is not what was asked.
	Client *http.Client

	// callID makes the ids of calls; those of tests are in tables.
	callID func() string
}

// A recording is what was said in a conversation. Only that of the protocol at
// hand is filled.
type recording struct {
	// unknown are the tools that may be called and are not there.
	unknown []string
	// unasked counts tools of which only the list was read.
	unasked int

	a2t  *a2tTalk
	otc  *otcTalk
	atdf *atdfTalk
	atip *atipTalk
}

// A protocol that is spoken has a word, clauses, and a conversation over HTTP.
// With programs there is none.
type spoken struct {
	word  string
	rows  []Clause
	speak func(*asker, *recording)
}

var protocols = []spoken{
	{"a2t", a2tRows, recordA2T},
	{"nact", nactRows(), recordA2T},
	{"otc", otcRows("otc"), recordOTC("otc")},
	{"oxp", otcRows("oxp"), recordOTC("oxp")},
	{"atdf", atdfRows, recordATDF},
	{"atip", atipRows, nil},
}

// ServerProtocols are the words for the protocols of servers.
func ServerProtocols() []string {
	var words []string
	for _, p := range protocols {
		if p.speak != nil {
			words = append(words, p.word)
		}
	}
	return words
}

// Server judges the server below an address by one of [ServerProtocols]. An
// error means that it could not be asked at all.
func Server(ctx context.Context, protocol string, base *url.URL, o Options) (*Report, error) {
	for _, p := range protocols {
		if p.word != protocol || p.speak == nil {
			continue
		}
		if o.callID == nil {
			o.callID = rand.Text
		}
		a := &asker{ctx: ctx, base: strings.TrimSuffix(base.String(), "/"), options: &o}
		var r recording
		p.speak(a, &r)
		if a.full != nil {
			return nil, fmt.Errorf("the server was not asked for everything: %w", a.full)
		}
		if a.answered == 0 {
			return nil, fmt.Errorf("the server does not answer: %w", a.first)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("the server was not asked for everything: %w", err)
		}
		if len(r.unknown) > 0 {
			return nil, fmt.Errorf("the server lists no tool %q", r.unknown[0])
		}
		return judge(protocol, base.String(), p.rows, &r), nil
	}
	return nil, fmt.Errorf("there is no protocol %q for servers", protocol)
}

// judge runs the checks of all clauses.
func judge(protocol, target string, rows []Clause, r *recording) *Report {
	report := &Report{Protocol: protocol, Target: target, Unasked: r.unasked}
	for _, c := range rows {
		result := Result{Clause: c, Verdict: NotChecked, Saw: c.Unchecked}
		result.Protocol = protocol
		if c.check != nil {
			var l look
			c.check(r, &l)
			result.Verdict, result.Saw = l.verdict()
		}
		report.Results = append(report.Results, result)
	}
	return report
}

// A look is what a check found.
type look struct {
	// seen counts what was looked at; what names it.
	seen int
	what string
	// note is said with a pass.
	note    string
	wrong   []string
	skipped string
}

// faultsShown bounds what is told of one clause.
const faultsShown = 3

// saw counts something that was looked at.
func (l *look) saw(what string) { l.seen, l.what = l.seen+1, what }

// fail adds something that is wrong.
func (l *look) fail(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(l.wrong, text) {
		l.wrong = append(l.wrong, text)
	}
}

// skip says why there was nothing to look at.
func (l *look) skip(format string, args ...any) { l.skipped = fmt.Sprintf(format, args...) }

func (l *look) verdict() (Verdict, string) {
	switch {
	case len(l.wrong) > faultsShown:
		return Fail, fmt.Sprintf("%s; and %d more", strings.Join(l.wrong[:faultsShown], "; "), len(l.wrong)-faultsShown)
	case len(l.wrong) > 0:
		return Fail, strings.Join(l.wrong, "; ")
	case l.seen == 0 && l.skipped == "":
		return NotChecked, "the server showed nothing to look at"
	case l.seen == 0:
		return NotChecked, l.skipped
	case l.note != "":
		return Pass, l.note
	case l.seen == 1:
		return Pass, "1 " + l.what
	}
	return Pass, fmt.Sprintf("%d %ss", l.seen, l.what)
}
