// Package polling is the recipe "Wait for a job": AssemblyAI begins a transcript at once
// and is asked until it is done.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package polling

//go:generate go run ../../../cmd/sculpt generate
