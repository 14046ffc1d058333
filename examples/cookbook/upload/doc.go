// Package upload is the recipe "Upload a file": a file goes to a release of
// GitHub, on a server of its own, as bytes.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package upload

//go:generate go run ../../../cmd/sculpt generate
