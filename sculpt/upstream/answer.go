package upstream

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
)

const (
	maxProblem  = 64 << 10
	maxJSONDeep = 32
)

var (
	errContentType = errors.New("the answer is not JSON")
	errEncoding    = errors.New("the answer has an unknown content encoding")
	errTooLarge    = errors.New("the answer is too large")
	errEmpty       = errors.New("the answer is empty")
	errRedirect    = errors.New("the answer is a redirect that is not followed")
	errStatus      = errors.New("the answer has an unknown status")
)

// take turns an answer into the ending of its attempt.
func (c *Call) take(outer context.Context, resp *http.Response, decode func(*scan.Scanner)) attemptEnd {
	status := resp.StatusCode
	if status < 200 || status > 299 || c.caseOf(status, "", true) != nil {
		o := c.refused(outer, resp)
		finish(resp.Body)
		return o
	}
	if decode == nil {
		finish(resp.Body)
		return attemptEnd{ok: true}
	}
	if status == http.StatusNoContent || status == http.StatusResetContent || resp.ContentLength == 0 && c.as == "" {
		finish(resp.Body)
		if c.mayBeEmpty {
			return attemptEnd{err: c.whenEmpty}
		}
		return c.unusable(errEmpty)
	}
	return c.decode(outer, resp, decode)
}

func (c *Call) decode(outer context.Context, resp *http.Response, decode func(*scan.Scanner)) attemptEnd {
	if !c.readable(resp.Header.Get("Content-Type")) {
		finish(resp.Body)
		return c.unusable(c.wrongMedia())
	}
	if resp.ContentLength > c.u.maxBody {
		_ = resp.Body.Close()
		return c.unusable(errTooLarge)
	}
	c.incoming = watchedBody{ReadCloser: resp.Body, left: resp.ContentLength}
	resp.Body = &c.incoming
	body, release, err := c.plainBody(outer, resp)
	if err != nil {
		finish(resp.Body)
		if errors.Is(err, errEncoding) {
			return c.unusable(err)
		}
		return c.transportFault(outer, err)
	}
	defer release()
	most := c.u.maxBody
	if c.room != nil {
		most = min(most, max(*c.room, 1))
		body = &counted{body, c.room}
	}
	if c.as != "" {
		if body, err = c.asJSON(body, resp.Header); err != nil {
			return c.formFault(outer, resp, err)
		}
		most = -1 // the limit was on what it is made of
	}
	s := scan.NewReader(body, scan.Limits{Bytes: most, Depth: maxJSONDeep})
	defer s.Release()
	if c.effect == EffectRead && !c.strict && (c.method == http.MethodGet || c.method == http.MethodHead) {
		s.StopEarly()
	}
	if c.mayBeEmpty && !s.More() {
		if s.Err() == nil {
			_ = resp.Body.Close()
			return attemptEnd{err: c.whenEmpty}
		}
	}
	decode(s)
	stopped := s.Depth() > 0
	if !stopped {
		s.End()
	}
	if fault, failed := errors.AsType[*scan.Error](s.Err()); failed {
		_ = resp.Body.Close()
		return c.scanFault(outer, fault)
	}
	if stopped && c.incoming.left != 0 {
		finish(resp.Body)
	} else {
		_ = resp.Body.Close()
	}
	return attemptEnd{ok: true}
}

// A watchedBody knows whether anything is left to read; less than nothing is for
// a length that the answer does not tell.
type watchedBody struct {
	io.ReadCloser
	left int64
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left > 0 {
		b.left -= int64(n)
	}
	if err == io.EOF {
		b.left = 0
	}
	return n, err
}

// A counted body takes what is read off the room that several answers share.
type counted struct {
	io.Reader
	room *int64
}

func (b *counted) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	*b.room -= int64(n)
	return n, err
}

// isJSON accepts application/json, text/json and every type with the suffix
// +json.
func isJSON(contentType string) bool {
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.TrimSpace(media)
	n := len(media) - len("+json")
	return strings.EqualFold(media, "application/json") || strings.EqualFold(media, "text/json") || n > 0 && strings.EqualFold(media[n:], "+json")
}

var gunzips sync.Pool

// plainBody undoes the content encoding. Limits count what comes out of it:
// a megabyte on the wire can be a gigabyte of text, or of nothing.
func (c *Call) plainBody(outer context.Context, resp *http.Response) (body io.Reader, release func(), err error) {
	switch strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))) {
	case "", "identity":
		return resp.Body, func() {}, nil
	case "gzip", "x-gzip":
	default:
		return nil, nil, errEncoding
	}
	z, _ := gunzips.Get().(*gunzip)
	if z == nil {
		z = newGunzip()
	}
	if err := z.reset(packed{resp.Body, c, outer}); err != nil {
		return nil, nil, err
	}
	return z, func() {
		z.from = packed{}
		gunzips.Put(z)
	}, nil
}

var problemKeys = scan.NewKeys("type")

// problemOf returns the last path segment of the type of a problem document,
// "" if there is none. Other errors bodies are not looked into.
func (c *Call) problemOf(outer context.Context, resp *http.Response) string {
	wanted := false
	for i := range c.cases {
		wanted = wanted || c.cases[i].Problem != ""
	}
	if !wanted || !isJSON(resp.Header.Get("Content-Type")) {
		return ""
	}
	body, release, err := c.plainBody(outer, resp)
	if err != nil {
		return ""
	}
	defer release()
	s := scan.NewReader(body, scan.Limits{Bytes: maxProblem, Depth: maxJSONDeep})
	defer s.Release()
	kind := ""
	for s.Open(); s.Next(problemKeys); {
		kind = s.Text()
	}
	if s.Err() != nil {
		return ""
	}
	kind, _, _ = strings.Cut(kind, "#")
	kind, _, _ = strings.Cut(kind, "?")
	kind = strings.TrimRight(kind, "/")
	return kind[strings.LastIndexAny(kind, "/:")+1:]
}
