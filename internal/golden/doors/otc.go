package doors

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func askOTC(path, version string) func(testing.TB, *Served, *Question) Outcome {
	return func(t testing.TB, s *Served, q *Question) Outcome {
		var got struct {
			Result struct {
				Success bool
				Value   map[string]any
				Error   struct {
					Message, Code string
					Hint          string   `json:"additional_prompt_content"`
					Retry         bool     `json:"can_retry"`
					Wait          int64    `json:"retry_after_ms"`
					Done          []string `json:"effects_done"`
				}
			}
			Message string
			Params  map[string]string `json:"parameter_errors"`
		}
		id := s.otcName(t, q.Tool)
		if q.Version != 0 {
			id += fmt.Sprintf(version, q.Version)
		}
		w := s.post(t, path, map[string]any{"request": map[string]any{"tool_id": id, "input": q.Inputs}}, &got)
		e := &got.Result.Error
		o := Outcome{Status: w.Code, Outputs: got.Result.Value, Reason: e.Code, Message: got.Message + e.Message, Hint: e.Hint,
			Retry: e.Retry, Wait: time.Duration(e.Wait) * time.Millisecond, Done: e.Done}
		if got.Result.Success != (o.Message == "") {
			t.Errorf("success is %t beside the message %q", got.Result.Success, o.Message)
		}
		for _, name := range slices.Sorted(maps.Keys(got.Params)) {
			o.Issues = append(o.Issues, Issue{Param: name, Detail: got.Params[name]})
		}
		return o
	}
}

// tellOTC: the kind shows only in the status, which is 200 as soon as the tool
// runs. What a hint may help with can be retried.
func tellOTC(t testing.TB, s *Served, q *Question) Outcome {
	o := q.Want
	o.Message, o.Status, o.Kind, o.Issues = o.sentence(), http.StatusOK, "", nil
	switch q.Want.Kind {
	case "invalid_input":
		o.Status = http.StatusUnprocessableEntity
		for _, i := range q.Want.Issues {
			if len(i.Allowed) > 0 {
				i.Detail += " Allowed: " + strings.Join(i.Allowed, ", ") + "."
			}
			o.Issues = append(o.Issues, Issue{Param: i.Param, Detail: i.Detail})
		}
		slices.SortFunc(o.Issues, func(a, b Issue) int { return strings.Compare(a.Param, b.Param) })
	case "unknown_version":
		o.Status = http.StatusBadRequest
		o.Message = fmt.Sprintf("Tool '%s' has no version %d.0.0", s.otcName(t, q.Tool), q.Version)
	case "no_result", "rejected":
		o.Retry = o.Hint != ""
	}
	return o
}
