// Package clinic serves the tools of a clinic and its pharmacy: prescriptions,
// refills, free slots and appointments, for patients who have signed in. The
// files *_gen.go and the folder exports are generated from sculpt.yaml.
//
// There is no such clinic: package backend plays it, and the exchanges in the
// folder replay were recorded from that.
package clinic

//go:generate go run ../../cmd/sculpt generate
