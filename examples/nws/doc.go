// Package nws serves weather tools over the public API of the US National
// Weather Service. The files *_gen.go and the folder exports are generated from
// sculpt.yaml.
//
// The exchanges in the folder replay let it run without a network. They are
// written, not recorded, in the shape of real answers: the places and stations
// exist, while the weather, times and ids are invented and other figures are
// approximate. Most of them come from the program internal/written.
package nws

//go:generate go run ../../cmd/sculpt generate
