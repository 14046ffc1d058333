package corpus_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/spec"
)

// A documentReader reads an OpenAPI document as the tree that it is, without
// anything of package spec.
type documentReader struct {
	t     *testing.T
	fsys  fs.FS
	files map[string]any
	file  string
	root  map[string]any
}

func openReader(t *testing.T, fsys fs.FS, file string) *documentReader {
	r := &documentReader{t: t, fsys: fsys, files: map[string]any{}, file: file}
	r.root, _ = r.open(file).(map[string]any)
	return r
}

func (r *documentReader) open(file string) any {
	if v, ok := r.files[file]; ok {
		return v
	}
	data, err := fs.ReadFile(r.fsys, file)
	if err != nil {
		r.t.Fatal(err)
	}
	var v any
	if strings.HasSuffix(file, ".json") {
		err = json.Unmarshal(data, &v)
	} else {
		err = yaml.Unmarshal(data, &v)
	}
	if err != nil {
		r.t.Fatal(file, err)
	}
	r.files[file] = v
	return v
}

// at follows references until there is none.
func (r *documentReader) at(file string, v any) (string, map[string]any) {
	for range 20 {
		m, _ := v.(map[string]any)
		ref, ok := m["$ref"].(string)
		if !ok {
			return file, m
		}
		file, _, v = r.target(file, ref)
	}
	r.t.Fatal("references in a circle")
	return "", nil
}

// target is what a reference of a file points to: file, pointer and value.
func (r *documentReader) target(file, ref string) (string, string, any) {
	where, pointer, _ := strings.Cut(ref, "#")
	if where != "" {
		file = path.Join(path.Dir(file), where)
	}
	v := r.open(file)
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if plain, err := url.PathUnescape(part); err == nil {
			part = plain
		}
		switch at := v.(type) {
		case map[string]any:
			if part != "" {
				v = at[part]
			}
		case []any:
			if n, err := strconv.Atoi(part); err == nil && n < len(at) {
				v = at[n]
			}
		}
	}
	return file, pointer, v
}

func (r *documentReader) swagger() bool { return r.root["swagger"] != nil }

// operation finds an operation with its path item.
func (r *documentReader) operation(s spec.Summary) (file string, item, op map[string]any) {
	paths, _ := r.root["paths"].(map[string]any)
	file, item = r.at(r.file, paths[s.Path])
	for method, v := range item {
		if strings.EqualFold(method, s.Method) {
			file, op = r.at(file, v)
		}
	}
	return file, item, op
}

// compare says in what a request differs from its document, "" for nothing.
func (r *documentReader) compare(s spec.Summary, call *sample, got *wireRequest) string {
	file, item, op := r.operation(s)
	if op == nil {
		return "the operation is not in the document"
	}
	target, err := url.Parse(got.URL)
	if err != nil {
		return err.Error()
	}
	base := r.server(item, op)
	if base == "" {
		base = "https://own.example/base"
	}
	want := r.parameters(file, item, op, call)
	secrets := r.secrets(op, call, got, target)
	template, fixed, _ := strings.Cut(strings.Split(s.Path, "#")[0], "?")
	switch wantPath := strings.TrimSuffix(base, "/") + want.fill(template); {
	case got.Method != strings.ToUpper(s.Method):
		return "the method is " + got.Method
	case want.styled:
		before, _, _ := strings.Cut(template, "{")
		if before = strings.TrimSuffix(base, "/") + before; !strings.HasPrefix(got.URL, before) {
			return "want " + before + "..."
		}
	case target.Scheme+"://"+target.Host+target.EscapedPath() != wantPath:
		return "want " + wantPath
	}
	if secrets != "" {
		return secrets
	}
	for pair := range strings.SplitSeq(fixed, "&") {
		if pair != "" {
			name, v, _ := strings.Cut(pair, "=")
			want.query = append(want.query, [2]string{name, v})
		}
	}
	if wrong := want.check(target.RawQuery, call); wrong != "" {
		return wrong
	}
	if wrong := r.mediaType(file, op, call, got); wrong != "" || call.body == nil {
		return wrong
	}
	return call.doc.readBody(call.body, got)
}

