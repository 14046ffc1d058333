//go:build race

package golden

// Race says that the race detector watches. It makes generating ten times as
// slow and has nothing to find in pure functions, so tests that generate
// thousands of packages take a sample then; the gate runs them in full without.
const Race = true
