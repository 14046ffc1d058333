package paging

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

const (
	firstPage = `[{"number": 7, "title": "It hangs", "comments": 2}, {"number": 8, "title": "Fix it", "comments": 9, "pull_request": {}}]`
	lastPage  = `[{"number": 3, "title": "It crashes", "comments": 5}]`
)

// next is the header by which GitHub names the next page.
var next = map[string]string{"Link": `<URL/repositories/42/issues?labels=bug&per_page=100&page=2>; rel="next", <URL/repositories/42/issues?page=2>; rel="last"`}

func call(t *testing.T, api *stub.Server) (ListBugsOutput, error) {
	t.Helper()
	tools, err := New(Config{Github: upstream.API{BaseURL: api.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return tools.ListBugs(context.Background(), ListBugsInput{Owner: "octo", Repo: "lamp"})
}

func TestAllPagesAreOneList(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Header: next, Body: firstPage}, stub.Answer{Body: lastPage})
	got, err := call(t, api)
	if err != nil {
		t.Fatal(err)
	}
	want := ListBugsOutput{Total: 2, Bugs: []ListBugsBugsItem{{Number: 3, Title: "It crashes", Comments: 5}, {Number: 7, Title: "It hangs", Comments: 2}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	api.Sent(t,
		"GET /repos/octo/lamp/issues?labels=bug&per_page=100\nUser-Agent: cookbook",
		"GET /repositories/42/issues?labels=bug&per_page=100&page=2\nUser-Agent: cookbook")
}

func TestAPageThatFailsLeavesAPart(t *testing.T) {
	bad := stub.Answer{Status: http.StatusBadGateway}
	api := stub.Serve(t, stub.Answer{Header: next, Body: firstPage}, bad, bad, bad)
	got, err := call(t, api)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Partial || got.Total != 1 || got.Bugs[0].Number != 7 {
		t.Errorf("%+v", got)
	}
}

func TestThereIsNoSuchRepository(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Status: http.StatusNotFound, Body: `{"message": "Not Found"}`})
	_, err := call(t, api)
	stub.Refused(t, err, "no_repository", "There is no public repository octo/lamp.")
	api.Sent(t, "GET /repos/octo/lamp/issues?labels=bug&per_page=100")
}
