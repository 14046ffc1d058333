package upstream

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// TestStatusesWithoutACase: what each status means, for a call that reads and for
// one that must not be sent twice, with and without a time to come back.
func TestStatusesWithoutACase(t *testing.T) {
	const redirect, odd = "the answer is a redirect that is not followed", "the answer has an unknown status"
	for _, c := range []struct {
		status            int
		wait              string
		reads, only, text string
	}{
		{400, "", "rejected false 0s false", "rejected false 0s false", "the upstream answered Bad Request"}, {401, "", "bad_backend false 0s false", "bad_backend false 0s false", "the upstream answered Unauthorized"},
		{403, "", "bad_backend false 0s false", "bad_backend false 0s false", "the upstream answered Forbidden"}, {404, "", "no_result false 0s false", "no_result false 0s false", "the upstream answered Not Found"},
		{408, "", "unavailable true 0s true", "unavailable true 0s false", "the upstream answered Request Timeout"}, {410, "3", "no_result false 0s false", "no_result false 0s false", "the upstream answered Gone"},
		{429, "3", "rate_limited true 3s true", "rate_limited true 3s false", "the upstream answered Too Many Requests"}, {429, "", "rate_limited true 0s true", "rate_limited true 0s false", "the upstream answered Too Many Requests"},
		{499, "", "rejected false 0s false", "rejected false 0s false", "the upstream answered with an unknown status"}, {500, "", "unavailable true 0s true", "unknown_outcome false 0s false", "the upstream answered Internal Server Error"},
		{501, "", "unavailable true 0s false", "unknown_outcome false 0s false", "the upstream answered Not Implemented"}, {502, "", "unavailable true 0s true", "unknown_outcome false 0s false", "the upstream answered Bad Gateway"},
		{503, "3", "unavailable true 3s true", "unavailable true 3s false", "the upstream answered Service Unavailable"}, {503, "", "unavailable true 0s true", "unknown_outcome false 0s false", "the upstream answered Service Unavailable"},
		{504, "", "unavailable true 0s true", "unknown_outcome false 0s false", "the upstream answered Gateway Timeout"}, {505, "", "unavailable true 0s false", "unknown_outcome false 0s false", "the upstream answered HTTP Version Not Supported"},
		{299, "", "bad_backend false 0s false", "unknown_outcome false 0s false", odd}, {300, "", "bad_backend false 0s false", "unknown_outcome false 0s false", redirect}, {302, "", "bad_backend false 0s false", "unknown_outcome false 0s false", redirect},
	} {
		for effect, want := range map[Effect]string{EffectRead: c.reads, EffectUnsafe: c.only} {
			call := &Call{u: &Client{}, step: "find", method: "POST", effect: effect, status: c.status}
			resp := &http.Response{StatusCode: c.status, Header: http.Header{}, Body: http.NoBody}
			if c.wait != "" {
				resp.Header.Set("Retry-After", c.wait)
			}
			o := call.statusEnding(resp)
			e := tool.AsError(o.err)
			if got := fmt.Sprint(e.Kind, " ", e.Retryable, " ", e.RetryAfter, " ", o.again); got != want || e.Step != "find" {
				t.Errorf("%d, effect %v: %s, want %s", c.status, effect, got, want)
			}
			if e.Err == nil || e.Err.Error() != c.text {
				t.Errorf("%d, effect %v: %v, want %s", c.status, effect, e.Err, c.text)
			}
		}
	}
}

// TestReadableTypes: which media type of an answer will do for which of a document.
func TestReadableTypes(t *testing.T) {
	for as, k := range map[string]struct{ good, bad []string }{
		"text/plain; charset=x":    {[]string{"", "TEXT/plain", "text/plain;charset=utf-8"}, []string{"text/html", "application/octet-stream", "application/json"}},
		"text/*":                   {[]string{"text/html", ""}, []string{"application/json", "texts/plain"}},
		"*/*":                      {[]string{"text/html", "a/b"}, nil},
		"text/csv":                 {[]string{"text/csv", "application/csv", "text/plain", "application/octet-stream"}, []string{"text/html", "application/json"}},
		"application/csv":          {[]string{"text/csv", "text/plain"}, []string{"text/html"}},
		"application/pdf":          {[]string{"application/pdf", "application/octet-stream"}, []string{"text/html", "application/zip"}},
		"application/octet-stream": {[]string{"application/zip", "text/html"}, nil},
	} {
		c := &Call{}
		c.As(as)
		for _, media := range k.good {
			if !c.readable(media) {
				t.Errorf("%q will not do for %s", media, as)
			}
		}
		for _, media := range k.bad {
			if c.readable(media) {
				t.Errorf("%q will do for %s", media, as)
			}
		}
	}
}

// TestSecondsOfCaches: a number of seconds, in quotes or not, as much as there is.
func TestSecondsOfCaches(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0s <nil>", "60": "1m0s <nil>", `"10"`: "10s <nil>", "4294967295": "1193046h28m15s <nil>", "4294967296": "24h0m0s <nil>", "99999999999999999999": "24h0m0s <nil>",
	} {
		d, err := seconds(text)
		if got := fmt.Sprint(d, " ", err); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "x", "-1", "1.5"} {
		if _, err := seconds(text); err == nil {
			t.Errorf("%q is a number", text)
		}
	}
}

// TestCharsets: UTF-8 has several names, and ASCII is a part of it.
func TestCharsets(t *testing.T) {
	for _, charset := range []string{"", "utf-8", "UTF8", "us-ascii", "ASCII"} {
		if got, err := as(t, "text/plain", Spec{}, sends("text/plain; charset=\""+charset+"\"", "a")); got != "a" || err != nil {
			t.Errorf("%s: %v, %v", charset, got, err)
		}
	}
	for _, charset := range []string{"latin1", "utf-16"} {
		if got, err := as(t, "text/csv", Spec{}, sends("text/csv; charset="+charset, "a")); err == nil {
			t.Errorf("%s: %v", charset, got)
		}
	}
}
