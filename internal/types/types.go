// Package types says what a value may be: the semantic types of expressions,
// of upstream schemas and of tool inputs and outputs, with their constraints,
// their JSON Schema and what may be assigned to what. It names no Go type;
// gen/plan owns the only mapping to Go.
//
// The package imports the standard library only and nothing of this module.
package types

import (
	"slices"
	"strings"
)

// Kind is the outermost shape of a type.
type Kind uint8

// The kinds. Invalid is the poisoned type: it is assignable to everything and
// gives everything, so that one mistake is reported once.
const (
	Invalid Kind = iota
	Null
	Bool
	Int
	Uint
	Double
	String
	Bytes
	Timestamp
	Duration
	List
	Map
	Object
	Union
	Optional
	Dyn
)

// A Type is immutable once its builder is done with it. Objects are compared
// by identity where they come from a schema and by shape where they are
// records; recursive types point to themselves.
type Type struct {
	Kind Kind
	// Name is how messages call an object: the schema's name, such as
	// "GeocodingResult", or a name made from the path that leads to it.
	Name string
	// Elem is the element of a List, Map or Optional.
	Elem *Type
	// NullableElem says that elements of a List or Map may be null.
	NullableElem bool
	// Key is the key type of a Map.
	Key *Type
	// Fields of an Object, in the order of the document.
	Fields []*Field
	// Extra is the type of members that Fields does not name; nil if the
	// schema says nothing or forbids them.
	Extra *Type
	// Record marks an object made by a literal in an expression: a field is
	// there unless it is Optional.
	Record bool
	// Variants of a Union: at most one type for each JSON kind.
	Variants []*Type
	// Enum lists the legal values of a String, if the schema closes them.
	Enum []string
	// Limits bound scalars and lists.
	Limits *Limits
	// Why says of a Dyn why the type was lost: "free-form object".
	Why string
	// Opaque marks a Dyn that is no JSON at all, so that nothing can be read
	// of it.
	Opaque bool
}

// A Field is a member of an object.
type Field struct {
	Name string
	Type *Type
	// Required is what the schema says. Answers may leave out any field all
	// the same; request bodies must have it.
	Required bool
	// Nullable fields may be null; absent and null are one notion, missing.
	Nullable bool
	// Optional marks a field of a record literal that may be missing.
	Optional bool
	// ReadOnly fields do not belong in a request.
	ReadOnly bool
	Doc      string
}

// Limits are the assertions of a schema that both sides of an assignment may
// know. Nil pointers and zero values mean no limit.
type Limits struct {
	MinLength, MaxLength       *int64
	Pattern                    string
	Minimum, Maximum           *float64
	ExclusiveMin, ExclusiveMax bool
	MultipleOf                 *float64
	MinItems, MaxItems         *int64
	// Format is the format keyword: int32, date-time, ...
	Format string
	// MediaType is what a text holds, and Encoding how its bytes are written in it:
	// base64.
	MediaType, Encoding string
}

// The types without parameters.
var (
	InvalidType   = &Type{Kind: Invalid}
	NullType      = &Type{Kind: Null}
	BoolType      = &Type{Kind: Bool}
	IntType       = &Type{Kind: Int}
	UintType      = &Type{Kind: Uint}
	DoubleType    = &Type{Kind: Double}
	StringType    = &Type{Kind: String}
	BytesType     = &Type{Kind: Bytes}
	TimestampType = &Type{Kind: Timestamp}
	DurationType  = &Type{Kind: Duration}
)

// ListOf returns list(elem).
func ListOf(elem *Type) *Type { return &Type{Kind: List, Elem: elem} }

// MapOf returns map(key, elem).
func MapOf(key, elem *Type) *Type { return &Type{Kind: Map, Key: key, Elem: elem} }

// OptionalOf returns optional(elem); an optional of an optional is one.
func OptionalOf(elem *Type) *Type {
	if elem.Kind == Optional {
		return elem
	}
	return &Type{Kind: Optional, Elem: elem}
}

