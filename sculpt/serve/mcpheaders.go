package serve

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/sculpt/tool"
)

// openHTTP decides by header and _meta which revision a request speaks, and
// checks what 2026-07-28 wants of its headers: proxies act on them, so that one
// which says other than the body could pass what they mean to stop.
func (t *mcpTurn) openHTTP(h http.Header, m *rpcMessage) *rpcError {
	stated, given, _ := header(h, "Mcp-Protocol-Version")
	meta := &m.params.meta
	switch {
	case meta.versioned && stated != meta.version, given && stated == "":
		return mismatch("MCP-Protocol-Version", stated, meta.version)
	case given && stated != mcpFirst && !slices.Contains(mcpRevisions, stated):
		return unsupported(stated)
	}
	t.modern = stated == mcpModern || !given && m.method == "server/discover"
	if !t.modern {
		return nil // a client says what it can do in initialize, of which nothing is kept here
	}
	t.opens, t.tasks = meta.opens, meta.tasks
	if fault := m.needsMeta(); fault != nil {
		return fault
	}
	if method, _, _ := header(h, "Mcp-Method"); method != m.method && !m.answer {
		return mismatch("Mcp-Method", method, m.method)
	}
	named := m.params.name
	switch {
	case isTaskMethod(m.method):
		named = m.params.taskID
	case m.method != "tools/call":
		return nil
	}
	if name, _, _ := mirror(h, "Mcp-Name"); name != named {
		return mismatch("Mcp-Name", name, named)
	}
	if offer := t.view.byName[m.params.name]; offer != nil && m.fault == nil {
		return checkMirrors(offer.version.mirrors, h, &m.params.arguments)
	}
	return nil
}

// header returns the value of a header without the white space around it, ""
// and why for one that cannot be read: two values could mean one thing to a
// proxy and another to us, and so could bytes that are not ASCII.
func header(h http.Header, name string) (value string, given bool, why string) {
	values := h[name]
	switch {
	case len(values) == 0:
		return "", false, ""
	case len(values) > 1:
		return "", true, "is there more than once"
	}
	value = strings.Trim(values[0], " \t")
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return "", true, "has characters that come in Base64 only"
		}
	}
	return value, true, ""
}

// mirror is header for one that repeats a part of the body: what no header can
// hold comes in Base64 between two marks; where one of them is missing the
// value is what it says (2026-07-28, Streamable HTTP, Value Encoding).
func mirror(h http.Header, name string) (value string, given bool, why string) {
	value, given, why = header(h, name)
	coded, begins := strings.CutPrefix(value, "=?base64?")
	coded, ends := strings.CutSuffix(coded, "?=")
	if !begins || !ends {
		return value, given, why
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(coded)
	if err != nil {
		return "", true, "is not valid Base64"
	}
	return string(raw), true, ""
}

// An argumentMirror is a header that repeats an argument.
type argumentMirror struct {
	// param is the name of the input, header that of the header in the form
	// that net/http gives it.
	param, header string
}

const mirrorPrefix = "Mcp-Param-"

var mirrorForm = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$")

// mirrorsOf lists the headers that repeat inputs. It refuses names that clients
// refuse: they leave out the tool.
func mirrorsOf(params []tool.Param) ([]argumentMirror, error) {
	var mirrors []argumentMirror
	for i := range params {
		p := &params[i]
		if p.MCPHeader == "" {
			continue
		}
		m := argumentMirror{p.Name, http.CanonicalHeaderKey(mirrorPrefix + p.MCPHeader)}
		switch {
		case !mirrorForm.MatchString(p.MCPHeader):
			return nil, fmt.Errorf("%q is not the name of a header for input %s", p.MCPHeader, p.Name)
		case slices.ContainsFunc(mirrors, func(o argumentMirror) bool { return o.header == m.header }):
			return nil, fmt.Errorf("two inputs have the header %s", m.header)
		}
		mirrors = append(mirrors, m)
	}
	return mirrors, nil
}

// checkMirrors checks that the headers of a call say what its arguments say,
// for each argument that is there, and nothing for one that is absent or null.
// Nothing is wanted for a value of a kind that no input takes: there is no text
// that a header could give it, and validation tells the model.
func checkMirrors(mirrors []argumentMirror, h http.Header, arguments *tool.Inputs) *rpcError {
	for _, m := range mirrors {
		said, given, why := mirror(h, m.header)
		v, plain := arguments.Value(m.param)
		switch {
		case why != "":
			return &rpcError{code: rpcHeaderMismatch, message: "The header " + m.header + " " + why + "."}
		case v == nil && plain && given:
			return &rpcError{code: rpcHeaderMismatch, message: "The header " + m.header + " is " + tool.Quote(said) + ", the body has no argument " + m.param + "."}
		case v == nil:
		case !given:
			return &rpcError{code: rpcHeaderMismatch, message: "The header " + m.header + " is missing, which repeats the argument " + m.param + "."}
		case !says(said, v):
			return mismatch(m.header, said, words(v))
		}
	}
	return nil
}

// wholeForm is an integer as JSON writes it, possibly with a fraction of zeros.
var wholeForm = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,18})(\.0{1,20})?$`)

// says reports whether a header says the value of an argument. Integers are
// compared as numbers (2026-07-28, Streamable HTTP, Server Validation): 42.0 is
// 42.
func says(said string, v any) bool {
	num, isInt := v.(int64)
	if !isInt {
		return said == words(v)
	}
	if !wholeForm.MatchString(said) {
		return false
	}
	whole, _, _ := strings.Cut(said, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	return err == nil && n == num
}

// words is the value of an argument as a header says it.
func words(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return v
	}
	return ""
}

func mismatch(name, stated, body string) *rpcError {
	return &rpcError{code: rpcHeaderMismatch,
		message: "The header " + name + " is " + tool.Quote(stated) + ", the body says " + tool.Quote(body) + "."}
}

// sameMirrors reports whether a document tells clients of the headers that are
// checked, and of no other.
func sameMirrors(params []tool.Param, properties map[string]json.RawMessage) bool {
	for i := range params {
		var property struct {
			Header *string `json:"x-mcp-header"`
		}
		// A schema may be true or false, and says nothing of headers then.
		_ = json.Unmarshal(properties[params[i].Name], &property)
		said, want := property.Header, params[i].MCPHeader
		if (said != nil) != (want != "") || said != nil && *said != want {
			return false
		}
	}
	return true
}
