package serve

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// Header values that are shared by all answers. net/http only reads them.
var (
	jsonType    = []string{"application/json"}
	problemType = []string{"application/problem+json"}
	textType    = []string{"text/plain; charset=utf-8"}
	noCache     = []string{"no-cache"}
	noStore     = []string{"no-store"}
	noSniff     = []string{"nosniff"}
)

// write answers with a body that was made for this request, and ends it with a
// line feed, for terminals and logs.
func (x *exchange) write(status int, contentType []string, body []byte) {
	x.wrote = true
	body = append(body, '\n')
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

func zeroQuality(params string) bool { return quality(params) == 0 }

// quality reads the weight of an item; what is no weight counts as none.
func quality(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "q") {
			if q, err := strconv.ParseFloat(value, 64); err == nil {
				return q
			}
		}
	}
	return 1
}

// acceptsGzip reports whether Accept-Encoding prefers gzip to what is not packed,
// or puts both on one level (RFC 9110 12.5.3). Without the header nothing is
// packed: who wants that says so.
func acceptsGzip(header []string) bool {
	packed, plain, other := -1.0, 0.0, 0.0
	for _, line := range header {
		for item := range strings.SplitSeq(line, ",") {
			coding, params, _ := strings.Cut(item, ";")
			switch coding = strings.TrimSpace(coding); {
			case strings.EqualFold(coding, "gzip"), strings.EqualFold(coding, "x-gzip"):
				packed = quality(params)
			case strings.EqualFold(coding, "identity"):
				plain = quality(params)
			case coding == "*":
				other = quality(params)
			}
		}
	}
	if packed < 0 {
		packed = other
	}
	return packed > 0 && packed >= plain
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
