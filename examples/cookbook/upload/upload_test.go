package upload

import (
	"context"
	"net/http"
	"testing"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

func call(t *testing.T, api *stub.Server, content string) (AttachToReleaseOutput, error) {
	t.Helper()
	tools, err := New(Config{Github: upstream.API{BaseURL: api.URL}, GithubToken: "ghp_1"})
	if err != nil {
		t.Fatal(err)
	}
	return tools.AttachToRelease(context.Background(), AttachToReleaseInput{Tag: "v1.2.0", Name: "sums.txt", Content: content})
}

const (
	found = "GET /repos/octo/lamp/releases/tags/v1.2.0\nAuthorization: Bearer ghp_1"
	bytes = "POST /repos/octo/lamp/releases/77/assets?name=sums.txt\nContent-Type: application/octet-stream\nAuthorization: Bearer ghp_1\n\n\x00\xffsum"
)

var release = stub.Answer{Body: `{"id": 77, "html_url": "https://github.example/r/77"}`}

func TestTheBytesArrive(t *testing.T) {
	api := stub.Serve(t, release, stub.Answer{Status: http.StatusCreated, Body: `{"size": 5, "browser_download_url": "https://github.example/sums.txt"}`})
	got, err := call(t, api, "AP9zdW0=")
	if err != nil {
		t.Fatal(err)
	}
	if got.Size != 5 || got.Link != "https://github.example/sums.txt" {
		t.Errorf("%+v", got)
	}
	api.Sent(t, found, bytes)
}

func TestTheNameIsTaken(t *testing.T) {
	api := stub.Serve(t, release, stub.Answer{Status: http.StatusUnprocessableEntity, Body: `{"message": "already_exists"}`})
	_, err := call(t, api, "AP9zdW0=")
	stub.Refused(t, err, "name_taken", "The release has a file sums.txt already.")
	api.Sent(t, found, bytes)
}

// An upload that broke down may have happened, so it is not sent again.
func TestABrokenUploadIsNotRepeated(t *testing.T) {
	api := stub.Serve(t, release, stub.Answer{Status: http.StatusBadGateway})
	_, err := call(t, api, "AP9zdW0=")
	stub.Refused(t, err, "unknown_outcome", "It is not known whether the call took effect. Check before you repeat it.")
	api.Sent(t, found, bytes)
}

func TestWhatIsNotBase64IsNotSent(t *testing.T) {
	api := stub.Serve(t, release)
	_, err := call(t, api, "a file")
	stub.Refused(t, err, "rejected", "These inputs give no result: the text is not base64.")
	api.Sent(t, found)
}
