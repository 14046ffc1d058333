package upstream

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// How much one step may collect: pages, and bytes as a multiple of what one
// answer may have.
const (
	mostPages = 20
	pagesRoom = 4
)

// A Round is the request for a page of a list ([Collect]), or for something that
// is waited for ([Poll]). A step has one Round, which tells each of its calls by
// [Round.Send] what is different from the first.
type Round struct {
	// Step is the id of the step in errors.
	Step string

	// Link says that the next page is in the Link header of a page (RFC 8288).
	// Page and Offset are the query parameter that is counted up, by one or by the
	// items of a page; Token is the one that gets [Round.Next]. Without any of
	// them, Next is the address of the next page.
	Link                bool
	Page, Offset, Token string
	// Max is the most items; Want is how many are enough, 0 for all of them.
	Max, Want int
	// Partial says that what was collected before a failure or a bound is the
	// answer, with [Answer.Partial].
	Partial bool

	// Every is how long [Poll] waits between two calls, Within how long it may
	// take in all.
	Every, Within time.Duration

	// More is set by the function of [Collect] or [Poll] where another round is
	// wanted, Next to what its page said of the next one, "" for nothing.
	More bool
	Next string

	call *Call
	// until is when all rounds have to have ended, room how many bytes they may
	// still read.
	until time.Time
	room  int64
	// jump is the address of this page, text the value of the parameter.
	jump *url.URL
	text string
	// number is the last page or offset, seen what led to pages before.
	number int64
	seen   []string
}

// Send makes a call the one of this round, after all parameters were set.
func (r *Round) Send(c *Call) {
	if r.call == nil {
		if r.until = time.Now().Add(c.timeout); r.Within > 0 {
			r.until = time.Now().Add(r.Within)
		}
		r.room = mostPages * c.u.maxBody
		if r.Within == 0 {
			r.room = pagesRoom * c.u.maxBody
		}
		r.number = r.firstNumber(c)
	}
	r.call, c.room = c, &r.room
	c.latest, c.jump = r.until, r.jump
	if r.text != "" {
		c.query = []byte(withoutParams(string(c.query), string(appendEscaped(nil, r.parameter()))))
		c.Query(r.parameter(), r.text)
	}
}

func (r *Round) parameter() string { return r.Page + r.Offset + r.Token }

// firstNumber is where counting begins: at what the first request says.
func (r *Round) firstNumber(c *Call) int64 {
	name := string(appendEscaped(nil, r.parameter()))
	for pair := range strings.SplitSeq(string(c.query), "&") {
		if key, text, _ := strings.Cut(pair, "="); key == name && r.Token == "" {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				return n
			}
		}
	}
	return 0
}

// Collect joins the items of the pages of a list, one page after the other. The
// time that one call may take is that of all pages together. It ends with the
// page after which [Round.More] is not set or that tells no next one, and as soon
// as enough is there ([Round.Want]). A list beyond [Round.Max] or beyond 20 pages is an
// error unless a part will do: a tool that looked at a part of it would give a
// wrong answer. So is a page that leads to an earlier one, or to another origin:
// credentials never go there.
func Collect[T any](ctx context.Context, r *Round, page func(context.Context, *Round) ([]T, error)) ([]T, error) {
	var all []T
	for n := 1; ; n++ {
		r.More, r.Next = false, ""
		items, err := page(ctx, r)
		switch {
		case errors.Is(err, ErrSkip):
			return all, nil
		case err != nil && n > 1 && ctx.Err() == nil:
			return part(r, all, err)
		case err != nil:
			return nil, err
		}
		all = append(all, items...)
		if r.Want > 0 && len(all) >= r.Want {
			return all[:r.Want], nil
		}
		more, err := r.advance(len(items))
		switch {
		case err != nil:
			return nil, err
		case len(all) > r.Max:
			return part(r, all[:r.Max], r.tooMany(fmt.Sprintf("%d entries", r.Max)))
		case !more:
			return all, nil
		case n == mostPages:
			return part(r, all, r.tooMany(fmt.Sprintf("%d pages of entries", n)))
		}
	}
}

// part is the answer where not everything could be collected.
func part[T any](r *Round, all []T, err error) ([]T, error) {
	if !r.Partial {
		return nil, err
	}
	if r.call.kept != nil {
		r.call.kept.Partial = true
	}
	return all, nil
}

