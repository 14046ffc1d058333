package upstream

import (
	"bytes"
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

const (
	// cacheEntryBytes is the longest answer that is kept, in bytes as sent.
	cacheEntryBytes = 1 << 20
	cacheBytes      = 16 << 20
	cacheEntries    = 4096
)

// Cache lets equal calls within d share one answer: those that run at the same
// time, and those that come later while the answer is fresh. Equal means the
// same request with everything that is sent, credentials included, and the same
// [tool.Principal] where an own transport or handler of the [API], or "auth: caller",
// may add what is the caller's. Answers that are not 200, 203 or 204, that are longer than 1 MiB, or whose
// Cache-Control forbids it are not kept; its max-age may shorten d. It is for
// calls that change nothing.
func (c *Call) Cache(d time.Duration) { c.fresh = d }

type cacheKey [sha256.Size]byte

// An answerCache keeps the answers of one upstream, the least recently used of
// which goes when it is full.
type answerCache struct {
	mu      sync.Mutex
	entries map[cacheKey]*list.Element
	// recent holds *cachedAnswer, the most recently used first.
	recent  list.List
	bytes   int
	flights map[cacheKey]*flight
}

type cachedAnswer struct {
	key    cacheKey
	answer *rawAnswer
	// at is when it came, most how long its own headers let it live.
	at   time.Time
	most time.Duration
}

// A rawAnswer is an answer as it was sent, or why there is none.
type rawAnswer struct {
	status int
	header http.Header
	body   []byte
	// cut is the error that ended the body too early.
	cut error
	err error
}

// A flight is a request that is under way for everyone who waits for it.
type flight struct {
	done   chan struct{}
	answer *rawAnswer
	// waiting counts those who wait; the last who leaves cancels the request.
	waiting int
	cancel  context.CancelFunc
}

// roundTrip sends a request of the call, or finds its answer.
func (c *Call) roundTrip(ctx attemptContext, target *url.URL, header http.Header) (*http.Response, error) {
	anew := c.anew
	if c.fresh <= 0 {
		return c.send(ctx, target, header, anew)
	}
	c.key = c.requestKey(ctx, target, header)
	answer, err := c.u.cache.get(ctx, c.key, c.fresh, func(ctx context.Context) *rawAnswer {
		return c.fetch(ctx, target, header, anew)
	})
	if err != nil {
		return nil, err
	}
	return answer.response()
}

// requestKey is a digest of all that is sent, and of the caller where more may
// be added on the way.
func (c *Call) requestKey(ctx context.Context, target *url.URL, header http.Header) cacheKey {
	h := sha256.New()
	if c.u.personal || c.forCaller() {
		who := tool.CallerOf(ctx).Digest()
		h.Write(who[:])
	}
	writeText(h, c.method)
	writeText(h, target.String())
	names := make([]string, 0, len(header))
	for name := range header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		writeText(h, name)
		for _, v := range header[name] {
			writeText(h, v)
		}
		writeText(h, "")
	}
	writeText(h, string(c.body))
	return cacheKey(h.Sum(nil))
}