// server is the first server of the operation, its path or the document.
func (r *documentReader) server(item, op map[string]any) string {
	if r.swagger() {
		host, _ := r.root["host"].(string)
		base, _ := r.root["basePath"].(string)
		schemes, _ := op["schemes"].([]any)
		if schemes == nil {
			schemes, _ = r.root["schemes"].([]any)
		}
		scheme := "https"
		if len(schemes) > 0 && !slices.Contains(schemes, any("https")) {
			scheme, _ = schemes[0].(string)
		}
		if host == "" {
			return ""
		}
		return scheme + "://" + host + "/" + strings.TrimPrefix(base, "/")
	}
	for _, level := range []map[string]any{op, item, r.root} {
		if servers, ok := level["servers"].([]any); ok {
			if len(servers) == 0 {
				return ""
			}
			first, _ := servers[0].(map[string]any)
			text, _ := first["url"].(string)
			variables, _ := first["variables"].(map[string]any)
			for name, v := range variables {
				m, _ := v.(map[string]any)
				text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(m["default"]))
			}
			if u, err := url.Parse(text); err != nil || u.Host == "" || strings.ContainsAny(text, "{<") {
				return ""
			}
			return text
		}
	}
	return ""
}

// wanted are the parameters that a request should have.
type wanted struct {
	path  map[string]string
	query [][2]string
	// styled says that a value of the path is more than its text: testdata/wire.txt
	// has the forms of these.
	styled bool
}

func (w *wanted) fill(template string) string {
	for name, v := range w.path {
		template = strings.ReplaceAll(template, "{"+name+"}", strings.ReplaceAll(url.QueryEscape(v), "+", "%20"))
	}
	return strings.NewReplacer("<", "%3C", ">", "%3E").Replace(template)
}

// check compares the query as a list of names and values; the credentials of
// the call are not among them.
func (w *wanted) check(raw string, call *sample) string {
	var got [][2]string
	for pair := range strings.SplitSeq(raw, "&") {
		name, v, _ := strings.Cut(pair, "=")
		name, errName := url.QueryUnescape(name)
		v, errValue := url.QueryUnescape(v)
		if errName != nil || errValue != nil {
			return "the query cannot be read"
		}
		if pair != "" && !strings.HasPrefix(v, secretOf("")) {
			got = append(got, [2]string{name, v})
		}
	}
	order := func(a, b [2]string) int { return strings.Compare(a[0]+"="+a[1], b[0]+"="+b[1]) }
	slices.SortStableFunc(got, order)
	slices.SortStableFunc(w.query, order)
	if !slices.Equal(got, w.query) {
		return fmt.Sprintf("the query is %q, want %q", got, w.query)
	}
	return ""
}

// parameters spells the values of a call as the document says.
func (r *documentReader) parameters(file string, item, op map[string]any, call *sample) *wanted {
	w := &wanted{path: map[string]string{}}
	for key, v := range call.values {
		if name, ok := strings.CutPrefix(key, "path."); ok {
			w.path[name] = numberText(v)
		}
	}
	seen := map[string]bool{}
	for _, level := range []map[string]any{op, item} {
		list, _ := level["parameters"].([]any)
		for _, p := range list {
			_, m := r.at(file, p)
			name, _ := m["name"].(string)
			in, _ := m["in"].(string)
			v, bound := call.values[in+"."+name]
			if style := m["style"]; bound && in == "path" && (style == "label" || style == "matrix" || strings.ContainsAny(jsonText(v)[:1], "[{")) {
				w.styled = true
			}
			if bound && in == "query" && !seen[name] {
				seen[name] = true
				w.query = append(w.query, r.spell(m, name, v)...)
			}
		}
	}
	return w
}

func plainText(v any) string { return strings.Trim(jsonText(v), `"`) }

// spell writes a query parameter by style, collectionFormat or content.
func (r *documentReader) spell(m map[string]any, name string, v any) [][2]string {
	if content, ok := m["content"].(map[string]any); ok && len(content) > 0 {
		return [][2]string{{name, jsonText(v)}}
	}
	var plain any
	if err := json.Unmarshal([]byte(jsonText(v)), &plain); err == nil {
		if object, ok := plain.(map[string]any); ok || m["style"] == "deepObject" {
			return spellDeep(m, name, plain, object)
		}
	}
	list, ok := v.([]any)
	if !ok {
		return [][2]string{{name, numberText(v)}}
	}
	var separator string
	var explode bool
	if r.swagger() {
		format, _ := m["collectionFormat"].(string)
		explode = format == "multi"
		separator = map[string]string{"ssv": " ", "tsv": "\t", "pipes": "|"}[format]
	} else {
		style, _ := m["style"].(string)
		given, says := m["explode"].(bool)
		explode = given || !says && (style == "" || style == "form")
		separator = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}[style]
	}
	if separator == "" {
		separator = ","
	}
	var texts []string
	var out [][2]string
	for _, x := range list {
		texts = append(texts, numberText(x))
		out = append(out, [2]string{name, numberText(x)})
	}
	if explode || len(texts) == 0 {
		return out
	}
	return [][2]string{{name, strings.Join(texts, separator)}}
}

