package upstream

import (
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/internal/cause"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// An Effect says what one upstream call may do, which decides what happens
// when nobody knows how it went.
type Effect uint8

const (
	// EffectRead changes nothing: it may be repeated.
	EffectRead Effect = iota
	// EffectIdempotent changes something, the same however often it is sent.
	EffectIdempotent
	// EffectUnsafe must not be sent twice. If its outcome is not known the call
	// fails with [tool.KindUnknownOutcome].
	EffectUnsafe
)

// A RetryRule is what an error case says about repeating the call.
type RetryRule uint8

const (
	// RetryDefault follows the status.
	RetryDefault RetryRule = iota
	// RetryNever makes the case final.
	RetryNever
	// RetrySame repeats the same call where that is safe.
	RetrySame
)

// A ListStyle says how a list is in the query (OpenAPI style and explode).
type ListStyle uint8

const (
	// ListExplode repeats the name: a=1&a=2.
	ListExplode ListStyle = iota
	// ListComma separates by commas: a=1,2.
	ListComma
	// ListSpace separates by escaped spaces: a=1%202.
	ListSpace
	// ListPipe separates by escaped bars: a=1%7C2.
	ListPipe
	// ListTab separates by escaped tabs: a=1%092 (Swagger 2.0, tsv).
	ListTab
)

// A Case is an error case of the manifest: what a status means.
type Case struct {
	// Status is exact, or with Class the first digit (4 for 4xx), or 0 for the
	// default case.
	Status int
	Class  bool
	// Problem, unless empty, is the last path segment of the `type` of a
	// problem+json answer.
	Problem string
	Retry   RetryRule
	// Fail makes the error; where it returns nil, [Do] returns the zero value
	// and no error.
	Fail func() error
}

// A Call is one request to an upstream that is being put together. Its methods
// keep the first error, which [Do] returns without sending anything. A Call
// is used once, by one goroutine.
type Call struct {
	u      *Client
	step   string
	method string
	effect Effect
	err    error

	to origin
	// asked are the credentials that go along; secretQuery is what they add to
	// the query.
	asked []*credential
	// granted are the access tokens that it is sent with; renewed says that a
	// second set of them was asked for.
	granted     []grantedToken
	renewed     bool
	secretQuery string

	path, plain, query, cookies []byte
	// begin is where the last segment of plain begins, values counts the values of
	// the path, and ends is the number of the last one in that segment, or 0.
	begin, values, ends int
	// shared are the headers that nobody writes to, header a copy of them where
	// the call has some of its own.
	shared, header              http.Header
	body                        []byte
	parts                       [][]byte
	hasBody, isForm, mayBeEmpty bool
	strict                      bool
	// as is the media type of an answer that is not JSON, "" for one that is.
	as        string
	whenEmpty error
	timeout   time.Duration
	until     time.Time
	attempts  int
	cases     []Case

	status   int
	answer   http.Header
	incoming watchedBody
	kept     *Answer
	target   url.URL
	// fresh is how long an answer may be used again, key what it is kept under.
	fresh time.Duration
	key   cacheKey
	// broke: an attempt lost its connection. anew: this one wants a new one.
	broke, anew bool
	// why is why the last attempt failed, at is where that was if not at the server of
	// the call, tried counts the attempts.
	why   cause.Word
	at    string
	tried int
	// missing: an error case said that there is no answer.
	missing bool
	// doubt is the error of the first attempt whose effect may have happened.
	doubt error
	// jump is the address of a further page, instead of path and query; room is
	// how many bytes all pages together may still have.
	jump *url.URL
	room *int64
	// latest is when the last round of a step ends, zero for one that has no
	// rounds.
	latest time.Time

	space [pathSpace + plainSpace + querySpace]byte
	few   [1]Case
}

// How long parts of most URLs are.
const pathSpace, plainSpace, querySpace = 80, 64, 32

// Call begins a call. step is the id of the step in errors and logs.
func (u *Client) Call(step, method string, effect Effect) *Call {
	c := &Call{u: u, step: step, method: method, effect: effect, to: u.base, timeout: u.timeout, attempts: u.attempts}
	c.shared, c.cases = u.header, c.few[:0]
	c.path = c.space[:0:pathSpace]
	c.plain = c.space[pathSpace : pathSpace : pathSpace+plainSpace]
	c.query = c.space[pathSpace+plainSpace : pathSpace+plainSpace]
	return c
}

func canonical(name string) string { return textproto.CanonicalMIMEHeaderKey(name) }

// refuse keeps the error of a value that cannot be sent. where names the place
// for the vendor, the message says it for the model without the value.
func (c *Call) refuse(place, where, why string) {
	if c.err == nil {
		c.err = &tool.Error{
			Kind: tool.KindRejected, Step: c.step,
			Message:   "A value for " + place + " of the request " + why + ".",
			Developer: fmt.Sprintf("step %s: %s %s", c.step, where, why),
		}
	}
}

// broken keeps the error of a call that was generated wrongly.
func (c *Call) broken(text string) {
	if c.err == nil {
		c.err = &tool.Error{Kind: tool.KindInternal, Step: c.step, Developer: text}
	}
}

// Server sends the call to another server than that of the api; text is one of
// [Spec.Servers]. Where the program was given a base URL of its own
// ([API.BaseURL]), all calls go there.
func (c *Call) Server(text string) {
	if own, ok := c.u.own[text]; ok {
		c.to = own
	} else if c.u.own != nil {
		c.broken("the api has no server " + text)
	}
}

// Credentials says which credentials of the api go along, by the names of their
// security schemes. Without it none does.
func (c *Call) Credentials(schemes ...string) {
	for _, scheme := range schemes {
		for i := range c.u.credentials {
			if c.u.credentials[i].Scheme == scheme {
				c.asked = append(c.asked, &c.u.credentials[i])
			}
		}
	}
}

// forCaller reports whether a credential of the caller goes along.
func (c *Call) forCaller() bool {
	return slices.ContainsFunc(c.asked, func(cred *credential) bool { return cred.Caller })
}

// Path sets the path below the path of the base URL. Even parts are text of
// the path template and trusted; odd parts are values, which are escaped here:
// "/" in a value becomes %2F. A value that makes its segment empty, or that
// holds a dot segment, a control character or bytes that are not UTF-8 is
// refused with a [tool.KindRejected] error, because it would reach another route.
// A second call goes on where the first, or [Call.Structured], has ended.
func (c *Call) Path(parts ...string) {
	if len(parts) == 0 || len(c.plain) == 0 && !strings.HasPrefix(parts[0], "/") {
		c.broken("the path does not begin with a slash")
		return
	}
	for i, part := range parts {
		if i%2 == 1 {
			c.path = appendEscaped(c.path, part)
			c.plain = append(c.plain, part...)
			c.values++
			c.ends = c.values
			continue
		}
		for part != "" {
			slash := strings.IndexByte(part, '/')
			if slash < 0 {
				c.path, c.plain = appendLiteral(c.path, c.plain, part)
				break
			}
			c.path, c.plain = appendLiteral(c.path, c.plain, part[:slash])
			c.segment()
			c.path, c.plain = append(c.path, '/'), append(c.plain, '/')
			c.begin, c.ends = len(c.plain), 0
			part = part[slash+1:]
		}
	}
	c.segment()
}

// segment checks the segment that ends here, if there is a value in it.
func (c *Call) segment() {
	if c.ends == 0 {
		return
	}
	if why := segmentFault(string(c.plain[c.begin:])); why != "" {
		c.refuse("the path", "value "+strconv.Itoa(c.ends)+" of the path", why)
	}
}

func (c *Call) queryText(name, value string) bool {
	if !utf8.ValidString(value) {
		c.refuse("the query", "query parameter "+name, "is not valid UTF-8")
		return false
	}
	return true
}

// Query adds a query parameter.
func (c *Call) Query(name, value string) {
	if c.queryText(name, value) {
		c.query = appendQuery(c.query, name, value)
	}
}

// FixedQuery adds what a path template has after its question mark: part of
// every call of the operation. The text is trusted.
func (c *Call) FixedQuery(text string) {
	if len(c.query) > 0 {
		c.query = append(c.query, '&')
	}
	c.query, _ = appendLiteral(c.query, nil, text)
}

// QueryReserved adds a query parameter whose value keeps the reserved characters
// that cannot be mistaken for the query's own (OpenAPI allowReserved).
func (c *Call) QueryReserved(name, value string) {
	if !c.queryText(name, value) {
		return
	}
	c.Query(name, "")
	c.query = appendKept(c.query, value, &inReserved)
}

var listStyles = [...]style{
	ListExplode: styleOf("form*"), ListComma: styleOf("form"), ListSpace: styleOf("spaceDelimited"), ListPipe: styleOf("pipeDelimited"), ListTab: styleOf("tabDelimited"),
}

// QueryList adds a list; an empty list adds nothing. With [ListComma] a comma in
// an item is escaped and the separators are not; with [ListSpace], [ListPipe] and
// [ListTab] an item that holds the separator is refused, since nobody could tell.
func (c *Call) QueryList(name string, values []string, style ListStyle) {
	if int(style) >= len(listStyles) {
		c.broken("unknown list style")
		return
	}
	c.write("query", name, listStyles[style], textNodes(values))
}

// headers returns the header map of this call, its own from now on.
func (c *Call) headers() http.Header {
	if c.header == nil {
		c.header = maps.Clone(c.shared)
	}
	return c.header
}

// Header sets a header of this request instead of one of the api. A value
// with line breaks, control characters or bytes outside ASCII is refused with
// a [tool.KindRejected] error.
func (c *Call) Header(name, value string) {
	name = canonical(name)
	if !isToken(name) || forbiddenHeaders[name] {
		c.broken("header " + name + " is not for a call to set")
		return
	}
	if !headerSafe(value) {
		c.refuse("a header", "header "+name, "holds characters that a header cannot hold")
		return
	}
	if c.header == nil {
		if same := c.shared[name]; len(same) == 1 && same[0] == value {
			return
		}
	}
	c.headers()[name] = []string{value}
}

// HeaderList sets a header to items separated by commas (OpenAPI style
// simple); an empty list sets nothing. An item with a comma is refused.
func (c *Call) HeaderList(name string, values []string) {
	c.write("header", name, styleOf("simple"), textNodes(values))
}

// Cookie adds a cookie; what a cookie cannot hold is percent-escaped.
func (c *Call) Cookie(name, value string) {
	if !isToken(name) {
		c.broken("cookie " + name + " has no cookie name")
		return
	}
	c.cookies = appendCookie(c.cookies, name, string(appendEscaped(nil, value)))
}

// Accept says which media type is wanted; the default is application/json.
func (c *Call) Accept(media string) { c.Header("Accept", media) }

// Body sets the body and its media type.
func (c *Call) Body(contentType string, body []byte) {
	c.Header("Content-Type", contentType)
	c.body, c.hasBody, c.isForm = body, true, false
}

// Form adds a field to an application/x-www-form-urlencoded body, in the order
// of the calls.
func (c *Call) Form(name, value string) {
	c.beginForm()
	if !utf8.ValidString(value) {
		c.refuse("the form", "form field "+name, "is not valid UTF-8")
		return
	}
	if len(c.body) > 0 {
		c.body = append(c.body, '&')
	}
	c.body = append(c.body, url.QueryEscape(name)...)
	c.body = append(c.body, '=')
	c.body = append(c.body, url.QueryEscape(value)...)
}

func (c *Call) beginForm() {
	if !c.isForm {
		c.Body("application/x-www-form-urlencoded", nil)
		c.isForm = true
	}
}

// Timeout bounds this call with all its attempts instead of the api's value.
func (c *Call) Timeout(d time.Duration) {
	if d > 0 {
		c.timeout = d
	}
}

// Attempts sets how often this call is tried at most, 1 to 3.
func (c *Call) Attempts(n int) { c.attempts = max(1, min(n, MaxAttempts)) }

// Strict makes [Do] read the answer to its end and check all of it. Otherwise it
// stops after the last member that the decoder wants, where the request is a GET
// that changes nothing.
func (c *Call) Strict() { c.strict = true }

// MayBeEmpty says that the operation declares an answer without body (204)
// beside one that has it. [Do] then gives the zero value and err, which is nil,
// or [ErrSkip] in [Each].
func (c *Call) MayBeEmpty(err error) { c.mayBeEmpty, c.whenEmpty = true, err }

// On adds an error case. The most specific one wins: status and problem, status,
// class, default.
func (c *Call) On(k Case) { c.cases = append(c.cases, k) }

// Done reports whether [Do] did what was asked for: it does not fail either where
// an error case says that there is no answer, and then nothing has happened.
func (c *Call) Done() bool { return !c.missing }

// An Answer is what a chain may know of an answer besides its body.
type Answer struct {
	// Status is 0 where there was no answer.
	Status int64
	// Header has the first value of each header, by its name in lower case.
	Header map[string]string
	// Partial says that [Collect] did not get everything.
	Partial bool
}

// Keep makes [Do] fill a in, also where it fails.
func (c *Call) Keep(a *Answer) { c.kept = a }
