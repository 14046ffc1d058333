package upstream

import (
	"bytes"
	"io"
	"maps"
	"net/http"
)

// inProcess answers requests with a handler. It runs in a goroutine of its
// own, so that a handler that ignores its context does not outlast a deadline.
type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	in := r.Clone(r.Context())
	in.RequestURI, in.RemoteAddr = in.URL.RequestURI(), "127.0.0.1:0"
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := &answerWriter{header: http.Header{}, head: r.Method == http.MethodHead}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- io.ErrUnexpectedEOF
			}
		}()
		t.handler.ServeHTTP(w, in)
		done <- nil
	}()
	select {
	case err := <-done:
		if err != nil {
			return nil, err
		}
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	return w.response(r), nil
}

// maxInProcess bounds what a handler may write, in bytes.
const maxInProcess = 64 << 20

type answerWriter struct {
	header, sent http.Header
	body         bytes.Buffer
	status       int
	head         bool
	// over: the handler wrote more than there may be.
	over bool
}

func (w *answerWriter) Header() http.Header { return w.header }

func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status, w.sent = status, maps.Clone(w.header)
	}
}

func (w *answerWriter) Write(p []byte) (int, error) {
	if w.sent == nil && w.header["Content-Type"] == nil {
		w.header.Set("Content-Type", http.DetectContentType(p))
	}
	w.WriteHeader(http.StatusOK)
	if w.head {
		return len(p), nil
	}
	if w.over = w.over || w.body.Len()+len(p) > maxInProcess; w.over {
		return 0, errTooLarge
	}
	return w.body.Write(p)
}

// Flush does nothing; it keeps handlers happy that stream.
func (w *answerWriter) Flush() {}

func (w *answerWriter) response(r *http.Request) *http.Response {
	w.WriteHeader(http.StatusOK)
	var body io.Reader = &w.body
	length := int64(w.body.Len())
	if w.over {
		body, length = io.MultiReader(body, failingReader{errTooLarge}), -1
	}
	return &http.Response{
		StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.sent,
		Body: io.NopCloser(body), ContentLength: length, Request: r,
	}
}
