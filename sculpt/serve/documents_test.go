package serve_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

var listPaths = []string{"/a2t/tools", "/nact/tools", "/otc/tools", "/otc/tools?versions=all", "/atdf/tools", "/a2t/tools?pageLimit=2"}

func get(h http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	r.Header = header
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestListsArePacked: who says so gets lists in gzip, with a validator of their
// own, and everybody learns that there are two forms.
func TestListsArePacked(t *testing.T) {
	h, _ := plainServer(t)
	for _, path := range listPaths {
		plain := get(h, "GET", path, http.Header{})
		for accepts, want := range map[string]bool{
			"gzip": true, "br, GZIP;q=0.5": true, "x-gzip": true, "*": true, "gzip;q=1, identity;q=0.5": true, "identity, gzip": true, "gzip, *;q=0": true,
			"br": false, "gzip;q=0": false, "gzip;q=0, *": false, "*;q=0": false, "identity, gzip;q=0.5": false, "": false, "deflate": false, "gzipped": false,
		} {
			w := get(h, "GET", path, http.Header{"Accept-Encoding": {accepts}})
			body, packed := w.Body.Bytes(), w.Header().Get("Content-Encoding") == "gzip"
			if length := w.Header().Get("Content-Length"); length != fmt.Sprint(len(body)) || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s %q: %v", path, accepts, w.Header())
			}
			if packed {
				z, err := gzip.NewReader(bytes.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				if len(body) >= plain.Body.Len() {
					t.Errorf("%s: %d bytes packed, %d plain", path, len(body), plain.Body.Len())
				}
				if body, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			if packed != want || !bytes.Equal(body, plain.Body.Bytes()) || packed == (w.Header().Get("Etag") == plain.Header().Get("Etag")) {
				t.Errorf("%s, Accept-Encoding %q: packed %v, want %v, %v", path, accepts, packed, want, w.Header())
			}
			head := get(h, "HEAD", path, http.Header{"Accept-Encoding": {accepts}})
			if head.Body.Len() != 0 || head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
				t.Errorf("HEAD %s: %v", path, head.Header())
			}
			for _, tag := range []string{w.Header().Get("Etag"), `"x", W/` + w.Header().Get("Etag")} {
				known := get(h, "GET", path, http.Header{"Accept-Encoding": {accepts}, "If-None-Match": {tag}})
				if known.Code != http.StatusNotModified || known.Body.Len() != 0 || known.Header().Get("Etag") != w.Header().Get("Etag") || known.Header().Get("Vary") == "" {
					t.Errorf("%s, known as %s: %d, %v", path, tag, known.Code, known.Header())
				}
			}
		}
	}
	one := get(h, "GET", "/a2t"+lookupPath, http.Header{"Accept-Encoding": {"gzip"}})
	if one.Code != 200 || one.Header().Get("Content-Encoding") != "" || !strings.Contains(one.Body.String(), lookupID) {
		t.Error("a single document:", one.Code, one.Header())
	}
}

// TestChangedDocuments: documents stay where they are, and one that is no longer
// what was judged at start is not shown to anybody.
func TestChangedDocuments(t *testing.T) {
	w := newWeather(t)
	set := w.toolset()
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	docs := set.Docs.(fstest.MapFS)
	for name := range docs {
		docs[name] = &fstest.MapFile{Data: []byte(`{"name":"changed"}`)}
	}
	for _, path := range append(slices.Clone(listPaths), "/a2t"+lookupPath, "/atdf/tools/lookup_weather_by_city") {
		if got := get(h, "GET", path, http.Header{}); got.Code != 500 || strings.Contains(got.Body.String(), "changed") {
			t.Errorf("%s: %d %s", path, got.Code, got.Body)
		}
	}
	list := wireCase{request: mcpPost, body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, status: 200, facts: `error.code=-32603 | id=1`}
	list.check(t, list.send(h))
}

// TestHeapOfTools: what a tool costs a server that nobody has asked for anything
// yet. Its documents have 5 KiB here.
func TestHeapOfTools(t *testing.T) {
	const tools, most = 300, 3 << 10
	set := newWeather(t).toolset()
	pattern := set.Tools[0]
	set.Tools = nil
	for i := range tools {
		one := pattern
		one.ID = fmt.Sprintf("06c324c8-68b5-5df9-8726-%012x", i)
		one.Name, one.ToolName = fmt.Sprintf("tool_%d", i), fmt.Sprintf("Tool%d", i)
		set.Tools = append(set.Tools, one)
	}
	set.Docs = documentsOf(&set)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	h, err := serve.NewHandler([]tool.Toolset{set}, serve.WithLogger(quiet))
	if err != nil {
		t.Fatal(err)
	}
	each := (int64(heap()) - int64(before)) / tools
	runtime.KeepAlive(h)
	runtime.KeepAlive(set)
	t.Logf("%d bytes for each tool", each)
	if each > most {
		t.Errorf("a tool takes %d bytes of the heap, more than %d", each, most)
	}
}
