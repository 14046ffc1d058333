package value

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxPrecision bounds the digits behind the point that a format may ask for.
const maxPrecision = 100

// Format is CEL's format: the verbs %s %d %f %e %b %o %x %X, a precision such
// as %.3f, and %%. Arguments are string, int64, float64, bool, []byte,
// uint64, time.Time, time.Duration, nil, []any, map[string]any and map[any]any.
func Format(format string, args ...any) (string, error) {
	var b strings.Builder
	used := 0
	for {
		text, rest, found := strings.Cut(format, "%")
		b.WriteString(text)
		if !found {
			return b.String(), nil
		}
		if strings.HasPrefix(rest, "%") {
			b.WriteByte('%')
			format = rest[1:]
			continue
		}
		precision := -1
		if strings.HasPrefix(rest, ".") {
			digits := rest[1 : len(rest)-len(strings.TrimLeft(rest[1:], "0123456789"))]
			n, err := strconv.ParseUint(digits, 10, 16)
			if err != nil || n > maxPrecision {
				return "", errors.New("the format has a precision that is not a number up to 100")
			}
			precision, rest = int(n), rest[1+len(digits):]
		}
		switch {
		case rest == "":
			return "", errors.New("the format ends inside a verb")
		case used >= len(args):
			return "", errors.New("the format has more verbs than values")
		}
		out, err := formatOne(rest[0], precision, args[used])
		if err != nil {
			return "", err
		}
		b.WriteString(out)
		used++
		format = rest[1:]
	}
}

func formatOne(verb byte, precision int, arg any) (string, error) {
	switch verb {
	case 's':
		return formatText(arg)
	case 'd':
		switch v := arg.(type) {
		case int64:
			return TextOfInt(v), nil
		case uint64:
			return TextOfUint(v), nil
		case float64:
			return TextOfDouble(v), nil
		}
	case 'f', 'e':
		f, err := AsDouble(arg)
		ok := err == nil
		if precision < 0 {
			precision = 6
		}
		if ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return TextOfDouble(f), nil
		}
		if ok {
			return strconv.FormatFloat(f, verb, precision, 64), nil
		}
	case 'b', 'o', 'x', 'X':
		return formatBase(verb, arg)
	default:
		return "", errors.New("the format has an unknown verb")
	}
	return "", errVerb(verb)
}

func errVerb(verb byte) error {
	return fmt.Errorf("the verb %%%c of the format does not suit its value", verb)
}

var formatBases = map[byte]int{'b': 2, 'o': 8, 'x': 16, 'X': 16}

func formatBase(verb byte, arg any) (string, error) {
	text, number := "", false
	switch v := arg.(type) {
	case bool:
		if verb != 'b' {
			return "", errVerb(verb)
		}
		return map[bool]string{true: "1", false: "0"}[v], nil
	case int64:
		text, number = strconv.FormatInt(v, formatBases[verb]), true
	case uint64:
		text, number = strconv.FormatUint(v, formatBases[verb]), true
	case string:
		text = fmt.Sprintf("%x", v)
	case []byte:
		text = fmt.Sprintf("%x", v)
	default:
		return "", errVerb(verb)
	}
	if !number && verb != 'x' && verb != 'X' {
		return "", errVerb(verb)
	}
	if verb == 'X' {
		text = strings.ToUpper(text)
	}
	return text, nil
}

func formatText(arg any) (string, error) {
	switch v := arg.(type) {
	case nil:
		return "null", nil
	case string:
		return v, nil
	case int64:
		return TextOfInt(v), nil
	case uint64:
		return TextOfUint(v), nil
	case float64:
		return TextOfDouble(v), nil
	case bool:
		return TextOfBool(v), nil
	case []byte:
		return TextOfBytes(v)
	case time.Time:
		return TextOfTime(v), nil
	case time.Duration:
		return TextOfDuration(v), nil
	case []any:
		texts := make([]string, len(v))
		for i, element := range v {
			text, err := formatText(element)
			if err != nil {
				return "", err
			}
			texts[i] = text
		}
		return "[" + strings.Join(texts, ", ") + "]", nil
	case map[string]any:
		return formatEntries(v)
	case map[any]any:
		return formatEntries(v)
	}
	return "", errVerb('s')
}

// formatEntries writes a map in the order of the texts of its keys.
func formatEntries[K comparable](m map[K]any) (string, error) {
	byKey := make(map[string]any, len(m))
	for k, v := range m {
		key, err := formatText(k)
		if err != nil {
			return "", err
		}
		byKey[key] = v
	}
	texts := make([]string, 0, len(m))
	for _, key := range Keys(byKey) {
		text, err := formatText(byKey[key])
		if err != nil {
			return "", err
		}
		texts = append(texts, key+": "+text)
	}
	return "{" + strings.Join(texts, ", ") + "}", nil
}
