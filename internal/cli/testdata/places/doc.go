// Package places is a package of the tests.
package places
