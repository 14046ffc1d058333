// Package pattern holds regular expressions that are compiled when they are used
// first: compiling all that the command line may need took it longer than to
// find that nothing has changed. It imports the standard library only.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns the compiled form of expr, which a test compiles: call it as
// pattern.Of(`...`), with a constant.
func Of(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
