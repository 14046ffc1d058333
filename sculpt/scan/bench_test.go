//go:build unix

package scan

import (
	"bytes"
	"slices"
	"syscall"
	"testing"
)

// BenchmarkDecode decodes and skips texts of common forms.
func BenchmarkDecode(b *testing.B) {
	for _, shape := range shapes() {
		for name, run := range ways(shape) {
			b.Run(shape.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(shape.text)))
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
	}
}

// ways are what is measured of a shape.
func ways(of shape) map[string]func() {
	r := bytes.NewReader(nil)
	return map[string]func(){
		"reader": func() {
			r.Reset(of.text)
			s := NewReader(r, Limits{})
			of.scan(s)
			s.Release()
		},
		"bytes": func() {
			s := NewBytes(of.text, Limits{})
			of.scan(s)
			s.Release()
		},
		"skip": func() {
			s := NewBytes(of.text, Limits{})
			s.Skip()
			s.Release()
		},
		"json": func() { _, _ = of.json(of.text) },
	}
}

// BenchmarkRatio reports the times of decoding and of skipping as shares of
// encoding/json with the same fields, the medians of interleaved rounds: on a
// shared machine only ratios of processor time say something.
func BenchmarkRatio(b *testing.B) {
	for _, shape := range shapes() {
		b.Run(shape.name, func(b *testing.B) {
			run := ways(shape)
			ratios := map[string][]float64{}
			times := max(1, 400_000/len(shape.text))
			for b.Loop() {
				theirs := quickest(times, run["json"])
				for _, way := range []string{"reader", "bytes", "skip"} {
					ratios[way] = append(ratios[way], float64(quickest(times, run[way]))/float64(theirs))
				}
			}
			for way, all := range ratios {
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], way)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// quickest is the shortest processor time of a few equal rounds.
func quickest(times int, run func()) int64 {
	best := int64(-1)
	for range 3 {
		begin := processorTime()
		for range times {
			run()
		}
		if took := processorTime() - begin; best < 0 || took < best {
			best = took
		}
	}
	return best
}

func processorTime() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}
