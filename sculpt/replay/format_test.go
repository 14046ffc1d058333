package replay_test

import (
	"encoding/json"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/replay"
)

// A recording is read in reviews: one member a line, in a fixed order, texts as
// they are, and nothing that says nothing.
func TestFormat(t *testing.T) {
	for _, c := range []struct {
		x    replay.Exchange
		want string
	}{
		{replay.Exchange{Request: replay.Request{Method: "GET", URL: "https://a.example/?a=1&b=<"}},
			"{\n  \"request\": {\n    \"method\": \"GET\",\n    \"url\": \"https://a.example/?a=1&b=<\"\n  }\n}\n"},
		{replay.Exchange{
			Request:  replay.Request{API: "a", Method: "POST", URL: "https://a.example/", Body: json.RawMessage(`{"b":1,"a":[2]}`)},
			Response: &replay.Response{Status: 200, Headers: map[string]string{"X-B": "2", "X-A": "1"}, Body: json.RawMessage(`"x"`), Text: true},
		}, `{
  "request": {
    "api": "a",
    "method": "POST",
    "url": "https://a.example/",
    "body": {
      "b": 1,
      "a": [
        2
      ]
    }
  },
  "response": {
    "status": 200,
    "headers": {
      "X-A": "1",
      "X-B": "2"
    },
    "body": "x",
    "text": true
  }
}
`},
	} {
		got, err := replay.Format(&c.x)
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %s\nwant %s", err, got, c.want)
		}
	}
	if got, err := replay.Format(&replay.Exchange{Request: replay.Request{Body: json.RawMessage("{")}}); err == nil || got != nil {
		t.Errorf("%s of a body that is not JSON", got)
	}
}
