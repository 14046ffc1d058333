// Package paging is the recipe "Read all pages of a list": the pages of GitHub
// are found by their Link header.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package paging

//go:generate go run ../../../cmd/sculpt generate
