package manifest

import (
	"reflect"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// decode fills a struct from a checked node. A field that is tagged with a key
// gets what is written under it, in the form that its type has:
//
//	Title   Scalar   `key:"title"`      a scalar
//	Tags    []Scalar `key:"tags"`       a list of scalars
//	Headers []Pair   `key:"headers"`    a map, as it is written
//	Body    *Node    `key:"body"`       anything
//	From    *From    `key:"from"`       an object, nil for none; or a struct
//	Steps   []*Step  `key:"steps"`      a map or a list of objects
//	Name    Scalar   `key:"*"`          the name of the object in its map
//	Text    Scalar   `key:"text,short"` a scalar that is written for the object, too
//
// A diag.Span gets the place of the object, from its name on where it has one.
// The keys of an embedded struct are those of the struct around it. Nothing is
// checked here: package tests hold the tags against the table of keys.
func decode(into reflect.Value, name Scalar, n *Node) {
	for i := range into.NumField() {
		field, value := into.Type().Field(i), into.Field(i)
		key, option, _ := strings.Cut(field.Tag.Get("key"), ",")
		switch {
		case field.Anonymous:
			decode(value, name, n)
		case field.Type == reflect.TypeFor[diag.Span]():
			value.Set(reflect.ValueOf(objectSpan(name, n)))
		case key == "*":
			value.Set(reflect.ValueOf(name))
		case option == "short" && n.Kind == ScalarNode:
			value.Set(reflect.ValueOf(n.Scalar))
		case key != "":
			if member := n.member(key); member != nil {
				decodeMember(value, member)
			}
		}
	}
}

func objectSpan(name Scalar, n *Node) diag.Span {
	if !name.IsSet() {
		return n.Span
	}
	return diag.Span{File: name.Span.File, Start: name.Span.Start, End: n.Span.End}
}

func decodeMember(into reflect.Value, n *Node) {
	switch v := into.Addr().Interface().(type) {
	case *Scalar:
		*v = n.Scalar
		return
	case *[]Pair:
		*v = n.Members
		return
	case **Node:
		*v = n
		return
	case *[]Scalar:
		for i := range n.Items {
			*v = append(*v, n.Items[i].Scalar)
		}
		return
	}
	switch into.Kind() {
	case reflect.Struct:
		decode(into, Scalar{}, n)
	case reflect.Pointer:
		into.Set(decoded(into.Type(), Scalar{}, n))
	default:
		for i := range n.Members {
			into.Set(reflect.Append(into, decoded(into.Type().Elem(), n.Members[i].Key, &n.Members[i].Value)))
		}
		for i := range n.Items {
			into.Set(reflect.Append(into, decoded(into.Type().Elem(), Scalar{}, &n.Items[i])))
		}
	}
}

// decoded makes a struct of a pointer type and fills it.
func decoded(pointer reflect.Type, name Scalar, n *Node) reflect.Value {
	out := reflect.New(pointer.Elem())
	decode(out.Elem(), name, n)
	return out
}
