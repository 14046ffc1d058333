package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// A document is a body that was made ready at start: bytes, strong ETag and
// the header values, so that serving it costs no allocation of its own.
type document struct {
	body   []byte
	etag   []string
	length []string
}

func newDocument(body []byte) *document {
	sum := sha256.Sum256(body)
	return &document{
		body:   body,
		etag:   []string{`"` + hex.EncodeToString(sum[:]) + `"`},
		length: []string{strconv.Itoa(len(body))},
	}
}

// matches reports whether an If-None-Match header names the document
// (RFC 9110 13.1.2: weak comparison).
func (d *document) matches(header []string) bool {
	for _, line := range header {
		for tag := range strings.SplitSeq(line, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			if tag == d.etag[0] || tag == "*" {
				return true
			}
		}
	}
	return false
}

// Header values that are shared by all answers. net/http only reads them.
var (
	jsonType    = []string{"application/json"}
	problemType = []string{"application/problem+json"}
	textType    = []string{"text/plain; charset=utf-8"}
	noCache     = []string{"no-cache"}
	noStore     = []string{"no-store"}
	noSniff     = []string{"nosniff"}
)

// serveDocument answers a GET or HEAD with a document, or 304.
func (x *exchange) serveDocument(d *document) {
	x.wrote = true
	h := x.w.Header()
	h["Etag"] = d.etag
	// Always revalidate: currentVersion may change within a locked version.
	h["Cache-Control"] = noCache
	if tags := x.r.Header["If-None-Match"]; tags != nil && d.matches(tags) {
		x.w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Type"] = jsonType
	h["Content-Length"] = d.length
	h["X-Content-Type-Options"] = noSniff
	x.w.WriteHeader(http.StatusOK)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(d.body) // the caller has gone: nobody is left to tell
	}
}

// write answers with a body that was made for this request.
func (x *exchange) write(status int, contentType []string, body []byte) {
	x.wrote = true
	h := x.w.Header()
	h["Content-Type"] = contentType
	x.length[0] = strconv.Itoa(len(body))
	h["Content-Length"] = x.length[:]
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	x.w.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.w.Write(body)
	}
}

// acceptsJSON reports whether the Accept header allows application/json
// (RFC 9110 12.5.1: the most specific range decides).
func acceptsJSON(header []string) bool {
	if len(header) == 0 {
		return true
	}
	best, allowed, some := -1, false, false
	for _, line := range header {
		for item := range strings.SplitSeq(line, ",") {
			if item = strings.TrimSpace(item); item == "" {
				continue
			}
			some = true
			media, params, _ := strings.Cut(item, ";")
			rank := acceptRank(strings.TrimSpace(media))
			if rank > best {
				best, allowed = rank, !zeroQuality(params)
			}
		}
	}
	return !some || best >= 0 && allowed
}

func acceptRank(media string) int {
	switch {
	case strings.EqualFold(media, "application/json"):
		return 2
	case strings.EqualFold(media, "application/*"):
		return 1
	case media == "*/*":
		return 0
	}
	return -1
}

func zeroQuality(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			q, err := strconv.ParseFloat(value, 64)
			return err == nil && q == 0
		}
	}
	return false
}

// sendsJSON reports whether the request body is application/json in UTF-8,
// without a content encoding.
func sendsJSON(h http.Header) bool {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return false
	}
	given := h["Content-Type"]
	if len(given) != 1 {
		return false
	}
	if given[0] == "application/json" {
		return true
	}
	media, params, err := mime.ParseMediaType(given[0])
	if err != nil || media != "application/json" {
		return false
	}
	charset := params["charset"]
	return charset == "" || strings.EqualFold(charset, "utf-8")
}
