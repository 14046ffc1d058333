package corpus_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sculpt-tools/sculpt/internal/diag"
	"github.com/sculpt-tools/sculpt/internal/golden"
	"github.com/sculpt-tools/sculpt/internal/operation"
	"github.com/sculpt-tools/sculpt/internal/spec"
	"github.com/sculpt-tools/sculpt/internal/types"
)

// TestDocumentsOnTheWire makes a tool of every operation of every published
// document, with all parameters that it can bind, and holds the request that the
// tool would send against the document, read by a reader of its own: origin,
// path, query, media type and credential are those that the document names. What
// cannot be planned is refused with a finding; nothing is sent to another place,
// or in another form.
func TestDocumentsOnTheWire(t *testing.T) {
	golden.NotRaced(t)
	fsys := os.DirFS(golden.Shared(t))
	total := &wireTally{refused: map[string]int{}}
	for _, file := range golden.Documents(t, fsys) {
		tally := &wireTally{refused: map[string]int{}}
		t.Run(path.Base(file), func(t *testing.T) { wireDocument(t, fsys, file, tally) })
		total.add(tally)
	}
	t.Logf("all documents: %v", total)
	if total.sent < total.all*8/10 {
		t.Errorf("only %d of %d operations could be planned: the test says too little", total.sent, total.all)
	}
}

// A wireTally counts operations.
type wireTally struct {
	all, sent, own, wrong int
	refused               map[string]int
}

func (c *wireTally) add(o *wireTally) {
	c.all, c.sent, c.own, c.wrong = c.all+o.all, c.sent+o.sent, c.own+o.own, c.wrong+o.wrong
	for rule, n := range o.refused {
		c.refused[rule] += n
	}
}

func (c *wireTally) String() string {
	return fmt.Sprintf("%d operations, %d sent as documented (%d of them to a server of their own), %d otherwise, refused: %v", c.all, c.sent, c.own, c.wrong, c.refused)
}

func wireDocument(t *testing.T, fsys fs.FS, file string, tally *wireTally) {
	all, findings := spec.Index(fsys, file)
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	var wants []spec.Want
	for _, s := range all {
		wants = append(wants, spec.Want{Method: s.Method, Path: s.Path})
	}
	set, _ := spec.Load(fsys, []spec.Source{{API: "a", File: file, Wants: wants}})
	doc := openReader(t, fsys, file)
	for i, w := range wants {
		op := set.Operation("a", w)
		if op == nil {
			continue
		}
		tally.all++
		sample := newSample(set.APIs["a"], op, doc)
		request, findings := sample.request(t, set)
		if request == nil {
			tally.refused[firstError(findings)]++
			continue
		}
		tally.sent++
		if wrong := doc.compare(all[i], sample, request); wrong != "" {
			tally.wrong++
			t.Errorf("%s %s: %s\n%s", w.Method, w.Path, wrong, request.text())
		}
		if op.BaseURL != set.APIs["a"].BaseURL {
			tally.own++
		}
	}
	t.Logf("%v", tally)
}

func firstError(findings diag.List) string {
	for _, f := range findings {
		if f.Severity == diag.Error {
			return f.Rule.String()
		}
	}
	return "nothing was sent"
}

// A sample is a call of an operation with constant values.
type sample struct {
	op   *operation.Operation
	api  *spec.API
	doc  *documentReader
	auth []string
	// values are what parameters get, as JSON values, by place and name.
	values map[string]any
	body   any
}

func newSample(api *spec.API, op *operation.Operation, doc *documentReader) *sample {
	s := &sample{op: op, api: api, doc: doc}
	for _, name := range slices.Sorted(maps.Keys(api.Schemes)) {
		scheme := api.Schemes[name]
		if scheme.Type != "mutualTLS" && (scheme.Type != "http" || scheme.HTTP == "basic" || scheme.HTTP == "bearer") {
			s.auth = append(s.auth, name)
		}
	}
	if op.Security == nil && len(s.auth) > 1 {
		s.auth = nil
	}
	return s
}

// request plans the call: with all parameters, or with those that it must have.
func (s *sample) request(t *testing.T, set *spec.Set) (*wireRequest, diag.List) {
	var findings diag.List
	for _, all := range []bool{true, false} {
		s.values = map[string]any{}
		for _, p := range s.op.Params {
			if all || p.Required {
				s.values[string(p.In)+"."+p.Name] = valueOf(p.Type, 0)
			}
		}
		s.body = s.bodyValue()
		p, _, found := planned(s.manifest(), set)
		findings = found
		if found.HasErrors() {
			continue
		}
		if requests := sent(t, p); len(requests) == 1 {
			return requests[0], nil
		}
	}
	return nil, findings
}

