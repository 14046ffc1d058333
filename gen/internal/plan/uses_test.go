package plan

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
)

// fillValues gives every place of a value in v a variable of its own: v1, v2, …
// Lists get two elements; pointers are followed to a depth, and a node at the end
// of them is a plain value.
func fillValues(v reflect.Value, depth int, count *int) {
	if v.Type() == reflect.TypeFor[lower.Value]() {
		*count++
		v.Set(reflect.ValueOf(lower.Local{Name: fmt.Sprint("v", *count)}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "Cases", "Read", "Type": // no part of the request
			default:
				fillValues(v.Field(i), depth, count)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if depth > 0 {
			fillValues(v.Elem(), depth-1, count)
		} else if v.Type() == reflect.TypeFor[*BodyNode]() {
			fillValues(v.Elem().FieldByName("Value"), 0, count)
		}
	case reflect.Slice:
		for range 2 {
			elem := reflect.New(v.Type().Elem()).Elem()
			fillValues(elem, depth, count)
			v.Set(reflect.Append(v, elem))
		}
	}
}

// A variable that a call reads anywhere must not go as unread: what is generated
// would not compile.
func TestEveryValueOfACallIsUsed(t *testing.T) {
	for depth := 1; depth < 5; depth++ {
		count := 0
		k := &Call{}
		fillValues(reflect.ValueOf(k).Elem(), depth, &count)
		k.Keep = "kept"
		used := map[string]bool{}
		for _, v := range k.uses() {
			if v != nil {
				used[v.(lower.Local).Name] = true
			}
		}
		if !used["kept"] {
			t.Error("what is kept of the answer is not used")
		}
		names := namesIn(reflect.ValueOf(k))
		if len(names) != count || count < 8*depth {
			t.Fatalf("depth %d: %d values, %d found", depth, count, len(names))
		}
		for _, name := range names {
			if !used[name] {
				t.Errorf("depth %d: %s is not used", depth, name)
			}
		}
		if k.Keep = ""; slices.Contains(k.uses(), lower.Value(lower.Local{})) {
			t.Error("nothing is kept, and is used")
		}
	}
}

// namesIn lists the variables in what fillValues made.
func namesIn(v reflect.Value) (out []string) {
	switch v.Kind() {
	case reflect.Interface:
		if local, ok := reflect.TypeAssert[lower.Local](v); ok {
			out = append(out, local.Name)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return namesIn(v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			out = append(out, namesIn(field)...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			out = append(out, namesIn(v.Index(i))...)
		}
	}
	return out
}