func (r *Round) tooMany(what string) error {
	return &tool.Error{
		Kind: tool.KindRejected, Code: "too_many", Step: r.Step,
		Message:   "There are more than " + what + " to look at, which is the most that is looked at in one call.",
		Hint:      "Narrow the request down.",
		Developer: fmt.Sprintf("step %s: collect: met a bound: max is %d, and at most %d pages are read", r.Step, r.Max, mostPages),
	}
}

// advance prepares the next page; more is false where there is none.
func (r *Round) advance(items int) (more bool, err error) {
	switch {
	case !r.More:
		return false, nil
	case r.Page+r.Offset != "":
		step := int64(items)
		if r.Page != "" {
			step = 1
		}
		r.number += step
		r.text = strconv.FormatInt(r.number, 10)
		return items > 0, nil
	case r.Link:
		r.Next = nextLink(r.call.answer)
	}
	if r.Next == "" {
		return false, nil
	}
	if r.Token != "" {
		r.text = r.Next
		return true, r.once(r.Next)
	}
	if r.jump == nil {
		first := r.call.target
		first.RawQuery = withoutParams(first.RawQuery, r.call.secretQuery)
		r.seen = append(r.seen, first.String())
	}
	if r.jump, err = r.call.same(r.Next); err != nil {
		return false, err
	}
	return true, r.once(r.jump.String())
}

// once refuses what led to an earlier page.
func (r *Round) once(next string) error {
	if slices.Contains(r.seen, next) {
		return &tool.Error{Kind: tool.KindBadBackend, Step: r.Step, Err: errRepeated}
	}
	r.seen = append(r.seen, next)
	return nil
}

var (
	errRepeated = errors.New("a page leads to an earlier one")
	errForeign  = errors.New("a page leads to another origin")
)

// same resolves the address of a next page, which has to be on the origin of the
// call. Credentials in the query are left out: they go along with each call.
func (c *Call) same(text string) (*url.URL, error) {
	next, err := c.target.Parse(text)
	if err != nil || !sameOrigin(next, &c.target) {
		return nil, &tool.Error{Kind: tool.KindBadBackend, Step: c.step, Err: errForeign}
	}
	next.Fragment, next.RawFragment = "", ""
	next.RawQuery = withoutParams(next.RawQuery, c.secretQuery)
	return next, nil
}

// sameOrigin reports whether an address that a backend named is on the origin of
// another one.
func sameOrigin(next, from *url.URL) bool {
	host := func(u *url.URL) string {
		return strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"http": ":80", "https": ":443"}[u.Scheme])
	}
	return next.Opaque == "" && next.User == nil && next.Scheme == from.Scheme && host(next) == host(from)
}

// jumped is the address of a next page with the credentials of the call.
func (c *Call) jumped() url.URL {
	target := *c.jump
	target.Host = c.to.host
	if c.secretQuery != "" {
		target.RawQuery = strings.TrimPrefix(target.RawQuery+"&"+c.secretQuery, "&")
	}
	return target
}

// nextLink is the target of the link to the next page (RFC 8288), "" for none. A
// link with an anchor is one of something else.
func nextLink(h http.Header) string {
	rest := strings.Join(h.Values("Link"), ",")
	for {
		_, after, found := strings.Cut(rest, "<")
		if !found {
			return ""
		}
		target, params, found := strings.Cut(after, ">")
		if !found {
			return ""
		}
		var next bool
		if next, rest = isNext(params); next {
			return strings.TrimSpace(target)
		}
	}
}

// isNext reads the parameters of a link up to the comma that ends it.
func isNext(params string) (next bool, rest string) {
	rel, anchored := "", false
	for {
		params = strings.TrimLeft(params, " \t")
		if params == "" || params[0] == ',' {
			next = slices.ContainsFunc(strings.Fields(rel), func(r string) bool { return strings.EqualFold(r, "next") })
			return next && !anchored, params
		}
		params = strings.TrimLeft(params, "; \t")
		end := strings.IndexAny(params, "=;,")
		if end < 0 {
			end = len(params)
		}
		name, value := strings.ToLower(strings.TrimSpace(params[:end])), ""
		params = params[end:]
		if strings.HasPrefix(params, "=") {
			value, params = linkValue(strings.TrimLeft(params[1:], " \t"))
		}
		switch {
		case name == "rel" && rel == "":
			rel = value
		case name == "anchor":
			anchored = true
		}
	}
}

// linkValue takes a token or a quoted text off the front.
func linkValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, ";,")
		if end < 0 {
			end = len(s)
		}
		return strings.TrimSpace(s[:end]), s[end:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}
