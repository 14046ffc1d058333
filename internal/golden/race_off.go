//go:build !race

package golden

// Race says that the race detector watches; see the other file.
const Race = false
