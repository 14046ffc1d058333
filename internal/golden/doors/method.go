package doors

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// MethodOf calls the generated methods of a package's Tools: LookUp of the tool
// look_up, with the fields of its input filled in by their names.
func MethodOf(tools any) func(ctx context.Context, tool string, inputs map[string]any) (any, error) {
	return func(ctx context.Context, tool string, inputs map[string]any) (any, error) {
		method := reflect.ValueOf(tools).MethodByName(camel(tool))
		if !method.IsValid() {
			return nil, fmt.Errorf("there is no method of %s", tool)
		}
		in := reflect.New(method.Type().In(1)).Elem()
		for name, v := range inputs {
			field := in.FieldByName(camel(name))
			if !field.IsValid() {
				return nil, fmt.Errorf("%s has no field for %s", in.Type(), name)
			}
			if v != nil {
				fill(field, reflect.ValueOf(v))
			}
		}
		answer := method.Call([]reflect.Value{reflect.ValueOf(ctx), in})
		err, _ := reflect.TypeAssert[error](answer[1])
		return answer[0].Interface(), err
	}
}

// fill sets a field to a value of a kind that fits: ints are int64 there, enums
// have types of their own, and what is optional is a pointer.
func fill(field, v reflect.Value) {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	field.Set(v.Convert(field.Type()))
}

// camel is the Go name of a tool or input of a single word or several.
func camel(name string) string {
	return regexp.MustCompile("(^|_)[a-z]").ReplaceAllStringFunc(name, func(s string) string {
		return strings.ToUpper(strings.TrimPrefix(s, "_"))
	})
}

// snake is the name of an output, of its Go name.
func snake(name string) string {
	name = regexp.MustCompile("[A-Z]").ReplaceAllString(name, "_$0")
	return strings.ToLower(strings.TrimPrefix(name, "_"))
}
