package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
)

// largestAnswer bounds what is read of one answer, and of all answers of a
// conversation together, since they are kept until the end. mostParts bounds the
// marks in them that begin a value, which takes more memory than its text.
const (
	largestAnswer = 16 << 20
	mostParts     = 300_000
)

// An exchange is one request to a server, or one run of a program, and what
// came back.
type exchange struct {
	// key is the request in short: GET /tools, or the arguments of a program.
	key string
	// status is that of HTTP, or the exit code; 0 with an err.
	status int
	header http.Header
	body   []byte
	// doc is the body as JSON, nil where it is not.
	doc any
	// callID is that of a call over OTC.
	callID string
	// talk is what a program said on stderr, left the files that it made.
	talk string
	left []string
	err  error
}

// object is the body as a JSON object, nil where it is not one.
func (x *exchange) object() map[string]any {
	if x == nil {
		return nil
	}
	return object(x.doc)
}

// ok reports whether the request was answered with 200 and JSON.
func (x *exchange) ok() bool { return x != nil && x.status == http.StatusOK && x.doc != nil }

// told says in short what came back.
func (x *exchange) told() string {
	switch {
	case x == nil:
		return "nothing was asked"
	case x.err != nil:
		return x.key + " is not answered: " + x.err.Error()
	case x.status == http.StatusOK && x.doc == nil:
		return x.key + " is answered with 200 and no JSON"
	}
	return fmt.Sprintf("%s is answered with %d", x.key, x.status)
}

// An asker sends requests.
type asker struct {
	ctx     context.Context
	base    string
	options *Options
	// answered counts answers, first is the first fault of a connection.
	answered int
	first    error
	// bytes and parts are those of all answers; full says that they are too many.
	bytes, parts int
	full         error
}

// named reports whether a tool may be called.
func (a *asker) named(tool string) bool {
	return slices.ContainsFunc(a.options.Invoke, func(want Invocation) bool { return want.Tool == tool })
}

// get asks for a path below the base.
func (a *asker) get(path string, query url.Values) *exchange {
	return a.send(http.MethodGet, path, query, nil)
}

// post sends a JSON body.
func (a *asker) post(path string, body any) *exchange {
	return a.send(http.MethodPost, path, nil, body)
}

// send sends one request; body is JSON, nil for none, or bytes that are sent
// as they are.
func (a *asker) send(method, path string, query url.Values, body any) *exchange {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	x := &exchange{key: method + " " + path}
	raw, isRaw := body.([]byte)
	if !isRaw && body != nil {
		raw, x.err = json.Marshal(body)
	}
	if x.err == nil {
		x.err = a.exchange(x, method, path, raw)
	}
	if x.err == nil {
		a.answered++
	} else if a.first == nil {
		a.first = x.err
	}
	return x
}

func (a *asker) exchange(x *exchange, method, path string, body []byte) error {
	if a.full != nil {
		return a.full
	}
	r, err := http.NewRequestWithContext(a.ctx, method, a.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json, application/problem+json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range a.options.Header {
		r.Header.Set(name, value)
	}
	client := a.options.Client
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(r)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err // the address is in the report, and may be long
		}
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	x.status, x.header = answer.StatusCode, answer.Header
	text, err := io.ReadAll(io.LimitReader(answer.Body, int64(largestAnswer-a.bytes)+1))
	a.bytes += len(text)
	for _, mark := range []byte(",[{") {
		a.parts += bytes.Count(text, []byte{mark})
	}
	switch {
	case a.bytes > largestAnswer:
		a.full = fmt.Errorf("all answers together have more than %d MB", largestAnswer>>20)
		return a.full
	case a.parts > mostParts:
		a.full = fmt.Errorf("all answers together have more than %d values", mostParts)
		return a.full
	}
	x.body, x.doc = text, parse(text)
	return err
}

// parse reads JSON with exact numbers, nil where the text is not one value.
func parse(body []byte) any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc any
	if d.Decode(&doc) != nil {
		return nil
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil
	}
	return doc
}
