package front

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// Dump writes a value with all that it refers to, in exported fields, one line
// for each part that is not zero. What was written already is named by its
// number, so that circles end and what is shared shows.
func Dump(v any) string {
	d := dumper{seen: map[any]int{}}
	d.value("", reflect.ValueOf(v))
	return d.String()
}

type dumper struct {
	strings.Builder
	seen map[any]int
}

func (d *dumper) line(indent, text string) { fmt.Fprintf(d, "%s%s\n", indent, text) }

func (d *dumper) value(indent string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		d.line(indent, "nil")
	case reflect.Pointer:
		d.pointer(indent, v)
	case reflect.Interface:
		d.value(indent, v.Elem())
	case reflect.Struct:
		d.fields(indent, v)
	case reflect.Slice, reflect.Array:
		if raw, ok := reflect.TypeAssert[[]byte](v); ok {
			d.line(indent, strconv.Quote(string(raw)))
			return
		}
		for i := range v.Len() {
			d.line(indent, "-")
			d.value(indent+" ", v.Index(i))
		}
	case reflect.Map:
		d.entries(indent, v)
	case reflect.String:
		d.line(indent, strconv.Quote(v.String()))
	case reflect.Func:
		d.line(indent, "func")
	default:
		d.line(indent, fmt.Sprint(v.Interface()))
	}
}

func (d *dumper) pointer(indent string, v reflect.Value) {
	switch n, known := d.seen[v.Interface()]; {
	case v.IsNil():
		d.line(indent, "nil")
	case known:
		d.line(indent, fmt.Sprintf("*%d", n))
	default:
		d.seen[v.Interface()] = len(d.seen) + 1
		d.line(indent, fmt.Sprintf("&%d", len(d.seen)))
		d.value(indent, v.Elem())
	}
}

func (d *dumper) fields(indent string, v reflect.Value) {
	if words, ok := reflect.TypeAssert[fmt.Stringer](v); ok && v.NumField() > 0 && !v.Type().Field(0).IsExported() {
		d.line(indent, words.String())
		return
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
			d.line(indent, f.Name)
			d.value(indent+" ", v.Field(i))
		}
	}
}

func (d *dumper) entries(indent string, v reflect.Value) {
	names := map[string]reflect.Value{}
	var order []string
	for _, key := range v.MapKeys() {
		name := strings.TrimSuffix(Dump(key.Interface()), "\n")
		names[name], order = key, append(order, name)
	}
	slices.Sort(order)
	for _, name := range order {
		d.line(indent, name+":")
		d.value(indent+" ", v.MapIndex(names[name]))
	}
}

// Findings writes findings as people see them, with what only programs read.
func Findings(fsys fs.FS, findings diag.List) string {
	var b strings.Builder
	err := diag.Text(&b, findings, func(file string) []byte {
		data, _ := fs.ReadFile(fsys, file) // a finding may be about a missing file
		return data
	})
	if err != nil {
		panic(err) // a Builder takes everything
	}
	for _, f := range findings {
		fmt.Fprintf(&b, "%s %v %q %q %d %t %v\n", f.Rule, f.Span, f.Tool, f.Place, f.Version, f.Private, f.Span.End)
	}
	return b.String()
}
