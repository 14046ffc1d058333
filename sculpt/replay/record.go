package replay

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/upstream"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// volatileHeaders change with every answer or name machines; recordings leave
// them out, and everything that can be a credential.
var volatileHeaders = []string{
	"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Set-Cookie2", "Www-Authenticate",
	"Proxy-Authenticate", "Authentication-Info", "Date", "Age", "Server", "Via", "Alt-Svc", "Nel", "Report-To",
	"Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Vary",
	"X-Request-Id", "X-Correlation-Id", "X-Server-Id", "X-Edge-Request-Id", "X-Powered-By", "Cf-Ray",
	"Strict-Transport-Security", "Accept-Ranges", "Expires", "X-Cache",
}

// Tap returns a transport that shows every exchange, stripped of
// credentials, to see. With a nil next nothing is sent: see gets the request
// alone, and the call fails with [upstream.ErrDryRun]. Requests for access tokens
// are not shown, and not sent either without next. Response headers named in
// secretHeaders are left out. An error of see fails the call.
func Tap(next http.RoundTripper, see func(*Exchange) error, secretHeaders ...string) http.RoundTripper {
	o := &observer{next: next, see: see, hidden: map[string]bool{}}
	for _, name := range slices.Concat(volatileHeaders, secretHeaders) {
		o.hidden[http.CanonicalHeaderKey(name)] = true
	}
	return o
}

type observer struct {
	next   http.RoundTripper
	see    func(*Exchange) error
	hidden map[string]bool
}

func (o *observer) RoundTrip(req *http.Request) (*http.Response, error) {
	if about, _ := upstream.InfoOf(req.Context()); about.Token {
		if o.next == nil {
			return nil, upstream.ErrNotRecorded
		}
		return o.next.RoundTrip(req)
	}
	x, err := exchangeOf(req)
	if err != nil {
		return nil, err
	}
	if o.next == nil {
		if err := o.see(x); err != nil {
			return nil, err
		}
		return nil, upstream.ErrDryRun
	}
	resp, err := o.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := wholeBody(resp)
	if err != nil {
		return nil, err
	}
	info, _ := upstream.InfoOf(req.Context())
	x.Response = &Response{Status: resp.StatusCode, Headers: map[string]string{}}
	for name, values := range resp.Header {
		if !o.hidden[name] {
			x.Response.Headers[name] = info.Redact(strings.Join(values, ", "))
		}
	}
	x.Response.Body, x.Response.Text = exchangeBody([]byte(info.Redact(string(body))), resp.Header.Get("Content-Type"))
	if err := o.see(x); err != nil {
		return nil, err
	}
	return resp, nil
}

// wholeBody reads and replaces the body of an answer, without its encoding.
func wholeBody(resp *http.Response) ([]byte, error) {
	wire, err := io.ReadAll(io.LimitReader(resp.Body, maxRecorded))
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	body := wire
	if strings.Contains(strings.ToLower(resp.Header.Get("Content-Encoding")), "gzip") {
		z, err := gzip.NewReader(bytes.NewReader(wire))
		if err != nil {
			return nil, err
		}
		if body, err = io.ReadAll(io.LimitReader(z, maxRecorded)); err != nil {
			return nil, err
		}
	}
	resp.Body = io.NopCloser(bytes.NewReader(wire))
	resp.ContentLength = int64(len(wire))
	return body, nil
}

// exchangeBody embeds JSON as it is and everything else as a string.
func exchangeBody(body []byte, contentType string) (embedded json.RawMessage, text bool) {
	if len(body) == 0 {
		return nil, false
	}
	if sendsJSONText(contentType) && json.Valid(body) {
		return body, false
	}
	return json.RawMessage(value.AppendText(nil, string(body))), sendsJSONText(contentType)
}

// exchangeOf is the request of an exchange. It reads GetBody, so that the
// request can still be sent.
func exchangeOf(req *http.Request) (*Exchange, error) {
	x := &Exchange{Request: Request{Method: req.Method}}
	info, _ := upstream.InfoOf(req.Context())
	x.Request.API = info.API
	x.Request.URL = info.Redact(info.WithoutCredentials(req.URL).String())
	if req.Body == nil || req.Body == http.NoBody {
		return x, nil
	}
	if req.GetBody == nil {
		return nil, errors.New("the body of this request can be read only once")
	}
	r, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	x.Request.Body, _ = exchangeBody([]byte(info.Redact(string(body))), req.Header.Get("Content-Type"))
	return x, nil
}

// Record returns a transport that hands every exchange to write as a replay
// file, see [Open]: credentials stripped, the same exchange always the same
// bytes. Names are <api>-<n>-<slug>.json, n counting from 001 per api.
// Response headers in secretHeaders are left out as well.
func Record(next http.RoundTripper, write func(name string, data []byte) error, secretHeaders ...string) http.RoundTripper {
	var mu sync.Mutex
	counts := map[string]int{}
	return Tap(next, func(x *Exchange) error {
		data, err := Format(x)
		if err != nil {
			return err
		}
		api := x.Request.API
		target, err := url.Parse(x.Request.URL)
		if err != nil {
			return err
		}
		if api == "" {
			api = slug(target.Hostname())
		}
		mu.Lock()
		defer mu.Unlock()
		counts[api]++
		name := fmt.Sprintf("%s-%03d-%s.json", slug(api), counts[api], slug(x.Request.Method+target.Path))
		return write(name, data)
	}, secretHeaders...)
}

// Format returns the file of an exchange: indented, members in fixed
// order, a line break at the end.
func Format(x *Exchange) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(x); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

const (
	longSlug = 48
	// maxRecorded bounds an answer that is recorded, in bytes.
	maxRecorded = 64 << 20
)

// slug makes a part of a file name of any text.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_") && r != utf8.RuneError:
			b.WriteByte('_')
		}
		if b.Len() >= longSlug {
			break
		}
	}
	return strings.Trim(b.String(), "_")
}

// sendsJSONText reports whether a body of a media type is kept as JSON.
func sendsJSONText(contentType string) bool {
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}
