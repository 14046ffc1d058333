package scan

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// lonely reports whether valid JSON text holds half of a surrogate pair.
func lonely(text []byte) bool {
	unit := func(i int) uint64 {
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return 0
		}
		u, _ := strconv.ParseUint(string(text[i+2:i+6]), 16, 32)
		return u
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		switch u := unit(i); {
		case u >= 0xDC00 && u <= 0xDFFF:
			return true
		case u >= 0xD800 && u < 0xDC00:
			if low := unit(i + 6); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 10
		}
		i++
	}
	return false
}

func deep(text []byte, limit int) bool {
	level, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == '[' || c == '{'):
			if level++; level > limit {
				return true
			}
		case !inString && (c == ']' || c == '}'):
			level--
		}
	}
	return false
}

var seeds = []string{
	`{"a":[1,2.5e-3,"x\u00e9\ud83d\ude00",{"b":null}],"c":true}`, `[]`, `""`, `-0.0E+1`, ` [ [ ] , { } ] `,
	`"\ud800"`, `"\ud800\u0041"`, "\"\xff\"", `[1,]`, `{"a":1,"a":2}`, `01`, `1e`, `nul`, `"\u12`, "\"a\tb\"",
	`"é日本語😀 long enough to leave the fast road"`, `9223372036854775807`, `6e1`, `1.5`, `-9223372036854775809`,
}

func FuzzSkip(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, window int) {
		if deep(text, maxDepth) {
			return
		}
		want := json.Valid(text) && utf8.Valid(text) && !lonely(text)
		s := NewBytes(text, Limits{Depth: maxDepth})
		s.Skip()
		s.End()
		if (s.Err() == nil) != want {
			t.Fatalf("%q: %v, want valid %v", text, s.Err(), want)
		}
		w := small(1+min(max(window, 0), 100), iotest.HalfReader(bytes.NewReader(text)))
		w.limit(Limits{Depth: maxDepth})
		raw := bytes.Clone(w.Raw())
		w.End()
		if !sameError(w.Err(), s.Err()) {
			t.Fatalf("%q: window %d: %v, bytes: %v", text, len(w.win), w.Err(), s.Err())
		}
		if want {
			var compact bytes.Buffer
			if err := json.Compact(&compact, text); err != nil || !bytes.Equal(compact.Bytes(), raw) {
				t.Fatalf("%q: raw %q, want %q", text, raw, compact.Bytes())
			}
		}
	})
}

// FuzzRead reads everything with the methods that decoders use.
func FuzzRead(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if deep(text, 200) {
			return
		}
		s := NewBytes(text, Limits{Depth: 200})
		got := readAny(s)
		s.End()
		if s.Err() != nil {
			if json.Valid(text) && utf8.Valid(text) && !lonely(text) &&
				!strings.Contains(s.Err().Error(), "second one") && !strings.Contains(s.Err().Error(), "larger number") {
				t.Fatalf("%q: %v", text, s.Err())
			}
			return
		}
		var want any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("%q: accepted, but %v", text, err)
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if !bytes.Equal(a, b) {
			t.Fatalf("%q: got %s, want %s", text, a, b)
		}
	})
}

func readAny(s *Scanner) any {
	switch s.Kind() {
	case Null:
		s.Null()
		return nil
	case Bool:
		return s.Bool()
	case Number:
		return s.Float()
	case String:
		return s.Text()
	case Array:
		list := []any{}
		for s.OpenList(); s.NextElem(); {
			list = append(list, readAny(s))
		}
		return list
	case Object:
		m := map[string]any{}
		for s.Open(); s.NextAny(); {
			key := s.Key()
			m[key] = readAny(s)
		}
		return m
	}
	return nil
}

func FuzzInt(f *testing.F) {
	for _, seed := range []string{"1", "-1", "60.0", "6e1", "1.5", "1e-1", "10e-1", "0e9", "9223372036854775808", "92233720368547758070e-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if e := strings.IndexAny(text, "eE"); e >= 0 && len(text)-e > 6 {
			return // big.Rat would take forever
		}
		s := NewBytes([]byte(text), Limits{})
		got := s.Int()
		s.End()
		exact, ok := new(big.Rat).SetString(text)
		ok = ok && json.Valid([]byte(text)) && exact.IsInt() && exact.Num().IsInt64()
		if text != strings.TrimSpace(text) {
			return
		}
		if ok != (s.Err() == nil) || ok && exact.Num().Int64() != got {
			t.Fatalf("%q: got %d, %v; want %v", text, got, s.Err(), exact)
		}
	})
}
