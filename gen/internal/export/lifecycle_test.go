package export_test

import (
	"strings"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/export"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// TestDeprecated: every document of a tool that is to end says so, in words or
// in members, in every version, and what is locked does not.
func TestDeprecated(t *testing.T) {
	v1, v2 := weather()
	locked := string(v2.Canonical()) + string(v2.Contract(nil)) + v2.Digest()
	d := signature.Deprecation{Since: "2027-03-01", Sunset: "2027-09-01", Use: "look_up_sky"}
	v1.Notes.Deprecated, v2.Notes.Deprecated = d, d
	v2.Description = strings.Repeat("Tell the weather of a city, and more of it. ", 40) // longer than some formats allow
	files := documents(t, v1, v2)
	newJudges(t).judge(t, files)
	files["openapi"] = export.OpenAPI(export.Face{Toolkit: "Weather"}, []*signature.Signature{v1, v2}).Data
	files["atip"] = export.ATIP(export.Program{Name: "weather"}, []*signature.Signature{v1, v2}).Data
	const words = "Deprecated from 2027-03-01 on. Not available from 2027-09-01 on. Use look_up_sky instead."
	for name, data := range files {
		want := words
		if strings.HasPrefix(name, "a2t/") {
			want = `"deprecated":{"since":"2027-03-01","sunset":"2027-09-01","use":"look_up_sky"},"currentVersion":2}`
		}
		if !strings.Contains(string(data), want) {
			t.Errorf("%s does not say %s", name, want)
		}
	}
	for name, member := range map[string]string{
		"openapi": `"deprecated": true`, "atip": `"x-deprecated": true`,
		"atdf/" + v2.Name + ".enhanced.json": `"deprecated":{"since":"2027-03-01","sunset":"2027-09-01","use":"look_up_sky"}}`,
	} {
		if !strings.Contains(string(files[name]), member) {
			t.Errorf("%s has no %s", name, member)
		}
	}
	_, plain := weather()
	if got := string(plain.Canonical()) + string(plain.Contract(nil)) + plain.Digest(); got != locked || strings.Contains(string(v1.Canonical()), "2027") {
		t.Error("what is locked tells of the end")
	}
	if read, err := signature.Parse(v1.Document(2)); err != nil || read.Notes.Deprecated != d {
		t.Errorf("reading the document gives %+v, %v", read, err)
	}
}

// TestDeprecationWords: what is not announced is not said.
func TestDeprecationWords(t *testing.T) {
	for d, want := range map[signature.Deprecation]string{
		{}:                                 "",
		{Since: "2027-03-01"}:              "Deprecated from 2027-03-01 on.",
		{Since: "2027-03-01", Use: "sky"}:  "Deprecated from 2027-03-01 on. Use sky instead.",
		{Sunset: "2027-09-01", Use: "sky"}: "Deprecated. Not available from 2027-09-01 on. Use sky instead.",
	} {
		if got := d.Words(); got != want {
			t.Errorf("%+v: %q, want %q", d, got, want)
		}
	}
}
