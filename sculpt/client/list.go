package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// Bounds of a list, all pages together: a hostile server would never end it. They
// keep it below 64 MiB of memory, where a byte of JSON may take twenty.
const (
	// mostListBytes bounds the answers. Half of what [WithLimit]
	// allows one answer is the bound where that is more.
	mostListBytes = 8 << 20
	mostPages     = 1_000
	// mostEmpty bounds pages in a row without a tool, which a filter may leave.
	mostEmpty = 10
	mostTools = 10_000
	// mostParts bounds the inputs, outputs, values of enums and tags of all tools,
	// mostParameters the inputs or outputs of one.
	mostParts      = 50_000
	mostParameters = 1_000
	// largestTool bounds the description of one tool in bytes.
	largestTool = 512 << 10
	// listTime is how long a list may take: a server may send it byte by byte.
	listTime = time.Minute
)

// A listing is a list that is being read.
type listing struct {
	read     func([]byte) (*Tool, error)
	identify func(t *Tool)

	tools []*Tool
	// seen are the cursors that were followed: one that comes again would read
	// forever.
	seen map[string]bool
	// left is how many bytes may still come, and total how many there were at first.
	left, total         int64
	pages, empty, parts int
}

// newListing returns an empty list. identify makes the id of a tool that cannot be
// read of what is written as one.
func (s *Server) newListing(read func([]byte) (*Tool, error), identify func(t *Tool)) *listing {
	total := max(min(s.limit, mostListBytes), s.limit/2)
	return &listing{read: read, identify: identify, seen: map[string]bool{}, left: total, total: total}
}

// add adds a page, of an answer of size bytes, and reports whether there is
// another one.
func (l *listing) add(size int, page items, next string) (more bool, fault *Error) {
	if l.left -= int64(size); l.left < 0 {
		return false, l.tooLong()
	}
	l.pages++
	if l.empty++; len(page) > 0 {
		l.empty = 0
	}
	for _, raw := range page {
		if len(l.tools) == mostTools {
			return false, endless("The list has more than %d tools.", mostTools)
		}
		t := l.one(raw)
		if l.parts += t.parts(); l.parts > mostParts {
			return false, endless("The tools of the list have more than %d inputs, outputs, values and tags.", mostParts)
		}
		l.tools = append(l.tools, t)
	}
	switch {
	case next == "":
		return false, nil
	case l.seen[next]:
		return false, garbage(http.StatusOK, "The list goes in a circle: a page names a cursor that was read before.", nil)
	case l.pages == mostPages:
		return false, endless("The list has more than %d pages.", mostPages)
	case l.empty == mostEmpty:
		return false, endless("The list does not end: %d pages in a row have no tool.", mostEmpty)
	}
	l.seen[next] = true
	return true, nil
}

func (l *listing) tooLong() *Error { return endless("The list has more than %d bytes.", int(l.total)) }

// endless is the error of a list that goes beyond a bound.
func endless(format string, bound int) *Error {
	return garbage(http.StatusOK, fmt.Sprintf(format, bound), nil)
}

// one reads a tool of the list. One that cannot be read is known by what can be told
// of it.
func (l *listing) one(raw json.RawMessage) *Tool {
	err := fmt.Errorf("its description has more than %d bytes", largestTool)
	if len(raw) <= largestTool {
		var t *Tool
		if t, err = l.read(raw); err == nil {
			return t
		}
	}
	t := &Tool{Document: raw, Broken: err}
	var face struct{ Name, ID, ToolID json.RawMessage }
	_ = json.Unmarshal(raw, &face)
	_ = json.Unmarshal(face.Name, &t.Name)
	if json.Unmarshal(face.ToolID, &t.ID) != nil {
		_ = json.Unmarshal(face.ID, &t.ID)
	}
	l.identify(t)
	return t
}

// parts counts what takes more memory than its text.
func (t *Tool) parts() int {
	n := len(t.Inputs) + len(t.Outputs) + len(t.Tags) + len(t.Needs.Secrets) + len(t.Needs.Tokens)
	for i := range t.Inputs {
		n += len(t.Inputs[i].Values)
	}
	for i := range t.Outputs {
		n += len(t.Outputs[i].Values)
	}
	return n
}

// items are the tools of a page, as they came.
type items []json.RawMessage

// A tooManyError is the bound that a JSON array is beyond.
type tooManyError struct {
	most int
	what string
}

// Error implements error.
func (e *tooManyError) Error() string {
	return fmt.Sprintf("there are more than %d %s", e.most, e.what)
}

// UnmarshalJSON implements json.Unmarshaler. It stops at the bound, where decoding
// all of them would take far more memory than their text.
func (i *items) UnmarshalJSON(b []byte) error {
	*i = nil
	return elements(b, mostTools, "tools", func(raw []byte) error {
		*i = append(*i, raw)
		return nil
	})
}

// elements calls add with the elements of a JSON array, at most so many. The texts
// are of b. null has none.
func elements(b []byte, most int, what string, add func(raw []byte) error) error {
	if string(b) == "null" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		return errors.New("it is not a list")
	}
	for n := 0; d.More(); n++ {
		if n == most {
			return &tooManyError{most, what}
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if err := add(raw); err != nil {
			return err
		}
	}
	return nil
}

// unreadable is the error of an answer that cannot be decoded; a bound says more
// than that.
func unreadable(message string, err error) *Error {
	if many, ok := errors.AsType[*tooManyError](err); ok {
		message = "The list has more than " + fmt.Sprint(many.most) + " " + many.what + "."
	}
	return garbage(http.StatusOK, message, err)
}

// inTime bounds the time of a list.
func inTime[T any](ctx context.Context, list func(context.Context) (T, error)) (T, error) {
	within, stop := context.WithTimeout(ctx, listTime)
	defer stop()
	v, err := list(within)
	if err != nil && within.Err() != nil && ctx.Err() == nil {
		err = &Error{Fault: &tool.Error{Kind: tool.KindTimeout, Message: fmt.Sprintf("The server has not sent all of the list after %s.", listTime), Err: err}}
	}
	return v, err
}
