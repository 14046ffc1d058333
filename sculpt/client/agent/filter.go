package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/sculpt-tools/sculpt/sculpt/client"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

// A Filter is what is done to answers before a model sees them (ATIP 11.3). The zero
// value takes out what looks like a credential and cuts at 32 KiB.
type Filter struct {
	// Redact are the patterns of what is replaced by [REDACTED], instead of
	// [Credentials].
	Redact []*regexp.Regexp
	// Most bounds the bytes of an answer; negative for no bound.
	Most int
}

// Credentials are the patterns of what looks like a credential.
func Credentials() []*regexp.Regexp { return credentials }

var credentials = []*regexp.Regexp{
	regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)`),
	regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`),
	regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`),
	regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}|xox[abprs]-[A-Za-z0-9-]{10,}|npm_[A-Za-z0-9]{30,})`),
	regexp.MustCompile(`\b(?:sk|rk|pk)[_-](?:live_|test_|proj-|ant-)?[A-Za-z0-9_-]{20,}`),
	regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`),
	regexp.MustCompile(`(?i)\b(?:bearer|basic) [A-Za-z0-9+/_.~-]{16,}=*`),
	regexp.MustCompile(`(?i)\b(?:password|passwd|secret|api[_-]?key|access[_-]?token)\s*[=:]\s*[^\s"',;]{6,}`),
}

// mostBytes is the bound of an answer, unless stated.
const mostBytes = 32 << 10

const redacted = "[REDACTED]"

// text takes out of a text what a pattern finds.
func (f *Filter) text(s string) string {
	patterns := f.Redact
	if patterns == nil {
		patterns = credentials
	}
	for _, p := range patterns {
		s = p.ReplaceAllLiteralString(s, redacted)
	}
	return s
}

// data is what a model is told of a result: its outputs, or its text where a
// server gives no more.
func (f *Filter) data(r *client.Result) json.RawMessage {
	if len(r.Outputs) == 0 && r.Text != "" {
		return f.cut("data", f.text(r.Text), nil)
	}
	whole := f.value(r.Document())
	most := f.Most
	if most == 0 {
		most = mostBytes
	}
	if most < 0 || len(whole) <= most {
		return member("data", whole)
	}
	return f.cut("data", string(whole), nil)
}

// value takes credentials out of every text of a JSON value; numbers stay as they
// are written.
func (f *Filter) value(raw json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var b bytes.Buffer
	var open []bool // of the objects and lists around: whether it is an object
	var count []int
	for {
		token, err := d.Token()
		if err != nil {
			return b.Bytes() // it was read before
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			b.WriteByte(byte(delim))
			open, count = open[:len(open)-1], count[:len(count)-1]
			continue
		}
		if n := len(open); n > 0 {
			switch {
			case open[n-1] && count[n-1]%2 == 1:
				b.WriteByte(':')
			case count[n-1] > 0:
				b.WriteByte(',')
			}
			count[n-1]++
		}
		switch v := token.(type) {
		case json.Delim:
			b.WriteByte(byte(v))
			open, count = append(open, v == '{'), append(count, 0)
		case string:
			b.Write(value.AppendText(nil, f.text(v)))
		case json.Number:
			b.WriteString(v.String())
		case bool:
			b.WriteString(strconv.FormatBool(v))
		case nil:
			b.WriteString("null")
		}
	}
}

// cut gives a text, as much of it as the bound allows, and the addresses that a
// person has to visit.
func (f *Filter) cut(name, text string, visit []string) json.RawMessage {
	most := f.Most
	if most == 0 {
		most = mostBytes
	}
	cut := most >= 0 && len(text) > most
	if cut {
		for most > 0 && !utf8.RuneStart(text[most]) {
			most--
		}
		text = text[:most]
	}
	b := value.AppendText(append(value.AppendText([]byte{'{'}, name), ':'), text)
	if cut {
		b = append(b, `,"truncated":true`...)
	}
	for i, address := range visit {
		b = append(b, [...]string{`,"user_must_visit":[`, ","}[min(i, 1)]...)
		b = value.AppendText(b, address)
	}
	if visit != nil {
		b = append(b, ']')
	}
	return append(b, '}')
}

// failure is what a model is told of an error.
func (f *Filter) failure(err error) json.RawMessage {
	if denied, ok := errors.AsType[*DeniedError](err); ok {
		return f.cut("error", denied.Error(), nil)
	}
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return f.cut("error", tool.AsError(err).Sentence(), nil)
	}
	var visit []string
	if e.Missing != nil {
		for _, address := range slices.Sorted(maps.Values(e.Missing.Authorizations)) {
			if address != "" {
				visit = append(visit, address)
			}
		}
	}
	return f.cut("error", f.text(e.Fault.Explain()), visit)
}

func member(name string, raw json.RawMessage) json.RawMessage {
	b := append(value.AppendText([]byte{'{'}, name), ':')
	return append(append(b, raw...), '}')
}
