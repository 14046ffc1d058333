package upstream

import "context"

// Turns counts what the loops of a chain go over, so that they end with its
// context. The zero value is ready for use, by one goroutine.
type Turns int

// turnsAtOnce is how many turns are made between two looks at a context, a look
// being worth some dozens of the fastest.
const turnsAtOnce = 1 << 12

// Take counts n turns that are to be made. Every few thousand, and before a longer
// loop, it looks at ctx and returns its error.
func (t *Turns) Take(ctx context.Context, n int) error {
	if *t += Turns(n) + 1; *t < turnsAtOnce {
		return nil
	}
	*t = 0
	return ctx.Err()
}
