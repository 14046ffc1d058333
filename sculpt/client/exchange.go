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
}

// kept is an answer with its ETag.
type kept struct {
	tag string
	*answer
}

// mostKept bounds how many bodies are kept for their ETags.
const mostKept = 1000

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
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, s.limit+1))
	switch {
	case err != nil:
		return nil, unanswered(ctx, err)
	case int64(len(a.body)) > s.limit:
		return nil, &Error{Status: a.status, said: pointless, Fault: &tool.Error{Kind: tool.KindBadBackend, Message: fmt.Sprintf("The answer has more than %d bytes.", s.limit)}}
	}
	return a, nil
}

// unanswered is the error of a request without an answer.
func unanswered(ctx context.Context, err error) *Error {
	e := &Error{Fault: &tool.Error{Kind: tool.KindUnavailable, Message: "The server cannot be reached.", Err: err}}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		e.said = unsent
	}
	if ctx.Err() != nil {
		e.said = pointless
		e.Fault.Kind, e.Fault.Message = tool.KindTimeout, "The server did not answer in time."
	}
	return e
}

// get reads a document, with its ETag if it was read before.
func (s *Server) get(ctx context.Context, path, query string) (*answer, *Error) {
	at := path + "?" + query
	s.mu.Lock()
	before, known := s.fresh[at]
	s.mu.Unlock()
	q := request{method: http.MethodGet, path: path, query: query, header: http.Header{}}
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
		if _, known := s.fresh[at]; known || len(s.fresh) < mostKept {
			s.fresh[at] = kept{tag, a}
		}
		s.mu.Unlock()
	}
	return a, nil
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
