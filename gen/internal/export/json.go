package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// A value is JSON in which the order of members is part of the value: string,
// bool, int, int64, nil, object, array, or raw.
type value = any

// An object is a JSON object.
type object []member

// A member is one member of an object.
type member struct {
	name  string
	value value
}

// An array is a JSON array.
type array []value

// A raw value is JSON text already.
type raw []byte

// with returns o with one more member.
func (o object) with(name string, v value) object { return append(o, member{name, v}) }

// texts makes an array of strings.
func texts(list []string) array {
	a := make(array, len(list))
	for i, s := range list {
		a[i] = s
	}
	return a
}

// appendJSON writes v compactly. A value of any other kind is a fault of a
// format in this package.
func appendJSON(b []byte, v value) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case string:
		return diag.AppendText(b, v)
	case raw:
		return append(b, v...)
	case array:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(append(diag.AppendText(b, m.name), ':'), m.value)
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("export: %T is not a JSON value", v))
}

// indentedJSON writes a document that people read and compare, with its last
// line end.
func indentedJSON(v value) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, appendJSON(nil, v), "", "\t"); err != nil {
		panic("export: " + err.Error()) // what appendJSON wrote is JSON
	}
	b.WriteByte('\n')
	return b.Bytes()
}
