package conform

import (
	"net/http"
	"slices"
	"strings"
)

func otcNewest(r *recording, l *look) {
	l.saw("list")
	if x := r.otc.bare; !x.ok() {
		l.fail("%s without a $schema", x.told())
	}
	for _, c := range r.otc.invalid(l) {
		if c.bad.status != c.badBare.status {
			l.fail("%s without a $schema, with one the status is %d", c.badBare.told(), c.bad.status)
		}
	}
}

// beforeCall are statuses of a call that was refused before the tool ran: by the
// server, for its inputs, its credentials or its rate.
var beforeCall = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusTooManyRequests}

func otcStatus(r *recording, l *look) {
	l.skip(unnamed)
	for _, c := range r.otc.calls {
		for _, x := range c.right() {
			l.saw("call")
			if x.status != http.StatusOK && !slices.Contains(beforeCall, x.status) {
				l.fail("%s", x.told())
			}
		}
	}
}

// An otcAnswer is the result of one call with good inputs.
type otcAnswer struct {
	call *otcCall
	x    *exchange
	m    map[string]any
}

// results are those of all calls that were answered with 200.
func (t *otcTalk) results(l *look) []otcAnswer {
	l.skip(unnamed)
	var list []otcAnswer
	for _, c := range t.calls {
		for _, x := range c.right() {
			if x.status != http.StatusOK {
				l.skip("%s", x.told())
				continue
			}
			list = append(list, otcAnswer{c, x, object(x.object()["result"])})
		}
	}
	return list
}

// invalid are the calls that were sent with invalid inputs too.
func (t *otcTalk) invalid(l *look) []*otcCall {
	l.skip(unnamed)
	var list []*otcCall
	for _, c := range t.calls {
		if c.bad == nil {
			l.skip("%s takes all inputs", c.tool.at)
			continue
		}
		list = append(list, c)
	}
	return list
}

func otcResult(r *recording, l *look) {
	for _, a := range r.otc.results(l) {
		l.saw("result")
		l.lacks(a.x.key+": the result", a.m, []member{
			{name: "call_id", kind: "string"}, {name: "success", kind: "boolean"}, {name: "duration", kind: "number", optional: true},
		})
		_, value := a.m["value"]
		_, fault := a.m["error"]
		if value && fault || a.m["success"] == true && fault || a.m["success"] == false && value {
			l.fail("%s: value and error do not fit success", a.x.key)
		}
	}
}

func otcCallID(r *recording, l *look) {
	for _, a := range r.otc.results(l) {
		got, is := a.m["call_id"].(string)
		if !is {
			continue
		}
		l.saw("id")
		if a.x.callID != got {
			l.fail("%s: %s came back", a.x.key, quoted(got))
		}
	}
}

func otcValue(r *recording, l *look) {
	for _, a := range r.otc.results(l) {
		schema := object(a.call.tool.m["output_schema"])
		if schema == nil || a.m["success"] != true {
			l.skip("no call gave a value that has an output_schema")
			continue
		}
		l.saw("value")
		if wrong := misfits("value", schema, a.m["value"]); wrong != "" {
			l.fail("%s: %s", a.x.key, wrong)
		}
	}
}

func otcVersionRules(r *recording, l *look) {
	l.skip(unnamed)
	if x := r.otc.noVersion; x != nil {
		l.saw("call")
		if x.status == http.StatusOK {
			l.fail("%s", x.told())
		}
	}
}

// otcCalled fails where a call with good inputs was refused. A server that
// answers 5xx is judged by another clause.
func otcCalled(of func(*otcCall) *exchange) func(*recording, *look) {
	return func(r *recording, l *look) {
		l.skip(unnamed)
		for _, c := range r.otc.calls {
			x := of(c)
			if x == nil || x.status >= http.StatusInternalServerError {
				l.skip("there is no such call, or the server asks for patience")
				continue
			}
			l.saw("call")
			if x.status != http.StatusOK {
				l.fail("%s: %s", x.told(), quoted(x.object()["message"]))
			}
		}
	}
}

func otcDistinct(r *recording, l *look) {
	for _, c := range r.otc.invalid(l) {
		l.saw("comparison")
		if c.bad.status == r.otc.noTool.status {
			l.fail("an unknown tool and invalid inputs are both answered with %d", c.bad.status)
		}
		if c.exact.status == r.otc.noTool.status {
			l.fail("an unknown tool is answered as a call: with %d", c.exact.status)
		}
	}
}

func otcServer400(r *recording, l *look) {
	l.skip(unnamed)
	for _, x := range []*exchange{r.otc.noTool, r.otc.noVersion} {
		if x == nil {
			continue
		}
		l.saw("call")
		if x.status != http.StatusBadRequest {
			l.fail("%s", x.told())
		}
	}
}

func otcServerSchema(r *recording, l *look) {
	for _, c := range r.otc.invalid(l) {
		l.saw("call")
		if c.badSchema.status != http.StatusBadRequest {
			l.fail("%s with a $schema that does not exist", c.badSchema.told())
		}
	}
}

func otcMessage(r *recording, l *look) {
	l.skip(unnamed)
	for _, x := range []*exchange{r.otc.noTool, r.otc.noVersion} {
		if x == nil {
			continue
		}
		if x.status != http.StatusBadRequest {
			l.skip("%s", x.told())
			continue
		}
		l.saw("error")
		l.message(x)
	}
}

// message fails where an error has none.
func (l *look) message(x *exchange) {
	l.lacks(x.key, x.object(), []member{{name: "message", kind: "string"}, {name: "developer_message", kind: "string", optional: true}})
	if m, is := x.object()["message"].(string); is && strings.TrimSpace(m) == "" {
		l.fail("%s: the message is empty", x.key)
	}
}

func otcValidated(r *recording, l *look) {
	for _, c := range r.otc.invalid(l) {
		l.saw("call")
		if c.bad.status == http.StatusOK {
			l.fail("%s, though its inputs are invalid", c.bad.told())
		}
	}
}

func otcInput422(r *recording, l *look) {
	for _, c := range r.otc.invalid(l) {
		l.saw("call")
		if c.bad.status != http.StatusUnprocessableEntity {
			l.fail("%s, though its inputs are invalid", c.bad.told())
			continue
		}
		l.message(c.bad)
		of, there := c.bad.object()["parameter_errors"]
		if there && object(of) == nil {
			l.fail("%s: parameter_errors is not an object", c.bad.key)
		}
		for name, v := range object(of) {
			if kindOf(v) != "string" {
				l.fail("%s: parameter_errors.%s is not a text", c.bad.key, name)
			}
		}
	}
}

func otcExecution(r *recording, l *look) {
	results := r.otc.results(l)
	if len(results) > 0 {
		l.skip("no call failed: name one that does with --invoke")
	}
	for _, a := range results {
		if a.m["success"] != false {
			continue
		}
		l.saw("error")
		l.lacks(a.x.key+": the error", object(a.m["error"]), []member{
			{name: "message", kind: "string"}, {name: "developer_message", kind: "string", optional: true}, {name: "can_retry", kind: "boolean", optional: true},
			{name: "additional_prompt_content", kind: "string", optional: true}, {name: "retry_after_ms", kind: "integer", optional: true},
		})
	}
}
