//go:build race

package golden

// Race says that the race detector watches. It makes generating ten times as
// slow and has nothing to find in pure functions: tests that generate thousands
// of packages leave that to the run without it, or take a sample.
const Race = true
