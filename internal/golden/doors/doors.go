package doors

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/sculpt-tools/sculpt/sculpt/serve"
	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// A Door is a way to ask, over a protocol or in process.
type Door struct {
	Name string
	// Versioned doors can name a version; the others ask for the current one.
	Versioned bool
	// Cannot lists the sorts of questions that nobody can put here.
	Cannot []string
	// Ask puts a question.
	Ask func(testing.TB, *Served, *Question) Outcome
	// Tells is what the door has to tell of the outcome that the question wants.
	Tells func(testing.TB, *Served, *Question) Outcome
}

// All are the doors.
var All = []Door{
	{"method", false, []string{Missing, Unknown, WrongType}, askMethod, tellAll},
	{"in process", true, nil, askGeneric, tellAll},
	{"A2T", true, nil, AskA2T("/a2t", ":"), tellA2T},
	{"A2T escaped", true, nil, AskA2T("/a2t", "%3A"), tellA2T},
	{"N-ACT", true, nil, AskA2T("/nact", ":"), tellA2T},
	{"OTC", true, nil, askOTC("/otc/tools/call", "@%d.0.0"), tellOTC},
	{"OTC alias", true, nil, askOTC("/otc/call", "@%d"), tellOTC},
	{"MCP", false, nil, askMCP(""), tellMCP},
	{"MCP 2026-07-28", false, nil, askMCP("2026-07-28"), tellMCP},
	{"MCP on stdio", false, nil, askStdio(""), tellStdio},
	{"MCP 2026-07-28 on stdio", false, nil, askStdio("2026-07-28"), tellStdio},
	{"command line", false, []string{WrongType}, askConsole(false), tellConsole},
	{"command line as JSON", false, []string{WrongType}, askConsole(true), tellProblem},
	{"agent", false, []string{Unknown, WrongType}, askAgent, tellAgent},
}

// Can says whether the question can be put at this door.
func (d *Door) Can(q *Question) bool {
	return (d.Versioned || q.Version == 0) && !slices.Contains(d.Cannot, q.Sort)
}

// tellAll is for doors in process, which hand over the error itself.
func tellAll(_ testing.TB, _ *Served, q *Question) Outcome { return q.Want }

// askGeneric calls the tool by its name.
func askGeneric(t testing.TB, s *Served, q *Question) Outcome {
	args := tool.Args{}
	for name, v := range q.Inputs {
		if n, is := v.(int); is {
			v = int64(n)
		}
		args[name] = v
	}
	result, err := serve.Invoke(s.Caller.context(), s.Set, q.Tool, q.Version, args)
	if err != nil {
		return told(t, err)
	}
	values := map[string]any{}
	for _, o := range result {
		if len(o.JSON) == 0 { // missing
			continue
		}
		var v any
		if err := json.Unmarshal(o.JSON, &v); err != nil {
			t.Fatalf("output %s: %v", o.Name, err)
		}
		values[o.Name] = v
	}
	return Outcome{Outputs: values}
}

// jsonOf is a value of Go as the other doors have it: fields go back to the names
// of the outputs, and what is nil is left out.
func jsonOf(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		return jsonOf(v.Elem())
	case reflect.Int64:
		return float64(v.Int())
	case reflect.Bool:
		return v.Bool()
	case reflect.String:
		return v.String()
	case reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, jsonOf(v.Index(i)))
		}
		return list
	}
	out := map[string]any{}
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() != reflect.Pointer && f.Kind() != reflect.Slice || !f.IsNil() {
			out[snake(v.Type().Field(i).Name)] = jsonOf(f)
		}
	}
	return out
}

func askMethod(t testing.TB, s *Served, q *Question) Outcome {
	outputs, err := s.Method(s.Caller.context(), q.Tool, q.Inputs)
	if err != nil {
		return told(t, err)
	}
	return Outcome{Outputs: jsonOf(reflect.ValueOf(outputs)).(map[string]any)}
}

// told is what an error says in process.
func told(t testing.TB, err error) Outcome {
	var e *tool.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no error of the run time", err)
	}
	o := Outcome{Kind: e.Kind.String(), Reason: e.Code, Message: e.Message, Hint: e.Hint, Retry: e.Retryable, Wait: e.RetryAfter, Done: e.EffectsDone}
	for _, i := range e.Issues {
		o.Issues = append(o.Issues, Issue{i.Param, i.Code, i.Detail, i.Allowed, i.Nearest})
	}
	return o
}
