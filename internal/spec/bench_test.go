package spec_test

import (
	"io/fs"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// BenchmarkGitHub loads two of 1,223 operations of a document of 7 MB, and for
// comparison the whole document with kin-openapi alone.
func BenchmarkGitHub(b *testing.B) {
	fsys := corpus(b)
	b.Run("spec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			set, findings := spec.Load(fsys, []spec.Source{{API: "github", File: "openapi/github.json",
				Wants: []spec.Want{{ID: "issues/create"}, {ID: "repos/get"}}}})
			if findings.HasErrors() || len(set.APIs["github"].Operations) != 2 {
				b.Fatal(findings)
			}
		}
	})
	b.Run("kin", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			data, err := fs.ReadFile(fsys, "openapi/github.json")
			if err != nil {
				b.Fatal(err)
			}
			if _, err := openapi3.NewLoader().LoadFromData(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkWeather loads three operations of the weather document.
func BenchmarkWeather(b *testing.B) {
	fsys := corpus(b)
	b.ReportAllocs()
	for b.Loop() {
		_, findings := spec.Load(fsys, []spec.Source{{API: "nws", File: "openapi/nws-3.8.1-clean.json",
			Wants: []spec.Want{{ID: "point"}, {ID: "gridpoint_forecast"}, {ID: "alerts_active"}}}})
		if len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}
