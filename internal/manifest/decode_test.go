package manifest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// destinations walks the table and the types that it is decoded into side by
// side.
type destinations struct {
	*testing.T
	// filled are the tagged fields that some row of the table fills.
	filled map[reflect.Type]map[string]bool
}

// tagged returns the fields of a struct with a key, those of embedded structs
// among them.
func tagged(typ reflect.Type) map[string]reflect.StructField {
	out := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(typ) {
		if tag, ok := f.Tag.Lookup("key"); ok {
			out[tag] = f
		}
	}
	return out
}

// object holds the keys of an object against the structs that it is decoded
// into.
func (d *destinations) object(path string, l *level, types ...reflect.Type) {
	for _, typ := range types {
		if d.filled[typ] == nil {
			d.filled[typ] = map[string]bool{}
		}
	}
	for _, name := range l.names {
		found := false
		for _, typ := range types {
			for _, tag := range []string{name, name + ",short"} {
				if f, ok := tagged(typ)[tag]; ok {
					found, d.filled[typ][tag] = true, true
					d.member(path+"."+name, l.below[name], f.Type)
				}
			}
		}
		k := l.below[name].key
		if only := len(k.Values) == 1 || k.Type == Int && k.Least == k.Most && k.Most != 0; !found && !only {
			d.Errorf("no field of %v has the key %s", types, path+"."+name)
		}
	}
	for _, typ := range types {
		short := slices.ContainsFunc(reflect.VisibleFields(typ), func(f reflect.StructField) bool { return strings.HasSuffix(f.Tag.Get("key"), ",short") })
		if short != (l.key.Short != "") {
			d.Errorf("%s: %v has a field for the short form: %t", path, typ, short)
		}
	}
}

func (d *destinations) member(path string, l *level, typ reflect.Type) {
	want := reflect.TypeFor[Scalar]()
	switch l.key.Type {
	case Any:
		want = reflect.TypeFor[*Node]()
	case Object:
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		d.object(path, l, typ)
		return
	case List, Map:
		item := l.below["*"]
		switch {
		case item.key.Type == Object && typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Pointer:
			d.entry(path+".*", l, typ.Elem().Elem())
			return
		case l.key.Type == List:
			want = reflect.TypeFor[[]Scalar]()
		default:
			want = reflect.TypeFor[[]Pair]()
		}
	}
	if typ != want {
		d.Errorf("%s is a %s and goes into a %v, want %v", path, l.key.Type, typ, want)
	}
}

func (d *destinations) entry(path string, l *level, typ reflect.Type) {
	if _, named := tagged(typ)["*"]; named != (l.key.Type == Map) {
		d.Errorf("%s: %v has a field for the name: %t", path, typ, named)
	}
	types := []reflect.Type{typ}
	if path == "manifest.tools.*" {
		types = append(types, reflect.TypeFor[Step]()) // the short form
	}
	d.object(path, l.below["*"], types...)
}

// TestKeysHaveDestinations holds the key table against the types that it fills:
// every key that works goes into a field of its form, and every tag is a key.
func TestKeysHaveDestinations(t *testing.T) {
	d := &destinations{t, map[reflect.Type]map[string]bool{}}
	d.object("manifest", table, reflect.TypeFor[Manifest]())
	for typ, filled := range d.filled {
		for tag := range tagged(typ) {
			if !filled[tag] && tag != "*" && tag != ",short" {
				t.Errorf("%v has the key %q, which no row of the table has", typ, tag)
			}
		}
	}
}

// TestKeysHaveShares sees to it that nobody forgets to say what the plan of a
// release keeps of a new key: a digest would change, or stay, silently.
func TestKeysHaveShares(t *testing.T) {
	var walk func(path string, l *level)
	walk = func(path string, l *level) {
		for name, below := range l.below {
			share := below.key.Plan
			switch {
			case share == Undecided, (share == Used) != (l == table && slices.Contains([]string{"env", "apis", "constants", "flows"}, name)):
				t.Errorf("%s.%s has the share %d", path, name, share)
			case share == Mixed:
				walk(path+"."+name, below)
			}
		}
	}
	walk("manifest", table)
}
