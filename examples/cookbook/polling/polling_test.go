package polling

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sculpt-tools/sculpt/examples/cookbook/internal/stub"
	"github.com/sculpt-tools/sculpt/sculpt/upstream"
)

const (
	began = "POST /v2/transcript\nAuthorization: k3y\nContent-Type: application/json\n\n{\"audio_url\":\"https://talk.example/1.mp3\"}"
	asked = "GET /v2/transcript/t1\nAuthorization: k3y"
)

// call makes the call in a bubble where waiting takes no time, and says how long
// it would have waited. The API answers in process, since a bubble has no network.
func call(t *testing.T, answers ...stub.Answer) (api *stub.Server, got TranscribeOutput, waited time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		api = stub.New(append([]stub.Answer{{Body: `{"id": "t1", "status": "queued"}`}}, answers...)...)
		tools, failed := New(Config{Speech: upstream.API{Handler: api}, SpeechKey: "k3y"})
		if failed != nil {
			t.Fatal(failed)
		}
		begin := time.Now()
		got, err = tools.Transcribe(context.Background(), TranscribeInput{Recording: "https://talk.example/1.mp3"})
		waited = time.Since(begin)
	})
	return api, got, waited, err
}

var busy = stub.Answer{Body: `{"id": "t1", "status": "processing"}`}

func TestItIsAskedUntilItIsDone(t *testing.T) {
	later := stub.Answer{Header: map[string]string{"Retry-After": "10"}, Body: busy.Body}
	api, got, waited, err := call(t, busy, later, stub.Answer{Body: `{"id": "t1", "status": "completed", "text": "Hello."}`})
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "Hello." || waited != 13*time.Second {
		t.Errorf("%+v after %s", got, waited)
	}
	api.Sent(t, began, asked, asked, asked)
}

func TestItFails(t *testing.T) {
	api, _, _, err := call(t, stub.Answer{Body: `{"id": "t1", "status": "error", "error": "no audio"}`})
	stub.Refused(t, err, "not_transcribed", "The recording cannot be transcribed.")
	api.Sent(t, began, asked)
}

// A second call would begin a second job, so the model is told not to make one.
func TestItTakesTooLong(t *testing.T) {
	var answers []stub.Answer
	for range 30 {
		answers = append(answers, busy)
	}
	_, _, waited, err := call(t, answers...)
	stub.Refused(t, err, "backend_timeout", "The call failed after some of its effects had happened. Do not repeat it; check first.")
	if waited > 50*time.Second {
		t.Errorf("it waited %s", waited)
	}
}
