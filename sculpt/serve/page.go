package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
	"github.com/sculpt-tools/sculpt/sculpt/value"
)

const (
	defaultPage = 50
	largestPage = 200
)

// A page is what a caller of a list asks for (A2T 6.4).
type page struct {
	limit  int
	cursor string
	tags   []string
}

// readPage reads the query of a list. Unknown keys are ignored; what is known
// must be right, and must be given once.
func readPage(rawQuery string) (page, *tool.Error) {
	p := page{limit: defaultPage}
	if rawQuery == "" {
		return p, nil
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return p, &tool.Error{Kind: tool.KindBadRequest, Message: "The query string is malformed."}
	}
	if given, ok := query["pageLimit"]; ok {
		if len(given) != 1 {
			return p, badLimit()
		}
		var fault *tool.Error
		if p.limit, fault = readLimit(given[0]); fault != nil {
			return p, fault
		}
	}
	if given, ok := query["pageCursor"]; ok {
		if len(given) != 1 {
			return p, badCursor()
		}
		p.cursor = given[0]
	}
	p.tags = query["tag"]
	return p, nil
}

// readLimit clamps a page limit that is too large, even beyond any integer: the
// draft lets a server offer fewer items than were asked for.
func readLimit(text string) (int, *tool.Error) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, badLimit()
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return largestPage, nil //nolint:nilerr // digits alone that do not fit are more than any page
	}
	if n < 1 {
		return 0, badLimit()
	}
	return min(n, largestPage), nil
}

func badLimit() *tool.Error {
	return &tool.Error{Kind: tool.KindBadRequest, Code: "invalid_page_limit", Message: "pageLimit must be a whole number, at least 1."}
}

func badCursor() *tool.Error {
	return &tool.Error{Kind: tool.KindBadRequest, Code: "invalid_cursor",
		Message: "The cursor is not one of this list as it is now. Begin again without pageCursor."}
}

// A cursor is opaque: 12 bytes of a digest of the list, 4 bytes of position.
// The digest covers the catalogue and the filter, so that a cursor of an older
// catalogue or of another list is refused and does not skip or repeat tools. It
// needs no signature: whoever makes one up sees nothing but the public list.
const cursorDigest = 12

func cursorScope(catalogue [sha256.Size]byte, scope string) [cursorDigest]byte {
	sum := sha256.Sum256(append(catalogue[:], scope...))
	return [cursorDigest]byte(sum[:cursorDigest])
}

func writeCursor(scope [cursorDigest]byte, at int) string {
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(scope[:], uint32(at)))
}

// readCursor returns the position of a cursor in a list of n items. The empty
// cursor is the first page.
func readCursor(scope [cursorDigest]byte, cursor string, n int) (int, *tool.Error) {
	if cursor == "" {
		return 0, nil
	}
	// Strict: trailing bits must be zero, so each position has one spelling.
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) != cursorDigest+4 || !bytes.Equal(raw[:cursorDigest], scope[:]) {
		return 0, badCursor()
	}
	at := binary.BigEndian.Uint32(raw[cursorDigest:])
	if at == 0 || int64(at) >= int64(n) {
		return 0, badCursor()
	}
	return int(at), nil
}

// listPage composes one page of a list from its items.
func listPage(items []*stored, start, limit int, scope [cursorDigest]byte) ([]byte, error) {
	end := min(start+limit, len(items))
	b, err := appendStored([]byte(`{"items":[`), end-start, func(i int) *stored { return items[start+i] })
	if err != nil {
		return nil, err
	}
	b = append(b, `],"paging":{"pageLimit":`...)
	b = strconv.AppendInt(b, int64(limit), 10)
	b = append(b, `,"next":`...)
	if end < len(items) {
		b = value.AppendText(b, writeCursor(scope, end))
	} else {
		b = append(b, "null"...) // falsy everywhere: "" would look like more pages
	}
	return append(b, "}}"...), nil
}

// mostPages bounds the pages that are kept.
const mostPages = 64

// pages are composed once, as long as few different ones are asked for.
type pages struct {
	mu   sync.Mutex
	kept map[pageKey]lazyList
}

// A pageKey names a page: its list, where it begins, and how long it may be.
type pageKey struct {
	scope        [cursorDigest]byte
	start, limit int
}

func (p *pages) get(key pageKey, compose func() ([]byte, error)) lazyList {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.kept[key]
	if l != nil {
		return l
	}
	if p.kept == nil || len(p.kept) == mostPages {
		p.kept = map[pageKey]lazyList{}
	}
	l = newLazyList(compose)
	p.kept[key] = l
	return l
}

// tagScope names a tag filter, whatever the order of the tags.
func tagScope(tags []string) string {
	if len(tags) == 0 {
		return "tools"
	}
	sorted := slices.Clone(tags)
	slices.Sort(sorted)
	return "tools\x00" + strings.Join(slices.Compact(sorted), "\x00")
}

func compactJSON(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
