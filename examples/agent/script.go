package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sculpt-tools/sculpt/sculpt/client/agent"
)

// wish is a call as a model writes it.
type wish struct {
	tool string
	args map[string]any
}

// script is what the model asks for, turn by turn: a wrong call that never leaves
// and is corrected, one that is not allowed, one that a server asks to repeat, one
// that must not be repeated, and a program.
var script = [][]wish{
	{
		{"lookup_weather_by_city", map[string]any{"town": "Omaha, Nebraska"}},
		{"cancel_all_orders", map[string]any{}},
		{"find_price", map[string]any{"thing": "umbrella"}},
	},
	{
		{"lookup_weather_by_city", map[string]any{"city": "Omaha, Nebraska", "period": "TONIGHT"}},
		{"order_thing", map[string]any{"thing": "umbrella"}},
		{"clock_tell", map[string]any{"city": "Omaha"}},
	},
}

// scripted speaks the format of a provider.
func scripted(p agent.Provider) asker {
	turn := 0
	return func(context.Context, string, json.RawMessage, []json.RawMessage) ([]byte, error) {
		var wishes []wish
		if turn < len(script) {
			wishes = script[turn]
		}
		turn++
		speak := speakers[p]
		if speak == nil {
			return nil, fmt.Errorf("the script does not speak %q", p)
		}
		return json.Marshal(speak(wishes, turn))
	}
}

type object = map[string]any

// speakers write calls, or the end, as each provider does.
var speakers = map[agent.Provider]func([]wish, int) any{
	agent.OpenAIChat: func(wishes []wish, turn int) any {
		var calls []any
		for i, w := range wishes {
			calls = append(calls, object{"id": id(turn, i), "type": "function", "function": object{"name": w.tool, "arguments": text(w.args)}})
		}
		return object{"choices": []any{object{"message": object{"role": "assistant", "tool_calls": calls}}}}
	},
	agent.OpenAIResponses: func(wishes []wish, turn int) any {
		output := []any{object{"type": "message"}}
		for i, w := range wishes {
			output = append(output, object{"type": "function_call", "call_id": id(turn, i), "name": w.tool, "arguments": text(w.args)})
		}
		return object{"output": output}
	},
	agent.Gemini: func(wishes []wish, _ int) any {
		parts := []any{object{"text": "..."}}
		for _, w := range wishes {
			parts = append(parts, object{"functionCall": object{"name": w.tool, "args": w.args}})
		}
		return object{"candidates": []any{object{"content": object{"role": "model", "parts": parts}}}}
	},
	agent.Anthropic: func(wishes []wish, turn int) any {
		content := []any{object{"type": "text", "text": "..."}}
		for i, w := range wishes {
			content = append(content, object{"type": "tool_use", "id": id(turn, i), "name": w.tool, "input": w.args})
		}
		return object{"type": "message", "role": "assistant", "content": content}
	},
}

func id(turn, i int) string { return fmt.Sprintf("call_%d_%d", turn, i) }

func text(args map[string]any) string {
	b, err := json.Marshal(args)
	if err != nil {
		panic(err) // texts always encode
	}
	return string(b)
}

// mine is the model's own part of an answer, which has to be said again with the
// next request.
func mine(p agent.Provider, answer []byte) []json.RawMessage {
	var a struct {
		Choices    []struct{ Message json.RawMessage }
		Output     []json.RawMessage
		Candidates []struct{ Content json.RawMessage }
		Content    json.RawMessage
	}
	if json.Unmarshal(answer, &a) != nil {
		return nil // the calls were read of it
	}
	switch p {
	case agent.OpenAIChat:
		return []json.RawMessage{a.Choices[0].Message}
	case agent.Gemini:
		return []json.RawMessage{a.Candidates[0].Content}
	case agent.Anthropic:
		return []json.RawMessage{json.RawMessage(`{"role":"assistant","content":` + string(a.Content) + `}`)}
	case agent.OpenAIResponses:
	}
	return a.Output
}
