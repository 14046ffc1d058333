package upstream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const maxRedirects = 3

// A stepContext tells transports of this package which call they carry.
type stepContext struct {
	context.Context
	call *Call
}

type callKey struct{}

func (c *stepContext) Value(key any) any {
	if key == (callKey{}) {
		return c.call
	}
	return c.Context.Value(key)
}

// callOf returns the call that a request belongs to, or nil.
func callOf(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Do sends the call and decodes its answer. decode runs inside the attempt,
// once per attempt that gets an answer; it may stop before the end of the
// answer where nothing after it matters. A nil decode takes any answer.
//
// The error is an [*tool.Error] except where an error case of [Call.On] made
// another one. All attempts together keep the deadline of the call and of ctx;
// where ctx was cancelled, errors.Is(err, context.Canceled) holds.
func Do[T any](ctx context.Context, c *Call, decode func(*scan.Scanner) T) (T, error) {
	var out T
	var take func(*scan.Scanner)
	if decode != nil {
		take = func(s *scan.Scanner) { out = decode(s) }
	}
	ok, err := c.run(ctx, take)
	err = c.explained(err)
	c.keep()
	if !ok || err != nil {
		var zero T
		return zero, err
	}
	return out, nil
}

// An attemptEnd is how one attempt ended.
type attemptEnd struct {
	err error
	// ok: there is an answer; without it and without err a case said that
	// there is none.
	ok bool
	// again: repeating is safe and may help. after is the wait that the
	// upstream asked for, or noRetryAfter.
	again bool
	after time.Duration
	// stale: the request met a connection that had ended before it came.
	stale bool
}

func (c *Call) run(ctx context.Context, take func(*scan.Scanner)) (ok bool, err error) {
	if c.err != nil {
		return false, c.err
	}
	caller, err := c.enter(ctx)
	if err != nil {
		return false, err
	}
	defer c.u.gate.leave(caller)
	header, err := c.prepare(ctx) // an access token comes from the api, too
	if err != nil {
		return false, err
	}
	outer := ctx
	base, until := boundOf(ctx, c.timeout)
	if !c.latest.IsZero() && c.latest.Before(until) {
		until = c.latest
	}
	base, c.until = &stepContext{base, c}, until
	c.u.budget.request()
	for n := 0; ; n++ {
		if c.over(outer) {
			return false, c.interrupted(outer, c.doubt != nil)
		}
		c.anew = c.broke && n+1 == c.attempts // the pool has had its chances
		o := c.timed(base, outer, n, header, take)
		other, err := c.renew(base, header)
		if err != nil {
			return false, err
		}
		if other != nil {
			header = other
			o = c.timed(base, outer, n, header, take)
		}
		o = c.remember(o)
		if !o.again || n+1 >= c.attempts || c.over(outer) {
			return o.ok, o.err
		}
		wait, fits := retryWait(c.until, n, o.after)
		if !fits || !c.u.budget.take(time.Now()) || !pause(base, wait) {
			return o.ok, o.err
		}
	}
}

// over reports whether the time of the call is up, or nobody waits for it.
func (c *Call) over(outer context.Context) bool {
	return outer.Err() != nil || !time.Now().Before(c.until)
}

// timed makes attempt n. A read that met a connection which the backend had closed
// before is sent on a fresh one: that says nothing about the backend, which many do
// without a word, and so is no attempt and takes nothing of the budget.
func (c *Call) timed(base, outer context.Context, n int, header http.Header, take func(*scan.Scanner)) attemptEnd {
	c.tried = n + 1
	o := c.try(base, outer, n, header, take)
	if o.stale && c.effect == EffectRead && !c.over(outer) {
		c.anew = true
		o = c.try(base, outer, n, header, take)
	}
	return o
}

// try sends the request under a context that ends with it: what is left of it
// then, such as a connection that is still being made, is told so.
func (c *Call) try(base, outer context.Context, n int, header http.Header, take func(*scan.Scanner)) attemptEnd {
	begin := time.Now()
	ctx, stop := context.WithDeadline(base, c.until)
	defer stop()
	o := c.attempt(outer, attemptContext{ctx, stop}, header, take)
	c.log(ctx, n+1, time.Since(begin), o.err)
	return o
}

// keep fills in what the chain wants to know of the answer.
func (c *Call) keep() {
	if c.kept == nil {
		return
	}
	c.kept.Status, c.kept.Header = int64(c.status), make(map[string]string, len(c.answer))
	for name, values := range c.answer {
		if len(values) > 0 {
			c.kept.Header[strings.ToLower(name)] = values[0]
		}
	}
}

func (c *Call) log(ctx context.Context, n int, took time.Duration, err error) {
	log := tool.LoggerOf(ctx)
	if !log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	attrs := []slog.Attr{
		slog.String("api", c.u.name), slog.String("step", c.step), slog.String("method", c.method),
		slog.Int("attempt", n), slog.Int("status", c.status), slog.Duration("took", took),
	}
	if err != nil {
		attrs = append(attrs, slog.Any("kind", tool.KindOf(err)))
		if c.why != "" {
			attrs = append(attrs, slog.String("cause", string(c.why)))
		}
	}
	log.LogAttrs(ctx, slog.LevelDebug, "upstream", attrs...)
}

// prepare composes the URL and the header of all attempts.
func (c *Call) prepare(ctx context.Context) (http.Header, error) {
	if len(c.plain) == 0 {
		c.Path("/")
	}
	if c.to.host == "" {
		c.broken("the call has no server")
		return nil, c.err
	}
	if err := c.authorize(ctx); err != nil {
		return nil, err
	}
	c.joinParts()
	text := c.to.prefix + string(append(c.path, c.query...))
	path := len(c.to.prefix) + len(c.path)
	c.target = url.URL{Scheme: c.to.scheme, Host: c.to.host, RawPath: text[:path], RawQuery: text[path:]}
	if c.target.Path = c.target.RawPath; c.to.prefix != c.to.plain || !bytes.Equal(c.path, c.plain) {
		c.target.Path = c.to.plain + string(c.plain)
	}
	if c.jump != nil {
		c.target = c.jumped()
	}
	if len(c.cookies) > 0 {
		c.headers()["Cookie"] = []string{string(c.cookies)}
	}
	if c.header != nil {
		return c.header, nil
	}
	return c.shared, nil
}

// authorize adds the credentials that the call asked for.
func (c *Call) authorize(ctx context.Context) error {
	if len(c.asked) == 1 && c.header == nil && c.asked[0].header != nil {
		c.shared = c.asked[0].header
		if c.asked[0].file != nil {
			c.shared = c.fromFile(c.asked[0]).header
		}
		return nil
	}
	begin := len(c.query)
	for _, cred := range c.asked {
		value := cred.text
		var err error
		switch {
		case cred.tokens != nil:
			value, err = c.token(ctx, cred)
		case cred.Caller:
			value, err = c.presented(ctx, cred)
		case cred.file != nil:
			value = c.fromFile(cred).text
		}
		if err != nil {
			return err
		}
		if value == "" {
			continue
		}
		switch cred.In {
		case "query":
			c.query = appendQuery(c.query, cred.Name, value)
		case "cookie":
			c.cookies = appendCookie(c.cookies, cred.Name, value)
		default:
			if c.header[cred.Name] != nil && c.u.header[cred.Name] == nil {
				c.broken("header " + cred.Name + " is both a value and a credential of the call")
				return c.err
			}
			c.headers()[cred.Name] = []string{value}
		}
	}
	c.secretQuery = strings.TrimPrefix(string(c.query[begin:]), "&")
	return nil
}

// presented is what the caller of the tool presented, as a credential of the
// api.
func (c *Call) presented(ctx context.Context, cred *credential) (string, error) {
	value := tool.CallerOf(ctx).Authorization
	if value != "" && cred.Name != "Authorization" {
		value = cred.Prefix + value
	}
	if value == "" || !headerSafe(value) {
		return "", &tool.Error{Kind: tool.KindUnauthorized, Step: c.step, Message: "The service behind this tool needs the caller's credentials."}
	}
	return value, nil
}

// An attemptContext is the context of one attempt, which stop ends before its
// time.
type attemptContext struct {
	context.Context
	stop context.CancelFunc
}

// attempt sends the request once, follows redirects and reads the answer.
func (c *Call) attempt(outer context.Context, ctx attemptContext, header http.Header, take func(*scan.Scanner)) attemptEnd {
	c.status, c.answer, c.why = 0, nil, ""
	target := &c.target
	for hops := 0; ; hops++ {
		resp, err := c.roundTrip(ctx, target, header) //nolint:bodyclose // what reads the answer closes it
		if err != nil {
			c.broke = true
			o := c.transportFault(outer, err)
			traced, ok := errors.AsType[*tracedError](err)
			o.stale = ok && traced.stale
			return o
		}
		c.status, c.answer = resp.StatusCode, resp.Header
		next, follow := c.redirect(resp, target)
		if !follow || hops >= maxRedirects || c.caseOf(resp.StatusCode, "", true) != nil {
			o := c.take(outer, resp, take)
			if c.fresh > 0 && !o.ok {
				c.u.cache.drop(c.key)
			}
			return o
		}
		finish(resp.Body)
		target = next
	}
}

func (c *Call) request(ctx context.Context, target *url.URL, header http.Header) *http.Request {
	r := http.Request{
		Method: c.method, URL: target, Host: c.to.host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
	if c.hasBody {
		// GetBody lets the transport send a request that met a closed
		// connection on another one; send sees to the rest.
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.body)), nil }
		r.Body, _ = r.GetBody()
		r.ContentLength = int64(len(c.body))
		if len(c.body) == 0 {
			r.Body = http.NoBody
		}
	}
	return r.WithContext(ctx)
}

