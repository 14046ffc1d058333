package cli

import (
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/sculpt/replay"
)

// What is recorded is told by what tells requests of an operation apart.
func TestRecorded(t *testing.T) {
	op := &operation.Operation{
		API: "geo", Method: "GET", Path: "/v1/{kind}/{x},{y}", ID: "find",
		Parts:  []operation.PathPart{{Literal: "/v1/"}, {Param: "kind"}, {Literal: "/"}, {Param: "x"}, {Literal: ","}, {Param: "y"}},
		Params: []*operation.Param{{Name: "kind"}, {Name: "x"}, {Name: "y"}, {Name: "name"}},
	}
	at := func(api, method, url string) *replay.Exchange {
		return &replay.Exchange{Request: replay.Request{API: api, Method: method, URL: url}}
	}
	var many []*replay.Exchange
	for _, name := range "ABCDEFGHIJ" {
		many = append(many, at("", "GET", "https://a.example/v1/place/1,2?name="+string(name)))
	}
	for _, c := range []struct {
		what      string
		exchanges []*replay.Exchange
		want      string
		count     int
	}{
		{"one request", many[:1], ": 1 answer", 1},
		{"requests that are alike", []*replay.Exchange{many[0], many[0]}, ": 2 answers", 2},
		{"a value of the query", many[:2], " name: A; B", 2},
		{"values of the path", []*replay.Exchange{at("geo", "GET", "https://a.example/base/v1/caf%C3%A9/1,2"), at("", "GET", "https://a.example/v1/bar/1,3")}, " kind,y: bar,3; café,2", 2},
		{"one is named once", []*replay.Exchange{many[1], many[0], many[1]}, " name: A; B", 3},
		{"more than fit", many, " name: A; B; C; D; E; F; G; H; and 2 more", 10},
		{"others", []*replay.Exchange{
			at("other", "GET", "https://a.example/v1/bar/1,3"), at("", "POST", "https://a.example/v1/bar/1,3"), at("", "GET", "https://a.example/v1/bar/1,3/4"),
			at("", "GET", "https://a.example/v1/bar/1"), at("", "GET", ":"),
		}, "", 0},
	} {
		r := recording{op: op, path: pathPattern(op)}
		found := r.requests(c.exchanges)
		if len(found) != c.count {
			t.Errorf("%s: %v", c.what, found)
		}
		if c.count == 0 {
			continue
		}
		if got := r.differences(found); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	all := []recording{{op: op, path: pathPattern(op), text: "yes"}, {op: &operation.Operation{Method: "GET"}, path: pathPattern(&operation.Operation{Parts: []operation.PathPart{{Literal: "/other"}}}), text: "no"}}
	if got := near(all, many[0]); !slices.Equal(got, []string{"yes"}) {
		t.Errorf("near: %v", got)
	}
}
