// Package naming turns any text into a legal, stable, unused Go identifier.
//
// Exported names come from the wire name alone, never from order, so that they
// do not shift when a sibling is added. Local names are made unique in their
// scope.
//
// The package imports the standard library only and nothing of this module.
package naming

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// initialisms are written in one case. The table is frozen: a new entry would
// rename what vendors use.
var initialisms = map[string]string{
	"api": "API", "http": "HTTP", "https": "HTTPS", "id": "ID", "ids": "IDs", "ip": "IP", "json": "JSON", "sql": "SQL",
	"uri": "URI", "url": "URL", "utc": "UTC", "uuid": "UUID", "xml": "XML", "html": "HTML", "nws": "NWS", "us": "US",
}

// Exported returns an exported identifier for text: "lookup_weather" gives
// LookupWeather, "@id" gives ID, text without letters gives X and its code
// points.
func Exported(text string) string {
	var b strings.Builder
	for _, w := range words(text) {
		b.WriteString(capitalise(w))
	}
	return legal(b.String(), text)
}

// Local returns an unexported identifier for text: "gridId" stays gridId,
// "lookup_weather" gives lookupWeather.
func Local(text string) string {
	var b strings.Builder
	for i, w := range words(text) {
		if i == 0 {
			b.WriteString(strings.ToLower(w))
			continue
		}
		b.WriteString(capitalise(w))
	}
	name := legal(b.String(), text)
	return lowerFirst(name)
}

// lowerFirst lowers a leading X that legal put there.
func lowerFirst(name string) string {
	r := []rune(name)
	if len(r) > 0 && unicode.IsUpper(r[0]) && (len(r) == 1 || !unicode.IsUpper(r[1])) {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

func capitalise(w string) string {
	if s, ok := initialisms[strings.ToLower(w)]; ok {
		return s
	}
	r := []rune(w)
	return string(unicode.ToUpper(r[0])) + string(r[1:])
}

// words splits at everything that is no ASCII letter or digit, and before an
// upper case letter that follows a lower case one. Other scripts are left out:
// an identifier with them could be confused with another.
func words(text string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, string(cur))
			cur = nil
		}
	}
	for _, r := range text {
		letter := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
		if !letter {
			flush()
			continue
		}
		if unicode.IsUpper(r) && len(cur) > 0 && !unicode.IsUpper(cur[len(cur)-1]) {
			flush()
		}
		cur = append(cur, r)
	}
	flush()
	return out
}

// legal makes name an identifier that is not a keyword. Text without any letter
// or digit becomes its code points, so that "+1" and "-1" stay apart.
func legal(name, text string) string {
	if name == "" {
		name = "X"
		for _, r := range text {
			name += strconv.FormatInt(int64(r), 16)
		}
	}
	if unicode.IsDigit(rune(name[0])) {
		name = "X" + name
	}
	if token.IsKeyword(name) {
		name += "_"
	}
	return name
}

// predeclared names would be hidden by a local of that name.
var predeclared = strings.Fields("any append bool byte cap clear close comparable complex complex128 complex64 copy delete error false " +
	"float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover rune string " +
	"true uint uint16 uint32 uint64 uint8 uintptr init main")

// A Scope hands out names that are used once.
type Scope struct {
	outer *Scope
	used  map[string]bool
}

// NewScope returns a scope inside outer (nil: none) in which reserved names
// are taken.
func NewScope(outer *Scope, reserved ...string) *Scope {
	s := Bare(reserved...)
	s.outer = outer
	if outer == nil {
		for _, r := range predeclared {
			s.used[r] = true
		}
	}
	return s
}

// Bare returns a scope of another language, in which nothing is taken but reserved
// names.
func Bare(reserved ...string) *Scope {
	s := &Scope{used: map[string]bool{}}
	for _, r := range reserved {
		s.used[r] = true
	}
	return s
}

// Taken reports whether name is used here or outside.
func (s *Scope) Taken(name string) bool {
	for ; s != nil; s = s.outer {
		if s.used[name] {
			return true
		}
	}
	return false
}

// Reserve takes name and reports whether it was free.
func (s *Scope) Reserve(name string) bool {
	if s.Taken(name) {
		return false
	}
	s.used[name] = true
	return true
}

// Release gives back a name of this scope that turned out not to be needed.
func (s *Scope) Release(name string) { delete(s.used, name) }

// Unique returns name, with a number after it if it is taken, and takes it.
func (s *Scope) Unique(name string) string {
	for i := 2; ; i++ {
		if s.Reserve(name) {
			return name
		}
		base := strings.TrimRight(name, "0123456789")
		if base == "" {
			base = name
		}
		if candidate := base + strconv.Itoa(i); s.Reserve(candidate) {
			return candidate
		}
	}
}

// Snake returns the words of text with underscores between, at most about a
// hundred letters: an identifier that reads like the sentence.
func Snake(text string) string {
	var b strings.Builder
	for _, w := range words(text) {
		if b.Len() > 100 {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(w))
	}
	return legal(b.String(), text)
}