// redirect returns where an answer points to, if that may be followed: a GET
// or HEAD to the same origin that changes nothing, since it would be a second
// request. Headers go along, since it is the same server.
func (c *Call) redirect(resp *http.Response, from *url.URL) (*url.URL, bool) {
	switch resp.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, false
	}
	location := resp.Header.Get("Location")
	if location == "" || c.effect != EffectRead || c.method != http.MethodGet && c.method != http.MethodHead {
		return nil, false
	}
	next, err := from.Parse(location)
	if err != nil || !sameOrigin(next, from) {
		return nil, false
	}
	next.Fragment, next.RawFragment = "", ""
	// A server that answers with a bare path means the request it got.
	for pair := range strings.SplitSeq(c.secretQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err == nil && pair != "" && !next.Query().Has(plain) {
			next.RawQuery = strings.TrimPrefix(next.RawQuery+"&"+pair, "&")
		}
	}
	return next, true
}

// caseOf returns the error case for a status. exact asks for a case of this
// very status without a problem: only such a case turns a success around.
func (c *Call) caseOf(status int, problem string, exact bool) *Case {
	var best *Case
	rank := 0
	for i := range c.cases {
		e := &c.cases[i]
		r := 0
		switch {
		case !e.Class && e.Status == status:
			r = 5
		case exact:
		case e.Class && e.Status == status/100 && status >= 400:
			r = 3
		case !e.Class && e.Status == 0 && status >= 400:
			r = 1
		}
		if r == 0 || e.Problem != "" && (exact || e.Problem != problem) {
			continue
		}
		if e.Problem != "" {
			r++
		}
		if r > rank {
			best, rank = e, r
		}
	}
	return best
}
