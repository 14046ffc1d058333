package value

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

var (
	errOverflow = errors.New("the result does not fit 64 bits")
	errZero     = errors.New("division by zero")
)

// AddInt returns a + b, an error if it does not fit.
func AddInt(a, b int64) (int64, error) {
	c := a + b
	if (a^c)&(b^c) < 0 {
		return 0, errOverflow
	}
	return c, nil
}

// SubInt returns a - b, an error if it does not fit.
func SubInt(a, b int64) (int64, error) {
	c := a - b
	if (a^b)&(a^c) < 0 {
		return 0, errOverflow
	}
	return c, nil
}

// MulInt returns a * b, an error if it does not fit.
func MulInt(a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	c := a * b
	if c/b != a || a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64 {
		return 0, errOverflow
	}
	return c, nil
}

// DivInt returns a / b, truncated toward zero; an error for b = 0 and where it
// does not fit.
func DivInt(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errZero
	case a == math.MinInt64 && b == -1:
		return 0, errOverflow
	}
	return a / b, nil
}

// ModInt returns the remainder of DivInt, with the sign of a; an error for
// b = 0 and where DivInt does not fit.
func ModInt(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errZero
	case a == math.MinInt64 && b == -1:
		return 0, errOverflow
	}
	return a % b, nil
}

// NegInt returns -a, an error if it does not fit.
func NegInt(a int64) (int64, error) {
	if a == math.MinInt64 {
		return 0, errOverflow
	}
	return -a, nil
}

// AbsInt returns the absolute value of a, an error if it does not fit.
func AbsInt(a int64) (int64, error) {
	if a < 0 {
		return NegInt(a)
	}
	return a, nil
}

// SignInt returns -1, 0 or 1.
func SignInt(a int64) int64 {
	switch {
	case a < 0:
		return -1
	case a > 0:
		return 1
	}
	return 0
}

// Sign returns -1, 0 or 1, NaN for NaN.
func Sign(f float64) float64 {
	switch {
	case f < 0:
		return -1
	case f > 0:
		return 1
	}
	return f
}

// Round rounds half away from zero.
func Round(f float64) float64 { return math.Round(f) }

// Ceil rounds up.
func Ceil(f float64) float64 { return math.Ceil(f) }

// Floor rounds down.
func Floor(f float64) float64 { return math.Floor(f) }

// Trunc rounds toward zero.
func Trunc(f float64) float64 { return math.Trunc(f) }

// Abs returns the absolute value.
func Abs(f float64) float64 { return math.Abs(f) }

// Sqrt returns the square root, NaN for a negative number.
func Sqrt(f float64) float64 { return math.Sqrt(f) }

// IsNaN reports whether f is not a number.
func IsNaN(f float64) bool { return math.IsNaN(f) }

// IsInf reports whether f is infinite.
func IsInf(f float64) bool { return math.IsInf(f, 0) }

// IsFinite reports whether f is a number and not infinite.
func IsFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// IntOf truncates f toward zero. NaN and numbers outside the range are errors;
// both ends of the range count as outside, since doubles near them are not
// exact.
func IntOf(f float64) (int64, error) {
	switch {
	case math.IsNaN(f):
		return 0, errors.New("NaN is not an integer")
	case f <= math.MinInt64 || f >= math.MaxInt64:
		return 0, errors.New("the number does not fit an integer of 64 bits")
	}
	return int64(f), nil
}

// IntOfText reads a decimal integer with an optional sign.
func IntOfText(s string) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, errors.New("the text is not an integer of 64 bits")
	}
	return v, nil
}

// DoubleOfText reads a decimal number with an optional exponent, "NaN" and
// "Infinity" with an optional sign. Numbers outside the range are errors.
func DoubleOfText(s string) (float64, error) {
	if strings.Trim(s, "+-.eE0123456789") != "" && s != "NaN" && s != "Infinity" && s != "-Infinity" && s != "+Infinity" {
		return 0, errors.New("the text is not a number")
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, errors.New("the text is not a number of 64 bits")
	}
	return v, nil
}

// BoolOfText reads 1, t, T, true, TRUE, True and their opposites.
func BoolOfText(s string) (bool, error) {
	v, err := strconv.ParseBool(s)
	if err != nil {
		return false, errors.New("the text is neither true nor false")
	}
	return v, nil
}

// TextOfInt returns v in decimal.
func TextOfInt(v int64) string { return strconv.FormatInt(v, 10) }

// TextOfDouble returns the shortest text that reads back as f. It has no
// exponent from 1e-6 up to 1e21, because exponents do not belong into
// addresses and sentences.
func TextOfDouble(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(f, doubleForm(f), -1, 64)
}

// doubleForm is 'f' where a number is written without an exponent.
func doubleForm(f float64) byte {
	if a := math.Abs(f); a == 0 || a >= 1e-6 && a < 1e21 {
		return 'f'
	}
	return 'e'
}

// appendDouble appends a number in JSON spelling, or NaN.
func appendDouble(b []byte, f float64) []byte {
	return strconv.AppendFloat(b, f, doubleForm(f), -1, 64)
}

// TextOfBool returns "true" or "false".
func TextOfBool(v bool) string { return strconv.FormatBool(v) }

// TextOfDuration returns seconds as in "90.5s".
func TextOfDuration(d time.Duration) string {
	whole, rest := d/time.Second, d%time.Second
	text := strconv.FormatInt(int64(whole), 10)
	if rest == 0 {
		return text + "s"
	}
	if d < 0 && whole == 0 {
		text = "-0"
	}
	if rest < 0 {
		rest = -rest
	}
	digits := strconv.FormatInt(int64(rest)+1e9, 10)[1:]
	return text + "." + strings.TrimRight(digits, "0") + "s"
}
