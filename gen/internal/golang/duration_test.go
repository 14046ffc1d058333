package golang

import (
	"fmt"
	"testing"
	"time"
)

// Times are written in the greatest unit that they are a whole number of.
func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		2 * time.Hour: "2 * time.Hour", 90 * time.Minute: "90 * time.Minute", time.Minute: "1 * time.Minute", 61 * time.Second: "61 * time.Second",
		1500 * time.Millisecond: "1500 * time.Millisecond", 5 * time.Microsecond: "5 * time.Microsecond", 1001: "time.Duration(1001)",
	} {
		if got := fmt.Sprintf("%#v", duration(d)); got != want {
			t.Errorf("%v is written %s, want %s", d, got, want)
		}
	}
}
