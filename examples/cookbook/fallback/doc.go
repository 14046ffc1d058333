// Package fallback is the recipe "Ask somebody else": where the central banks have no rate of a
// currency, the market is asked.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package fallback

//go:generate go run ../../../cmd/sculpt generate
