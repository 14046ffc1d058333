package gen

import "github.com/sculpt-tools/sculpt/gen/internal/typed"

// A TypedService is tools of one server, sculpted or not, for which its methods
// write callers: Go a file of a package, TypeScript a module without dependencies.
type TypedService = typed.Service

// IsClientPackage reports whether a name can be that of a package of callers.
func IsClientPackage(name string) bool { return typed.IsPackage(name) }
