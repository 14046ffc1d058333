// Package compat says whether one signature may follow another. A released
// version is locked, and a new one "can only add new optional input
// parameters, or add new output parameters" (A2T 5.4, 6.1); what the draft
// leaves open is decided by what a caller that holds an old version would
// live through.
//
//	changes := compat.Compare(compat.SideOf(v1), compat.SideOf(v2), compat.Options{})
//
// One rule is one function and one row of [Rules], the table that the
// documentation and the commands rules and explain are rendered from.
// [Compare] lists what changed between two versions; [Check] holds a new
// version against all released ones, because a caller may hold any of them,
// and reports each cause once, against the oldest release that it breaks.
//
// Parameters are paired by id first and by name then, so a rename, two names
// that were swapped and an id that came back with another meaning are told
// apart. Meanings are compared and not texts: a member that is left out has
// the value that the draft gives it.
//
// The package imports the standard library, diag, types and signature only:
// generated tests of vendors import it.
package compat
