// Package consent is the recipe "Act for a user": a calendar of Google is read for who has agreed.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package consent

//go:generate go run ../../../cmd/sculpt generate
