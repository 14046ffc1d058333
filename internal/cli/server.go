package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/sculpt-tools/sculpt/internal/strictjson"
)

// Bounds of what a server may answer.
const (
	maxAnswer  = 4 << 20
	maxPages   = 1000
	answerTime = 10 * time.Second
	// maxList bounds the pages of one list together, and maxParts the marks in an
	// answer or a list that begin a value, which takes more memory than its text.
	maxList  = 8 << 20
	maxParts = 200_000
)

// A serverAsked is a server of A2T that is asked for signatures. It may be
// hostile: answers are bounded, redirects are not followed, and nothing that
// it says is shown without being escaped and shortened.
type serverAsked struct {
	base   *url.URL
	header map[string]string
	client *http.Client
	// bytes and parts are what the answers had since the last list began.
	bytes, parts int
}

func newServerAsked(base *url.URL, header map[string]string) *serverAsked {
	return &serverAsked{base: base, header: header, client: &http.Client{
		Timeout:       answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// An answerError is an answer that cannot be used.
type answerError struct {
	url, reason string
	status      int
}

// Error implements error.
func (b *answerError) Error() string { return b.url + ": " + b.reason }

// probe makes sure that a server answers at all.
func (s *serverAsked) probe(ctx context.Context) error {
	_, err := s.get(ctx, url.Values{"pageLimit": {"1"}}, "tools")
	if bad, ok := errors.AsType[*answerError](err); ok {
		fix := "give the address of A2T, such as http://127.0.0.1:8080/a2t"
		if bad.status == http.StatusUnauthorized || bad.status == http.StatusForbidden {
			fix = "give the credential, as --header Authorization=env:VARIABLE"
		}
		return unable(fix, "no tools are served at %s: %s", s.base, bad.reason)
	}
	return err
}

// get asks for JSON. Its error is an answerError if there was an answer.
func (s *serverAsked) get(ctx context.Context, query url.Values, path ...string) (any, error) {
	for i := range path {
		path[i] = url.PathEscape(path[i])
	}
	u := s.base.JoinPath(path...)
	u.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, unable("", "%s", err)
	}
	req.Header.Set("Accept", "application/json")
	for name, value := range s.header {
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, s.silent(err)
	}
	defer resp.Body.Close()
	bad := func(format string, args ...any) error {
		return &answerError{u.String(), fmt.Sprintf(format, args...), resp.StatusCode}
	}
	if resp.StatusCode != http.StatusOK {
		return nil, bad("the answer has the status %d", resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, s.silent(err)
	case len(data) > maxAnswer:
		return nil, bad("the answer is longer than %d MB", maxAnswer>>20)
	}
	s.bytes += len(data)
	if s.parts += countParts(data); s.parts > maxParts {
		return nil, bad("the answer has more than %d values", maxParts)
	}
	doc, err := strictjson.Read(data, maxNesting)
	if err != nil {
		return nil, bad("the answer is not JSON: %s", err)
	}
	return doc, nil
}

// countParts counts the marks that begin a value of JSON; those in texts count, too.
func countParts(data []byte) int {
	n := 0
	for _, mark := range []byte(",[{") {
		n += bytes.Count(data, []byte{mark})
	}
	return n
}

// silent is the failure for a server that gives no answer.
func (s *serverAsked) silent(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return unable("start the server, or raise --timeout", "%s does not answer: %s", s.base, err)
}

// maxNesting is deeper than any signature.
const maxNesting = 100

// versions lists all versions of a tool (A2T 6.1, 6.4).
func (s *serverAsked) versions(ctx context.Context, tool string) ([]*servedDocument, error) {
	var out []*servedDocument
	query := url.Values{"pageLimit": {"200"}}
	seen := map[string]bool{}
	s.bytes, s.parts = 0, 0
	for range maxPages {
		doc, err := s.get(ctx, query, "tools", tool, "versions")
		if err != nil {
			return nil, err
		}
		bad := &answerError{url: s.base.JoinPath("tools", tool, "versions").String(), reason: "the answer is not a list of versions"}
		list, _ := documentOf(doc)
		items, ok := list.members["items"].([]any)
		if !ok {
			return nil, bad
		}
		for _, item := range items {
			d, ok := documentOf(item)
			if !ok {
				return nil, bad
			}
			out = append(out, d)
		}
		paging, _ := list.members["paging"].(map[string]any)
		next, _ := paging["next"].(string)
		switch {
		case next == "":
			return out, nil
		case len(items) == 0 || seen[next]:
			bad.reason = "the list of versions does not end"
			return nil, bad
		case s.bytes > maxList:
			bad.reason = fmt.Sprintf("the list of versions is longer than %d MB", maxList>>20)
			return nil, bad
		}
		seen[next] = true
		query.Set("pageCursor", next)
	}
	return nil, &answerError{url: s.base.String(), reason: "the list of versions does not end"}
}

// version asks for one version.
func (s *serverAsked) version(ctx context.Context, tool string, version int) (*servedDocument, error) {
	path := []string{"tools", tool, "versions", versionText(version)}
	s.bytes, s.parts = 0, 0
	doc, err := s.get(ctx, nil, slices.Clone(path)...)
	if err != nil {
		return nil, err
	}
	d, ok := documentOf(doc)
	if !ok {
		return nil, &answerError{url: s.base.JoinPath(path...).String(), reason: "the answer is not a signature"}
	}
	return d, nil
}

func versionText(version int) string { return strconv.Itoa(version) }
