// Package strictjson reads JSON of strangers into plain values: a member that is
// there twice is an error, because readers disagree about which of them counts, and
// numbers stay as they are written.
//
//	value, err := strictjson.Read(text, 100)
//
// It imports the standard library only.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A TwiceError says that an object has a member twice.
type TwiceError struct{ Name string }

func (e *TwiceError) Error() string {
	name := []rune(e.Name)
	if len(name) > 64 {
		name = append(name[:64], '…')
	}
	return fmt.Sprintf("member %q is there twice", string(name))
}

// Read reads one value and nothing after it, as map[string]any, []any, string,
// json.Number, bool or nil. Lists and objects nest at most as deep as is said.
func Read(text []byte, depth int) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := value(d, depth)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return v, nil
}

func value(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	delim, nested := token.(json.Delim)
	switch {
	case err != nil:
		return nil, err
	case !nested:
		return token, nil
	case depth == 0:
		return nil, errors.New("it nests too deep")
	case delim == '[':
		return list(d, depth-1)
	}
	return object(d, depth-1)
}

func list(d *json.Decoder, depth int) (any, error) {
	all := []any{}
	for d.More() {
		v, err := value(d, depth)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	_, err := d.Token()
	return all, err
}

func object(d *json.Decoder, depth int) (any, error) {
	all := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string) // a decoder reads nothing else there
		if _, twice := all[name]; twice {
			return nil, &TwiceError{name}
		}
		if all[name], err = value(d, depth); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return all, err
}
