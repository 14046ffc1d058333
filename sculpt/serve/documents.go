package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A stored document stays where it is, which is in the program itself for a
// generated package. It is read and judged at start, and read again when somebody
// asks for it: most documents of a server are never asked for one by one.
type stored struct {
	docs fs.FS
	name string
	sum  [sha256.Size]byte
}

// store reads a document of a set for the first time.
func store(docs fs.FS, name string) (*stored, []byte, error) {
	raw, err := readDocument(docs, name)
	if err != nil {
		return nil, nil, err
	}
	return &stored{docs, name, sha256.Sum256(raw)}, raw, nil
}

// read returns the document as it was at start.
func (d *stored) read() ([]byte, error) {
	raw, err := readDocument(d.docs, d.name)
	if err == nil && sha256.Sum256(raw) != d.sum {
		err = fmt.Errorf("the document %s has changed since the start", d.name)
	}
	return raw, err
}

// appendStored appends n documents with commas between.
func appendStored(b []byte, n int, of func(int) *stored) ([]byte, error) {
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		raw, err := of(i).read()
		if err != nil {
			return nil, err
		}
		b = append(b, raw...)
	}
	return b, nil
}

// A document is a body that was made ready: bytes, strong ETag and the header
// values, so that serving it costs no allocation of its own.
type document struct {
	body   []byte
	etag   []string
	length []string
	// packed is the body in gzip, nil where that is not worth it.
	packed func() *document
}

// newDocument ends a JSON text with a line feed, as [exchange.write] does.
func newDocument(text []byte) *document {
	return bodyOf(append(slices.Clip(text), '\n'))
}

func bodyOf(body []byte) *document {
	sum := sha256.Sum256(body)
	return &document{
		body:   body,
		etag:   []string{`"` + hex.EncodeToString(sum[:]) + `"`},
		length: []string{strconv.Itoa(len(body))},
	}
}

// leastPacked is the shortest body that is packed: less fits into a packet.
const leastPacked = 1 << 10

// newList returns a document that many ask for. It is packed once, when the first
// one asks for that.
func newList(body []byte) *document {
	d := newDocument(body)
	if len(body) < leastPacked {
		return d
	}
	d.packed = sync.OnceValue(func() *document {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
		_, _ = z.Write(d.body)                                // into memory
		_ = z.Close()
		p := bodyOf(b.Bytes())
		p.etag = []string{strings.TrimSuffix(d.etag[0], `"`) + `-gzip"`} // it tells the forms apart (RFC 9110 8.8.3)
		return p
	})
	return d
}

// A lazyList is composed when it is asked for, once.
type lazyList func() (*document, error)

func newLazyList(compose func() ([]byte, error)) lazyList {
	return sync.OnceValues(func() (*document, error) {
		body, err := compose()
		if err != nil {
			return nil, err
		}
		return newList(body), nil
	})
}

// named reports whether an If-None-Match header names one of the forms of the
// document (RFC 9110 13.1.2: weak comparison).
func (d *document) named(header []string) bool {
	for _, line := range header {
		for tag := range strings.SplitSeq(line, ",") {
			tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
			if tag == d.etag[0] || tag == "*" || d.packed != nil && strings.Replace(tag, `-gzip"`, `"`, 1) == d.etag[0] {
				return true
			}
		}
	}
	return false
}

var (
	gzipEncoding = []string{"gzip"}
	byEncoding   = []string{"Accept-Encoding"}
)

// serveDocument answers a GET or HEAD with a document, or 304.
func (x *exchange) serveDocument(d *document) {
	x.wrote = true
	h := x.w.Header()
	known := false
	if tags := x.r.Header["If-None-Match"]; tags != nil {
		known = d.named(tags)
	}
	if d.packed != nil {
		h["Vary"] = byEncoding
		if acceptsGzip(x.r.Header["Accept-Encoding"]) {
			if d = d.packed(); !known {
				h["Content-Encoding"] = gzipEncoding
			}
		}
	}
	h["Etag"] = d.etag
	// Always revalidate: currentVersion may change within a locked version.
	h["Cache-Control"] = noCache
	if known {
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

// serveStored answers with a document as it is stored.
func (x *exchange) serveStored(d *stored) {
	body, err := d.read()
	if err != nil {
		x.unreadable(err)
		return
	}
	x.serveDocument(newDocument(body))
}

func (x *exchange) serveList(l lazyList) {
	d, err := l()
	if err != nil {
		x.unreadable(err)
		return
	}
	x.serveDocument(d)
}

func (x *exchange) unreadable(err error) {
	x.s.log.ErrorContext(x.r.Context(), "documents", "error", err)
	x.fail(&tool.Error{Kind: tool.KindInternal, Err: err})
}
