package plan

import (
	"slices"
	"strings"

	"github.com/sculpt-tools/sculpt/gen/internal/lower"
	"github.com/sculpt-tools/sculpt/gen/internal/naming"
	"github.com/sculpt-tools/sculpt/internal/expr"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// typeTable knows the Go type of every type of the program. Structs hold only
// the fields that expressions touch.
type typeTable struct {
	scope   *naming.Scope
	touched map[*types.Type]map[string]bool
	narrows map[*types.Type]map[types.Kind]bool
	extras  map[*types.Type]*types.Type
	structs map[*types.Type]*Struct
	unions  map[*types.Type]*Union
	records []*Struct
	demand  *demand
	// open are the objects and unions that are being planned: a member that is one
	// of them holds its own type.
	open map[*types.Type]bool
	// These keep structs, unions and answers in the order they are found.
	answers []*Struct
	all     []*Union
	wholes  []*Whole
}

func newTypeTable(scope *naming.Scope) *typeTable {
	return &typeTable{
		scope: scope, touched: map[*types.Type]map[string]bool{}, narrows: map[*types.Type]map[types.Kind]bool{}, extras: map[*types.Type]*types.Type{},
		structs: map[*types.Type]*Struct{}, unions: map[*types.Type]*Union{}, open: map[*types.Type]bool{},
	}
}

// touch notes the fields and variants that a term reads.
func (tt *typeTable) touch(term *expr.Term) {
	term.Walk(func(t *expr.Term) bool {
		switch t.Op {
		case expr.OpField, expr.OpOptField, expr.OpHas:
			if obj := elemOf(t.Args[0].Type); obj.Kind == types.Object && !obj.Record {
				add(tt.touched, obj, t.Name)
			}
		case expr.OpNarrow:
			add(tt.narrows, elemOf(t.Args[0].Type), elemOf(t.Type).Kind)
		case expr.OpCall:
			if t.Name == "extra" {
				tt.extras[t.Args[0].Type] = t.Type
			}
		}
		return true
	})
}

func elemOf(t *types.Type) *types.Type {
	if t.Kind == types.Optional {
		return t.Elem
	}
	return t
}

func add[K, V comparable](m map[K]map[V]bool, k K, v V) {
	if m[k] == nil {
		m[k] = map[V]bool{}
	}
	m[k][v] = true
}

func named(name string) GoType          { return GoType{Form: Named, Name: name} }
func qualified(pkg, name string) GoType { return GoType{Form: Named, Pkg: pkg, Name: name} }
func pointer(t GoType) GoType           { return GoType{Form: Pointer, Elem: &t} }
func optional(t GoType) GoType          { return GoType{Form: Optional, Elem: &t} }
func slice(t GoType) GoType             { return GoType{Form: Slice, Elem: &t} }
func mapping(k, v GoType) GoType        { return GoType{Form: Mapping, Key: &k, Elem: &v} }

var scalarNames = map[types.Kind]GoType{
	types.Bool: named("bool"), types.Int: named("int64"), types.Uint: named("uint64"), types.Double: named("float64"),
	types.String: named("string"), types.Bytes: slice(named("byte")), types.Timestamp: qualified("time", "Time"),
	types.Duration: qualified("time", "Duration"), types.Dyn: named("any"), types.Null: named("any"),
}

// GoType returns the Go type of a value of type t; with optional, the form of
// it that can be nil.
func (p *Package) GoType(t *types.Type, optional bool) GoType { return p.types.goType(t, optional) }

func (tt *typeTable) goType(t *types.Type, optional bool) GoType {
	if t.Kind == types.Optional {
		return tt.goType(t.Elem, true)
	}
	if optional && !lower.Nilable(t) {
		return pointer(tt.goType(t, false))
	}
	switch t.Kind {
	case types.List:
		return slice(tt.goType(t.Elem, t.NullableElem))
	case types.Map:
		return mapping(tt.goType(t.Key, false), tt.goType(t.Elem, t.NullableElem))
	case types.Object:
		if t.Record {
			return named(tt.record(t, "record").Name)
		}
		return pointer(named(tt.object(t, "").Name))
	case types.Union:
		return pointer(named(tt.union(t, "").Name))
	}
	if g, ok := scalarNames[t.Kind]; ok {
		return g
	}
	panic("plan: no Go type for " + t.String())
}

// object plans the struct of a schema object. api prefixes its name.
func (tt *typeTable) object(t *types.Type, api string) *Struct {
	if s := tt.structs[t]; s != nil {
		return s
	}
	name := tt.scope.Unique(naming.Local(api + " " + orObject(t.Name)))
	s := &Struct{Name: name, Doc: t.Name, Type: t, Scan: tt.scope.Unique("scan" + upper(name))}
	tt.structs[t], tt.open[t] = s, true
	defer delete(tt.open, t)
	tt.answers = append(tt.answers, s)
	fields := naming.NewScope(nil)
	for _, f := range t.Fields {
		if !tt.touched[t][f.Name] {
			s.Listed = append(s.Listed, f.Name)
			continue
		}
		tt.reach(f.Type, api)
		read := tt.member(f.Type).first(tt.demand.of(source{object: t, name: f.Name}))
		s.Fields = append(s.Fields, Field{Name: fields.Unique(naming.Local(f.Name)), Wire: f.Name, Type: read.Type, Read: read})
	}
	if extra := tt.extras[t]; extra != nil {
		tt.reach(extra, api)
		s.Extra = &Field{Name: fields.Unique("extra"), Type: tt.goType(extra, false), Read: tt.whole(extra.Elem, extra.NullableElem)}
	} else if len(s.Fields) > 0 {
		s.Keys = tt.scope.Unique(name + "Keys")
	}
	return s
}

func orObject(name string) string {
	if name == "" {
		return "Object"
	}
	return name
}

func upper(name string) string { return naming.Exported(name) }

// reach plans everything that a type holds, so that names carry the api.
func (tt *typeTable) reach(t *types.Type, api string) {
	switch t.Kind {
	case types.List, types.Map, types.Optional:
		tt.reach(t.Elem, api)
	case types.Object:
		if !t.Record {
			tt.object(t, api)
		}
	case types.Union:
		tt.union(t, api)
	}
}

var unionNames = map[types.Kind]string{
	types.Bool: "boolean", types.Int: "integer", types.Double: "number", types.String: "text", types.List: "list",
	types.Map: "object", types.Object: "object",
}

var unionKinds = map[types.Kind][]string{
	types.Bool: {"Bool"}, types.Int: {"Number"}, types.Double: {"Number"}, types.String: {"String"}, types.List: {"Array"},
	types.Map: {"Object"}, types.Object: {"Object"},
}

// union plans the struct of a value with several JSON kinds: a member for each
// kind that an expression asks for.
func (tt *typeTable) union(t *types.Type, api string) *Union {
	if u := tt.unions[t]; u != nil {
		return u
	}
	name := tt.scope.Unique(naming.Local(api + " " + unionName(t)))
	u := &Union{Name: name, Scan: tt.scope.Unique("scan" + upper(name)), Doc: t.String()}
	tt.unions[t], tt.open[t] = u, true
	defer delete(tt.open, t)
	tt.all = append(tt.all, u)
	for _, v := range t.Variants {
		if !tt.narrows[t][v.Kind] {
			continue
		}
		tt.reach(v, api)
		read := tt.member(v)
		u.Fields = append(u.Fields, UnionField{Name: unionNames[v.Kind], Kinds: unionKinds[v.Kind], Type: read.Type, Read: read})
	}
	return u
}

func unionName(t *types.Type) string {
	if t.Name != "" {
		return t.Name
	}
	var name strings.Builder
	for _, v := range t.Variants {
		name.WriteString(" " + unionNames[v.Kind])
	}
	return name.String() + " value"
}

// record plans the struct of a record literal; equal shapes share one.
func (tt *typeTable) record(t *types.Type, hint string) *Struct {
	for _, s := range tt.records {
		if types.Same(s.Type, t) {
			return s
		}
	}
	s := &Struct{Name: tt.scope.Unique(hint), Type: t}
	tt.records = append(tt.records, s)
	exported := s.Name == naming.Exported(s.Name)
	fields := naming.NewScope(nil)
	for _, f := range t.Fields {
		name := naming.Local(f.Name)
		if exported {
			name = naming.Exported(f.Name)
		}
		tt.recordsIn(f.Type, hint+naming.Exported(f.Name))
		s.Fields = append(s.Fields, Field{
			Name: fields.Unique(name), Wire: f.Name, Type: tt.goType(f.Type, f.Optional), Optional: f.Optional, Of: f.Type,
		})
	}
	return s
}

// recordsIn plans the records inside an output, with names made from its name.
func (tt *typeTable) recordsIn(t *types.Type, hint string) {
	switch t.Kind {
	case types.List, types.Map:
		tt.recordsIn(t.Elem, hint+"Item")
	case types.Optional:
		tt.recordsIn(t.Elem, hint)
	case types.Object:
		if t.Record {
			tt.record(t, hint)
		}
	}
}

var scalarMethods = map[types.Kind]string{
	types.Bool: "Bool", types.Int: "Int", types.Double: "Float", types.String: "Text", types.Dyn: "Any", types.Null: "Any",
}

// value says how a value of type t is decoded that is not null. Lists and maps take a null as nil.
func (tt *typeTable) value(t *types.Type) Reader {
	switch t.Kind {
	case types.List:
		return tt.list(t)
	case types.Map:
		return around("Map", tt.whole(t.Elem, t.NullableElem), tt.goType(t, false))
	case types.Object, types.Union:
		return Reader{Form: ByDecoder, Name: tt.scanFunc(t), Type: *tt.goType(t, false).Elem}
	}
	return Reader{Name: scalarMethods[t.Kind], Type: tt.goType(t, false)}
}

// list reads objects as values, which are beside each other then, and points to them.
func (tt *typeTable) list(t *types.Type) Reader {
	if k := t.Elem.Kind; t.NullableElem || k != types.Object && k != types.Union {
		return around("List", tt.whole(t.Elem, t.NullableElem), tt.goType(t, false))
	}
	elem := tt.value(t.Elem)
	return around("Pointers", around("List", elem, slice(elem.Type)), tt.goType(t, false))
}

func around(name string, elem Reader, t GoType) Reader {
	return Reader{Form: Around, Name: name, Elem: &elem, Type: t}
}

// member says how a member of an object is decoded, of which null is none.
func (tt *typeTable) member(t *types.Type) Reader {
	r := tt.value(t)
	switch {
	case tt.open[t]:
		return tt.whole(t, true)
	case r.Form == ByDecoder:
		return around("Opt", r, optional(r.Type))
	case !lower.Nilable(t):
		r.Name, r.Type = "Opt"+r.Name, optional(r.Type)
	}
	return r
}

// answer says how an answer as such is decoded: an object by a function of its own, since a generic
// one is compiled for each type anew.
func (tt *typeTable) answer(t *types.Type, nullable bool) Reader {
	r := tt.whole(t, nullable)
	if r.Name != "Pointer" && r.Name != "Nullable" || r.Elem.Form != ByDecoder {
		return r
	}
	of := r.Elem.Type.Name
	at := slices.IndexFunc(tt.wholes, func(w *Whole) bool { return w.Of == of && w.Nullable == nullable })
	if at < 0 {
		at = len(tt.wholes)
		name := tt.scope.Unique(map[bool]string{false: "read", true: "readNullable"}[nullable] + upper(of))
		tt.wholes = append(tt.wholes, &Whole{Name: name, Of: of, Scan: r.Elem.Name, Nullable: nullable})
	}
	return Reader{Form: ByDecoder, Name: tt.wholes[at].Name, Type: r.Type}
}

// whole says how elements, members of maps and answers as such are decoded, which have the form
// that chains work with.
func (tt *typeTable) whole(t *types.Type, nullable bool) Reader {
	r := tt.value(t)
	switch {
	case nullable && (r.Form == ByDecoder || !lower.Nilable(t)):
		return around("Nullable", r, pointer(r.Type))
	case r.Form == ByDecoder:
		return around("Pointer", r, pointer(r.Type))
	}
	return r
}

// first bounds the reader of a list by the elements that are wanted; 0 is no
// bound.
func (r Reader) first(n int) Reader {
	switch {
	case n > 0 && r.Name == "List":
		r.Name, r.Most = "First", n
	case n > 0 && r.Name == "Pointers":
		elem := r.Elem.first(n)
		r.Elem = &elem
	}
	return r
}

func (tt *typeTable) scanFunc(t *types.Type) string {
	if t.Kind == types.Union {
		return tt.union(t, "").Scan
	}
	return tt.object(t, "").Scan
}

// GoField returns the Go name and type of a field: of a wire name of an object or
// record, or of a variant of a union.
func (p *Package) GoField(f lower.Field) (name string, t GoType) {
	owner := elemOf(f.Owner)
	if owner.Kind == types.Union {
		u := p.types.unions[owner]
		at := slices.IndexFunc(u.Fields, func(v UnionField) bool { return v.Name == unionNames[f.Kind] })
		return u.Fields[at].Name, u.Fields[at].Type
	}
	s := p.types.structs[owner]
	if f.Extra {
		return s.Extra.Name, s.Extra.Type
	}
	if owner.Record {
		s = p.types.record(owner, "record")
	}
	for _, field := range s.Fields {
		if field.Wire == f.Name {
			return field.Name, field.Type
		}
	}
	panic("plan: no field " + f.Name + " in " + s.Name)
}

// RecordFields returns the struct of a record type.
func (p *Package) RecordFields(t *types.Type) *Struct { return p.types.record(t, "record") }
