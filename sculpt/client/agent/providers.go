package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
)

// object is what is written of a message; json.Marshal sorts its keys.
type object map[string]any

func chatList(functions []function) any {
	list := []object{}
	for _, f := range functions {
		list = append(list, object{"type": "function", "function": object{"name": f.Name, "description": f.Description, "parameters": f.Parameters}})
	}
	return list
}

func chatCalls(response []byte) ([]Call, error) {
	var r struct {
		Choices []struct {
			Message struct {
				Calls []struct {
					ID       string
					Type     string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, err
	}
	if len(r.Choices) == 0 {
		return nil, errors.New("it has no choices")
	}
	var calls []Call
	for _, c := range r.Choices[0].Message.Calls {
		if c.Type == "function" || c.Type == "" {
			calls = append(calls, Call{c.ID, c.Function.Name, written(c.Function.Arguments)})
		}
	}
	return calls, nil
}

// written are arguments that are a text; a model may leave it empty for none.
func written(text string) json.RawMessage {
	if text == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(text)
}

func chatMessages(outcomes []Outcome) []any {
	var list []any
	for _, o := range outcomes {
		list = append(list, object{"role": "tool", "tool_call_id": o.Call.ID, "content": string(o.Content)})
	}
	return list
}

func responsesList(functions []function) any {
	list := []object{}
	for _, f := range functions {
		// Without strict the API tries it, and changes what is required.
		list = append(list, object{"type": "function", "name": f.Name, "description": f.Description, "parameters": f.Parameters, "strict": false})
	}
	return list
}

func responsesCalls(response []byte) ([]Call, error) {
	var r struct {
		Output *[]struct {
			Type, Name, Arguments string
			CallID                string `json:"call_id"`
		}
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, err
	}
	if r.Output == nil {
		return nil, errors.New("it has no output")
	}
	var calls []Call
	for _, o := range *r.Output {
		if o.Type == "function_call" {
			calls = append(calls, Call{o.CallID, o.Name, written(o.Arguments)})
		}
	}
	return calls, nil
}

func responsesMessages(outcomes []Outcome) []any {
	var list []any
	for _, o := range outcomes {
		list = append(list, object{"type": "function_call_output", "call_id": o.Call.ID, "output": string(o.Content)})
	}
	return list
}

func geminiList(functions []function) any {
	declarations := []object{}
	for _, f := range functions {
		declarations = append(declarations, object{"name": f.Name, "description": f.Description, "parametersJsonSchema": f.Parameters})
	}
	return []object{{"functionDeclarations": declarations}}
}

type geminiCall struct {
	ID, Name string
	Args     json.RawMessage
}

func geminiCalls(response []byte) ([]Call, error) {
	var r struct {
		Candidates []struct {
			Content struct {
				Parts []struct {
					Call  *geminiCall `json:"functionCall"`
					Other *geminiCall `json:"function_call"`
				}
			}
		}
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, err
	}
	if len(r.Candidates) == 0 {
		return nil, errors.New("it has no candidates")
	}
	var calls []Call
	for _, part := range r.Candidates[0].Content.Parts {
		c := part.Call
		if c == nil {
			c = part.Other
		}
		if c == nil {
			continue
		}
		if len(c.Args) == 0 || string(c.Args) == "null" {
			c.Args = json.RawMessage("{}")
		}
		calls = append(calls, Call{c.ID, c.Name, wholeNumbers(c.Args)})
	}
	return calls, nil
}

// wholeNumber is a number of a protocol that knows floating point alone.
var wholeNumber = regexp.MustCompile(`^(-?[0-9]+)\.0+$`)

// wholeNumbers writes 3.0 as 3: Gemini has one type for all numbers, and writes
// integers of a schema so at times.
func wholeNumbers(args json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) != nil {
		return args // Check says what is wrong
	}
	changed := false
	for name, raw := range members {
		if m := wholeNumber.FindSubmatch(bytes.TrimSpace(raw)); m != nil {
			members[name], changed = m[1], true
		}
	}
	if !changed {
		return args
	}
	text, err := encoded(members)
	if err != nil {
		return args
	}
	return text
}

func geminiMessages(outcomes []Outcome) []any {
	parts := []object{}
	for _, o := range outcomes {
		r := object{"name": o.Call.Name, "response": o.Content}
		if o.Call.ID != "" {
			r["id"] = o.Call.ID
		}
		parts = append(parts, object{"functionResponse": r})
	}
	return []any{object{"role": "user", "parts": parts}}
}

func anthropicList(functions []function) any {
	list := []object{}
	for _, f := range functions {
		list = append(list, object{"name": f.Name, "description": f.Description, "input_schema": f.Parameters})
	}
	return list
}

func anthropicCalls(response []byte) ([]Call, error) {
	var r struct {
		Content *[]struct {
			Type, ID, Name string
			Input          json.RawMessage
		}
	}
	if err := json.Unmarshal(response, &r); err != nil {
		return nil, err
	}
	if r.Content == nil {
		return nil, errors.New("it has no content")
	}
	var calls []Call
	for _, block := range *r.Content {
		if block.Type == "tool_use" {
			calls = append(calls, Call{block.ID, block.Name, written(string(block.Input))})
		}
	}
	return calls, nil
}

func anthropicMessages(outcomes []Outcome) []any {
	blocks := []object{}
	for _, o := range outcomes {
		block := object{"type": "tool_result", "tool_use_id": o.Call.ID, "content": string(o.Content)}
		if o.Err != nil {
			block["is_error"] = true
		}
		blocks = append(blocks, block)
	}
	return []any{object{"role": "user", "content": blocks}}
}
