package corpus_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// An operationSlice is what one operation of a document says of its requests,
// with the schemas that it reaches, as the document has them: openapi3filter
// cannot load some documents as a whole for what is wrong in other places.
type operationSlice struct {
	doc     *documentReader
	schemas tree
	names   map[string]string
}

// A judgedOperation is an operation as openapi3filter wants it, with what it is
// made from.
type judgedOperation struct {
	t        *openapi3.T
	template string
	// parameters are those of the document, body its requestBody, or nil.
	parameters []any
	body       tree
	schemas    tree
	// status and answer are those of the first answer with JSON, mediaType is what
	// it is sent as; others are the media types of answers where there is none.
	status, mediaType string
	answer            any
	others            []string
	// unread is why openapi3filter cannot load the operation.
	unread error
}

func (r *documentReader) judged(s spec.Summary) *judgedOperation {
	slice := &operationSlice{doc: r, schemas: tree{}, names: map[string]string{}}
	j := &judgedOperation{schemas: slice.schemas}
	j.template, _, _ = strings.Cut(strings.Split(s.Path, "#")[0], "?")
	file, item, op := r.operation(s)
	j.parameters = slice.parameters(file, item, op)
	defer slice.answer(j, file, op) // whose schemas openapi3filter need not load
	out := tree{"parameters": j.parameters, "responses": tree{"default": tree{"description": "Any."}}}
	doc := tree{"info": tree{"title": "T", "version": "1"}, "paths": tree{j.template: tree{strings.ToLower(s.Method): out}}}
	if r.swagger() {
		doc["swagger"], doc["definitions"] = "2.0", slice.schemas
		if out["consumes"] = op["consumes"]; op["consumes"] == nil {
			out["consumes"] = r.root["consumes"]
		}
		j.body = swaggerBody(j.parameters, out["consumes"])
		j.t, j.unread = converted(doc)
		return j
	}
	doc["openapi"], doc["components"] = r.root["openapi"], tree{"schemas": slice.schemas}
	if op["requestBody"] != nil {
		at, body := r.at(file, op["requestBody"])
		j.body, _ = slice.copy(at, body, false).(tree)
		out["requestBody"] = j.body
	}
	data, err := json.Marshal(doc)
	if err != nil {
		r.t.Fatal(err)
	}
	j.t, j.unread = openapi3.NewLoader().LoadFromData(data)
	return j
}

// answer finds the first answer of success with JSON.
func (s *operationSlice) answer(j *judgedOperation, file string, op map[string]any) {
	responses := keyed(op["responses"])
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		at, response := s.doc.at(file, responses[status])
		content, _ := response["content"].(map[string]any)
		if schema := response["schema"]; schema != nil {
			content = tree{}
			produces, ok := op["produces"].([]any)
			if !ok {
				produces, _ = s.doc.root["produces"].([]any)
			}
			for _, media := range append(produces, "application/json")[:max(1, len(produces))] {
				content[fmt.Sprint(media)] = tree{"schema": schema}
			}
		}
		for _, media := range slices.SortedFunc(maps.Keys(content), byJSON) {
			m, _ := content[media].(map[string]any)
			if j.others = append(j.others, media); j.status == "" && (strings.Contains(media, "json") || media == "*/*") {
				j.status, j.mediaType, j.answer = status, media, s.copy(at, m["schema"], false)
			}
		}
	}
}

// byJSON has the media type first that a step would read.
func byJSON(a, b string) int {
	rank := func(m string) int {
		switch {
		case strings.HasPrefix(m, "application/geo+json"):
			return 0
		case strings.HasPrefix(m, "application/json"):
			return 1
		}
		return 2
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
}

// keyed is a map whose keys may have been written as numbers.
func keyed(v any) tree {
	if m, ok := v.(map[any]any); ok {
		out := tree{}
		for k, x := range m {
			out[fmt.Sprint(k)] = x
		}
		return out
	}
	out, _ := v.(map[string]any)
	return out
}

// swaggerBody is the body of an operation of Swagger 2.0 in the form of OpenAPI 3.
func swaggerBody(parameters []any, consumes any) tree {
	form := tree{}
	var required []any
	for _, p := range parameters {
		switch m, _ := p.(tree); m["in"] {
		case "body":
			content := tree{}
			list, _ := consumes.([]any)
			for _, media := range append(list, "application/json")[:max(1, len(list))] {
				content[fmt.Sprint(media)] = tree{"schema": m["schema"]}
			}
			return tree{"required": m["required"], "content": content}
		case "formData":
			form[fmt.Sprint(m["name"])] = m
			if m["required"] == true {
				required = append(required, m["name"])
			}
		}
	}
	if len(form) == 0 {
		return nil
	}
	schema := tree{"type": "object", "properties": form, "required": required}
	return tree{"required": required != nil, "content": tree{"application/x-www-form-urlencoded": tree{"schema": schema}}}
}

func converted(doc tree) (*openapi3.T, error) {
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	var v2 openapi2.T
	if err := json.Unmarshal(data, &v2); err != nil {
		return nil, err
	}
	return openapi2conv.ToV3(&v2)
}

// parameters are those of the operation and those of its path that it does not
// replace.
func (s *operationSlice) parameters(file string, item, op map[string]any) []any {
	out := []any{}
	seen := map[string]bool{}
	for _, level := range []map[string]any{op, item} {
		list, _ := level["parameters"].([]any)
		for _, p := range list {
			at, m := s.doc.at(file, p)
			if key := fmt.Sprint(m["in"], " ", m["name"]); !seen[key] && !ignored(m) {
				seen[key] = true
				out = append(out, s.copy(at, m, false))
			}
		}
	}
	return out
}

// ignored reports whether OpenAPI says that a parameter has no meaning.
func ignored(p map[string]any) bool {
	return p["in"] == "header" && slices.Contains([]string{"accept", "authorization", "content-type"}, strings.ToLower(fmt.Sprint(p["name"])))
}

// namesBelow are the keywords below which keys are names.
var namesBelow = []string{"properties", "patternProperties", "definitions", "$defs", "dependentSchemas", "content", "encoding"}

// copy takes a value along, with references to schemas made local. Examples stay
// out: they judge nothing.
func (s *operationSlice) copy(file string, v any, names bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := tree{}
		for k, x := range v {
			ref, isText := x.(string)
			switch {
			case names && k == "$ref" && isText: // what bundlers put in its place
				at, _, members := s.doc.target(file, ref)
				if more, ok := s.copy(at, members, true).(tree); ok {
					maps.Copy(out, more)
				}
			case names:
				out[k] = s.copy(file, x, false)
			case k == "$ref" && isText:
				out[k] = s.ref(file, ref)
			case k == "mapping":
				out[k] = s.mapping(file, x)
			case k == "example" || k == "examples" || strings.HasPrefix(k, "x-"):
			default:
				out[k] = s.copy(file, x, slices.Contains(namesBelow, k))
			}
		}
		return out
	case map[any]any:
		out := tree{}
		for k, x := range v {
			out[fmt.Sprint(k)] = s.copy(file, x, false)
		}
		return out
	case []any:
		out := []any{}
		for _, x := range v {
			out = append(out, s.copy(file, x, false))
		}
		return out
	}
	return v
}

