package strictjson

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	got, err := Read([]byte(` {"a": [1, 1e400, "x", true, null, {}], "b": {"a": []}} `), 4)
	want := map[string]any{"a": []any{json.Number("1"), json.Number("1e400"), "x", true, nil, map[string]any{}}, "b": map[string]any{"a": []any{}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v %v", got, err)
	}
	for text, says := range map[string]string{
		"":                           "EOF",
		`{"a":1`:                     "EOF",
		`[1,]`:                       "invalid",
		`{"a" 1}`:                    "invalid",
		`1 2`:                        "something follows",
		`{} x`:                       "something follows",
		`{"a":1,"a":1}`:              `member "a" is there twice`,
		`[{"b":{"a":1,"\u0061":2}}]`: `member "a" is there twice`,
		`[[[[[]]]]]`:                 "too deep",
		`{"` + strings.Repeat("é", 99) + `":1,"` + strings.Repeat("é", 99) + `":1}`: `"` + strings.Repeat("é", 64) + `…"`,
	} {
		if v, err := Read([]byte(text), 4); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v %v", text, v, err)
		}
	}
	if _, err := Read([]byte(strings.Repeat("[", 1<<20)), 100); err == nil {
		t.Error("it has no end, and is read")
	}
	if _, err := Read([]byte(`{"a":1,"a":1}`), 4); !isTwice(err) {
		t.Error("the error has no type")
	}
}

func isTwice(err error) bool { _, ok := errors.AsType[*TwiceError](err); return ok }
