package serving

import (
	"testing"
	"time"
)

// The rows of the table name the sizes of the answers.
func TestPayloads(t *testing.T) {
	for _, c := range []struct {
		n, least, most int
		step           time.Duration
	}{{halfDays, 14_500, 16_300, 12 * time.Hour}, {hours, 155_000, 180_000, time.Hour}} {
		if n := len(forecast(c.n, c.step)); n < c.least || n > c.most {
			t.Errorf("%d periods: %d bytes, want %d to %d", c.n, n, c.least, c.most)
		}
	}
}
