package upstream

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// mostBase64 is the longest binary answer that is passed on, in bytes.
const mostBase64 = 1 << 20

var (
	errMedia   = errors.New("the answer has another media type than the document says")
	errCharset = errors.New("the answer is not UTF-8")
	errCSV     = errors.New("the answer is not CSV with a row of different names first (RFC 4180)")
)

// As says that the answer is of a media type that is not JSON. A decoder gets
// what it would read of JSON: text (text/plain, text/html) as a string; text/csv as a list of
// objects with strings, by the names in the first row; of any other type an object
// with size, media_type, and base64 where the answer has at most 1 MiB.
func (c *Call) As(media string) { c.as = baseOf(media) }

func baseOf(media string) string {
	base, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

func isCSV(media string) bool { return media == "text/csv" || media == "application/csv" }

// readable reports whether an answer may have its media type.
func (c *Call) readable(contentType string) bool {
	if c.as == "" {
		return isJSON(contentType)
	}
	got := baseOf(contentType)
	kind, isRange := strings.CutSuffix(c.as, "*")
	switch {
	case got == "", got == c.as, isRange && strings.HasPrefix(got, strings.TrimPrefix(kind, "*/")):
		return true
	case isCSV(c.as):
		return isCSV(got) || got == "text/plain" || got == "application/octet-stream"
	case strings.HasPrefix(c.as, "text/"):
		return false
	}
	return c.as == "application/octet-stream" || got == "application/octet-stream"
}

// wrongMedia says what is wrong with the media type of an answer.
func (c *Call) wrongMedia() error {
	if c.as == "" {
		return errContentType
	}
	return errMedia
}

// A readError is what reading a body gave: it says nothing of what was read.
type readError struct{ error }

// asJSON turns the body of an answer that is not JSON into what a decoder reads.
func (c *Call) asJSON(body io.Reader, h http.Header) (io.Reader, error) {
	most := c.u.maxBody
	if c.room != nil {
		most = min(most, max(*c.room, 1))
	}
	limited := &io.LimitedReader{R: body, N: most + 1}
	var j value.JSON
	var err error
	switch {
	case isCSV(c.as):
		err = csvAsJSON(&j, limited, h)
	case strings.HasPrefix(c.as, "text/"):
		var text string
		if text, err = utf8Text(limited, h); err == nil {
			j.Text(text)
		}
	default:
		err = binaryAsJSON(&j, limited, h)
	}
	if limited.N <= 0 {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, err
	}
	data, err := j.Bytes()
	return bytes.NewReader(data), err
}

// formFault is the ending of an attempt whose answer is not what it should be.
func (c *Call) formFault(outer context.Context, resp *http.Response, err error) attemptEnd {
	_ = resp.Body.Close()
	if fault, failed := errors.AsType[readError](err); failed {
		return c.transportFault(outer, fault.error)
	}
	return c.unusable(err)
}

// utf8Text reads a text in UTF-8, the only encoding that is known, without its
// byte order mark.
func utf8Text(r io.Reader, h http.Header) (string, error) {
	_, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if charset := strings.ToLower(params["charset"]); !slices.Contains([]string{"", "utf-8", "utf8", "us-ascii", "ascii"}, charset) {
		return "", errCharset
	}
	data, err := io.ReadAll(r)
	switch {
	case err != nil:
		return "", readError{err}
	case !utf8.Valid(data):
		return "", errCharset
	}
	return strings.TrimPrefix(string(data), "\ufeff"), nil
}

func csvAsJSON(j *value.JSON, r io.Reader, h http.Header) error {
	text, err := utf8Text(r, h)
	if err != nil {
		return err
	}
	rows := csv.NewReader(strings.NewReader(text))
	names, err := rows.Read()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	distinct := map[string]bool{}
	for _, name := range names {
		distinct[name] = true
	}
	if err != nil || len(distinct) < len(names) {
		return errCSV
	}
	j.OpenList()
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errCSV
		}
		j.Open()
		for i, name := range names {
			j.Name(name)
			j.Text(row[i])
		}
		j.Close()
	}
	j.CloseList()
	return nil
}

func binaryAsJSON(j *value.JSON, r io.Reader, h http.Header) error {
	var head bytes.Buffer
	_, err := io.CopyN(&head, r, mostBase64+1)
	size := int64(head.Len())
	if err == nil {
		var rest int64
		rest, err = io.Copy(io.Discard, r)
		size += rest
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return readError{err}
	}
	media := baseOf(h.Get("Content-Type"))
	if media == "" {
		media = "application/octet-stream"
	}
	j.Open()
	j.Name("size")
	j.Int(size)
	j.Name("media_type")
	j.Text(media)
	if size <= mostBase64 {
		j.Name("base64")
		j.Text(base64.StdEncoding.EncodeToString(head.Bytes()))
	}
	j.Close()
	return nil
}
