// Package serve is the run time of generated tool packages: it serves a
// [Toolset] over A2T, N-ACT, OTC/OXP and MCP, validates what callers send, and
// calls the upstream APIs safely.
//
// Generated code brings types, tables and straight-line chains; behaviour
// lives here, once, with its tests. The package imports the standard library
// and this module's scan and value only; it never reads the environment.
package serve
