package value

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
)

var (
	errUintRange = errors.New("does not fit an unsigned 64-bit integer")
	errZeroUint  = errors.New("divides by zero")
)

// AddUint returns a + b, or an error if that does not fit.
func AddUint(a, b uint64) (uint64, error) {
	sum, carry := bits.Add64(a, b, 0)
	return fits(sum, carry == 0)
}

// SubUint returns a - b, or an error if that is negative.
func SubUint(a, b uint64) (uint64, error) { return fits(a-b, a >= b) }

// MulUint returns a * b, or an error if that does not fit.
func MulUint(a, b uint64) (uint64, error) {
	hi, lo := bits.Mul64(a, b)
	return fits(lo, hi == 0)
}

// DivUint returns a / b, or an error if b is 0.
func DivUint(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, errZeroUint
	}
	return a / b, nil
}

// ModUint returns the rest of a / b, or an error if b is 0.
func ModUint(a, b uint64) (uint64, error) {
	if b == 0 {
		return 0, errZeroUint
	}
	return a % b, nil
}

func fits(v uint64, ok bool) (uint64, error) {
	if !ok {
		return 0, errUintRange
	}
	return v, nil
}

// UintOfInt returns v unsigned, or an error if v is negative.
func UintOfInt(v int64) (uint64, error) { return fits(uint64(v), v >= 0) }

// IntOfUint returns v signed, or an error if v is too large.
func IntOfUint(v uint64) (int64, error) {
	if v > math.MaxInt64 {
		return 0, errors.New("does not fit a 64-bit integer")
	}
	return int64(v), nil
}

// UintOf returns f without its fraction, or an error if f is not a number from 0
// up to 2^64.
func UintOf(f float64) (uint64, error) {
	if !(f >= 0 && f < 1<<64) {
		return 0, errUintRange
	}
	return uint64(f), nil
}

// UintOfText reads a decimal number without sign.
func UintOfText(s string) (uint64, error) {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, errors.New("is not an unsigned integer")
	}
	return v, nil
}

// TextOfUint returns the decimal digits of v.
func TextOfUint(v uint64) string { return strconv.FormatUint(v, 10) }

// SignUint returns 0 for 0 and 1 for anything else.
func SignUint(v uint64) uint64 { return min(v, 1) }
