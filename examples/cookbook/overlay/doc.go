// Package overlay is the recipe "Mend a document": what the document of a library leaves out is
// added by an overlay.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package overlay

//go:generate go run ../../../cmd/sculpt generate
