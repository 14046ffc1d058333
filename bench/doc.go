// Package bench holds foreign judges: official clients and suites that look at
// what sculpt serves, and servers of others to measure it against. It is a
// module of its own, so that nobody who uses sculpt depends on them.
package bench