// fetch sends the request and reads its whole answer, within the time that a
// call has, however little of it the caller has left.
func (c *Call) fetch(ctx context.Context, target *url.URL, header http.Header, anew bool) *rawAnswer {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	resp, err := c.send(attemptContext{ctx, cancel}, target, header, anew)
	if err != nil {
		return &rawAnswer{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	a := &rawAnswer{status: resp.StatusCode, header: resp.Header}
	// One byte more than is allowed shows the reader of the answer that it is
	// too long.
	a.body, a.cut = io.ReadAll(io.LimitReader(resp.Body, c.u.maxBody+1))
	return a
}

// response makes an answer for one reader.
func (a *rawAnswer) response() (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	var body io.Reader = bytes.NewReader(a.body)
	length := int64(len(a.body))
	if a.cut != nil {
		body, length = io.MultiReader(body, failingReader{a.cut}), -1
	}
	return &http.Response{
		StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: a.header,
		Body: io.NopCloser(body), ContentLength: length,
	}, nil
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// get returns a fresh answer, joins a request under way, or sends one. Whoever
// waits may leave with its context; the others go on.
func (s *answerCache) get(ctx context.Context, key cacheKey, fresh time.Duration, fetch func(context.Context) *rawAnswer) (*rawAnswer, error) {
	s.mu.Lock()
	if a := s.find(key, fresh); a != nil {
		s.mu.Unlock()
		return a, nil
	}
	f := s.flights[key]
	if f == nil {
		f = s.start(ctx, key, fetch)
	}
	f.waiting++
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.answer, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel()
		if s.flights[key] == f {
			delete(s.flights, key) // nobody should join what is being cancelled
		}
	}
	return nil, ctx.Err()
}

// find returns the answer that is kept for a key, if it is fresh.
func (s *answerCache) find(key cacheKey, fresh time.Duration) *rawAnswer {
	e := s.entries[key]
	if e == nil {
		return nil
	}
	kept := e.Value.(*cachedAnswer)
	if time.Since(kept.at) >= min(fresh, kept.most) {
		s.remove(e)
		return nil
	}
	s.recent.MoveToFront(e)
	return kept.answer
}

// start sends a request whose life does not depend on the caller that began it.
func (s *answerCache) start(ctx context.Context, key cacheKey, fetch func(context.Context) *rawAnswer) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	if s.flights == nil {
		s.flights = map[cacheKey]*flight{}
	}
	s.flights[key] = f
	go func() {
		defer cancel()
		f.answer = &rawAnswer{err: io.ErrUnexpectedEOF}
		defer close(f.done)
		_ = tool.Guard(ctx, func(ctx context.Context) error {
			f.answer = fetch(ctx)
			return nil
		})
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.flights[key] == f {
			delete(s.flights, key)
		}
		if most := f.answer.lifetime(); most > 0 {
			s.keep(&cachedAnswer{key: key, answer: f.answer, at: time.Now(), most: most})
		}
	}()
	return f
}

func (s *answerCache) keep(a *cachedAnswer) {
	if s.entries == nil {
		s.entries = map[cacheKey]*list.Element{}
	}
	if old := s.entries[a.key]; old != nil {
		s.remove(old)
	}
	s.entries[a.key] = s.recent.PushFront(a)
	s.bytes += a.answer.size()
	for s.bytes > cacheBytes || len(s.entries) > cacheEntries {
		s.remove(s.recent.Back())
	}
}

func (s *answerCache) remove(e *list.Element) {
	a := s.recent.Remove(e).(*cachedAnswer)
	s.bytes -= a.answer.size()
	delete(s.entries, a.key)
}

// drop forgets an answer that turned out to be useless.
func (s *answerCache) drop(key cacheKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entries[key]; e != nil {
		s.remove(e)
	}
}

func (a *rawAnswer) size() int {
	n := len(a.body) + 512
	for name, values := range a.header {
		n += len(name)
		for _, v := range values {
			n += len(v)
		}
	}
	return n
}

// lifetime is how long an answer may be used (RFC 9111 5.2.2): 0 for not at
// all. The cache is shared by all callers, so a private answer is not kept.
func (a *rawAnswer) lifetime() time.Duration {
	switch {
	case a.err != nil || a.cut != nil || len(a.body) > cacheEntryBytes || a.header.Get("Vary") == "*":
		return 0
	case a.status != http.StatusOK && a.status != http.StatusNonAuthoritativeInfo && a.status != http.StatusNoContent:
		return 0
	}
	most := maxCacheTime
	shared := false // s-maxage takes precedence over max-age
	for directive := range strings.SplitSeq(strings.Join(a.header.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		switch name = strings.ToLower(name); name {
		case "no-store", "no-cache", "private":
			return 0
		case "max-age", "s-maxage":
			age, err := seconds(value)
			if err != nil {
				return 0
			}
			if name == "s-maxage" || !shared {
				most, shared = min(age, maxCacheTime), name == "s-maxage"
			}
		}
	}
	if age, err := seconds(a.header.Get("Age")); err == nil {
		most -= age
	}
	return max(most, 0)
}

// maxCacheTime is the longest time that a manifest can ask for.
const maxCacheTime = 24 * time.Hour

func seconds(text string) (time.Duration, error) {
	n, err := strconv.ParseUint(strings.Trim(text, `"`), 10, 32)
	if errors.Is(err, strconv.ErrRange) {
		return maxCacheTime, nil
	}
	return time.Duration(n) * time.Second, err
}

// writeText adds a text to a digest in a way that no two lists of texts share.
func writeText(h hash.Hash, text string) { fmt.Fprintf(h, "%d:%s", len(text), text) }
