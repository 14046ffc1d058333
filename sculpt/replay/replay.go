package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

// An Exchange is one request to an upstream and its answer, without
// credentials. Its JSON form is a file of a replay folder.
type Exchange struct {
	Request Request `json:"request"`
	// Response is nil where nothing was sent (dry run).
	Response *Response `json:"response,omitempty"`
}

// A Request is the request of an [Exchange].
type Request struct {
	// API is the name of the api in the manifest.
	API    string `json:"api,omitempty"`
	Method string `json:"method"`
	// URL is absolute; credential parameters are left out.
	URL string `json:"url"`
	// Body is the JSON body as it is, any other body as a JSON string.
	Body json.RawMessage `json:"body,omitempty"`
}

// A Response is the answer of an [Exchange].
type Response struct {
	// Status is the HTTP status code; 0 stands for 200.
	Status int `json:"status"`
	// Headers have one value each; several are joined by ", ".
	Headers map[string]string `json:"headers,omitempty"`
	// Body is a JSON body as it is. Any other body is a JSON string; that it
	// is one follows from the Content-Type, which is then not JSON, or from
	// Text.
	Body json.RawMessage `json:"body,omitempty"`
	// Text marks a Body string that is to be sent unquoted although the
	// Content-Type is JSON: a broken answer.
	Text bool `json:"text,omitempty"`
}

// A NotRecordedError says that a replay holds no answer for a request.
type NotRecordedError struct {
	// Method and URL are those of the request, without credentials.
	Method, URL string
	// Near is the URL of a recorded exchange that differs in the query or in
	// the body only, or "".
	Near string
}

func (e *NotRecordedError) Error() string {
	text := "no exchange is recorded for " + e.Method + " " + e.URL
	if e.Near != "" {
		text += "; there is one for " + e.Near
	}
	return text
}

// Is says that the error is an [ErrNotRecorded].
func (e *NotRecordedError) Is(target error) bool { return target == upstream.ErrNotRecorded }

// replayer answers from recorded exchanges.
type replayer struct {
	mu sync.Mutex
	// answers are in file order; the last one of a request repeats.
	answers map[string][]*Response
	// near leads from method and URL without query to one recorded URL.
	near map[string]string
}

// Open returns a transport that answers from the *.json files of fsys, each
// one [Exchange]. Requests match by method, by URL with the query compared as
// a set, and by body, JSON bodies by value. Credentials do not count. Several
// files with one request answer in the order of their names, and the last one
// repeats. A request without an exchange gets a [*NotRecordedError].
func Open(fsys fs.FS) (http.RoundTripper, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	r := &replayer{answers: map[string][]*Response{}, near: map[string]string{}}
	for _, name := range names {
		if stat, ok := fsys.(fs.StatFS); ok { // to open a named pipe waits for who writes to it
			if info, err := stat.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
				return nil, fmt.Errorf("%s is not a regular file", name)
			}
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		if err := r.add(data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return r, nil
}

func (r *replayer) add(data []byte) error {
	var x Exchange
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&x); err != nil {
		return err
	}
	target, err := url.Parse(x.Request.URL)
	switch {
	case err != nil || !target.IsAbs() || target.Host == "":
		return errors.New("request.url is not an absolute URL")
	case x.Request.Method == "":
		return errors.New("request.method is missing")
	case x.Response == nil:
		return errors.New("response is missing")
	case x.Response.Status != 0 && (x.Response.Status < 200 || x.Response.Status > 599):
		return errors.New("response.status is not a final HTTP status")
	}
	if _, err := x.Response.bytes(); err != nil {
		return fmt.Errorf("response.body: %w", err)
	}
	key := exchangeKey(x.Request.Method, target, x.Request.Body)
	r.answers[key] = append(r.answers[key], x.Response)
	r.near[nearKey(x.Request.Method, target)] = x.Request.URL
	return nil
}

func (r *replayer) RoundTrip(req *http.Request) (*http.Response, error) {
	x, err := exchangeOf(req)
	if err != nil {
		return nil, err
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	target, err := url.Parse(x.Request.URL)
	if err != nil {
		return nil, err
	}
	key := exchangeKey(x.Request.Method, target, x.Request.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	answers := r.answers[key]
	if len(answers) == 0 {
		return nil, &NotRecordedError{x.Request.Method, x.Request.URL, r.near[nearKey(x.Request.Method, target)]}
	}
	if len(answers) > 1 {
		r.answers[key] = answers[1:]
	}
	return answers[0].response(req)
}

// exchangeKey is equal for equal requests, whatever the order of the query.
func exchangeKey(method string, u *url.URL, body []byte) string {
	pairs := []string{}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, v, _ := strings.Cut(pair, "=")
		plainName, err1 := url.QueryUnescape(name)
		plainValue, err2 := url.QueryUnescape(v)
		if err1 == nil && err2 == nil {
			pair = url.QueryEscape(plainName) + "=" + url.QueryEscape(plainValue)
		}
		if pair != "=" {
			pairs = append(pairs, pair)
		}
	}
	slices.Sort(pairs)
	return nearKey(method, u) + "?" + strings.Join(pairs, "&") + "\n" + sameJSON(body)
}

// nearKey compares paths unescaped, but keeps an escaped slash apart.
func nearKey(method string, u *url.URL) string {
	segments := strings.Split(u.EscapedPath(), "/")
	for i, s := range segments {
		if plain, err := url.PathUnescape(s); err == nil {
			segments[i] = url.PathEscape(plain)
		}
	}
	return strings.ToUpper(method) + " " + strings.ToLower(u.Scheme+"://"+u.Host) + strings.Join(segments, "/")
}

// sameJSON is equal for JSON texts of equal value.
func sameJSON(body []byte) string {
	if len(body) == 0 {
		return ""
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(body)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return string(body)
	}
	return string(text)
}

// bytes is the body as it was on the wire.
func (x *Response) bytes() ([]byte, error) {
	contentType := ""
	for name, v := range x.Headers {
		if strings.EqualFold(name, "Content-Type") {
			contentType = v
		}
	}
	if len(x.Body) == 0 || sendsJSONText(contentType) && !x.Text {
		return x.Body, nil
	}
	var text string
	if x.Body[0] != '"' {
		if contentType == "" && !x.Text {
			return x.Body, nil
		}
		return nil, errors.New("must be a string, since the Content-Type is not JSON")
	}
	err := json.Unmarshal(x.Body, &text)
	return []byte(text), err
}

func (x *Response) response(req *http.Request) (*http.Response, error) {
	body, err := x.bytes()
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	for name, v := range x.Headers {
		header.Set(name, v)
	}
	status := x.Status
	if status == 0 {
		status = http.StatusOK
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", "application/json")
	}
	if req.Method == http.MethodHead {
		body = nil
	}
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, nil
}

// OpenWith is [Open] over some exchanges; requests that none of them
// answers are answered from fsys.
func OpenWith(exchanges []json.RawMessage, fsys fs.FS) (http.RoundTripper, error) {
	otherwise, err := Open(fsys)
	if err != nil {
		return nil, err
	}
	r := &replayer{answers: map[string][]*Response{}, near: map[string]string{}}
	for i, data := range exchanges {
		if err := r.add(data); err != nil {
			return nil, fmt.Errorf("exchange %d: %w", i+1, err)
		}
	}
	return &replayFirst{r, otherwise}, nil
}

type replayFirst struct {
	first     *replayer
	otherwise http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (r *replayFirst) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.first.RoundTrip(req)
	if errors.Is(err, upstream.ErrNotRecorded) {
		return r.otherwise.RoundTrip(req)
	}
	return resp, err
}
