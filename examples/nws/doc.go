// Package nws serves two weather tools over the public API of the US National
// Weather Service. The files *_gen.go and the folder exports are generated from
// sculpt.yaml.
//
// The exchanges in the folder replay let it run without a network. They were
// written by hand in the shape of real answers: places and coordinates are
// real, while times, ids and weather are invented.
package nws

//go:generate go run ../../cmd/sculpt generate
