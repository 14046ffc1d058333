package conform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared reads a document that somebody else wrote, and skips where there are
// none.
func shared(t *testing.T, name string) doc {
	t.Helper()
	dir := os.Getenv("SCULPT_SHARED")
	if dir == "" {
		t.Skip("the shared documents are not at hand: set SCULPT_SHARED")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "protocols", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return object(parse(raw))
}

// TestSharedSignatures: signatures that others wrote, each wrong in one way, miss
// the clause of that way; the right ones miss none.
func TestSharedSignatures(t *testing.T) {
	for name, want := range map[string][]string{
		"a2t/invalid/allowed-values-object.json":  {"a2t-6.1-allowed-values"},
		"a2t/invalid/description-2000-chars.json": {"a2t-6.1-description-length"},
		"a2t/invalid/enum-value-lower-case.json":  {"a2t-6.1-enum-names"},
		"a2t/invalid/enum-without-values.json":    {"a2t-6.1-allowed-values"},
		"a2t/invalid/json-input.json":             {"a2t-6.1-input-type"},
		"a2t/invalid/name-255-chars.json":         {"a2t-6.1-name-length"},
		"a2t/invalid/name-not-snake.json":         {"a2t-6.1-name-snake-case"},
		"a2t/invalid/number-input.json":           {"a2t-6.1-input-type"},
		"a2t/invalid/tool-id-not-uuid.json":       {"a2t-6.1-tool-id"},
		"a2t/invalid/version-zero.json":           {"a2t-6.1-version-positive", "a2t-6.1-latest"}, // its currentVersion is 2
		// The figure of the text has quotes, and bounds may be left out.
		"a2t/invalid/version-string.json":     nil,
		"a2t/invalid/int-without-bounds.json": nil,
		"golden/a2t/signature-v2.json":        nil,
	} {
		// The newest version alone is judged: the files have no others.
		s := suite[a2tModel]{protocol: "a2t", render: func(m *a2tModel) stub { return serveOne(m.tools[0][0]) }}
		s.build = func() *a2tModel { return &a2tModel{[][]doc{{shared(t, name)}}} }
		got := slices.DeleteFunc(failing(s.judge(t, s.broken(nil))), func(id string) bool { return id == "a2t-6.1-version-monotonic" })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v fail, want %v", name, got, want)
		}
	}
}

// serveOne serves one signature at every route.
func serveOne(m doc) stub {
	path := "/tools/" + text(m["toolId"])
	n := strings.Trim(compact(m["version"]), `"`)
	list := page([]any{m}, 50, nil)
	return stub{
		get("/tools"): list, get(path): {Status: 200, Body: m}, get(path + "/versions"): list, get(path + "/versions/" + n): {Status: 200, Body: m},
	}
}

// TestSharedDescriptions does the same for ATIP.
func TestSharedDescriptions(t *testing.T) {
	for name, want := range map[string][]string{
		"golden/atip/weather.json":                                nil,
		"atip/lint-fixtures/valid/complete.json":                  nil,
		"atip/lint-fixtures/valid/minimal.json":                   nil,
		"atip/lint-fixtures/invalid/missing-required-fields.json": {"atip-3.4-arguments", "atip-3.5-options", "atip-3.7-types"},
		"atip/lint-fixtures/invalid/invalid-effects-values.json":  {"atip-3.6-effects"},
	} {
		m := shared(t, name)
		var r recording
		recordATIP(func(...string) *exchange { return &exchange{key: "--agent", body: []byte(compact(m)), doc: m} }, text(m["name"]), &r)
		r.atip.depth, r.atip.commands = nil, nil
		got := failing(judge("atip", name, atipRows, &r))
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v fail, want %v\n%s", name, got, want, sawOf(judge("atip", name, atipRows, &r)))
		}
	}
}

// TestSharedLists: lists and descriptors that others wrote miss nothing of what
// is said of lists.
func TestSharedLists(t *testing.T) {
	for name, words := range map[string][]string{
		"golden/otc/list-otc-1.0.json": {"otc"}, "golden/otc/list-oxp-1.0.json": {"oxp"}, "golden/otc/list-dual.json": {"otc", "oxp"},
	} {
		for _, word := range words {
			list := answer{Status: 200, Body: shared(t, name)}
			s := suite[struct{}]{protocol: word}
			report := s.judge(t, stub{get("/health"): {Status: 200}, get("/tools"): list, "GET /tools\n" + compact(doc{"$schema": otcForms[word].schema}): list})
			if got := failing(report); len(got) > 0 {
				t.Errorf("%s by %s:\n%s", name, word, sawOf(report))
			}
		}
	}
	for _, name := range []string{
		"atdf/upstream-examples/hole_maker.json", "atdf/upstream-examples/enhanced_hole_maker.json", "atdf/upstream-examples/text_translator_en.json",
		"golden/atdf/basic.json", "golden/atdf/enhanced.json",
	} {
		s := suite[atdfModel]{protocol: "atdf"}
		report := s.judge(t, serveATDF(&atdfModel{[]doc{shared(t, name)}}))
		if got := failing(report); len(got) > 0 {
			t.Errorf("%s:\n%s", name, sawOf(report))
		}
	}
}
