package overlay

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func call(t *testing.T, api *stub.Server) (FindBooksOutput, error) {
	t.Helper()
	tools, err := New(Config{Library: upstream.API{BaseURL: api.URL}})
	if err != nil {
		t.Fatal(err)
	}
	return tools.FindBooks(context.Background(), FindBooksInput{Words: "dune & sand"})
}

const sent = "GET /search.json?q=dune%20%26%20sand&limit=5&fields=title%2Cauthor_name%2Cfirst_publish_year"

func TestTheMendedDocumentHasTypes(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Body: `{"numFound": 7, "docs": [{"title": "Dune", "author_name": ["Frank Herbert"], "first_publish_year": 1965}, {"title": "Sand"}]}`})
	got, err := call(t, api)
	if err != nil {
		t.Fatal(err)
	}
	year := int64(1965)
	want := FindBooksOutput{More: 2, Books: []FindBooksBooksItem{{Title: "Dune", Author: "Frank Herbert", Year: &year}, {Title: "Sand", Author: "unknown"}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	api.Sent(t, sent)
}

// What the overlay says is checked when the API answers: it can be wrong too.
func TestTheAPIIsOtherThanTheOverlaySays(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Body: `{"numFound": "7", "docs": []}`})
	_, err := call(t, api)
	stub.Refused(t, err, "bad_backend", "The backend gave an answer that this tool cannot use.")
}

func TestNothingIsFound(t *testing.T) {
	api := stub.Serve(t, stub.Answer{Body: `{"numFound": 0, "docs": []}`})
	_, err := call(t, api)
	stub.Refused(t, err, "nothing_found", `No book was found for "dune & sand".`)
	api.Sent(t, sent)
}
