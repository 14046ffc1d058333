package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// An answer is what a server said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// A request is one exchange. Path follows the address of the server, escaped.
type request struct {
	method, path, query string
	header              http.Header
	body                []byte
	// enough reports whether a part of an answer that is a stream is all that is
	// wanted: the server need not end it. It may be nil.
	enough func(part []byte) bool
	// list is what the answer is a page of, nil for other answers.
	list *listing
}

// kept is an answer with its ETag.
type kept struct {
	tag string
	*answer
}

// mostKeptBytes bounds the bodies that are kept for their ETags.
const mostKeptBytes = 16 << 20

// send sends a request and reads its answer whole.
func (s *Server) send(ctx context.Context, q request) (*answer, *Error) {
	u := *s.address
	address := u.String()
	if q.path != "" {
		u.RawQuery = ""
		address = u.String() + q.path
	}
	if q.query != "" {
		address += "?" + q.query
	}
	r, err := http.NewRequestWithContext(ctx, q.method, address, bytes.NewReader(q.body))
	if err != nil {
		return nil, local(tool.KindBadRequest, "The address of the request is not valid.", err)
	}
	if s.header != nil {
		if err := s.header(ctx, r.Header); err != nil {
			return nil, local(tool.KindUnauthorized, "The credentials cannot be had.", err)
		}
	}
	maps.Copy(r.Header, q.header)
	if q.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if r.Header.Get("Accept") == "" {
		r.Header.Set("Accept", "application/json")
	}
	resp, err := s.http.Do(r)
	if err != nil {
		return nil, unanswered(ctx, err)
	}
	defer resp.Body.Close()
	a := &answer{status: resp.StatusCode, header: resp.Header}
	limit := s.limit
	if q.list != nil {
		limit = q.list.left
	}
	a.body, err = read(io.LimitReader(resp.Body, limit+1), a.enough(q.enough))
	switch {
	case err != nil:
		return nil, unanswered(ctx, err)
	case int64(len(a.body)) <= limit:
		return a, nil
	case q.list != nil:
		return nil, q.list.tooLong()
	}
	return nil, garbage(a.status, fmt.Sprintf("The answer has more than %d bytes.", s.limit), nil)
}

// enough is the question of a request where the answer is a stream, else nil.
func (a *answer) enough(ask func([]byte) bool) func([]byte) bool {
	if media, _, _ := mime.ParseMediaType(a.header.Get("Content-Type")); media == eventStream {
		return ask
	}
	return nil
}

// read reads to the end, or until there is enough.
func read(r io.Reader, enough func([]byte) bool) ([]byte, error) {
	if enough == nil {
		return io.ReadAll(r)
	}
	var body []byte
	buffer := make([]byte, 16<<10)
	for {
		n, err := r.Read(buffer)
		body = append(body, buffer[:n]...)
		switch {
		case errors.Is(err, io.EOF), n > 0 && enough(body):
			return body, nil
		case err != nil:
			return nil, err
		}
	}
}

// unanswered is the error of a request without an answer.
func unanswered(ctx context.Context, err error) *Error {
	e := &Error{Fault: &tool.Error{Kind: tool.KindUnavailable, Message: "The server cannot be reached.", Err: err}}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		e.said = unsent
	}
	if ctx.Err() != nil {
		e.Fault.Kind, e.Fault.Message = tool.KindTimeout, "The server did not answer in time."
	}
	return e
}

// get reads a document, or a page of a list, with its ETag if it was read before.
func (s *Server) get(ctx context.Context, path, query string, list *listing) (*answer, *Error) {
	at := path + "?" + query
	s.mu.Lock()
	before, known := s.fresh[at]
	s.mu.Unlock()
	q := request{method: http.MethodGet, path: path, query: query, header: http.Header{}, list: list}
	if known {
		q.header.Set("If-None-Match", before.tag)
	}
	a, fault := s.send(ctx, q)
	switch {
	case fault != nil:
		return nil, fault
	case a.status == http.StatusNotModified && known:
		return before.renewed(a.header), nil
	case a.status != http.StatusOK:
		return nil, problemOf(a)
	}
	if fault := a.jsonBody(); fault != nil {
		return nil, fault
	}
	if tag := a.header.Get("ETag"); tag != "" {
		s.mu.Lock()
		s.keep(at, kept{tag, a})
		s.mu.Unlock()
	}
	return a, nil
}

// size is what an answer takes up: a server can put as much into its header.
func (a *answer) size() int {
	n := len(a.body)
	for name, values := range a.header {
		n += len(name)
		for _, v := range values {
			n += len(v)
		}
	}
	return n
}

// keep keeps an answer, and forgets others where that is too much.
func (s *Server) keep(at string, k kept) {
	if len(at)+k.size() > mostKeptBytes/2 {
		return
	}
	if old, known := s.fresh[at]; known {
		s.freshSize -= len(at) + old.size()
	}
	s.fresh[at] = k
	s.freshSize += len(at) + k.size()
	for other, old := range s.fresh {
		if s.freshSize <= mostKeptBytes {
			return
		}
		if other != at {
			s.freshSize -= len(other) + old.size()
			delete(s.fresh, other)
		}
	}
}

// renewed is a kept answer with what the header of a 304 says anew (RFC 9111 3.2).
func (k kept) renewed(h http.Header) *answer {
	header := k.header.Clone()
	maps.Copy(header, h)
	return &answer{status: k.status, header: header, body: k.body}
}

// jsonBody reports an answer that is something else, such as the page of a proxy.
func (a *answer) jsonBody() *Error {
	media, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	if err == nil && media != "application/json" && media != "application/problem+json" {
		return garbage(a.status, "The answer is "+tool.Clip(media)+" and not JSON.", nil)
	}
	if !json.Valid(a.body) {
		return garbage(a.status, "The answer is not JSON.", nil)
	}
	return nil
}

// garbage is the error of a server that breaks its protocol.
func garbage(status int, message string, err error) *Error {
	return &Error{Status: status, said: pointless, Fault: &tool.Error{Kind: tool.KindBadBackend, Message: message, Err: err}}
}
