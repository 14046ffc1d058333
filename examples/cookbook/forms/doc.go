// Package forms is the recipe "Send a nested form": Stripe wants
// line_items[0][price]=... in a form.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package forms

//go:generate go run ../../../cmd/sculpt generate
