// Package released is a package with a release, for examples of keys.
package released
