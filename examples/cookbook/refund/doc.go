// Package refund is the recipe "Change something once": a refund at Mollie is confirmed, sent
// with an Idempotency-Key, and repeated without being paid twice.
// The files *_gen.go and the folder exports are generated from sculpt.yaml.
package refund

//go:generate go run ../../../cmd/sculpt generate
