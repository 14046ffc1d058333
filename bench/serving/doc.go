// Package serving measures what a call of a generated server costs, beside
// what others need for the same: a tuned reverse proxy, a server as one writes
// it by hand, and servers of two SDKs of MCP.
//
// Every server is a process of its own for each number of connections, and so is
// the upstream; the load comes from the process that measures. In each part of a
// round servers take turns, with their processor time taken from the kernel before
// and after their calls, and a result is the median of the ratios of the rounds: two
// figures of one round saw the same machine.
package serving
