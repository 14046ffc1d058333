package upstream

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	firstBackoff  = 100 * time.Millisecond
	longBackoff   = 2 * time.Second
	longestWait   = 5 * time.Second
	budgetShare   = 0.1
	budgetRate    = 3.0
	budgetBurst   = 10.0
	noRetryAfter  = time.Duration(-1)
	maxRetryAfter = 24 * time.Hour
)

// A retryBudget keeps retries from multiplying the load on an api that is in
// trouble: a tenth of the requests, and at least three a second.
type retryBudget struct {
	mu     sync.Mutex
	tokens float64
	last   time.Time
}

// request notes a first attempt.
func (b *retryBudget) request() {
	b.mu.Lock()
	b.tokens = min(b.tokens+budgetShare, budgetBurst)
	b.mu.Unlock()
}

// take reports whether one retry may happen now.
func (b *retryBudget) take(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.last.IsZero() {
		b.tokens += budgetRate
	} else if d := now.Sub(b.last); d > 0 {
		b.tokens += d.Seconds() * budgetRate
	}
	b.last = now
	b.tokens = min(b.tokens, budgetBurst)
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// backoff returns the wait before retry n (from 0): full jitter, so that
// callers that failed together do not come back together.
func backoff(n int) time.Duration {
	return rand.N(min(firstBackoff<<n, longBackoff))
}

// retryWait returns how long to wait before retry n, false if that does not
// fit: the upstream's own wish wins if it is short and inside the deadline.
func retryWait(until time.Time, n int, after time.Duration) (time.Duration, bool) {
	wait := after
	if after < 0 {
		wait = backoff(n)
	}
	if wait > longestWait {
		return 0, false
	}
	return wait, wait < time.Until(until)
}

// pause waits, false if the context ended first.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter reads Retry-After in seconds or as a date; noRetryAfter without a
// usable one.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if text == "" {
		return noRetryAfter
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return min(time.Duration(n)*time.Second, maxRetryAfter)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, min(at.Sub(now), maxRetryAfter))
	}
	return noRetryAfter
}
