package value

import "strconv"

// JSON writes one JSON document piece by piece and sets the commas. Its methods
// keep the first error. The zero JSON is ready for use.
//
//	var j value.JSON
//	j.Open()
//	j.Name("city")
//	j.Text(city)
//	j.Close()
//	body, err := j.Bytes()
type JSON struct {
	b     []byte
	comma bool
	err   error
}

func (j *JSON) next() {
	if j.comma {
		j.b = append(j.b, ',')
	}
	j.comma = true
}

func (j *JSON) open(c byte) {
	j.next()
	j.b, j.comma = append(j.b, c), false
}

func (j *JSON) close(c byte) { j.b, j.comma = append(j.b, c), true }

// Open begins an object, Close ends it.
//
//go:noinline
func (j *JSON) Open() { j.open('{') }

// Close ends an object.
//
//go:noinline
func (j *JSON) Close() { j.close('}') }

// OpenList begins a list, CloseList ends it.
//
//go:noinline
func (j *JSON) OpenList() { j.open('[') }

// CloseList ends a list.
//
//go:noinline
func (j *JSON) CloseList() { j.close(']') }

// Name writes the name of the next member.
func (j *JSON) Name(name string) {
	j.next()
	j.b, j.comma = append(AppendText(j.b, name), ':'), false
}

// Text writes a string.
func (j *JSON) Text(s string) {
	j.next()
	j.b = AppendText(j.b, s)
}

// Int writes an integer.
func (j *JSON) Int(v int64) {
	j.next()
	j.b = AppendInt(j.b, v)
}

// Float writes a number. NaN and the infinities have no JSON form: they are
// the error of [JSON.Bytes].
func (j *JSON) Float(f float64) {
	j.next()
	b, err := AppendFloat(j.b, f)
	if err != nil {
		j.keep(err)
		return
	}
	j.b = b
}

// Bool writes true or false.
func (j *JSON) Bool(v bool) {
	j.next()
	j.b = AppendBool(j.b, v)
}

// Null writes null.
func (j *JSON) Null() {
	j.next()
	j.b = append(j.b, "null"...)
}

// Any writes a value of unknown type; members come in the order of their names.
func (j *JSON) Any(v any) {
	switch v := v.(type) {
	case nil:
		j.Null()
	case bool:
		j.Bool(v)
	case int64:
		j.Int(v)
	case uint64:
		j.next()
		j.b = strconv.AppendUint(j.b, v, 10)
	case float64:
		j.Float(v)
	case []any:
		Each(j, v, j.Any)
	case map[string]any:
		Entries(j, v, j.Any)
	case map[any]any:
		j.Open()
		for _, k := range Keys(v) {
			name, err := formatText(k)
			j.keep(err)
			j.Name(name)
			j.Any(v[k])
		}
		j.Close()
	default:
		text, err := textOfAny(v)
		j.keep(err)
		j.Text(text)
	}
}

func (j *JSON) keep(err error) {
	if j.err == nil {
		j.err = err
	}
}

// textOfAny is the JSON text of a scalar that has no JSON kind of its own.
func textOfAny(v any) (string, error) {
	if b, ok := v.([]byte); ok {
		return Base64Encode(b), nil
	}
	return formatText(v)
}

// Reuse begins a new document in the memory of b, behind what b holds.
func (j *JSON) Reuse(b []byte) { *j = JSON{b: b} }

// Bytes returns the document and the first error.
func (j *JSON) Bytes() ([]byte, error) { return j.b, j.err }

// Each writes a list with one call of write for each element.
func Each[T any](j *JSON, list []T, write func(T)) {
	j.OpenList()
	for _, v := range list {
		write(v)
	}
	j.CloseList()
}

// Entries writes a map as an object with one call of write for each value, in
// the order of the keys.
func Entries[T any](j *JSON, m map[string]T, write func(T)) {
	j.Open()
	for _, k := range Keys(m) {
		j.Name(k)
		write(m[k])
	}
	j.Close()
}
