package value

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The range of timestamps (CEL): the years 1 to 9999.
const (
	minUnix = -62135596800
	maxUnix = 253402300799
)

var (
	errTimeRange     = errors.New("the time is outside the years 1 to 9999")
	errDurationRange = errors.New("the duration does not fit")
	errZone          = errors.New("the time zone is unknown")
)

func inRange(t time.Time) (time.Time, error) {
	if s := t.Unix(); s < minUnix || s > maxUnix {
		return time.Time{}, errTimeRange
	}
	return t, nil
}

// TimeOfText reads an RFC 3339 date and time and keeps its offset.
func TimeOfText(s string) (time.Time, error) {
	// time.Parse takes a comma for the point of a fraction and one digit for
	// the hour.
	if len(s) < len("2006-01-02T15:04:05Z") || s[13] != ':' || strings.Contains(s, ",") {
		return time.Time{}, errors.New("the text is not an RFC 3339 date and time")
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, errors.New("the text is not an RFC 3339 date and time")
	}
	return inRange(t)
}

// TimeOfUnix returns the time that is seconds after 1970 in UTC.
func TimeOfUnix(seconds int64) (time.Time, error) {
	if seconds < minUnix || seconds > maxUnix {
		return time.Time{}, errTimeRange
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// TextOfTime returns t in RFC 3339 with the offset that t has.
func TextOfTime(t time.Time) string { return t.Format(time.RFC3339Nano) }

// UnixOf returns the seconds from 1970 to t.
func UnixOf(t time.Time) int64 { return t.Unix() }

// DurationOfText reads a duration such as "1h30m", "90.5s" or "-15ms".
func DurationOfText(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, errors.New("the text is not a duration such as 1h30m or 90.5s")
	}
	return d, nil
}

// AddTime returns t + d, an error if it leaves the range of timestamps.
func AddTime(t time.Time, d time.Duration) (time.Time, error) { return inRange(t.Add(d)) }

// SubTime returns t - d, an error if it leaves the range of timestamps.
func SubTime(t time.Time, d time.Duration) (time.Time, error) {
	// -d does not exist for the smallest d.
	return inRange(t.Add(-(d / 2)).Add(-(d - d/2)))
}

// Between returns a - b, an error if it does not fit a duration (292 years).
func Between(a, b time.Time) (time.Duration, error) {
	d := a.Sub(b)
	if !b.Add(d).Equal(a) {
		return 0, errDurationRange
	}
	return d, nil
}

// AddDuration returns a + b, an error if it does not fit.
func AddDuration(a, b time.Duration) (time.Duration, error) {
	c, err := AddInt(int64(a), int64(b))
	if err != nil {
		return 0, errDurationRange
	}
	return time.Duration(c), nil
}

// SubDuration returns a - b, an error if it does not fit.
func SubDuration(a, b time.Duration) (time.Duration, error) {
	c, err := SubInt(int64(a), int64(b))
	if err != nil {
		return 0, errDurationRange
	}
	return time.Duration(c), nil
}

var zones sync.Map

// Zone returns a time zone by its name ("America/New_York", "UTC") or offset
// ("+02:00", "-08:00"). Names need the zone data of the system, or a program
// that imports time/tzdata.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "UTC" || name == "Z" {
		return time.UTC, nil
	}
	if strings.Contains(name, ":") {
		return offsetZone(name)
	}
	if loc, ok := zones.Load(name); ok {
		return loc.(*time.Location), nil
	}
	loc, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, errZone
	}
	zones.Store(name, loc)
	return loc, nil
}

func offsetZone(name string) (*time.Location, error) {
	digits := strings.TrimLeft(name, "+-")
	if len(name)-len(digits) > 1 || len(digits) != 5 || digits[2] != ':' {
		return nil, errZone
	}
	h, err1 := strconv.ParseUint(digits[:2], 10, 8)
	m, err2 := strconv.ParseUint(digits[3:], 10, 8)
	if err1 != nil || err2 != nil || h > 23 || m > 59 {
		return nil, errZone
	}
	seconds := int(h)*3600 + int(m)*60
	if name[0] == '-' {
		seconds = -seconds
	}
	return time.FixedZone("", seconds), nil
}

// at is t as a clock in zone reads; a nil zone is UTC.
func at(t time.Time, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone)
}

// FullYear returns the year of t in zone; nil is UTC, here and below.
func FullYear(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Year()) }

// Month returns the month, 0 for January.
func Month(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Month()) - 1 }

// Date returns the day of the month, from 1.
func Date(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Day()) }

// DayOfMonth returns the day of the month, from 0.
func DayOfMonth(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Day()) - 1 }

// DayOfWeek returns the day of the week, 0 for Sunday.
func DayOfWeek(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Weekday()) }

// DayOfYear returns the day of the year, from 0.
func DayOfYear(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).YearDay()) - 1 }

// Hours returns the hour of the day.
func Hours(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Hour()) }

// Minutes returns the minute of the hour.
func Minutes(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Minute()) }

// Seconds returns the second of the minute.
func Seconds(t time.Time, zone *time.Location) int64 { return int64(at(t, zone).Second()) }

// Milliseconds returns the millisecond of the second.
func Milliseconds(t time.Time, zone *time.Location) int64 {
	return int64(at(t, zone).Nanosecond()) / 1e6
}

// DurationHours returns the whole hours of d.
func DurationHours(d time.Duration) int64 { return int64(d / time.Hour) }

// DurationMinutes returns the whole minutes of d.
func DurationMinutes(d time.Duration) int64 { return int64(d / time.Minute) }

// DurationSeconds returns the whole seconds of d.
func DurationSeconds(d time.Duration) int64 { return int64(d / time.Second) }

// DurationMilliseconds returns the milliseconds of d beyond its whole seconds.
func DurationMilliseconds(d time.Duration) int64 { return int64(d % time.Second / time.Millisecond) }