func (s *operationSlice) mapping(file string, v any) any {
	out := tree{}
	m, _ := v.(map[string]any)
	for k, x := range m {
		out[k] = x
		text, _ := x.(string)
		if !strings.ContainsAny(text, "#/") {
			continue
		}
		if _, _, target := s.doc.target(file, text); target == nil {
			delete(out, k)
		} else if _, found := target.(tree); found {
			out[k] = s.ref(file, text)
		} else {
			delete(out, k)
		}
	}
	return out
}

// ref takes the target of a reference along and says where it is.
func (s *operationSlice) ref(file, ref string) string {
	prefix := "#/components/schemas/"
	if s.doc.swagger() {
		prefix = "#/definitions/"
	}
	at, pointer, v := s.doc.target(file, ref)
	key := at + "#" + pointer
	if name, known := s.names[key]; known {
		return prefix + name
	}
	base := notName.ReplaceAllString(path.Base(key), "_")
	name := base
	for n := 2; s.schemas[name] != nil; n++ {
		name = fmt.Sprint(base, n)
	}
	s.names[key], s.schemas[name] = name, true
	s.schemas[name] = s.copy(at, v, false)
	return prefix + name
}

var notName = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// accepts has openapi3filter read a request. Credentials are compared by secrets.
// Optional parameters that are not bound stay out: of some openapi3filter does not
// know how they are written, and compare finds a value that nobody bound.
func (j *judgedOperation) accepts(ctx context.Context, values map[string]any, sent *wireRequest) error {
	if j.unread != nil {
		return fmt.Errorf("not loaded: %w", j.unread)
	}
	req, err := http.NewRequestWithContext(ctx, sent.Method, sent.URL, strings.NewReader(sent.Body))
	if err != nil {
		return err
	}
	req.Header = sent.Header.Clone()
	op := *j.t.Paths.Value(j.template).GetOperation(sent.Method)
	op.Parameters = slices.DeleteFunc(slices.Clone(op.Parameters), func(p *openapi3.ParameterRef) bool {
		return values[p.Value.In+"."+p.Value.Name] == nil && !p.Value.Required
	})
	item := &openapi3.PathItem{}
	item.SetOperation(sent.Method, &op)
	return openapi3filter.ValidateRequest(ctx, &openapi3filter.RequestValidationInput{
		Request: req, PathParams: pathParams(j.template, req.URL),
		Route: &routers.Route{Spec: j.t, Path: j.template, PathItem: item, Method: sent.Method, Operation: &op},
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, RejectWhenRequestBodyNotSpecified: true,
			SkipSettingDefaults: true, RegexCompiler: anyRegexp,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.SetSchemaRegexCompiler(anyRegexp)},
		},
	})
}

var inBraces = regexp.MustCompile(`\\\{[^{}]*\\\}`)

// pathParams takes the path of a request apart.
func pathParams(template string, u *url.URL) map[string]string {
	var names []string
	pattern := inBraces.ReplaceAllStringFunc(regexp.QuoteMeta(template), func(in string) string {
		names = append(names, strings.Trim(in, `\{}.;*`))
		return `([^/]*?)`
	})
	out := map[string]string{}
	if found := regexp.MustCompile(pattern + "$").FindStringSubmatch(u.EscapedPath()); found != nil {
		for i, name := range names {
			out[strings.ReplaceAll(name, `\`, "")], _ = url.PathUnescape(found[i+1])
		}
	}
	return out
}

type matcher func(string) bool

func (m matcher) MatchString(s string) bool { return m(s) }

// anyRegexp lets every text pass where a pattern is none of Go's.
func anyRegexp(pattern string) (openapi3.RegexMatcher, error) {
	if re, err := regexp.Compile(pattern); err == nil {
		return re, nil
	}
	return matcher(func(string) bool { return true }), nil
}
