package golang

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"slices"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/plan"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// A File is one generated Go file.
type File struct {
	Name string
	Data []byte
}

type namedFile struct {
	name string
	f    *jen.File
}

// Emit writes the Go files of a package. The same plan gives the same bytes.
// An error is a fault of the generator: the plan holds nothing that cannot be
// written.
func Emit(p *plan.Package) ([]File, error) {
	patterns := collectPatterns(p)
	var files []namedFile
	add := func(name string, f *jen.File) {
		if f != nil {
			files = append(files, namedFile{name, f})
		}
	}
	add("tools_gen.go", toolsFile(p, patterns))
	add("answers_gen.go", answersFile(p))
	add("records_gen.go", recordsFile(p, writtenRecords(p)))
	for _, t := range p.Tools {
		add(t.File, toolFile(p, t, patterns))
	}
	add("places_gen.go", placesFile(p))
	out, errs := make([]File, len(files)), make([]error, len(files))
	var wait sync.WaitGroup
	for i, file := range files { // formatting is most of the work
		wait.Go(func() { out[i], errs[i] = file.render() })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

func (file namedFile) render() (File, error) {
	var b bytes.Buffer
	if err := file.f.Render(&b); err != nil {
		return File{}, fmt.Errorf("%s: %w", file.name, err)
	}
	data, err := format.Source(groupImports(b.Bytes()))
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", file.name, err)
	}
	return File{file.name, data}, nil
}

// groupImports puts the standard library before everything else.
func groupImports(src []byte) []byte {
	const open, end = "import (\n", "\n)\n"
	start := bytes.Index(src, []byte(open))
	if start < 0 {
		return src
	}
	start += len(open)
	length := bytes.Index(src[start:], []byte(end))
	var std, other []string
	for line := range strings.SplitSeq(string(src[start:start+length]), "\n") {
		if strings.Contains(line, ".") {
			other = append(other, line)
			continue
		}
		std = append(std, line)
	}
	if len(std) == 0 || len(other) == 0 {
		return src
	}
	block := strings.Join(std, "\n") + "\n\n" + strings.Join(other, "\n")
	return slices.Concat(src[:start], []byte(block), src[start+length:])
}

// A recordUse is a record that is encoded: for callers, whose texts are cleaned,
// or for a backend, which gets them as they are.
type recordUse struct {
	record *plan.Struct
	clean  bool
}

// writtenRecords finds the records that are encoded somewhere.
func writtenRecords(p *plan.Package) map[recordUse]bool {
	out := map[recordUse]bool{}
	var see func(t *types.Type, clean bool)
	see = func(t *types.Type, clean bool) {
		switch t.Kind {
		case types.List, types.Map, types.Optional:
			see(t.Elem, clean)
		case types.Object:
			if use := (recordUse{p.RecordFields(t), clean}); t.Record && !out[use] {
				out[use] = true
				for _, f := range t.Fields {
					see(f.Type, clean)
				}
			}
		}
	}
	for _, t := range p.Chains() {
		for _, f := range t.Output.Fields {
			see(f.Of, true)
		}
		eachCall(t.Body, func(c *plan.Call, _ bool) {
			for _, document := range c.Documents() {
				eachBodyType(document.Root, func(t *types.Type) { see(t, false) })
			}
		})
	}
	return out
}

// eachCall calls f for every call of a chain; sure says that it is made
// exactly once wherever the chain gets that far.
func eachCall(b *lower.Block, f func(c *plan.Call, sure bool)) { callsIn(b, true, f) }

func callsIn(b *lower.Block, sure bool, f func(*plan.Call, bool)) {
	for _, st := range b.Stmts {
		within := false
		if node, ok := st.(lower.Node); ok {
			if c, ok := node.Data.(*plan.Call); ok {
				f(c, sure)
			}
			switch node.Data.(type) {
			case *plan.Each, *plan.Rounds:
			default:
				within = sure
			}
		}
		for _, inner := range lower.Blocks(st) {
			callsIn(inner, within, f)
		}
	}
}

func eachBodyType(n *plan.BodyNode, f func(*types.Type)) {
	if n.Type != nil {
		f(n.Type)
	}
	for _, m := range n.Members {
		eachBodyType(m.Value, f)
	}
	for _, i := range n.Items {
		eachBodyType(i, f)
	}
}
