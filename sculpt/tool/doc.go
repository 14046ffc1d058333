// Package tool is the vocabulary of a call: a [Toolset] of tools with their
// versions and parameters, the [Args] that a caller gives, the [Result] or
// [Error] that it gets, who calls ([Principal]) and which call it is
// ([Invocation]). Generated code fills it in, package serve speaks it over every
// protocol.
//
//	func greet(ctx context.Context, args tool.Args) (tool.Result, error) {
//		var w tool.ResultWriter
//		w.Output("greeting").Text("Hello " + args.Text("name"))
//		return w.Result()
//	}
//
// It holds the one validator of arguments ([Validate], [Inputs]). It imports the
// standard library and this module's value only, and no net/http.
package tool
