package upstream

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/scan"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// as reads an answer of a media type as any value.
func as(t *testing.T, media string, spec Spec, answer http.HandlerFunc) (any, error) {
	t.Helper()
	server := httptest.NewServer(answer)
	defer server.Close()
	spec.BaseURL, spec.Attempts = server.URL, 1
	c := newTestUpstream(t, spec, API{}).Call("read", "GET", EffectRead)
	c.Path("/x")
	c.As(media)
	return Do(context.Background(), c, (*scan.Scanner).Any)
}

func sends(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // nothing is guessed
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		_, _ = w.Write([]byte(body))
	}
}

func TestAnswersOfOtherTypes(t *testing.T) {
	megabyte := strings.Repeat("\xff", mostBase64)
	for name, k := range map[string]struct {
		as     string
		answer http.HandlerFunc
		most   int64
		want   any
		err    error
	}{
		"text":                        {as: "text/plain", answer: sends("text/plain", "a\x00\"\u2028é"), want: "a\x00\"\u2028é"},
		"text of no type":             {as: "text/plain", answer: sends("", "a"), want: "a"},
		"text of the range":           {as: "text/*", answer: sends("text/markdown", "a"), want: "a"},
		"text that is another":        {as: "text/plain", answer: sends("text/html", "a"), err: errMedia},
		"text in another encoding":    {as: "text/plain", answer: sends("text/plain; charset=utf-16", "a"), err: errCharset},
		"text that is not UTF-8":      {as: "text/plain; charset=utf-8", answer: sends("text/plain", "a\xff"), err: errCharset},
		"text of the longest size":    {as: "text/plain", answer: sends("text/plain", "\x01234"), most: 4, want: "\x01234"},
		"text that is too long":       {as: "text/plain", answer: sends("text/plain", "12345"), most: 4, err: errTooLarge},
		"CSV that is not UTF-8":       {as: "text/csv", answer: sends("text/csv", "a\n\xff\n"), err: errCharset},
		"CSV with a lone quote":       {as: "text/csv", answer: sends("application/csv", "a\nb\"c\n"), err: errCSV},
		"CSV as HTML":                 {as: "text/csv", answer: sends("text/html", "a\n"), err: errMedia},
		"bytes of any type":           {as: "application/octet-stream", answer: sends("application/zip", ""), want: map[string]any{"size": int64(0), "media_type": "application/zip", "base64": ""}},
		"bytes of no type":            {as: "application/pdf", answer: sends("", "\x00\x01"), want: map[string]any{"size": int64(2), "media_type": "application/octet-stream", "base64": "AAE="}},
		"bytes of another type":       {as: "application/pdf", answer: sends("text/html", "a"), err: errMedia},
		"bytes of another range":      {as: "image/*", answer: sends("imagery/png", "a"), err: errMedia},
		"bytes that are too long":     {as: "*/*", answer: sends("image/png", "12345"), most: 4, err: errTooLarge},
		"bytes too long for base64":   {as: "image/png", answer: sends("image/png", megabyte+"a"), want: map[string]any{"size": int64(mostBase64 + 1), "media_type": "image/png"}},
		"bytes just right for base64": {as: "image/png", answer: sends("image/png", megabyte), want: map[string]any{"size": int64(mostBase64), "media_type": "image/png", "base64": strings.Repeat("/", mostBase64/3*4+1) + "w=="}},
	} {
		got, err := as(t, k.as, Spec{MaxBody: k.most}, k.answer)
		if !errors.Is(err, k.err) || err != nil && tool.KindOf(err) != tool.KindBadBackend || !same(got, k.want) {
			t.Errorf("%s: %.80v, %v", name, got, err)
		}
	}
}

func same(a, b any) bool {
	x, isMap := a.(map[string]any)
	y, _ := b.(map[string]any)
	if !isMap {
		return a == b
	}
	for k, v := range y {
		if x[k] != v {
			return false
		}
	}
	return len(x) == len(y)
}

// TestOtherTypesInTransit: packed text is text, within a limit on what comes out
// of it; one that was cut off is not an answer.
func TestOtherTypesInTransit(t *testing.T) {
	packed := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write([]byte(text))
			_ = z.Close()
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(b.Bytes())
		}
	}
	if got, err := as(t, "text/plain", Spec{}, packed("a")); got != "a" || err != nil {
		t.Error(got, err)
	}
	if got, err := as(t, "text/plain", Spec{MaxBody: 1000}, packed(strings.Repeat("a", 1001))); got != nil || !errors.Is(err, errTooLarge) {
		t.Error(got, err)
	}
	for _, media := range []string{"text/plain", "text/csv", "image/png"} {
		cut := func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.Header().Set("Content-Length", strconv.Itoa(100))
			_, _ = w.Write([]byte("a\nb"))
		}
		if got, err := as(t, media, Spec{}, cut); got != nil || tool.KindOf(err) != tool.KindUnavailable {
			t.Errorf("%s: %v, %v", media, got, err)
		}
	}
}
