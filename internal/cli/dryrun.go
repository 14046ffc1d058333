package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/sculpt-tools/sculpt/internal/diag"
)

// showRequest prints a request that a dry run would send, in the form of
// HTTP, and where its answer comes from.
func (c *command) showRequest(e event) error {
	switch e.Event {
	case "request":
		r := e.Exchange.Request
		c.print("%s %s", diag.Escape(r.Method), diag.Escape(r.URL))
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			c.print("%s: %s", diag.Escape(name), diag.Escape(e.Headers[name]))
		}
		if len(r.Body) > 0 {
			c.print("\n%s", readableBody(r.Body))
		}
	case "answered":
		status := strconv.Itoa(e.Status) + " " + http.StatusText(e.Status)
		c.print("# answered from replay: %s\n", strings.TrimSpace(status))
	case "unanswered":
		if e.Text != "" {
			c.print("# no answer is recorded; there is one for %s\n", diag.Escape(e.Text))
			return nil
		}
		c.print("# no answer is recorded\n")
	}
	return nil
}

// readableBody indents JSON and shows any other body as text, line by line.
func readableBody(body json.RawMessage) string {
	var text string
	if json.Unmarshal(body, &text) == nil {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			lines[i] = diag.Escape(line)
		}
		return strings.Join(lines, "\n")
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, body, "", "  ") != nil {
		return diag.Escape(string(body))
	}
	return safeJSON(pretty.String())
}
