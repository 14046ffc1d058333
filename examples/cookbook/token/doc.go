// Package token is the recipe "Get an access token": PayPal gives one for the id and
// the secret of the program.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package token

//go:generate go run ../../../cmd/sculpt generate
