package ir

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A renderer writes JSON by the tags that encoding/json has (inline is that of
// its second version), with four differences: it knows the types of a program,
// members without a tag are left out, an empty list is [] and never null, and a
// list whose elements have a member with the tag * is an object with these as
// names.
type renderer struct{ bytes.Buffer }

func render(v any) []byte {
	var r renderer
	r.value(reflect.ValueOf(v))
	var out bytes.Buffer
	if err := json.Indent(&out, r.Bytes(), "", "\t"); err != nil {
		panic("ir: " + err.Error()) // a renderer writes JSON
	}
	out.WriteByte('\n')
	return out.Bytes()
}

func (r *renderer) value(v reflect.Value) {
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		r.WriteString("null")
		return
	}
	if other, ok := shown(v.Interface()); ok {
		r.value(reflect.ValueOf(other))
		return
	}
	switch x := v.Interface().(type) {
	case json.RawMessage:
		r.Write(x)
		return
	case Map:
		values := reflect.ValueOf(x.Values)
		r.object(x.Keys, values.Index)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		r.value(v.Elem())
	case reflect.Struct:
		names, values := members(v)
		r.object(names, func(i int) reflect.Value { return values[i] })
	case reflect.Slice:
		r.list(v)
	case reflect.Map:
		var names []string
		for _, key := range v.MapKeys() {
			names = append(names, key.String())
		}
		slices.Sort(names)
		r.object(names, func(i int) reflect.Value { return v.MapIndex(reflect.ValueOf(names[i])) })
	default:
		r.scalar(v.Interface())
	}
}

// members are the names and values of a struct in the order of its fields.
func members(v reflect.Value) (names []string, values []reflect.Value) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		tag, tagged := field.Tag.Lookup("json")
		name, option, _ := strings.Cut(tag, ",")
		switch {
		case option == "inline" || field.Anonymous && !tagged:
			if value.Kind() == reflect.Pointer && value.IsNil() {
				continue
			}
			more, inner := members(reflect.Indirect(value))
			names, values = append(names, more...), append(values, inner...)
		case name == "" || name == "*", option == "omitempty" && isEmpty(value), option == "omitzero" && value.IsZero():
		default:
			names, values = append(names, name), append(values, value)
		}
	}
	return names, values
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func (r *renderer) object(names []string, value func(i int) reflect.Value) {
	r.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			r.WriteByte(',')
		}
		r.scalar(name)
		r.WriteByte(':')
		r.value(value(i))
	}
	r.WriteByte('}')
}

func (r *renderer) list(v reflect.Value) {
	if of := v.Type().Elem(); of.Kind() == reflect.Struct {
		for i := range of.NumField() {
			if of.Field(i).Tag.Get("json") == "*" {
				r.named(v, i)
				return
			}
		}
	}
	r.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			r.WriteByte(',')
		}
		r.value(v.Index(i))
	}
	r.WriteByte(']')
}

// named writes a list as an object, sorted by the field that has the names.
func (r *renderer) named(list reflect.Value, field int) {
	at := map[string]int{}
	for i := range list.Len() {
		at[list.Index(i).Field(field).String()] = i
	}
	names := slices.Sorted(maps.Keys(at))
	r.object(names, func(i int) reflect.Value { return list.Index(at[names[i]]) })
}

func (r *renderer) scalar(v any) {
	e := json.NewEncoder(&r.Buffer)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("ir: " + err.Error()) // texts, numbers and booleans only
	}
	r.Truncate(r.Len() - 1) // the line break of an Encoder
}
