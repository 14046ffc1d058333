package corpus_test

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/manifest"
	"github.com/sculpt-tools/sculpt/internal/resolve"
	"github.com/sculpt-tools/sculpt/internal/spec"
)

// A wireRow is one row of testdata/wire.txt.
type wireRow struct {
	place, style, explode, version, value string
	// want is what is sent. A row that is still open must not be met, one that is
	// unread means something else to openapi3filter.
	want         string
	open, unread bool
	line         int
	// only makes documents that allow the value of the row alone.
	only bool
}

func wireRows(t testing.TB) []wireRow {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "wire.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []wireRow
	for i, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		text, open := strings.CutPrefix(line, "! ")
		text, unread := strings.CutPrefix(text, "~ ")
		cells := strings.SplitN(text+" ", " | ", 6)
		if len(cells) == 5 && strings.HasSuffix(cells[4], " | ") || strings.HasSuffix(text, " |") && len(cells) == 5 {
			cells = append(cells, "")
		}
		if len(cells) != 6 {
			t.Fatalf("wire.txt:%d has %d parts", i+1, len(cells))
		}
		for version := range strings.FieldsSeq(cells[3]) {
			rows = append(rows, wireRow{
				place: cells[0], style: cells[1], explode: cells[2], version: version, value: strings.TrimSuffix(cells[4], " |"),
				want: strings.TrimSpace(cells[5]), open: open, unread: unread, line: i + 1,
			})
		}
	}
	return rows
}

// schemaOf is the schema of which a value of the table is an instance. What is
// called file is binary.
func schemaOf(name string, v any) map[string]any {
	switch v := v.(type) {
	case bool:
		return map[string]any{"type": "boolean"}
	case int, int64, uint64:
		return map[string]any{"type": "integer"}
	case float64:
		return map[string]any{"type": "number"}
	case []any:
		items := map[string]any{"type": "string"}
		if len(v) > 0 {
			items = schemaOf("", v[0])
		}
		return map[string]any{"type": "array", "items": items}
	case map[string]any:
		properties := map[string]any{}
		for k, x := range v {
			properties[k] = schemaOf(k, x)
		}
		return map[string]any{"type": "object", "properties": properties}
	case nil:
		return map[string]any{}
	}
	if name == "file" {
		return map[string]any{"type": "string", "format": "binary"}
	}
	return map[string]any{"type": "string"}
}

type tree = map[string]any

func (r *wireRow) schema(value any) tree {
	schema := schemaOf("", value)
	if r.only {
		schema["enum"] = []any{value}
	}
	return schema
}

