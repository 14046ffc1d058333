// Package tables is the recipe "Read a table": the European Central Bank answers in CSV.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package tables

//go:generate go run ../../../cmd/sculpt generate
