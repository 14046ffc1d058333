//go:build race

package golden

// Race says that the race detector watches; see [NotRaced].
const Race = true