// document is an OpenAPI document with the one operation of a row.
func (r *wireRow) document(t testing.TB) []byte {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(r.value), &value); err != nil {
		t.Fatalf("wire.txt:%d: %v", r.line, err)
	}
	op := tree{"operationId": "op", "responses": tree{"204": tree{"description": "Done."}}}
	doc := tree{"info": tree{"title": "T", "version": "1"}, "paths": tree{r.template(): tree{"post": op}}}
	if r.version == "2.0" {
		doc["swagger"], doc["host"], doc["schemes"] = "2.0", "a.example", []string{"https"}
		op["parameters"] = []any{r.swaggerParameter(value)}
		if r.place == "form" {
			op["consumes"] = []string{"application/x-www-form-urlencoded"}
		}
	} else {
		doc["openapi"], doc["servers"] = r.version+".0", []tree{{"url": "https://a.example"}}
		if r.place == "body" {
			media := tree{"schema": r.schema(value)}
			if r.explode != "-" {
				var encoding any
				if err := yaml.Unmarshal([]byte(r.explode), &encoding); err != nil {
					t.Fatal(err)
				}
				media["encoding"] = encoding
			}
			op["requestBody"] = tree{"required": true, "content": tree{r.style: media}}
		} else {
			op["parameters"] = []any{r.parameter(value)}
		}
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (r *wireRow) template() string {
	if r.place == "path" {
		return "/{color}/x"
	}
	return "/p"
}

func (r *wireRow) parameter(value any) tree {
	p := tree{"name": "color", "in": r.place, "required": true}
	if media, ok := strings.CutPrefix(r.style, "content/"); ok {
		p["content"] = tree{media: tree{"schema": r.schema(value)}}
		return p
	}
	style, reserved := strings.CutSuffix(r.style, "+")
	p["style"], p["explode"], p["schema"] = style, r.explode == "true", r.schema(value)
	if reserved {
		p["allowReserved"] = true
	}
	return p
}

func (r *wireRow) swaggerParameter(value any) tree {
	p := schemaOf("", value)
	p["name"], p["in"], p["required"] = "color", r.place, true
	if r.place == "form" {
		p["in"] = "formData"
	}
	if r.style != "-" {
		p["collectionFormat"] = r.style
	}
	return p
}

func (r *wireRow) manifest() string {
	value := "with: {color: " + r.value + "}"
	switch r.place {
	case "body":
		value = "body: " + r.value
	case "form":
		value = "body: {color: " + r.value + "}"
	}
	return fmt.Sprintf(`sculpt: 1
package: p
toolkit: P
namespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11
apis: {a: {openapi: a.json}}
tools:
  t:
    version: 1
    description: Sends a thing.
    inputs: {n: {type: int, description: N., min: 0, max: 9}}
    steps:
      s:
        call: a.op
        %s
    outputs: {done: {value: '${input.n}', description: N.}}
`, value)
}

// request is the request of a row, or why there is none.
func (r *wireRow) request(t *testing.T) (*wireRequest, string) {
	t.Helper()
	text := r.manifest()
	m, findings := manifest.Parse("sculpt.yaml", []byte(text))
	if findings.HasErrors() {
		t.Fatalf("wire.txt:%d: %v", r.line, findings)
	}
	set, findings := spec.Load(fstest.MapFS{"a.json": {Data: r.document(t)}}, resolve.Sources(m))
	if findings.HasErrors() {
		return nil, refusal(findings)
	}
	p, _, findings := planned(text, set)
	if findings.HasErrors() {
		return nil, refusal(findings)
	}
	requests := sent(t, p)
	if len(requests) == 0 {
		return nil, "refused rejected"
	}
	return requests[0], ""
}

func refusal(findings diag.List) string {
	for _, f := range findings {
		if f.Severity == diag.Error {
			return "refused " + f.Rule.String()
		}
	}
	return ""
}

// got is what is sent at the place that a row is about.
func (r *wireRow) got(t *testing.T) string {
	t.Helper()
	sent, why := r.request(t)
	if sent == nil {
		return why
	}
	target, err := url.Parse(sent.URL)
	if err != nil {
		t.Fatal(err)
	}
	switch r.place {
	case "path":
		return target.EscapedPath()
	case "query":
		return target.RawQuery
	case "header":
		return sent.Header.Get("color")
	case "cookie":
		return sent.Header.Get("Cookie")
	}
	base, params, err := mime.ParseMediaType(sent.Header.Get("Content-Type"))
	if want, _, _ := mime.ParseMediaType(r.style); err != nil || r.place == "body" && base != want {
		return fmt.Sprintf("%s with the type %q", sent.Body, sent.Header.Get("Content-Type"))
	}
	body := sent.Body
	if b := params["boundary"]; b != "" {
		body = strings.ReplaceAll(body, "--"+b, "--B")
	}
	return strings.ReplaceAll(body, "\r\n", `\r\n`)
}

// TestWireTable compares what is sent with testdata/wire.txt.
func TestWireTable(t *testing.T) {
	open := 0
	for _, r := range wireRows(t) {
		t.Run(fmt.Sprintf("%d/%s", r.line, r.version), func(t *testing.T) {
			got := r.got(t)
			switch {
			case r.open && got == r.want:
				t.Errorf("%s %s %s %s is met: take the mark away", r.place, r.style, r.explode, r.value)
			case r.open:
				open++
			case got != r.want:
				t.Errorf("%s %s %s %s sends\n%s, want\n%s", r.place, r.style, r.explode, r.value, got, r.want)
			}
		})
	}
	if open > 0 {
		t.Logf("%d rows are not met yet", open)
	}
}
