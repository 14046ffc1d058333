// Package serving measures what a call of a generated server costs, beside
// what others need for the same: a tuned reverse proxy, a server as one writes
// it by hand, and servers of two SDKs of MCP.
//
// Every server is a process of its own, and so is the upstream; the load comes
// from the process that measures. A round takes the processor time of each
// server from the kernel before and after its calls, servers take turns, and a
// result is the median of the ratios of the rounds: two figures of one round saw
// the same machine.
package serving
