package doors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/sculpt/serve"
)

// mcpCall is a tools/call; 2026-07-28 says of itself what it is.
func mcpCall(q *Question, revision string) map[string]any {
	params := map[string]any{"name": q.Tool, "arguments": q.Inputs}
	if revision != "" {
		params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	}
	return map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
}

// An mcpAnswer is the answer to a tools/call.
type mcpAnswer struct {
	Result struct {
		Content           []struct{ Type, Text string }
		StructuredContent map[string]any
		IsError           bool
	}
}

// read takes an answer apart; its text has to say the same as its values.
func (a *mcpAnswer) read(t testing.TB) Outcome {
	if len(a.Result.Content) != 1 || a.Result.Content[0].Type != "text" {
		t.Fatalf("%+v", a)
	}
	text := a.Result.Content[0].Text
	if a.Result.IsError {
		return Outcome{Message: text, Outputs: a.Result.StructuredContent}
	}
	var said map[string]any
	if err := json.Unmarshal([]byte(text), &said); err != nil || !cmp.Equal(said, a.Result.StructuredContent) {
		t.Errorf("text %s, values %s: %v", text, a.Result.StructuredContent, err)
	}
	return Outcome{Outputs: a.Result.StructuredContent}
}

func askMCP(revision string) func(testing.TB, *Served, *Question) Outcome {
	return func(t testing.TB, s *Served, q *Question) Outcome {
		var headers []string
		if revision != "" {
			headers = []string{"MCP-Protocol-Version: " + revision, "Mcp-Method: tools/call", "Mcp-Name: " + q.Tool}
		}
		var got mcpAnswer
		w := s.post(t, "/mcp", mcpCall(q, revision), &got, headers...)
		o := got.read(t)
		o.Status = w.Code
		return o
	}
}

func askStdio(revision string) func(testing.TB, *Served, *Question) Outcome {
	return func(t testing.TB, s *Served, q *Question) Outcome {
		line, err := json.Marshal(mcpCall(q, revision))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := serve.Stdio(s.Caller.context(), s.Plain, nil, bytes.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		var got mcpAnswer
		var doc any
		if err := errors.Join(json.Unmarshal(out.Bytes(), &got), json.Unmarshal(out.Bytes(), &doc)); err != nil {
			t.Fatal(err)
		}
		golden.JudgeMCP(t, "on stdio", doc)
		return got.read(t)
	}
}

func tellMCP(t testing.TB, s *Served, q *Question) Outcome {
	o := tellStdio(t, s, q)
	o.Status = http.StatusOK
	return o
}

// tellStdio: all there is to an error is one text, in whole sentences.
func tellStdio(_ testing.TB, _ *Served, q *Question) Outcome {
	if q.Want.Kind == "" {
		return Outcome{Outputs: q.Want.Outputs}
	}
	text := q.Want.sentence()
	for at, i := range q.Want.Issues {
		if at == 0 {
			text += ":"
		}
		text += " " + i.Param + ": " + i.Detail
		if len(i.Allowed) > 0 {
			text += " Allowed: " + strings.Join(i.Allowed, ", ") + "."
		}
	}
	if q.Want.Hint != "" {
		text += " " + q.Want.Hint
	}
	if len(q.Want.Done) > 0 {
		text += " Done already: " + strings.Join(q.Want.Done, ", ") + "."
	}
	if q.Want.Wait > 0 {
		text = strings.Replace(text, "Try again later.", fmt.Sprintf("Try again in %.0f s.", q.Want.Wait.Seconds()), 1)
	}
	return Outcome{Message: text}
}