// spellDeep writes brackets, or the members of an object in the style form.
func spellDeep(m map[string]any, name string, v any, object map[string]any) (out [][2]string) {
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(name+"["+k+"]", v[k])
			}
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s[%d]", name, i), x)
			}
		default:
			out = append(out, [2]string{name, numberText(v)})
		}
	}
	if m["style"] == "deepObject" {
		walk(name, v)
		return out
	}
	if explode, says := m["explode"].(bool); explode || !says {
		for k, x := range object {
			walk(k, x)
		}
		return out
	}
	var texts []string
	for _, k := range slices.Sorted(maps.Keys(object)) {
		texts = append(texts, k, numberText(object[k]))
	}
	if texts == nil {
		return nil
	}
	return [][2]string{{name, strings.Join(texts, ",")}}
}

// numberText writes 3.0 as 3, which every reader of numbers takes for the same.
func numberText(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		return strings.TrimSuffix(string(raw), ".0")
	}
	return plainText(v)
}

// secrets compares the credentials of a request with the security of the
// operation: exactly those of one alternative, none where none is wanted.
func (r *documentReader) secrets(op map[string]any, call *sample, got *wireRequest, target *url.URL) string {
	var names []string
	text := got.text()
	for _, name := range call.auth {
		if strings.Contains(text, secretOf(name)+"\r\n") || strings.Contains(text, secretOf(name)+";") || slices.ContainsFunc(slices.Collect(maps.Values(target.Query())), func(v []string) bool { return slices.Contains(v, secretOf(name)) }) {
			names = append(names, name)
		}
	}
	security, stated := op["security"].([]any)
	if !stated {
		security, stated = r.root["security"].([]any)
	}
	if !stated {
		return "" // the document leaves it to whoever calls
	}
	if sendable := func(alternative any) bool {
		m, _ := alternative.(map[string]any)
		return !slices.ContainsFunc(slices.Collect(maps.Keys(m)), func(name string) bool { return !slices.Contains(call.auth, name) })
	}; len(names) == 0 && !slices.ContainsFunc(security, sendable) {
		return ""
	}
	for _, alternative := range security {
		m, _ := alternative.(map[string]any)
		if slices.Equal(slices.Sorted(maps.Keys(m)), names) {
			return ""
		}
	}
	return fmt.Sprintf("the credentials of %q go along, the document wants %v", names, security)
}

// mediaType compares the type of a body with those that the document names, and
// its shape with what the type is for.
func (r *documentReader) mediaType(file string, op map[string]any, call *sample, got *wireRequest) string {
	sent, _, _ := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if fields, ok := call.body.(map[string]any); call.body == nil || ok && len(fields) == 0 && got.Body == "" {
		if sent != "" {
			return "there is no body, and its type is " + sent
		}
		return ""
	}
	var names []string
	if r.swagger() {
		list, ok := op["consumes"].([]any)
		if !ok {
			list, _ = r.root["consumes"].([]any)
		}
		for _, v := range list {
			names = append(names, fmt.Sprint(v))
		}
		if len(names) == 0 || sent == "application/x-www-form-urlencoded" {
			names = append(names, "application/json", "application/x-www-form-urlencoded")
		}
	} else {
		_, body := r.at(file, op["requestBody"])
		content, _ := body["content"].(map[string]any)
		names = slices.Collect(maps.Keys(content))
	}
	_, isList := call.body.([]any)
	for _, name := range names {
		base, _, _ := mime.ParseMediaType(name)
		if base == sent || strings.Contains(base, "*") && sent == "application/json" {
			if strings.Contains(sent, "json-patch") != isList && strings.Contains(sent, "patch") {
				return sent + " cannot hold this body"
			}
			return ""
		}
	}
	return fmt.Sprintf("the body has the type %q, the document names %q", sent, names)
}