// DynOf returns the dynamic type with the reason why nothing is known.
func DynOf(why string) *Type { return &Type{Kind: Dyn, Why: why} }

// OpaqueOf returns the type of what cannot be read, with the reason.
func OpaqueOf(why string) *Type { return &Type{Kind: Dyn, Why: why, Opaque: true} }

// EnumOf returns a string type closed to values.
func EnumOf(values ...string) *Type { return &Type{Kind: String, Enum: values} }

// Field returns the field of that name, or nil.
func (t *Type) Field(name string) *Field {
	for _, f := range t.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// FieldNames returns the names of the fields in document order.
func (t *Type) FieldNames() []string {
	names := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		names[i] = f.Name
	}
	return names
}

// Variant returns the variant of a union with that kind, or nil. For any
// other type it returns the type itself if the kind fits.
func (t *Type) Variant(kinds ...Kind) *Type {
	if t.Kind != Union {
		if slices.Contains(kinds, t.Kind) {
			return t
		}
		return nil
	}
	for _, v := range t.Variants {
		if slices.Contains(kinds, v.Kind) {
			return v
		}
	}
	return nil
}

// IsNumber reports whether t is int, uint or double.
func (t *Type) IsNumber() bool { return t.Kind == Int || t.Kind == Uint || t.Kind == Double }

// IsScalar reports whether t has no parts: bool, number, string, bytes,
// timestamp, duration.
func (t *Type) IsScalar() bool {
	switch t.Kind {
	case Bool, Int, Uint, Double, String, Bytes, Timestamp, Duration:
		return true
	}
	return false
}

var kindNames = [...]string{
	"invalid", "null", "bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration",
	"list", "map", "object", "union", "optional", "dyn",
}

// String returns the kind's name in the words of the expression language.
func (k Kind) String() string { return kindNames[k] }

// String returns the type as messages show it: list(string), GeocodingResult,
// string | object.
func (t *Type) String() string {
	switch t.Kind {
	case List:
		return "list(" + t.element() + ")"
	case Map:
		return "map(" + t.Key.String() + ", " + t.element() + ")"
	case Optional:
		return "optional(" + t.Elem.String() + ")"
	case Object:
		return t.objectName()
	case Union:
		parts := make([]string, len(t.Variants))
		for i, v := range t.Variants {
			parts[i] = v.String()
		}
		return strings.Join(parts, " | ")
	}
	return t.Kind.String()
}

// element names what a list or map holds, which may be null.
func (t *Type) element() string {
	if t.NullableElem {
		return "optional(" + t.Elem.String() + ")"
	}
	return t.Elem.String()
}

func (t *Type) objectName() string {
	if !t.Record {
		if t.Name == "" {
			return "object"
		}
		return t.Name
	}
	parts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		parts[i] = f.Name + ": " + f.Type.String()
		if f.Optional {
			parts[i] = f.Name + "?: " + f.Type.String()
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// Same reports whether a and b are the same type: schema objects by identity,
// records, lists and the like by shape. Enums and limits do not count.
func Same(a, b *Type) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Optional:
		return Same(a.Elem, b.Elem)
	case List:
		return a.NullableElem == b.NullableElem && Same(a.Elem, b.Elem)
	case Map:
		return a.NullableElem == b.NullableElem && Same(a.Key, b.Key) && Same(a.Elem, b.Elem)
	case Object:
		return a.Record && b.Record && slices.EqualFunc(a.Fields, b.Fields, func(x, y *Field) bool {
			return x.Name == y.Name && x.Optional == y.Optional && Same(x.Type, y.Type)
		})
	case Union:
		return slices.EqualFunc(a.Variants, b.Variants, Same)
	}
	return true
}

// Join returns a type for a value that is one of a and b, which must be Same:
// an enum stays closed only if both are, with the values of both.
func Join(a, b *Type) *Type {
	if a == b || a.Kind != String {
		return a
	}
	if a.Enum == nil || b.Enum == nil {
		return StringType
	}
	values := slices.Clone(a.Enum)
	for _, v := range b.Enum {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return EnumOf(values...)
}
