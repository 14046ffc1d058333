package nws_test

import (
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/nws"
	"github.com/sculpt-tools/sculpt/internal/golden/doors"
)

// Types of this package, so that tables of them need no keys.
type (
	question doors.Question
	issue    doors.Issue
	outcome  = doors.Outcome
)

func serveOver(t testing.TB, upstream http.RoundTripper) *doors.Served {
	t.Helper()
	tools := toolsOver(t, upstream)
	return &doors.Served{
		Program: "nws", Docs: nws.Docs(), Set: tools.Toolset(), Plain: plainHandler(t, tools), Judged: handlerOver(t, tools),
		Method: doors.MethodOf(tools),
	}
}
