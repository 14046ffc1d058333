// Package weather has the tools that the measurements of package serving call:
// one step each, over answers that look like those of a weather service.
package weather

//go:generate go run ../../cmd/sculpt generate
