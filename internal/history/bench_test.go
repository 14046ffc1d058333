package history_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/sculpt-tools/sculpt/internal/compat"
	"github.com/sculpt-tools/sculpt/internal/history"
	"github.com/sculpt-tools/sculpt/internal/signature"
)

// BenchmarkCheck reads and checks 1,000 tools with 50 versions each from disk,
// with none and with ten of them about to change. The bound is a second and
// 300 MB on two processors.
func BenchmarkCheck(b *testing.B) {
	const tools, versions = 1000, 50
	root := b.TempDir()
	sides := populate(b, root, tools, versions)
	for _, pending := range []int{0, 10} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			next := make([]*compat.Side, len(sides))
			for i, s := range sides {
				next[i] = s
				if i < pending {
					changed := *s.Signature
					changed.Version++
					changed.Inputs = append(slices.Clip(changed.Inputs), signature.Input{ID: "new", Name: "new", Type: signature.Boolean})
					next[i] = &compat.Side{Signature: &changed, Span: s.Span}
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b.ReportAllocs()
			for b.Loop() {
				h, findings := history.Read(os.DirFS(root), dir)
				findings = append(findings, history.Check(h, next, history.Options{})...)
				if findings.HasErrors() || len(h.Tools) != tools || len(findings) != pending {
					b.Fatal(len(h.Tools), render(findings))
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.Sys)/(1<<20), "MB-sys")
		})
	}
}

// populate writes the histories to disk. One tool is released version by
// version; the others are its records with another name and id, chained anew.
func populate(b *testing.B, root string, tools, versions int) []*compat.Side {
	b.Helper()
	const placeName, placeID = "placeholder", "0479a45d-ad0a-49d4-94db-75edf00d2ca4"
	w := &world{t: b, files: fstest.MapFS{}}
	for v := 1; v <= versions; v++ {
		side := draft(v, inputsOf(v)...)
		side.Signature.Name = placeName
		side.Details.Plan = digest(benchPlan)
		w.files[path.Join(dir, placeName, fmt.Sprintf("v%04d.plan.json", v))] = &fstest.MapFile{Data: benchPlan}
		w.releaseInPieces(side)
	}
	var sides []*compat.Side
	for i := range tools {
		name, id, prev := fmt.Sprintf("tool_%04d", i), fmt.Sprintf("0479a45d-ad0a-49d4-94db-75edf00d%04d", i), ""
		folder := filepath.Join(root, dir, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		for v := 1; v <= versions; v++ {
			file := fmt.Sprintf("v%04d.json", v)
			data := rename.ReplaceAll(w.files[path.Join(dir, placeName, file)].Data, []byte(name))
			data = bytes.ReplaceAll(data, []byte(placeID), []byte(id))
			data = chained.ReplaceAll(data, []byte(`"prev": "`+prev+`"`))
			sum := sha256.Sum256(data)
			prev = "sha256:" + hex.EncodeToString(sum[:])
			plan := filepath.Join(folder, fmt.Sprintf("v%04d.plan.json", v))
			if err := errors.Join(os.WriteFile(filepath.Join(folder, file), data, 0o644), os.WriteFile(plan, benchPlan, 0o644)); err != nil {
				b.Fatal(err)
			}
		}
		side := draft(versions, inputsOf(versions)...)
		side.Signature.Name, side.Signature.ID = name, id
		sides = append(sides, side)
	}
	return sides
}

// benchPlan lies beside every record. The tools of a manifest have no plan yet:
// releases make it.
var benchPlan = []byte("{}\n")

var (
	rename  = regexp.MustCompile(`placeholder`)
	chained = regexp.MustCompile(`"prev": "[^"]*"`)
)

// inputsOf grows a tool by an input every tenth version.
func inputsOf(version int) []string {
	names := []string{"city", "period", "units", "lang"}
	for v := 10; v <= version; v += 10 {
		names = append(names, fmt.Sprintf("more_%02d", v))
	}
	return names
}