func (s *sample) manifest() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("sculpt: 1\npackage: p\ntoolkit: P\nnamespace: 3f0c5a52-7f0e-4c39-9a55-0d9d5f3c1b11")
	if len(s.auth) > 0 {
		line("env:")
		for i := range s.auth {
			line("  K%d: {description: k, default: k}", i)
		}
	}
	line("apis:\n  a:\n    openapi: a.yaml")
	if s.api.BaseURL == "" && s.op.BaseURL == "" {
		line("    base_url: https://own.example/base")
	}
	if len(s.auth) > 0 {
		line("    auth:")
		for i, name := range s.auth {
			line("      %s: env:K%d", jsonText(name), i)
		}
	}
	line("tools:\n  t:\n    version: 1\n    description: d\n    steps:\n      s:\n        call: %s", jsonText("a "+s.op.Method+" "+s.op.Path))
	if len(s.values) > 0 {
		line("        with:")
		for _, p := range s.op.Params {
			key := string(p.In) + "." + p.Name
			if v, ok := s.values[key]; ok {
				line("          %s: %s", jsonText(key), scalarOf(v))
			}
		}
	}
	if s.body != nil {
		line("        body: %s", jsonText(s.body))
	}
	line("    outputs: {done: {value: '${true}', description: d}}")
	return b.String()
}

func jsonText(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err) // what is given has a JSON form
	}
	return string(out)
}

// scalarOf writes a value as a scalar of a manifest.
func scalarOf(v any) string {
	if list, ok := v.([]any); ok {
		return "'${" + jsonText(list) + "}'"
	}
	return jsonText(v)
}

// valueOf is a value of a type that its bounds allow, or one that is refused.
func valueOf(t *types.Type, depth int) any {
	limits := t.Limits
	if limits == nil {
		limits = &types.Limits{}
	}
	switch t.Kind {
	case types.String, types.Timestamp, types.Duration, types.Bytes:
		if len(t.Enum) > 0 {
			return t.Enum[0]
		}
		text := "some-value"
		if limits.MinLength != nil && int(*limits.MinLength) > len(text) && *limits.MinLength < 1000 {
			text = strings.Repeat("v", int(*limits.MinLength))
		}
		if limits.MaxLength != nil && int(*limits.MaxLength) < len(text) {
			text = text[:max(*limits.MaxLength, 0)]
		}
		return text
	case types.Int, types.Uint, types.Double:
		n := 3
		if limits.Minimum != nil && float64(n) <= *limits.Minimum {
			n = int(*limits.Minimum) + 1
		}
		if limits.Maximum != nil && float64(n) > *limits.Maximum {
			n = int(*limits.Maximum)
		}
		if t.Kind == types.Double {
			return json.RawMessage(strconv.Itoa(n) + ".0")
		}
		return n
	case types.Bool:
		return true
	case types.List:
		if depth > 3 || t.Elem == nil {
			return []any{}
		}
		return []any{valueOf(t.Elem, depth+1), valueOf(t.Elem, depth+1)}
	case types.Object:
		out := map[string]any{}
		for _, f := range t.Fields {
			if f.Required && !f.ReadOnly && depth < 6 {
				out[f.Name] = valueOf(f.Type, depth+1)
			}
		}
		return out
	case types.Union:
		return valueOf(t.Variants[0], depth+1)
	case types.Map:
		return map[string]any{}
	}
	return "some-value"
}

// bodyValue is a body for an operation that takes one, nil for none: an object
// where the schema says nothing else.
func (s *sample) bodyValue() any {
	if s.op.Body == nil {
		return nil
	}
	for _, m := range s.op.Body.Media {
		if m.Schema != nil && m.Schema.Kind != types.Dyn {
			return valueOf(m.Schema, 0)
		}
	}
	return map[string]any{"some": "member"}
}

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
		where, pointer, _ := strings.Cut(ref, "#")
		if where != "" {
			file = path.Join(path.Dir(file), where)
		}
		v = r.open(file)
		for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
			if plain, err := url.PathUnescape(part); err == nil {
				part = plain
			}
			if m, ok := v.(map[string]any); ok && part != "" {
				v = m[part]
			}
		}
	}
	r.t.Fatal("references in a circle")
	return "", nil
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
	return r.mediaType(file, op, call, got)
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
			if !strings.HasPrefix(text, "http") {
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
		template = strings.ReplaceAll(template, "{"+name+"}", url.PathEscape(v))
	}
	return template
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
