// Package nws serves two weather tools over the public API of the US National
// Weather Service. The files *_gen.go and the folder exports are generated from
// sculpt.yaml.
//
// The exchanges in the folder replay let it run without a network. They were
// written for the example in the shape of real answers: the places exist, while
// the weather, times and ids are invented and other figures are approximate.
package nws

//go:generate go run ../../cmd/sculpt generate
