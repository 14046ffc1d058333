// Package value holds what compiled expressions need at run time: checked
// integer arithmetic, the string, time and list functions of the expression
// language, JSON encoding of typed values, and [PathError].
//
// The package imports the standard library only and nothing of this module.
package value
